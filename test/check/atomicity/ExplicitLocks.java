import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Locks that are taken and given up by calls, in whatever order. */
final class ExplicitLocks {
    private final ReentrantLock first = new ReentrantLock();
    private final ReentrantLock second = new ReentrantLock();
    private final ReentrantReadWriteLock shared = new ReentrantReadWriteLock();
    private int one; /*# guarded_by first */
    private int two; /*# guarded_by second */
    private int many; /*# guarded_by shared */

    void increment() /*# atomic */ {
        first.lock(); // silent
        try {
            one++;
        } finally {
            first.unlock();
        }
    }

    void twice() /*# atomic */ {
        increment(); // expect: not-atomic; path
        increment(); // path
    }

    void twiceLocked() /*# atomic */ {
        first.lock(); // silent
        try {
            increment();
            increment();
        } finally {
            first.unlock();
        }
    }

    void interruptible() throws InterruptedException /*# atomic */ {
        first.lockInterruptibly(); // silent
        try {
            one++;
        } finally {
            first.unlock();
        }
    }

    void again() /*# atomic */ {
        first.lock(); // expect: not-atomic
        one++;
        first.unlock(); // path
        first.lock(); // path
        one++;
        first.unlock();
    }

    void handOver() /*# atomic */ {
        first.lock(); // silent: all locks are taken before one is given up
        one++;
        second.lock();
        first.unlock();
        two++;
        second.unlock();
    }

    void tooLate() /*# atomic */ {
        first.lock(); // expect: not-atomic
        one++;
        first.unlock(); // path
        second.lock(); // path
        two++;
        second.unlock();
    }

    void crossed() /*# atomic */ {
        first.lock(); // silent
        second.lock();
        one++;
        two++;
        first.unlock();
        two++;
        second.unlock();
    }

    int branches(boolean which) /*# atomic */ {
        first.lock(); // silent
        if (which) {
            int seen = one;
            first.unlock();
            return seen;
        }
        one++;
        first.unlock();
        return 0;
    }

    boolean tried() /*# atomic */ {
        if (!first.tryLock()) { // silent
            return false;
        }
        try {
            one++;
            return true;
        } finally {
            first.unlock();
        }
    }

    void triedTwice() /*# atomic */ {
        if (first.tryLock()) { // expect: not-atomic
            one++;
            first.unlock();
        }
        if (second.tryLock()) {
            two++;
            second.unlock();
        }
    }

    int read() /*# atomic */ {
        shared.readLock().lock(); // silent
        try {
            return many;
        } finally {
            shared.readLock().unlock();
        }
    }

    void upgrade() /*# atomic */ {
        shared.readLock().lock(); // expect: not-atomic
        int seen = many;
        shared.readLock().unlock();
        shared.writeLock().lock();
        many = seen + 1;
        shared.writeLock().unlock();
    }

    void write() /*# atomic */ {
        shared.writeLock().lock(); // silent
        many++;
        shared.writeLock().unlock();
    }
}
