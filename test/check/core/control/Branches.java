import net.jcip.annotations.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;

/** if and else, early returns, conditional expressions: a lock counts where all paths hold it. */
final class Branches {
    private final ReentrantLock lock = new ReentrantLock();
    @GuardedBy("lock") private int value;

    void oneBranch(boolean condition) {
        if (condition) {
            lock.lock();
        }
        value++; // expect: guard-not-held; held on one path only
        if (condition) {
            value++; // expect: guard-not-held; conditions are not compared
            lock.unlock();
        }
    }

    void bothBranches(boolean condition) {
        if (condition) {
            lock.lock();
            value = 1; // silent
        } else {
            lock.lock();
            value = 2; // silent
        }
        value++; // silent: whichever way it came
        lock.unlock();
        value++; // expect: guard-not-held
    }

    int earlyReturn(int limit) {
        lock.lock();
        if (value > limit) { // silent
            int result = value; // silent
            lock.unlock();
            return result;
        }
        value++; // silent: who unlocked has returned
        lock.unlock();
        return value; // expect: guard-not-held
    }

    int unlockedInBranch(boolean condition) {
        lock.lock();
        if (condition) {
            lock.unlock();
            value = 3; // expect: guard-not-held
        }
        return value; // expect: guard-not-held
    }

    int conditional(boolean condition) {
        synchronized (this) {
            int wrong = condition ? value : 0; // expect: guard-not-held
        }
        lock.lock();
        int right = condition ? value : -value; // silent
        lock.unlock();
        return condition && right > 0 ? right : value; // expect: guard-not-held
    }

    void shortCircuit(boolean condition) {
        if (condition && value > 0) { // expect: guard-not-held
            lock.lock();
        } else {
            lock.lock();
        }
        if (condition || value > 0) { // silent
            value--; // silent
        }
        lock.unlock();
    }

    int elseIf(int kind) {
        int result = 0;
        if (kind == 0) {
            lock.lock();
            result = value; // silent
            lock.unlock();
        } else if (kind == 1) {
            result = value; // expect: guard-not-held
        } else if (kind == 2) {
            synchronized (lock) {
                result = kind;
            }
        } else {
            lock.lock();
            try {
                result = value; // silent
            } finally {
                lock.unlock();
            }
        }
        return result;
    }

    void thrown(boolean condition) {
        lock.lock();
        if (condition) {
            lock.unlock();
            throw new IllegalStateException();
        }
        value++; // silent
        lock.unlock();
    }
}
