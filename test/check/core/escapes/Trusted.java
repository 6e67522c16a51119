import turnstile.annotation.GuardedBy;
import turnstile.annotation.NoWarn;
import turnstile.annotation.Requires;
import turnstile.annotation.Turnstile;

/** Turnstile.holds and NoWarn: the same escapes without comments. */
final class Trusted {
    private final Object lock = new Object();
    @GuardedBy("this") private int value;
    @GuardedBy("lock") private int other;
    @GuardedBy("this") @NoWarn private int quiet;
    @GuardedBy("this") @NoWarn("requires-not-held") private int notQuiet;

    @Requires("this")
    void change() {
        value++; // silent
    }

    void holds() {
        value++; // expect: guard-not-held
        Turnstile.holds(this);
        value++; // silent
        change(); // silent
        other++; // expect: guard-not-held
        Turnstile.holds(lock);
        other++; // silent
    }

    void holdsParameter(Trusted one) {
        Turnstile.holds(one.lock);
        one.other++; // silent
        other++; // expect: guard-not-held
        one.value++; // expect: guard-not-held
    }

    void onePath(boolean condition) {
        if (condition) {
            Turnstile.holds(this);
            value++; // silent
        }
        value++; // expect: guard-not-held; said on one path only
    }

    @NoWarn
    void everything() {
        value++; // silent
        change(); // silent
    }

    @NoWarn("guard-not-held")
    void oneRule() {
        value++; // silent
        change(); // expect: requires-not-held
    }

    void fields() {
        quiet++; // silent
        notQuiet++; // expect: guard-not-held
    }

    @NoWarn
    static class Quiet {
        @GuardedBy("this") private int value;

        void use() {
            value++; // silent
        }
    }
}
