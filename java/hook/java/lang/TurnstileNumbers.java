package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * The numbers of locks and other objects: their identities.
 *
 * <p>A JVM has the identity of an object at hand as long as nobody holds its monitor. Where threads have once fought for the
 * monitor it must be asked for each time, and that takes as long as all else that is done about a lock. So objects of
 * classes that lock themselves keep their number in a field that rewriting adds to them ({@code $turnstile$lock}), and
 * whoever locks them finds it there.
 */
final class TurnstileNumbers {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /** How the first word of an object ends whose monitor nobody has or ever fought for. Should it not: it is only slow. */
    private static final long MONITOR_MASK = 3;

    private static final long MONITOR_UNUSED = 1;

    private TurnstileNumbers() {
    }

    /** 1 .. 0x7FFFFFFE. Two objects may have the same; of two such locks one protects what the other does. */
    static int of(Object object) {
        if ((UNSAFE.getLong(object, 0L) & MONITOR_MASK) != MONITOR_UNUSED) {
            return find(object);
        }
        return ask(object);
    }

    private static int ask(Object object) {
        int hash = System.identityHashCode(object);
        return hash == 0 || hash == 0x7FFFFFFF ? 1 : hash;
    }

    @DontInline // compiled once, not with all that locks
    private static int find(Object object) {
        long offset = offsetIn(object.getClass());
        if (offset == 0) {
            return ask(object);
        }
        int number = UNSAFE.getInt(object, offset);
        if (number == 0) {
            number = ask(object);
            UNSAFE.putInt(object, offset, number);
        }
        return number;
    }

    /** Where objects of the class keep their number; 0 if they do not, or it is not known. */
    private static long offsetIn(Class<?> type) {
        try {
            return TurnstileShadows.of(type).number;
        } catch (OutOfMemoryError | StackOverflowError error) {
            return 0;
        }
    }
}
