import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Right: when isDone() says true, the task is over. */
public class FuturePolled {
    static class Job {
        int output;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Job job = new Job();
        Future<?> future = executor.submit(() -> {
            job.output = 42;
        });
        while (!future.isDone()) {
            Thread.yield();
        }
        if (job.output != 42) {
            throw new AssertionError(job.output);
        }
        executor.shutdown();
        System.out.println("ok");
    }
}
