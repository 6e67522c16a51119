import quiet.Order;

/** Wrong: the flag is set before the data is written. */
public class VolatileFlagTooEarly {
    static int data;
    static volatile boolean ready;

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(() -> {
            ready = true;
            data = 42; //! race observed VolatileFlagTooEarly.data
            Order.reach("written");
        });
        writer.start();
        while (!ready) {
            Thread.yield();
        }
        Order.await("written");
        int seen = data; //! race observed VolatileFlagTooEarly.data
        writer.join();
        System.out.println(seen >= 0 ? "ok" : "negative");
    }
}
