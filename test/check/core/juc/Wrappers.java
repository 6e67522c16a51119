import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

import net.jcip.annotations.GuardedBy;

/** Methods of the program that take a lock and return with it, or give it back, do so for their callers. */
class Wrappers {
    private final ReentrantLock mu = new ReentrantLock();
    private final ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
    @GuardedBy("mu") private int value;
    @GuardedBy("rw") private int shared;

    private void begin() { mu.lock(); }

    private void end() { mu.unlock(); }

    private boolean tryBegin() { return mu.tryLock(); }

    private boolean isMine() { return mu.isHeldByCurrentThread(); }

    private void beginReading() { rw.readLock().lock(); }

    private void endReading() { rw.readLock().unlock(); }

    private static void take(Lock lock) { lock.lock(); }

    /* Not on every return. */
    private void sometimes(boolean really) {
        if (really) {
            mu.lock();
        }
    }

    private void thereAndBack() {
        mu.lock();
        value++; // silent
        mu.unlock();
    }

    void right() {
        begin();
        try {
            value++; // silent
        } finally {
            end();
        }
        value++; // expect: guard-not-held
    }

    void tried() {
        if (tryBegin()) {
            value++; // silent
            end();
        } else {
            value--; // expect: guard-not-held
        }
    }

    void asked() {
        if (isMine()) {
            value++; // silent
        }
        value--; // expect: guard-not-held
    }

    int reading() {
        beginReading();
        int read = shared; // silent
        shared = 1; // expect: guard-not-held
        endReading();
        return read + shared; // expect: guard-not-held
    }

    void passed() {
        take(mu);
        value++; // silent
        end();
    }

    void notAlways(boolean really) {
        sometimes(really);
        value++; // expect: guard-not-held
    }

    void notAnyMore() {
        thereAndBack();
        value++; // expect: guard-not-held
    }

    void givenAway() {
        mu.lock();
        end();
        value++; // expect: guard-not-held
    }
}
