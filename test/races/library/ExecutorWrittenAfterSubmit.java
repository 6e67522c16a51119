import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import quiet.Order;

/** Wrong: main changes the job after it has submitted it. */
public class ExecutorWrittenAfterSubmit {
    static class Job {
        int input;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Job job = new Job();
        Future<Integer> future = executor.submit(() -> {
            Order.await("written");
            return job.input; //! race observed ExecutorWrittenAfterSubmit$Job.input
        });
        job.input = 42;
        Order.reach("written");
        int output = future.get();
        executor.shutdown();
        System.out.println(output == 42 ? "ok" : "wrong output");
    }
}
