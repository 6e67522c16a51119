import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Right: schedule() comes before the delayed task, and that before the get() of its future. */
public class ScheduledOnce {
    static class Job {
        int input;
        int output;
    }

    public static void main(String[] arguments) throws Exception {
        ScheduledExecutorService executor = Executors.newScheduledThreadPool(2);
        Job job = new Job();
        for (int i = 1; i <= 5; i++) {
            job.input = i;
            ScheduledFuture<Integer> future = executor.schedule(() -> {
                job.output = job.input * 2;
                return job.output;
            }, 1, TimeUnit.MILLISECONDS);
            if (future.get() != job.output || job.output != i * 2) {
                throw new AssertionError(job.output);
            }
        }
        executor.shutdown();
        System.out.println("ok");
    }
}
