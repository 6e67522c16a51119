import quiet.Order;
import quiet.Threads;

/** Wrong: in this run the write that holds no lock comes between the two accesses, and is lost. */
public class TwiceObserved {
    private static final Object LOCK = new Object();
    private static int x = 1;

    public static void twice() {
        synchronized (LOCK) {
            int before = x;
            Order.reach("read");
            Order.await("written");
            x = 2 * before; //! race observed TwiceObserved.x //! atomicity observed TwiceObserved.twice
        }
    }

    public static void main(String[] arguments) {
        Threads.together(TwiceObserved::twice, () -> {
            Order.await("read");
            x = 5; //! race observed TwiceObserved.x
            Order.reach("written");
        });
        System.out.println(x == 2 ? "ok" : "not lost");
    }
}
