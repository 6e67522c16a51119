import java.util.concurrent.atomic.AtomicInteger;
import quiet.Threads;

/** Right: the lock, one step that does not move, and the end of the lock. */
public class AtomicInsideLock {
    private static final Object LOCK = new Object();
    private static final AtomicInteger version = new AtomicInteger();
    private static int value;

    public static void set(int to) {
        synchronized (LOCK) {
            value = to;
            version.incrementAndGet();
        }
    }

    public static int version() {
        return version.get();
    }

    public static void main(String[] arguments) {
        Threads.together(() -> set(1), () -> set(2), AtomicInsideLock::version);
        System.out.println(version() == 2 ? "ok" : "lost");
    }
}
