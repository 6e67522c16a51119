import java.util.concurrent.CountDownLatch;
import quiet.Threads;

/** Right: the second thread does not begin before the first has done. */
public class DeadlockLatch {
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();
    private static final CountDownLatch done = new CountDownLatch(1);

    static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (second) {
            }
        }
    }

    static void later() {
        try {
            done.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        both(RIGHT, LEFT);
    }

    public static void main(String[] arguments) {
        Threads.together(() -> {
            both(LEFT, RIGHT);
            done.countDown();
        }, DeadlockLatch::later);
        System.out.println("ok");
    }
}
