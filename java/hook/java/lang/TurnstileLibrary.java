package java.lang;

import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import jdk.internal.misc.Unsafe;

/**
 * What the JDK's own classes call, as the table library.def says, where one call of {@link TurnstileHook} does not do.
 *
 * <p>These calls come from inside of locks, atomics and concurrent collections. So nothing here may use one, or
 * anything that could: only Unsafe, Thread, and what reflection has at hand.
 */
public final class TurnstileLibrary {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private static final String PREFIX = "$turnstile$";

    private TurnstileLibrary() {
    }

    /** Nobody releases it. */
    private static final Object NOTHING = new Object();

    /**
     * What comes after this comes after what was released for the object and number until now. A volatileRead alone
     * would wait for the thread's next event, and by then somebody may have released more.
     */
    public static void acquire(Object object, int number) {
        TurnstileHook.volatileRead(object, number);
        TurnstileHook.syncAcquired(NOTHING);
    }

    /** What the object has beside fields, by number: an element, a phase, something that goes through a collection. */
    static int part(int number) {
        return ~number;
    }

    public static void acquireElement(Object object, int index) {
        acquire(object, part(index));
    }

    public static void releaseElement(Object object, int index) {
        TurnstileHook.volatileWrite(object, part(index));
    }

    // ---- collections: an element is ordered with the collection that it goes through, and with no other ----

    /** What an element is ordered by, of all that goes through the collection. */
    private static int partIn(Object collection) {
        return part(System.identityHashCode(collection));
    }

    private static void giveElement(Object element, int part, Object collection) {
        if (element != null) {
            TurnstileHook.nameByCollection(element, part, collection);
            TurnstileHook.volatileWrite(element, part);
        }
    }

    private static void takeElement(Object element, int part, Object collection) {
        if (element != null) {
            TurnstileHook.nameByCollection(element, part, collection);
            acquire(element, part);
        }
    }

    /** The element is about to be put in, or something to be removed (null). */
    public static void give(Object element, Object collection) {
        giveElement(element, partIn(collection), collection);
        TurnstileHook.syncReleased(collection);
    }

    public static void giveEntry(Object key, Object value, Object collection) {
        int part = partIn(collection);
        giveElement(key, part, collection);
        giveElement(value, part, collection);
        TurnstileHook.syncReleased(collection);
    }

    public static void giveAll(Object[] elements, Object collection) {
        if (elements == null) {
            return;
        }
        int part = partIn(collection);
        for (int i = 0; i < elements.length; i++) {
            giveElement(elements[i], part, collection);
        }
        TurnstileHook.syncReleased(collection);
    }

    /** The element, unless null, came out. */
    public static void take(Object element, Object collection) {
        takeElement(element, partIn(collection), collection);
    }

    public static void takeEntry(Object key, Object value, Object collection) {
        int part = partIn(collection);
        takeElement(key, part, collection);
        takeElement(value, part, collection);
    }

    /** The collection is about to compare the key. What the JDK's own equals and compareTo read is not watched. */
    public static void takeKey(Object key, Object collection) {
        if (isForeign(key)) {
            int part = partIn(collection);
            TurnstileHook.nameByCollection(key, part, collection);
            TurnstileHook.volatileRead(key, part);
        }
    }

    /** The same when it is not known which of its keys it will compare with this one. */
    public static void askKey(Object key, Object collection) {
        if (isForeign(key)) {
            TurnstileHook.volatileRead(collection, 0);
        }
    }

    /** It has compared the key with others: who gets one of them comes after that. */
    public static void releaseKey(Object key, Object collection) {
        if (isForeign(key)) {
            TurnstileHook.syncReleased(collection);
        }
    }

    public static void giveAny(Object element, Object collection) {
        giveElement(element != null ? element : collection, partIn(collection), collection);
    }

    public static void takeAny(Object element, Object collection) {
        takeElement(element != null ? element : collection, partIn(collection), collection);
    }

    /** Not of a class of the boot loader. */
    private static boolean isForeign(Object object) {
        return object != null && object.getClass().getClassLoader0() != null;
    }

    // ---- what the JVM and the JDK do for themselves on the program's threads: as if the thread were not known ----

    public static void stepAside() {
        Thread thread = Thread.currentThread();
        if (thread.$turnstile$aside++ == 0) {
            thread.$turnstile$asideSelf = thread.$turnstile$self;
            thread.$turnstile$asideExpected = thread.$turnstile$expected;
            thread.$turnstile$asidePending = thread.$turnstile$pending;
            thread.$turnstile$self = 0;
            thread.$turnstile$pending = 0;
        }
    }

    public static void stepBack() {
        Thread thread = Thread.currentThread();
        if (thread.$turnstile$aside > 0 && --thread.$turnstile$aside == 0 && thread.$turnstile$asideSelf != 0) {
            thread.$turnstile$self = thread.$turnstile$asideSelf;
            thread.$turnstile$expected = thread.$turnstile$asideExpected;
            thread.$turnstile$pending = thread.$turnstile$asidePending;
        }
    }

    // ---- synchronizers ----

    public static void stateRead(Object synchronizer) {
        if (isForeign(synchronizer)) {
            TurnstileHook.syncAcquired(synchronizer);
        }
    }

    public static void stateWrite(Object synchronizer) {
        if (isForeign(synchronizer)) {
            TurnstileHook.syncReleased(synchronizer);
        }
    }

    /**
     * A condition of a lock. What the thread does until it has the lock again is not the program's. (A synchronizer of
     * the program gives itself up and takes itself back by its state.)
     */
    public static void waiting(Object synchronizer, boolean quiet) {
        if (!quiet && !isForeign(synchronizer)) {
            TurnstileHook.waiting(synchronizer);
            stepAside();
        }
    }

    public static void waited(Object synchronizer, boolean quiet) {
        if (!quiet && !isForeign(synchronizer)) {
            stepBack();
        }
    }

    /** By an interrupt. */
    public static void waitThrown(Object synchronizer, boolean quiet) {
        waited(synchronizer, quiet);
        TurnstileHook.syncAcquired(Thread.currentThread());
    }

    // ---- StampedLock: bit 7 of a stamp is the write lock, bits 0 to 6 are readers, without them it is optimistic ----

    private static boolean isWrite(long stamp) {
        return (stamp & 0xff) == 0x80;
    }

    private static boolean isRead(long stamp) {
        return (stamp & 0x7f) != 0;
    }

    private static boolean isOptimistic(long stamp) {
        return (stamp & 0xff) == 0;
    }

    /** From now on what the thread reads counts only if the stamp turns out valid; 0 is one that will not. */
    public static void optimistic() {
        Thread thread = Thread.currentThread();
        thread.$turnstile$optimistic = true;
        TurnstileRecorder.stop(thread);
    }

    public static void convertedToOptimistic(long result) {
        Thread thread = Thread.currentThread();
        thread.$turnstile$optimistic = result != 0;
        TurnstileRecorder.stop(thread);
    }

    public static void stampedLock(Object lock) {
        Thread.currentThread().$turnstile$optimistic = false;
        TurnstileHook.acquired(lock);
    }

    public static void stampedShare(Object lock) {
        Thread.currentThread().$turnstile$optimistic = false;
        TurnstileHook.acquiredShared(lock);
    }

    public static void stampedTryLock(Object lock) {
        Thread.currentThread().$turnstile$optimistic = false;
        TurnstileHook.acquiredAtOnce(lock);
    }

    public static void stampedTryShare(Object lock) {
        Thread.currentThread().$turnstile$optimistic = false;
        TurnstileHook.acquiredSharedAtOnce(lock);
    }

    /** What was read comes after the last write, as it does for a reader. */
    public static void validated(boolean valid, long stamp, Object lock) {
        if (isOptimistic(stamp)) {
            Thread.currentThread().$turnstile$optimistic = false;
            if (valid) {
                TurnstileHook.acquiredShared(lock);
                TurnstileHook.releasedShared(lock);
            }
        }
    }

    public static void convertedToWrite(long result, long stamp, Object lock) {
        Thread.currentThread().$turnstile$optimistic = false;
        if (result != 0 && !isWrite(stamp)) {
            TurnstileHook.acquiredAtOnce(lock);
            if (isRead(stamp)) {
                TurnstileHook.releasedShared(lock);
            }
        }
    }

    public static void convertingToRead(long stamp, Object lock) {
        if (isWrite(stamp)) {
            TurnstileHook.acquiredShared(lock);
            TurnstileHook.released(lock);
        }
    }

    public static void convertedToRead(long result, long stamp, Object lock) {
        Thread.currentThread().$turnstile$optimistic = false;
        if (result != 0 && isOptimistic(stamp)) {
            TurnstileHook.acquiredShared(lock);
        }
    }

    public static void convertingToOptimistic(long stamp, Object lock) {
        if (isWrite(stamp)) {
            TurnstileHook.released(lock);
        } else if (isRead(stamp)) {
            TurnstileHook.releasedShared(lock);
        }
    }

    // ---- Phaser: the upper half of the state is the phase, its top bit says that the phaser has ended ----

    private static int phase(long state) {
        return (int) (state >>> 32) & Integer.MAX_VALUE;
    }

    public static void arriving(Object root, long state) {
        TurnstileHook.volatileWrite(root, part(phase(state)));
    }

    /** All have arrived; onAdvance is about to be called. */
    public static void advancing(Object root, long state) {
        TurnstileHook.volatileRead(root, part(phase(state)));
    }

    /** The phase before this one is over. */
    public static void passed(int phase, Object root) {
        acquire(root, part(phase - 1 & Integer.MAX_VALUE));
    }

    public static void passedState(Object root, long state) {
        passed(phase(state), root);
    }

    public static void awaited(Object root, int phase) {
        if (phase >= 0) {
            acquire(root, part(phase));
        }
    }

    // ---- reflection ----

    public static Field[] hide(Field[] fields) {
        int count = 0;
        for (int i = 0; i < fields.length; i++) {
            if (!fields[i].getName().startsWith(PREFIX)) {
                count++;
            }
        }
        if (count == fields.length) {
            return fields;
        }
        Field[] rest = new Field[count];
        int next = 0;
        for (int i = 0; i < fields.length; i++) {
            if (!fields[i].getName().startsWith(PREFIX)) {
                rest[next++] = fields[i];
            }
        }
        return rest;
    }

    public static Method[] hide(Method[] methods) {
        int count = 0;
        for (int i = 0; i < methods.length; i++) {
            if (!methods[i].getName().startsWith(PREFIX)) {
                count++;
            }
        }
        if (count == methods.length) {
            return methods;
        }
        Method[] rest = new Method[count];
        int next = 0;
        for (int i = 0; i < methods.length; i++) {
            if (!methods[i].getName().startsWith(PREFIX)) {
                rest[next++] = methods[i];
            }
        }
        return rest;
    }

    // ---- handles of fields ----

    /** Where VarHandle has the fields that were added to it. */
    private static final class Handle {
        static final long VARIABLE = UNSAFE.objectFieldOffset(VarHandle.class, "$turnstile$variable");
        static final long HOLDER = UNSAFE.objectFieldOffset(VarHandle.class, "$turnstile$holder");
    }

    private static final int READ = 1;
    private static final int WRITE = 2;
    private static final int UPDATE = 3;

    /** A use of the handle, by the program, with this first argument (null if that is no object). */
    public static void varHandle(VarHandle handle, Object object, int effect) {
        if (handle == null) {
            return;
        }
        int variable = UNSAFE.getInt(handle, Handle.VARIABLE);
        Object holder = UNSAFE.getReference(handle, Handle.HOLDER);
        if (holder != null) {
            object = holder;
        }
        if (effect == READ) {
            TurnstileHook.volatileRead(object, variable);
        } else if (effect == WRITE) {
            TurnstileHook.volatileWrite(object, variable);
        } else if (effect == UPDATE) {
            TurnstileHook.volatileUpdate(object, variable);
        }
    }

    /** The number of the field, as accesses of it have it; 0 for fields of the JDK's classes. */
    public static int variableOf(Class<?> named, String name) {
        Class<?> declaring = declaring(named, name);
        return declaring == null ? 0 : variable(declaring, name);
    }

    public static int variableOf(Field field) {
        return variableOf(field.getDeclaringClass(), field.getName());
    }

    /** The class that declares the static field. */
    public static Object holderOf(Class<?> named, String name) {
        Class<?> declaring = declaring(named, name);
        return declaring == null ? named : declaring;
    }

    public static Object holderOf(Field field) {
        return Modifier.isStatic(field.getModifiers()) ? field.getDeclaringClass() : null;
    }

    /** Null for the JDK's classes. It loads no class, as asking for the fields would. */
    private static Class<?> declaring(Class<?> named, String name) {
        Class<?> declaring = name == null ? null : named;
        while (declaring != null && declaring.getClassLoader0() != null && variable(declaring, name) == 0) {
            declaring = declaring.getSuperclass();
        }
        return declaring == null || declaring.getClassLoader0() == null ? null : declaring;
    }

    /** 0 if the class does not declare such a field. */
    private static native int variable(Class<?> declaring, String name);
}
