import quiet.Order;

/**
 * Wrong: an object is made and published with a lock that who finds it does not take. The report says where the
 * constructor wrote, and that it was with the lock.
 */
public class PublishedUnderLock {
    static class Settings {
        int timeout = 10; //! race observed PublishedUnderLock$Settings.timeout holding 1
        String name;

        Settings(String name) {
            this.name = name; //! race observed PublishedUnderLock$Settings.name holding 1
        }
    }

    static final Object LOCK = new Object();
    static Settings settings;

    static void load() {
        synchronized (LOCK) {
            settings = new Settings("first"); //! race observed PublishedUnderLock.settings
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread loader = new Thread(() -> {
            load();
            Order.reach("loaded");
        });
        Thread user = new Thread(() -> {
            Order.await("loaded");
            Settings found = settings;
            if (found.timeout == 10 && found.name.equals("first")) {
                System.out.println("ok");
            }
        });
        loader.start();
        user.start();
        loader.join();
        user.join();
    }
}
