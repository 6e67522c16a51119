/** A volatile field orders its accesses; it does not join two of them. */
final class VolatileSteps {
    private volatile int count;
    private volatile boolean stopped;
    private volatile int written; /*# write_guarded_by this */

    int count() /*# atomic */ {
        return count; // silent
    }

    void increment() /*# atomic */ {
        count++; // expect: not-atomic; path
    }

    void stop() /*# atomic */ {
        stopped = true; // silent
    }

    boolean toggle() /*# atomic */ {
        stopped = !stopped; // expect: not-atomic
        return true;
    }

    int both() /*# atomic */ {
        return stopped ? 0 : count; // expect: not-atomic
    }

    synchronized void incrementLocked() /*# atomic */ {
        written++; // silent: others write it under the lock only
    }

    int written() /*# atomic */ {
        return written; // silent
    }

    synchronized void writeTwice() /*# atomic */ {
        written = 1; // expect: not-atomic
        written = 2;
    }
}
