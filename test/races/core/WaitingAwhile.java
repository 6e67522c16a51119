import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/**
 * When the program ends, two threads hold a lock each and wait for that of the other, but not for ever: who does not
 * get it in time gives up its own. Right, this is how deadlocks are avoided.
 */
public class WaitingAwhile {
    private static final ReentrantLock LEFT = new ReentrantLock();
    private static final ReentrantLock RIGHT = new ReentrantLock();

    private static void take(ReentrantLock first, String mine, ReentrantLock second, String other) {
        first.lock();
        try {
            Order.reach(mine);
            Order.await(other);
            if (second.tryLock(1, TimeUnit.MINUTES)) {
                second.unlock();
            }
        } catch (InterruptedException e) {
            System.out.println("interrupted");
        } finally {
            first.unlock();
        }
    }

    public static void main(String[] arguments) {
        Thread[] threads = {new Thread(() -> take(LEFT, "left", RIGHT, "right")),
            new Thread(() -> take(RIGHT, "right", LEFT, "left"))};
        for (Thread thread : threads) {
            thread.start();
        }
        Order.await("left");
        Order.await("right");
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.TIMED_WAITING
                    || !thread.getStackTrace()[0].getMethodName().equals("park")) {
                Thread.onSpinWait();
            }
        }
        System.out.println("ok");
        System.exit(0);
    }
}
