/** Methods that call themselves: the least atomicity that fits. */
final class RecursiveMethods {
    private int count; /*# guarded_by this */

    static int factorial(int n) /*# atomicity const */ {
        return n <= 1 ? 1 : n * factorial(n - 1); // silent
    }

    synchronized int down(int n) /*# atomic */ {
        return n == 0 ? count : down(n - 1) + 1; // silent: it holds the lock already
    }

    synchronized void increment() /*# atomic */ {
        count++; // silent
    }

    void repeat(int n) /*# atomic */ {
        if (n > 0) { // expect: not-atomic
            increment();
            repeat(n - 1);
        }
    }

    void last(int n) /*# atomic */ {
        if (n > 0) { // silent: only the innermost call takes the lock
            last(n - 1);
        } else {
            increment();
        }
    }

    int even(int n) /*# requires this */ /*# atomicity this ? mover */ {
        return n == 0 ? count : odd(n - 1); // silent
    }

    int odd(int n) /*# requires this */ /*# atomicity this ? mover */ {
        return n == 0 ? -count : even(n - 1); // silent
    }

    synchronized int parity(int n) /*# atomic */ {
        return even(n); // silent
    }

    void ping(int n) /*# atomic */ {
        if (n > 0) { // silent: at most one step in all of the calls
            pong(n - 1);
        } else {
            increment();
        }
    }

    void pong(int n) /*# atomic */ {
        if (n > 0) { // silent
            ping(n - 1);
        }
    }

    void tick(int n) {
        increment();
        if (n > 0) {
            tock(n - 1);
        }
    }

    void tock(int n) /*# atomicity this ? mover : cmpd */ {
        if (n > 0) { // silent
            tick(n - 1);
        }
    }

    void other(RecursiveMethods next, int n) /*# atomic */ {
        synchronized (this) { // silent: the other lock is taken inside this one
            if (n > 0) {
                next.other(this, n - 1);
            }
            count++;
        }
    }

    static void forever() /*# atomicity const */ {
        forever(); // silent
    }
}
