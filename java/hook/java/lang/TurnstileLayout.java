package java.lang;

/**
 * How shadow words look, and where things are in the run time's memory.
 *
 * <p>TurnstileHook must be initialized before: its own initializer uses nothing of this but what the compiler knows.
 */
final class TurnstileLayout {
    // The parts of a shadow word: see src/engine/word.h.

    /** The bits that say which thread accessed last, and in which of its segments. */
    static final long READ_MASK = (1L << 36) - 1;
    static final long SEGMENT_MASK = (1L << 24) - 1;
    static final long WRITTEN = 1L << 36;
    static final long SHARED_WORD = 1L << 37;
    static final int HIGH_SHIFT = 38;
    static final int DISTANCE_SHIFT = 54;
    static final int DISTANCE_MAX = 127;
    static final int AGE_SHIFT = 61;
    static final long SETTLED = 7L << AGE_SHIFT;
    static final int STRETCH_SHIFT = 4;
    static final long WINDOW = 64;
    static final long WINDOW_MASK = SETTLED | SHARED_WORD | READ_MASK & ~(WINDOW - 1);
    static final long BUSY_WINDOW = 256;
    static final long BUSY_MASK = 0xFFFFL << HIGH_SHIFT | SHARED_WORD | READ_MASK & ~(BUSY_WINDOW - 1);
    static final long OWNED_SEGMENTS = (1L << 40) - 1;

    // Where things are in the run time's memory: see src/engine/inline.h and natives.c. As constants of a class that
    // is initialized they cost nothing in compiled code.

    // Records of shared variables.

    static final long RECORD_CHUNKS = TurnstileHook.layout(0);
    static final int CHUNK_RECORDS = (int) TurnstileHook.layout(1);
    static final int INDEX_MASK = (int) TurnstileHook.layout(2);
    static final int RECORD_SIZE = (int) TurnstileHook.layout(3);
    static final int RECORD_GUARD = (int) TurnstileHook.layout(4);
    static final int RECORD_SEEN = (int) TurnstileHook.layout(5);

    // Sites, and where accesses were noted.

    static final long SITE_ACCESSED = TurnstileHook.layout(10);
    static final long SITE_VARIABLE = TurnstileHook.layout(11);
    static final long SITE_COUNTS = TurnstileHook.layout(12);
    static final int EXACT_FIRST = 64;
    static final long LOCATIONS = TurnstileHook.layout(6);
    static final long LOCATIONS_MASK = TurnstileHook.layout(7);

    // What self points to: an agent_thread, whose first field is the address of the engine's thread.

    static final int SELF_SEEN = (int) TurnstileHook.layout(9);
    static final int SELF_LOCKS = (int) TurnstileHook.layout(28);
    static final int SELF_SYNCS = (int) TurnstileHook.layout(37);
    static final int CHANCE = (int) TurnstileHook.layout(78);

    // Threads.

    static final long THREADS = TurnstileHook.layout(21);
    static final int BIRTH = (int) TurnstileHook.layout(22);
    static final int BIRTH_EPOCH = (int) TurnstileHook.layout(79);
    static final int SEGMENT = (int) TurnstileHook.layout(13);
    static final int NOTED = (int) TurnstileHook.layout(8);
    static final int SEGMENTS = (int) TurnstileHook.layout(15);
    static final int SEGMENT_LOCKS = 4;
    static final int FULL = (int) TurnstileHook.layout(23);
    static final int ORDERED = (int) TurnstileHook.layout(36);
    static final int GROWTH = (int) TurnstileHook.layout(38);
    static final int GROWTH_LEARNED = 8;
    static final int HELD = (int) TurnstileHook.layout(24);
    static final int HELD_COUNT = (int) TurnstileHook.layout(14);
    static final int HELD_INLINE = (int) TurnstileHook.layout(25);
    static final int HELD_INLINE_COUNT = 8;
    static final int HELD_SIZE = 12;
    static final int HELD_EXCLUSIVE = 4;
    static final int HELD_SHARED = 8;
    static final int HANDOVER_COUNT = (int) TurnstileHook.layout(80);
    static final int HANDOVERS = (int) TurnstileHook.layout(81);
    static final int HANDOVERS_KEPT = 32;
    static final int HANDOVER_SIZE = 24;
    static final int HANDOVER_SEGMENT = 8;
    static final int HANDOVER_LOCK = 16;
    static final int VERSION_COUNT = (int) TurnstileHook.layout(30);
    static final int VERSIONS = (int) TurnstileHook.layout(31);
    static final int VERSIONS_KEPT = 8;
    static final int VERSION_SIZE = 24;
    static final int VERSION_FROM = 8;
    static final int VERSION_CLOCK = 16;

    // Clocks.

    static final int CLOCK_COUNT = (int) TurnstileHook.layout(26);
    static final int CLOCK_EPOCHS = (int) TurnstileHook.layout(27);
    static final int CLOCK_REFERENCES = (int) TurnstileHook.layout(32);
    static final int CLOCK_EVERYTHING = (int) TurnstileHook.layout(33);
    static final int CLOCK_SMALL = 16; // every clock has room for so many

    // Marks of locks and of other synchronization objects.

    static final long LOCK_MARKS = TurnstileHook.layout(16);
    static final int LOCK_SET_MASK = (int) TurnstileHook.layout(17);
    static final long SYNC_MARKS = TurnstileHook.layout(34);
    static final int SYNC_SET_MASK = (int) TurnstileHook.layout(35);
    static final int LOCK_WAYS = 4;
    static final int LOCK_ENTRY_SIZE = (int) TurnstileHook.layout(18);
    static final int LOCK_ID = (int) TurnstileHook.layout(19);
    static final int LOCK_STAMP = (int) TurnstileHook.layout(20);
    static final int LOCK_GROWTH = (int) TurnstileHook.layout(39);
    static final int STAMP_SEGMENT_BITS = 50;
    static final long STAMP_SEGMENT_MASK = (1L << STAMP_SEGMENT_BITS) - 1;
    static final long LOCK_IS_SHARED = 0x80000000L;
    static final long LOCK_PLACES = TurnstileHook.layout(29);
    static final int LOCK_PLACES_MASK = 0xFFFF;

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
    static final long READERS = 0xFF;

    static final long PHASE_STEP = 0x100;
    static final long PHASE_MASK = 0xFFFF00;

    // What a record remembers of the threads that have been seen at its variable.

    static final int SEEN_SLOT = (1 << 12) - 1;
    static final int SEEN_WRITE = 1 << 12;
    static final int SEEN_EPOCH_SHIFT = 13;
    static final int SEEN_EPOCH_MASK = (1 << 18) - 1;
    static final int SEEN_LOCKS = 1 << 31;
    static final int SEEN_PLACES = 7;

    private TurnstileLayout() {
    }
}
