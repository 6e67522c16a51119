import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import quiet.Order;

/** Wrong: two asynchronous stages that hang on the same source run at once and change the same field. */
public class CompletableTwoStages {
    static class Total {
        int sum;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        CompletableFuture<Total> source = CompletableFuture.completedFuture(new Total());
        CompletableFuture<Void> first = source.thenAcceptAsync(total -> {
            Order.await("second runs");
            total.sum += 1;
            Order.reach("first wrote");
        }, executor);
        CompletableFuture<Void> second = source.thenAcceptAsync(total -> {
            Order.reach("second runs");
            Order.await("first wrote");
            total.sum += 2; //! race observed CompletableTwoStages$Total.sum
        }, executor);
        CompletableFuture.allOf(first, second).join();
        executor.shutdown();
        System.out.println(source.join().sum == 3 ? "ok" : "wrong sum");
    }
}
