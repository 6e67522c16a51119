import java.util.concurrent.locks.ReentrantReadWriteLock;
import quiet.Order;

/** Wrong: a hit counter is changed under the read lock, which two threads hold at once. */
public class ReadWriteWrittenUnderRead {
    static class Cache {
        final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        int hits;
    }

    public static void main(String[] arguments) throws Exception {
        Cache cache = new Cache();
        Thread first = new Thread(() -> {
            cache.lock.readLock().lock();
            Order.await("second has the lock");
            cache.hits++;
            Order.reach("first wrote");
            cache.lock.readLock().unlock();
        });
        Thread second = new Thread(() -> {
            cache.lock.readLock().lock();
            Order.reach("second has the lock");
            Order.await("first wrote");
            cache.hits++; //! race observed ReadWriteWrittenUnderRead$Cache.hits holding 1 sharing 1
            cache.lock.readLock().unlock();
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
