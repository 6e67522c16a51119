import java.util.concurrent.locks.ReentrantLock;
import quiet.Threads;

/** Wrong: locks of java.util.concurrent in both orders. */
public class DeadlockReentrantLock {
    private static final ReentrantLock LEFT = new ReentrantLock();
    private static final ReentrantLock RIGHT = new ReentrantLock();

    static void up() {
        LEFT.lock();
        RIGHT.lock(); //! deadlock 2
        RIGHT.unlock();
        LEFT.unlock();
    }

    static void down() {
        RIGHT.lock();
        LEFT.lock(); //! deadlock 2
        LEFT.unlock();
        RIGHT.unlock();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DeadlockReentrantLock::up, DeadlockReentrantLock::down);
        System.out.println("ok");
    }
}
