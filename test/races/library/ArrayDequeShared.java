import java.util.ArrayDeque;
import java.util.Deque;
import quiet.Order;

/** Wrong: one thread pushes to an ArrayDeque, another one pops, without a lock. */
public class ArrayDequeShared {
    static class Registry {
        final Deque<String> stack = new ArrayDeque<>();
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Thread first = new Thread(() -> {
            registry.stack.push("a");
            Order.reach("first done");
        });
        Thread second = new Thread(() -> {
            Order.await("first done");
            registry.stack.pop(); //! race observed ArrayDequeShared$Registry.stack
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
