import java.util.HashMap;
import java.util.Map;
import quiet.Order;

/** Wrong: one thread walks over the entries of a map while another one puts into it. */
public class HashMapIterated {
    static class Registry {
        final Map<String, Integer> entries = new HashMap<>();
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        registry.entries.put("a", 1);
        Thread reader = new Thread(() -> {
            int sum = 0;
            for (Map.Entry<String, Integer> entry : registry.entries.entrySet()) {
                sum += entry.getValue();
            }
            Order.reach("iterated");
            if (sum != 1) {
                throw new AssertionError(sum);
            }
        });
        Thread writer = new Thread(() -> {
            Order.await("iterated");
            registry.entries.put("b", 2); //! race observed HashMapIterated$Registry.entries
        });
        reader.start();
        writer.start();
        reader.join();
        writer.join();
        System.out.println("ok");
    }
}
