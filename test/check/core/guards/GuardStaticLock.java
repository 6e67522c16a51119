import net.jcip.annotations.GuardedBy;

/** Static final fields as locks, by their name alone and behind a class. */
final class GuardStaticLock {
    private static final Object LOCK = new Object();
    static final Object MANY = new Object();
    @GuardedBy("LOCK") private static int total;
    @GuardedBy("GuardStaticLock.LOCK") private static int sum;
    @GuardedBy("LOCK") private int perObject;
    @GuardedBy("Locks.SHARED") private int elsewhere;
    @GuardedBy("GuardStaticLock.Locks.SHARED") private static int elsewhereToo;

    static final class Locks {
        static final Object SHARED = new Object();
        static final Object OTHER = new Object();
    }

    void right(GuardStaticLock other) {
        synchronized (LOCK) {
            total++; // silent
            sum += total; // silent
            perObject++; // silent
            other.perObject++; // silent: one lock for all objects
        }
        synchronized (Locks.SHARED) {
            elsewhere++; // silent
            elsewhereToo++; // silent
            other.elsewhere = elsewhere; // silent
        }
    }

    void none(GuardStaticLock other) {
        total++; // expect: guard-not-held
        sum = 1; // expect: guard-not-held
        perObject++; // expect: guard-not-held
        other.perObject = 2; // expect: guard-not-held
        elsewhere++; // expect: guard-not-held
        elsewhereToo++; // expect: guard-not-held
    }

    static synchronized void classInstead() {
        total++; // expect: guard-not-held
    }

    void wrongOne() {
        synchronized (MANY) {
            total++; // expect: guard-not-held
        }
        synchronized (Locks.OTHER) {
            elsewhere++; // expect: guard-not-held
        }
        synchronized (Locks.class) {
            elsewhereToo++; // expect: guard-not-held
        }
    }

    void copied() {
        Object lock = LOCK;
        synchronized (lock) {
            total++; // silent
        }
    }
}
