/** Taking a lock again that is held is nothing others can notice. */
final class Reentering {
    private int count; /*# guarded_by this */

    synchronized void increment() /*# atomic */ {
        count++; // silent
    }

    void twice() /*# atomic */ {
        increment(); // expect: not-atomic
        increment();
    }

    synchronized void twiceLocked() /*# atomic */ {
        increment(); // silent
        increment();
    }

    void nested() /*# atomic */ {
        synchronized (this) { // silent
            synchronized (this) {
                count++;
            }
            count++;
            synchronized (this) {
                count++;
            }
        }
    }

    void through(Reentering same) /*# atomic */ {
        synchronized (same) { // silent
            same.twice();
            same.increment();
        }
    }

    void other(Reentering other) /*# atomic */ {
        synchronized (this) { // expect: not-atomic
            other.twice(); // path
        }
    }

    void once(Reentering other) /*# atomic */ {
        synchronized (this) { // silent
            other.increment();
        }
    }

    void alias() /*# atomic */ {
        Reentering same = this; // silent
        synchronized (same) {
            increment();
            same.increment();
        }
    }
}
