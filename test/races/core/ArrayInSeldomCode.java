import quiet.Order;

/**
 * Wrong: an array is changed after it was handed over, in code that seldom runs, after code that has filled so many arrays
 * that it does not watch each. In this run it happens before the array is read.
 */
public class ArrayInSeldomCode {
    private static final Object LOCK = new Object();
    private static final int ARRAYS = 200_000;
    private static int[] slot;

    static void fill(int[] array, int number) {
        array[0] = number;
    }

    static void put(int[] array) {
        synchronized (LOCK) {
            slot = array;
        }
    }

    static void correct(int[] array) {
        array[0] = -1; //! race observed ArrayInSeldomCode.slot[]
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread maker = new Thread(() -> {
            int[] array = null;
            for (int i = 0; i < ARRAYS; i++) {
                array = new int[1];
                fill(array, i);
            }
            put(array);
            Order.reach("put");
            Order.await("taken");
            correct(array);
            Order.reach("corrected");
        });
        int[] seen = new int[1];
        Thread user = new Thread(() -> {
            Order.await("put");
            int[] array;
            synchronized (LOCK) {
                array = slot;
            }
            Order.reach("taken");
            Order.await("corrected");
            seen[0] = array[0]; //! race observed ArrayInSeldomCode.slot[]
        });
        maker.start();
        user.start();
        maker.join();
        user.join();
        System.out.println(seen[0] == -1 ? "ok" : "another number");
    }
}
