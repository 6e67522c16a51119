import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Right: the views asReadLock(), asWriteLock() and asReadWriteLock() are the same lock as the stamps. */
public class StampedViews {
    static class Point {
        final StampedLock lock = new StampedLock();
        final Lock reading = lock.asReadLock();
        final Lock writing = lock.asWriteLock();
        final ReadWriteLock both = lock.asReadWriteLock();
        int x;
        int y;
    }

    public static void main(String[] arguments) throws Exception {
        Point point = new Point();
        Thread stamps = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                long stamp = point.lock.writeLock();
                point.x++;
                point.y++;
                point.lock.unlockWrite(stamp);
            }
        });
        Thread views = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                point.reading.lock();
                int difference = point.x - point.y;
                point.reading.unlock();
                if (difference != 0) {
                    throw new AssertionError(difference);
                }
                point.writing.lock();
                point.x++;
                point.y++;
                point.writing.unlock();
            }
        });
        Thread pairs = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                point.both.readLock().lock();
                int difference = point.x - point.y;
                point.both.readLock().unlock();
                if (difference != 0) {
                    throw new AssertionError(difference);
                }
                point.both.writeLock().lock();
                point.x++;
                point.y++;
                point.both.writeLock().unlock();
            }
        });
        stamps.start();
        views.start();
        pairs.start();
        stamps.join();
        views.join();
        pairs.join();
        if (point.x != 300 || point.y != 300) {
            throw new AssertionError(point.x + " " + point.y);
        }
        System.out.println("ok");
    }
}
