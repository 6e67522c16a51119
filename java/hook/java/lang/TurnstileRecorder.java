package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What rewritten code calls when a trace is recorded: see src/agent/record.h.
 *
 * <p>Each thread writes its events as numbers of 64 bits, entries, to memory that the run time shares with it, and calls
 * the run time when that is full, and for all that is seldom. The order of the threads' events comes from groups: a
 * group is a stretch of one thread's events; groups have numbers, from one counter, taken when the group begins, and
 * stand in the trace in the order of their numbers. So whatever has to come behind another thread's event begins a
 * group, unless the thread is in a later one than that event; and what others have to come behind need not.
 *
 * <p>That is the case when the thread acquires something that others had, and when it accesses a variable after another
 * thread, unless both only read. To tell that, the upper half of a variable's word says who had it last; the lower half is
 * its number in the trace:
 *
 * <ul>
 * <li>above 0: twice the place of the only thread that has used it since the last write of another; with {@code WROTE} if
 *     it wrote
 * <li>below 0: several threads have read it since it was written; who is in a group with that number (but for the sign)
 *     or a later one is behind that write
 * <li>0: nobody had it yet
 * </ul>
 *
 * <p>The run time may take a thread's entries away while the thread waits, or is in native code; then the thread's next
 * event must be in another group. So between the look at {@code WANTED}, or at {@code LIMIT}, and the entry, there is
 * no call of native code.
 */
public final class TurnstileRecorder {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    // In the run time's memory for a thread.

    /** Where the next entry goes; it may if that is below LIMIT. That is END or, if something has to be done first, 0. */
    private static final int NEXT = (int) TurnstileHook.layout(41);

    private static final int LIMIT = (int) TurnstileHook.layout(42);
    private static final int END = (int) TurnstileHook.layout(43);
    private static final int GROUP = (int) TurnstileHook.layout(44);

    /** The low half of the group's number. */
    private static final int STAMP = (int) TurnstileHook.layout(45);

    /** The upper half of the word of a variable that the thread has written. */
    private static final int OWNER = (int) TurnstileHook.layout(46);

    /** Somebody wants what the thread has. */
    private static final int WANTED = (int) TurnstileHook.layout(47);

    /** The thread keeps no entries: the run time cannot tell when it waits. */
    private static final int EAGER = (int) TurnstileHook.layout(48);

    private static final int INITIALIZING = (int) TurnstileHook.layout(49);

    // For all threads.

    private static final long THREADS = TurnstileHook.layout(50);
    private static final long THREAD_SIZE = TurnstileHook.layout(51);

    /** By site: not 0 if the run time knows all about it. */
    private static final long QUICK = TurnstileHook.layout(52);

    /** The number of the last group. */
    private static final long GROUPS = TurnstileHook.layout(53);

    /**
     * Of locks: two words, each with what tells the lock from others with the same place above, the last of which has it.
     * In the first its number in the trace, in the second the group in which it was released last, or NOT_KNOWN.
     */
    private static final long LOCKS = TurnstileHook.layout(54);

    private static final int LOCKS_MASK = (int) TurnstileHook.layout(55);
    private static final int LOCK_SHIFT = 4;
    private static final int RELEASED = 8;
    private static final int TAG_SHIFT = 48;
    private static final long NOT_KNOWN = (1L << TAG_SHIFT) - 1;

    // Repetitions: see isRepeated.

    /** The thread's marks. */
    private static final int MARKS = (int) TurnstileHook.layout(56);

    /** Its present stretch, times STRETCH_FACTOR. */
    private static final int STRETCH = (int) TurnstileHook.layout(57);

    /** In how many blocks it is. */
    private static final int DEPTH = (int) TurnstileHook.layout(58);

    /** Where repetitions are left out: nowhere, outside of blocks, everywhere. */
    private static final int OMITTING = (int) TurnstileHook.layout(59);

    private static final int EVERYWHERE = 2;
    private static final int MARKS_MASK = (int) TurnstileHook.layout(60);
    private static final int LEARNED_MASK = (int) TurnstileHook.layout(61);
    private static final long STRETCH_FACTOR = TurnstileHook.layout(62);

    /** In bytes: with less at the end of a block the entries are taken. */
    private static final long ROOM = TurnstileHook.layout(77);

    private static final int WROTE = 1;

    // Entries: what it is, with the site, and in the upper half the variable or lock.

    static final int READ = 0;
    static final int WRITE = 1;
    private static final int ACQUIRE = 2;
    private static final int RELEASE = 3;
    /** A read and at once a write. */
    static final int UPDATE = 4;
    /** A block begins, and its lock is taken. */
    private static final int ENTER = 5;
    /** The lock is given up, and the block ends. */
    private static final int LEAVE = 6;
    private static final int BEGIN = 12;
    private static final int END_OF_BLOCK = 13;
    /** Above it: the stack of the next event. */
    private static final int STACK = 14;
    /** Above it: a group begins. */
    private static final int GROUP_BEGINS = 15;
    private static final int SITE_SHIFT = 4;

    private TurnstileRecorder() {
    }

    // ---- accesses ----

    /** Whether a read of the variable with this word need not be recorded, or could be at once. */
    @ForceInline
    public static boolean isReadRecorded(long word, int site) {
        long self = Thread.currentThread().$turnstile$self;
        return self != 0 && (OMITTING != 0 && isRepeated(self, word, site, READ) || isReadPut(self, word, site));
    }

    /** The same for a write. */
    @ForceInline
    public static boolean isWriteRecorded(long word, int site) {
        long self = Thread.currentThread().$turnstile$self;
        return self != 0 && (OMITTING != 0 && isRepeated(self, word, site, WRITE) || isWritePut(self, word, site));
    }

    /** The same for a read that a write follows at once. */
    @ForceInline
    public static boolean isUpdateRecorded(long word, int site) {
        long self = Thread.currentThread().$turnstile$self;
        if (OMITTING != 0 && self != 0 && isRepeated(self, word, site, READ)) {
            return isRepeated(self, word, site, WRITE) || isWritePut(self, word, site);
        }
        return self != 0 && isUpdatePut(self, word, site);
    }

    @DontInline
    private static boolean isReadPut(long self, long word, int site) {
        int state = (int) (word >>> 32);
        long next = UNSAFE.getLong(self + NEXT);
        if (next >= UNSAFE.getLong(self + LIMIT)
                || (state | WROTE) != UNSAFE.getInt(self + OWNER)
                        && (state >= 0 || UNSAFE.getInt(self + STAMP) - state << 1 < 0)
                || UNSAFE.getByte(QUICK + site) == 0) {
            return false;
        }
        UNSAFE.putLong(next, word << 32 | (site << SITE_SHIFT | READ));
        UNSAFE.putLong(self + NEXT, next + 8);
        if (isMarking(self)) {
            if (state < 0) {
                learn(self, word);
            }
            mark(self, word, site, READ);
        }
        return true;
    }

    @DontInline
    private static boolean isWritePut(long self, long word, int site) {
        return isPut(self, word, site, WRITE);
    }

    @DontInline
    private static boolean isUpdatePut(long self, long word, int site) {
        return isPut(self, word, site, UPDATE);
    }

    /** Of a variable that the thread has written, and nobody else has used since. */
    @ForceInline
    private static boolean isPut(long self, long word, int site, int what) {
        long next = UNSAFE.getLong(self + NEXT);
        if (next >= UNSAFE.getLong(self + LIMIT)
                || (int) (word >>> 32) != UNSAFE.getInt(self + OWNER)
                || UNSAFE.getByte(QUICK + site) == 0) {
            return false;
        }
        UNSAFE.putLong(next, word << 32 | (site << SITE_SHIFT | what));
        UNSAFE.putLong(self + NEXT, next + 8);
        if (isMarking(self)) {
            mark(self, word, site, what);
        }
        return true;
    }

    /** Any access of the variable whose word is there. Nothing is pending. */
    static void access(Thread thread, long self, Object object, long offset, int site, int kind) {
        if (isReady(self, site)) {
            long word = UNSAFE.getLongVolatile(object, offset);
            if (word != 0) {
                access(self, object, offset, word, site, kind, 0);
                return;
            }
        }
        accessSlowly(thread, self, object, offset, site, kind);
    }

    @DontInline
    private static void accessSlowly(Thread thread, long self, Object object, long offset, int site, int kind) {
        boolean write = kind != READ;
        int what = kind == UPDATE && thread.$turnstile$optimistic ? WRITE : kind;
        if (!write && thread.$turnstile$optimistic || UNSAFE.getInt(self + INITIALIZING) != 0) {
            return;
        }
        int number = UNSAFE.getLongVolatile(object, offset) != 0 ? 0 : newVariable(self, site);
        int stack = stackAt(self, site, what, 0);
        makeRoom(self);
        if (number != 0) {
            // Perhaps another thread was faster.
            UNSAFE.compareAndSetLong(object, offset, 0, number & 0xFFFFFFFFL);
        }
        access(self, object, offset, UNSAFE.getLongVolatile(object, offset), site, what, stack);
        goOn(thread, self);
    }

    /**
     * The same when there is room, and the word is known.
     *
     * <p>Whether another thread has changed the word since is not looked at: then nothing orders the two accesses, as in
     * beginGroup, and either may be the last. A variable keeps its number.
     */
    private static void access(long self, Object object, long offset, long word, int site, int what, int stack) {
        int state = (int) (word >>> 32);
        int number = (int) word;
        long result = (long) stateAfter(self, state, what != READ) << 32 | number & 0xFFFFFFFFL;
        if (result != word && number != 0) {
            UNSAFE.putLongRelease(object, offset, result);
        }
        putEvent(self, what, number, site, stack);
        if (isMarking(self) && number != 0) {
            if (state != 0 && (state | WROTE) != UNSAFE.getInt(self + OWNER)) {
                learn(self, result);
            }
            mark(self, result, site, what);
        }
    }

    /** What the access makes of the state of its variable. Begins a group if there is need. */
    private static int stateAfter(long self, int state, boolean write) {
        int owner = UNSAFE.getInt(self + OWNER);
        if ((state | WROTE) == owner) {
            return write ? owner : state;
        }
        if (state == 0) {
            return write ? owner : owner & ~WROTE;
        }
        if (state < 0) {
            if (write || UNSAFE.getInt(self + STAMP) - state << 1 < 0) {
                beginGroup(self);
            }
            return write ? owner : state;
        }
        long other = THREADS + ((state >> 1) - 1) * THREAD_SIZE;
        if (UNSAFE.getLongVolatile(null, other + GROUP) >= UNSAFE.getLong(self + GROUP)) {
            beginGroup(self);
        }
        if (write) {
            return owner;
        }
        return (state & WROTE) != 0 ? owner & ~WROTE : UNSAFE.getInt(self + STAMP) | Integer.MIN_VALUE;
    }

    // ---- repetitions ----

    /*
     * A stretch is a part of a thread's events in which it acquires and releases nothing, enters and leaves no block and,
     * outside of blocks, learns nothing of what other threads have done. Outside of blocks an access is a repetition if
     * the thread has read the variable, or written it, in the same stretch already, and no other thread has made an access
     * since that conflicts. In a block that is so if it has done the same at the same site, and twice.
     *
     * A repetition changes nothing for any engine: the thread has the same locks and knows the same; the same threads'
     * accesses are ordered before it and after it; that it was made in a block more than once is told by the two; a cycle
     * of transactions leads through the block as a whole, or through it as through the earlier one, because nothing leads to
     * it that did not lead there. Only the order in which a block uses several variables is lost, of which `blocks` makes
     * something: so it depends on what is wanted whether repetitions in blocks are left out, too.
     *
     * A table of marks says what was recorded last, at a place that depends on the variable and whether it was written (and,
     * in blocks, the site): the variable's word, mixed with the stretch (and the site). As the state of the variable is in
     * its word, an equal mark says that nobody else has changed it since.
     */

    @ForceInline
    private static boolean isRepeated(long self, long word, int site, int what) {
        if (UNSAFE.getInt(self + DEPTH) == 0) {
            return UNSAFE.getLong(markPlace(self, word, what)) == (word ^ UNSAFE.getLong(self + STRETCH));
        }
        return OMITTING == EVERYWHERE
                && UNSAFE.getLong(markPlaceInBlock(self, word, site, what)) == markInBlock(self, word, site, what);
    }

    /** Whether repetitions of the thread's present accesses are left out. */
    @ForceInline
    private static boolean isMarking(long self) {
        return OMITTING == EVERYWHERE || OMITTING != 0 && UNSAFE.getInt(self + DEPTH) == 0;
    }

    /** The access was recorded, and the word is what it left. */
    private static void mark(long self, long word, int site, int what) {
        if (what == UPDATE) {
            mark(self, word, site, READ);
            mark(self, word, site, WRITE);
        } else if (UNSAFE.getInt(self + DEPTH) == 0) {
            UNSAFE.putLong(markPlace(self, word, what), word ^ UNSAFE.getLong(self + STRETCH));
        } else {
            long place = markPlaceInBlock(self, word, site, what);
            long mark = markInBlock(self, word, site, what);
            UNSAFE.putLong(place, UNSAFE.getLong(place) == (mark ^ 1) ? mark : mark ^ 1);
        }
    }

    /** The lowest bit of the place is that of the kind. */
    @ForceInline
    private static long markPlace(long self, long word, int what) {
        return UNSAFE.getLong(self + MARKS) + ((long) (((int) word << 1 | what) & MARKS_MASK) << 3);
    }

    @ForceInline
    private static long markPlaceInBlock(long self, long word, int site, int what) {
        return markPlace(self, word + site * 0x9E3B, what);
    }

    @ForceInline
    private static long markInBlock(long self, long word, int site, int what) {
        return (word ^ UNSAFE.getLong(self + STRETCH)) + (site * 2L + what) * 0xD1B54A32D192ED03L;
    }

    /**
     * Another thread has used the variable since this one did. So this one learns of what others did; but not if several
     * have read it, and this one has read the same before: then the word says so, and stands behind the marks.
     */
    @DontInline // that is seldom, and stands in every check
    private static void learn(long self, long word) {
        if (UNSAFE.getInt(self + DEPTH) == 0) {
            long place = UNSAFE.getLong(self + MARKS) + (MARKS_MASK + 1L + ((int) word & LEARNED_MASK) << 3);
            long known = word + UNSAFE.getInt(self + OWNER) * STRETCH_FACTOR;
            if (word >= 0 || UNSAFE.getLong(place) != known) {
                UNSAFE.putLong(place, known);
                newStretch(self);
            }
        }
    }

    private static void newStretch(long self) {
        UNSAFE.putLong(self + STRETCH, UNSAFE.getLong(self + STRETCH) + STRETCH_FACTOR);
    }

    // ---- monitors of the program ----

    /** As TurnstileHook.entered. */
    @DontInline // compiled once, not again and again with every method that locks
    public static void entered(Object lock, int number, int site) {
        enter(lock, number, 0, site);
    }

    /** The same of the lock of a block, which begins with it. */
    @DontInline
    public static void entered(Object lock, int number, int block, int site) {
        enter(lock, number, block, site);
    }

    @ForceInline
    private static void enter(Object lock, int number, int block, int site) {
        Thread thread = Thread.currentThread();
        long self = thread.$turnstile$self;
        if (self == 0) {
            return;
        }
        int known = number != 0 ? number : TurnstileNumbers.of(lock);
        int target = lockTarget(known);
        if (target != 0 && isReady(self, site) && TurnstileLocks.isQuickHold(self, known)) {
            enter(self, known, target, block, site, 0);
        } else {
            enterSlowly(thread, self, lock, known, block, site);
        }
    }

    @DontInline
    private static void enterSlowly(Thread thread, long self, Object lock, int known, int block, int site) {
        TurnstileHook.settle(thread);
        if (!TurnstileLocks.isQuickHold(self, known)) {
            if (block != 0) {
                block(thread, self, block, true);
            }
            thread.$turnstile$optimistic = false;
            TurnstileHook.entered(lock, known);
            return;
        }
        thread.$turnstile$optimistic = false;
        int target = findTarget(self, known, lock);
        int stack = stackAt(self, site, block != 0 ? ENTER : ACQUIRE, block);
        makeRoom(self);
        enter(self, known, target, block, site, stack);
        goOn(thread, self);
    }

    /** There is room. */
    @ForceInline
    private static void enter(long self, int known, int target, int block, int site, int stack) {
        if (!isBehindRelease(self, known)) {
            beginGroup(self);
        }
        putEvent(self, block != 0 ? ENTER : ACQUIRE, target, site, stack);
        if (block != 0) {
            UNSAFE.putInt(self + DEPTH, UNSAFE.getInt(self + DEPTH) + 1);
        }
        newStretch(self);
    }

    @DontInline
    public static void leaving(Object lock, int number, int site) {
        leave(lock, number, 0, site);
    }

    /** Of the lock of a block, which ends with it. When it is left, left is called. */
    @DontInline
    public static void leaving(Object lock, int number, int block, int site) {
        leave(lock, number, block, site);
    }

    @ForceInline
    private static void leave(Object lock, int number, int block, int site) {
        Thread thread = Thread.currentThread();
        long self = thread.$turnstile$self;
        if (self == 0) {
            return;
        }
        int known = number != 0 ? number : TurnstileNumbers.of(lock);
        int target = lockTarget(known);
        if (target != 0 && isReady(self, site) && TurnstileLocks.isQuickLetGo(self, known)) {
            leave(self, known, target, block, site, 0);
        } else {
            leaveSlowly(thread, self, lock, known, block, site);
        }
    }

    @DontInline
    private static void leaveSlowly(Thread thread, long self, Object lock, int known, int block, int site) {
        TurnstileHook.settle(thread);
        if (!TurnstileLocks.isQuickLetGo(self, known)) {
            TurnstileHook.leaving(lock, known);
            if (block != 0) {
                block(thread, self, block, false);
            }
            return;
        }
        int target = findTarget(self, known, lock);
        int stack = stackAt(self, site, block != 0 ? LEAVE : RELEASE, block);
        makeRoom(self);
        leave(self, known, target, block, site, stack);
        goOn(thread, self);
    }

    /** There is room, and nobody else can have the lock. */
    @ForceInline
    private static void leave(long self, int known, int target, int block, int site, int stack) {
        putEvent(self, block != 0 ? LEAVE : RELEASE, target, site, stack);
        noteRelease(self, known);
        if (block != 0) {
            UNSAFE.putInt(self + DEPTH, Math.max(UNSAFE.getInt(self + DEPTH) - 1, 0));
        }
        newStretch(self);
    }

    private static long lockPlace(int known) {
        return LOCKS + ((long) ((known ^ known >>> 16) & LOCKS_MASK) << LOCK_SHIFT);
    }

    /** Its number in the trace, or 0 if that is not known here. */
    private static int lockTarget(int known) {
        long entry = UNSAFE.getLong(lockPlace(known));
        return entry >>> TAG_SHIFT == known >>> 16 ? (int) entry : 0;
    }

    private static int findTarget(long self, int known, Object lock) {
        int target = lockTarget(known);
        if (target == 0) {
            TurnstileHook.name(known, lock);
            target = lockNumber(self, known);
        }
        return target;
    }

    /** Whether the thread, which has the lock, is in the group in which it was released last, or in a later one. */
    private static boolean isBehindRelease(long self, int known) {
        long released = UNSAFE.getLong(lockPlace(known) + RELEASED);
        return released >>> TAG_SHIFT == known >>> 16 && (released & NOT_KNOWN) <= UNSAFE.getLong(self + GROUP);
    }

    /** The event of a thread that keeps no entries will be in a group that has not begun. */
    private static void noteRelease(long self, int known) {
        long group = UNSAFE.getByte(self + EAGER) != 0 ? NOT_KNOWN : UNSAFE.getLong(self + GROUP) & NOT_KNOWN;
        UNSAFE.putLong(lockPlace(known) + RELEASED, (long) (known >>> 16) << TAG_SHIFT | group);
    }

    // ---- blocks ----

    @DontInline
    static void block(Thread thread, long self, int site, boolean begins) {
        int what = begins ? BEGIN : END_OF_BLOCK;
        int stack = stackAt(self, site, what, 0);
        makeRoom(self);
        putEvent(self, what, 0, site, stack);
        UNSAFE.putInt(self + DEPTH, Math.max(UNSAFE.getInt(self + DEPTH) + (begins ? 1 : -1), 0));
        newStretch(self);
        if (isNearEnd(self)) {
            flushBetween(self);
        }
        goOn(thread, self);
    }

    /** A block was left, and so was its lock. */
    @ForceInline
    public static void left() {
        long self = Thread.currentThread().$turnstile$self;
        if (self != 0 && isNearEnd(self)) {
            flushBetween(self);
        }
    }

    @ForceInline
    private static boolean isNearEnd(long self) {
        return UNSAFE.getLong(self + END) - UNSAFE.getLong(self + NEXT) < ROOM;
    }

    /** Rather between blocks than where others wait for a lock. */
    @DontInline
    private static void flushBetween(long self) {
        if (UNSAFE.getInt(self + DEPTH) == 0) {
            flush(self);
        }
    }

    // ---- entries ----

    /** The next event has something to do first. */
    static void stop(Thread thread) {
        long self = thread.$turnstile$self;
        if (self != 0) {
            UNSAFE.putLong(self + LIMIT, 0);
            newStretch(self);
        }
    }

    /** Nothing has to be done before an event at the site is put. It is so until native code is called. */
    @ForceInline
    private static boolean isReady(long self, int site) {
        return UNSAFE.getLong(self + NEXT) < UNSAFE.getLong(self + LIMIT) && UNSAFE.getByte(QUICK + site) != 0;
    }

    /** 0 if that of the site's last event is good enough. */
    private static int stackAt(long self, int site, int what, int block) {
        return UNSAFE.getByte(QUICK + site) != 0 ? 0 : place(self, site, what, block);
    }

    /** There is room for one event, with all that belongs to it. */
    private static void makeRoom(long self) {
        while (UNSAFE.getInt(self + WANTED) != 0
                || UNSAFE.getLong(self + NEXT) >= UNSAFE.getLong(self + END)) {
            flush(self);
        }
    }

    /**
     * Others may see the number late, as long as they see it with what the thread does next to a variable's word: that
     * they look at before. When they do not, they have made their access before they could know of this thread's, which is
     * in the new group and so behind theirs. That nothing orders the two is what a data race is; and the same may happen
     * between the look at the number and the change of the word, whatever fence is here. What is ordered by more than
     * that, by a lock or the like, is in a group that begins later, and has its number from the counter.
     */
    private static void beginGroup(long self) {
        long group = UNSAFE.getAndAddLong(null, GROUPS, 1) + 1;
        UNSAFE.putInt(self + STAMP, (int) group);
        UNSAFE.putLongRelease(null, self + GROUP, group);
        put(self, group << SITE_SHIFT | GROUP_BEGINS);
    }

    private static void putEvent(long self, int what, int target, int site, int stack) {
        if (stack != 0) {
            put(self, (long) stack << SITE_SHIFT | STACK);
        }
        put(self, (long) target << 32 | (site << SITE_SHIFT | what));
    }

    private static void put(long self, long entry) {
        long next = UNSAFE.getLong(self + NEXT);
        UNSAFE.putLong(next, entry);
        UNSAFE.putLong(self + NEXT, next + 8);
    }

    /** From here on accesses can be recorded at once, if nothing speaks against it. */
    private static void goOn(Thread thread, long self) {
        if (UNSAFE.getByte(self + EAGER) != 0) {
            flush(self);
        } else if (!thread.$turnstile$optimistic
                && UNSAFE.getInt(self + INITIALIZING) == 0
                && UNSAFE.getInt(self + WANTED) == 0) {
            UNSAFE.putLong(self + LIMIT, UNSAFE.getLong(self + END));
        }
    }

    // ---- the run time ----

    /** Takes the thread's entries. */
    private static native void flush(long self);

    /**
     * Finds out about the site, and where the thread is now: the number of the stack.
     *
     * @param block the site of the block that begins or ends there with a lock, or 0
     */
    private static native int place(long self, int site, int what, int block);

    private static native int newVariable(long self, int site);

    private static native int lockNumber(long self, int lock);
}
