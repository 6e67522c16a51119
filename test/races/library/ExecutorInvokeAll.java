import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Right: invokeAll() comes back when all tasks are done, with their results. */
public class ExecutorInvokeAll {
    static class Part {
        int from;
        int sum;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        List<Part> parts = new ArrayList<>();
        List<Callable<Part>> tasks = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Part part = new Part();
            part.from = i * 10;
            parts.add(part);
            tasks.add(() -> {
                for (int j = 0; j < 10; j++) {
                    part.sum += part.from + j;
                }
                return part;
            });
        }
        int total = 0;
        for (Future<Part> future : executor.invokeAll(tasks)) {
            total += future.get().sum;
        }
        for (Part part : parts) {
            part.sum = 0;
        }
        executor.shutdown();
        if (total != 4950) {
            throw new AssertionError(total);
        }
        System.out.println("ok");
    }
}
