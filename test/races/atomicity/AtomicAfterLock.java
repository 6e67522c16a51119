import java.util.concurrent.atomic.AtomicInteger;
import quiet.Threads;

/** Wrong: when the version changes, the lock that goes with the value is given up already. */
public class AtomicAfterLock {
    private static final Object LOCK = new Object();
    private static final AtomicInteger version = new AtomicInteger();
    private static int value;

    public static void set(int to) {
        synchronized (LOCK) {
            value = to;
        }
        version.incrementAndGet(); //! atomicity predicted AtomicAfterLock.set
    }

    public static void main(String[] arguments) {
        Threads.inTurn(() -> set(1), () -> set(2));
        System.out.println(version.get() == 2 ? "ok" : "lost");
    }
}
