/** Several locks in one clause: all of them must be held. */
final class GuardSeveral {
    private final Object left = new Object();
    private final Object right = new Object();
    private int both /*# guarded_by left, right */;
    private int three /*# guarded_by this, left, right */;

    void all() {
        synchronized (left) {
            synchronized (right) {
                both++; // silent
                synchronized (this) {
                    three++; // silent
                }
                three++; // expect: guard-not-held
            }
        }
    }

    void reversed() {
        synchronized (right) {
            synchronized (left) {
                both++; // silent
            }
            both++; // expect: guard-not-held
        }
        both++; // expect: guard-not-held
    }

    synchronized void some() {
        three = 1; // expect: guard-not-held
        synchronized (left) {
            both = 1; // expect: guard-not-held
            three = 1; // expect: guard-not-held
        }
    }

    void needsBoth() /*# requires left, right */ {
        both = 2; // silent
        three = 2; // expect: guard-not-held
    }

    void call() {
        synchronized (left) {
            needsBoth(); // expect: requires-not-held
            synchronized (right) {
                needsBoth(); // silent
            }
        }
    }
}
