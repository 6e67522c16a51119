import java.util.concurrent.locks.ReentrantReadWriteLock;
import quiet.Threads;

/** Wrong: others can write between the read lock and the write lock. */
public class ReadLockThenWriteLock {
    private static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    private static int value;

    public static void increment() {
        LOCK.readLock().lock();
        int before = value;
        LOCK.readLock().unlock();
        LOCK.writeLock().lock(); //! atomicity predicted ReadLockThenWriteLock.increment
        value = before + 1; //! atomicity predicted ReadLockThenWriteLock.increment
        LOCK.writeLock().unlock();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(ReadLockThenWriteLock::increment, ReadLockThenWriteLock::increment);
        System.out.println(value == 2 ? "ok" : "lost");
    }
}
