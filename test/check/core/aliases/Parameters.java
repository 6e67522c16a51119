import net.jcip.annotations.GuardedBy;

/** Objects that come in as parameters, and the parts of them. */
final class Parameters {
    private final Parts parts = new Parts();
    private Parts spare /*# guarded_by this */ = new Parts();

    static final class Parts {
        final Object lock = new Object();
        @GuardedBy("lock") int used;
    }

    void partOfThis() {
        synchronized (parts.lock) {
            parts.used++; // silent
        }
        parts.used++; // expect: guard-not-held
    }

    synchronized void changing() {
        Parts mine = spare; // silent
        synchronized (mine.lock) {
            mine.used++; // silent
            parts.used++; // expect: guard-not-held
        }
    }

    synchronized void replacedMeanwhile(Parts other) {
        Parts mine = spare; // silent
        spare = other; // silent
        synchronized (mine.lock) {
            mine.used++; // silent
            spare.used++; // expect: guard-not-held; the field holds something else now
        }
        synchronized (other.lock) {
            other.used++; // silent
            mine.used++; // expect: guard-not-held
        }
    }

    static int both(Parts left, Parts right) {
        synchronized (left.lock) {
            synchronized (right.lock) {
                return left.used + right.used; // silent
            }
        }
    }

    static int half(Parts left, Parts right) {
        int result;
        synchronized (left.lock) {
            result = left.used; // silent
            result += right.used; // expect: guard-not-held
        }
        return result;
    }

    static void wholeInsteadOfPart(Parts some) {
        synchronized (some) {
            some.used++; // expect: guard-not-held
        }
    }
}
