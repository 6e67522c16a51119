import java.util.concurrent.locks.ReentrantLock;
import quiet.Threads;

/** Right: a ReentrantLock that is locked again while it is held. */
public class ReentrantLockNested {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static int value;

    static int get() {
        LOCK.lock();
        try {
            return value;
        } finally {
            LOCK.unlock();
        }
    }

    static void set(int to) {
        LOCK.lock(); //! with --without reentrant-locks: atomicity predicted ReentrantLockNested.increment
        try {
            value = to;
        } finally {
            LOCK.unlock();
        }
    }

    public static void increment() {
        LOCK.lock();
        try {
            set(get() + 1);
        } finally {
            LOCK.unlock();
        }
    }

    public static void main(String[] arguments) {
        Threads.inTurn(ReentrantLockNested::increment, ReentrantLockNested::increment);
        System.out.println(get() == 2 ? "ok" : "lost");
    }
}
