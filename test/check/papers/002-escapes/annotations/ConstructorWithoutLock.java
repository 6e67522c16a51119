// options: --constructor-holds-lock off
import turnstile.annotation.GuardedBy;
import turnstile.annotation.Requires;

/** Strictly, a constructor holds nothing (section 6.1). */
final class ConstructorWithoutLock {
    @GuardedBy("this") private int value;

    ConstructorWithoutLock(int first) {
        value = first; // expect: guard-not-held
    }

    @Requires("this") void change(int next) {
        value = next; // silent
    }
}
