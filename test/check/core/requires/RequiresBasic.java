import net.jcip.annotations.GuardedBy;

/** Calls with and without what a method requires; a clause on a method is a promise to its body. */
final class RequiresBasic {
    private final Object lock = new Object();
    @GuardedBy("this") private int count;
    @GuardedBy("lock") private int size;

    @GuardedBy("this")
    void increment() {
        count++; // silent
        size++; // expect: guard-not-held
    }

    @GuardedBy("lock")
    private int sizeLocked() {
        return size; // silent
    }

    void without() {
        increment(); // expect: requires-not-held
        this.increment(); // expect: requires-not-held
        int size = sizeLocked(); // expect: requires-not-held
    }

    synchronized void right() {
        increment(); // silent
        synchronized (lock) {
            int size = sizeLocked(); // silent
            increment(); // silent
        }
        int late = sizeLocked(); // expect: requires-not-held
    }

    synchronized void ofOther(RequiresBasic other) {
        other.increment(); // expect: requires-not-held; `this` is held, `other` is needed
        synchronized (other) {
            other.increment(); // silent
        }
        synchronized (other.lock) {
            other.sizeLocked(); // silent
            sizeLocked(); // expect: requires-not-held
        }
    }

    @GuardedBy("this")
    void passedOn(RequiresBasic other) {
        increment(); // silent: our caller holds it
        other.increment(); // expect: requires-not-held
        int size = sizeLocked(); // expect: requires-not-held
    }

    private void helper() {
        count++; // expect: guard-not-held; what its callers happen to hold is no promise
    }

    synchronized void callsHelper() {
        helper(); // silent
    }
}
