import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import quiet.Order;
import quiet.Threads;

/** Wrong: locks of java.util.concurrent that have nothing to do with it come between two writes; each is named. */
public class LockPredictedBetween {
    static final ReentrantLock LOCK = new ReentrantLock();
    static int byLock;
    static int byReader;
    static int byWriter;

    public static void main(String[] arguments) {
        ReentrantReadWriteLock read = new ReentrantReadWriteLock();
        ReentrantReadWriteLock written = new ReentrantReadWriteLock();
        byLock = byReader = byWriter = 1;
        Threads.together(() -> {
            byLock = 2;
            LOCK.lock();
            LOCK.unlock();
            Order.reach("lock");
            Order.await("locked");
            byReader = 2;
            read.readLock().lock();
            read.readLock().unlock();
            Order.reach("read");
            Order.await("after reader");
            byWriter = 2;
            written.writeLock().lock();
            written.writeLock().unlock();
            Order.reach("write");
        }, () -> {
            Order.await("lock");
            LOCK.lock();
            LOCK.unlock();
            byLock = 3; //! race predicted LockPredictedBetween.byLock between LockPredictedBetween.LOCK
            Order.reach("locked");
            Order.await("read");
            read.writeLock().lock();
            read.writeLock().unlock();
            //! race predicted LockPredictedBetween.byReader between java.util.concurrent.locks.ReentrantReadWriteLock
            byReader = 3;
            Order.reach("after reader");
            Order.await("write");
            written.readLock().lock();
            written.readLock().unlock();
            //! race predicted LockPredictedBetween.byWriter between java.util.concurrent.locks.ReentrantReadWriteLock
            byWriter = 3;
        });
        System.out.println("ok");
    }
}
