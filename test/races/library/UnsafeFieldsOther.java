import quiet.Memory;
import quiet.Order;
import sun.misc.Unsafe;

/** Wrong: released to one field, acquired from another; and written without any order, though by offset. */
public class UnsafeFieldsOther {
    static class Flags {
        volatile int ready;
        volatile int other;
        volatile int late;
    }

    static final Unsafe UNSAFE = Memory.UNSAFE;
    static final long READY = Memory.offset(Flags.class, "ready");
    static final long LATE = Memory.offset(Flags.class, "late");

    static final Flags flags = new Flags();
    static int letter;
    static int answer;

    public static void main(String[] arguments) throws Exception {
        Thread writer = new Thread(() -> {
            letter = 1;
            UNSAFE.putOrderedInt(flags, READY, 1);
            answer = 1;
            UNSAFE.putInt(flags, LATE, 1);
            Order.reach("written");
        });
        Thread reader = new Thread(() -> {
            Order.await("written");
            int seen = flags.other;
            letter = 2; //! race observed UnsafeFieldsOther.letter
            seen += UNSAFE.getIntVolatile(flags, LATE);
            answer = 2; //! race observed UnsafeFieldsOther.answer
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println("ok");
    }
}
