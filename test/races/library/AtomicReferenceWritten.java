import java.util.concurrent.atomic.AtomicReference;
import quiet.Order;

/** Wrong: the object in the AtomicReference is changed in place instead of being replaced. */
public class AtomicReferenceWritten {
    static class Range {
        int low;
    }

    static final AtomicReference<Range> range = new AtomicReference<>(new Range());

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(() -> {
            range.get().low = -1;
            Order.reach("first wrote");
        });
        Thread second = new Thread(() -> {
            Order.await("first wrote");
            range.get().low = -2; //! race observed AtomicReferenceWritten$Range.low
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }
}
