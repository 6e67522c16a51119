import java.util.concurrent.CountDownLatch;
import quiet.Order;

/** Wrong: the worker counts down first and stores its result after that. */
public class LatchWrittenAfter {
    static class Job {
        final CountDownLatch done = new CountDownLatch(1);
        int result;
    }

    public static void main(String[] arguments) throws Exception {
        Job job = new Job();
        Thread worker = new Thread(() -> {
            job.done.countDown();
            job.result = 42;
            Order.reach("stored");
        });
        worker.start();
        job.done.await();
        Order.await("stored");
        int result = job.result; //! race observed LatchWrittenAfter$Job.result
        worker.join();
        System.out.println(result == 0 ? "nothing" : "ok");
    }
}
