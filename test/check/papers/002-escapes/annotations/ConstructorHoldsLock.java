import turnstile.annotation.GuardedBy;
import turnstile.annotation.Requires;

/** A constructor counts as holding the lock of what it makes (section 6.1). */
final class ConstructorHoldsLock {
    @GuardedBy("this") private int value;

    ConstructorHoldsLock(int first) {
        value = first; // silent
    }

    @Requires("this") void change(int next) {
        value = next; // silent
    }
}
