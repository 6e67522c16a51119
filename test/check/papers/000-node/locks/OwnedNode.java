/** One class, protected in two ways: a node of this thread, and one with its own lock (figure 1). */
final class OwnedNode {
    static final class Node {
        private int value;

        void setValue(int v) {
            value = v; // silent
        }

        int getValue() {
            return value; // expect: guard-not-held
        }
    }

    static Node newLocal() {
        return new Node();
    }

    static Node newShared() {
        return new Node();
    }

    public static void main(String[] arguments) {
        Node n1 = newLocal();
        Node n2 = newShared();
        n1.setValue(10); // silent
        n2.setValue(20); // expect: requires-not-held
        synchronized (n2) {
            n2.setValue(30); // without synchronized 1: requires-not-held
        }
    }
}
