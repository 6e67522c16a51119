import java.util.HashSet;
import java.util.Set;
import quiet.Order;

/** Wrong: one thread asks a HashSet while another one adds to it, without a lock. */
public class HashSetShared {
    static class Registry {
        final Set<String> seen = new HashSet<>();
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Thread first = new Thread(() -> {
            registry.seen.contains("a");
            Order.reach("first done");
        });
        Thread second = new Thread(() -> {
            Order.await("first done");
            registry.seen.add("a"); //! race observed HashSetShared$Registry.seen
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
