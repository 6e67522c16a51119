import quiet.Order;

/**
 * With locksets alone a second thread always takes over. So neither a field that is handed over nor a real race of two
 * accesses is reported; what both use under a lock is right anyway.
 */
public class LocksetHandOver {
    //! options: --races lockset
    static final Object LOCK = new Object();
    static int handed;
    static int racy;
    static int locked;

    static void add() {
        synchronized (LOCK) {
            locked++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        handed = 1;
        Thread thread = new Thread(() -> {
            handed++;
            racy = 1;
            add();
            Order.reach("written");
        });
        thread.start();
        Order.await("written");
        racy = 2;
        racy = 3;
        add();
        thread.join();
        add();
        System.out.println("ok");
    }
}
