import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import quiet.Order;

/** Wrong: peek() leaves the job in the queue, so two workers get hold of the same one. */
public class QueuePeeked {
    static class Job {
        int tries;
    }

    static final BlockingQueue<Job> queue = new LinkedBlockingQueue<>();

    public static void main(String[] arguments) throws Exception {
        queue.add(new Job());
        Thread first = new Thread(() -> {
            Job job = queue.peek();
            Order.await("second has it");
            job.tries++;
            Order.reach("first wrote");
        });
        Thread second = new Thread(() -> {
            Job job = queue.peek();
            Order.reach("second has it");
            Order.await("first wrote");
            job.tries++; //! race observed QueuePeeked$Job.tries
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
