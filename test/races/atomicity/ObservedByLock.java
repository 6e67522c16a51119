import quiet.Order;
import quiet.Threads;

/** Wrong: nobody knows what the lock stands for, but in this run another thread had it between the two steps. */
public class ObservedByLock {
    private static final Object LOCK = new Object();

    public static void twice() {
        synchronized (LOCK) {
        }
        Order.reach("once");
        Order.await("taken");
        synchronized (LOCK) { //! atomicity observed ObservedByLock.twice
        }
    }

    public static void main(String[] arguments) {
        Threads.together(ObservedByLock::twice, () -> {
            Order.await("once");
            synchronized (LOCK) {
                Order.reach("taken");
            }
        });
        System.out.println("ok");
    }
}
