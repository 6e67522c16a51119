//! needs: 21
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Right: a virtual thread for each task; get() and close() come after the tasks. */
public class VirtualExecutor {
    static class Result {
        int value;
    }

    public static void main(String[] arguments) throws Exception {
        Result last = new Result();
        List<Future<Result>> futures = new ArrayList<>();
        int sum = 0;
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                int value = i;
                futures.add(executor.submit(() -> {
                    Result result = new Result();
                    result.value = value;
                    return result;
                }));
            }
            for (Future<Result> future : futures) {
                sum += future.get().value++;
            }
            executor.execute(() -> last.value = 7);
        }
        if (sum != 1225 || last.value != 7) {
            throw new AssertionError(sum);
        }
        System.out.println("ok");
    }
}
