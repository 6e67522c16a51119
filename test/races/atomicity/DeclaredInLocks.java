import quiet.Threads;

/**
 * All methods are wrong. A file of lock types says which should be atomic: by their parameters, for every lock that may
 * be held, and by all that have a name. What the heuristics would say does not matter.
 */
public class DeclaredInLocks {
    //! options: --atomic annotated --locks FOLDER/DeclaredInLocks.locks
    private static final Object LOCK = new Object();
    private static int value;

    private static void add(int amount) {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) { //! atomicity predicted DeclaredInLocks.add
            value++; //! atomicity predicted DeclaredInLocks.add
        }
    }

    private static void add(String amount) {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    private static void add(int[] amounts) {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    public static synchronized void unmentioned() {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    /** Several steps, unless its caller has the lock: nobody says that it is atomic in this run. */
    public static void sometimes(Object lock) {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    /** Whoever calls it must hold the lock; then it is said to be a mover. */
    private static void whenCalled(Object lock) {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) { //! atomicity predicted DeclaredInLocks.whenCalled
            value++; //! atomicity predicted DeclaredInLocks.whenCalled
        }
    }

    /** The lock is required, so that the other part does not count. */
    private static void required(Object lock) {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) { //! atomicity predicted DeclaredInLocks.required
            value++; //! atomicity predicted DeclaredInLocks.required
        }
    }

    private static void all() {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) { //! atomicity predicted DeclaredInLocks.all
            value++; //! atomicity predicted DeclaredInLocks.all
        }
    }

    private static void all(long but) {
        synchronized (LOCK) {
            value++;
        }
        synchronized (LOCK) {
            value++;
        }
    }

    /** A class of the file is named by its last name. */
    static class Inner<T extends Comparable<T>> {
        void generic(T[] items, Inner<T> other) {
            synchronized (LOCK) {
                value++;
            }
            synchronized (LOCK) { //! atomicity predicted DeclaredInLocks$Inner.generic
                value++; //! atomicity predicted DeclaredInLocks$Inner.generic
            }
        }

        void generic(Object[] items, Inner<T> other) {
            synchronized (LOCK) {
                value++;
            }
            synchronized (LOCK) {
                value++;
            }
        }
    }

    private static void everything() {
        add(1);
        add("");
        add(new int[0]);
        unmentioned();
        sometimes(LOCK);
        whenCalled(LOCK);
        required(LOCK);
        all();
        all(1);
        Inner<String> inner = new Inner<>();
        inner.generic(new String[0], inner);
        inner.generic(new Object[0], inner);
    }

    public static void main(String[] arguments) {
        Threads.inTurn(DeclaredInLocks::everything, DeclaredInLocks::everything);
        System.out.println(value == 44 ? "ok" : "lost");
    }
}
