import net.jcip.annotations.GuardedBy;

/** The same by annotations. Those of methods are told at the first line of their code. */
final class BadAnnotations {
    private final Object lock = new Object();
    private final long number = 3;
    @GuardedBy("missing") private int unknown;
    @GuardedBy("lock.missing") private int unknownPart;
    @GuardedBy("Missing.class") private int unknownClass;
    @GuardedBy("number") private int primitive;
    @GuardedBy("this") private static int ofThis;
    @GuardedBy("lock") private static int ofInstance;
    @GuardedBy("") private int empty;
    @GuardedBy("lock lock") private int twoWords;
    @GuardedBy("missing()") private int unknownMethod;
    @GuardedBy("lock") private int right;
    // expect-class: bad-annotation unknown
    // expect-class: bad-annotation unknownPart
    // expect-class: bad-annotation unknownClass
    // expect-class: bad-annotation primitive
    // expect-class: bad-annotation ofThis
    // expect-class: bad-annotation ofInstance
    // expect-class: bad-annotation empty
    // expect-class: bad-annotation twoWords
    // expect-class: bad-annotation unknownMethod

    @GuardedBy("missing") void unknownRequired() { } // expect: bad-annotation

    @GuardedBy("paramter") void unknownParameter(Object parameter) { } // expect: bad-annotation

    @GuardedBy("this") static void staticThis() { } // expect: bad-annotation

    @GuardedBy("parameter") void primitiveParameter(int parameter) { } // expect: bad-annotation

    @GuardedBy("") void emptyRequired() { } // expect: bad-annotation

    void goesOn() {
        right++; // expect: guard-not-held
        synchronized (lock) {
            right++; // silent
        }
        unknown++; // silent
        unknownRequired(); // silent
    }
}
