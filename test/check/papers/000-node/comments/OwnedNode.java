/** One class, protected in two ways: a node of this thread, and one with its own lock (figure 1). */
final class OwnedNode {
    static final class Node/*#<thisOwner>*/ {
        private int value /*# guarded_by thisOwner */;

        void setValue(int v) /*# requires thisOwner */ {
            value = v; // silent
        }

        int getValue() {
            return value; // expect: guard-not-held
        }
    }

    public static void main(String[] arguments) {
        Node n1 = new Node/*#<thisThread>*/();
        Node n2 = new Node/*#<self>*/();
        n1.setValue(10); // silent
        n2.setValue(20); // expect: requires-not-held
        synchronized (n2) {
            n2.setValue(30); // without synchronized 1: requires-not-held
        }
    }
}
