import turnstile.annotation.Formals;
import turnstile.annotation.GuardedBy;
import turnstile.annotation.Owners;
import turnstile.annotation.Requires;

/** An owner that only a method's parameters have: {@code g1$a1} says whose lock it is if it is self (section 2.2). */
final class MethodOwner {
    @Formals("f1")
    static final class Node {
        @GuardedBy("f1") int value;

        @Requires({"g1$a1", "g1$a2"}) void swap(@Owners("g1") Node a1, @Owners("g1") Node a2) {
            int old = a1.value; // silent
            a1.value = a2.value; // silent
            a2.value = old; // silent
            value = old; // expect: guard-not-held
        }
    }

    static void use(@Owners("self") Node one, @Owners("self") Node two,
            @Owners("thisThread") Node mine) {
        one.swap(mine, mine); // silent
        one.swap(one, two); // expect: requires-not-held
        synchronized (one) {
            one.swap(one, two); // expect: requires-not-held
            synchronized (two) {
                one.swap(one, two); // silent
            }
            synchronized (mine) {
                one.swap(one, mine); // expect: owner-mismatch
            }
        }
    }
}
