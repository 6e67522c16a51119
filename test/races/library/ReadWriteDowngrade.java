import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Right: the write lock is exchanged for the read lock without a gap; reads go on under the latter. */
public class ReadWriteDowngrade {
    static class Settings {
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        private int version;
        private int copy;

        int update() {
            lock.writeLock().lock();
            try {
                version++;
                copy = version;
                lock.readLock().lock();
            } finally {
                lock.writeLock().unlock();
            }
            try {
                if (copy != version) {
                    throw new AssertionError("changed under the read lock");
                }
                return version;
            } finally {
                lock.readLock().unlock();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Settings settings = new Settings();
        Runnable work = () -> {
            for (int i = 0; i < 200; i++) {
                settings.update();
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (settings.update() != 401) {
            throw new AssertionError();
        }
        System.out.println("ok");
    }
}
