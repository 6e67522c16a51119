import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Right: lazySet() and setRelease() publish to get() and getAcquire(). */
public class AtomicLazySet {
    static final AtomicInteger sequence = new AtomicInteger();
    static final AtomicReference<int[]> box = new AtomicReference<>();
    static int cell = -1;

    public static void main(String[] arguments) throws Exception {
        Thread writer = new Thread(() -> {
            cell = 42;
            sequence.lazySet(1);
            int[] array = {1, 2, 3};
            box.setRelease(array);
        });
        Thread reader = new Thread(() -> {
            while (sequence.get() == 0) {
                Thread.yield();
            }
            int seen = cell;
            int[] array;
            while ((array = box.getAcquire()) == null) {
                Thread.yield();
            }
            if (seen != 42 || array[0] + array[1] + array[2] != 6) {
                throw new AssertionError();
            }
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
