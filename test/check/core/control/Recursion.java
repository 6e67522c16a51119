import net.jcip.annotations.GuardedBy;

/** Methods that call themselves or each other. */
final class Recursion {
    @GuardedBy("this") private int depth;

    synchronized void down(int levels) {
        depth++; // silent
        if (levels > 0) {
            down(levels - 1); // silent: the lock is taken again
            depth--; // silent: and still held afterwards
        }
    }

    @GuardedBy("this")
    void required(int levels) {
        depth++; // silent
        if (levels > 0) {
            required(levels - 1); // silent
        }
    }

    void notRequired(int levels) {
        depth++; // expect: guard-not-held
        synchronized (this) {
            notRequired(levels - 1); // silent
        }
    }

    @GuardedBy("this")
    private boolean isEven(int number) {
        depth = number; // silent
        return number == 0 || isOdd(number - 1); // silent
    }

    @GuardedBy("this")
    private boolean isOdd(int number) {
        return number != 0 && isEven(number - 1); // silent
    }

    private boolean isOddToo(int number) {
        return number != 0 && isEven(number - 1); // expect: requires-not-held
    }

    boolean even(int number) {
        synchronized (this) {
            return isEven(number); // silent
        }
    }

    boolean evenWithout(int number) {
        return isEven(number); // expect: requires-not-held
    }
}
