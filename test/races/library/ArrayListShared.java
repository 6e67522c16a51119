import java.util.ArrayList;
import java.util.List;
import quiet.Order;

/** Wrong: two threads add to the same ArrayList without a lock. */
public class ArrayListShared {
    static class Registry {
        final List<String> names = new ArrayList<>();
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Thread first = new Thread(() -> {
            registry.names.add("a");
            Order.reach("first done");
        });
        Thread second = new Thread(() -> {
            Order.await("first done");
            registry.names.add("b"); //! race observed ArrayListShared$Registry.names
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
