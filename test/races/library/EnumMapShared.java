import java.util.EnumMap;
import java.util.concurrent.TimeUnit;
import quiet.Order;

/** Wrong: an EnumMap is changed by one thread and read by another, without a lock. */
public class EnumMapShared {
    static class Registry {
        final EnumMap<TimeUnit, String> units = new EnumMap<>(TimeUnit.class);
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Thread first = new Thread(() -> {
            registry.units.put(TimeUnit.DAYS, "d");
            Order.reach("first done");
        });
        Thread second = new Thread(() -> {
            Order.await("first done");
            registry.units.get(TimeUnit.HOURS); //! race observed EnumMapShared$Registry.units
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
