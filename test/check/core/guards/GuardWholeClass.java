import turnstile.annotation.GuardedBy;
import turnstile.annotation.WriteGuardedBy;

/** A guard of the class is that of all its fields that have none of their own and can change. */
final class GuardWholeClass {
    @GuardedBy("this")
    static class Annotated {
        private final Object lock = new Object();
        private int first;
        private String second;
        @GuardedBy("lock") private int other;

        synchronized void right() {
            first++; // silent
            second = ""; // silent
            synchronized (lock) { // silent: final
                other++; // silent
            }
            other++; // expect: guard-not-held
        }

        void wrong() {
            first++; // expect: guard-not-held
            second = ""; // expect: guard-not-held
        }
    }

    static class Commented /*# guarded_by mutex */ {
        private final Object mutex = new Object();
        private int value;

        void use() {
            synchronized (mutex) { // silent
                value++; // silent
            }
            value++; // expect: guard-not-held
        }
    }

    @WriteGuardedBy("this")
    static class Written {
        private volatile int value;

        int read() {
            return value; // silent
        }

        void write() {
            value = 1; // expect: guard-not-held
            synchronized (this) {
                value = 2; // silent
            }
        }
    }
}
