import turnstile.annotation.Formals;
import turnstile.annotation.GuardedBy;
import turnstile.annotation.Owners;

/** What a method returns has the owner that its parameter has at the call (section 3, methods and their calls). */
final class MethodOwnerResult {
    @Formals("f1")
    static final class Node {
        @GuardedBy("f1") int value;
    }

    @Owners("g1") static Node either(@Owners("g1") Node a1, @Owners("g1") Node a2, boolean first) {
        return first ? a1 : a2; // silent
    }

    static void use(@Owners("self") Node shared, @Owners("thisThread") Node mine) {
        either(mine, mine, true).value++; // silent
        Node node = either(shared, shared, false); // silent
        node.value++; // expect: guard-not-held
        synchronized (node) {
            node.value++; // silent
        }
    }
}
