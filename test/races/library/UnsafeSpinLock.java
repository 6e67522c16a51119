import quiet.Memory;
import sun.misc.Unsafe;

/** Right: a lock of one's own by compareAndSwapInt() and putOrderedInt(), and a flag in memory outside of the heap. */
public class UnsafeSpinLock {
    static final Unsafe UNSAFE = Memory.UNSAFE;
    static final long TAKEN = Memory.offset(UnsafeSpinLock.class, "taken");
    static final long FLAG = UNSAFE.allocateMemory(8);

    private int taken;
    private int count;

    void increment() {
        while (!UNSAFE.compareAndSwapInt(this, TAKEN, 0, 1)) {
            Thread.yield();
        }
        count++;
        UNSAFE.putOrderedInt(this, TAKEN, 0);
    }

    public static void main(String[] arguments) throws Exception {
        UNSAFE.putLong(FLAG, 0);
        UnsafeSpinLock counter = new UnsafeSpinLock();
        Thread first = new Thread(() -> {
            for (int i = 0; i < 1000; i++) {
                counter.increment();
            }
            UNSAFE.putLongVolatile(null, FLAG, 1);
        });
        first.start();
        for (int i = 0; i < 1000; i++) {
            counter.increment();
        }
        while (UNSAFE.getLongVolatile(null, FLAG) == 0) {
            Thread.yield();
        }
        System.out.println(counter.count == 2000 ? "ok" : "lost");
        first.join();
    }
}
