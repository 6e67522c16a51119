package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What rewritten code calls. It is defined in java.base, so that every class can see it and it can use what is in there.
 *
 * <p>All of it runs on the program's threads: it throws nothing, takes no lock, and except where it says so allocates
 * nothing. Each thread's state is in fields that are added to java.lang.Thread:
 *
 * <ul>
 * <li>{@code expected}: what a shadow word holds in its low bits when this thread has nothing new to tell of the variable;
 *     -1, which no word has, when something is pending
 * <li>{@code settled}: the same bits, with those of a word's age: what words of variables hold, but for the low bits of
 *     the segment, that this thread has long been alone with
 * <li>{@code reading}, {@code writing}: the same bits of the word (and, for writes, that it was written), of those that
 *     several threads use, that was last found to cover a read, or a write, of this thread; -1 when it has released
 *     something since
 * <li>{@code fresh}: the whole word of a variable that only this thread has written, in its present segment
 * <li>{@code self}: the run time's address for this thread; 0 when it is not known to it
 * <li>{@code birth}: tells it from other threads that had the same place there
 * <li>{@code pending}: what the thread's next event has to tell first: a volatile that was read, or that a wait is over
 * </ul>
 *
 * A volatile read acquires, and that must be told after the read, but rewritten code calls only before an access. So the
 * read is noted as pending; the next event of the thread, whatever it is, comes after it and tells it.
 */
public final class TurnstileHook {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    static {
        registerNatives(
                TurnstileLibrary.class, TurnstileObjects.class, TurnstileRecorder.class, TurnstileSampler.class);
    }

    // The parts of a shadow word: see src/engine/word.h.

    /** The bits that say which thread accessed last, and in which of its segments. */
    private static final long READ_MASK = (1L << 36) - 1;
    private static final long SEGMENT_MASK = (1L << 24) - 1;
    private static final long WRITTEN = 1L << 36;
    private static final long SHARED_WORD = 1L << 37;
    private static final int HIGH_SHIFT = 38;
    private static final int DISTANCE_SHIFT = 54;
    private static final int DISTANCE_MAX = 127;
    private static final int AGE_SHIFT = 61;
    private static final long SETTLED = 7L << AGE_SHIFT;
    private static final int STRETCH_SHIFT = 4;
    private static final long WINDOW = 64;
    private static final long WINDOW_MASK = SETTLED | SHARED_WORD | READ_MASK & ~(WINDOW - 1);
    private static final long BUSY_WINDOW = 256;
    private static final long BUSY_MASK = 0xFFFFL << HIGH_SHIFT | SHARED_WORD | READ_MASK & ~(BUSY_WINDOW - 1);
    private static final long OWNED_SEGMENTS = (1L << 40) - 1;

    // Where things are in the run time's memory: see src/engine/inline.h and natives.c. As constants of a class that
    // is initialized they cost nothing in compiled code.

    private static final long RECORD_CHUNKS = layout(0);
    private static final int CHUNK_RECORDS = (int) layout(1);
    private static final int INDEX_MASK = (int) layout(2);
    private static final int RECORD_SIZE = (int) layout(3);
    private static final int RECORD_GUARD = (int) layout(4);
    private static final int RECORD_SEEN = (int) layout(5);
    private static final long LOCATIONS = layout(6);
    private static final long LOCATIONS_MASK = layout(7);
    private static final int NOTED = (int) layout(8);
    private static final int SELF_SEEN = (int) layout(9);
    private static final long SITE_ACCESSED = layout(10);
    private static final long SITE_VARIABLE = layout(11);
    private static final long SITE_COUNTS = layout(12);
    private static final int EXACT_FIRST = 64;

    /** Code that came here so often counts as busy. */
    static final int BUSY = 10_000;

    private static final int CHANCE = (int) layout(78);
    private static final int BIRTH_EPOCH = (int) layout(79);
    private static final int HANDOVER_COUNT = (int) layout(80);
    private static final int HANDOVERS = (int) layout(81);
    private static final int HANDOVERS_KEPT = 32;
    private static final int HANDOVER_SIZE = 24;
    private static final int HANDOVER_SEGMENT = 8;
    private static final int HANDOVER_LOCK = 16;
    private static final int SEGMENT = (int) layout(13);
    private static final int HELD_COUNT = (int) layout(14);
    private static final int SEGMENTS = (int) layout(15);
    private static final long LOCK_MARKS = layout(16);
    private static final int LOCK_SET_MASK = (int) layout(17);
    private static final int LOCK_ENTRY_SIZE = (int) layout(18);
    private static final int LOCK_ID = (int) layout(19);
    private static final int LOCK_STAMP = (int) layout(20);
    private static final int LOCK_WAYS = 4;
    private static final int STAMP_SEGMENT_BITS = 50;
    private static final long STAMP_SEGMENT_MASK = (1L << STAMP_SEGMENT_BITS) - 1;
    private static final long THREADS = layout(21);
    private static final int BIRTH = (int) layout(22);
    private static final int FULL = (int) layout(23);
    private static final int HELD = (int) layout(24);
    private static final int HELD_INLINE = (int) layout(25);
    private static final int HELD_INLINE_COUNT = 8;
    private static final int SEGMENT_LOCKS = 4;
    private static final long LOCK_IS_SHARED = 0x80000000L;
    private static final int HELD_SIZE = 12;
    private static final int HELD_EXCLUSIVE = 4;
    private static final int HELD_SHARED = 8;
    private static final int CLOCK_COUNT = (int) layout(26);
    private static final int CLOCK_EPOCHS = (int) layout(27);
    private static final int SELF_LOCKS = (int) layout(28);
    private static final long LOCK_PLACES = layout(29);
    private static final int LOCK_PLACES_MASK = 0xFFFF;
    private static final int VERSION_COUNT = (int) layout(30);
    private static final int VERSIONS = (int) layout(31);
    private static final int VERSIONS_KEPT = 8;
    private static final int VERSION_SIZE = 24;
    private static final int VERSION_FROM = 8;
    private static final int VERSION_CLOCK = 16;
    private static final int CLOCK_REFERENCES = (int) layout(32);
    private static final int CLOCK_EVERYTHING = (int) layout(33);
    private static final long SYNC_MARKS = layout(34);
    private static final int SYNC_SET_MASK = (int) layout(35);
    private static final int ORDERED = (int) layout(36);
    private static final int SELF_SYNCS = (int) layout(37);
    private static final int GROWTH = (int) layout(38);
    private static final int LOCK_GROWTH = (int) layout(39);
    private static final int GROWTH_LEARNED = 8;
    /** Everything is told: see TurnstileRecorder. */
    static final boolean RECORDING = layout(40) != 0;
    private static final int CLOCK_SMALL = 16; // every clock has room for so many

    /** Where the elements of a long[] start. (Unsafe says so too, but with another type in each JDK.) */
    private static final long WORDS_BASE = wordsBase();

    /**
     * Variables that several threads read have words that say which: instead of thread and segment, a bit for each of up
     * to 8 threads, and the phase (above them) in which these bits are good. A thread's bit says that the run time knows
     * of a read by it, with no lock held, since it last released anything but a lock. Whenever any thread does that, it
     * begins another phase; so bits are never good for too long. A word that says so and that it was written has the bit
     * of the only thread that uses the variable.
     *
     * <p>The same for variables that one lock guards: then the phase is mixed with a tag of the lock, and the bits are
     * those of threads that the run time knows to access the variable with that lock (and to write it, if the word says
     * that it was written). They need not even look at the variable's record. One lock in 65,535 has the same tag: who
     * comes with that one instead is not seen.
     */
    private static final long READERS = 0xFF;

    private static final long PHASE_STEP = 0x100;
    private static final long PHASE_MASK = 0xFFFF00;
    private static long phase;

    private static final int SEEN_SLOT = (1 << 12) - 1;
    private static final int SEEN_WRITE = 1 << 12;
    private static final int SEEN_EPOCH_SHIFT = 13;
    private static final int SEEN_EPOCH_MASK = (1 << 18) - 1;
    private static final int SEEN_LOCKS = 1 << 31;
    private static final int SEEN_PLACES = 7;

    /** The variable is not watched. */
    private static final long UNWATCHED = -1;

    /** Pending: a wait. Volatiles have numbers above 0. */
    private static final int WAITED = -1;

    private static final int EXCLUSIVE = 0;
    private static final int SHARED = 1;

    /** A way to acquire a lock that does not wait for it, or not for ever. */
    private static final int AT_ONCE = 2;

    private TurnstileHook() {
    }

    // ---- what check methods compare ----

    /**
     * Whether a read of the variable with this word has nothing to tell, as far as that can be seen at once. What it takes to
     * see the rest stands in readField: in every check it would make the program's methods large, and the JIT slow.
     */
    public static boolean isReadCovered(long word) {
        Thread thread = Thread.currentThread();
        long low = word & READ_MASK;
        return low == thread.$turnstile$reading || low == thread.$turnstile$expected;
    }

    /**
     * The same for several variables.
     *
     * @param word of the first of them
     * @param differences the bits in which another has another word
     */
    public static boolean areReadsCovered(long word, long differences) {
        Thread thread = Thread.currentThread();
        long low = word & READ_MASK;
        return (differences & READ_MASK) == 0
                && (low == thread.$turnstile$reading
                        || low == thread.$turnstile$expected
                        || areReadsSettled(thread, word, differences));
    }

    @DontInline // where the first comparisons fail
    private static boolean areReadsSettled(Thread thread, long word, long differences) {
        return isReadSettled(thread, word, word & READ_MASK, differences);
    }

    @ForceInline
    private static boolean isReadSettled(Thread thread, long word, long low, long differences) {
        if ((word & SHARED_WORD) == 0) {
            return ((word ^ thread.$turnstile$settled | differences) & WINDOW_MASK) == 0;
        }
        if ((low & thread.$turnstile$reader) == 0) {
            return false;
        }
        long mark = (low ^ phase) & ~READERS;
        if (mark == 0 || mark == thread.$turnstile$tag0 || mark == thread.$turnstile$tag1) {
            // The thread's bit was set in this phase, so since its last release: whoever else begins another phase, all
            // words that look like this one are good until it releases something.
            thread.$turnstile$reading = low;
            return true;
        }
        return false;
    }

    /** As isReadCovered, for a write. */
    public static boolean isWriteCovered(long word) {
        Thread thread = Thread.currentThread();
        long low = word & (READ_MASK | WRITTEN);
        return low == thread.$turnstile$writing || low == (thread.$turnstile$expected | WRITTEN);
    }

    /** As areReadsCovered, for writes. */
    public static boolean areWritesCovered(long word, long differences) {
        Thread thread = Thread.currentThread();
        long low = word & (READ_MASK | WRITTEN);
        return (differences & (READ_MASK | WRITTEN)) == 0
                && (low == thread.$turnstile$writing
                        || low == (thread.$turnstile$expected | WRITTEN)
                        || areWritesSettled(thread, word, differences));
    }

    @DontInline // as areReadsSettled
    private static boolean areWritesSettled(Thread thread, long word, long differences) {
        return isWriteSettled(thread, word, word & (READ_MASK | WRITTEN), differences);
    }

    /** Whether one thread alone has long had the variable, or it is shared and this thread's use of it is known. */
    @ForceInline
    private static boolean isSettled(Thread thread, long word, boolean write) {
        return write
                ? isWriteSettled(thread, word, word & (READ_MASK | WRITTEN), 0)
                : isReadSettled(thread, word, word & READ_MASK, 0);
    }

    @ForceInline
    private static boolean isWriteSettled(Thread thread, long word, long low, long differences) {
        if ((word & SHARED_WORD) == 0) {
            return ((word ^ (thread.$turnstile$settled | WRITTEN) | differences) & (WINDOW_MASK | WRITTEN)) == 0;
        }
        long mark = (low ^ phase) & ~READERS;
        if ((low & thread.$turnstile$reader) != 0
                && (mark == WRITTEN
                        || mark == (thread.$turnstile$tag0 | WRITTEN)
                        || mark == (thread.$turnstile$tag1 | WRITTEN))) {
            thread.$turnstile$writing = low; // as in isReadSettled
            return true;
        }
        return false;
    }

    /**
     * Whether the fields of another class can be checked together: above 0 if so, below if not, 0 if it is not known yet.
     *
     * @param state what is known from others
     * @param offset what readField gave for the field
     */
    public static int joined(int state, long offset) {
        return Math.min(state, Long.signum(offset));
    }

    /** The same for a field that is only read among them: it must not be volatile. */
    public static int passed(int state, long offset) {
        return offset == UNWATCHED ? state : joined(state, offset);
    }

    /** Not 0 if the thread tells all that it does. */
    public static int telling() {
        return Thread.currentThread().$turnstile$fresh == 0 ? 1 : 0;
    }

    public static long fresh() {
        return Thread.currentThread().$turnstile$fresh;
    }

    public static long word(Object object, long offset) {
        return UNSAFE.getLong(object, offset);
    }

    // ---- accesses that the comparison does not cover ----
    //
    // Each is compiled once, not with every check, and what they have in common once more: mostly they find that the
    // variable is settled, and need little room on the stack for that.

    /**
     * A read of the variable whose word is at the offset: in the object or, for a static field, its class.
     *
     * @param offset 0 if it is not known yet; below 0: what this method gave for it
     * @return the offset to use from now on
     */
    @DontInline
    public static long readField(Object object, long offset, int site) {
        return isSettled(object, offset, site, false) ? offset : access(object, offset, site, 0, false);
    }

    @DontInline
    public static long writeField(Object object, long offset, int site) {
        return isSettled(object, offset, site, true) ? offset : access(object, offset, site, 0, true);
    }

    /** A read of a field that is not volatile, and that a write follows at once. Only where everything is told. */
    @DontInline
    public static long updateField(Object object, long offset, int site) {
        long known = offset != 0 ? offset : resolve(object, site);
        Thread thread = Thread.currentThread();
        settle(thread);
        if (known > 0 && thread.$turnstile$self != 0) {
            TurnstileRecorder.access(thread, thread.$turnstile$self, object, known, site, TurnstileRecorder.UPDATE);
        }
        return known;
    }

    /** Elements of arrays; the words are as many as the elements (or one for all). */
    @DontInline
    public static void readElement(long[] words, int index, int site) {
        long offset = elementOffset(index);
        if (!isSettled(words, offset, site, false)) {
            access(words, offset, site, index + 1, false);
        }
    }

    @DontInline
    public static void writeElement(long[] words, int index, int site) {
        long offset = elementOffset(index);
        if (!isSettled(words, offset, site, true)) {
            access(words, offset, site, index + 1, true);
        }
    }

    @ForceInline
    private static boolean isSettled(Object object, long offset, int site, boolean write) {
        if (RECORDING || offset <= 0) {
            return false;
        }
        Thread thread = Thread.currentThread();
        long word = UNSAFE.getLong(object, offset);
        return isSettled(thread, word, write) || isBusy(thread, word, site, write);
    }

    /** As word_busy_covers of the engine, in busy code. */
    @ForceInline
    private static boolean isBusy(Thread thread, long word, int site, boolean write) {
        return ((word ^ thread.$turnstile$fresh) & BUSY_MASK) == 0
                && word >>> AGE_SHIFT != 0
                && (!write || (word & WRITTEN) != 0)
                && at(SITE_COUNTS, site) >= BUSY;
    }

    private static long elementOffset(int index) {
        return WORDS_BASE + ((long) index << 3);
    }

    private static long wordsBase() {
        long[] words = {0x5475726e7374696cL};
        long offset = 8;
        while (UNSAFE.getLong(words, offset) != words[0]) {
            offset += 4;
        }
        return offset;
    }

    @DontInline
    private static long access(Object object, long offset, int site, int key, boolean write) {
        if (offset <= 0) {
            if (offset == 0) {
                offset = resolve(object, site);
            }
            if (offset < UNWATCHED) {
                int variable = (int) -(offset + 1);
                if (write) {
                    volatileWrite(object, variable);
                } else {
                    volatileRead(object, variable);
                }
            }
            if (offset <= 0) {
                return offset;
            }
        }
        Thread thread = Thread.currentThread();
        boolean pending = thread.$turnstile$pending != 0;
        settle(thread);
        long self = thread.$turnstile$self;
        if (self == 0 || !write && thread.$turnstile$optimistic) {
            return offset;
        }
        if (RECORDING) {
            TurnstileRecorder.access(thread, self, object, offset, site,
                    write ? TurnstileRecorder.WRITE : TurnstileRecorder.READ);
            return offset;
        }
        if (TurnstileSampler.isTelling(self)) {
            TurnstileSampler.access(thread, self, object, offset, site, write);
        }
        long word = UNSAFE.getLongVolatile(object, offset);
        if (pending && ((write ? isWriteCovered(word) : isReadCovered(word)) || isSettled(thread, word, write))) {
            return offset; // only what was pending kept it from being seen before
        }
        if (thread.$turnstile$fresh != 0
                && ((word & SHARED_WORD) != 0
                        ? isSeen(thread, self, object, offset, word, site, write)
                        : isOwnAccess(thread, self, object, offset, word, site, key, write))) {
            return offset;
        }
        long result;
        do {
            word = UNSAFE.getLongVolatile(object, offset);
            result = access(self, word, site, key, identityFor(thread, object, word, site), write);
        } while (result != word && !UNSAFE.compareAndSetLong(object, offset, word, result) && lost(word, result));
        return offset;
    }

    /** The class whose static field is meant, for a field that is named by another class. */
    public static Object holder(Class<?> named, int site) {
        return declaringClass(named, site);
    }

    // ---- copies ----

    private static final int COPIED_CLASSES = 256;

    /** Classes that were copied lately, and where their shadows are. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final WeakReference<Class<?>>[] copiedClasses = new WeakReference[COPIED_CLASSES];

    private static final long[][] copiedShadows = new long[COPIED_CLASSES][];

    /** The object was just made by Object.clone: its shadows are those of the other. */
    public static void copied(Object copy) {
        if (copy == null) {
            return;
        }
        try {
            long[] shadows = shadowsOf(copy.getClass());
            for (int i = 1; i < shadows.length; i++) {
                if (shadows[i] > 0) {
                    UNSAFE.putLong(copy, shadows[i], 0);
                } else {
                    UNSAFE.putInt(copy, -shadows[i], 0); // the number of its lock
                }
            }
        } catch (OutOfMemoryError | StackOverflowError error) {
            // then it may be taken for the other
        }
    }

    private static long[] shadowsOf(Class<?> type) {
        int place = System.identityHashCode(type) & COPIED_CLASSES - 1;
        WeakReference<Class<?>> known = copiedClasses[place];
        long[] offsets = copiedShadows[place];
        // The two may not be of the same class, if another thread is just changing them: the first number tells.
        if (known != null && offsets != null && known.refersTo(type) && offsets[0] == System.identityHashCode(type)) {
            return offsets;
        }
        offsets = shadows(type);
        offsets[0] = System.identityHashCode(type);
        copiedShadows[place] = offsets;
        copiedClasses[place] = new WeakReference<>(type);
        return offsets;
    }

    /** Called by the run time. */
    private static long offset(java.lang.reflect.Field field, boolean isStatic) {
        return isStatic ? UNSAFE.staticFieldOffset(field) : UNSAFE.objectFieldOffset(field);
    }

    /**
     * An access by the only thread that has accessed the variable so far. The word is all that there is to change, and
     * the place is noted.
     */
    private static boolean isOwnAccess(
            Thread thread, long self, Object object, long offset, long word, int site, int key, boolean write) {
        long fresh = thread.$turnstile$fresh;
        long distance = 0;
        long age = 0;
        if (word != 0) {
            long segment = segmentOf(fresh);
            long last = segmentOf(word);
            long since = segment - last & OWNED_SEGMENTS;
            if (((word ^ fresh) & READ_MASK & ~SEGMENT_MASK) != 0
                    || since > (segment - thread.$turnstile$birth & OWNED_SEGMENTS)) {
                return false; // another thread's, or of one that had the same place before
            }
            long before = word >>> DISTANCE_SHIFT & DISTANCE_MAX;
            if (!write && ((word & WRITTEN) != 0 || before != 0)) {
                distance = before == DISTANCE_MAX ? before : Math.min(before + since, DISTANCE_MAX);
            }
            age = word & SETTLED;
            if (age != SETTLED && last >> STRETCH_SHIFT != segment >> STRETCH_SHIFT) {
                age += 1L << AGE_SHIFT;
            }
        }
        int count = at(SITE_COUNTS, site);
        if (count < EXACT_FIRST) {
            return false; // the run time takes its stack
        }
        if (count >= BUSY && age == 0) {
            age = 1L << AGE_SHIFT; // says that there is a note
        }
        long engine = UNSAFE.getLong(self);
        if (UNSAFE.getLong(engine + NOTED) != UNSAFE.getLong(engine + SEGMENT) && !isSegmentNoted(engine)) {
            return false;
        }
        putLocation(fresh, site, key ^ identityAt(object, site), write);
        long result = (write ? fresh : fresh & ~WRITTEN | distance << DISTANCE_SHIFT) | age;
        return UNSAFE.compareAndSetLong(object, offset, word, result);
    }

    /** Does what thread_note_segment of the engine does, if there are few locks. */
    private static boolean isSegmentNoted(long engine) {
        long segment = UNSAFE.getLong(engine + SEGMENT);
        long note = engine + SEGMENTS + (segment & 255) * 24;
        int count = UNSAFE.getInt(engine + HELD_COUNT);
        if (count > SEGMENT_LOCKS || UNSAFE.getLong(engine + HELD) != engine + HELD_INLINE) {
            return false;
        }
        UNSAFE.putLong(note, 0);
        UNSAFE.storeFence();
        UNSAFE.putLong(note + 8, noteOf(engine, 0, count) | noteOf(engine, 1, count) << 32);
        UNSAFE.putLong(note + 16, noteOf(engine, 2, count) | noteOf(engine, 3, count) << 32);
        UNSAFE.storeFence();
        UNSAFE.putLong(note, segment);
        UNSAFE.putLong(engine + NOTED, segment);
        return true;
    }

    private static long noteOf(long engine, int index, int count) {
        if (index >= count) {
            return 0;
        }
        long held = engine + HELD_INLINE + index * HELD_SIZE;
        return UNSAFE.getInt(held) + 1L | (UNSAFE.getInt(held + HELD_EXCLUSIVE) != 0 ? 0 : LOCK_IS_SHARED);
    }

    private static long segmentOf(long word) {
        return word & SEGMENT_MASK | (word >>> HIGH_SHIFT & 0xFFFF) << 24;
    }

    /** As put_site of the engine does. */
    private static void putLocation(long fresh, int site, int key, boolean write) {
        int accessed = at(SITE_ACCESSED, site);
        int variable = at(SITE_VARIABLE, accessed);
        if (variable == 0) {
            variable = accessed;
        }
        long who = ((fresh >>> 24 & 0xFFF) * 2 + (write ? 1 : 0)) * 0xD1B54A32D192ED03L;
        long place = mix(((long) key << 32 | variable) ^ who) + (fresh & SEGMENT_MASK);
        long hash = mix(place);
        long entry = LOCATIONS + ((place & LOCATIONS_MASK) << 4);
        long value = (long) site << 32;
        UNSAFE.putLong(entry + 8, value);
        UNSAFE.putLong(entry, (hash == 0 ? 1 : hash) ^ mix(value));
    }

    /**
     * What tells the object from others in the notes of places: as long as the site is not a busy one, since an identity
     * is not for nothing. 0: none.
     */
    private static int identityAt(Object object, int site) {
        long chunk = UNSAFE.getLong(SITE_COUNTS + ((long) (site >>> 12) << 3));
        if (chunk == 0) {
            countSite(site);
            return System.identityHashCode(object);
        }
        long place = chunk + ((site & 4095) << 2);
        int count = UNSAFE.getInt(place);
        if (count >= BUSY) {
            return 0;
        }
        UNSAFE.putInt(place, count + 1);
        return System.identityHashCode(object);
    }

    /** The same for an access that goes to the run time: there it may be needed to find what another thread noted. */
    private static int identityFor(Thread thread, Object object, long word, int site) {
        boolean others = word != 0
                && (word & SHARED_WORD) == 0
                && ((word ^ thread.$turnstile$fresh) & READ_MASK & ~SEGMENT_MASK) != 0;
        return others ? System.identityHashCode(object) : identityAt(object, site);
    }

    /** Tells the thread from others, also from those that had its place before. */
    static int ownerTag(Thread thread) {
        return (int) (thread.$turnstile$self >>> 4) * 31 + (int) thread.$turnstile$birth;
    }

    private static int at(long index, int number) {
        long chunk = UNSAFE.getLong(index + ((long) (number >>> 12) << 3));
        return chunk == 0 ? 0 : UNSAFE.getInt(chunk + ((number & 4095) << 2));
    }

    static long mix(long value) {
        value = (value ^ value >>> 32) * 0x9E3779B97F4A7C15L;
        return value ^ value >>> 29;
    }

    /** An access of a variable with its guard, or a read of one without, by a thread that has been seen there. */
    private static boolean isSeen(
            Thread thread, long self, Object object, long offset, long word, int site, boolean write) {
        int handle = (int) (word >>> HIGH_SHIFT);
        int index = handle & INDEX_MASK;
        long record = UNSAFE.getLong(RECORD_CHUNKS + ((long) (index / CHUNK_RECORDS) << 3))
                + (long) (index % CHUNK_RECORDS) * RECORD_SIZE;
        long guard = UNSAFE.getLong(record + RECORD_GUARD);
        int lock = (int) (guard >>> 32);
        if ((int) guard != handle + 1
                || lock != 0 && !isHeld(UNSAFE.getLong(self), lock, write)) {
            return false;
        }
        int want = UNSAFE.getInt(self + SELF_SEEN);
        int seen = UNSAFE.getInt(record + RECORD_SEEN + ((want & SEEN_PLACES) << 2));
        boolean wrote = seen == (want | SEEN_WRITE);
        if (!wrote && (write || seen != want)) {
            if ((seen & SEEN_SLOT) != (want & SEEN_SLOT)
                    || write && (seen & SEEN_WRITE) == 0
                    || !isOfThread(self, want, seen)
                    || !isLeftOut(self, site)) {
                return false;
            }
            if (lock == 0 && ((seen & SEEN_LOCKS) != 0 || UNSAFE.getInt(UNSAFE.getLong(self) + HELD_COUNT) != 0)) {
                return true; // the next one may come with other locks
            }
            wrote = write;
        }
        long above = word & ~(READ_MASK | WRITTEN);
        long now = phase;
        if (lock != 0 && thread.$turnstile$reader != 0) {
            long mark = now ^ tagOf(lock);
            long others = (word & READ_MASK & ~READERS) == mark ? word & READERS : 0;
            boolean writers = others != 0 && (word & WRITTEN) != 0;
            if (wrote && !writers) {
                others = 0; // they may only have read
            }
            if (wrote || !writers) { // else they would have to prove again that they write
                UNSAFE.compareAndSetLong(object, offset, word,
                        above | mark | others | thread.$turnstile$reader | (wrote ? WRITTEN : 0));
            }
        } else if (lock != 0 || wrote) {
            // The thread is alone here; should there be others they have the same handle. A write has nothing to tell
            // either if it was seen writing.
            boolean phased = lock == 0 && thread.$turnstile$reader != 0;
            UNSAFE.putLong(object, offset,
                    above | (phased ? now | thread.$turnstile$reader : thread.$turnstile$expected) | (wrote ? WRITTEN : 0));
        } else if (thread.$turnstile$reader != 0) {
            long readers = (word & READ_MASK & ~READERS) == now && (word & WRITTEN) == 0 ? word & READERS : 0;
            UNSAFE.compareAndSetLong(object, offset, word, above | now | readers | thread.$turnstile$reader);
        }
        return true;
    }

    /** As thread_was of the engine. */
    private static boolean isOfThread(long self, int want, int seen) {
        int epoch = want >>> SEEN_EPOCH_SHIFT;
        int birth = UNSAFE.getInt(UNSAFE.getLong(self) + BIRTH_EPOCH);
        return (epoch - (seen >>> SEEN_EPOCH_SHIFT) & SEEN_EPOCH_MASK) <= (epoch - birth & SEEN_EPOCH_MASK);
    }

    /** In busy code most of what engine_was_seen says need not be told: one in so many is, by chance. */
    private static boolean isLeftOut(long self, int site) {
        if (at(SITE_COUNTS, site) < BUSY) {
            return false;
        }
        int chance = nextChance(UNSAFE.getInt(self + CHANCE));
        UNSAFE.putInt(self + CHANCE, chance);
        return !isOneInSixteen(chance);
    }

    /** A linear congruential generator: its high bits are as good as chance. */
    static int nextChance(int chance) {
        return chance * 1_664_525 + 1_013_904_223;
    }

    static boolean isOneInSixteen(int chance) {
        return chance >>> 28 == 0;
    }

    // ---- volatile fields, and what VarHandles do to fields ----

    /** @param variable the number of the field */
    public static void volatileRead(Object object, int variable) {
        if (object == null) {
            return;
        }
        Thread thread = Thread.currentThread();
        int sync = mix(object, variable);
        int pending = thread.$turnstile$pending;
        if (pending == sync && !isTold(thread)) {
            return;
        }
        if (pending != 0) {
            settle(thread);
        }
        thread.$turnstile$pending = sync;
        thread.$turnstile$expected = -1;
        if (isTold(thread)) {
            if (RECORDING) {
                TurnstileRecorder.stop(thread);
            }
            notePlace(thread.$turnstile$self);
        }
    }

    /** Whether all that the thread does goes into a trace. */
    private static boolean isTold(Thread thread) {
        long self = thread.$turnstile$self;
        return self != 0 && (RECORDING || TurnstileSampler.isTelling(self));
    }

    public static void volatileWrite(Object object, int variable) {
        if (object != null) {
            release(mix(object, variable));
        }
    }

    /** A read and a write in one step. */
    public static void volatileUpdate(Object object, int variable) {
        if (object != null) {
            release(mix(object, variable));
            volatileRead(object, variable);
        }
    }

    // ---- monitors and other locks ----

    /**
     * The number of a lock, asked for while nobody holds its monitor: afterwards that would be slow. Rewritten code
     * keeps it for as long as it has the monitor.
     */
    public static int number(Object object) {
        return object == null ? 0 : identity(object);
    }

    public static void touch(Object object) {
        number(object);
    }

    /** @param number what {@code number} gave, or 0 */
    @DontInline // compiled once, not again and again with every method that locks
    public static void entered(Object lock, int number) {
        Thread thread = Thread.currentThread();
        settle(thread);
        if (thread.$turnstile$self != 0) {
            int known = number != 0 ? number : identity(lock);
            thread.$turnstile$optimistic = false; // should nobody have asked whether the stamp was valid
            if (!isQuickAcquire(thread, known)) {
                name(known, lock);
                expect(thread, lockAcquire(thread.$turnstile$self, known, EXCLUSIVE));
                tag(thread);
            }
        }
    }

    @DontInline
    public static void leaving(Object lock, int number) {
        Thread thread = Thread.currentThread();
        settle(thread);
        if (thread.$turnstile$self != 0) {
            int known = number != 0 ? number : identity(lock);
            if (TurnstileSampler.hasToldLocks(thread.$turnstile$self) || !isQuickRelease(thread, known)) {
                expect(thread, lockRelease(thread.$turnstile$self, known, EXCLUSIVE));
                tag(thread);
            }
        }
    }

    /** What a lock is called in reports is noted once. */
    static void name(int number, Object lock) {
        if (isNameless(number)) {
            nameLock(number, lock);
        }
    }

    private static boolean isNameless(int number) {
        return UNSAFE.getInt(LOCK_PLACES + ((number ^ number >>> 16) & LOCK_PLACES_MASK) * 4L) == 0;
    }

    /** The engine does the same with sync_stamp_known and thread_hold. */
    @ForceInline
    private static boolean isQuickAcquire(Thread thread, int lock) {
        long fresh = thread.$turnstile$fresh;
        long self = thread.$turnstile$self;
        long engine = UNSAFE.getLong(self);
        long held = engine + HELD_INLINE;
        int count = UNSAFE.getInt(engine + HELD_COUNT);
        if (fresh == 0 || count >= HELD_INLINE_COUNT || UNSAFE.getLong(engine + HELD) != held) {
            return false;
        }
        for (int i = 0; i < count; i++, held += HELD_SIZE) {
            if (UNSAFE.getInt(held) == lock) {
                int times = UNSAFE.getInt(held + HELD_EXCLUSIVE);
                if (times == 0) {
                    return false;
                }
                UNSAFE.putInt(held + HELD_EXCLUSIVE, times + 1);
                countLock(self);
                return true;
            }
        }
        long entry = stampEntry(LOCK_MARKS, lock & LOCK_SET_MASK, lock);
        if (entry == 0) {
            return false;
        }
        long stamp = UNSAFE.getLongVolatile(null, entry + LOCK_STAMP);
        if (stamp == 0 || UNSAFE.getInt(entry + LOCK_ID) != lock) {
            return false;
        }
        if (!isStampKnown(thread, UNSAFE.getLong(engine + FULL), stamp)) {
            if (!isStampLearned(thread, engine, entry, stamp)) {
                return false;
            }
            noteHandOver(engine, lock, stamp);
        }
        UNSAFE.putInt(held, lock);
        UNSAFE.putInt(held + HELD_EXCLUSIVE, 1);
        UNSAFE.putInt(held + HELD_SHARED, 0);
        UNSAFE.putInt(engine + HELD_COUNT, count + 1);
        thread.$turnstile$tag1 = thread.$turnstile$tag0;
        thread.$turnstile$tag0 = tagOf(lock);
        newSegment(thread, engine, fresh);
        countLock(self);
        return true;
    }

    /** The same with sync_stamp_replace and thread_let_go. */
    @ForceInline
    private static boolean isQuickRelease(Thread thread, int lock) {
        long fresh = thread.$turnstile$fresh;
        long self = thread.$turnstile$self;
        long engine = UNSAFE.getLong(self);
        int count = UNSAFE.getInt(engine + HELD_COUNT);
        long held = engine + HELD_INLINE + (count - 1) * HELD_SIZE;
        if (fresh == 0
                || count == 0
                || UNSAFE.getLong(engine + HELD) != engine + HELD_INLINE
                || UNSAFE.getInt(held) != lock
                || UNSAFE.getInt(held + HELD_SHARED) != 0) {
            return false;
        }
        int times = UNSAFE.getInt(held + HELD_EXCLUSIVE);
        if (times > 1) {
            UNSAFE.putInt(held + HELD_EXCLUSIVE, times - 1);
            countLock(self);
            return true;
        }
        long entry = stampEntry(LOCK_MARKS, lock & LOCK_SET_MASK, lock);
        if (entry == 0) {
            return false;
        }
        long stamp = UNSAFE.getLongVolatile(null, entry + LOCK_STAMP);
        long mine = (fresh >>> 24 & 0xFFF) << STAMP_SEGMENT_BITS | UNSAFE.getLong(engine + SEGMENT);
        if (stamp == 0
                || UNSAFE.getInt(entry + LOCK_ID) != lock
                || !isStampKnown(thread, UNSAFE.getLong(engine + FULL), stamp)) {
            return false;
        }
        // Nobody reads that before the lock is free.
        UNSAFE.putLong(entry + LOCK_GROWTH, UNSAFE.getLong(engine + GROWTH));
        UNSAFE.putLong(entry + LOCK_GROWTH + GROWTH_LEARNED, UNSAFE.getLong(engine + GROWTH + GROWTH_LEARNED));
        if (!UNSAFE.compareAndSetLong(null, entry + LOCK_STAMP, stamp, mine)) {
            return false;
        }
        UNSAFE.putInt(engine + HELD_COUNT, count - 1);
        thread.$turnstile$tag0 = thread.$turnstile$tag1;
        thread.$turnstile$tag1 = count > 2 ? tagOfHeld(held - 2 * HELD_SIZE) : 0;
        thread.$turnstile$reading = -1;
        thread.$turnstile$writing = -1;
        newSegment(thread, engine, fresh);
        countLock(self);
        return true;
    }

    /** What isQuickAcquire does, without anything about order: the trace has that. */
    static boolean isQuickHold(long self, int lock) {
        long engine = UNSAFE.getLong(self);
        long held = engine + HELD_INLINE;
        int count = UNSAFE.getInt(engine + HELD_COUNT);
        if (count >= HELD_INLINE_COUNT || UNSAFE.getLong(engine + HELD) != held) {
            return false;
        }
        for (int i = 0; i < count; i++, held += HELD_SIZE) {
            if (UNSAFE.getInt(held) == lock) {
                int times = UNSAFE.getInt(held + HELD_EXCLUSIVE);
                if (times == 0) {
                    return false;
                }
                UNSAFE.putInt(held + HELD_EXCLUSIVE, times + 1);
                countLock(self);
                return true;
            }
        }
        UNSAFE.putInt(held, lock);
        UNSAFE.putInt(held + HELD_EXCLUSIVE, 1);
        UNSAFE.putInt(held + HELD_SHARED, 0);
        UNSAFE.putInt(engine + HELD_COUNT, count + 1);
        countLock(self);
        return true;
    }

    /** And isQuickRelease. */
    static boolean isQuickLetGo(long self, int lock) {
        long engine = UNSAFE.getLong(self);
        int count = UNSAFE.getInt(engine + HELD_COUNT);
        long held = engine + HELD_INLINE + (count - 1) * HELD_SIZE;
        if (count == 0
                || UNSAFE.getLong(engine + HELD) != engine + HELD_INLINE
                || UNSAFE.getInt(held) != lock
                || UNSAFE.getInt(held + HELD_SHARED) != 0) {
            return false;
        }
        int times = UNSAFE.getInt(held + HELD_EXCLUSIVE);
        if (times > 1) {
            UNSAFE.putInt(held + HELD_EXCLUSIVE, times - 1);
        } else {
            UNSAFE.putInt(engine + HELD_COUNT, count - 1);
        }
        countLock(self);
        return true;
    }

    private static void countLock(long self) {
        UNSAFE.putLong(self + SELF_LOCKS, UNSAFE.getLong(self + SELF_LOCKS) + 1);
    }

    /** The entry of a lock or other object among those of its set, or 0. */
    private static long stampEntry(long marks, int index, int lock) {
        long entry = marks + (long) index * (LOCK_WAYS * LOCK_ENTRY_SIZE);
        for (int way = 0; way < LOCK_WAYS; way++, entry += LOCK_ENTRY_SIZE) {
            if (UNSAFE.getInt(entry + LOCK_ID) == lock) {
                return entry;
            }
        }
        return 0;
    }

    /** Whether one of the thread's clocks knows what the stamp stands for. */
    private static boolean isStampKnown(Thread thread, long clock, long stamp) {
        long slot = stamp >>> STAMP_SEGMENT_BITS;
        long segment = stamp & STAMP_SEGMENT_MASK;
        if (slot == (thread.$turnstile$fresh >>> 24 & 0xFFF)) {
            return segment >= thread.$turnstile$birth;
        }
        return clock != 0
                && slot < UNSAFE.getInt(clock + CLOCK_COUNT)
                && UNSAFE.getLong(clock + CLOCK_EPOCHS + (slot << 3)) >= segment
                && segment >= UNSAFE.getLong(UNSAFE.getLong(THREADS + (slot << 3)) + BIRTH);
    }

    /**
     * Adds to the thread's full clock what the thread of the stamp knew then, as thread_clock_in, clock_join and
     * thread_set_full do. False if the clocks are not small ones, or something else is not as it mostly is.
     */
    private static boolean isStampLearned(Thread thread, long engine, long entry, long stamp) {
        long slot = stamp >>> STAMP_SEGMENT_BITS;
        long segment = stamp & STAMP_SEGMENT_MASK;
        long other = UNSAFE.getLong(THREADS + (slot << 3));
        long mine = UNSAFE.getLong(engine + FULL);
        if (segment < UNSAFE.getLong(other + BIRTH)
                || slot >= CLOCK_SMALL
                || mine == 0
                || UNSAFE.getInt(mine + CLOCK_COUNT) > CLOCK_SMALL
                || UNSAFE.getByte(mine + CLOCK_EVERYTHING) != 0) {
            return false;
        }
        if (isGrowthKnown(thread, mine, entry, slot, other)) {
            return isGrown(engine, mine, 0, 0, 0, stamp);
        }
        long version = versionIn(other, segment);
        if (version == 0) {
            return false;
        }
        long changes = UNSAFE.getLongVolatile(null, version);
        long theirs = UNSAFE.getLong(version + VERSION_CLOCK);
        return (changes & 1) == 0
                && UNSAFE.getLong(version + VERSION_FROM) <= segment
                && theirs != 0
                && UNSAFE.getInt(theirs + CLOCK_COUNT) <= CLOCK_SMALL
                && UNSAFE.getByte(theirs + CLOCK_EVERYTHING) == 0
                && isGrown(engine, mine, theirs, version, changes, stamp);
    }

    /** As thread_note_handover: the lock came from another thread, for reports of accesses that this has kept apart. */
    private static void noteHandOver(long engine, int lock, long stamp) {
        long count = UNSAFE.getLong(engine + HANDOVER_COUNT);
        long place = engine + HANDOVERS + (count & HANDOVERS_KEPT - 1) * HANDOVER_SIZE;
        UNSAFE.putLong(place, stamp);
        UNSAFE.putLong(place + HANDOVER_SEGMENT, UNSAFE.getLong(engine + SEGMENT));
        UNSAFE.putInt(place + HANDOVER_LOCK, lock);
        UNSAFE.putLong(engine + HANDOVER_COUNT, count + 1);
    }

    /** Whether the thread's clock has all that the entry's stamp stands for, but for its segment. */
    private static boolean isGrowthKnown(Thread thread, long clock, long entry, long slot, long other) {
        long before = UNSAFE.getLong(entry + LOCK_GROWTH);
        long learned = UNSAFE.getLong(entry + LOCK_GROWTH + GROWTH_LEARNED);
        return learned != 0
                && slot < UNSAFE.getInt(clock + CLOCK_COUNT)
                && UNSAFE.getLong(clock + CLOCK_EPOCHS + (slot << 3)) >= before
                && before >= UNSAFE.getLong(other + BIRTH)
                && isStampKnown(thread, clock, learned);
    }

    /**
     * Makes the thread's next version: its clock {@code mine}, raised to the stamp and, unless it is 0, to another
     * clock, that of a version of another thread. False if that has changed meanwhile, or there is no clock to use.
     */
    private static boolean isGrown(long engine, long mine, long theirs, long version, long changes, long stamp) {
        long slot = stamp >>> STAMP_SEGMENT_BITS;
        long versions = UNSAFE.getLong(engine + VERSION_COUNT);
        long next = engine + VERSIONS + (versions & VERSIONS_KEPT - 1) * VERSION_SIZE;
        long clock = UNSAFE.getLong(next + VERSION_CLOCK);
        if (clock == 0
                || UNSAFE.getInt(clock + CLOCK_REFERENCES) != 1
                || UNSAFE.getByte(clock + CLOCK_EVERYTHING) != 0) {
            return false;
        }
        long nextChanges = UNSAFE.getLong(next) | 1;
        UNSAFE.putLong(next, nextChanges);
        UNSAFE.putLong(next + VERSION_FROM, Long.MAX_VALUE);
        UNSAFE.storeFence();
        int count = Math.max(UNSAFE.getInt(mine + CLOCK_COUNT), (int) slot + 1);
        if (theirs != 0) {
            count = Math.max(count, UNSAFE.getInt(theirs + CLOCK_COUNT));
        }
        for (int i = 0; i < count; i++) {
            long epoch = epoch(mine, i);
            if (theirs != 0) {
                epoch = Math.max(epoch, epoch(theirs, i));
            }
            UNSAFE.putLong(clock + CLOCK_EPOCHS + i * 8L, epoch);
        }
        UNSAFE.putInt(clock + CLOCK_COUNT, count);
        long place = clock + CLOCK_EPOCHS + (slot << 3);
        UNSAFE.putLong(place, Math.max(UNSAFE.getLong(place), stamp & STAMP_SEGMENT_MASK));
        UNSAFE.loadFence();
        if (theirs != 0 && UNSAFE.getLong(version) != changes) {
            UNSAFE.putLongVolatile(null, next, nextChanges + 1); // it is nobody's version
            return false;
        }
        long last = engine + VERSIONS + (versions - 1 & VERSIONS_KEPT - 1) * VERSION_SIZE;
        UNSAFE.putLong(engine + GROWTH, UNSAFE.getLong(last + VERSION_FROM));
        UNSAFE.putLong(engine + GROWTH + GROWTH_LEARNED, stamp);
        UNSAFE.putLong(next + VERSION_FROM, UNSAFE.getLong(engine + SEGMENT));
        UNSAFE.storeFence();
        UNSAFE.putLong(next, nextChanges + 1);
        UNSAFE.storeFence();
        UNSAFE.putLong(engine + VERSION_COUNT, versions + 1);
        UNSAFE.putLong(engine + FULL, clock);
        return true;
    }

    /** The last version of the thread's clock that began in that segment or before, or 0. */
    private static long versionIn(long engine, long segment) {
        long count = UNSAFE.getLongVolatile(null, engine + VERSION_COUNT);
        for (long i = count - 1; i >= 0 && i >= count - VERSIONS_KEPT; i--) {
            long version = engine + VERSIONS + (i & VERSIONS_KEPT - 1) * VERSION_SIZE;
            if (UNSAFE.getLong(version + VERSION_FROM) <= segment) {
                return version;
            }
        }
        return 0;
    }

    private static long epoch(long clock, int slot) {
        return slot < UNSAFE.getInt(clock + CLOCK_COUNT) ? UNSAFE.getLong(clock + CLOCK_EPOCHS + slot * 8L) : 0;
    }

    /** As thread_new_segment does when locks have changed. */
    private static void newSegment(Thread thread, long engine, long fresh) {
        long segment = UNSAFE.getLong(engine + SEGMENT) + 1;
        long expected = fresh & READ_MASK & ~SEGMENT_MASK | segment & SEGMENT_MASK;
        UNSAFE.putLong(engine + SEGMENT, segment);
        thread.$turnstile$fresh = expected | WRITTEN | (segment >>> 24 & 0xFFFF) << HIGH_SHIFT;
        thread.$turnstile$expected = expected;
        thread.$turnstile$settled = expected | SETTLED;
    }

    /** Whether the lock is held so that it counts for the access. Not if that cannot be told easily. */
    private static boolean isHeld(long engine, int lock, boolean write) {
        long held = engine + HELD_INLINE;
        if (UNSAFE.getLong(engine + HELD) != held) {
            return false;
        }
        for (int i = UNSAFE.getInt(engine + HELD_COUNT); i > 0; i--, held += HELD_SIZE) {
            if (UNSAFE.getInt(held) == lock) {
                return !write || UNSAFE.getInt(held + HELD_EXCLUSIVE) != 0;
            }
        }
        return false;
    }

    /**
     * The tags of the locks that were taken last are at hand: of those that are above all others in the run time's list.
     * What is guarded by a lock that is not among them can be accessed all the same, not as quickly.
     */
    private static void tag(Thread thread) {
        long engine = UNSAFE.getLong(thread.$turnstile$self);
        int count = UNSAFE.getInt(engine + HELD_COUNT);
        long top = UNSAFE.getLong(engine + HELD) + (count - 1L) * HELD_SIZE;
        thread.$turnstile$tag0 = count > 0 ? tagOfHeld(top) : 0;
        thread.$turnstile$tag1 = count > 1 ? tagOfHeld(top - HELD_SIZE) : 0;
    }

    private static long tagOfHeld(long held) {
        return UNSAFE.getInt(held + HELD_EXCLUSIVE) != 0 ? tagOf(UNSAFE.getInt(held)) : 0;
    }

    /** Of a lock that is held exclusively; in the bits of the phase. 0 for none. */
    private static long tagOf(int lock) {
        long tag = lock * 0x9E3779B1L >>> 8 & PHASE_MASK;
        return tag == 0 ? PHASE_STEP : tag;
    }

    public static void acquired(Object lock) {
        entered(lock, 0);
    }

    /** By an attempt: whoever does this cannot be part of a deadlock there. */
    public static void acquiredAtOnce(Object lock) {
        if (RECORDING || TurnstileSampler.ON) {
            lockAcquired(lock, AT_ONCE);
        } else {
            entered(lock, 0);
        }
    }

    public static void acquiredSharedAtOnce(Object lock) {
        lockAcquired(lock, SHARED | AT_ONCE);
    }

    public static void released(Object lock) {
        leaving(lock, 0);
    }

    public static void acquiredShared(Object lock) {
        lockAcquired(lock, SHARED);
    }

    public static void releasedShared(Object lock) {
        lockReleased(lock, SHARED);
    }

    private static void lockAcquired(Object lock, int mode) {
        Thread thread = Thread.currentThread();
        settle(thread);
        if (thread.$turnstile$self != 0) {
            int number = identity(lock);
            name(number, lock);
            expect(thread, lockAcquire(thread.$turnstile$self, number, mode));
            tag(thread);
        }
    }

    private static void lockReleased(Object lock, int mode) {
        Thread thread = Thread.currentThread();
        settle(thread);
        if (thread.$turnstile$self != 0) {
            expect(thread, lockRelease(thread.$turnstile$self, identity(lock), mode));
            tag(thread);
        }
    }

    /** The thread is about to give up a lock and wait; when it goes on it has the lock again. */
    public static void waiting(Object lock) {
        if (lock == null) {
            return;
        }
        Thread thread = Thread.currentThread();
        settle(thread);
        if (thread.$turnstile$self != 0) {
            if (isTold(thread)) {
                notePlace(thread.$turnstile$self);
            }
            waitBegin(thread.$turnstile$self, identity(lock));
            tag(thread);
            thread.$turnstile$pending = WAITED;
            thread.$turnstile$expected = -1;
            if (RECORDING) {
                TurnstileRecorder.stop(thread);
            }
        }
    }

    // ---- synchronization objects: what comes before a release happens before what comes after an acquire ----

    public static void syncAcquired(Object sync) {
        if (sync != null) {
            Thread thread = Thread.currentThread();
            settle(thread);
            if (thread.$turnstile$self != 0) {
                acquire(thread, thread.$turnstile$self, mix(sync, 0));
            }
        }
    }

    public static void syncReleased(Object sync) {
        if (sync != null) {
            release(mix(sync, 0));
        }
    }

    private static void release(int sync) {
        Thread thread = Thread.currentThread();
        settle(thread);
        if (thread.$turnstile$self != 0) {
            thread.$turnstile$optimistic = false;
            expect(thread, syncRelease(thread.$turnstile$self, sync));
            nextPhase();
        }
    }

    // ---- hand-over: what a lock with a condition passes on to whoever would have waited for it ----

    /** The numbers of what locks pass on, beside those of other synchronization objects. */
    private static final int HANDED_OVER = 0x80000000;

    /** Some thread has handed over something. */
    private static boolean handsOver;

    /**
     * The thread has the lock and is about to let it go, where others may have waited for what it did.
     *
     * @param number what {@code number} gave, or 0
     */
    @DontInline
    public static void handingOver(Object lock, int number) {
        if (lock != null) {
            handOver(number != 0 ? number : identity(lock));
        }
    }

    /** All locks that the thread has for itself: for those of which only their conditions know the synchronizer. */
    @DontInline
    public static void handingOverAll() {
        handOver(0);
    }

    private static void handOver(int lock) {
        Thread thread = Thread.currentThread();
        settle(thread);
        if (thread.$turnstile$self != 0) {
            thread.$turnstile$optimistic = false;
            handsOver = true;
            expect(thread, handOver(thread.$turnstile$self, lock));
            nextPhase();
        }
    }

    /** The thread has got the lock, where it would have waited had it come too early. */
    @DontInline
    public static void takenOver(Object lock, int number) {
        takeOver(number != 0 ? number : identity(lock));
    }

    @DontInline
    public static void takenOverAll() {
        takeOver(0);
    }

    private static void takeOver(int lock) {
        Thread thread = Thread.currentThread();
        settle(thread);
        long self = thread.$turnstile$self;
        if (self != 0) {
            boolean known = lock != 0 && isSyncKnown(thread, self, lock | HANDED_OVER);
            expect(thread, known ? thread.$turnstile$fresh : takeOver(self, lock));
        }
    }

    // ---- threads ----

    /** Called by the starting thread, before the new one runs. */
    public static void starting(Thread child) {
        Thread thread = Thread.currentThread();
        settle(thread);
        expect(thread, threadStart(thread.$turnstile$self, child));
        nextPhase();
    }

    /** The current thread does nothing more that others can see. */
    public static void ending() {
        Thread thread = Thread.currentThread();
        settle(thread);
        long self = thread.$turnstile$self;
        if (self != 0) {
            if (!thread.isDaemon()) {
                syncReleased(ENDED);
            }
            thread.$turnstile$expected = 0;
            thread.$turnstile$self = 0;
            thread.$turnstile$ended = self;
            threadEnd(self);
            thread.$turnstile$reader = 0;
            nextPhase();
        }
    }

    /** What threads that end release for those who come after all of them. */
    private static final Object ENDED = new Object();

    /** All threads that are no daemons have ended. */
    public static void allEnded() {
        syncAcquired(ENDED);
    }

    /** The thread may have ended; if so, what it did happened before. */
    public static void joined(Thread other) {
        Thread thread = Thread.currentThread();
        long ended = other.$turnstile$ended;
        if (ended != 0 && other != thread) {
            settle(thread);
            if (thread.$turnstile$self != 0) {
                expect(thread, threadJoin(thread.$turnstile$self, ended, other.$turnstile$birth));
            }
        }
    }

    // ---- class initializers: nobody else sees what they do until they are done ----

    public static void initializing() {
        Thread thread = Thread.currentThread();
        if (thread.$turnstile$self != 0) {
            settle(thread);
            expect(thread, initializeBegin(thread.$turnstile$self));
        }
    }

    public static void initialized() {
        Thread thread = Thread.currentThread();
        if (thread.$turnstile$self != 0) {
            settle(thread);
            expect(thread, initializeEnd(thread.$turnstile$self));
        }
    }

    // ---- blocks that should be atomic ----

    /** @param site that of the block */
    public static void blockBegin(int site) {
        block(site, true);
    }

    public static void blockEnd(int site) {
        block(site, false);
    }

    private static void block(int site, boolean begins) {
        Thread thread = Thread.currentThread();
        long self = thread.$turnstile$self;
        if (self == 0) {
            return;
        }
        if (RECORDING) {
            settle(thread);
            TurnstileRecorder.block(thread, self, site, begins);
        } else if (begins) {
            TurnstileSampler.begin(thread, self, site);
        } else {
            TurnstileSampler.end(thread, self, site);
        }
    }

    // ---- inside ----

    /** @param fresh what the run time gave: the word of a variable that the thread writes now, or 0 for none to be checked */
    static void expect(Thread thread, long fresh) {
        thread.$turnstile$fresh = fresh;
        thread.$turnstile$expected = fresh == 0 ? -1 : fresh & READ_MASK;
        thread.$turnstile$settled = fresh == 0 ? -1 : fresh & READ_MASK | SETTLED;
        thread.$turnstile$reading = -1;
        thread.$turnstile$writing = -1;
    }

    /** Two threads may do this at once and get the same; both get another than they had. */
    private static void nextPhase() {
        phase = phase + PHASE_STEP & PHASE_MASK;
    }

    /** Tells what is pending. */
    static void settle(Thread thread) {
        int pending = thread.$turnstile$pending;
        if (pending != 0) {
            thread.$turnstile$pending = 0;
            long self = thread.$turnstile$self;
            if (self != 0) {
                if (pending == WAITED) {
                    expect(thread, waitEnd(self));
                    tag(thread);
                } else {
                    acquire(thread, self, pending);
                }
            }
        }
    }

    private static void acquire(Thread thread, long self, int sync) {
        expect(thread, isSyncKnown(thread, self, sync) ? thread.$turnstile$fresh : syncAcquire(self, sync));
    }

    /** As sync_known of the engine. */
    private static boolean isSyncKnown(Thread thread, long self, int sync) {
        long entry = stampEntry(SYNC_MARKS, sync & SYNC_SET_MASK, sync);
        long engine = UNSAFE.getLong(self);
        if (entry == 0
                || thread.$turnstile$fresh == 0
                || TurnstileSampler.ON && handsOver) { // what it knows from that stands in no trace of samples
            return false;
        }
        long stamp = UNSAFE.getLongVolatile(null, entry + LOCK_STAMP);
        if (stamp == 0
                || UNSAFE.getInt(entry + LOCK_ID) != sync
                || !isStampKnown(thread, UNSAFE.getLong(engine + FULL), stamp)
                || !isStampKnown(thread, UNSAFE.getLong(engine + ORDERED), stamp)) {
            return false;
        }
        UNSAFE.putLong(self + SELF_SYNCS, UNSAFE.getLong(self + SELF_SYNCS) + 1);
        return true;
    }

    /** 1 .. 0x7FFFFFFE. Two locks may have the same; then one protects what the other does. */
    static int identity(Object object) {
        int hash = System.identityHashCode(object);
        return hash == 0 || hash == 0x7FFFFFFF ? 1 : hash;
    }

    /** @param variable the number of a field; 0 for the object itself, less for what else there is of it */
    private static int mix(Object object, int variable) {
        int hash = (System.identityHashCode(object) + variable * 0x9E3779B1) & 0x7FFFFFFF;
        int sync = hash == 0 ? 1 : hash;
        if ((RECORDING || TurnstileSampler.ON) && isNameless(sync)) {
            if (variable > 0) {
                nameVolatile(sync, variable);
            } else {
                nameLock(sync, object);
            }
        }
        return sync;
    }

    // ---- the run time; those that may change what the thread expects give `fresh` ----

    /** What is native here and in those classes must be in the tables of natives.c. */
    private static native void registerNatives(
            Class<?> library, Class<?> objects, Class<?> recorder, Class<?> sampler);

    static native long layout(int part);

    private static native long resolve(Object object, int site);

    private static native Object declaringClass(Class<?> named, int site);

    private static native long access(long self, long word, int site, int key, int identity, boolean write);

    private static native void countSite(int site);

    /** The offsets of all shadows in objects of the class, behind a first number that means nothing. */
    private static native long[] shadows(Class<?> type);

    private static native boolean lost(long word, long result);

    private static native void nameLock(int lock, Object object);

    private static native void nameVolatile(int sync, int variable);

    private static native long lockAcquire(long self, int lock, int mode);

    private static native long lockRelease(long self, int lock, int mode);

    private static native void waitBegin(long self, int lock);

    private static native long waitEnd(long self);

    private static native long syncAcquire(long self, int sync);

    private static native long syncRelease(long self, int sync);

    /** Of the lock, or if that is 0 of all that the thread has for itself. */
    private static native long handOver(long self, int lock);

    private static native long takeOver(long self, int lock);

    private static native long threadStart(long self, Thread child);

    private static native void threadEnd(long self);

    private static native long threadJoin(long self, long ended, long birth);

    private static native long initializeBegin(long self);

    private static native long initializeEnd(long self);

    /** When recording: what is pending happened here. */
    private static native void notePlace(long self);
}
