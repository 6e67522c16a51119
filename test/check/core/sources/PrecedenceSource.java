import net.jcip.annotations.GuardedBy;

/** When sources disagree: a .locks file counts before comments, and comments before annotations. */
final class PrecedenceSource {
    private final Object a = new Object();
    private final Object b = new Object();
    private final Object c = new Object();
    @GuardedBy("a") private int annotated;
    @GuardedBy("a") private int commented /*# guarded_by b */;
    @GuardedBy("a") private int filed /*# guarded_by b */;
    private int commentedOnly /*# guarded_by b */;
    private int commentAndFile /*# guarded_by b */;

    @GuardedBy("a")
    void method() /*# requires b */ {
        annotated++; // expect: guard-not-held
        commented++; // silent
    }

    @GuardedBy("a")
    void filedMethod() {
        filed++; // silent
        annotated++; // expect: guard-not-held
    }

    void holdsA() {
        synchronized (a) {
            annotated++; // silent
            commented++; // expect: guard-not-held
            filed++; // expect: guard-not-held
            commentedOnly++; // expect: guard-not-held
            method(); // expect: requires-not-held
            filedMethod(); // expect: requires-not-held
        }
    }

    void holdsB() {
        synchronized (b) {
            annotated++; // expect: guard-not-held
            commented++; // silent
            filed++; // expect: guard-not-held
            commentedOnly++; // silent
            commentAndFile++; // expect: guard-not-held
            method(); // silent
        }
    }

    void holdsC() {
        synchronized (c) {
            annotated++; // expect: guard-not-held
            commented++; // expect: guard-not-held
            filed++; // silent
            commentAndFile++; // silent
            filedMethod(); // silent
        }
    }
}
