import turnstile.annotation.Formals;
import turnstile.annotation.GuardedBy;
import turnstile.annotation.Owners;

/** Nodes of one dictionary are none of another, and the lock of one is not enough for the other (section 4). */
final class DictionaryMixed {
    @Formals("ghost Dictionary d")
    static final class Node {
        @GuardedBy("d") private Object value;
        @GuardedBy("d") @Owners("d") private Node next;
    }

    static final class Dictionary {
        @GuardedBy("this") @Owners("this") private Node head;

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
