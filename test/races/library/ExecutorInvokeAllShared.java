import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import quiet.Order;

/** Wrong: the tasks of one invokeAll() are not ordered among themselves. */
public class ExecutorInvokeAllShared {
    static int sum;

    public static void main(String[] arguments) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        Callable<Integer> first = () -> {
            Order.await("second runs");
            sum += 1;
            Order.reach("first wrote");
            return 0;
        };
        Callable<Integer> second = () -> {
            Order.reach("second runs");
            Order.await("first wrote");
            sum += 2; //! race observed ExecutorInvokeAllShared.sum
            return 0;
        };
        executor.invokeAll(List.of(first, second));
        executor.shutdown();
        System.out.println(sum == 3 ? "ok" : "wrong sum");
    }
}
