// options: --expect-atomic exported
/** One mistake, told once: at the lowest methods that are not atomic without the lock. */
public class Clusters {
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
        lowest(); // silent: as little atomic as what it calls
    }

    public void callerOfCaller() {
        caller(); // silent
    }

    public void callerOfBoth() {
        lowest(); // silent
        lowestToo();
    }

    public synchronized void holds() {
        lowest(); // silent: atomic
    }

    public void another() {
        lowest(); // expect: not-atomic; without the lock of the other object, too
        other.increment();
        other.increment();
    }

    public void callerOfAnother() {
        another(); // silent
    }

    /** No lock of the caller's makes this one step. */
    public void bump() {
        shared++; // expect: not-atomic
    }

    public void callerOfBump() {
        bump(); // silent
    }
}
