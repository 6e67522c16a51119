import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import quiet.Order;

/** Wrong: two workers of a pool, each with a task that gives the lock up too early. */
public class ExecutorTasks {
    private static final Object LOCK = new Object();
    private static int value;

    public static void increment() {
        int before;
        synchronized (LOCK) {
            before = value;
        }
        synchronized (LOCK) { //! atomicity predicted ExecutorTasks.increment
            value = before + 1; //! atomicity predicted ExecutorTasks.increment
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.execute(() -> {
            increment();
            Order.reach("done");
        });
        pool.execute(() -> {
            Order.await("done");
            increment();
        });
        pool.shutdown();
        pool.awaitTermination(30, TimeUnit.SECONDS);
        System.out.println(value == 2 ? "ok" : "lost");
    }
}
