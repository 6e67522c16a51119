import java.util.concurrent.locks.ReentrantReadWriteLock;
import quiet.Order;

/**
 * Wrong: one of two writers has the read lock only. In this run the other one comes later and takes
 * the write lock, so that they are in order; a second reader could have been in the way.
 */
public class ReadWriteOneUnderRead {
    static class Cache {
        final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        int hits;
    }

    public static void main(String[] arguments) throws Exception {
        Cache cache = new Cache();
        cache.hits = 1;
        Thread first = new Thread(() -> {
            cache.lock.readLock().lock();
            cache.hits = 2; //! race predicted ReadWriteOneUnderRead$Cache.hits holding 1 sharing 1
            cache.lock.readLock().unlock();
            Order.reach("first done");
        });
        Thread second = new Thread(() -> {
            Order.await("first done");
            cache.lock.writeLock().lock();
            cache.hits = 3;
            cache.lock.writeLock().unlock();
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
