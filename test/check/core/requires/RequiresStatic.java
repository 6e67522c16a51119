import net.jcip.annotations.GuardedBy;

/** Static methods with clauses, and instance methods that require static locks. */
final class RequiresStatic {
    private static final Object LOCK = new Object();
    @GuardedBy("RequiresStatic.class") private static int count;
    @GuardedBy("LOCK") private static int size;

    @GuardedBy("RequiresStatic.class")
    static void increment() {
        count++; // silent
    }

    @GuardedBy("LOCK")
    static void grow() {
        size++; // silent
        count++; // expect: guard-not-held
    }

    @GuardedBy("LOCK")
    void instanceGrow() {
        grow(); // silent
        size++; // silent
    }

    static synchronized void right() {
        increment(); // silent
        synchronized (LOCK) {
            grow(); // silent
        }
    }

    static void wrong(RequiresStatic one) {
        increment(); // expect: requires-not-held
        grow(); // expect: requires-not-held
        one.instanceGrow(); // expect: requires-not-held
        synchronized (one) {
            increment(); // expect: requires-not-held
            one.instanceGrow(); // expect: requires-not-held
        }
        synchronized (LOCK) {
            one.instanceGrow(); // silent
            increment(); // expect: requires-not-held
        }
    }

    synchronized void instanceMethod() {
        increment(); // expect: requires-not-held
    }
}
