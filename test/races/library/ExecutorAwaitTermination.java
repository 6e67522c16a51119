import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Right: when awaitTermination() says true, all tasks are over. */
public class ExecutorAwaitTermination {
    static final int[] results = new int[20];

    public static void main(String[] arguments) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(3);
        for (int i = 0; i < results.length; i++) {
            int number = i;
            executor.execute(() -> results[number] = number);
        }
        executor.shutdown();
        if (!executor.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new AssertionError("not terminated");
        }
        int sum = 0;
        for (int result : results) {
            sum += result;
        }
        if (sum != 190) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
