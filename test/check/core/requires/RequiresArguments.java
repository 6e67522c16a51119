import net.jcip.annotations.GuardedBy;

/** Calls in the middle of expressions and conditions. */
final class RequiresArguments {
    @GuardedBy("this") private int value;

    @GuardedBy("this")
    int value() {
        return value; // silent
    }

    @GuardedBy("this")
    boolean isEmpty() {
        return value == 0; // silent
    }

    static int twice(int number) {
        return 2 * number;
    }

    int without(int[] array) {
        int result = twice(value()); // expect: requires-not-held
        array[value()] = 1; // expect: requires-not-held
        if (isEmpty()) { // expect: requires-not-held
            result++;
        }
        while (!isEmpty()) { // expect: requires-not-held
            result--;
        }
        return result > 0 ? value() : 0; // expect: requires-not-held
    }

    synchronized int with(int[] array) {
        int result = twice(value()); // silent
        array[value()] = 1; // silent
        if (isEmpty()) { // silent
            result++;
        }
        while (!isEmpty()) { // silent
            result--;
        }
        return result > 0 ? value() : 0; // silent
    }

    int late() {
        int result;
        synchronized (this) {
            result = value() + value; // silent
        }
        return result + value(); // expect: requires-not-held
    }
}
