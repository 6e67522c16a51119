import java.util.concurrent.Semaphore;
import quiet.Order;

/** Wrong: a semaphore with two permits lets both threads in at once. */
public class SemaphoreTwoPermits {
    static class Counter {
        final Semaphore permits = new Semaphore(2);
        int count;
    }

    public static void main(String[] arguments) throws Exception {
        Counter counter = new Counter();
        Thread first = new Thread(() -> {
            counter.permits.acquireUninterruptibly();
            Order.await("second is in");
            counter.count++;
            Order.reach("first wrote");
            Order.await("second wrote");
            counter.permits.release();
        });
        Thread second = new Thread(() -> {
            counter.permits.acquireUninterruptibly();
            Order.reach("second is in");
            Order.await("first wrote");
            counter.count++; //! race observed SemaphoreTwoPermits$Counter.count
            Order.reach("second wrote");
            counter.permits.release();
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
