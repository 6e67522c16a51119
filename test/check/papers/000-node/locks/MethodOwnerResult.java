/** What a method returns has the owner that its parameter has at the call (section 3, methods and their calls). */
final class MethodOwnerResult {
    static final class Node {
        int value;
    }

    static Node either(Node a1, Node a2, boolean first) {
        return first ? a1 : a2; // silent
    }

    static void use(Node shared, Node mine) {
        either(mine, mine, true).value++; // silent
        Node node = either(shared, shared, false); // silent
        node.value++; // expect: guard-not-held
        synchronized (node) {
            node.value++; // silent
        }
    }
}
