import java.util.concurrent.locks.StampedLock;
import quiet.Order;

/**
 * Right: reads between tryOptimisticRead() and a validate() that says true count as made under the
 * read lock, so a write under the write lock is no race, whether it came before them or comes after.
 */
public class StampedOptimistic {
    static class Point {
        final StampedLock lock = new StampedLock();
        int x;
        int y;

        void move(int by) {
            long stamp = lock.writeLock();
            x += by;
            y += by;
            lock.unlockWrite(stamp);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Point point = new Point();
        point.move(1);
        Thread writer = new Thread(() -> {
            point.move(2);
            Order.reach("moved");
            Order.await("read");
            point.move(4);
        });
        Thread reader = new Thread(() -> {
            Order.await("moved");
            long stamp = point.lock.tryOptimisticRead();
            int x = point.x;
            int y = point.y;
            if (!point.lock.validate(stamp) || x != 3 || y != 3) {
                throw new AssertionError(x + " " + y);
            }
            Order.reach("read");
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
