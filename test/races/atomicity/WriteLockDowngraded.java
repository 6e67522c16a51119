import java.util.concurrent.locks.ReentrantReadWriteLock;
import quiet.Threads;

/** Right: the read lock is taken while the write lock is held, so that nobody writes before it is given up. */
public class WriteLockDowngraded {
    private static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    private static int value;

    public static int increment() {
        LOCK.writeLock().lock();
        value++;
        LOCK.readLock().lock();
        LOCK.writeLock().unlock();
        int now = value;
        LOCK.readLock().unlock();
        return now;
    }

    public static int get() {
        LOCK.readLock().lock();
        try {
            return value;
        } finally {
            LOCK.readLock().unlock();
        }
    }

    public static void main(String[] arguments) {
        Threads.together(WriteLockDowngraded::increment, WriteLockDowngraded::increment, WriteLockDowngraded::get);
        System.out.println(get() == 2 ? "ok" : "lost");
    }
}
