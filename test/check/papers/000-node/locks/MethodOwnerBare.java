/** Whose lock {@code g1} is if it is self cannot be known: no parameter is named, and this is of f1 (section 2.2). */
final class MethodOwnerBare {
    static final class Node {
        int value;

        void swap(Node a1, Node a2) {
            int old = a1.value; // expect: guard-not-held
            a1.value = a2.value; // expect: guard-not-held
            a2.value = old; // expect: guard-not-held
        }
    }
}
