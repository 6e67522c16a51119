import quiet.Order;

/** Wrong: a class is initialized by one thread, which writes a static field once more afterwards. */
public class StaticInitializerThenWritten {
    static class Table {
        static int size = 4;
        static int uses = 0;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            Table.uses = Table.size; //! race observed StaticInitializerThenWritten$Table.uses
            Order.reach("used");
        });
        first.start();
        Order.await("used");
        int sum = Table.size; // written by the initializer only
        sum += Table.uses; //! race observed StaticInitializerThenWritten$Table.uses
        first.join();
        System.out.println(sum >= 4 ? "ok" : "wrong sum");
    }
}
