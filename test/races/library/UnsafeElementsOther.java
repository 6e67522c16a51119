import quiet.Memory;
import quiet.Order;
import sun.misc.Unsafe;

/** Wrong: what is released to one element of an array is not seen by whoever reads another one. */
public class UnsafeElementsOther {
    static final Unsafe UNSAFE = Memory.UNSAFE;
    static final long BASE = Unsafe.ARRAY_LONG_BASE_OFFSET;
    static final long SCALE = Unsafe.ARRAY_LONG_INDEX_SCALE;

    static final long[] marks = new long[4];
    static int letter;

    public static void main(String[] arguments) throws Exception {
        Thread writer = new Thread(() -> {
            letter = 1;
            UNSAFE.putLongVolatile(marks, BASE, 1);
            Order.reach("written");
        });
        Thread reader = new Thread(() -> {
            Order.await("written");
            UNSAFE.getLongVolatile(marks, BASE + SCALE);
            letter = 2; //! race observed UnsafeElementsOther.letter
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
