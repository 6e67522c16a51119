import net.jcip.annotations.GuardedBy;

/** Guards and locks that are declared in a superclass. */
class Inheritance {
    protected final Object lock = new Object();
    @GuardedBy("this") protected int byThis;
    @GuardedBy("lock") protected int byLock;
    @GuardedBy("Inheritance.class") protected static int byClass;

    static class Sub extends Inheritance {
        @GuardedBy("lock") private int own;
        @GuardedBy("this.lock") private int ownToo;

        synchronized void right() {
            byThis++; // silent: one object, one lock
            super.byThis++; // silent
            synchronized (lock) {
                byLock++; // silent
                own++; // silent
                ownToo++; // silent
            }
            synchronized (super.lock) {
                own++; // silent
            }
            synchronized (Inheritance.class) {
                byClass++; // silent
            }
        }

        void wrong() {
            byThis++; // expect: guard-not-held
            super.byThis++; // expect: guard-not-held
            byLock++; // expect: guard-not-held
            own++; // expect: guard-not-held
            ownToo++; // expect: guard-not-held
            byClass++; // expect: guard-not-held
        }

        static synchronized void classOfSub() {
            byClass++; // expect: guard-not-held; Sub.class is not Inheritance.class
        }
    }

    static final class SubSub extends Sub {
        synchronized void right() {
            byThis = 1; // silent
            synchronized (lock) {
                byLock = 1; // silent
            }
        }

        void wrong(Sub sub, Inheritance base) {
            synchronized (sub) {
                sub.byThis = 1; // silent
                base.byThis = 1; // expect: guard-not-held
                byThis = 1; // expect: guard-not-held
            }
            synchronized (sub.lock) {
                sub.byLock = 1; // silent
                base.byLock = 1; // expect: guard-not-held
            }
        }
    }

    static void throughSupertype(Sub sub) {
        Inheritance base = sub;
        synchronized (sub) {
            base.byThis++; // silent: a copy of another type
        }
        synchronized (base) {
            sub.byThis++; // silent
        }
        synchronized (base.lock) {
            sub.byLock++; // silent
            sub.byThis++; // expect: guard-not-held
        }
    }
}
