import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import quiet.Order;

/** Wrong: cancel() makes get() come back at once, while the task is still running and writing. */
public class FutureCancelled {
    static class Job {
        int output;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Job job = new Job();
        Future<?> future = executor.submit(() -> {
            Order.reach("runs");
            Order.await("cancelled");
            job.output = 42;
            Order.reach("stored");
        });
        Order.await("runs");
        future.cancel(false);
        try {
            future.get();
            throw new AssertionError("not cancelled");
        } catch (CancellationException expected) {
            Order.reach("cancelled");
        }
        Order.await("stored");
        int output = job.output; //! race observed FutureCancelled$Job.output
        executor.shutdown();
        System.out.println(output == 42 ? "ok" : "wrong output");
    }
}
