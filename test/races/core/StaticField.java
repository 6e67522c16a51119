import quiet.Order;

/** Wrong: one thread writes a static field, the other reads it, without anything between them. */
public class StaticField {
    static int total;

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(() -> {
            total = 1; //! race observed StaticField.total
            Order.reach("written");
        });
        writer.start();
        Order.await("written");
        int seen = total; //! race observed StaticField.total
        writer.join();
        System.out.println(seen >= 0 ? "ok" : "negative");
    }
}
