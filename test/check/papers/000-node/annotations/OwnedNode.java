import turnstile.annotation.Formals;
import turnstile.annotation.GuardedBy;
import turnstile.annotation.Owners;
import turnstile.annotation.Requires;

/** One class, protected in two ways: a node of this thread, and one with its own lock (figure 1). */
final class OwnedNode {
    @Formals("thisOwner")
    static final class Node {
        @GuardedBy("thisOwner") private int value;

        @Requires("thisOwner") void setValue(int v) {
            value = v; // silent
        }

        int getValue() {
            return value; // expect: guard-not-held
        }
    }

    public static void main(String[] arguments) {
        Node n1 = new @Owners("thisThread") Node();
        Node n2 = new @Owners("self") Node();
        n1.setValue(10); // silent
        n2.setValue(20); // expect: requires-not-held
        synchronized (n2) {
            n2.setValue(30); // without synchronized 1: requires-not-held
        }
    }
}
