import turnstile.annotation.Formals;
import turnstile.annotation.GuardedBy;
import turnstile.annotation.Owners;
import turnstile.annotation.Requires;

/** A dictionary whose lock guards the nodes of its list (figure 2). */
final class DictionaryProgram {
    @Formals("ghost Dictionary d")
    static final class Node {
        @GuardedBy("d") private String key;
        @GuardedBy("d") private Object value;
        @GuardedBy("d") @Owners("d") private Node next;

        @Requires("d") void init(String k, Object v, @Owners("d") Node n) {
            this.key = k; // without init: guard-not-held
            this.value = v; // without init: guard-not-held
            this.next = n; // without init: guard-not-held
        }

        @Requires("d") void update(String k, Object v) {
            if (this.key.equals(k)) { // without update: guard-not-held
                this.value = v; // without update: guard-not-held
            } else if (this.next != null) { // without update: guard-not-held
                this.next.update(k, v); // without update: guard-not-held
            }
        }

        @Requires("d") boolean has(String k) {
            return key.equals(k) || next != null && next.has(k); // without has: guard-not-held, guard-not-held
        }
    }

    static final class Dictionary {
        @GuardedBy("this") @Owners("this") private Node head;

        @Requires("this") private boolean contains(String k) {
            Node first = head; // without contains: guard-not-held
            return first != null && first.has(k); // without contains: requires-not-held
        }

        void put(String k, Object v) {
            synchronized (this) {
                if (this.contains(k)) { // without synchronized 1: requires-not-held
                    this.head.update(k, v); // without synchronized 1: guard-not-held, requires-not-held
                } else {
                    Node node = new @Owners("this") Node();
                    node.init(k, v, this.head); // without synchronized 1: guard-not-held, requires-not-held
                    this.head = node; // without synchronized 1: guard-not-held
                }
            }
        }
    }
}
