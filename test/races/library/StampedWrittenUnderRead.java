import java.util.concurrent.locks.StampedLock;
import quiet.Order;

/** Wrong: two threads have the read lock of a StampedLock at once, and both write. */
public class StampedWrittenUnderRead {
    static class Point {
        final StampedLock lock = new StampedLock();
        int reads;
    }

    public static void main(String[] arguments) throws Exception {
        Point point = new Point();
        Thread first = new Thread(() -> {
            long stamp = point.lock.readLock();
            Order.await("second has the lock");
            point.reads++;
            Order.reach("first wrote");
            point.lock.unlockRead(stamp);
        });
        Thread second = new Thread(() -> {
            long stamp = point.lock.readLock();
            Order.reach("second has the lock");
            Order.await("first wrote");
            point.reads++; //! race observed StampedWrittenUnderRead$Point.reads holding 1 sharing 1
            point.lock.unlockRead(stamp);
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
