import java.util.concurrent.locks.ReentrantLock;
import quiet.Threads;

/** Wrong: a lock of java.util.concurrent that is given up between the read and the write. */
public class LockTwice {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static int value;

    public static void increment() {
        LOCK.lock();
        int before = value;
        LOCK.unlock();
        LOCK.lock(); //! atomicity predicted LockTwice.increment
        value = before + 1; //! atomicity predicted LockTwice.increment
        LOCK.unlock();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(LockTwice::increment, LockTwice::increment);
        System.out.println(value == 2 ? "ok" : "lost");
    }
}
