import java.util.concurrent.ConcurrentHashMap;
import quiet.Order;

/** Wrong: one of the threads that use the map is not joined when it is changed in two steps, though this time it is done. */
public class ConcurrentMapBeforeJoin {
    private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();

    private void count(String step) {
        counts.merge("all", 1, Integer::sum);
        Order.reach(step);
    }

    public void close() {
        Integer before = counts.get("all");
        counts.put("all", before + 1); //! atomicity predicted ConcurrentMapBeforeJoin.close
    }

    public static void main(String[] arguments) throws InterruptedException {
        ConcurrentMapBeforeJoin counter = new ConcurrentMapBeforeJoin();
        Thread first = new Thread(() -> counter.count("first"));
        Thread second = new Thread(() -> counter.count("second"));
        first.start();
        first.join();
        second.start();
        Order.await("second");
        counter.close();
        second.join();
        System.out.println("ok");
    }
}
