import quiet.Order;

/** Right: a daemon thread still works, under a lock, when the program ends. */
public class DaemonAtExit {
    static final Object LOCK = new Object();
    static long rounds;

    public static void main(String[] arguments) {
        Thread daemon = new Thread(() -> {
            while (true) {
                synchronized (LOCK) {
                    rounds++;
                }
                Order.reach("running");
            }
        });
        daemon.setDaemon(true);
        daemon.start();
        Order.await("running");
        synchronized (LOCK) {
            System.out.println(rounds > 0 ? "ok" : "not seen");
        }
    }
}
