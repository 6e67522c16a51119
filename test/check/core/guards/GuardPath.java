import net.jcip.annotations.GuardedBy;

/** A path of final fields. */
final class GuardPath {
    static final class Locks {
        final Object read = new Object();
        final Object write = new Object();
    }

    static final class Context {
        final Locks locks = new Locks();
        @GuardedBy("locks.write") int version;
    }

    private final Context context;
    @GuardedBy("context.locks.write") private int value;
    @GuardedBy("this.context.locks.read") private int reads;
    @GuardedBy("context") private int direct;

    GuardPath(Context context) {
        this.context = context;
    }

    void right() {
        synchronized (context.locks.write) {
            value++; // silent
            context.version++; // silent
        }
        synchronized (this.context.locks.read) {
            reads++; // silent
        }
        synchronized (context) {
            direct++; // silent
        }
    }

    void inSteps() {
        Context mine = context;
        Locks locks = mine.locks;
        Object write = locks.write;
        synchronized (write) {
            value++; // silent
            mine.version++; // silent
        }
        synchronized (locks.read) {
            reads++; // silent
            value++; // expect: guard-not-held
        }
    }

    void shorter() {
        synchronized (context.locks) {
            value++; // expect: guard-not-held; the lock is one step further
        }
        synchronized (context) {
            value++; // expect: guard-not-held
            direct++; // silent
        }
        value++; // expect: guard-not-held
    }

    void otherObject(GuardPath other, Context someContext) {
        synchronized (other.context.locks.write) {
            other.value++; // silent
            other.context.version++; // silent
            value++; // expect: guard-not-held
            someContext.version++; // expect: guard-not-held
        }
        synchronized (someContext.locks.write) {
            someContext.version++; // silent
            value++; // expect: guard-not-held
        }
    }
}
