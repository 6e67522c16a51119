/*
 * lockset: sets of locks as 32-bit ids.
 *
 * The empty set and the sets of one lock are encoded in the id; larger sets are interned, so equal
 * sets have equal ids, and results of operations are remembered. Sets live as long as the table and
 * never change. The table is bounded: a set that does not fit (no memory, too many sets, more than
 * LOCKSET_MEMBERS_MAX locks) becomes LOCKSET_ALL, the set of all locks. An access with that set is
 * protected against every other, so what is lost is a report, and no false one is made.
 *
 * Any number of threads use one table.
 */
#ifndef TURNSTILE_ENGINE_LOCKSET_H
#define TURNSTILE_ENGINE_LOCKSET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "engine/cache.h"
#include "engine/spin.h"

#define LOCKSET_EMPTY UINT32_C(0)
#define LOCKSET_ALL UINT32_C(0x7FFFFFFF)
#define LOCKSET_SINGLE UINT32_C(0x80000000)
#define LOCKSET_LOCK_MAX UINT32_C(0x7FFFFFFE)
#define LOCKSET_MEMBERS_MAX 64u

struct lockset_members {
    uint32_t count;
    uint32_t hash;
    uint32_t locks[]; /* ascending */
};

struct lockset_chunk;

struct lockset_table {
    struct cache unions;
    struct cache intersections;
    struct cache relations; /* subset and disjoint */
    _Atomic(struct lockset_chunk *) *chunks;
    uint32_t limit;
    /* From here on under the lock. */
    struct spin lock;
    uint32_t count; /* ids 1 .. count are interned sets */
    uint32_t *slots;
    uint32_t slot_count;
    struct arena arena;
    _Atomic uint64_t lost; /* sets that became LOCKSET_ALL */
};

/* At most `limit` interned sets. False when there is no memory. */
bool lockset_init(struct lockset_table *table, uint32_t limit);
void lockset_release(struct lockset_table *table);

/* `lock` is at most LOCKSET_LOCK_MAX. */
static inline uint32_t lockset_single(uint32_t lock)
{
    return LOCKSET_SINGLE | lock;
}

uint32_t lockset_union(struct lockset_table *table, uint32_t left, uint32_t right);
uint32_t lockset_intersection(struct lockset_table *table, uint32_t left, uint32_t right);

/* No lock is in both. LOCKSET_ALL is disjoint from nothing, not even from the empty set. */
bool lockset_disjoint(struct lockset_table *table, uint32_t left, uint32_t right);

/* Every lock of `small` is in `large`. */
bool lockset_subset(struct lockset_table *table, uint32_t small, uint32_t large);

/* The locks of a set, ascending; *single is room for the lock of an inline set. LOCKSET_ALL has
   none to show. The array lives as long as the table (or *single). */
uint32_t lockset_get(const struct lockset_table *table, uint32_t set, uint32_t *single,
                     const uint32_t **locks);

/* How many sets are interned. */
uint32_t lockset_count(struct lockset_table *table);

#endif
