/** Two locks one after the other are two steps; one inside the other is one. */
final class TwoLocks {
    private final Object left = new Object();
    private final Object right = new Object();
    private static final Object ALL = new Object();
    private int a; /*# guarded_by left */
    private int b; /*# guarded_by right */
    private static int total; /*# guarded_by ALL */
    private static int made; /*# guarded_by TwoLocks.class */

    void sequence() /*# atomic */ {
        synchronized (left) { // expect: not-atomic; path
            a++;
        }
        synchronized (right) { // path
            b++;
        }
    }

    void nested() /*# atomic */ {
        synchronized (left) { // silent
            a++;
            synchronized (right) {
                b++;
            }
            a++;
        }
    }

    void nestedTwice() /*# atomic */ {
        synchronized (left) { // expect: not-atomic
            synchronized (right) {
                b++;
            }
            synchronized (right) {
                b++;
            }
        }
    }

    void either(boolean which) /*# atomic */ {
        if (which) { // silent
            synchronized (left) {
                a++;
            }
        } else {
            synchronized (right) {
                b++;
            }
        }
    }

    void earlyEnd(boolean which) /*# atomic */ {
        if (which) { // silent
            synchronized (left) {
                a++;
            }
            return;
        }
        synchronized (right) {
            b++;
        }
    }

    static void count() /*# atomic */ {
        synchronized (ALL) { // silent
            total++;
        }
    }

    static synchronized void make() /*# atomic */ {
        made++; // silent
    }

    static void makeAndCount() /*# atomic */ {
        make(); // expect: not-atomic
        count();
    }

    void empty() /*# atomic */ {
        synchronized (left) { // silent
        }
    }
}
