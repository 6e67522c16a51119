import java.util.concurrent.locks.ReentrantLock;
import quiet.Threads;

/** Wrong with all refinements: one use of the inner lock is not under the outer one. */
public class ProtectedButOnce {
    private static final Object OUTER = new Object();
    private static final ReentrantLock INNER = new ReentrantLock();
    private static int value;

    public static void twice() {
        synchronized (OUTER) {
            INNER.lock();
            value++;
            INNER.unlock();
            INNER.lock(); //! atomicity predicted ProtectedButOnce.twice
            value++; //! atomicity predicted ProtectedButOnce.twice
            INNER.unlock();
        }
    }

    public static void add() {
        INNER.lock();
        value++;
        INNER.unlock();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(ProtectedButOnce::twice, ProtectedButOnce::twice, ProtectedButOnce::add);
        System.out.println(value == 5 ? "ok" : "lost");
    }
}
