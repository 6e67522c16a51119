import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Right: a FutureTask in a thread of one's own; get() comes after the computation, whether it returns or throws. */
public class FutureTaskRun {
    static class Result {
        int value;
    }

    public static void main(String[] arguments) throws Exception {
        Result partial = new Result();
        FutureTask<Result> good = new FutureTask<>(() -> {
            Result result = new Result();
            result.value = 42;
            return result;
        });
        FutureTask<Result> bad = new FutureTask<>(() -> {
            partial.value = 7;
            throw new IllegalStateException("no result");
        });
        new Thread(good).start();
        new Thread(bad).start();
        good.get().value++;
        try {
            bad.get();
            throw new AssertionError("no exception");
        } catch (ExecutionException expected) {
            partial.value++;
        }
        if (good.get().value != 43 || partial.value != 8) {
            throw new AssertionError();
        }
        System.out.println("ok");
    }
}
