import quiet.Order;

/**
 * Right as the grades go: a second thread takes an object over through a lock and from then on all use it with that
 * lock. What the first thread did before, without a lock, was initialization.
 */
public class LocalLockHandOver {
    static class Config {
        int size;
    }

    static final Object LOCK = new Object();
    static Config config;

    public static void main(String[] arguments) throws InterruptedException {
        Thread maker = new Thread(() -> {
            Config fresh = new Config();
            fresh.size = 1;
            synchronized (LOCK) {
                config = fresh;
            }
            Order.reach("made");
            Order.await("used");
            synchronized (LOCK) {
                config.size++;
            }
        });
        maker.start();
        Order.await("made");
        synchronized (LOCK) {
            config.size++;
        }
        Order.reach("used");
        maker.join();
        System.out.println(config.size == 3 ? "ok" : "lost an addition");
    }
}
