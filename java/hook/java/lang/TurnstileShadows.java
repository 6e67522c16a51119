package java.lang;

import java.lang.ref.WeakReference;

/**
 * Where the objects of a class have what rewriting added to them: the shadows of their fields, and the number of their
 * lock. The run time finds that out by asking the JVM for all fields, which takes long; so it is kept by class.
 */
final class TurnstileShadows extends WeakReference<Class<?>> {
    private static final int CLASSES = 4096;

    /** A class may stand at so many places; if all are taken it is asked for each time. */
    private static final int PLACES = 4;

    /** By the identity of the class. None makes room for another before it is gone. */
    private static final TurnstileShadows[] known = new TurnstileShadows[CLASSES];

    /** Of shadows, which are longs; below 0: of numbers of locks, which are ints. */
    final long[] offsets;

    /** Of a number of the lock; 0: there is none. If superclasses have one, too, any will do. */
    final long number;

    private TurnstileShadows(Class<?> type, long[] offsets) {
        super(type);
        this.offsets = offsets;
        long found = 0;
        for (long offset : offsets) {
            found = offset < 0 ? -offset : found;
        }
        number = found;
    }

    /** May be out of memory. */
    static TurnstileShadows of(Class<?> type) {
        int first = System.identityHashCode(type);
        for (int i = 0; i < PLACES; i++) {
            TurnstileShadows shadows = known[first + i & CLASSES - 1];
            if (shadows == null || shadows.refersTo(null)) {
                return known[first + i & CLASSES - 1] = new TurnstileShadows(type, TurnstileHook.shadows(type));
            }
            if (shadows.refersTo(type)) {
                return shadows;
            }
        }
        return new TurnstileShadows(type, TurnstileHook.shadows(type));
    }
}
