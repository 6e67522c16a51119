import quiet.Memory;
import sun.misc.Unsafe;

/**
 * Right: volatile fields that are written by offset and read by name, and the other way round; one is inherited, one is
 * static, and one is not even volatile but accessed as if it were.
 */
public class UnsafeFields {
    static class Pad {
        long padding;
    }

    static class Sequence extends Pad {
        volatile int value;
    }

    static class Cursor extends Sequence {
        volatile Object last;
        int limit;
    }

    static class OwnCursor extends Cursor {
        volatile int other;
    }

    static volatile boolean closed;
    static final Unsafe UNSAFE = Memory.UNSAFE;
    static final long VALUE = Memory.offset(Sequence.class, "value");
    static final long LAST = Memory.offset(Cursor.class, "last");
    static final long LIMIT = Memory.offset(Cursor.class, "limit");
    static final long OTHER = Memory.offset(OwnCursor.class, "other");
    static final long CLOSED = UNSAFE.staticFieldOffset(Memory.field(UnsafeFields.class, "closed"));
    static final Object CLOSED_BASE = UNSAFE.staticFieldBase(Memory.field(UnsafeFields.class, "closed"));

    static final OwnCursor cursor = new OwnCursor();
    static int first;
    static int second;
    static int third;
    static int fourth;
    static int fifth;

    public static void main(String[] arguments) throws Exception {
        Thread writer = new Thread(() -> {
            first = 1;
            UNSAFE.putOrderedInt(cursor, VALUE, 1);
            second = 2;
            cursor.last = "last";
            third = 3;
            UNSAFE.putIntVolatile(cursor, LIMIT, 1);
            fourth = 4;
            UNSAFE.putBooleanVolatile(CLOSED_BASE, CLOSED, true);
            fifth = 5;
            UNSAFE.getAndAddInt(cursor, OTHER, 1);
        });
        Thread reader = new Thread(() -> {
            while (cursor.value == 0) {
                Thread.yield();
            }
            int sum = first;
            while (UNSAFE.getObjectVolatile(cursor, LAST) == null) {
                Thread.yield();
            }
            sum += second;
            while (UNSAFE.getIntVolatile(cursor, LIMIT) == 0) {
                Thread.yield();
            }
            sum += third;
            while (!closed) {
                Thread.yield();
            }
            sum += fourth;
            while (cursor.other == 0) {
                Thread.yield();
            }
            sum += fifth;
            if (sum != 15) {
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
