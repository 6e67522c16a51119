import net.jcip.annotations.GuardedBy;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** lock and unlock on ReentrantLock and Lock, through fields, locals, parameters and getters. */
final class MutualExclusion {
    private final ReentrantLock mutex = new ReentrantLock(true);
    private final Lock plain = new ReentrantLock();
    private static final Lock SHARED = new ReentrantLock();
    @GuardedBy("mutex") private int value;
    @GuardedBy("plain") private int other;
    @GuardedBy("SHARED") private static int total;

    void right() {
        mutex.lock();
        try {
            value++; // silent
        } finally {
            mutex.unlock();
        }
        plain.lock();
        other++; // silent
        plain.unlock();
        SHARED.lock();
        total++; // silent
        SHARED.unlock();
    }

    void wrong() {
        value++; // expect: guard-not-held
        other++; // expect: guard-not-held
        total++; // expect: guard-not-held
    }

    void before() {
        value++; // expect: guard-not-held
        mutex.lock();
        value++; // silent
        mutex.unlock();
        value++; // expect: guard-not-held
    }

    void exchanged() {
        mutex.lock();
        other++; // expect: guard-not-held
        plain.lock();
        other++; // silent
        value++; // silent
        mutex.unlock();
        value++; // expect: guard-not-held
        other++; // silent
        plain.unlock();
    }

    void missingUnlock(boolean condition) {
        mutex.lock();
        value++; // silent
        if (condition) {
            return; // keeps the lock: bad, but no race
        }
        value--; // silent
        mutex.unlock();
    }

    void interruptibly() throws InterruptedException {
        mutex.lockInterruptibly();
        try {
            value++; // silent
        } finally {
            mutex.unlock();
        }
        value++; // expect: guard-not-held
    }

    void interrupted() {
        try {
            plain.lockInterruptibly();
            other++; // silent
            plain.unlock();
        } catch (InterruptedException e) {
            other--; // expect: guard-not-held; it was not acquired
        }
    }

    void local() {
        Lock lock = plain;
        lock.lock();
        other++; // silent
        lock.unlock();
        other++; // expect: guard-not-held
    }

    Lock getPlain() {
        return plain;
    }

    void getter() {
        getPlain().lock();
        other++; // silent
        getPlain().unlock();
        other++; // expect: guard-not-held
    }

    void ofOther(MutualExclusion one) {
        one.mutex.lock();
        one.value++; // silent
        value++; // expect: guard-not-held
        one.mutex.unlock();
    }

    void parameter(Lock lock) {
        lock.lock();
        other++; // expect: guard-not-held; nobody says that it is ours
        lock.unlock();
    }

    @GuardedBy("mutex")
    private void locked() {
        value++; // silent
    }

    void callsLocked() {
        locked(); // expect: requires-not-held
        mutex.lock();
        try {
            locked(); // silent
        } finally {
            mutex.unlock();
        }
    }
}
