/*
 * Which dependencies can be on a cycle.
 *
 * First by the locks alone: from each lock that is held a way leads to the one that is wanted, and
 * a lock to which no way leads, or from which none does, is on no cycle. Without it others are not,
 * either. Locks that are always taken in one order are gone after this, however many there are, and
 * it takes one look at each way. Then by who holds and wants what is left: on a cycle, others do.
 */
#include "engine/lock_order_internal.h"

#define CORE_PASSES 8u
#define MANY UINT64_MAX

/* ---- by locks ---- */

/* From a lock that is held to one that is wanted. Links are indexes + 1. */
struct way {
    uint32_t from, to;
    uint32_t next_out, next_in;
};

struct stop {
    uint32_t out, in;             /* the first way */
    uint32_t out_count, in_count; /* to and from those that are not gone */
    bool gone;
};

struct map {
    struct intmap numbers; /* of the stops, by lock */
    VECTOR(struct stop) stops;
    VECTOR(struct way) ways;
    VECTOR(uint32_t) ends; /* stops that are gone, and those around them not told */
};

static void release_map(struct map *map)
{
    intmap_release(&map->numbers);
    vector_release(&map->stops);
    vector_release(&map->ways);
    vector_release(&map->ends);
}

/* UINT32_MAX when there is no memory. */
static uint32_t stop_of(struct map *map, uint32_t lock)
{
    bool added = false;
    const uint64_t *number = intmap_find_or_add(&map->numbers, lock, map->stops.count, &added);
    const struct stop stop = {.gone = false};
    if (!number || (added && !vector_push(&map->stops, stop)))
        return UINT32_MAX;
    return (uint32_t)*number;
}

static bool add_way(struct map *map, uint32_t from_lock, uint32_t to_lock)
{
    const uint32_t from = stop_of(map, from_lock), to = stop_of(map, to_lock);
    if (from == UINT32_MAX || to == UINT32_MAX)
        return false;
    struct stop *const start = &map->stops.items[from], *const end = &map->stops.items[to];
    const struct way way = {from, to, start->out, end->in};
    if (!vector_push(&map->ways, way))
        return false;
    start->out = end->in = (uint32_t)map->ways.count;
    start->out_count++;
    end->in_count++;
    return true;
}

static bool draw(struct map *map, struct dependency *const *dependencies, uint32_t count)
{
    for (uint32_t index = 0; index < count; index++) {
        const struct dependency *dependency = dependencies[index];
        lock_order_ahead(dependencies, index, count);
        for (uint32_t held = 0; held < dependency->held_count; held++)
            if (!add_way(map, dependency->held[held].lock, dependency->wants.lock))
                return false;
    }
    /* So that the rest needs no more memory. */
    return vector_reserve(&map->ends, map->stops.count);
}

/* A stop is gone as soon as nothing leads there, or on from there. */
static void look_at(struct map *map, uint32_t number)
{
    struct stop *stop = &map->stops.items[number];
    if (stop->gone || (stop->out_count && stop->in_count))
        return;
    stop->gone = true;
    map->ends.items[map->ends.count++] = number;
}

static void take_away(struct map *map)
{
    for (uint32_t number = 0; number < map->stops.count; number++)
        look_at(map, number);
    while (map->ends.count) {
        const struct stop *stop = &map->stops.items[vector_pop(&map->ends)];
        for (uint32_t link = stop->out; link; link = map->ways.items[link - 1].next_out) {
            const uint32_t to = map->ways.items[link - 1].to;
            map->stops.items[to].in_count--;
            look_at(map, to);
        }
        for (uint32_t link = stop->in; link; link = map->ways.items[link - 1].next_in) {
            const uint32_t from = map->ways.items[link - 1].from;
            map->stops.items[from].out_count--;
            look_at(map, from);
        }
    }
}

static bool is_left(const struct map *map, uint32_t lock)
{
    uint64_t number;
    return intmap_get(&map->numbers, lock, &number) && !map->stops.items[number].gone;
}

static bool is_between_left(const struct map *map, const struct dependency *dependency)
{
    if (!is_left(map, dependency->wants.lock))
        return false;
    for (uint32_t held = 0; held < dependency->held_count; held++)
        if (is_left(map, dependency->held[held].lock))
            return true;
    return false;
}

/* How many there are; UINT32_MAX when there is no memory. */
static uint32_t find_by_locks(struct dependency *const *dependencies, uint32_t count, bool *core)
{
    struct map map = {.stops = VECTOR_EMPTY};
    uint32_t found = UINT32_MAX;
    intmap_init(&map.numbers);
    if (draw(&map, dependencies, count)) {
        take_away(&map);
        found = 0;
        for (uint32_t index = 0; index < count; index++) {
            lock_order_ahead(dependencies, index, count);
            core[index] = is_between_left(&map, dependencies[index]);
            found += core[index];
        }
    }
    release_map(&map);
    return found;
}

/* ---- by threads ---- */

/* Who holds and who wants a lock: a slot, or MANY. */
struct use {
    struct intmap holders;
    struct intmap wanters;
};

static bool note_use(struct intmap *map, uint32_t lock, uint32_t slot)
{
    bool added;
    uint64_t *who = intmap_find_or_add(map, lock, slot, &added);
    if (!who)
        return false;
    if (!added && *who != slot)
        *who = MANY;
    return true;
}

static bool used_by_others(const struct intmap *map, uint32_t lock, uint32_t slot)
{
    uint64_t who;
    return intmap_get(map, lock, &who) && who != slot;
}

static bool collect_use(struct use *use, struct dependency *const *dependencies, uint32_t count,
                        const bool *core)
{
    intmap_clear(&use->holders);
    intmap_clear(&use->wanters);
    for (uint32_t index = 0; index < count; index++) {
        const struct dependency *dependency = dependencies[index];
        if (!core[index])
            continue;
        if (!note_use(&use->wanters, dependency->wants.lock, dependency->slot))
            return false;
        for (uint32_t held = 0; held < dependency->held_count; held++)
            if (!note_use(&use->holders, dependency->held[held].lock, dependency->slot))
                return false;
    }
    return true;
}

static bool stays(const struct use *use, const struct dependency *dependency)
{
    if (!used_by_others(&use->holders, dependency->wants.lock, dependency->slot))
        return false;
    for (uint32_t held = 0; held < dependency->held_count; held++)
        if (used_by_others(&use->wanters, dependency->held[held].lock, dependency->slot))
            return true;
    return false;
}

static bool find_by_threads(struct dependency *const *dependencies, uint32_t count, bool *core)
{
    struct use use;
    intmap_init(&use.holders);
    intmap_init(&use.wanters);
    bool complete = true, changed = true;
    for (unsigned pass = 0; pass < CORE_PASSES && changed && complete; pass++) {
        complete = collect_use(&use, dependencies, count, core);
        changed = false;
        for (uint32_t index = 0; complete && index < count; index++) {
            if (core[index] && !stays(&use, dependencies[index])) {
                core[index] = false;
                changed = true;
            }
        }
    }
    intmap_release(&use.holders);
    intmap_release(&use.wanters);
    return complete;
}

bool lock_order_find_core(struct dependency *const *dependencies, uint32_t count, bool *core)
{
    const uint32_t found = find_by_locks(dependencies, count, core);
    if (found == UINT32_MAX)
        return false;
    return !found || find_by_threads(dependencies, count, core);
}
