import quiet.Order;

/** Wrong: a daemon thread that never ends shares a field with the main thread. */
public class DaemonWithoutLock {
    static long rounds;

    public static void main(String[] arguments) {
        Thread daemon = new Thread(() -> {
            rounds++; //! race observed DaemonWithoutLock.rounds
            Order.reach("counted");
            Order.await("never");
        });
        daemon.setDaemon(true);
        daemon.start();
        Order.await("counted");
        rounds++; //! race observed DaemonWithoutLock.rounds
        System.out.println("ok");
    }
}
