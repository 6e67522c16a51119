import java.util.concurrent.locks.ReentrantLock;
import quiet.Threads;

/** Wrong: what tryLock() takes is a lock like any other. */
public class TryLockTwice {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static int value;

    public static boolean increment() {
        if (!LOCK.tryLock()) {
            return false;
        }
        int before = value;
        LOCK.unlock();
        if (!LOCK.tryLock()) { //! atomicity predicted TryLockTwice.increment
            return false;
        }
        value = before + 1; //! atomicity predicted TryLockTwice.increment
        LOCK.unlock();
        return true;
    }

    public static void main(String[] arguments) {
        Threads.inTurn(TryLockTwice::increment, TryLockTwice::increment);
        System.out.println(value == 2 ? "ok" : "lost");
    }
}
