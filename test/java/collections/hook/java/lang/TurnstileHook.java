package java.lang;

import java.lang.reflect.Method;
import java.util.IdentityHashMap;
import java.util.Map;

/** In place of the real one: prints each access of an object that has a name. */
public final class TurnstileHook {
    private static final Map<Object, String> NAMES = new IdentityHashMap<>();

    private TurnstileHook() {
    }

    public static void name(Object object, String name) {
        NAMES.put(TurnstileObjects.other(object, -1), name);
    }

    /** Nothing is ever as expected, so that all accesses come here. */
    public static long expected() {
        return 1;
    }

    public static long word(Object object, long offset) {
        return 0;
    }

    public static long readField(Object object, long offset, int site) {
        return access("read", object, offset, site);
    }

    public static long writeField(Object object, long offset, int site) {
        return access("write", object, offset, site);
    }

    // ---- what else rewritten code calls ----

    public static long fresh() {
        return 1;
    }

    public static void initializing() {
    }

    public static void initialized() {
    }

    public static void touch(Object object) {
    }

    public static int number(Object object) {
        return 1;
    }

    public static void entered(Object lock, int number) {
    }

    public static void leaving(Object lock, int number) {
    }

    public static void copied(Object copy) {
    }

    /** Nothing is: every access is to be told. */
    public static boolean isReadCovered(long word) {
        return false;
    }

    public static boolean isWriteCovered(long word) {
        return false;
    }

    public static void acquired(Object lock) {
    }

    public static void released(Object lock) {
    }

    private static long access(String kind, Object object, long offset, int site) {
        String name = NAMES.get(object);
        if (name != null) {
            System.out.println("@ " + kind + " " + name + " " + site);
        }
        return offset;
    }

    /** What the agent finds out: which methods the program's part of a class declares. */
    static long overridden(Class<?> type, int half) {
        long names = 0;
        for (Class<?> part = type; part.getClassLoader() != null; part = part.getSuperclass()) {
            for (Method method : part.getDeclaredMethods()) {
                int number = Integer.getInteger("name." + method.getName(), -1);
                names |= number >> 6 == half ? 1L << number : 0;
            }
        }
        return names;
    }
}
