import quiet.Order;

/** Wrong: each thread locks its own object; both used a third lock between, so that this run is ordered. */
public class DifferentLocksPredicted {
    static final Object ONE = new Object();
    static final Object TWO = new Object();
    static final Object LOG = new Object();
    static int value;
    static int logged;

    static void log() {
        synchronized (LOG) {
            logged++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        value = 1;
        Thread first = new Thread(() -> {
            synchronized (ONE) {
                value++; //! race predicted DifferentLocksPredicted.value
            }
            log();
            Order.reach("added");
        });
        Thread second = new Thread(() -> {
            Order.await("added");
            log();
            synchronized (TWO) {
                value++; //! race predicted DifferentLocksPredicted.value
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
