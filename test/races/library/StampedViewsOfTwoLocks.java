import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;
import quiet.Order;

/** Wrong: the write locks are views of two different StampedLocks. */
public class StampedViewsOfTwoLocks {
    static class Point {
        final Lock left = new StampedLock().asWriteLock();
        final Lock right = new StampedLock().asWriteLock();
        int x;
    }

    public static void main(String[] arguments) throws Exception {
        Point point = new Point();
        Thread first = new Thread(() -> {
            point.left.lock();
            point.x++;
            point.left.unlock();
            Order.reach("first wrote");
        });
        Thread second = new Thread(() -> {
            Order.await("first wrote");
            point.right.lock();
            point.x++; //! race observed StampedViewsOfTwoLocks$Point.x
            point.right.unlock();
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
