import net.jcip.annotations.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** tryLock: the lock is held where its result is known to be true. */
final class TryLock {
    private final ReentrantLock lock = new ReentrantLock();
    @GuardedBy("lock") private int value;

    void branches() {
        if (lock.tryLock()) {
            try {
                value++; // silent
            } finally {
                lock.unlock();
            }
        } else {
            value--; // expect: guard-not-held
        }
        value = 0; // expect: guard-not-held
    }

    boolean negated() {
        if (!lock.tryLock()) {
            value = 1; // expect: guard-not-held
            return false;
        }
        value = 2; // silent
        lock.unlock();
        return true;
    }

    void ignored() {
        lock.tryLock();
        value++; // expect: guard-not-held; it may have failed
    }

    void stored() {
        boolean acquired = lock.tryLock();
        value++; // expect: guard-not-held
        if (acquired) {
            value++; // silent
            lock.unlock();
        }
    }

    void storedAndNegated() {
        boolean acquired = lock.tryLock();
        if (!acquired) {
            return;
        }
        value++; // silent
        lock.unlock();
    }

    void compared() {
        if (lock.tryLock() == true) {
            value++; // silent
            lock.unlock();
        }
        if (lock.tryLock() == false) {
            return;
        }
        value++; // silent
        lock.unlock();
    }

    void timed() throws InterruptedException {
        if (lock.tryLock(1, TimeUnit.SECONDS)) {
            value++; // silent
            lock.unlock();
        } else {
            value++; // expect: guard-not-held
        }
    }

    void spinning() {
        while (!lock.tryLock()) {
            Thread.yield();
        }
        value++; // silent
        lock.unlock();
    }

    void and(boolean condition) {
        if (condition && lock.tryLock()) {
            value++; // silent
            lock.unlock();
        }
        if (lock.tryLock() && condition) {
            value++; // silent
            lock.unlock();
        } else {
            value--; // expect: guard-not-held
        }
    }

    void or(boolean condition) {
        if (condition || lock.tryLock()) {
            value++; // expect: guard-not-held
        }
    }

    int conditional() {
        int result = lock.tryLock() ? value : 0; // silent
        return result;
    }

    int conditionalNegated() {
        return lock.tryLock() ? 0 : value; // expect: guard-not-held
    }

    void replaced(ReentrantLock other) {
        boolean acquired = lock.tryLock();
        acquired = other.tryLock();
        if (acquired) {
            value++; // expect: guard-not-held; the result of the other lock
        }
    }

    void idiom() {
        boolean acquired = lock.tryLock();
        try {
            if (acquired) {
                value++; // silent
            }
        } finally {
            if (acquired) {
                lock.unlock();
            }
        }
        value++; // expect: guard-not-held
    }

    void asked() {
        if (lock.isHeldByCurrentThread()) {
            value++; // silent
        } else {
            value--; // expect: guard-not-held
        }
    }

    void askedForMonitor(TryLockMonitor monitor) {
        if (Thread.holdsLock(monitor)) {
            monitor.value++; // silent
        }
        if (!Thread.holdsLock(monitor)) {
            throw new IllegalStateException();
        }
        monitor.value--; // silent
    }

    static final class TryLockMonitor {
        @GuardedBy("this") int value;
    }
}
