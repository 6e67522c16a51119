#include "engine/clock.h"

#include <string.h>

#include "base/memory.h"

static size_t bytes_of(unsigned size)
{
    return sizeof(struct clock) + (CLOCK_SLOTS_MIN << size) * sizeof(uint64_t);
}

static struct clock *clock_new(unsigned size)
{
    struct clock *clock = memory_allocate(bytes_of(size));
    if (!clock)
        return NULL;
    atomic_init(&clock->references, 1);
    atomic_init(&clock->count, 0);
    clock->size = (uint8_t)size;
    clock->everything = false;
    clock->next_free = NULL;
    return clock;
}

bool clock_pool_init(struct clock_pool *pool)
{
    memset(pool, 0, sizeof *pool);
    pool->everything = clock_new(0);
    if (!pool->everything)
        return false;
    pool->everything->everything = true;
    return true;
}

void clock_pool_release(struct clock_pool *pool)
{
    memory_release(pool->everything);
    for (unsigned size = 0; size < CLOCK_SIZES; size++) {
        for (struct clock *clock = pool->free[size], *next; clock; clock = next) {
            next = clock->next_free;
            memory_release(clock);
        }
    }
    memset(pool, 0, sizeof *pool);
}

struct clock *clock_keep(struct clock *clock)
{
    if (clock && !clock->everything)
        atomic_fetch_add_explicit(&clock->references, 1, memory_order_relaxed);
    return clock;
}

void clock_drop(struct clock_pool *pool, struct clock *clock)
{
    if (!clock || clock->everything ||
        atomic_fetch_sub_explicit(&clock->references, 1, memory_order_acq_rel) != 1)
        return;
    atomic_fetch_sub_explicit(&pool->bytes, bytes_of(clock->size), memory_order_relaxed);
    spin_lock(&pool->lock);
    clock->next_free = pool->free[clock->size];
    pool->free[clock->size] = clock;
    spin_unlock(&pool->lock);
}

/* A clock with room for `count` slots that has none yet, or NULL. */
static struct clock *take(struct clock_pool *pool, uint32_t count)
{
    unsigned size = 0;
    while (size < CLOCK_SIZES && CLOCK_SLOTS_MIN << size < count)
        size++;
    if (size == CLOCK_SIZES)
        return NULL;
    spin_lock(&pool->lock);
    struct clock *clock = pool->free[size];
    if (clock)
        pool->free[size] = clock->next_free;
    spin_unlock(&pool->lock);
    if (clock) {
        atomic_store_explicit(&clock->references, 1, memory_order_relaxed);
        atomic_store_explicit(&clock->count, 0, memory_order_relaxed);
    } else {
        clock = clock_new(size);
    }
    if (clock)
        atomic_fetch_add_explicit(&pool->bytes, bytes_of(size), memory_order_relaxed);
    return clock;
}

bool clock_covered(const struct clock *clock, const struct clock_view *view)
{
    if (!clock || clock == view->base || (view->base && view->base->everything))
        return true;
    if (clock->everything)
        return false;
    const uint32_t count = clock_count(clock);
    for (uint32_t slot = 0; slot < count; slot++)
        if (clock_epoch(clock, slot) > clock_view_at(view, slot))
            return false;
    return true;
}

static void put(struct clock *clock, uint32_t slot, uint64_t epoch)
{
    atomic_store_explicit(&clock->epochs[slot], epoch, memory_order_relaxed);
}

static void extend(struct clock *clock, uint32_t count)
{
    const uint32_t before = clock_count(clock);
    if (count <= before)
        return;
    for (uint32_t slot = before; slot < count; slot++)
        put(clock, slot, 0);
    atomic_store_explicit(&clock->count, count, memory_order_relaxed);
}

static void raise_to(struct clock *clock, const struct clock *other)
{
    const uint32_t count = other ? clock_count(other) : 0;
    for (uint32_t slot = 0; slot < count; slot++)
        if (clock_epoch(clock, slot) < clock_epoch(other, slot))
            put(clock, slot, clock_epoch(other, slot));
}

/* Makes *mine the caller's alone, with `count` slots. */
static bool own(struct clock_pool *pool, struct clock **mine, uint32_t count)
{
    struct clock *old = *mine;
    /* Only the owner of a reference can make another one, so a count of 1 stays 1. */
    if (old && atomic_load_explicit(&old->references, memory_order_acquire) == 1 &&
        count <= CLOCK_SLOTS_MIN << old->size) {
        extend(old, count);
        return true;
    }
    struct clock *copy = take(pool, count);
    if (!copy)
        return false;
    extend(copy, count);
    raise_to(copy, old);
    clock_drop(pool, old);
    *mine = copy;
    return true;
}

static void give_up(struct clock_pool *pool, struct clock **mine)
{
    clock_drop(pool, *mine);
    *mine = pool->everything;
}

bool clock_join(struct clock_pool *pool, struct clock **mine, const struct clock *other,
                uint32_t slot, uint64_t epoch)
{
    if (*mine == pool->everything)
        return false;
    if (other == pool->everything) {
        give_up(pool, mine);
        return true;
    }
    struct clock_view view = {.base = *mine, .slot = UINT32_MAX};
    if (clock_at(*mine, slot) >= epoch && clock_covered(other, &view))
        return false;
    uint32_t count = *mine ? clock_count(*mine) : 0;
    if (other && clock_count(other) > count)
        count = clock_count(other);
    if (epoch && slot >= count)
        count = slot + 1;
    if (!own(pool, mine, count)) {
        atomic_fetch_add_explicit(&pool->failures, 1, memory_order_relaxed);
        give_up(pool, mine);
        return true;
    }
    raise_to(*mine, other);
    if (epoch && clock_epoch(*mine, slot) < epoch)
        put(*mine, slot, epoch);
    return true;
}

struct clock *clock_copy(struct clock_pool *pool, struct clock *clock)
{
    if (!clock || clock->everything)
        return clock;
    const uint32_t count = clock_count(clock);
    struct clock *copy = take(pool, count);
    if (!copy) {
        atomic_fetch_add_explicit(&pool->failures, 1, memory_order_relaxed);
        return pool->everything;
    }
    for (uint32_t slot = 0; slot < count; slot++)
        put(copy, slot, clock_epoch(clock, slot));
    atomic_store_explicit(&copy->count, count, memory_order_relaxed);
    return copy;
}
