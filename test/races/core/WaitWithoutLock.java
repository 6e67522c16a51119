import quiet.Order;

/**
 * Wrong: waiting without the lock throws, and does not take the lock either. The writer has no lock; later it uses the
 * lock for nothing, so that this run is ordered.
 */
public class WaitWithoutLock {
    static final Object LOCK = new Object();
    static int value;

    static void failToWait() {
        try {
            LOCK.wait();
        } catch (IllegalMonitorStateException | InterruptedException e) {
            value++; //! race predicted WaitWithoutLock.value
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        value = 1;
        Thread first = new Thread(() -> {
            failToWait();
            synchronized (LOCK) {
            }
            Order.reach("failed");
        });
        Thread second = new Thread(() -> {
            Order.await("failed");
            synchronized (LOCK) {
                value++; //! race predicted WaitWithoutLock.value
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(value == 3 ? "ok" : "lost an addition");
    }
}
