import quiet.Order;

/** Wrong: virtual threads are threads. */
public class VirtualLockTwice {
    //! needs: 21
    private static final Object LOCK = new Object();
    private static int value;

    public static void increment() {
        int before;
        synchronized (LOCK) {
            before = value;
        }
        synchronized (LOCK) { //! atomicity predicted VirtualLockTwice.increment
            value = before + 1; //! atomicity predicted VirtualLockTwice.increment
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = Thread.startVirtualThread(() -> {
            increment();
            Order.reach("done");
        });
        Thread second = Thread.startVirtualThread(() -> {
            Order.await("done");
            increment();
        });
        first.join();
        second.join();
        System.out.println(value == 2 ? "ok" : "lost");
    }
}
