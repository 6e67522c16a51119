import net.jcip.annotations.GuardedBy;

/** Static fields: what guards them belongs to no object. */
class GuardStaticFields {
    private static final Object LOCK = new Object();
    @GuardedBy("GuardStaticFields.class") static int byClass;
    @GuardedBy("LOCK") static double byLock;
    @GuardedBy("LOCK") static GuardStaticFields head;
    final GuardStaticFields next;

    GuardStaticFields(GuardStaticFields next) {
        this.next = next;
    }

    static synchronized void right() {
        byClass = 1; // silent
        byClass += byClass; // silent
        synchronized (LOCK) {
            byLock = 2.5; // silent
            head = new GuardStaticFields(head); // silent
        }
    }

    static void wrong() {
        byClass = 1; // expect: guard-not-held
        byLock *= 2; // expect: guard-not-held
        head = null; // expect: guard-not-held
    }

    void fromInstance() {
        byClass++; // expect: guard-not-held
        synchronized (this) {
            byClass++; // expect: guard-not-held
        }
        synchronized (GuardStaticFields.class) {
            byClass++; // silent
        }
    }

    static class User {
        void use() {
            GuardStaticFields.byClass = 7; // expect: guard-not-held
            synchronized (GuardStaticFields.class) {
                GuardStaticFields.byClass = 8; // silent
            }
            synchronized (User.class) {
                GuardStaticFields.byClass = 9; // expect: guard-not-held
            }
            synchronized (LOCK) {
                int depth = head == null ? 0 : 1; // silent
                byLock = depth; // silent
            }
        }
    }
}
