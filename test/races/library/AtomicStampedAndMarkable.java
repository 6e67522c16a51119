import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicStampedReference;

/** Right: references with a stamp or a mark publish like plain atomic references. */
public class AtomicStampedAndMarkable {
    static class Box {
        int content;
    }

    static final AtomicStampedReference<Box> stamped = new AtomicStampedReference<>(null, 0);
    static final AtomicMarkableReference<Box> marked = new AtomicMarkableReference<>(null, false);

    public static void main(String[] arguments) throws Exception {
        Thread writer = new Thread(() -> {
            Box one = new Box();
            one.content = 1;
            stamped.compareAndSet(null, one, 0, 1);
            Box two = new Box();
            two.content = 2;
            marked.set(two, true);
        });
        Thread reader = new Thread(() -> {
            int[] stamp = new int[1];
            while (stamped.getStamp() == 0) {
                Thread.yield();
            }
            Box one = stamped.get(stamp);
            while (!marked.isMarked()) {
                Thread.yield();
            }
            Box two = marked.getReference();
            one.content++;
            two.content++;
            if (stamp[0] + one.content + two.content != 6) {
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
