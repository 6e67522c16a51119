import quiet.Order;
import quiet.Threads;

/** Right: a result is there when a flag says so. The flag has a lock, and who comes too early waits for it; the result has none. */
public class HandOverFlag {
    static final Object LOCK = new Object();
    static boolean ready;
    static int result;
    static final int[] details = new int[2];

    static void finish() {
        synchronized (LOCK) {
            ready = true;
            LOCK.notifyAll();
        }
    }

    static void awaitReady() throws InterruptedException {
        synchronized (LOCK) {
            while (!ready) {
                LOCK.wait();
            }
        }
    }

    public static void main(String[] arguments) {
        result = 1;
        details[1] = 1;
        Threads.together(() -> {
            result = 40;
            details[1] = 2;
            finish();
            Order.reach("finished");
        }, () -> {
            Order.await("finished");
            try {
                awaitReady();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            result += details[1];
        });
        System.out.println(result == 42 ? "ok" : "wrong result");
    }
}
