import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Each call of an atomic class is one step. */
final class AtomicSteps {
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicReference<String> name = new AtomicReference<>();

    void increment() /*# atomic */ {
        count.incrementAndGet(); // silent
    }

    int get() /*# atomic */ {
        return count.get(); // silent
    }

    void getAndSet() /*# atomic */ {
        int seen = count.get(); // expect: not-atomic; path
        count.set(seen + 1); // path
    }

    boolean claim() /*# atomic */ {
        return count.compareAndSet(0, 1); // silent
    }

    void retry() /*# atomic */ {
        int seen; // the loop is two steps, though only its last round changes anything
        do {
            seen = count.get(); // expect: not-atomic
        } while (!count.compareAndSet(seen, seen * 2));
    }

    void two() /*# atomic */ {
        count.incrementAndGet(); // expect: not-atomic
        name.set("two");
    }

    String either(boolean which) /*# atomic */ {
        if (which) { // silent
            return name.get();
        }
        return count.get() == 0 ? "none" : "some";
    }

    synchronized void twoLocked() /*# atomic */ {
        count.incrementAndGet(); // expect: not-atomic; the lock does not keep others away
        name.set("two");
    }
}
