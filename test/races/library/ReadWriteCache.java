import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Right: a map that is read under the read lock and changed under the write lock. */
public class ReadWriteCache {
    static class Cache {
        private final ReadWriteLock lock = new ReentrantReadWriteLock();
        private final Map<Integer, String> map = new HashMap<>();
        private int misses;

        String get(int key) {
            lock.readLock().lock();
            try {
                String value = map.get(key);
                if (value != null) {
                    return value;
                }
            } finally {
                lock.readLock().unlock();
            }
            lock.writeLock().lock();
            try {
                misses++;
                map.put(key, "value " + key);
                return map.get(key);
            } finally {
                lock.writeLock().unlock();
            }
        }

        int misses() {
            lock.readLock().lock();
            try {
                return misses;
            } finally {
                lock.readLock().unlock();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Cache cache = new Cache();
        Runnable work = () -> {
            for (int i = 0; i < 300; i++) {
                if (!cache.get(i % 30).equals("value " + i % 30)) {
                    throw new AssertionError();
                }
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (cache.misses() < 30) {
            throw new AssertionError(cache.misses());
        }
        System.out.println("ok");
    }
}
