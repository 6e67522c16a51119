import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;
import quiet.Threads;

/** Right: waiting for a Condition splits a block as waiting for a monitor does. */
public class ConditionSplits {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Condition changed = LOCK.newCondition();
    private static int value;

    public static int change() {
        LOCK.lock();
        try {
            int before = value;
            Order.reach("inside");
            while (value == before) {
                changed.awaitUninterruptibly();
            }
            value++;
            return value - before;
        } finally {
            LOCK.unlock();
        }
    }

    public static void add(int amount) {
        LOCK.lock();
        value += amount;
        changed.signalAll();
        LOCK.unlock();
    }

    public static void main(String[] arguments) {
        Threads.together(() -> System.out.println(change() == 6 ? "ok" : "not changed"), () -> {
            Order.await("inside");
            add(5);
        });
    }
}
