import turnstile.annotation.Formals;
import turnstile.annotation.GuardedBy;
import turnstile.annotation.Owners;
import turnstile.annotation.Requires;

/** Whose lock {@code g1} is if it is self cannot be known: no parameter is named, and this is of f1 (section 2.2). */
final class MethodOwnerBare {
    @Formals("f1")
    static final class Node {
        @GuardedBy("f1") int value;

        // expect-class: bad-annotation swap
        @Requires("g1") void swap(@Owners("g1") Node a1, @Owners("g1") Node a2) {
            int old = a1.value; // expect: guard-not-held
            a1.value = a2.value; // expect: guard-not-held
            a2.value = old; // expect: guard-not-held
        }
    }
}
