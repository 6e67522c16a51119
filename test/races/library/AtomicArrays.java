import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Right: the elements of atomic arrays publish and count like single atomics. */
public class AtomicArrays {
    static class Slot {
        int content;
    }

    static final AtomicIntegerArray counts = new AtomicIntegerArray(4);
    static final AtomicLongArray totals = new AtomicLongArray(4);
    static final AtomicReferenceArray<Slot> slots = new AtomicReferenceArray<>(50);

    static void count() {
        for (int i = 0; i < 200; i++) {
            counts.incrementAndGet(i % 4);
            totals.getAndAdd(i % 4, i);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread first = new Thread(() -> {
            count();
            for (int i = 0; i < 50; i++) {
                Slot slot = new Slot();
                slot.content = i;
                slots.set(i, slot);
            }
        });
        Thread second = new Thread(() -> {
            count();
            for (int i = 0; i < 50;) {
                Slot slot = slots.get(i);
                if (slot == null) {
                    Thread.yield();
                } else if (slot.content != i++) {
                    throw new AssertionError();
                }
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
        if (counts.get(3) != 100 || totals.get(0) != 2 * 4900) {
            throw new AssertionError(totals.get(0));
        }
        System.out.println("ok");
    }
}
