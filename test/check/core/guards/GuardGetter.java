import net.jcip.annotations.GuardedBy;

/** A method without parameters that returns a final field is another name of that field. */
final class GuardGetter {
    private final Object lock = new Object();
    @GuardedBy("getLock()") private int value;
    @GuardedBy("this.getLock()") private int second;
    @GuardedBy("lock") private int byField;
    private final Parts parts = new Parts();
    @GuardedBy("parts.mutex()") private int behindPath;

    static final class Parts {
        private final Object mutex = new Object();

        Object mutex() {
            return mutex;
        }
    }

    Object getLock() {
        return lock;
    }

    void right() {
        synchronized (getLock()) {
            value++; // silent
            second++; // silent
            byField++; // silent
        }
        synchronized (lock) {
            value++; // silent
            second++; // silent
        }
        synchronized (parts.mutex()) {
            behindPath++; // silent
        }
        synchronized (parts.mutex) {
            behindPath++; // silent
        }
    }

    void wrong() {
        value++; // expect: guard-not-held
        second++; // expect: guard-not-held
        behindPath++; // expect: guard-not-held
        synchronized (this) {
            value++; // expect: guard-not-held
        }
        synchronized (parts) {
            behindPath++; // expect: guard-not-held
        }
    }

    void ofOther(GuardGetter other) {
        synchronized (other.getLock()) {
            other.value++; // silent
            value++; // expect: guard-not-held
        }
        synchronized (getLock()) {
            other.value++; // expect: guard-not-held
            other.byField++; // expect: guard-not-held
        }
    }

    /** Subclasses disagree about what the method returns. */
    static class Base {
        final Object mutex = new Object();
        @GuardedBy("mutex") int shared;

        Object chosen() {
            return mutex;
        }

        void use() {
            synchronized (chosen()) {
                shared++; // expect: guard-not-held; Special chooses another lock
            }
            synchronized (mutex) {
                shared++; // silent
            }
        }
    }

    static final class Special extends Base {
        private final Object special = new Object();

        @Override
        Object chosen() {
            return special;
        }
    }
}
