/** Nodes of one dictionary are none of another, and the lock of one is not enough for the other (section 4). */
final class DictionaryMixed {
    static final class Node/*#<ghost Dictionary d>*/ {
        private Object value /*# guarded_by d */;
        private Node/*#<d>*/ next /*# guarded_by d */;
    }

    static final class Dictionary {
        private Node/*#<this>*/ head /*# guarded_by this */;

        synchronized void takeFrom(Dictionary other) {
            Node theirs;
            synchronized (other) {
                theirs = other.head; // silent
                theirs.value = "mine"; // silent
                head = theirs; // expect: owner-mismatch
            }
            theirs.value = "late"; // expect: guard-not-held
        }

        synchronized void link(Dictionary other) {
            synchronized (other) {
                head.next = head; // silent
                head.next = other.head; // expect: owner-mismatch
            }
        }
    }
}
