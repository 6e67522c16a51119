import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Right: submit() comes before the task, and the task before the get() of its future. */
public class ExecutorSubmit {
    static class Job {
        int input;
        int output;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        Job[] jobs = new Job[20];
        Future<?>[] futures = new Future<?>[jobs.length];
        for (int i = 0; i < jobs.length; i++) {
            Job job = new Job();
            job.input = i;
            jobs[i] = job;
            futures[i] = executor.submit(() -> {
                job.output = job.input * 2;
            });
        }
        int sum = 0;
        for (int i = 0; i < jobs.length; i++) {
            futures[i].get();
            sum += jobs[i].output;
            jobs[i].input = 0;
        }
        executor.shutdown();
        if (sum != 380) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
