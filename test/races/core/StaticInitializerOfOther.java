import quiet.Order;

/**
 * Wrong: a static initializer counts in a field of another class, which another thread writes. That thread does not use
 * the class that is initialized, so the initialization orders nothing.
 */
public class StaticInitializerOfOther {
    static class Registry {
        static int loaded;
    }

    static class Plugin {
        static final int NUMBER;

        static {
            Registry.loaded++; //! race observed StaticInitializerOfOther$Registry.loaded
            NUMBER = 3;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(() -> {
            Registry.loaded = 5; //! race observed StaticInitializerOfOther$Registry.loaded
            Order.reach("written");
        });
        writer.start();
        Order.await("written");
        int number = Plugin.NUMBER;
        writer.join();
        System.out.println(number == 3 ? "ok" : "wrong number");
    }
}
