import java.util.concurrent.atomic.AtomicReference;
import quiet.Threads;

/** Right: both bounds come from one object, which is got in one step and does not change. */
public class AtomicSnapshot {
    static final class Range {
        private final int low;
        private final int high;

        Range(int low, int high) {
            this.low = low;
            this.high = high;
        }
    }

    private static final AtomicReference<Range> range = new AtomicReference<>(new Range(0, 1));

    public static int width() {
        Range now = range.get();
        return now.high - now.low;
    }

    public static void set(int low, int high) {
        range.set(new Range(low, high));
    }

    public static void main(String[] arguments) {
        Threads.together(() -> set(5, 6), AtomicSnapshot::width);
        System.out.println(width() == 1 ? "ok" : "mixed");
    }
}
