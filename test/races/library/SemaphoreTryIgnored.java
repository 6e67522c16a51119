import java.util.concurrent.Semaphore;
import quiet.Order;

/** Wrong: tryAcquire() says false, and the thread writes all the same. */
public class SemaphoreTryIgnored {
    static class Counter {
        final Semaphore permit = new Semaphore(1);
        int count;
    }

    public static void main(String[] arguments) throws Exception {
        Counter counter = new Counter();
        Thread first = new Thread(() -> {
            counter.permit.acquireUninterruptibly();
            counter.count = 1;
            Order.reach("first wrote");
            Order.await("second wrote");
            counter.permit.release();
        });
        Thread second = new Thread(() -> {
            Order.await("first wrote");
            boolean entered = counter.permit.tryAcquire();
            counter.count = 2; //! race observed SemaphoreTryIgnored$Counter.count
            Order.reach("second wrote");
            if (entered) {
                counter.permit.release();
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
