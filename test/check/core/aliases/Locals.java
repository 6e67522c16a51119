import net.jcip.annotations.GuardedBy;

/** Copies of a lock are the lock; where different ones meet, nothing is known. */
final class Locals {
    private final Object lock = new Object();
    private final Object second = new Object();
    @GuardedBy("lock") private int value;
    @GuardedBy("this") private int count;

    void copy() {
        Object copy = lock;
        Object again = copy;
        synchronized (again) {
            value++; // silent
        }
        synchronized (copy) {
            value++; // silent
        }
    }

    void replaced(Object other) {
        Object copy = lock;
        copy = other;
        synchronized (copy) {
            value++; // expect: guard-not-held
        }
    }

    void replacedMeanwhile(Object other) {
        Object copy = lock;
        synchronized (copy) {
            copy = other;
            value++; // silent: what is held does not change with the variable
        }
        synchronized (copy) {
            value++; // expect: guard-not-held
        }
    }

    void oneOfTwo(boolean condition) {
        Object chosen = condition ? lock : second;
        synchronized (chosen) {
            value++; // expect: guard-not-held
        }
    }

    void sameOnBoth(boolean condition) {
        Object chosen;
        if (condition) {
            chosen = lock;
        } else {
            chosen = this.lock;
        }
        synchronized (chosen) {
            value++; // silent
        }
    }

    void cast(Object unknown) {
        synchronized ((Comparable<?>) unknown) {
            count++; // expect: guard-not-held
        }
        Locals me = (Locals) (Object) this;
        synchronized (me) {
            count++; // silent
        }
        if (unknown instanceof Locals) {
            Locals other = (Locals) unknown;
            synchronized (unknown) {
                other.count++; // silent: a cast is the same object
                count++; // expect: guard-not-held
            }
        }
    }

    void fresh() {
        Object mine = new Object();
        synchronized (mine) {
            value++; // expect: guard-not-held; nobody else uses that lock
        }
        synchronized (new Object()) {
            count++; // expect: guard-not-held
        }
    }

    static void parameters(Locals first, Locals second) {
        Locals swap = first;
        synchronized (first) {
            swap.count++; // silent
            second.count++; // expect: guard-not-held
            first = second;
            first.count++; // expect: guard-not-held
            swap.count++; // silent
        }
    }

    void field(Locals other) {
        Object theirs = other.lock;
        synchronized (theirs) {
            other.value++; // silent
            value++; // expect: guard-not-held
        }
    }
}
