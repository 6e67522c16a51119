import net.jcip.annotations.GuardedBy;

/** The same by annotations: class files do not say on which line a field stands. */
final class LockNotFinalAnnotated {
    private Object changing = new Object();
    private static Object ofClass = new Object();
    private final Object fixed = new Object();
    @GuardedBy("changing") private int first;
    @GuardedBy("LockNotFinalAnnotated.ofClass") private int second;
    @GuardedBy("this.changing") private int third;
    @GuardedBy("fixed") private int right;
    // expect-class: lock-not-final first
    // expect-class: lock-not-final second
    // expect-class: lock-not-final third

    void replace() {
        changing = new Object();
        ofClass = new Object();
    }

    void locked() {
        synchronized (changing) {
            first++; // silent
            third++; // silent
        }
        synchronized (ofClass) {
            second++; // silent
        }
        right++; // expect: guard-not-held
        synchronized (fixed) {
            right++; // silent
        }
    }

    @GuardedBy("changing") void require() { first++; } // expect: lock-not-final
}
