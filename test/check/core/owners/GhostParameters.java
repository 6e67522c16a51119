/** Classes with a lock as their parameter: every list guards its own nodes. */
final class GhostParameters {
    static final class Node/*#<ghost GhostParameters list>*/ {
        int value /*# guarded_by list */;
        Node/*#<list>*/ next /*# guarded_by list */;

        void change() /*# requires list */ {
            value++; // silent
            if (next != null) { // silent
                next.change(); // silent: the same list
                next.value++; // silent
            }
        }

        int readWithout() {
            return value; // expect: guard-not-held
        }

        void callWithout() {
            change(); // expect: requires-not-held
        }

        synchronized void ownLock() {
            value++; // expect: guard-not-held; the node is not the list
        }
    }

    private Node/*#<this>*/ head /*# guarded_by this */;

    synchronized void push(int value) {
        Node node = new Node(); // silent: its list is found from where it goes
        node.value = value; // silent
        node.next = head; // silent
        head = node; // silent
    }

    synchronized int sum() {
        int sum = 0;
        for (Node node = head; node != null; node = node.next) { // silent
            sum += node.value; // silent
        }
        return sum;
    }

    int first() {
        return head.value; // expect: guard-not-held, guard-not-held
    }

    void reachedEarlier() {
        Node node;
        synchronized (this) {
            node = head; // silent
            node.change(); // silent
            node.value = 1; // silent
        }
        node.value = 2; // expect: guard-not-held
        node.change(); // expect: requires-not-held
        synchronized (node) {
            node.value = 3; // expect: guard-not-held
        }
    }

    synchronized void ofOther(GhostParameters other) {
        int copy = other.head.value; // expect: guard-not-held, guard-not-held
        synchronized (other) {
            copy = other.head.value; // silent
            other.head.change(); // silent
            head.change(); // silent
            head = other.head; // expect: owner-mismatch; a node of another list
        }
    }

    private void add(Node/*#<this>*/ node) /*# requires this */ {
        node.next = head; // silent
        head = node; // silent
    }

    synchronized void calls(GhostParameters other) {
        add(head); // silent
        add(new Node()); // silent
        synchronized (other) {
            add(other.head); // expect: owner-mismatch
            other.add(head); // expect: owner-mismatch
            other.add(other.head); // silent
        }
    }

    synchronized void allocates(GhostParameters other) {
        head = new Node/*#<this>*/(); // silent
        head = new Node/*#<other>*/(); // expect: owner-mismatch
    }
}
