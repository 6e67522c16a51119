import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import quiet.Threads;

/** Right: who waits for the second lock for a while only gives up in the end. */
public class DeadlockTryLockTimed {
    private static final ReentrantLock LEFT = new ReentrantLock();
    private static final ReentrantLock RIGHT = new ReentrantLock();

    static void both(ReentrantLock first, ReentrantLock second) {
        first.lock();
        try {
            if (second.tryLock(1, TimeUnit.SECONDS)) {
                second.unlock();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            first.unlock();
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> both(LEFT, RIGHT), () -> both(RIGHT, LEFT));
        System.out.println("ok");
    }
}
