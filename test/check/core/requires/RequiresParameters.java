import net.jcip.annotations.GuardedBy;

/** Parameters in the clause are replaced by what is passed. */
final class RequiresParameters {
    static class Node {
        final Object mutex = new Object();
        final Node next;
        @GuardedBy("this") int value;
        @GuardedBy("mutex") int weight;

        Node(Node next) {
            this.next = next;
        }

        @GuardedBy("this")
        int value() {
            return value; // silent
        }

        void takeFrom(Node other) /*# requires this, other */ {
            value += other.value; // silent
            other.value = 0; // silent
            weight = 0; // expect: guard-not-held
        }
    }

    static void add(Node node, int amount) /*# requires node */ {
        node.value += amount; // silent
    }

    static void weigh(int amount, Node node) /*# requires node.mutex */ {
        node.weight += amount; // silent
        node.value += amount; // expect: guard-not-held
    }

    static void behind(Node node) /*# requires node.next.mutex */ {
        node.next.weight = 1; // silent
        node.weight = 1; // expect: guard-not-held
    }

    void calls(Node one, Node two) {
        synchronized (one) {
            add(one, 1); // silent
            add(two, 1); // expect: requires-not-held
            int value = one.value(); // silent
            value = two.value(); // expect: requires-not-held
            one.takeFrom(two); // expect: requires-not-held
            synchronized (two) {
                one.takeFrom(two); // silent
                two.takeFrom(one); // silent
            }
            one.takeFrom(one); // silent: one lock for both
        }
        synchronized (one.mutex) {
            weigh(1, one); // silent
            weigh(1, two); // expect: requires-not-held
            behind(one); // expect: requires-not-held
        }
        synchronized (one.next.mutex) {
            behind(one); // silent
            weigh(1, one.next); // silent
            weigh(1, one); // expect: requires-not-held
        }
    }

    void temporaries(Node one) {
        synchronized (one.next) {
            add(one.next, 1); // silent: next is final
        }
        synchronized (new Node(null)) {
            add(one, 1); // expect: requires-not-held
        }
    }

    static void recursive(Node node, int depth) /*# requires node */ {
        node.value++; // silent
        if (depth > 0) {
            recursive(node, depth - 1); // silent
            recursive(node.next, depth - 1); // expect: requires-not-held
        }
    }
}
