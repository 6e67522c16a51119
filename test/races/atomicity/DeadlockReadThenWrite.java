import java.util.concurrent.locks.ReentrantReadWriteLock;
import quiet.Threads;

/** Wrong: each reads one and wants to write the other, for which the reader there is in the way. */
public class DeadlockReadThenWrite {
    private static final ReentrantReadWriteLock LEFT = new ReentrantReadWriteLock();
    private static final ReentrantReadWriteLock RIGHT = new ReentrantReadWriteLock();

    static void copy(ReentrantReadWriteLock from, ReentrantReadWriteLock to) {
        from.readLock().lock();
        to.writeLock().lock(); //! deadlock 2 sharing 1
        to.writeLock().unlock();
        from.readLock().unlock();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> copy(LEFT, RIGHT), () -> copy(RIGHT, LEFT));
        System.out.println("ok");
    }
}
