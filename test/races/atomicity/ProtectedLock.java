import java.util.concurrent.locks.ReentrantLock;
import quiet.Threads;

/** Right: nobody takes the inner lock without the outer one. Without protected locks its uses are steps. */
public class ProtectedLock {
    private static final Object OUTER = new Object();
    private static final ReentrantLock INNER = new ReentrantLock();
    private static int value;

    public static void twice() {
        synchronized (OUTER) {
            INNER.lock();
            value++;
            INNER.unlock();
            INNER.lock(); //! with --without protected-locks: atomicity predicted ProtectedLock.twice
            value++;
            INNER.unlock();
        }
    }

    public static int get() {
        synchronized (OUTER) {
            INNER.lock();
            try {
                return value;
            } finally {
                INNER.unlock();
            }
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(ProtectedLock::twice, ProtectedLock::get, ProtectedLock::twice);
        System.out.println(get() == 4 ? "ok" : "lost");
    }
}
