/*
 * lock_order: cycles in the order in which locks are taken, by which threads could wait for each
 * other in another run, or do so in this one.
 *
 * A dependency is one thread's acquire that could have had to wait: which locks it held, which one
 * it wanted, where each was acquired, and when. A set of dependencies d1 ... dn is a cycle when
 *
 *     all are of different threads,
 *     each wants a lock that the next one holds, the last one a lock that the first one holds,
 *     no two hold a common lock (a gate, behind which they cannot be at the same time), and
 *     no two are ordered by start, join or synchronization objects.
 *
 * Locks have two modes: a shared acquire does not wait for a shared holder, and a lock that two
 * hold in shared mode is no gate. Acquires of a lock that the thread has already do not wait,
 * except an exclusive one of a lock that it has only in shared mode. An acquire that cannot wait
 * (tryLock) is no dependency, but the lock is held afterwards.
 *
 * Every deadlock by locks that other schedules of the same operations can reach is a cycle. The
 * converse does not hold: what a thread does on the way to its dependency may need a lock that
 * another one of the cycle holds by then.
 *
 * Threads that wait for each other now are a cycle that happened: each wants a lock and has not got
 * it, and does nothing more. Of a lock that several hold in shared mode only one is looked at.
 *
 * A dependency that comes again with the same locks and locations is stored once, with the moments
 * at which it came that differ in what is ordered before them (LOCK_ORDER_MOMENTS; if there are
 * more, the first and the latest ones). The tables are bounded: when they are full, dependencies
 * that are on no cycle and have not come again go first. So cycles can be missed, and
 * lock_order_counts says so; none is invented.
 *
 * Different threads may call at the same time, each for itself. Ordered clocks come from the caller
 * (thread.h): an acquire in (slot, segment) is ordered before another one whose clock has at least
 * that segment at that slot. Threads that had the same slot count as one.
 */
#ifndef TURNSTILE_ENGINE_LOCK_ORDER_H
#define TURNSTILE_ENGINE_LOCK_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/builder.h"
#include "engine/clock.h"

#define LOCK_ORDER_MOMENTS 6u
#define LOCK_ORDER_HELD_MAX 32u   /* with more locks held, acquires are not looked at */
#define LOCK_ORDER_LENGTH_MAX 16u /* threads on a cycle */

enum lock_order_mode { LOCK_ORDER_EXCLUSIVE, LOCK_ORDER_SHARED };

/* An acquire. */
struct lock_order_acquire {
    uint32_t lock;
    uint32_t location;
    uint32_t stack;
    enum lock_order_mode mode;
};

/* What one thread does in a cycle. */
struct lock_order_wait {
    uint64_t thread; /* name */
    struct lock_order_acquire holds;
    struct lock_order_acquire wants;
};

/* waits[i] wants what waits[i + 1] holds, the last one what the first one holds. */
struct lock_order_cycle {
    struct lock_order_wait waits[LOCK_ORDER_LENGTH_MAX];
    uint32_t count;
    bool happened; /* they wait for each other in this run */
};

typedef void (*lock_order_report)(void *context, const struct lock_order_cycle *cycle);

struct lock_order_options {
    uint32_t dependencies; /* at most */
    uint32_t length;       /* of cycles, at most LOCK_ORDER_LENGTH_MAX */
    uint64_t work;         /* for one search: dependencies that are looked at */
    uint32_t reports;      /* of different cycles */
};

struct lock_order_counts {
    uint32_t dependencies;
    uint64_t evicted;    /* dependencies that went */
    uint64_t lost;       /* dependencies and moments that there was no room for */
    uint64_t unbalanced; /* releases of locks that were not held */
    uint64_t cycles;     /* reported */
    uint64_t unfinished; /* searches that ended for lack of work or memory */
};

struct lock_order;
struct lock_order_thread;

void lock_order_options_default(struct lock_order_options *options);

/* NULL when there is no memory. The pool is where the clocks of all threads come from; it is used
   until lock_order_free. */
struct lock_order *lock_order_new(const struct lock_order_options *options,
                                  struct clock_pool *clocks);
void lock_order_free(struct lock_order *order);

/* `name` is for reports. NULL when there is no memory; a NULL thread is accepted everywhere. */
struct lock_order_thread *lock_order_thread_new(struct lock_order *order, uint64_t name);

/* What the thread did stays. */
void lock_order_thread_free(struct lock_order *order, struct lock_order_thread *thread);

/* The thread has got the lock. `ordered` is the thread's ordered clock at that moment; `may_wait`:
   it would have waited for the lock. */
void lock_order_acquired(struct lock_order *order, struct lock_order_thread *thread,
                         const struct lock_order_acquire *acquire, bool may_wait,
                         const struct clock_view *ordered);

/* The thread waits for the lock. It may still get it: then it is acquired later. Not during
   lock_order_find. */
void lock_order_wanted(struct lock_order *order, struct lock_order_thread *thread,
                       const struct lock_order_acquire *acquire, const struct clock_view *ordered);

void lock_order_released(struct lock_order *order, struct lock_order_thread *thread, uint32_t lock,
                         enum lock_order_mode mode);

/* Waiting on a monitor gives it up however often the thread has it. The result is for the end, at
   which it is acquired again, behind the locks that the thread still has. */
uint32_t lock_order_wait_begin(struct lock_order *order, struct lock_order_thread *thread,
                               uint32_t lock);
void lock_order_wait_end(struct lock_order *order, struct lock_order_thread *thread,
                         const struct lock_order_acquire *acquire, uint32_t times,
                         const struct clock_view *ordered);

/* Looks for cycles among all dependencies so far, first for those that happened, and reports those
   that differ in their source lines from all that were reported before. No lock is held during
   reports; events may go on meanwhile, other searches may not. Returns how many were reported. */
uint32_t lock_order_find(struct lock_order *order, lock_order_report report, void *context);

void lock_order_counts(struct lock_order *order, struct lock_order_counts *counts);

/* A cycle in words. */

struct lock_order_words {
    struct text thread, holds, wants;
};

void lock_order_explain(struct builder *to, bool happened, const struct lock_order_words *waits,
                        size_t count);

#endif
