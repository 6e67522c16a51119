/** A dictionary whose lock guards the nodes of its list (figure 2). */
final class DictionaryProgram {
    static final class Node/*#<ghost Dictionary d>*/ {
        private String key /*# guarded_by d */;
        private Object value /*# guarded_by d */;
        private Node/*#<d>*/ next /*# guarded_by d */;

        void init(String k, Object v, Node/*#<d>*/ n) /*# requires d */ {
            this.key = k; // without init: guard-not-held
            this.value = v; // without init: guard-not-held
            this.next = n; // without init: guard-not-held
        }

        void update(String k, Object v) /*# requires d */ {
            if (this.key.equals(k)) { // without update: guard-not-held
                this.value = v; // without update: guard-not-held
            } else if (this.next != null) { // without update: guard-not-held
                this.next.update(k, v); // without update: guard-not-held
            }
        }

        boolean has(String k) /*# requires d */ {
            return key.equals(k) || next != null && next.has(k); // without has: guard-not-held, guard-not-held
        }
    }

    static final class Dictionary {
        private Node/*#<this>*/ head /*# guarded_by this */;

        private boolean contains(String k) /*# requires this */ {
            Node first = head; // without contains: guard-not-held
            return first != null && first.has(k); // without contains: requires-not-held
        }

        void put(String k, Object v) {
            synchronized (this) {
                if (this.contains(k)) { // without synchronized 1: requires-not-held
                    this.head.update(k, v); // without synchronized 1: guard-not-held, requires-not-held
                } else {
                    Node node = new Node/*#<this>*/();
                    node.init(k, v, this.head); // without synchronized 1: guard-not-held, requires-not-held
                    this.head = node; // without synchronized 1: guard-not-held
                }
            }
        }
    }
}
