import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import quiet.Threads;

/** Right: locks that are not nested, but all are taken before the first is given up. */
public class TwoPhase {
    private static final Lock first = new ReentrantLock();
    private static final Lock second = new ReentrantLock();
    private static int left;
    private static int right;

    public static void move() {
        first.lock();
        second.lock();
        left--;
        first.unlock();
        right++;
        second.unlock();
    }

    public static int right() {
        second.lock();
        try {
            return right;
        } finally {
            second.unlock();
        }
    }

    public static void main(String[] arguments) {
        Threads.together(TwoPhase::move, TwoPhase::move, TwoPhase::right);
        System.out.println(right() == 2 ? "ok" : "lost");
    }
}
