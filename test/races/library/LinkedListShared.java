import java.util.LinkedList;
import quiet.Order;

/** Wrong: a LinkedList as a queue between two threads, without a lock. */
public class LinkedListShared {
    static class Registry {
        final LinkedList<String> queue = new LinkedList<>();
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Thread first = new Thread(() -> {
            registry.queue.addLast("a");
            Order.reach("first done");
        });
        Thread second = new Thread(() -> {
            Order.await("first done");
            registry.queue.removeFirst(); //! race observed LinkedListShared$Registry.queue
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
