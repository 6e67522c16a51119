import java.util.TreeMap;
import quiet.Order;

/** Wrong: one thread puts into a TreeMap, another one looks for its first key, without a lock. */
public class TreeMapShared {
    static class Registry {
        final TreeMap<Integer, String> sorted = new TreeMap<>();
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Thread first = new Thread(() -> {
            registry.sorted.put(1, "a");
            Order.reach("first done");
        });
        Thread second = new Thread(() -> {
            Order.await("first done");
            registry.sorted.firstKey(); //! race observed TreeMapShared$Registry.sorted
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
