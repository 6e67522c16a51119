import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;

/**
 * Hangs: two threads wait for each other, among as many others as the argument says. Says "ready" and its process number
 * when the JVM sees that they do.
 */
public class Hanging {
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();
    private static final CountDownLatch BOTH = new CountDownLatch(2);

    private static void take(Object first, Object second) {
        synchronized (first) {
            BOTH.countDown();
            try {
                BOTH.await();
            } catch (InterruptedException e) {
                return;
            }
            synchronized (second) {
                System.out.println("never");
            }
        }
    }

    private static void idle() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            return;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        for (int i = 0; arguments.length > 0 && i < Integer.parseInt(arguments[0]); i++) {
            new Thread(Hanging::idle).start();
        }
        new Thread(() -> take(LEFT, RIGHT), "left").start();
        new Thread(() -> take(RIGHT, LEFT), "right").start();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        while (threads.findDeadlockedThreads() == null) {
            Thread.sleep(1);
        }
        System.out.println("ready " + ProcessHandle.current().pid());
    }
}
