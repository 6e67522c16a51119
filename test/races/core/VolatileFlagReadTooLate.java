import quiet.Order;

/** Wrong: the reader looks at the data first and at the flag afterwards. */
public class VolatileFlagReadTooLate {
    static int data;
    static volatile boolean ready;

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(() -> {
            data = 42; //! race observed VolatileFlagReadTooLate.data
            ready = true;
            Order.reach("written");
        });
        writer.start();
        Order.await("written");
        int seen = data; //! race observed VolatileFlagReadTooLate.data
        boolean valid = ready;
        writer.join();
        System.out.println(valid && seen >= 0 ? "ok" : "not seen");
    }
}
