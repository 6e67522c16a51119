// options: --expect-atomic exported --all
/** The same program, and all that follows from its mistakes. */
public class ClustersAll {
    private int count; /*# guarded_by this */
    private volatile int shared;
    private final Other other = new Other();

    public static final class Other {
        private int count; /*# guarded_by this */

        public synchronized void increment() {
            count++; // silent
        }
    }

    public synchronized void increment() {
        count++; // silent
    }

    public void lowest() {
        increment(); // expect: not-atomic
        increment();
    }

    public void lowestToo() {
        increment(); // expect: not-atomic
        increment();
    }

    public void caller() {
        lowest(); // expect: not-atomic
    }

    public void callerOfCaller() {
        caller(); // expect: not-atomic
    }

    public void callerOfBoth() {
        lowest(); // expect: not-atomic
        lowestToo();
    }

    public synchronized void holds() {
        lowest(); // silent: atomic
    }

    public void another() {
        lowest(); // expect: not-atomic
        other.increment();
        other.increment();
    }

    public void callerOfAnother() {
        another(); // expect: not-atomic
    }

    /** No lock of the caller's makes this one step. */
    public void bump() {
        shared++; // expect: not-atomic
    }

    public void callerOfBump() {
        bump(); // expect: not-atomic
    }
}
