import net.jcip.annotations.GuardedBy;
import java.util.Iterator;
import java.util.List;

/** Loops: a variable names another object each time round. */
final class StaleValues {
    static final class Node {
        final Node next;
        @GuardedBy("this") int value;

        Node(Node next) {
            this.next = next;
        }
    }

    static void each(Node first) {
        for (Node node = first; node != null; node = node.next) {
            synchronized (node) {
                node.value++; // silent
            }
            node.value--; // expect: guard-not-held
        }
    }

    static void previous(Node first) {
        Node previous = null;
        for (Node node = first; node != null; node = node.next) {
            synchronized (node) {
                node.value++; // silent
                if (previous != null) {
                    previous.value--; // expect: guard-not-held; the lock of this time is not that of last time
                }
            }
            previous = node;
        }
    }

    static void movesInside(Node node) {
        synchronized (node) {
            node.value++; // silent
            node = node.next;
            node.value++; // expect: guard-not-held
        }
    }

    static void outside(Node first) {
        Node node = first;
        synchronized (first) {
            while (node != null) {
                node.value++; // expect: guard-not-held; only the first one is locked
                node = node.next;
            }
            first.value++; // silent
        }
    }

    static void iterator(List<Node> nodes) {
        for (Node node : nodes) {
            synchronized (node) {
                node.value++; // silent
            }
        }
        Node last = null;
        for (Iterator<Node> iterator = nodes.iterator(); iterator.hasNext();) {
            Node node = iterator.next();
            synchronized (node) {
                node.value++; // silent
            }
            last = node;
        }
        last.value++; // expect: guard-not-held
    }

    static void twoCalls(List<Node> nodes) {
        synchronized (nodes.get(0)) {
            nodes.get(0).value++; // expect: guard-not-held; the list may have changed
        }
        Node node = nodes.get(0);
        synchronized (node) {
            node.value++; // silent
        }
    }

    static void array(Node[] nodes) {
        for (int i = 0; i < nodes.length; i++) {
            synchronized (nodes[i]) {
                nodes[i].value++; // expect: guard-not-held; an element may change
            }
            Node node = nodes[i];
            synchronized (node) {
                node.value++; // silent
            }
        }
    }

    static void pairs(Node first) {
        for (Node node = first; node.next != null; node = node.next) {
            Node following = node.next;
            synchronized (node) {
                synchronized (following) {
                    node.value += following.value; // silent
                    node.value += node.next.value; // silent: next is final
                }
                following.value = 0; // expect: guard-not-held
            }
        }
    }

    static void made(List<Node> nodes) {
        Node kept = null;
        for (int i = 0; i < 4; i++) {
            Node node = new Node(null);
            node.value = i; // silent: nobody else knows it
            if (kept != null) {
                synchronized (node) {
                    kept.value = i; // expect: guard-not-held; made the time before, and in the list
                }
            }
            nodes.add(node);
            kept = node;
        }
    }
}
