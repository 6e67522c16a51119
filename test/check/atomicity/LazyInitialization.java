/** An object that is made when it is first asked for. */
final class LazyInitialization {
    static final class Racy {
        private Object instance;
        private int uses; /*# guarded_by this */

        Object get() /*# atomic */ {
            if (instance == null) { // expect: not-atomic; path
                instance = new Object(); // path
            }
            return instance;
        }

        Object getOnce() /*# atomic */ {
            Object seen = instance; // expect: not-atomic
            if (seen == null) {
                seen = new Object();
                instance = seen;
            }
            return seen;
        }

        Object peek() /*# atomic */ {
            return instance; // silent: one racy read is one step
        }

        synchronized void use() /*# atomic */ {
            uses++; // silent
        }
    }

    static final class Locked {
        private Object instance; /*# guarded_by this */

        synchronized Object get() /*# atomic */ {
            if (instance == null) { // silent
                instance = new Object();
            }
            return instance;
        }
    }

    static final class Holder {
        static final Object INSTANCE = new Object();

        static Object get() /*# atomic */ {
            return INSTANCE; // silent
        }
    }
}
