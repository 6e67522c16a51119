import quiet.Order;

/**
 * Wrong: two threads add to the same element, in a method that has met so many arrays that it does not watch each new one
 * from the start: only from when the second thread comes.
 */
public class ArrayInBusyCode {
    private static final int ARRAYS = 200_000;

    static void add(int[] sums, int number) {
        sums[0] += number; //! race observed ArrayInBusyCode.int[]
    }

    public static void main(String[] arguments) throws InterruptedException {
        for (int i = 0; i < ARRAYS; i++) {
            add(new int[1], i);
        }
        int[] shared = new int[1];
        Thread first = new Thread(() -> {
            add(shared, 1);
            Order.reach("first");
            Order.await("second");
            add(shared, 4);
        });
        Thread second = new Thread(() -> {
            Order.await("first");
            add(shared, 2);
            Order.reach("second");
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(shared[0] == 7 ? "ok" : "another sum");
    }
}
