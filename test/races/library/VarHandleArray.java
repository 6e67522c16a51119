import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Right: array elements published by setRelease() and getAcquire(), and counted by getAndAdd(), of a VarHandle. */
public class VarHandleArray {
    static class Slot {
        int content;
    }

    static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Slot[].class);
    static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(int[].class);
    static final Slot[] slots = new Slot[20];
    static final int[] counts = new int[2];

    public static void main(String[] arguments) throws Exception {
        Thread writer = new Thread(() -> {
            for (int i = 0; i < slots.length; i++) {
                Slot slot = new Slot();
                slot.content = i;
                SLOT.setRelease(slots, i, slot);
                COUNT.getAndAdd(counts, i % 2, 1);
            }
        });
        Thread reader = new Thread(() -> {
            for (int i = 0; i < slots.length;) {
                Slot slot = (Slot) SLOT.getAcquire(slots, i);
                if (slot == null) {
                    Thread.yield();
                    continue;
                }
                if (slot.content != i) {
                    throw new AssertionError();
                }
                COUNT.getAndAdd(counts, i % 2, 1);
                i++;
            }
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        if ((int) COUNT.getVolatile(counts, 0) != 20) {
            throw new AssertionError();
        }
        System.out.println("ok");
    }
}
