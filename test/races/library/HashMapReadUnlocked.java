import java.util.HashMap;
import java.util.Map;
import quiet.Order;

/** Wrong: the HashMap is written under a lock, but read without it. */
public class HashMapReadUnlocked {
    static class Registry {
        private final Map<String, Integer> entries = new HashMap<>();

        synchronized void put(String key, int value) {
            entries.put(key, value);
        }

        Integer get(String key) {
            return entries.get(key); //! race observed HashMapReadUnlocked$Registry.entries
        }
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Thread writer = new Thread(() -> {
            registry.put("a", 1);
            Order.reach("put");
        });
        Thread reader = new Thread(() -> {
            Order.await("put");
            registry.get("a");
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
