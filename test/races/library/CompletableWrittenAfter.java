import java.util.concurrent.CompletableFuture;
import quiet.Order;

/** Wrong: the result is changed after complete(). */
public class CompletableWrittenAfter {
    static class Result {
        int value;
    }

    public static void main(String[] arguments) throws Exception {
        CompletableFuture<Result> future = new CompletableFuture<>();
        Thread completer = new Thread(() -> {
            Result result = new Result();
            result.value = 1;
            future.complete(result);
            result.value = 2;
            Order.reach("written");
        });
        completer.start();
        Result result = future.get();
        Order.await("written");
        int value = result.value; //! race observed CompletableWrittenAfter$Result.value
        completer.join();
        System.out.println(value == 2 ? "ok" : "wrong value");
    }
}
