import turnstile.annotation.Formals;
import turnstile.annotation.GuardedBy;
import turnstile.annotation.Owners;
import turnstile.annotation.Requires;

/** One field with a lock of its own object, one with a lock from outside (figure 1). */
final class ExternalLock {
    @Formals("ghost Object lp")
    static final class C {
        @GuardedBy("lp") int count;
        @GuardedBy("this") int value;

        @Requires("lp") synchronized void set(int x) {
            count++; // without set: guard-not-held
            value = x; // without synchronized 1: guard-not-held
        }
    }

    static final class D {
        public void entry() {
            C o = new @Owners("this") C();
            synchronized (this) {
                o.set(1); // without synchronized 2: requires-not-held
                o.count++; // without synchronized 2: guard-not-held
            }
        }
    }
}
