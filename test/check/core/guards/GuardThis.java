import net.jcip.annotations.GuardedBy;

/** `this`: methods and blocks that hold it, and the lock of another object of the class. */
final class GuardThis {
    @GuardedBy("this") private int count;
    @GuardedBy("GuardThis.this") private long total; // in its own class this is `this`
    @GuardedBy("this") private String name;

    synchronized int get() {
        return count; // silent
    }

    int getWithout() {
        return count; // expect: guard-not-held
    }

    int getInBlock() {
        synchronized (this) {
            return count; // silent
        }
    }

    void set(int value) {
        count = value; // expect: guard-not-held
        synchronized (this) {
            count = value; // silent
        }
        count = value; // expect: guard-not-held
    }

    synchronized void addTotal(long more) {
        total += more; // silent
        name = "total"; // silent
    }

    void addTotalWithout(long more) {
        total += more; // expect: guard-not-held
        name = "total"; // expect: guard-not-held
    }

    void both(long more) {
        total = count; // expect: guard-not-held, guard-not-held
        synchronized (this) {
            total = count + more; // silent
        }
    }

    synchronized boolean sameAs(GuardThis other) {
        boolean mine = count > 0; // silent
        boolean theirs = other.count > 0; // expect: guard-not-held; ours is held, theirs is needed
        return mine == theirs;
    }

    synchronized void copyFrom(GuardThis other) {
        synchronized (other) {
            count = other.count; // silent: both are held
        }
        name = other.name; // expect: guard-not-held
    }

    void wrongLock(Object other) {
        synchronized (other) {
            count++; // expect: guard-not-held
        }
    }

    void ofParameter(GuardThis one) {
        synchronized (one) {
            one.count++; // silent
            count++; // expect: guard-not-held
        }
    }

    void classIsNotObject() {
        synchronized (GuardThis.class) {
            count++; // expect: guard-not-held
        }
    }

    static synchronized void staticMethod(GuardThis one) {
        one.count++; // expect: guard-not-held; a static synchronized method holds the class
    }
}
