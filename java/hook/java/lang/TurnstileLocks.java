package java.lang;

import static java.lang.TurnstileLayout.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Locks that a thread takes and releases without a call of the run time, as engine/inline.h lets a caller do it, on the run
 * time's memory.
 */
final class TurnstileLocks {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private TurnstileLocks() {
    }

    /** The engine does the same with sync_stamp_known and thread_hold. */
    @ForceInline
    static boolean isQuickAcquire(Thread thread, int lock) {
        long fresh = thread.$turnstile$fresh;
        long self = thread.$turnstile$self;
        long engine = UNSAFE.getLong(self);
        long held = engine + HELD_INLINE;
        int count = UNSAFE.getInt(engine + HELD_COUNT);
        if (fresh == 0 || count >= HELD_INLINE_COUNT || UNSAFE.getLong(engine + HELD) != held) {
            return false;
        }
        if (count != 0) {
            long again = findHeld(held, count, lock);
            if (again != 0) {
                return isHeldAgain(self, again);
            }
            held += (long) count * HELD_SIZE;
        }
        long entry = stampEntry(LOCK_MARKS, lock & LOCK_SET_MASK, lock);
        if (entry == 0) {
            return false;
        }
        long stamp = UNSAFE.getLongVolatile(null, entry + LOCK_STAMP);
        if (stamp == 0 || UNSAFE.getInt(entry + LOCK_ID) != lock) {
            return false;
        }
        if (!isStampKnown(thread, UNSAFE.getLong(engine + FULL), stamp)
                && !isHandedOver(thread, engine, entry, lock, stamp)) {
            return false;
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
    static boolean isQuickRelease(Thread thread, int lock) {
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
        if (count != 0) {
            long again = findHeld(held, count, lock);
            if (again != 0) {
                return isHeldAgain(self, again);
            }
            held += (long) count * HELD_SIZE;
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

    /** Where the lock stands among those that are held, at least one, or 0. Mostly there is just one. */
    @ForceInline
    private static long findHeld(long held, int count, int lock) {
        if (UNSAFE.getInt(held) == lock) {
            return held;
        }
        return count == 1 ? 0 : findHeldBehind(held, count, lock);
    }

    @DontInline // the JIT makes much of a loop
    private static long findHeldBehind(long held, int count, int lock) {
        for (int i = 1; i < count; i++) {
            held += HELD_SIZE;
            if (UNSAFE.getInt(held) == lock) {
                return held;
            }
        }
        return 0;
    }

    /** Counts one more acquire of a lock that the thread has. Not if it has it in shared mode. */
    private static boolean isHeldAgain(long self, long held) {
        int times = UNSAFE.getInt(held + HELD_EXCLUSIVE);
        if (times == 0) {
            return false;
        }
        UNSAFE.putInt(held + HELD_EXCLUSIVE, times + 1);
        countLock(self);
        return true;
    }

    private static void countLock(long self) {
        UNSAFE.putLong(self + SELF_LOCKS, UNSAFE.getLong(self + SELF_LOCKS) + 1);
    }

    /** The entry of a lock or other object among those of its set, or 0. */
    static long stampEntry(long marks, int index, int lock) {
        long entry = marks + (long) index * (LOCK_WAYS * LOCK_ENTRY_SIZE);
        return UNSAFE.getInt(entry + LOCK_ID) == lock ? entry : otherEntry(entry, lock);
    }

    @DontInline // mostly it is the first
    private static long otherEntry(long entry, int lock) {
        entry += LOCK_ENTRY_SIZE;
        for (int way = 1; way < LOCK_WAYS; way++, entry += LOCK_ENTRY_SIZE) {
            if (UNSAFE.getInt(entry + LOCK_ID) == lock) {
                return entry;
            }
        }
        return 0;
    }

    /** Whether one of the thread's clocks knows what the stamp stands for. */
    static boolean isStampKnown(Thread thread, long clock, long stamp) {
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

    /** The lock comes from another thread, and what that knew is new. */
    @DontInline // what comes before it has few registers as it is
    private static boolean isHandedOver(Thread thread, long engine, long entry, int lock, long stamp) {
        if (!isStampLearned(thread, engine, entry, stamp)) {
            return false;
        }
        noteHandOver(engine, lock, stamp);
        return true;
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
    static boolean isHeld(long engine, int lock, boolean write) {
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
    static void tag(Thread thread) {
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
    static long tagOf(int lock) {
        long tag = lock * 0x9E3779B1L >>> 8 & PHASE_MASK;
        return tag == 0 ? PHASE_STEP : tag;
    }
}
