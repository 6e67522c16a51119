import java.util.concurrent.locks.ReentrantReadWriteLock;
import quiet.Order;

/** Wrong: the writer has the write lock, the reader nothing. */
public class ReadWriteReadUnlocked {
    static class Settings {
        final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        int version;
    }

    public static void main(String[] arguments) throws Exception {
        Settings settings = new Settings();
        Thread writer = new Thread(() -> {
            settings.lock.writeLock().lock();
            settings.version = 2;
            settings.lock.writeLock().unlock();
            Order.reach("written");
        });
        Thread reader = new Thread(() -> {
            Order.await("written");
            if (settings.version < 0) { //! race observed ReadWriteReadUnlocked$Settings.version
                throw new AssertionError();
            }
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
