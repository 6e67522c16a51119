import java.util.concurrent.CountDownLatch;
import quiet.Order;

/** Wrong: the result is read before the wait for the latch. */
public class LatchReadEarly {
    static class Job {
        final CountDownLatch done = new CountDownLatch(1);
        int result;
    }

    public static void main(String[] arguments) throws Exception {
        Job job = new Job();
        Thread worker = new Thread(() -> {
            job.result = 42;
            Order.reach("stored");
            job.done.countDown();
        });
        worker.start();
        Order.await("stored");
        int result = job.result; //! race observed LatchReadEarly$Job.result
        job.done.await();
        worker.join();
        System.out.println(result == 0 ? "nothing" : "ok");
    }
}
