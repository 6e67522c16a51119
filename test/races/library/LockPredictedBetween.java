import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import quiet.Order;
import quiet.Threads;

/** Wrong: locks of java.util.concurrent that have nothing to do with it come between two writes; each is named. */
public class LockPredictedBetween {
    static int byLock;
    static int byReader;
    static int byWriter;

    public static void main(String[] arguments) {
        ReentrantLock lock = new ReentrantLock();
        ReentrantReadWriteLock read = new ReentrantReadWriteLock();
        ReentrantReadWriteLock written = new ReentrantReadWriteLock();
        byLock = byReader = byWriter = 1;
        Threads.together(() -> {
            byLock = 2;
            lock.lock();
            lock.unlock();
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
            lock.lock();
            lock.unlock();
            //! race predicted LockPredictedBetween.byLock between java.util.concurrent.locks.ReentrantLock
            byLock = 3;
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
