import quiet.Order;

/**
 * Wrong: an object that a volatile field refers to is changed after it was published; volatile does not reach that
 * far.
 */
public class VolatileReferenceMutated {
    static class Settings {
        int size;
        int limit;
    }

    static volatile Settings settings;

    public static void main(String[] arguments) throws InterruptedException {
        Thread writer = new Thread(() -> {
            Settings fresh = new Settings();
            fresh.limit = 1; // before the publication: right
            settings = fresh;
            settings.size = 2; //! race observed VolatileReferenceMutated$Settings.size
            Order.reach("changed");
        });
        writer.start();
        Order.await("changed");
        int limit = settings.limit;
        int size = settings.size; //! race observed VolatileReferenceMutated$Settings.size
        writer.join();
        System.out.println(limit == 1 && size >= 0 ? "ok" : "not seen");
    }
}
