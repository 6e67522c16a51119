import java.util.concurrent.locks.ReentrantReadWriteLock;
import quiet.Threads;

/** Wrong with all refinements: a read lock lets others in, who can take the inner lock in between. */
public class ProtectedByReadLock {
    private static final ReentrantReadWriteLock OUTER = new ReentrantReadWriteLock();
    private static final Object INNER = new Object();
    private static int value;

    public static void twice() {
        OUTER.readLock().lock();
        synchronized (INNER) {
            value++;
        }
        synchronized (INNER) { //! atomicity predicted ProtectedByReadLock.twice
            value++; //! atomicity predicted ProtectedByReadLock.twice
        }
        OUTER.readLock().unlock();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(ProtectedByReadLock::twice, ProtectedByReadLock::twice);
        System.out.println(value == 4 ? "ok" : "lost");
    }
}
