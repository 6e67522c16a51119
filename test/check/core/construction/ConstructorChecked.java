// options: --constructor-holds-lock off
import net.jcip.annotations.GuardedBy;

/** With --constructor-holds-lock off, a constructor does not hold the lock of what it constructs. */
final class ConstructorChecked {
    @GuardedBy("this") private int count;

    ConstructorChecked() {
        increment(); // expect: requires-not-held
        synchronized (this) {
            increment(); // silent
        }
    }

    @GuardedBy("this")
    void increment() {
        count++; // silent
    }

    synchronized void use() {
        increment(); // silent
    }
}
