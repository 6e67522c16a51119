import net.jcip.annotations.GuardedBy;

/** Records: their components are final, so they make good locks. */
record Records(Object lock, Counter counter) {
    @GuardedBy("Records.class") private static int made;

    static final class Counter {
        @GuardedBy("this") int value;
    }

    record Pair(Records left, Records right) {
        void both() /*# requires left.lock, right.lock */ {
        }

        void call() {
            both(); // expect: requires-not-held
            synchronized (left.lock) {
                both(); // expect: requires-not-held
                synchronized (right.lock()) {
                    both(); // silent
                }
            }
        }
    }

    Records {
        made++; // expect: guard-not-held; static, and other threads construct too
        synchronized (Records.class) {
            made++; // silent
        }
    }

    @GuardedBy("lock")
    void locked() {
    }

    @GuardedBy("lock()")
    void byAccessor() {
        locked(); // silent: lock() is lock
    }

    void use() {
        counter.value++; // expect: guard-not-held
        synchronized (counter) {
            counter.value++; // silent
            counter().value++; // silent: the accessor returns the component
        }
        synchronized (counter()) {
            counter.value++; // silent
        }
        locked(); // expect: requires-not-held
        byAccessor(); // expect: requires-not-held
        synchronized (lock) {
            locked(); // silent
            byAccessor(); // silent
        }
        synchronized (lock()) {
            locked(); // silent
        }
    }

    static void other(Records record) {
        synchronized (record.lock()) {
            record.locked(); // silent
            record.counter().value++; // expect: guard-not-held
        }
        record.byAccessor(); // expect: requires-not-held
    }
}
