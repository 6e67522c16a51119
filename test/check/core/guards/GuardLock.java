import net.jcip.annotations.GuardedBy;

/** A final field that is the lock, with and without `this.` before it. */
final class GuardLock {
    private final Object lock = new Object();
    private final Object otherLock = new Object();
    @GuardedBy("lock") private int first;
    @GuardedBy("this.lock") private int second;
    @GuardedBy("GuardLock.this.lock") private int third;
    @GuardedBy("otherLock") private int fourth;

    void right() {
        synchronized (lock) {
            first = 1; // silent
            second = 2; // silent
            third = 3; // silent
        }
        synchronized (this.otherLock) {
            fourth = 4; // silent
        }
    }

    void none() {
        first = 1; // expect: guard-not-held
        second = 2; // expect: guard-not-held
        third = 3; // expect: guard-not-held
        fourth = 4; // expect: guard-not-held
    }

    synchronized void objectInsteadOfLock() {
        first = 1; // expect: guard-not-held; `this` is held, `this.lock` is needed
        second++; // expect: guard-not-held
    }

    void exchanged() {
        synchronized (otherLock) {
            first++; // expect: guard-not-held
            fourth++; // silent
        }
        synchronized (lock) {
            fourth++; // expect: guard-not-held
            first++; // silent
        }
    }

    int nested() {
        synchronized (lock) {
            synchronized (otherLock) {
                first = fourth; // silent
            }
            return first; // silent
        }
    }

    int sumWith(GuardLock other) {
        synchronized (lock) {
            synchronized (other.lock) {
                return first + other.first + other.second; // silent
            }
        }
    }

    int sumWithHalf(GuardLock other) {
        synchronized (lock) {
            return first + other.first; // expect: guard-not-held; other.lock is needed
        }
    }

    void theirsForOurs(GuardLock other) {
        synchronized (other.lock) {
            third = 1; // expect: guard-not-held
            other.third = 1; // silent
        }
    }
}
