import java.util.concurrent.locks.ReentrantLock;
import quiet.Threads;

/**
 * Wrong: a block keeps a lock, but another that it calls gives it up for a moment. That happens too often for all of it to
 * be looked at, and once in a while is enough.
 */
public class ManyExecutionsGivenUp {
    private static final int TIMES = 2_000;
    private final ReentrantLock lock = new ReentrantLock();
    private int value;

    public void pause() {
        lock.unlock();
        //! atomicity predicted ManyExecutionsGivenUp.pause //! atomicity predicted ManyExecutionsGivenUp.add
        lock.lock();
    }

    public void add() {
        lock.lock();
        int before = value;
        for (int i = 0; i < TIMES; i++) {
            pause();
        }
        value = before + 1; //! atomicity predicted ManyExecutionsGivenUp.add
        lock.unlock();
    }

    public static void main(String[] arguments) {
        ManyExecutionsGivenUp shared = new ManyExecutionsGivenUp();
        Runnable work = () -> {
            for (int i = 0; i < 5; i++) {
                shared.add();
            }
        };
        Threads.inTurn(work, work);
        System.out.println(shared.value == 10 ? "ok" : "wrong");
    }
}
