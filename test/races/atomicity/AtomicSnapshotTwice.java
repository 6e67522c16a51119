import java.util.concurrent.atomic.AtomicReference;
import quiet.Threads;

/** Wrong: the two bounds may come from two ranges. */
public class AtomicSnapshotTwice {
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
        int high = range.get().high;
        return high - range.get().low; //! atomicity predicted AtomicSnapshotTwice.width
    }

    public static void set(int low, int high) {
        range.set(new Range(low, high));
    }

    public static void main(String[] arguments) {
        Threads.inTurn(AtomicSnapshotTwice::width, () -> set(5, 6));
        System.out.println(width() == 1 ? "ok" : "mixed");
    }
}
