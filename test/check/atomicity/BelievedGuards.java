/** Nobody declared a guard: nearly all code holds the lock, so that is believed to be it. */
final class BelievedGuards {
    private int count;
    private int racy;

    synchronized void increment() /*# atomic */ {
        count++; // silent
    }

    synchronized void decrement() /*# atomic */ {
        count--; // silent
    }

    synchronized int get() /*# atomic */ {
        return count; // silent
    }

    void twice() /*# atomic */ {
        increment(); // expect: not-atomic
        increment();
    }

    int peek() {
        return count; // expect: guard-not-held
    }

    void touch() /*# atomic */ {
        racy++; // expect: not-atomic; no lock is believed in, and the class synchronizes
    }

    int racy() /*# atomic */ {
        return racy; // silent
    }
}
