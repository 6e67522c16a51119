import java.util.HashMap;
import java.util.Map;
import quiet.Order;

/** Wrong: two threads put into the same HashMap without a lock. */
public class HashMapShared {
    static class Registry {
        final Map<String, Integer> entries = new HashMap<>();
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Thread first = new Thread(() -> {
            registry.entries.put("a", 1);
            Order.reach("first done");
        });
        Thread second = new Thread(() -> {
            Order.await("first done");
            registry.entries.put("b", 2); //! race observed HashMapShared$Registry.entries
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
