import net.jcip.annotations.GuardedBy;

/** A constructor may use the fields of what it constructs; it is free with nothing else. */
class Constructors {
    private final Object lock = new Object();
    @GuardedBy("this") private int count = 1; // silent
    @GuardedBy("lock") int value = count + 1; // silent
    @GuardedBy("Constructors.class") private static int made;
    private static final Object REGISTRY = new Object();
    @GuardedBy("REGISTRY") private static Constructors last;

    {
        value++; // silent: an initializer is part of the constructors
    }

    Constructors() {
        count = 2; // silent
        value = count; // silent
        made++; // expect: guard-not-held
        initialize(); // silent
    }

    Constructors(Constructors other) {
        count = other.count; // expect: guard-not-held; the other one is finished
        value = other.value; // expect: guard-not-held
        synchronized (other) {
            count = other.count; // silent
        }
        synchronized (other.lock) {
            value = other.value; // silent
        }
    }

    Constructors(int value) {
        this();
        this.value = value; // silent
        last = this; // expect: guard-not-held
        synchronized (REGISTRY) {
            last = this; // silent
        }
    }

    private void initialize() {
        count = 3; // silent: only constructors call it
    }

    Constructors(long start) {
        shared((int) start); // silent
    }

    private void shared(int start) {
        count = start; // expect: guard-not-held; reset calls it too
    }

    void reset() {
        shared(0); // silent
    }

    static class Sub extends Constructors {
        @GuardedBy("this") private int extra;

        Sub() {
            super(1);
            extra = 1; // silent
            value = 2; // silent: inherited, and of the same object
        }

        Sub(Sub other) {
            this.extra = other.extra; // expect: guard-not-held
        }
    }
}
