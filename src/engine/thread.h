/*
 * thread: thread slots, and what the engine knows of the thread in each.
 *
 * A slot is a small number, the index of vector clocks. It belongs to one thread at a time. When a
 * thread has ended, its slot waits behind those that ended before it and is then given to a new
 * thread, whose segments go on where the old one's stopped: everything the old thread did counts as
 * done before by the same thread. That can hide a race between the two and can invent none.
 *
 * A segment is what a thread does between two changes of its locks, or releases: (slot, segment)
 * stands for a set of locks, and for a place in both orders as others see it. Learning something
 * (an acquire that brings no lock, a join) needs no new segment: what the thread does in the
 * segment afterwards is ordered before the same later events as what it did there earlier. A
 * segment number is also the thread's own entry in its two clocks, and a segment ends with each
 * release, so that at most one clock of the thread is ever seen by others with that number:
 *
 *     full     all happens-before edges
 *     ordered  the same without the edges from a release of a lock to its next acquire
 *
 * Except where it says otherwise, a `struct thread` is touched by its thread only: the events of
 * one thread come one after the other, in the program's order.
 */
#ifndef TURNSTILE_ENGINE_THREAD_H
#define TURNSTILE_ENGINE_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/clock.h"
#include "engine/lockset.h"
#include "engine/spin.h"
#include "engine/word.h"

#define THREAD_SLOTS_MAX 4095u
#define THREAD_HELD_INLINE 8u
#define THREAD_SEGMENTS 256u
#define THREAD_SEGMENT_LOCKS 4u
#define THREAD_NAMES 8u
#define THREAD_VERSIONS 8u
#define THREAD_HANDOVERS 32u
#define THREAD_STAMP_SEGMENT_BITS 50
#define THREAD_NO_VERSION ((uint64_t)INT64_MAX) /* above every segment, for Java's longs too */
#define THREAD_LOCK_SHARED UINT32_C(0x80000000)
#define THREAD_EPOCH_MASK ((UINT32_C(1) << 18) - 1)

enum thread_lock_mode { THREAD_EXCLUSIVE, THREAD_SHARED };

/* What an acquire or a release did to the locks that a thread holds. */
enum thread_change {
    THREAD_SAME,    /* nothing: the lock was and is held, in the same mode */
    THREAD_CHANGED, /* the first acquire, the last release, the first and last in a stronger mode */
    THREAD_UNKNOWN, /* the acquire could not be noted, or there was no acquire */
};

/* A lock that the thread holds, and how often in each mode. */
struct thread_held {
    uint32_t lock;
    uint32_t exclusive;
    uint32_t shared;
};

/* Which locks a segment had, for others to look up while the segment is among the last ones in
   which this thread made accesses that its words stand for. Written by the thread, read by any. */
struct thread_segment {
    _Atomic uint64_t segment;                         /* 0: being written, or not there */
    _Atomic uint64_t locks[THREAD_SEGMENT_LOCKS / 2]; /* two lock ids + 1 each, 0: none */
};

/* The full clock as it was from a segment on, until that of the next version. Written by the
   thread, read by any without a lock: who finds `changes` odd, or another number afterwards than
   before, must not use what it read. (The memory of a clock is never anything but that.) */
struct thread_version {
    _Atomic uint64_t changes;
    _Atomic uint64_t from;         /* THREAD_NO_VERSION: there is none here */
    _Atomic(struct clock *) clock; /* with a reference */
};

/* How a thread's full clock came to be what it is: it knew what it knew from segment `before` on,
   and then learned what the stamp `learned` stands for. Who knows both knows it. */
struct thread_growth {
    uint64_t before;
    uint64_t learned;
};

#define THREAD_GROWTH_UNKNOWN ((struct thread_growth){UINT64_MAX, 0})

/* A lock that the thread took when another one had released it, and the stamp of that release. */
struct thread_handover {
    uint64_t stamp;
    uint64_t segment; /* of this thread, that it was in before it had the lock */
    uint32_t lock;
};

/* Who was in a slot from which segment on. */
struct thread_name {
    uint64_t birth;
    uint64_t name;
};

/* Read by others at every hand-over of a lock are `birth` and the versions: they have lines of the
   cache that are not written all the time. */
struct thread {
    _Alignas(64) _Atomic uint64_t segment; /* read by others too */
    uint64_t noted;                        /* the last segment that was (thread_note_segment) */
    uint64_t locksets_segment;             /* in which `any` and the next two are valid */
    uint32_t slot;
    bool live;          /* under the table's lock */
    struct clock *full; /* that of the last version, which has the reference */
    struct clock *ordered;
    struct thread_growth growth; /* of the full clock; kept for those who do it alone (inline.h) */
    struct thread_held *held;
    uint32_t held_count;
    uint32_t held_capacity;
    struct thread_held held_inline[THREAD_HELD_INLINE];
    uint32_t
        untracked; /* acquires that could not be noted; while there are, accesses are not judged */
    uint32_t any;  /* locks held in any mode, in locksets_segment */
    uint32_t exclusive;   /* those held exclusively */
    uint32_t shared;      /* those held in shared mode only */
    uint32_t epoch;       /* how often it released anything but a lock */
    uint32_t birth_epoch; /* the first one of this thread */
    _Atomic uint64_t slow_accesses;
    struct thread_segment segments[THREAD_SEGMENTS];
    uint64_t handover_count; /* ever noted; the last THREAD_HANDOVERS are there */
    struct thread_handover handovers[THREAD_HANDOVERS];
    /* ever made; the last THREAD_VERSIONS are there */
    _Alignas(64) _Atomic uint64_t version_count;
    struct thread_version versions[THREAD_VERSIONS];
    _Alignas(64) _Atomic uint64_t birth; /* first segment of this thread; read by others too */
    /* From here on under the table's lock. */
    struct clock *past_full; /* what the slot's earlier threads knew in the end */
    struct clock *past_ordered;
    struct thread *next_dead;
    struct thread_name names[THREAD_NAMES];
    uint32_t name_count;
};

struct thread_table {
    struct spin lock;
    struct clock_pool *clocks;
    uint32_t limit; /* slots 1 .. limit */
    size_t version_bytes;
    uint32_t keep_dead; /* how many ended threads keep their slots before one is reused */
    uint32_t count;     /* slots 1 .. count have been used */
    uint32_t dead_count;
    struct thread *first_dead;
    struct thread *last_dead;
    _Atomic(struct thread *) slots[THREAD_SLOTS_MAX + 1];
    _Atomic uint64_t refused;    /* threads without a slot */
    _Atomic uint64_t unbalanced; /* releases of locks that were not held */
    _Atomic uint64_t unnoted;    /* acquires that could not be noted */
};

/* `version_bytes`: when clocks use more than this, threads keep only their present one. */
bool thread_table_init(struct thread_table *table, struct clock_pool *clocks, uint32_t limit,
                       uint32_t keep_dead, size_t version_bytes);
void thread_table_release(struct thread_table *table);

/* A thread with empty clocks in a slot of its own, or NULL. `name` is the caller's, for reports. */
struct thread *thread_begin(struct thread_table *table, uint64_t name);

/* The thread does nothing more; its clocks stay until the slot is reused. */
void thread_end(struct thread_table *table, struct thread *thread);

/* Both clocks of a thread, with references. */
struct thread_clocks {
    struct clock *full;
    struct clock *ordered;
    uint32_t slot;
    uint64_t segment;
};

/* What the thread that was in `ended` from segment `birth` on knew in the end (or more, when the
   slot has been reused). False when that thread has not ended. */
bool thread_last_clocks(struct thread_table *table, const struct thread *ended, uint64_t birth,
                        struct thread_clocks *clocks);

/* The thread's full clock is that one from now on; the caller's reference to it is used up. By the
   thread, or before it runs. */
void thread_set_full(struct thread_table *table, struct thread *thread, struct clock *clock);

/* What the thread in that slot knew from others when it released something in that segment; more if
   that is long ago. Without the thread's own segment. The caller owns a reference. For any thread.
 */
struct clock *thread_clock_in(struct thread_table *table, uint32_t slot, uint64_t segment);

/* The name of the thread that was in the slot in that segment; 0 when it is not known any more. */
uint64_t thread_name_of(struct thread_table *table, uint32_t slot, uint64_t segment);

static inline struct thread *thread_at(const struct thread_table *table, uint32_t slot)
{
    return slot <= THREAD_SLOTS_MAX
               ? atomic_load_explicit(&table->slots[slot], memory_order_acquire)
               : NULL;
}

/* A stamp is a slot and one of its segments: who released something, and when. */
static inline uint64_t thread_stamp_of(uint32_t slot, uint64_t segment)
{
    return (uint64_t)slot << THREAD_STAMP_SEGMENT_BITS | segment;
}

static inline uint32_t thread_stamp_slot(uint64_t stamp)
{
    return (uint32_t)(stamp >> THREAD_STAMP_SEGMENT_BITS);
}

static inline uint64_t thread_stamp_segment(uint64_t stamp)
{
    return stamp & ((UINT64_C(1) << THREAD_STAMP_SEGMENT_BITS) - 1);
}

static inline uint64_t thread_segment(const struct thread *thread)
{
    return atomic_load_explicit(&thread->segment, memory_order_relaxed);
}

/* What the fast path compares words with. */
static inline uint64_t thread_expected(const struct thread *thread)
{
    return word_expected(thread->slot, thread_segment(thread));
}

static inline uint64_t thread_birth(const struct thread *thread)
{
    return atomic_load_explicit(&thread->birth, memory_order_relaxed);
}

/* Slot and epoch, as variable.h notes who has accessed a guarded variable. */
static inline uint32_t thread_seen(const struct thread *thread)
{
    return thread->slot | (thread->epoch & THREAD_EPOCH_MASK) << 13;
}

/* Whether what was noted of the thread's slot is of this thread, and not of one that had the slot
   before: wrong only after THREAD_EPOCH_MASK epochs. */
static inline bool thread_was(const struct thread *thread, uint32_t seen)
{
    const uint32_t ago = (thread->epoch - (seen >> 13)) & THREAD_EPOCH_MASK;
    return ago <= ((thread->epoch - thread->birth_epoch) & THREAD_EPOCH_MASK);
}

static inline struct clock_view thread_full(const struct thread *thread)
{
    return (struct clock_view){thread->full, thread->slot, thread_segment(thread)};
}

static inline struct clock_view thread_ordered(const struct thread *thread)
{
    return (struct clock_view){thread->ordered, thread->slot, thread_segment(thread)};
}

/* What follows is in a new segment: because the locks have changed, or else because the thread has
   released something that is no lock. */
void thread_new_segment(struct thread *thread, bool locks_changed);

/* Note that a lock is taken or given back `times` times. */
enum thread_change thread_hold(struct thread_table *table, struct thread *thread, uint32_t lock,
                               enum thread_lock_mode mode, uint32_t times);
enum thread_change thread_let_go(struct thread_table *table, struct thread *thread, uint32_t lock,
                                 enum thread_lock_mode mode, uint32_t times);

/* NULL when the thread does not hold the lock. */
const struct thread_held *thread_find_held(const struct thread *thread, uint32_t lock);

/* Notes that the lock came from the thread of the stamp, which was news to this one. */
void thread_note_handover(struct thread *thread, uint32_t lock, uint64_t stamp);

/* The lock with which the thread came to know that another one's segment is over, as far as that is
   noted; 0 if not. If it came from that thread itself, *released gets the segment in which it was
   released; else 0: a third thread knew of it. */
uint32_t thread_lock_between(const struct thread *thread, uint32_t slot, uint64_t segment,
                             uint64_t *released);

/* Fills `any`, `exclusive` and `shared`. */
void thread_find_locksets(struct thread *thread, struct lockset_table *locksets);

/* Makes the present segment's locks visible to thread_locks_in. */
void thread_note_segment(struct thread *thread);

/* The set of locks that matter for an access in that segment of the thread; LOCKSET_ALL when it is
   not known any more. For any thread. */
uint32_t thread_locks_in(struct thread *thread, uint64_t segment, bool write,
                         struct lockset_table *locksets);

/* The locks that the thread held in shared mode only in that segment; none when it is not known any
   more. For any thread. */
uint32_t thread_shared_in(struct thread *thread, uint64_t segment, struct lockset_table *locksets);

#endif
