import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import quiet.Order;

/** Wrong: the timed await() runs out; the result is read although nobody has counted down. */
public class LatchTimedOut {
    static class Job {
        final CountDownLatch done = new CountDownLatch(1);
        int result;
    }

    public static void main(String[] arguments) throws Exception {
        Job job = new Job();
        Thread worker = new Thread(() -> {
            job.result = 42;
            Order.reach("stored");
            Order.await("read");
            job.done.countDown();
        });
        worker.start();
        Order.await("stored");
        boolean done = job.done.await(1, TimeUnit.MILLISECONDS);
        int result = job.result; //! race observed LatchTimedOut$Job.result
        Order.reach("read");
        worker.join();
        System.out.println(done || result == 0 ? "nothing" : "ok");
    }
}
