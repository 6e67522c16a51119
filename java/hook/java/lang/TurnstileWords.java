package java.lang;

import static java.lang.TurnstileLayout.*;

import jdk.internal.misc.Unsafe;

/**
 * Accesses that the run time need not be told of, though no comparison of the word alone says so: what engine/inline.h lets
 * a caller do, on the run time's memory.
 */
final class TurnstileWords {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private TurnstileWords() {
    }

    /**
     * An access by the only thread that has accessed the variable so far. The word is all that there is to change, and
     * the place is noted.
     */
    static boolean isOwnAccess(
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
        if (count >= TurnstileHook.BUSY && age == 0) {
            age = 1L << AGE_SHIFT; // says that there is a note
        }
        long engine = UNSAFE.getLong(self);
        if (UNSAFE.getLong(engine + NOTED) != UNSAFE.getLong(engine + SEGMENT) && !isSegmentNoted(engine)) {
            return false;
        }
        putLocation(fresh, site, key ^ identityAt(object, site), write);
        long result = (write ? fresh : fresh & ~WRITTEN | distance << DISTANCE_SHIFT) | age;
        if (count >= TurnstileHook.BUSY) {
            // Another thread may have come at this very moment, and is forgotten then; at the next access of either they
            // meet. To compare would mean to wait for the note, which is nowhere near.
            UNSAFE.putLong(object, offset, result);
            return true;
        }
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
            TurnstileHook.countSite(site);
            return System.identityHashCode(object);
        }
        long place = chunk + ((site & 4095) << 2);
        int count = UNSAFE.getInt(place);
        if (count >= TurnstileHook.BUSY) {
            return 0;
        }
        UNSAFE.putInt(place, count + 1);
        return System.identityHashCode(object);
    }

    /** The same for an access that goes to the run time: there it may be needed to find what another thread noted. */
    static int identityFor(Thread thread, Object object, long word, int site) {
        boolean others = word != 0
                && (word & SHARED_WORD) == 0
                && ((word ^ thread.$turnstile$fresh) & READ_MASK & ~SEGMENT_MASK) != 0;
        return others ? System.identityHashCode(object) : identityAt(object, site);
    }

    /** Tells the thread from others, also from those that had its place before. */
    static int ownerTag(Thread thread) {
        return (int) (thread.$turnstile$self >>> 4) * 31 + (int) thread.$turnstile$birth;
    }

    static int at(long index, int number) {
        long chunk = UNSAFE.getLong(index + ((long) (number >>> 12) << 3));
        return chunk == 0 ? 0 : UNSAFE.getInt(chunk + ((number & 4095) << 2));
    }

    static long mix(long value) {
        value = (value ^ value >>> 32) * 0x9E3779B97F4A7C15L;
        return value ^ value >>> 29;
    }

    /** An access of a variable with its guard, or a read of one without, by a thread that has been seen there. */
    static boolean isSeen(
            Thread thread, long self, Object object, long offset, long word, int site, boolean write) {
        int handle = (int) (word >>> HIGH_SHIFT);
        int index = handle & INDEX_MASK;
        long record = UNSAFE.getLong(RECORD_CHUNKS + ((long) (index / CHUNK_RECORDS) << 3))
                + (long) (index % CHUNK_RECORDS) * RECORD_SIZE;
        long guard = UNSAFE.getLong(record + RECORD_GUARD);
        int lock = (int) (guard >>> 32);
        if ((int) guard != handle + 1
                || lock != 0 && !TurnstileLocks.isHeld(UNSAFE.getLong(self), lock, write)) {
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
        long now = TurnstileHook.phase;
        if (lock != 0 && thread.$turnstile$reader != 0) {
            long mark = now ^ TurnstileLocks.tagOf(lock);
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
        if (at(SITE_COUNTS, site) < TurnstileHook.BUSY) {
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
}
