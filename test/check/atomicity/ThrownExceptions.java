/** A method ends by an exception, too; what it did before counts. */
final class ThrownExceptions {
    private int count; /*# guarded_by this */

    synchronized void increment() /*# atomic */ {
        if (count < 0) { // silent
            throw new IllegalStateException();
        }
        count++;
    }

    void repair() /*# atomic */ {
        try { // the handler runs after the step has been tried
            increment(); // expect: not-atomic
        } catch (IllegalStateException e) {
            reset();
        }
    }

    synchronized void reset() /*# atomic */ {
        count = 0; // silent
    }

    synchronized void repairLocked() /*# atomic */ {
        try {
            increment(); // silent
        } catch (IllegalStateException e) {
            reset();
        }
    }

    void checkFirst(int amount) /*# atomic */ {
        if (amount < 0) { // silent
            throw new IllegalArgumentException();
        }
        increment();
    }

    void atLast() /*# atomic */ {
        try {
            increment(); // expect: not-atomic
        } finally {
            reset();
        }
    }

    void ignored() /*# atomic */ {
        try {
            increment(); // silent: nothing shared is touched in the handler
        } catch (IllegalStateException e) {
            return;
        }
    }
}
