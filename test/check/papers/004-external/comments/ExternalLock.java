/** One field with a lock of its own object, one with a lock from outside (figure 1). */
final class ExternalLock {
    static final class C/*#<ghost Object lp>*/ {
        int count /*# guarded_by lp */;
        int value /*# guarded_by this */;

        synchronized void set(int x) /*# requires lp */ {
            count++; // without set: guard-not-held
            value = x; // without synchronized 1: guard-not-held
        }
    }

    static final class D {
        public void entry() {
            C o = new C/*#<this>*/();
            synchronized (this) {
                o.set(1); // without synchronized 2: requires-not-held
                o.count++; // without synchronized 2: guard-not-held
            }
        }
    }
}
