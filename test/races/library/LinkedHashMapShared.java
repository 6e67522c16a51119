import java.util.LinkedHashMap;
import quiet.Order;

/** Wrong: a LinkedHashMap is changed by one thread and read by another, without a lock. */
public class LinkedHashMapShared {
    static class Registry {
        final LinkedHashMap<String, String> recent = new LinkedHashMap<>();
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Thread first = new Thread(() -> {
            registry.recent.put("a", "x");
            Order.reach("first done");
        });
        Thread second = new Thread(() -> {
            Order.await("first done");
            registry.recent.get("a"); //! race observed LinkedHashMapShared$Registry.recent
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
