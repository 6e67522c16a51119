import java.util.concurrent.ConcurrentHashMap;
import quiet.Order;

/** Right: compute() runs its function alone for a key, one after the other, so it may change the value in place. */
public class ConcurrentMapCompute {
    static class Tally {
        int count;
    }

    static final ConcurrentHashMap<String, Tally> tallies = new ConcurrentHashMap<>();

    static void count() {
        tallies.compute("a", (key, tally) -> {
            if (tally == null) {
                tally = new Tally();
            }
            tally.count++;
            return tally;
        });
    }

    public static void main(String[] arguments) throws Exception {
        count();
        Thread first = new Thread(() -> {
            tallies.computeIfPresent("a", (key, tally) -> {
                Order.reach("first is in");
                Order.await("second is about to call");
                tally.count++;
                return tally;
            });
            for (int i = 0; i < 100; i++) {
                count();
            }
        });
        Thread second = new Thread(() -> {
            Order.await("first is in");
            Order.reach("second is about to call");
            for (int i = 0; i < 100; i++) {
                count();
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        int count = tallies.get("a").count;
        if (count != 202) {
            throw new AssertionError(count);
        }
        System.out.println("ok");
    }
}
