import java.util.concurrent.locks.ReentrantLock;
import quiet.Threads;

/** Wrong: the first lock is taken without waiting, but then it is held while the second is waited for. */
public class DeadlockTryLockFirst {
    private static final ReentrantLock LEFT = new ReentrantLock();
    private static final ReentrantLock RIGHT = new ReentrantLock();

    static void up() {
        if (LEFT.tryLock()) {
            RIGHT.lock(); //! deadlock 2
            RIGHT.unlock();
            LEFT.unlock();
        }
    }

    static void down() {
        RIGHT.lock();
        LEFT.lock(); //! deadlock 2
        LEFT.unlock();
        RIGHT.unlock();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DeadlockTryLockFirst::up, DeadlockTryLockFirst::down);
        System.out.println("ok");
    }
}
