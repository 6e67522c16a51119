import quiet.Order;

/** Wrong: two threads append to the same StringBuilder without a lock. */
public class StringBuilderShared {
    static class Registry {
        final StringBuilder text = new StringBuilder();
    }

    public static void main(String[] arguments) throws Exception {
        Registry registry = new Registry();
        Thread first = new Thread(() -> {
            registry.text.append("a");
            Order.reach("first done");
        });
        Thread second = new Thread(() -> {
            Order.await("first done");
            registry.text.append("b"); //! race observed StringBuilderShared$Registry.text
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
