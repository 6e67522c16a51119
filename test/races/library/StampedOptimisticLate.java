import java.util.concurrent.locks.StampedLock;
import quiet.Order;

/** Wrong: the stamp is validated first and the field is read after that: nothing guards the read. */
public class StampedOptimisticLate {
    static class Point {
        final StampedLock lock = new StampedLock();
        int x;
    }

    public static void main(String[] arguments) throws Exception {
        Point point = new Point();
        Thread reader = new Thread(() -> {
            long stamp = point.lock.tryOptimisticRead();
            if (!point.lock.validate(stamp)) {
                throw new AssertionError("written already");
            }
            Order.reach("validated");
            Order.await("moved");
            if (point.x < 0) { //! race observed StampedOptimisticLate$Point.x
                throw new AssertionError();
            }
        });
        Thread writer = new Thread(() -> {
            Order.await("validated");
            long stamp = point.lock.writeLock();
            point.x = 1;
            point.lock.unlockWrite(stamp);
            Order.reach("moved");
        });
        reader.start();
        writer.start();
        reader.join();
        writer.join();
        System.out.println("ok");
    }
}
