import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;
import quiet.Threads;

/** Wrong: after it has waited it gives the lock up and takes it again. */
public class ConditionThenSections {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Condition changed = LOCK.newCondition();
    private static int value;

    public static void doubleIt() {
        LOCK.lock();
        Order.reach("inside");
        while (value == 0) {
            changed.awaitUninterruptibly();
        }
        int found = value;
        LOCK.unlock();
        LOCK.lock(); //! atomicity predicted ConditionThenSections.doubleIt
        value = 2 * found; //! atomicity predicted ConditionThenSections.doubleIt
        LOCK.unlock();
    }

    public static void set(int to) {
        LOCK.lock();
        value = to;
        changed.signalAll();
        LOCK.unlock();
    }

    public static void main(String[] arguments) {
        Threads.together(ConditionThenSections::doubleIt, () -> {
            Order.await("inside");
            set(5);
        });
        System.out.println(value == 10 ? "ok" : "lost");
    }
}
