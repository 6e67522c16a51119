import quiet.Order;
import quiet.Threads;

/**
 * Right: a result is there when a flag says so. The flag has the class as its lock, and who comes too early waits
 * for it; the result has none.
 */
public class HandOverFlag {
    static boolean ready;
    static int result;
    static final int[] details = new int[2];

    static synchronized void finish() {
        ready = true;
        HandOverFlag.class.notifyAll();
    }

    static synchronized void awaitReady() throws InterruptedException {
        while (!ready) {
            HandOverFlag.class.wait();
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
