import quiet.Order;

/** Wrong: the first and the second thread are ordered by a join, the third is not ordered with the second. */
public class ThreeThreads {
    static int value;

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> value = 1);
        Thread second = new Thread(() -> {
            try {
                first.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            value = 2; //! race observed ThreeThreads.value
            Order.reach("second");
        });
        Thread third = new Thread(() -> {
            Order.await("second");
            value = 3; //! race observed ThreeThreads.value
        });
        first.start();
        second.start();
        third.start();
        second.join();
        third.join();
        System.out.println(value == 3 ? "ok" : "another value");
    }
}
