import net.jcip.annotations.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** A condition gives its lock back while it waits, and has it again afterwards. */
final class Conditions {
    private final Lock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Condition notFull = lock.newCondition();
    @GuardedBy("lock") private final Object[] items = new Object[16];
    @GuardedBy("lock") private int head;
    @GuardedBy("lock") private int count;

    void put(Object item) throws InterruptedException {
        lock.lock();
        try {
            while (count == items.length) { // silent
                notFull.await(); // silent
            }
            items[(head + count++) % items.length] = item; // silent
            notEmpty.signal(); // silent
        } finally {
            lock.unlock();
        }
    }

    Object take() throws InterruptedException {
        lock.lock();
        try {
            while (count == 0) { // silent
                notEmpty.await(1, TimeUnit.SECONDS); // silent
            }
            Object item = items[head]; // silent
            head = (head + 1) % items.length; // silent
            count--; // silent
            notFull.signalAll(); // silent
            return item;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        return count; // expect: guard-not-held
    }

    void clear() {
        lock.lock();
        count = 0; // silent
        lock.unlock();
        head = 0; // expect: guard-not-held
        items[0] = null; // expect: guard-not-held
    }

    void uninterrupted() {
        lock.lock();
        notEmpty.awaitUninterruptibly(); // silent
        count--; // silent
        lock.unlock();
        count--; // expect: guard-not-held
    }
}
