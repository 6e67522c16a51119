/** What a method returns has the owner that its parameter has at the call (section 3, methods and their calls). */
final class MethodOwnerResult {
    static final class Node/*#<f1>*/ {
        int value /*# guarded_by f1 */;
    }

    static Node/*#<g1>*/ either(Node/*#<g1>*/ a1, Node/*#<g1>*/ a2, boolean first) {
        return first ? a1 : a2; // silent
    }

    static void use(Node/*#<self>*/ shared, Node/*#<thisThread>*/ mine) {
        either(mine, mine, true).value++; // silent
        Node node = either(shared, shared, false); // silent
        node.value++; // expect: guard-not-held
        synchronized (node) {
            node.value++; // silent
        }
    }
}
