import java.util.concurrent.PriorityBlockingQueue;

/** Right: hand-over by a PriorityBlockingQueue, which compares fields of the elements inside put() and take(). */
public class QueuePriorityBlocking {
    static class Job implements Comparable<Job> {
        int priority;

        @Override
        public int compareTo(Job other) {
            return Integer.compare(priority, other.priority);
        }
    }

    static final PriorityBlockingQueue<Job> queue = new PriorityBlockingQueue<>();
    static int sum;

    public static void main(String[] arguments) throws Exception {
        Thread consumer = new Thread(() -> {
            try {
                for (int i = 0; i < 50; i++) {
                    Job job = queue.take();
                    sum += job.priority;
                    job.priority = -1;
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        consumer.start();
        for (int i = 50; i > 0; i--) {
            Job job = new Job();
            job.priority = i;
            queue.put(job);
        }
        consumer.join();
        if (sum != 1275) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
