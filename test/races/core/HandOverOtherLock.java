import quiet.Order;
import quiet.Threads;

/** Wrong: one lock hands over, and another takes over. They have nothing to do with each other. */
public class HandOverOtherLock {
    private static final Object GIVES = new Object();
    private static final Object TAKES = new Object();
    private static final Object OTHER = new Object();
    private static int number;
    private static boolean open = true;

    static void give() {
        synchronized (GIVES) {
            GIVES.notifyAll();
        }
    }

    static void take() throws InterruptedException {
        synchronized (TAKES) {
            while (!open) {
                TAKES.wait();
            }
        }
    }

    static void somethingElse() {
        synchronized (OTHER) {
        }
    }

    public static void main(String[] arguments) {
        number = 1;
        Threads.together(() -> {
            number++; //! race predicted HandOverOtherLock.number
            give();
            somethingElse();
            Order.reach("given");
        }, () -> {
            Order.await("given");
            somethingElse();
            try {
                take();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            number++; //! race predicted HandOverOtherLock.number
        });
        System.out.println(number == 3 ? "ok" : "lost");
    }
}
