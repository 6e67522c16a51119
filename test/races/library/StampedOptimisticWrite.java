import java.util.concurrent.locks.StampedLock;
import quiet.Order;

/** Wrong: an optimistic stamp keeps nobody out, so a write with it is unguarded, validated or not. */
public class StampedOptimisticWrite {
    static class Point {
        final StampedLock lock = new StampedLock();
        int x;
    }

    public static void main(String[] arguments) throws Exception {
        Point point = new Point();
        Thread first = new Thread(() -> {
            long stamp = point.lock.tryOptimisticRead();
            Order.await("second has a stamp");
            point.x = 1;
            Order.reach("first wrote");
            point.lock.validate(stamp);
        });
        Thread second = new Thread(() -> {
            long stamp = point.lock.tryOptimisticRead();
            Order.reach("second has a stamp");
            Order.await("first wrote");
            point.x = 2; //! race observed StampedOptimisticWrite$Point.x
            point.lock.validate(stamp);
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
