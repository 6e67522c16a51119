import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Right: complete() and completeExceptionally() come before get() and before the stages that wait for them. */
public class CompletableByHand {
    static class Result {
        int value;
    }

    static int fallback = 1;

    public static void main(String[] arguments) throws Exception {
        CompletableFuture<Result> good = new CompletableFuture<>();
        CompletableFuture<Result> bad = new CompletableFuture<>();
        CompletableFuture<Integer> doubled = good.thenApply(result -> result.value * 2);
        CompletableFuture<Integer> handled = bad.handle((result, thrown) -> thrown != null ? fallback : 0);
        Thread completer = new Thread(() -> {
            Result result = new Result();
            result.value = 21;
            good.complete(result);
            fallback = 5;
            bad.completeExceptionally(new IllegalStateException("no result"));
        });
        completer.start();
        int value = good.get().value;
        try {
            bad.join();
            throw new AssertionError("no exception");
        } catch (CompletionException expected) {
            value += fallback;
        }
        completer.join();
        if (value != 26 || doubled.get() != 42 || handled.join() != 5) {
            throw new AssertionError();
        }
        System.out.println("ok");
    }
}
