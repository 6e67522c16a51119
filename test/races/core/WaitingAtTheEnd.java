import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/**
 * When the program ends, threads wait for each other in a row: for a monitor, for a lock, and the last one for a latch
 * that nobody counts down. Right as far as locks go: it is no circle.
 */
public class WaitingAtTheEnd {
    private static final Object FIRST = new Object();
    private static final ReentrantLock SECOND = new ReentrantLock();
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private static void takeFirst() {
        Order.await("has first");
        synchronized (FIRST) {
            System.out.println("has first");
        }
    }

    private static void takeSecond() {
        synchronized (FIRST) {
            Order.reach("has first");
            Order.await("has second");
            SECOND.lock();
        }
    }

    private static void waitForNothing() {
        SECOND.lock();
        Order.reach("has second");
        try {
            NEVER.await();
        } catch (InterruptedException e) {
            System.out.println("interrupted");
        }
    }

    public static void main(String[] arguments) {
        Thread[] threads = {new Thread(WaitingAtTheEnd::takeFirst), new Thread(WaitingAtTheEnd::takeSecond),
            new Thread(WaitingAtTheEnd::waitForNothing)};
        for (Thread thread : threads) {
            thread.start();
        }
        Order.await("has second");
        for (Thread thread : threads) {
            Order.awaitBlocked(thread);
        }
        System.out.println("ok");
        System.exit(0);
    }
}
