/*
 * lock_order_internal: what the files of lock_order share.
 */
#ifndef TURNSTILE_ENGINE_LOCK_ORDER_INTERNAL_H
#define TURNSTILE_ENGINE_LOCK_ORDER_INTERNAL_H

#include "base/intmap.h"
#include "base/vector.h"
#include "engine/lock_order.h"
#include "engine/spin.h"

/* When a dependency came: in this segment of its slot, when the thread knew this of others. */
struct moment {
    struct clock *known; /* a reference, so it does not change */
    uint64_t segment;
};

struct dependency {
    uint64_t hash;
    struct dependency *next; /* in the bucket */
    uint64_t thread;         /* name */
    uint32_t slot;
    bool seen;                                 /* since dependencies were evicted last */
    struct moment moments[LOCK_ORDER_MOMENTS]; /* under the lock */
    uint32_t moment_count;
    struct lock_order_acquire wants;
    uint32_t held_count;
    struct lock_order_acquire held[]; /* in the order of the acquires */
};

/* A lock that a thread has in one mode, and how often. */
struct held {
    struct lock_order_acquire acquire; /* the first one */
    uint32_t times;
};

/* A thread that waits. A copy, because threads go before cycles are looked for. */
struct lock_order_stuck {
    uint64_t thread;
    struct lock_order_acquire wants;
    struct lock_order_acquire held[LOCK_ORDER_HELD_MAX];
    uint32_t held_count; /* 0: it waits no more */
};

struct lock_order_thread {
    uint64_t name;
    uint32_t stuck; /* index + 1 of what it waits for; 0: for nothing */
    VECTOR(struct held) held;
    uint32_t unnoted; /* acquires for which there was no memory: gates may be missing */
};

struct lock_order {
    struct lock_order_options options;
    struct clock_pool *clocks;
    struct spin lock;
    struct dependency **buckets;
    uint32_t bucket_count;
    uint32_t count;
    uint64_t refused_until; /* `lost` at which it is worth while to evict again */
    bool searching;         /* dependencies must stay where they are */
    struct intmap reported; /* for the search alone */
    VECTOR(struct lock_order_stuck) stuck;
    uint64_t evicted, lost, cycles, unfinished;
    _Atomic uint64_t unbalanced;
};

/* Going through many: those that come soon are asked for, as they are nowhere near each other. */
static inline void lock_order_ahead(struct dependency *const *dependencies, uint32_t index,
                                    uint32_t count)
{
    enum { AHEAD = 16 };
    if (index + AHEAD < count) {
        __builtin_prefetch(dependencies[index + AHEAD]);
        __builtin_prefetch(&dependencies[index + AHEAD]->wants);
    }
}

/* The two cannot have the lock at the same time. */
static inline bool lock_order_excludes(const struct lock_order_acquire *left,
                                       const struct lock_order_acquire *right)
{
    return left->lock == right->lock &&
           (left->mode == LOCK_ORDER_EXCLUSIVE || right->mode == LOCK_ORDER_EXCLUSIVE);
}

/* lock_order_table.c, lock_order_core.c */

/* The dependency happens now. */
void lock_order_note(struct lock_order *order, const struct lock_order_thread *thread,
                     const struct lock_order_acquire *wants, const struct clock_view *ordered);

/* Sets core[i] for those of the dependencies that can be on a cycle, as far as that is seen from
   which locks other threads hold and want. False when there is no memory. */
bool lock_order_find_core(struct dependency *const *dependencies, uint32_t count, bool *core);

/* lock_order_stuck.c */

/* The thread has got or released a lock, so it does not wait. */
void lock_order_go_on(struct lock_order *order, struct lock_order_thread *thread);

/* Gives all cycles of threads that wait for each other now. False if there was no memory for it. */
bool lock_order_find_stuck(struct lock_order *order,
                           void (*give)(void *context, const struct lock_order_cycle *cycle),
                           void *context);

#endif
