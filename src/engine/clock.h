/*
 * clock: vector clocks that are shared until they change.
 *
 * A thread's clock says, for each thread slot, up to which segment of that slot everything has
 * happened before. It is kept in two parts, a `struct clock` with what came from others and the
 * thread's own segment number beside it (a clock_view), because a release then costs one reference:
 * the clock object itself changes only when something new is learned.
 *
 * A clock object with more than one reference never changes. NULL is the clock of zeros. The pool's
 * `everything` is the clock of a thread about which too much was forgotten (no memory): it is after
 * all that ever happens, so nothing is reported that would need knowledge that was lost; whoever
 * learns from it knows everything too.
 */
#ifndef TURNSTILE_ENGINE_CLOCK_H
#define TURNSTILE_ENGINE_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/spin.h"

#define CLOCK_SLOTS_MIN 16u
#define CLOCK_SIZES 9u /* 16, 32, ... 4096 slots */
#define CLOCK_SLOTS_MAX (CLOCK_SLOTS_MIN << (CLOCK_SIZES - 1))

struct clock {
    _Atomic uint32_t references;
    _Atomic uint32_t count; /* slots that are there; those behind are 0 */
    uint8_t size;           /* there is room for CLOCK_SLOTS_MIN << size */
    bool everything;
    struct clock *next_free;
    _Atomic uint64_t epochs[]; /* atomic for those who copy what may change meanwhile */
};

struct clock_pool {
    struct spin lock;
    struct clock *free[CLOCK_SIZES];
    struct clock *everything;
    _Atomic size_t bytes; /* in clocks that are in use */
    _Atomic uint64_t failures;
};

/* A thread's clock: the slot itself stands at `segment`, the others where `base` says. */
struct clock_view {
    const struct clock *base;
    uint32_t slot;
    uint64_t segment;
};

bool clock_pool_init(struct clock_pool *pool);

/* All clocks must have been dropped. */
void clock_pool_release(struct clock_pool *pool);

struct clock *clock_keep(struct clock *clock);
void clock_drop(struct clock_pool *pool, struct clock *clock);

/* A copy that the caller owns a reference of. `clock` may be changed meanwhile, or be given back to
   the pool: then the copy is good for nothing, but it is a clock. */
struct clock *clock_copy(struct clock_pool *pool, struct clock *clock);

static inline uint32_t clock_count(const struct clock *clock)
{
    return atomic_load_explicit(&clock->count, memory_order_relaxed);
}

static inline uint64_t clock_epoch(const struct clock *clock, uint32_t slot)
{
    return atomic_load_explicit(&clock->epochs[slot], memory_order_relaxed);
}

static inline uint64_t clock_at(const struct clock *clock, uint32_t slot)
{
    if (!clock)
        return 0;
    if (clock->everything)
        return UINT64_MAX;
    return slot < clock_count(clock) ? clock_epoch(clock, slot) : 0;
}

static inline uint64_t clock_view_at(const struct clock_view *view, uint32_t slot)
{
    return slot == view->slot ? view->segment : clock_at(view->base, slot);
}

/* The view knows all that `clock` knows. */
bool clock_covered(const struct clock *clock, const struct clock_view *view);

/* Raises *mine, which the caller owns a reference of, to at least `other` and `epoch` at `slot`.
   True when that changed it. When there is no memory, *mine becomes `everything`. */
bool clock_join(struct clock_pool *pool, struct clock **mine, const struct clock *other,
                uint32_t slot, uint64_t epoch);

#endif
