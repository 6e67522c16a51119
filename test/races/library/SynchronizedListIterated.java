import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import quiet.Order;

/**
 * Wrong: the iterator of a synchronized list is that of the list inside, and takes no lock; the documentation asks for
 * the list's monitor around the loop.
 */
public class SynchronizedListIterated {
    static class Registry {
        final List<String> names = Collections.synchronizedList(new ArrayList<>());
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
            registry.names.add("b"); //! race observed SynchronizedListIterated$Registry.names
        });
        reader.start();
        writer.start();
        reader.join();
        writer.join();
        System.out.println("ok");
    }
}
