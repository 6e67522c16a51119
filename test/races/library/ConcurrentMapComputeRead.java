import java.util.concurrent.ConcurrentHashMap;
import quiet.Order;

/** Wrong: the value is changed inside compute(), but read outside of it, where nothing keeps the change away. */
public class ConcurrentMapComputeRead {
    static class Tally {
        int count;
    }

    static final ConcurrentHashMap<String, Tally> tallies = new ConcurrentHashMap<>();

    public static void main(String[] arguments) throws Exception {
        tallies.put("a", new Tally());
        Thread writer = new Thread(() -> {
            Order.await("found");
            tallies.compute("a", (key, tally) -> {
                tally.count++;
                return tally;
            });
            Order.reach("counted");
        });
        Thread reader = new Thread(() -> {
            Tally tally = tallies.get("a");
            Order.reach("found");
            Order.await("counted");
            if (tally.count != 1) { //! race observed ConcurrentMapComputeRead$Tally.count
                throw new AssertionError(tally.count);
            }
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
