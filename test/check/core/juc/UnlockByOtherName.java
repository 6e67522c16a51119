import java.util.concurrent.locks.ReentrantLock;

/** An unlock of what was not taken under that name may be an unlock of anything; and a monitor is not the lock. */
class UnlockByOtherName {
    private final ReentrantLock mu = new ReentrantLock();
    private final Object either = new ReentrantLock();
    private int value /*# guarded_by mu */;
    private int other /*# guarded_by either */;

    void sameObject(UnlockByOtherName that) {
        mu.lock();
        value = 1; // silent
        that.mu.unlock();
        value = 2; // expect: guard-not-held
    }

    void required(UnlockByOtherName that) /*# requires mu */ {
        value = 1; // silent
        that.mu.unlock();
        value = 2; // expect: guard-not-held
    }

    void monitorAfterUnlock() /*# requires mu */ {
        mu.unlock();
        synchronized (mu) {
            value = 1; // expect: guard-not-held
        }
        mu.lock();
        value = 2; // silent
    }

    void unlockInMonitor() {
        mu.lock();
        synchronized (mu) {
            value = 1; // silent
            mu.unlock();
            value = 2; // expect: guard-not-held
        }
    }

    void monitorOfObject() {
        synchronized (either) {
            other = 1; // silent
        }
    }

    void lockOfObject() {
        ((ReentrantLock) either).lock();
        other = 2; // expect: guard-not-held
        ((ReentrantLock) either).unlock();
    }
}
