import java.util.concurrent.locks.ReentrantLock;
import quiet.Threads;

/** Wrong: one of the locks is a monitor, the other a ReentrantLock that is taken interruptibly. */
public class DeadlockMixed {
    private static final Object LEFT = new Object();
    private static final ReentrantLock RIGHT = new ReentrantLock();

    static void up() {
        synchronized (LEFT) {
            RIGHT.lock(); //! deadlock 2 of DeadlockMixed.LEFT, DeadlockMixed.RIGHT
            RIGHT.unlock();
        }
    }

    static void down() {
        try {
            RIGHT.lockInterruptibly();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        synchronized (LEFT) { //! deadlock 2 of DeadlockMixed.LEFT, DeadlockMixed.RIGHT
        }
        RIGHT.unlock();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DeadlockMixed::up, DeadlockMixed::down);
        System.out.println("ok");
    }
}
