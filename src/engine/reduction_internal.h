/*
 * What the files of reduction share: its structures, and the log.
 *
 * The blocks of a thread. An outer block sees all that an inner one sees, so it commits and is
 * violated no later: the committed blocks are the outermost `committed` ones, those that were
 * reported the outermost `reported` ones. Each block commits once and is reported once, so the work
 * per operation does not depend on the depth. A wait takes `committed` back to 0.
 *
 * The log. One ring per thread serves all its blocks: an entry belongs to the blocks that begin
 * before its position. It is touched by its thread alone; others see `filter`, in which an entry
 * for the thing that they use has its bit, and put posts into the mailbox.
 */
#ifndef TURNSTILE_ENGINE_REDUCTION_INTERNAL_H
#define TURNSTILE_ENGINE_REDUCTION_INTERNAL_H

#include <stdatomic.h>

#include "base/vector.h"
#include "engine/cache.h"
#include "engine/reduction.h"
#include "engine/spin.h"

#define REDUCTION_MAILBOX 16u
#define REDUCTION_FILTER 4u

struct reduction_block {
    uint32_t id;
    bool after_wait;
    uint64_t begin; /* position of its first operation */
    uint64_t commit_position;
    struct reduction_place entered;
    struct reduction_place commits;
    struct reduction_other other; /* if what commits it was taken back */
};

struct reduction_entry {
    uint64_t thing; /* the variable's identity or the lock; 0: cannot be taken back */
    uint64_t position;
    uint64_t segment;
    bool lock;
    bool first_owner;
    struct reduction_place place;
};

/* Protection that was lost. */
struct reduction_post {
    uint64_t thing;
    bool lock;
    bool concurrent;
    bool own;                     /* by the thread that relied on it */
    uint64_t known;               /* up to which segment that thread is ordered before */
    struct engine_facts facts;    /* of a variable */
    struct mover_verdict verdict; /* of a lock */
    struct reduction_other other;
};

struct reduction_thread {
    struct thread *thread;
    uint64_t name;
    VECTOR(struct reduction_block) blocks;
    uint32_t committed;
    uint32_t reported;
    uint32_t too_deep; /* blocks inside that are not looked at */
    uint64_t position;
    _Atomic uint64_t block_count; /* written by the thread */
    struct reduction_entry *log;  /* NULL until it is needed */
    uint32_t log_first;
    uint32_t log_count;
    struct reduction_thread *next_free; /* under the lock of the reduction */
    /* For others. */
    _Atomic bool open; /* there may be entries */
    _Atomic uint32_t slot;
    _Atomic uint64_t filter[REDUCTION_FILTER];
    _Atomic uint32_t posted;
    struct spin mailbox_lock;
    struct reduction_post mailbox[REDUCTION_MAILBOX];
};

struct reduction {
    struct reduction_options options;
    struct mover_table *movers;
    struct cache posts; /* what was posted last for a variable */
    struct spin lock;
    struct reduction_thread *free;
    _Atomic uint32_t thread_count;
    _Atomic(struct reduction_thread *) *threads; /* they stay until the end */
    _Atomic uint64_t violations;
    _Atomic uint64_t taken_back;
    _Atomic uint64_t unlogged;
    _Atomic uint64_t unposted;
    _Atomic uint64_t too_deep;
    _Atomic uint64_t refused;
};

static inline void reduction_count(_Atomic uint64_t *counter)
{
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

/* Reports the block of that index. `other` is NULL when the operation was not taken back. */
void reduction_violate(struct reduction *reduction, struct reduction_thread *thread, uint32_t index,
                       const struct reduction_place *violated, const struct reduction_other *other);

/* Remembers an operation of a thread that is in a block which could still be violated. `thing` is 0
   for one that cannot be taken back. The present position is that of the operation. */
void reduction_log_add(struct reduction *reduction, struct reduction_thread *thread,
                       const struct reduction_place *place, uint64_t thing, bool first_owner);

void reduction_log_clear(struct reduction_thread *thread);

/* False: nothing in the log relies on that. */
bool reduction_log_may_have(const struct reduction_thread *thread, uint64_t thing, bool lock);

/* Takes back what relied on protection that is lost: in the thread's own log ... */
void reduction_take_back(struct reduction *reduction, struct reduction_thread *thread,
                         const struct reduction_post *post);

/* ... and in those of all others. */
void reduction_post_all(struct reduction *reduction, struct reduction_thread *thread,
                        struct reduction_post *post);

/* Looks at what others have posted. */
void reduction_read_posts(struct reduction *reduction, struct reduction_thread *thread);

#endif
