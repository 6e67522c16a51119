import java.util.concurrent.locks.ReentrantLock;
import quiet.Threads;

/** Right: who only tries to get the second lock does not wait for it. */
public class DeadlockTryLock {
    private static final ReentrantLock LEFT = new ReentrantLock();
    private static final ReentrantLock RIGHT = new ReentrantLock();

    static void up() {
        LEFT.lock();
        if (RIGHT.tryLock()) {
            RIGHT.unlock();
        }
        LEFT.unlock();
    }

    static void down() {
        RIGHT.lock();
        LEFT.lock();
        LEFT.unlock();
        RIGHT.unlock();
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DeadlockTryLock::up, DeadlockTryLock::down);
        System.out.println("ok");
    }
}
