import turnstile.annotation.GuardedBy;
import turnstile.annotation.NoWarn;
import turnstile.annotation.Turnstile;

/** no_warn for a race that does no harm, holds where the lock is known to be held (section 6.1). */
final class Escapes {
    static final class Cell {
        @GuardedBy("this") int a;
        @GuardedBy("this") @NoWarn("guard-not-held") int hits;
    }

    private final Cell f = new Cell();

    void warned(int e) {
        f.a = e; // expect: guard-not-held
    }

    @NoWarn("guard-not-held") void benign(int e) {
        f.a = e; // silent
    }

    void counted() {
        f.hits++; // silent
    }

    void believed(int e, boolean locked) {
        if (locked) {
            Turnstile.holds(f);
            f.a = e; // silent
            f.a++; // silent
        }
        f.a = e; // expect: guard-not-held
    }
}
