package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/**
 * Order by memory that the program names by object and offset: what sun.misc.Unsafe calls, as the table library.def says.
 *
 * <p>A program may write a volatile field by its offset and read it by its name. So where it asks for the offset of a
 * volatile field, the field's number is noted: then both orders are one. What has no such number, elements, memory outside
 * of the heap, and fields that are not volatile, is only reached by offset, and its number is made of that.
 *
 * <p>Classes are known by their identity hash codes, which keeps none of them from being unloaded. Two with the same hash
 * and fields at the same offset would be mistaken for each other; that is a matter of some hundred classes and 2^31 codes.
 */
public final class TurnstileMemory {
    /** It stands for all memory outside of the heap. */
    private static final Object OUTSIDE = new Object();

    /** An array has at most so many numbers: each costs an entry of the table of synchronization objects. */
    private static final int ELEMENTS = 4096;

    private static final int RECENT_SIZE = 1024;

    private static final long STATIC = 1L << 31;

    /** Open addressing, filled to a half at most: the key of a field, or 0; and behind it the field's number. */
    private static volatile long[] noted = new long[2 * 64];

    private static int count;

    /**
     * What was found last, by the object's own class: the key, mixed with the number behind it, such that two threads that
     * write at the same time leave nothing that looks right. Another one whenever a field is noted.
     */
    private static volatile long[] recent = new long[2 * RECENT_SIZE];

    /** Where the notes are changed. Nobody else can have it. */
    private static final Object CHANGING = new Object();

    private TurnstileMemory() {
    }

    /** The program has been told where the field is. */
    public static void located(long offset, Field field) {
        if (field == null || !Modifier.isVolatile(field.getModifiers())) {
            return;
        }
        int number = TurnstileLibrary.variableOf(field);
        long mode = Modifier.isStatic(field.getModifiers()) ? STATIC : 0;
        try {
            if (number != 0) {
                note(key(field.getDeclaringClass(), offset) | mode, number);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // As if the program had the offset from elsewhere. It has its own worries now.
        }
    }

    public static void acquire(Object object, long offset) {
        TurnstileLibrary.acquire(object == null ? OUTSIDE : object, number(object, offset));
    }

    public static void release(Object object, long offset) {
        TurnstileHook.volatileWrite(object == null ? OUTSIDE : object, number(object, offset));
    }

    private static int number(Object object, long offset) {
        if (object == null) {
            return TurnstileLibrary.part((int) (offset ^ offset >>> 32) & Integer.MAX_VALUE);
        }
        if (object.getClass().isArray()) {
            return TurnstileLibrary.part((int) (offset >>> 2) & ELEMENTS - 1);
        }
        int number = object instanceof Class<?> ? find(key((Class<?>) object, offset) | STATIC) : field(object, offset);
        return number != 0 ? number : TurnstileLibrary.part((int) offset);
    }

    /** The number of the field that the object has there, or 0. */
    private static int field(Object object, long offset) {
        long[] cache = recent; // before the search: what is noted meanwhile has another one
        long key = key(object.getClass(), offset);
        int place = place(key, cache.length);
        long number = cache[place + 1];
        if (cache[place] == (key ^ TurnstileWords.mix(number))) {
            return (int) number;
        }
        number = 0;
        for (Class<?> type = object.getClass(); type != null && number == 0; type = type.getSuperclass()) {
            number = find(key(type, offset));
        }
        cache[place + 1] = number;
        cache[place] = key ^ TurnstileWords.mix(number);
        return (int) number;
    }

    private static int find(long key) {
        long[] table = noted;
        int place = place(key, table.length);
        while (table[place] != 0) {
            if (table[place] == key) {
                return (int) table[place + 1];
            }
            place = place + 2 & table.length - 1;
        }
        return 0;
    }

    private static void note(long key, int number) {
        synchronized (CHANGING) {
            if (find(key) != 0) {
                return;
            }
            // Always a new table: fields are noted seldom, and so nobody needs a lock to read.
            long[] old = noted;
            long[] table = new long[4 * (count + 1) > old.length ? 2 * old.length : old.length];
            long[] cache = new long[2 * RECENT_SIZE];
            for (int i = 0; i < old.length; i += 2) {
                if (old[i] != 0) {
                    put(table, old[i], old[i + 1]);
                }
            }
            put(table, key, number);
            count++;
            noted = table;
            recent = cache;
        }
    }

    private static void put(long[] table, long key, long number) {
        int place = place(key, table.length);
        while (table[place] != 0) {
            place = place + 2 & table.length - 1;
        }
        table[place] = key;
        table[place + 1] = number;
    }

    private static long key(Class<?> type, long offset) {
        return (long) System.identityHashCode(type) << 32 | offset & STATIC - 1;
    }

    private static int place(long key, int length) {
        return (int) TurnstileWords.mix(key) << 1 & length - 1;
    }
}
