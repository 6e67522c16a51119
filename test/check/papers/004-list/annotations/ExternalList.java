import turnstile.annotation.Formals;
import turnstile.annotation.GuardedBy;
import turnstile.annotation.Owners;
import turnstile.annotation.Requires;

/** A list whose elements are all guarded by a lock from outside (figure 6). */
final class ExternalList {
    @Formals("ghost Object lp")
    static final class List {
        @GuardedBy("lp") Object val;
        @GuardedBy("lp") @Owners("lp") List tail;

        @Requires("lp") void add(Object o) {
            tail = new @Owners("lp") List(); // without add: guard-not-held
            tail.val = o; // without add: guard-not-held, guard-not-held
        }
    }

    static final class A {
        void go(Object o) {
            List head = new @Owners("this") List();
            synchronized (this) {
                head.val = o; // silent: nobody else knows it yet
                for (int i = 0; i < 9; i++) {
                    head.add(o); // without synchronized 1: requires-not-held
                }
            }
        }
    }
}
