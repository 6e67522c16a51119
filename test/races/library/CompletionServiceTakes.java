import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Right: take() gives the finished ones in the order in which they finish. */
public class CompletionServiceTakes {
    static class Result {
        int value;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        CompletionService<Result> service = new ExecutorCompletionService<>(executor);
        for (int i = 0; i < 20; i++) {
            int number = i;
            service.submit(() -> {
                Result result = new Result();
                result.value = number;
                return result;
            });
        }
        int sum = 0;
        for (int i = 0; i < 20; i++) {
            Result result = service.take().get();
            result.value++;
            sum += result.value;
        }
        executor.shutdown();
        if (sum != 210) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
