/** Double-checked locking: right with a volatile field, but two steps for whoever counts them (Atomizer, section 5). */
final class DoubleChecked {
    static final class Volatile {
        private volatile Object instance; /*# write_guarded_by this */

        Object get() /*# atomic */ {
            Object seen = instance; // expect: not-atomic; path
            if (seen == null) {
                synchronized (this) { // path
                    seen = instance;
                    if (seen == null) {
                        seen = new Object();
                        instance = seen;
                    }
                }
            }
            return seen;
        }

        synchronized Object getLocked() /*# atomic */ {
            if (instance == null) { // silent
                instance = new Object();
            }
            return instance;
        }
    }

    static final class Plain {
        private Object instance; /*# write_guarded_by this */

        Object get() /*# atomic */ {
            if (instance == null) { // expect: not-atomic
                synchronized (this) {
                    if (instance == null) {
                        instance = new Object();
                    }
                }
            }
            return instance;
        }
    }

    static final class Unguarded {
        private volatile Object instance;

        Object get() /*# atomic */ {
            Object seen = instance; // expect: not-atomic
            if (seen == null) {
                synchronized (this) {
                    seen = instance;
                    if (seen == null) {
                        seen = new Object();
                        instance = seen;
                    }
                }
            }
            return seen;
        }
    }
}
