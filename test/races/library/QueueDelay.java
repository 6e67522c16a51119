import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** Right: hand-over by a DelayQueue; the delays are over at once. */
public class QueueDelay {
    static class Job implements Delayed {
        int rank;
        int result;

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(rank - 100, TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Integer.compare(rank, ((Job) other).rank);
        }
    }

    static final DelayQueue<Job> queue = new DelayQueue<>();

    public static void main(String[] arguments) throws Exception {
        Thread producer = new Thread(() -> {
            for (int i = 0; i < 30; i++) {
                Job job = new Job();
                job.rank = i;
                job.result = i;
                queue.put(job);
            }
        });
        producer.start();
        int sum = 0;
        for (int i = 0; i < 30; i++) {
            Job job = queue.take();
            sum += job.result;
            job.rank = 0;
        }
        producer.join();
        if (sum != 435) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
