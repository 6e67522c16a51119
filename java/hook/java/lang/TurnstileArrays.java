package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.vm.annotation.DontInline;

/**
 * The shadow words of arrays: a map from each array that was looked at to a {@code long[]} with a word for each element.
 *
 * <p>An array has no room for words of ours, so this is a hash table by identity: 64 of them, by the low bits of the hash,
 * with open addressing. Entries refer to their array weakly: the words go when the array goes. They stand in the order in
 * which they came, and the table has their numbers: garbage collectors look at whatever part of an old object has got
 * references to new ones, and if the table had the entries itself, each would be in another part. A lookup takes no lock:
 * in a table, entries are added but never moved. If a lookup misses what is there, because another thread has just added
 * it or replaced the table, it goes on under the stripe's lock, an object that nobody else can have, and finds it.
 *
 * <p>What was looked up last stands in a small table in front of them, by the hash alone: the large ones are seldom in the
 * processor's cache. It keeps nothing from going, since it is emptied after each garbage collection.
 *
 * <p>Where many arrays come that no other thread ever sees, most get no words: see Newcomers.
 *
 * <p>A stripe is cleaned, which gives it a new table with what is live now, when it has had as many insertions as entries
 * were live at the last cleaning. All stripes with many new or dead arrays are cleaned when the first array comes after a
 * garbage collection: words of arrays that did not live long must go before they are moved again. So the memory is bounded
 * by the arrays that live, and garbage as much as that.
 *
 * <p>It must not throw into the program: when there is no memory or no stack left, an array is not watched. All that can
 * fail comes before anything is changed. The class must be initialized before the program runs, with stack to spare.
 */
public final class TurnstileArrays {
    /** One word for all elements of an array. Set before any array is looked at. */
    static boolean whole;

    /** The words that there may be at a time, 8 bytes each; a third of the largest heap unless told. */
    static long limit = Runtime.getRuntime().maxMemory() / 24;

    private static final int STRIPE_BITS = 6;
    private static final int STRIPE_COUNT = 1 << STRIPE_BITS;
    private static final int LEAST_ROOM = 8;

    /** Longer arrays are not watched. */
    private static final int LONGEST = 1 << 26;

    /** A stripe counts so many words alone before it adds them to the sum of all. */
    private static final int COUNTED_ALONE = 4096;

    /** Cleaning after a garbage collection is worth it if one in so many entries is new, or gone. */
    private static final int NEW_SHARE = 8;

    /** So many entries are looked at to see whether many are gone. */
    private static final int SAMPLE = 32;

    /** The last garbage collection that all stripes were cleaned after. */
    private static int cleaned;

    private static final long[] NOTHING = new long[0];

    private static final Entry[] RECENT = new Entry[1024];

    /** Of these entries, most of the time: who looks for another one need not look at them. */
    private static final int[] RECENT_HASHES = new int[RECENT.length];

    /** By stripe: the numbers of entries, from 1 on, and the entries. */
    private static final int[][] TABLES = new int[STRIPE_COUNT][];

    private static final Entry[][] ENTRIES = new Entry[STRIPE_COUNT][];

    /** By stripe, a bit for each hash that may be in the table: much smaller, and most new arrays are not. */
    private static final long[][] FILTERS = new long[STRIPE_COUNT][];
    private static final Stripe[] STRIPES = new Stripe[STRIPE_COUNT];

    static {
        for (int i = 0; i < STRIPE_COUNT; i++) {
            TABLES[i] = new int[capacity(LEAST_ROOM)];
            ENTRIES[i] = new Entry[LEAST_ROOM];
            FILTERS[i] = new long[filterLength(TABLES[i])];
            STRIPES[i] = new Stripe(i);
        }
        // What the first insertion needs is there before the program runs.
        Collections.number();
        Budget.add(0);
        Newcomers.forget(0);
    }

    private TurnstileArrays() {
    }

    /**
     * The words of the array; once it has some, the same ones as long as it lives.
     *
     * @param method the number of the method that asks
     * @return null for null, for what is no array, and for an array that is not watched, or not yet
     */
    @DontInline // once, not in every method that uses arrays
    public static long[] words(Object array, int method) {
        if (array == null) {
            return null;
        }
        int hash = System.identityHashCode(array);
        if (RECENT_HASHES[hash & (RECENT.length - 1)] == hash) {
            Entry recent = RECENT[hash & (RECENT.length - 1)];
            if (recent != null && recent.isOf(array, hash)) {
                return recent.words;
            }
        }
        return find(array, hash, method);
    }

    @DontInline
    private static long[] find(Object array, int hash, int method) {
        boolean busy = Newcomers.isBusy(method);
        if (busy && Newcomers.isOwn(hash)) {
            return null;
        }
        long[] words = mayBeIn(FILTERS[hash & (STRIPE_COUNT - 1)], hash) ? search(array, hash) : null;
        if (words != null) {
            return words;
        }
        return busy && Newcomers.isLeftOut(hash) ? null : make(array, hash, method);
    }

    private static long[] search(Object array, int hash) {
        int[] table = TABLES[hash & (STRIPE_COUNT - 1)];
        Entry[] entries = ENTRIES[hash & (STRIPE_COUNT - 1)];
        int mask = table.length - 1;
        int place = (hash >>> STRIPE_BITS) & mask;
        for (int number = table[place]; number != 0; number = table[place]) {
            // The two may be of different times: then it is not there, or another's.
            Entry entry = number <= entries.length ? entries[number - 1] : null;
            if (entry != null && entry.isOf(array, hash)) {
                return entry.use();
            }
            place = (place + 1) & mask;
        }
        return null;
    }

    // ---- inside ----

    /** Words that the array needs; -1 if it is no array, or one that is too long. */
    private static int count(Object array) {
        int length;
        if (array instanceof Object[]) {
            length = ((Object[]) array).length;
        } else if (array instanceof int[]) {
            length = ((int[]) array).length;
        } else if (array instanceof byte[]) {
            length = ((byte[]) array).length;
        } else if (array instanceof double[]) {
            length = ((double[]) array).length;
        } else if (array instanceof long[]) {
            length = ((long[]) array).length;
        } else if (array instanceof char[]) {
            length = ((char[]) array).length;
        } else if (array instanceof boolean[]) {
            length = ((boolean[]) array).length;
        } else if (array instanceof float[]) {
            length = ((float[]) array).length;
        } else if (array instanceof short[]) {
            length = ((short[]) array).length;
        } else {
            return -1;
        }
        if (whole && length > 1) {
            return 1;
        }
        return length <= LONGEST ? length : -1;
    }

    @DontInline
    private static long[] make(Object array, int hash, int method) {
        int count = count(array);
        if (count <= 0) {
            return count < 0 ? null : NOTHING;
        }
        try {
            int collection = Collections.number();
            if (cleaned != collection) {
                cleaned = collection;
                forgetRecent();
                for (Stripe stripe : STRIPES) {
                    stripe.cleanIfWorth(collection);
                }
            }
            if (!Budget.allows(count, collection)) {
                return null;
            }
            Newcomers.count(method);
            Newcomers.forget(hash);
            Entry entry = new Entry(array, new long[count], hash);
            return STRIPES[hash & (STRIPE_COUNT - 1)].add(array, entry, collection);
        } catch (OutOfMemoryError | StackOverflowError error) {
            return null;
        }
    }

    private static void forgetRecent() {
        for (int i = 0; i < RECENT.length; i++) {
            RECENT[i] = null;
        }
    }

    /** Of a table for so many entries: half of it stays free. */
    private static int capacity(int entries) {
        int capacity = 16;
        while (capacity < 2 * entries) {
            capacity <<= 1;
        }
        return capacity;
    }

    private static int room(int live) {
        return live > LEAST_ROOM ? live : LEAST_ROOM;
    }

    /** Four bits for each place of the table. */
    private static int filterLength(int[] table) {
        return table.length / 16;
    }

    private static boolean mayBeIn(long[] filter, int hash) {
        int bit = hash >>> STRIPE_BITS & filter.length * 64 - 1;
        return (filter[bit >>> 6] & 1L << bit) != 0;
    }

    private static void put(int[] table, long[] filter, int hash, int number) {
        int bit = hash >>> STRIPE_BITS & filter.length * 64 - 1;
        filter[bit >>> 6] |= 1L << bit;
        int mask = table.length - 1;
        int place = (hash >>> STRIPE_BITS) & mask;
        while (table[place] != 0) {
            place = (place + 1) & mask;
        }
        table[place] = number;
    }

    private static final class Entry extends WeakReference<Object> {
        final long[] words;
        final int hash;

        Entry(Object array, long[] words, int hash) {
            super(array);
            this.words = words;
            this.hash = hash;
        }

        boolean isOf(Object array, int itsHash) {
            return hash == itsHash && refersTo(array);
        }

        long[] use() {
            RECENT[hash & (RECENT.length - 1)] = this;
            RECENT_HASHES[hash & (RECENT.length - 1)] = hash;
            return words;
        }
    }

    /**
     * Arrays that were seen for the first time where many are. Most of them one thread makes, uses and drops, and their words
     * would be most of what garbage collections find alive. So from one of them only who has it is kept, by the hash, and it
     * is watched from when another thread comes. Some are watched at once, by chance: those that live long and are in use
     * get their words sooner or later, even if what is kept here is overwritten before another thread comes.
     */
    private static final class Newcomers {
        private static final int METHODS = 1 << 16; // beyond that, several have the same number
        private static final boolean EVERY_ACCESS_COUNTS = TurnstileHook.RECORDING || TurnstileSampler.ON;

        /** By method: how many arrays got their words there. */
        private static final int[] MADE = new int[METHODS];

        /** By hash: the hash, above what tells the thread from others. */
        private static final long[] OWNERS = new long[1 << 13];

        private static int chance;

        static boolean isBusy(int method) {
            return MADE[method & METHODS - 1] >= TurnstileHook.BUSY;
        }

        static void count(int method) {
            if (!EVERY_ACCESS_COUNTS && !isBusy(method)) {
                MADE[method & METHODS - 1]++;
            }
        }

        /** Whether it is this thread's alone. */
        static boolean isOwn(int hash) {
            return OWNERS[hash & OWNERS.length - 1] == owned(hash);
        }

        /** Of an array without words, in a busy method: true if it stays so. */
        static boolean isLeftOut(int hash) {
            if (OWNERS[hash & OWNERS.length - 1] >>> 32 == hash) {
                return false; // another thread's
            }
            chance = TurnstileWords.nextChance(chance);
            if (TurnstileWords.isOneInSixteen(chance)) {
                return false;
            }
            OWNERS[hash & OWNERS.length - 1] = owned(hash);
            return true;
        }

        /** It gets words. */
        static void forget(int hash) {
            if (OWNERS[hash & OWNERS.length - 1] >>> 32 == hash) {
                OWNERS[hash & OWNERS.length - 1] = 0;
            }
        }

        private static long owned(int hash) {
            return (long) hash << 32 | TurnstileWords.ownerTag(Thread.currentThread()) & 0xFFFFFFFFL;
        }
    }

    /** What insertions into one table need; it is their lock. */
    private static final class Stripe {
        private final int number;
        private int live; // at the last cleaning
        private int used; // of the entries
        private int collection;
        private long counted;

        Stripe(int number) {
            this.number = number;
        }

        /** The words that the array has now: its entry's, or those that another thread has added meanwhile. */
        synchronized long[] add(Object array, Entry entry, int newest) {
            int[] table = TABLES[number];
            int mask = table.length - 1;
            int place = (entry.hash >>> STRIPE_BITS) & mask;
            for (int there = table[place]; there != 0; there = table[place]) {
                Entry other = ENTRIES[number][there - 1];
                if (other.isOf(array, entry.hash)) {
                    return other.use();
                }
                place = (place + 1) & mask;
            }
            if (used == ENTRIES[number].length) {
                clean(newest);
            }
            ENTRIES[number][used++] = entry;
            put(TABLES[number], FILTERS[number], entry.hash, used);
            count(entry.words.length);
            return entry.use();
        }

        synchronized void cleanIfWorth(int newest) {
            if (collection != newest && (used - live > live / NEW_SHARE || isSampleGone())) {
                clean(newest);
            }
        }

        /**
         * Whether many arrays are gone: a collection of old objects takes those that counted as live. The sample is taken
         * from young and old alike: the oldest often stay for ever.
         */
        private boolean isSampleGone() {
            Entry[] entries = ENTRIES[number];
            int seen = Math.min(used, SAMPLE);
            int gone = 0;
            for (int i = 0; i < seen; i++) {
                if (entries[(int) ((long) i * used / seen)].refersTo(null)) {
                    gone++;
                }
            }
            return gone > seen / NEW_SHARE;
        }

        synchronized void clean(int newest) {
            Entry[] old = ENTRIES[number];
            int count = 0;
            for (int i = 0; i < used; i++) {
                if (!old[i].refersTo(null)) {
                    count++;
                }
            }
            // Some may be cleared from here on: then there is more room than it needs.
            Entry[] entries = new Entry[count + room(count)];
            int[] table = new int[capacity(entries.length)];
            long[] filter = new long[filterLength(table)];
            int kept = 0;
            long dropped = 0;
            for (int i = 0; i < used; i++) {
                Entry entry = old[i];
                if (entry.refersTo(null)) {
                    dropped += entry.words.length;
                } else {
                    entries[kept++] = entry;
                    put(table, filter, entry.hash, kept);
                }
            }
            live = kept;
            used = kept;
            collection = newest;
            ENTRIES[number] = entries;
            TABLES[number] = table;
            FILTERS[number] = filter;
            // The old ones may be in the old generation, and would keep everything until that is collected.
            for (int i = 0; i < old.length; i++) {
                old[i] = null;
            }
            count(-dropped);
        }

        private void count(long words) {
            counted += words;
            if (counted > COUNTED_ALONE || counted < -COUNTED_ALONE) {
                long all = counted;
                counted = 0;
                Budget.add(all);
            }
        }
    }

    /** Garbage collections, as far as one sees that something was collected. */
    private static final class Collections {
        private static WeakReference<Object> canary = new WeakReference<>(new Object());
        private static int number;

        static int number() {
            return canary.refersTo(null) ? next() : number;
        }

        private static synchronized int next() {
            if (canary.refersTo(null)) {
                canary = new WeakReference<>(new Object());
                number++;
            }
            return number;
        }
    }

    /** How many words there are, in all stripes. */
    private static final class Budget {
        private static long used;
        private static int collection;

        static boolean allows(int count, int newest) {
            if (used + count > limit && collection != newest) {
                collection = newest;
                for (Stripe stripe : STRIPES) {
                    stripe.clean(newest);
                }
            }
            return used + count <= limit;
        }

        static synchronized void add(long words) {
            used += words;
        }
    }
}
