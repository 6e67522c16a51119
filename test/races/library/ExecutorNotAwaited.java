import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import quiet.Order;

/** Wrong: shutdown() does not wait for the tasks; the result is read without a get() or awaitTermination(). */
public class ExecutorNotAwaited {
    static class Job {
        int output;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Job job = new Job();
        executor.execute(() -> {
            Order.await("shut down");
            job.output = 42;
            Order.reach("stored");
        });
        executor.shutdown();
        Order.reach("shut down");
        Order.await("stored");
        int output = job.output; //! race observed ExecutorNotAwaited$Job.output
        System.out.println(output == 42 ? "ok" : "wrong output");
    }
}
