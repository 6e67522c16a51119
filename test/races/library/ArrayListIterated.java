import java.util.ArrayList;
import java.util.List;
import quiet.Order;

/** Wrong: one thread iterates over the list while another one adds to it. */
public class ArrayListIterated {
    static class Registry {
        final List<String> names = new ArrayList<>();
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        registry.names.add("a");
        Thread reader = new Thread(() -> {
            int length = 0;
            for (String name : registry.names) {
                length += name.length();
            }
            Order.reach("iterated");
            if (length != 1) {
                throw new AssertionError(length);
            }
        });
        Thread writer = new Thread(() -> {
            Order.await("iterated");
            registry.names.add("b"); //! race observed ArrayListIterated$Registry.names
        });
        reader.start();
        writer.start();
        reader.join();
        writer.join();
        System.out.println("ok");
    }
}
