import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import quiet.Order;

/** Wrong: the producer fills in a field after it has put the job into the queue. */
public class QueueUsedAfterPut {
    static class Job {
        int input;
    }

    static final BlockingQueue<Job> queue = new ArrayBlockingQueue<>(1);

    public static void main(String[] arguments) throws Exception {
        Thread producer = new Thread(() -> {
            try {
                Job job = new Job();
                queue.put(job);
                Order.await("taken");
                job.input = 42;
                Order.reach("written");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        producer.start();
        Job job = queue.take();
        Order.reach("taken");
        Order.await("written");
        int input = job.input; //! race observed QueueUsedAfterPut$Job.input
        producer.join();
        System.out.println(input == 42 ? "ok" : "wrong input");
    }
}
