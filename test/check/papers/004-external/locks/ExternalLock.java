/** One field with a lock of its own object, one with a lock from outside (figure 1). */
final class ExternalLock {
    static final class C {
        int count;
        int value;

        synchronized void set(int x) {
            count++; // without set: guard-not-held
            value = x; // without synchronized 1: guard-not-held
        }
    }

    static final class D {
        private C make() {
            return new C();
        }

        public void entry() {
            C o = make();
            synchronized (this) {
                o.set(1); // without synchronized 2: requires-not-held
                o.count++; // without synchronized 2: guard-not-held
            }
        }
    }
}
