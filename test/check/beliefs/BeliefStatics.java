import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Static fields: the class, and static locks. */
class BeliefStatics {
    static class ByClass {
        private static int made;

        static synchronized void add() {
            made++;
        }

        static synchronized void remove() {
            made--;
        }

        static void viaBlock() {
            synchronized (ByClass.class) {
                made = 0;
            }
        }

        static int get() {
            return made; // expect: guard-not-held
        }

        void bump() {
            made++; // expect: guard-not-held
        }
    }

    /** The object's lock does not guard what belongs to the class. */
    static class ByThis {
        private static int shared;

        synchronized void add() {
            shared++; // silent: no lock that could be said in terms of the class
        }

        synchronized void remove() {
            shared--; // silent
        }

        synchronized int get() {
            return shared; // silent
        }
    }

    static class ByLock {
        private static final Object LOCK = new Object();
        private static String name = "first";
        private static int changes = 1;

        static {
            name = "second"; // silent: nobody else is here
            changes = 2; // silent
        }

        static void rename(String to) {
            synchronized (LOCK) {
                name = to;
                changes++;
            }
        }

        static String name() {
            synchronized (LOCK) {
                return name + changes;
            }
        }

        static void clear() {
            synchronized (LOCK) {
                name = "";
                changes = 0;
            }
        }

        static void undo() {
            synchronized (ByLock.class) {
                name = "undone"; // expect: guard-not-held; the wrong lock
                changes = 1; // expect: guard-not-held
            }
        }
    }

    static class ByLibraryLock {
        private static final Lock LOCK = new ReentrantLock();
        private static long total;

        static void add(long by) {
            LOCK.lock();
            try {
                total += by;
            } finally {
                LOCK.unlock();
            }
        }

        static long take() {
            LOCK.lock();
            try {
                long all = total;
                total = 0;
                return all;
            } finally {
                LOCK.unlock();
            }
        }

        static long peek() {
            return total; // expect: guard-not-held
        }

        static void spoil() {
            LOCK.lock();
            LOCK.unlock();
            total = -1; // expect: guard-not-held
        }
    }

    /** A static lock for fields of objects. */
    static class OfObjects {
        private static final Object LOCK = new Object();
        private int rank;
        private OfObjects next;

        void link(OfObjects to) {
            synchronized (LOCK) {
                next = to;
                rank = to.rank + 1;
            }
        }

        void unlink() {
            synchronized (LOCK) {
                next = null;
                rank = 0;
            }
        }

        int rank() {
            return rank; // expect: guard-not-held
        }

        OfObjects next() {
            synchronized (this) {
                return next; // expect: guard-not-held
            }
        }
    }
}
