import java.util.HashMap;
import quiet.Order;

/** Wrong: a cache in a static field, without a lock. */
public class HashMapStatic {
    static final HashMap<Integer, String> cache = new HashMap<>();

    static String name(int number) {
        return cache.computeIfAbsent(number, n -> "number " + n); //! race observed HashMapStatic.cache
    }

    public static void main(String[] arguments) throws Exception {
        name(0);
        Thread first = new Thread(() -> {
            name(1);
            Order.reach("first done");
        });
        Thread second = new Thread(() -> {
            Order.await("first done");
            name(2);
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
