import net.jcip.annotations.GuardedBy;

/** Receivers that are the results of other calls. */
final class RequiresChains {
    static final class Counter {
        @GuardedBy("this") private int value;

        @GuardedBy("this")
        Counter add(int more) {
            value += more; // silent
            return this;
        }

        @GuardedBy("this")
        int value() {
            return value; // silent
        }

        Counter self() {
            return this;
        }
    }

    private final Counter counter = new Counter();
    @GuardedBy("this") private Counter current = new Counter();

    Counter counter() {
        return counter;
    }

    synchronized void replace(Counter other) {
        current = other; // silent
    }

    synchronized Counter current() {
        return current; // silent
    }

    void same() {
        synchronized (counter) {
            counter.add(1).add(2); // silent: add returns its receiver
            counter().add(1); // silent: counter() is a final field
            counter.self().add(3); // silent
        }
        synchronized (counter()) {
            counter().add(1).value(); // silent
            counter.add(1); // silent
        }
    }

    void notSame() {
        synchronized (current()) {
            current().add(1); // expect: requires-not-held; it may have been replaced meanwhile
        }
        Counter once = current();
        synchronized (once) {
            once.add(1).value(); // silent
            current().add(1); // expect: requires-not-held
        }
        counter.add(1).add(2); // expect: requires-not-held
        counter().value(); // expect: requires-not-held
    }

    synchronized void fieldOfThis() {
        current.add(1); // expect: requires-not-held; the field is ours, what it refers to is not
        Counter local = current; // silent
        synchronized (local) {
            local.add(1); // silent
        }
    }
}
