//! needs: 21
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import quiet.Order;

/** Wrong: two tasks of a virtual-thread executor change the same field. */
public class VirtualExecutorRace {
    static class Total {
        int sum;
    }

    public static void main(String[] arguments) throws Exception {
        Total total = new Total();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            executor.submit(() -> {
                Order.await("second runs");
                total.sum += 1;
                Order.reach("first wrote");
            });
            executor.submit(() -> {
                Order.reach("second runs");
                Order.await("first wrote");
                total.sum += 2; //! race observed VirtualExecutorRace$Total.sum
            });
        }
        System.out.println(total.sum == 3 ? "ok" : "wrong sum");
    }
}
