/** Two fields of one object with different guards, and what {@code f2} means when it is self (section 2.2). */
final class TwoOwners {
    static final class Node {
        private Node next;
        private int value;

        void setValue(int v) {
            this.value = v; // silent
            this.next = null; // expect: guard-not-held
        }

        void setNext(Node n) {
            this.next = n; // silent
            this.value = 1; // expect: guard-not-held
        }
    }

    static void use(Object lock, Node node) {
        node.setValue(1); // expect: requires-not-held
        node.setNext(null); // expect: requires-not-held
        synchronized (lock) {
            node.setNext(null); // without synchronized 1: requires-not-held
            node.setValue(2); // expect: requires-not-held
        }
        synchronized (node) {
            node.setValue(3); // without synchronized 2: requires-not-held
            node.setNext(null); // expect: requires-not-held
        }
    }
}
