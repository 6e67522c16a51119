import java.util.concurrent.locks.StampedLock;
import quiet.Order;

/**
 * Right: a writer comes between two optimistic reads, validate() says false, and the reader starts
 * over under the read lock. What it had read is thrown away, as the lock's documentation wants it;
 * so nothing is to be reported.
 */
public class StampedOptimisticRetried {
    static class Point {
        final StampedLock lock = new StampedLock();
        int x;
        int y;
    }

    public static void main(String[] arguments) throws Exception {
        Point point = new Point();
        Thread writer = new Thread(() -> {
            Order.await("x read");
            long stamp = point.lock.writeLock();
            point.x = 1;
            point.y = 1;
            point.lock.unlockWrite(stamp);
            Order.reach("moved");
        });
        Thread reader = new Thread(() -> {
            long stamp = point.lock.tryOptimisticRead();
            int x = point.x;
            Order.reach("x read");
            Order.await("moved");
            int y = point.y;
            if (point.lock.validate(stamp)) {
                throw new AssertionError("still valid");
            }
            stamp = point.lock.readLock();
            x = point.x;
            y = point.y;
            point.lock.unlockRead(stamp);
            if (x != 1 || y != 1) {
                throw new AssertionError(x + " " + y);
            }
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
