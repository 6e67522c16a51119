import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Right: tasks of a cached pool report to a latch, which main waits for. */
public class ExecutorCached {
    static class Job {
        int value;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService executor = Executors.newCachedThreadPool();
        for (int round = 0; round < 5; round++) {
            Job[] jobs = new Job[4];
            CountDownLatch done = new CountDownLatch(jobs.length);
            for (int i = 0; i < jobs.length; i++) {
                Job job = new Job();
                job.value = i;
                jobs[i] = job;
                executor.execute(() -> {
                    job.value *= 2;
                    done.countDown();
                });
            }
            done.await();
            int sum = 0;
            for (Job job : jobs) {
                sum += job.value;
            }
            if (sum != 12) {
                throw new AssertionError(sum);
            }
        }
        executor.shutdown();
        System.out.println("ok");
    }
}
