import turnstile.annotation.Formals;
import turnstile.annotation.GuardedBy;
import turnstile.annotation.Owners;
import turnstile.annotation.Requires;

/** The same class for values of one thread and for values that nobody changes (section 7). */
final class Vectors {
    @Formals("thisOwner")
    static final class Vec {
        @GuardedBy("thisOwner") double x;

        @Requires("thisOwner") double length() {
            return Math.abs(x); // without length: guard-not-held
        }
    }

    static double local(@Owners("thisThread") Vec vec) {
        vec.x *= 2; // silent
        return vec.length(); // silent
    }

    static double everybodys(@Owners("readonly") Vec vec) {
        double old = vec.x; // silent
        vec.x = old + 1; // expect: readonly-written
        return vec.length(); // silent
    }
}
