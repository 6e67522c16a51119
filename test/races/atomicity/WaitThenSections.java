import quiet.Order;
import quiet.Threads;

/** Wrong: what comes after the wait is a block, too, and takes a lock after it has given up one. */
public class WaitThenSections {
    private static final Object LOCK = new Object();
    private static int value;
    private boolean ready;

    public void work() {
        synchronized (this) {
            Order.reach("inside");
            while (!ready) {
                pause();
            }
        }
        synchronized (LOCK) { //! atomicity predicted WaitThenSections.work
            value++;
        }
    }

    private void pause() {
        try {
            wait();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void add() {
        synchronized (LOCK) {
            value++;
        }
    }

    public synchronized void wake() {
        ready = true;
        notifyAll();
    }

    public static void main(String[] arguments) {
        WaitThenSections shared = new WaitThenSections();
        Threads.together(shared::work, () -> {
            Order.await("inside");
            add();
            shared.wake();
        });
        System.out.println(value == 2 ? "ok" : "lost");
    }
}
