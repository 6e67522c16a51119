import quiet.Order;

/** Wrong: each thread locks, but each its own object. */
public class DifferentLocks {
    static int value;

    static void add(Object lock) {
        synchronized (lock) {
            value++; //! race observed DifferentLocks.value
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(() -> {
            add(new Object());
            Order.reach("added");
        });
        first.start();
        Order.await("added");
        add(new Object());
        first.join();
        System.out.println("ok");
    }
}
