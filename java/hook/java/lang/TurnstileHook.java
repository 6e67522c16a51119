package java.lang;

import static java.lang.TurnstileLayout.*;

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

    /** Code that came here so often counts as busy. */
    static final int BUSY = 10_000;

    /** Everything is told: see TurnstileRecorder. */
    static final boolean RECORDING = layout(40) != 0;

    /** Where the elements of a long[] start. (Unsafe says so too, but with another type in each JDK.) */
    private static final long WORDS_BASE = wordsBase();

    /** See TurnstileLayout.READERS. */
    static long phase;

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
                && TurnstileWords.at(SITE_COUNTS, site) >= BUSY;
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
                        ? TurnstileWords.isSeen(thread, self, object, offset, word, site, write)
                        : TurnstileWords.isOwnAccess(thread, self, object, offset, word, site, key, write))) {
            return offset;
        }
        long result;
        do {
            word = UNSAFE.getLongVolatile(object, offset);
            result = access(self, word, site, key, TurnstileWords.identityFor(thread, object, word, site), write);
        } while (result != word && !UNSAFE.compareAndSetLong(object, offset, word, result) && lost(word, result));
        return offset;
    }

    /** The class whose static field is meant, for a field that is named by another class. */
    public static Object holder(Class<?> named, int site) {
        return declaringClass(named, site);
    }

    // ---- copies ----

    /** The object was just made by Object.clone: its shadows are those of the other. */
    public static void copied(Object copy) {
        if (copy == null) {
            return;
        }
        try {
            for (long offset : TurnstileShadows.of(copy.getClass()).offsets) {
                if (offset > 0) {
                    UNSAFE.putLong(copy, offset, 0);
                } else {
                    UNSAFE.putInt(copy, -offset, 0); // the number of its lock
                }
            }
        } catch (OutOfMemoryError | StackOverflowError error) {
            // then it may be taken for the other
        }
    }

    /** Called by the run time. */
    private static long offset(java.lang.reflect.Field field, boolean isStatic) {
        return isStatic ? UNSAFE.staticFieldOffset(field) : UNSAFE.objectFieldOffset(field);
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
        return object == null ? 0 : TurnstileNumbers.of(object);
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
            int known = number != 0 ? number : TurnstileNumbers.of(lock);
            thread.$turnstile$optimistic = false; // should nobody have asked whether the stamp was valid
            if (!TurnstileLocks.isQuickAcquire(thread, known)) {
                name(known, lock);
                expect(thread, lockAcquire(thread.$turnstile$self, known, EXCLUSIVE));
                TurnstileLocks.tag(thread);
            }
        }
    }

    @DontInline
    public static void leaving(Object lock, int number) {
        Thread thread = Thread.currentThread();
        settle(thread);
        if (thread.$turnstile$self != 0) {
            int known = number != 0 ? number : TurnstileNumbers.of(lock);
            if (TurnstileSampler.hasToldLocks(thread.$turnstile$self) || !TurnstileLocks.isQuickRelease(thread, known)) {
                expect(thread, lockRelease(thread.$turnstile$self, known, EXCLUSIVE));
                TurnstileLocks.tag(thread);
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
            int number = TurnstileNumbers.of(lock);
            name(number, lock);
            expect(thread, lockAcquire(thread.$turnstile$self, number, mode));
            TurnstileLocks.tag(thread);
        }
    }

    private static void lockReleased(Object lock, int mode) {
        Thread thread = Thread.currentThread();
        settle(thread);
        if (thread.$turnstile$self != 0) {
            expect(thread, lockRelease(thread.$turnstile$self, TurnstileNumbers.of(lock), mode));
            TurnstileLocks.tag(thread);
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
            waitBegin(thread.$turnstile$self, TurnstileNumbers.of(lock));
            TurnstileLocks.tag(thread);
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
            handOver(number != 0 ? number : TurnstileNumbers.of(lock));
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
        takeOver(number != 0 ? number : TurnstileNumbers.of(lock));
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
                    TurnstileLocks.tag(thread);
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
        long entry = TurnstileLocks.stampEntry(SYNC_MARKS, sync & SYNC_SET_MASK, sync);
        long engine = UNSAFE.getLong(self);
        if (entry == 0
                || thread.$turnstile$fresh == 0
                || TurnstileSampler.ON && handsOver) { // what it knows from that stands in no trace of samples
            return false;
        }
        long stamp = UNSAFE.getLongVolatile(null, entry + LOCK_STAMP);
        if (stamp == 0
                || UNSAFE.getInt(entry + LOCK_ID) != sync
                || !TurnstileLocks.isStampKnown(thread, UNSAFE.getLong(engine + FULL), stamp)
                || !TurnstileLocks.isStampKnown(thread, UNSAFE.getLong(engine + ORDERED), stamp)) {
            return false;
        }
        UNSAFE.putLong(self + SELF_SYNCS, UNSAFE.getLong(self + SELF_SYNCS) + 1);
        return true;
    }

    /** @param variable the number of a field; 0 for the object itself, less for what else there is of it */
    private static int mix(Object object, int variable) {
        int sync = mixed(TurnstileNumbers.of(object), variable);
        if ((RECORDING || TurnstileSampler.ON) && isNameless(sync)) {
            if (variable > 0) {
                nameVolatile(sync, variable);
            } else {
                nameLock(sync, object);
            }
        }
        return sync;
    }

    private static int mixed(int number, int variable) {
        int hash = (number + variable * 0x9E3779B1) & 0x7FFFFFFF;
        return hash == 0 ? 1 : hash;
    }

    /**
     * Calls what an element and its collection are together by the name of the collection: before volatileRead or
     * volatileWrite, which would take that of the element.
     *
     * @param part what they are given as variable
     */
    static void nameByCollection(Object element, int part, Object collection) {
        if (RECORDING || TurnstileSampler.ON) {
            int sync = mixed(TurnstileNumbers.of(element), part);
            if (isNameless(sync)) {
                nameElement(sync, TurnstileNumbers.of(collection), collection);
            }
        }
    }

    // ---- the run time; those that may change what the thread expects give `fresh` ----

    /** What is native here and in those classes must be in the tables of natives.c. */
    private static native void registerNatives(
            Class<?> library, Class<?> objects, Class<?> recorder, Class<?> sampler);

    static native long layout(int part);

    private static native long resolve(Object object, int site);

    private static native Object declaringClass(Class<?> named, int site);

    private static native long access(long self, long word, int site, int key, int identity, boolean write);

    static native void countSite(int site);

    /** As in TurnstileShadows. */
    static native long[] shadows(Class<?> type);

    private static native boolean lost(long word, long result);

    private static native void nameLock(int lock, Object object);

    private static native void nameElement(int sync, int number, Object collection);

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
