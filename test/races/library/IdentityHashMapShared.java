import java.util.IdentityHashMap;
import java.util.Map;
import quiet.Order;

/** Wrong: an IdentityHashMap is changed by two threads without a lock. */
public class IdentityHashMapShared {
    static class Registry {
        final Map<Object, String> labels = new IdentityHashMap<>();
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Thread first = new Thread(() -> {
            registry.labels.put(registry, "a");
            Order.reach("first done");
        });
        Thread second = new Thread(() -> {
            Order.await("first done");
            registry.labels.remove(registry); //! race observed IdentityHashMapShared$Registry.labels
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
