import quiet.Order;
import quiet.Threads;

/** Wrong: in this run the reader sees two different values. */
public class ReadsUnlockedObserved {
    private static final Object LOCK = new Object();
    private static int x;

    public static void increment() {
        synchronized (LOCK) {
            x++; //! race observed ReadsUnlockedObserved.x
        }
    }

    public static boolean isStable() {
        int before = x;
        Order.reach("read");
        Order.await("written");
        //! atomicity observed ReadsUnlockedObserved.isStable
        return before == x; //! race observed ReadsUnlockedObserved.x
    }

    public static void main(String[] arguments) {
        Threads.together(() -> System.out.println(isStable() ? "stable" : "ok"), () -> {
            Order.await("read");
            increment();
            Order.reach("written");
        });
    }
}
