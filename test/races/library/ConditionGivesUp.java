import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import quiet.Order;

/**
 * Right: while one thread waits on the condition it does not hold the lock, however often it had
 * taken it, and the other thread may change what the lock guards.
 */
public class ConditionGivesUp {
    static class Box {
        final ReentrantLock lock = new ReentrantLock();
        final Condition filled = lock.newCondition();
        Object content;
        int reads;
    }

    public static void main(String[] arguments) throws Exception {
        Box box = new Box();
        Thread taker = new Thread(() -> {
            box.lock.lock();
            box.lock.lock();
            Order.reach("taker holds the lock");
            while (box.content == null) {
                box.filled.awaitUninterruptibly();
            }
            box.lock.unlock();
            box.reads++;
            box.content = null;
            box.lock.unlock();
        });
        Thread filler = new Thread(() -> {
            Order.await("taker holds the lock");
            box.lock.lock();
            box.reads++;
            box.content = "full";
            box.filled.signal();
            box.lock.unlock();
        });
        taker.start();
        filler.start();
        taker.join();
        filler.join();
        if (box.reads != 2) {
            throw new AssertionError(box.reads);
        }
        System.out.println("ok");
    }
}
