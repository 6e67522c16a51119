package quiet;

import java.lang.reflect.Field;
import sun.misc.Unsafe;

/** Memory by object and offset. What is done to it counts, though this class is not looked at. */
public final class Memory {
    public static final Unsafe UNSAFE;

    static {
        try {
            Field unsafe = Unsafe.class.getDeclaredField("theUnsafe");
            unsafe.setAccessible(true);
            UNSAFE = (Unsafe) unsafe.get(null);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Memory() {
    }

    /** Where objects of the class have the field. */
    public static long offset(Class<?> type, String name) {
        return UNSAFE.objectFieldOffset(field(type, name));
    }

    public static Field field(Class<?> type, String name) {
        try {
            return type.getDeclaredField(name);
        } catch (NoSuchFieldException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
