import java.util.concurrent.atomic.AtomicReference;

/** Right: the state is an immutable object that is replaced as a whole. */
public class AtomicSnapshot {
    static class Range {
        final int low;
        final int high;

        Range(int low, int high) {
            this.low = low;
            this.high = high;
        }
    }

    static final AtomicReference<Range> range = new AtomicReference<>(new Range(0, 0));

    static void work() {
        for (int i = 0; i < 200; i++) {
            range.updateAndGet(old -> new Range(old.low - 1, old.high + 1));
            Range seen = range.get();
            if (seen.low != -seen.high) {
                throw new AssertionError(seen.low);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(AtomicSnapshot::work);
        Thread second = new Thread(AtomicSnapshot::work);
        first.start();
        second.start();
        first.join();
        second.join();
        if (range.get().high != 400) {
            throw new AssertionError(range.get().high);
        }
        System.out.println("ok");
    }
}
