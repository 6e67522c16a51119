import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Methods that take a lock for their caller, or give it up; conditions; locks that are handed over. */
final class LockingHelpers {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int count; /*# guarded_by lock */

    private void begin() /*# atomic */ {
        lock.lock(); // silent
    }

    private void end() /*# atomic */ {
        lock.unlock(); // silent
    }

    void increment() /*# atomic */ {
        begin(); // silent: taken first, given up last
        count++;
        end();
    }

    void twice() /*# atomic */ {
        begin(); // expect: not-atomic
        count++;
        end(); // path
        begin(); // path
        count++;
        end();
    }

    void twiceLocked() /*# atomic */ {
        begin(); // silent
        increment();
        increment();
        end();
    }

    void await(int wanted) throws InterruptedException /*# atomic */ {
        lock.lock(); // expect: not-atomic
        try {
            while (count < wanted) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** With the lock held before, it is really given up. */
    void gap() /*# requires lock */ /*# atomicity lock ? atomic */ {
        count++; // expect: not-atomic
        lock.unlock(); // path
        lock.lock(); // path
        count++;
    }

    void gapByHelpers() /*# requires lock */ /*# atomicity lock ? atomic */ {
        count++; // expect: not-atomic
        end(); // path
        begin(); // path
        count++;
    }

    void lockedGap() /*# atomic */ {
        lock.lock(); // expect: not-atomic
        gap();
        lock.unlock();
    }

    static int under(Object monitor, int value) /*# atomic */ {
        synchronized (monitor) { // silent
            return value + 1;
        }
    }

    static int underTwo(Object monitor, int value) /*# atomic */ {
        return under(monitor, under(monitor, value)); // expect: not-atomic
    }

    static int underOne(Object monitor, int value) /*# atomic */ {
        synchronized (monitor) { // silent
            return under(monitor, under(monitor, value));
        }
    }
}
