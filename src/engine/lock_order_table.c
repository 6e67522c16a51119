#include <string.h>

#include "base/memory.h"
#include "engine/cache.h"
#include "engine/lock_order_internal.h"

#define BUCKETS_FIRST 256u

static uint64_t mix_acquire(uint64_t hash, const struct lock_order_acquire *acquire)
{
    hash = cache_mix(hash + ((uint64_t)acquire->lock << 32 | acquire->location));
    return hash + acquire->mode;
}

static uint64_t hash_of(const struct lock_order_thread *thread,
                        const struct lock_order_acquire *wants, uint32_t slot)
{
    uint64_t hash = mix_acquire(cache_mix(slot + 1), wants);
    for (size_t index = 0; index < thread->held.count; index++)
        hash = mix_acquire(hash, &thread->held.items[index].acquire);
    return hash;
}

/* Stacks may differ. */
static bool same_acquire(const struct lock_order_acquire *left,
                         const struct lock_order_acquire *right)
{
    return left->lock == right->lock && left->location == right->location &&
           left->mode == right->mode;
}

static bool is_same(const struct dependency *dependency, const struct lock_order_thread *thread,
                    const struct lock_order_acquire *wants, uint32_t slot)
{
    if (dependency->slot != slot || dependency->held_count != thread->held.count ||
        !same_acquire(&dependency->wants, wants))
        return false;
    for (uint32_t index = 0; index < dependency->held_count; index++)
        if (!same_acquire(&dependency->held[index], &thread->held.items[index].acquire))
            return false;
    return true;
}

static struct dependency **bucket_of(const struct lock_order *order, uint64_t hash)
{
    return &order->buckets[hash & (order->bucket_count - 1)];
}

static struct dependency *find(const struct lock_order *order,
                               const struct lock_order_thread *thread,
                               const struct lock_order_acquire *wants, uint32_t slot, uint64_t hash)
{
    if (!order->bucket_count)
        return NULL;
    for (struct dependency *dependency = *bucket_of(order, hash); dependency;
         dependency = dependency->next)
        if (dependency->hash == hash && is_same(dependency, thread, wants, slot))
            return dependency;
    return NULL;
}

/*
 * With the same knowledge of others, a later segment is as good as an earlier one: fewer have
 * learned of it. With more knowledge it is another moment, with which other dependencies may be
 * unordered than with the earlier ones.
 */
static void add_moment(struct lock_order *order, struct dependency *dependency,
                       const struct clock_view *ordered)
{
    struct clock *known = (struct clock *)ordered->base;
    if (dependency->moment_count) {
        struct moment *latest = &dependency->moments[dependency->moment_count - 1];
        if (latest->known == known) {
            latest->segment = ordered->segment;
            return;
        }
        if (dependency->moment_count == LOCK_ORDER_MOMENTS) {
            clock_drop(order->clocks, latest->known);
            dependency->moment_count--;
            order->lost++;
        }
    }
    dependency->moments[dependency->moment_count++] =
        (struct moment){.known = clock_keep(known), .segment = ordered->segment};
}

static struct dependency *make(const struct lock_order_thread *thread,
                               const struct lock_order_acquire *wants, uint32_t slot, uint64_t hash)
{
    size_t held = thread->held.count;
    if (held > LOCK_ORDER_HELD_MAX)
        return NULL;
    struct dependency *dependency =
        memory_allocate(sizeof *dependency + held * sizeof *dependency->held);
    if (!dependency)
        return NULL;
    memset(dependency, 0, sizeof *dependency);
    dependency->hash = hash;
    dependency->thread = thread->name;
    dependency->slot = slot;
    dependency->wants = *wants;
    dependency->held_count = (uint32_t)held;
    for (size_t index = 0; index < held; index++)
        dependency->held[index] = thread->held.items[index].acquire;
    return dependency;
}

static bool grow_buckets(struct lock_order *order)
{
    uint32_t old_count = order->bucket_count;
    uint32_t count = old_count ? old_count * 2 : BUCKETS_FIRST;
    struct dependency **old = order->buckets;
    struct dependency **buckets = memory_allocate(count * sizeof *buckets);
    if (!buckets)
        return old_count > 0;
    memset(buckets, 0, count * sizeof *buckets);
    order->buckets = buckets;
    order->bucket_count = count;
    for (uint32_t index = 0; index < old_count; index++) {
        for (struct dependency *dependency = old[index], *next; dependency; dependency = next) {
            next = dependency->next;
            struct dependency **bucket = bucket_of(order, dependency->hash);
            dependency->next = *bucket;
            *bucket = dependency;
        }
    }
    memory_release(old);
    return true;
}

/*
 * Eviction: what is on no cycle so far, first what has not come again since the last time.
 */

static uint32_t list_all(const struct lock_order *order, struct dependency **list)
{
    uint32_t count = 0;
    for (uint32_t bucket = 0; bucket < order->bucket_count; bucket++)
        for (struct dependency *dependency = order->buckets[bucket]; dependency;
             dependency = dependency->next)
            list[count++] = dependency;
    return count;
}

static void remove_one(struct lock_order *order, struct dependency *removed)
{
    struct dependency **link = bucket_of(order, removed->hash);
    while (*link != removed)
        link = &(*link)->next;
    *link = removed->next;
    for (uint32_t index = 0; index < removed->moment_count; index++)
        clock_drop(order->clocks, removed->moments[index].known);
    memory_release(removed);
    order->count--;
    order->evicted++;
}

static void evict_listed(struct lock_order *order, struct dependency **list, const bool *core)
{
    uint32_t count = list_all(order, list), keep = order->options.dependencies / 8 * 7;
    for (uint32_t index = 0; index < count; index++) {
        lock_order_ahead(list, index, count);
        bool again = list[index]->seen;
        list[index]->seen = false;
        if (!core[index] && !again) {
            remove_one(order, list[index]);
            list[index] = NULL;
        }
    }
    for (uint32_t index = 0; index < count && order->count > keep; index++)
        if (list[index] && !core[index])
            remove_one(order, list[index]);
}

/* Makes room if that is possible; if not, not soon again. */
static bool evict(struct lock_order *order)
{
    uint32_t limit = order->options.dependencies;
    if (order->searching || order->lost < order->refused_until)
        return false;
    struct dependency **list = memory_allocate(order->count * sizeof *list);
    bool *core = memory_allocate(order->count * sizeof *core);
    if (list && core && lock_order_find_core(list, list_all(order, list), core))
        evict_listed(order, list, core);
    memory_release(list);
    memory_release(core);
    if (order->count >= limit)
        order->refused_until = order->lost + limit / 2 + 1;
    return order->count < limit;
}

static bool insert(struct lock_order *order, struct dependency *dependency)
{
    if (order->count >= order->options.dependencies && !evict(order))
        return false;
    if (order->count >= order->bucket_count / 4 && !grow_buckets(order))
        return false;
    struct dependency **bucket = bucket_of(order, dependency->hash);
    dependency->next = *bucket;
    *bucket = dependency;
    order->count++;
    return true;
}

void lock_order_note(struct lock_order *order, const struct lock_order_thread *thread,
                     const struct lock_order_acquire *wants, const struct clock_view *ordered)
{
    uint64_t hash = hash_of(thread, wants, ordered->slot);
    spin_lock(&order->lock);
    struct dependency *dependency = find(order, thread, wants, ordered->slot, hash);
    if (dependency) {
        dependency->seen = true;
        add_moment(order, dependency, ordered);
        spin_unlock(&order->lock);
        return;
    }
    spin_unlock(&order->lock);
    /* Nobody else adds dependencies of this slot meanwhile. */
    dependency = make(thread, wants, ordered->slot, hash);
    spin_lock(&order->lock);
    bool added = dependency && insert(order, dependency);
    if (added)
        add_moment(order, dependency, ordered);
    else
        order->lost++;
    spin_unlock(&order->lock);
    if (!added)
        memory_release(dependency);
}
