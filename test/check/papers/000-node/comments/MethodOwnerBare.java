/** Whose lock {@code g1} is if it is self cannot be known: no parameter is named, and this is of f1 (section 2.2). */
final class MethodOwnerBare {
    static final class Node/*#<f1>*/ {
        int value /*# guarded_by f1 */;

        void swap(Node/*#<g1>*/ a1, Node/*#<g1>*/ a2)
                /*# requires g1 */ { // expect: bad-annotation
            int old = a1.value; // expect: guard-not-held
            a1.value = a2.value; // expect: guard-not-held
            a2.value = old; // expect: guard-not-held
        }
    }
}
