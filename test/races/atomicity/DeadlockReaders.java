import java.util.concurrent.locks.ReentrantReadWriteLock;
import quiet.Threads;

/** Right: readers do not wait for each other, in whatever order they come. */
public class DeadlockReaders {
    private static final ReentrantReadWriteLock LEFT = new ReentrantReadWriteLock();
    private static final ReentrantReadWriteLock RIGHT = new ReentrantReadWriteLock();

    static void both(ReentrantReadWriteLock first, ReentrantReadWriteLock second) {
        first.readLock().lock();
        second.readLock().lock();
        second.readLock().unlock();
        first.readLock().unlock();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> both(LEFT, RIGHT), () -> both(RIGHT, LEFT));
        System.out.println("ok");
    }
}
