package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Which parts of a run are told, when atomicity is looked for in samples: see src/agent/sample.h.
 *
 * <p>A thread that tells has no {@code fresh} word, and no bit among readers: so no comparison covers anything that it
 * does, all of it comes to {@link TurnstileHook} the slow way, and from there it is told.
 *
 * <p>Of each block the first executions on a thread are told, and later ones now and then. Inside of one that is told
 * because it was its turn, each other block is told some times more: what it does there belongs to the outer one. In
 * between, the outer one has gaps. A thread that has told too much is silent until the next block whose turn it is.
 */
final class TurnstileSampler {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    static final boolean ON = TurnstileHook.layout(63) != 0;

    // In the run time's memory for a thread.

    private static final int TELLING = (int) TurnstileHook.layout(64);

    /** 0 while the thread does not tell, and no open block was told or entered while it did: DEPTH means nothing then. */
    private static final int ACTIVE = (int) TurnstileHook.layout(76);

    /** How many blocks it has entered since it is active. */
    private static final int DEPTH = (int) TurnstileHook.layout(58);

    /** A bit for each open block, the innermost lowest: whether the thread told when it was entered. */
    private static final int OUTER_TELLING = (int) TurnstileHook.layout(65);

    /** The same: whether the block is told. */
    private static final int TOLD_BLOCKS = (int) TurnstileHook.layout(66);

    private static final int TOLD_LOCKS = (int) TurnstileHook.layout(67);

    /** A number for the last block that was told because it was its turn, with what is inside. */
    private static final int EPISODE = (int) TurnstileHook.layout(68);

    /** How much the thread may still tell: in blocks, down to FLOOR; outside of them. */
    private static final int BUDGET = (int) TurnstileHook.layout(69);

    private static final int FLOOR = (int) TurnstileHook.layout(70);
    private static final int OUTSIDE = (int) TurnstileHook.layout(71);

    /**
     * For each block, by its site: how often it was entered; above, in how many executions inside of the episode it was
     * told, and the episode. Behind that the same for accesses.
     */
    private static final int COUNTS = (int) TurnstileHook.layout(72);

    private static final int READER = (int) TurnstileHook.layout(73);
    private static final int BLOCKS_MASK = (int) TurnstileHook.layout(74);
    private static final int ACCESSES_MASK = (int) TurnstileHook.layout(75);
    private static final int DEEPEST = 64;

    /** So many executions of a block are told at first, */
    private static final int FIRST = 100;

    /** then one of so many, */
    private static final int PERIOD = 1 << 10;

    /** after so many one of so many, */
    private static final int LONG_PERIOD = 1 << 14;

    /** and so many inside of each of those. */
    private static final int INSIDE = 3;

    /** An access at one place is told so often in an episode. */
    private static final int AT_ONE_PLACE = 200;

    private TurnstileSampler() {
    }

    @ForceInline
    static boolean isTelling(long self) {
        return ON && UNSAFE.getInt(self + TELLING) != 0;
    }

    /** In the trace the thread has locks: that it gives them up must be told. */
    @ForceInline
    static boolean hasToldLocks(long self) {
        return ON && UNSAFE.getInt(self + TOLD_LOCKS) != 0;
    }

    // ---- blocks ----

    static void begin(Thread thread, long self, int site) {
        long counts = UNSAFE.getLong(self + COUNTS);
        if (counts == 0) {
            return;
        }
        long place = counts + ((long) (site & BLOCKS_MASK) << 3);
        int count = UNSAFE.getInt(place);
        UNSAFE.putInt(place, count + 1 & Integer.MAX_VALUE);
        boolean due = count < FIRST || (count & (count < LONG_PERIOD ? PERIOD : LONG_PERIOD) - 1) == 0;
        if (due || UNSAFE.getInt(self + ACTIVE) != 0) {
            beginAmong(thread, self, site, place + 4, due);
        }
    }

    /** @param place of the upper half of the block's entry */
    @DontInline
    private static void beginAmong(Thread thread, long self, int site, long place, boolean due) {
        TurnstileHook.settle(thread);
        int depth = UNSAFE.getInt(self + DEPTH);
        if (UNSAFE.getInt(self + ACTIVE) == 0) {
            depth = 0;
            UNSAFE.putInt(self + ACTIVE, 1);
        }
        UNSAFE.putInt(self + DEPTH, depth + 1);
        if (depth >= DEEPEST) {
            return;
        }
        boolean telling = isTelling(self);
        long told = UNSAFE.getLong(self + TOLD_BLOCKS);
        boolean tell = told != 0 && isRich(self)
                ? isFirstInside(self, place, INSIDE) || due
                : due && beginEpisode(self);
        if (tell && due) {
            UNSAFE.putInt(self + EPISODE, UNSAFE.getInt(self + EPISODE) + 1);
        }
        UNSAFE.putLong(self + TOLD_BLOCKS, told << 1 | (tell ? 1 : 0));
        UNSAFE.putLong(self + OUTER_TELLING, UNSAFE.getLong(self + OUTER_TELLING) << 1 | (telling ? 1 : 0));
        setTelling(thread, self, tell);
        if (tell) {
            tellBlock(self, site, true);
        }
        beActive(self);
    }

    static void end(Thread thread, long self, int site) {
        if (UNSAFE.getInt(self + ACTIVE) != 0) {
            endAmong(thread, self, site);
        }
    }

    @DontInline
    private static void endAmong(Thread thread, long self, int site) {
        TurnstileHook.settle(thread);
        int depth = UNSAFE.getInt(self + DEPTH) - 1;
        if (depth < 0) {
            return; // it has been open since before
        }
        UNSAFE.putInt(self + DEPTH, depth);
        if (depth >= DEEPEST) {
            return;
        }
        long told = UNSAFE.getLong(self + TOLD_BLOCKS);
        long outer = UNSAFE.getLong(self + OUTER_TELLING);
        if ((told & 1) != 0) {
            tellBlock(self, site, false);
        }
        UNSAFE.putLong(self + TOLD_BLOCKS, told >>> 1);
        UNSAFE.putLong(self + OUTER_TELLING, outer >>> 1);
        boolean tell = (outer & 1) != 0 && (told >>> 1 != 0 ? isRich(self) : UNSAFE.getLong(self + OUTSIDE) > 0);
        if (tell != isTelling(self)) {
            setTelling(thread, self, tell);
        } else if (!tell && told == 1) {
            TurnstileHook.expect(thread, changed(self));
        }
        beActive(self);
    }

    /** Whether anything has to be known of the blocks that the thread is in. */
    private static void beActive(long self) {
        boolean active = isTelling(self)
                || (UNSAFE.getLong(self + TOLD_BLOCKS) | UNSAFE.getLong(self + OUTER_TELLING)) != 0;
        UNSAFE.putInt(self + ACTIVE, active ? 1 : 0);
    }

    private static boolean isRich(long self) {
        return UNSAFE.getLong(self + BUDGET) > UNSAFE.getLong(self + FLOOR);
    }

    /** Whether that is one of the first so many times in the episode. Counts them, too. */
    private static boolean isFirstInside(long self, long place, int most) {
        int episode = UNSAFE.getInt(self + EPISODE) & 0xFFFFFF;
        int state = UNSAFE.getInt(place);
        int count = state >>> 8 == episode ? state & 0xFF : 0;
        if (count < most) {
            UNSAFE.putInt(place, episode << 8 | count + 1);
        }
        return count < most;
    }

    private static void setTelling(Thread thread, long self, boolean tell) {
        if (tell != isTelling(self)) {
            UNSAFE.putInt(self + TELLING, tell ? 1 : 0);
            thread.$turnstile$reader = tell ? 0 : UNSAFE.getInt(self + READER);
            TurnstileHook.expect(thread, changed(self));
        }
    }

    // ---- accesses ----

    /** By a thread that tells. Nothing is pending. */
    @DontInline
    static void access(Thread thread, long self, Object object, long offset, int site, boolean write) {
        boolean more;
        long place = UNSAFE.getLong(self + COUNTS) + ((site & ACCESSES_MASK) + BLOCKS_MASK + 1L << 3);
        if (UNSAFE.getLong(self + TOLD_BLOCKS) != 0 && !isFirstInside(self, place, AT_ONE_PLACE)) {
            UNSAFE.putLong(self + BUDGET, UNSAFE.getLong(self + BUDGET) - 1);
            more = isRich(self);
        } else {
            more = tellAccess(self, object, offset, site, write);
        }
        if (!more) {
            setTelling(thread, self, false);
        }
    }

    // ---- the run time ----

    /** The thread will tell a block, and is in none that is told, or has no budget left. False if it must not. */
    private static native boolean beginEpisode(long self);

    /** The thread tells or does not, or is in no block any more that is told. Gives `fresh`. */
    private static native long changed(long self);

    private static native void tellBlock(long self, int site, boolean begins);

    /** False if the thread should tell no more. */
    private static native boolean tellAccess(long self, Object object, long offset, int site, boolean write);
}
