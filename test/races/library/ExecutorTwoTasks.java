import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import quiet.Order;

/** Wrong: two tasks that run at the same time change the same field. */
public class ExecutorTwoTasks {
    static class Total {
        int sum;
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        Total total = new Total();
        Future<?> first = executor.submit(() -> {
            Order.await("second runs");
            total.sum += 1;
            Order.reach("first wrote");
        });
        Future<?> second = executor.submit(() -> {
            Order.reach("second runs");
            Order.await("first wrote");
            total.sum += 2; //! race observed ExecutorTwoTasks$Total.sum
        });
        first.get();
        second.get();
        executor.shutdown();
        System.out.println(total.sum == 3 ? "ok" : "wrong sum");
    }
}
