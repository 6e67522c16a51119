import quiet.Order;

/** Wrong: an exception leaves the synchronized block, so the handler outside of it has no lock any more. */
public class ExceptionInSynchronized {
    static final Object LOCK = new Object();
    static int inside;
    static int failures;

    static void work() {
        try {
            synchronized (LOCK) {
                inside++;
                if (inside > 0) {
                    throw new IllegalStateException();
                }
            }
        } catch (IllegalStateException e) {
            failures++; //! race observed ExceptionInSynchronized.failures
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            work();
            Order.reach("failed");
        });
        first.start();
        Order.await("failed");
        work(); // the lock is free, and was released before the other thread counted its failure
        first.join();
        System.out.println(inside == 2 ? "ok" : "lost an addition");
    }
}
