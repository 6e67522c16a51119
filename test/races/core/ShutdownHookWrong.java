import quiet.Order;

/** Wrong: a shutdown hook reads what a thread that nobody joins has written. */
public class ShutdownHookWrong {
    static int value;

    public static void main(String[] arguments) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            int seen = value; //! race observed ShutdownHookWrong.value
            System.out.println(seen >= 0 ? "ok" : "negative");
        }));
        Thread daemon = new Thread(() -> {
            value = 42; //! race observed ShutdownHookWrong.value
            Order.reach("written");
            Order.await("never");
        });
        daemon.setDaemon(true);
        daemon.start();
        Order.await("written");
        System.exit(0);
    }
}
