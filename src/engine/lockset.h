/*
 * lockset: sets of locks as 32-bit ids.
 *
 * The empty set and the sets of one lock are encoded in the id; larger sets are interned, and
 * results of operations are remembered. Sets never change.
 *
 * Programs that run for long make locks as they go, and so ever new sets: the table is bounded.
 * Interned sets belong to a generation; when one is full, another begins, and the one before the
 * full one is forgotten. What is in use comes into the new one when it is computed again. A set
 * whose generation is forgotten becomes LOCKSET_ALL, the set of all locks, and so does one that
 * does not fit (no memory, more than LOCKSET_MEMBERS_MAX locks). An access with that set is
 * protected against every other: so what may be lost is a report, and no false one is made. What a
 * variable's accesses had in common begins anew with its next access.
 *
 * Within a generation equal sets have equal ids. Generations have 16 bits: an id that nobody has
 * looked at for two thousand million sets may come to mean another.
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
#define LOCKSET_SHOWN_MAX (2 * LOCKSET_MEMBERS_MAX)

struct lockset_members;

/* With the table's lock. */
struct lockset_generation {
    struct lockset_members **sets; /* by index, from 1 on */
    uint32_t count;
    uint32_t *slots; /* a hash table of indexes */
    uint32_t slot_count;
    struct arena arena;
};

struct lockset_table {
    struct cache unions;
    struct cache intersections;
    struct cache relations;   /* subset and disjoint */
    uint32_t capacity;        /* of a generation */
    _Atomic uint32_t current; /* the number of the present generation */
    struct spin lock;
    struct lockset_generation generations[2]; /* by the lowest bit of their numbers */
    _Atomic uint64_t lost;                    /* sets that became LOCKSET_ALL for lack of room */
};

/* At most `limit` interned sets at a time, but four in any case. False when there is no memory. */
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

/* The locks of a set, ascending: how many. LOCKSET_ALL and forgotten sets have none to show: so
   none of another set than the empty one means that they are not known. */
uint32_t lockset_copy(struct lockset_table *table, uint32_t set,
                      uint32_t locks[LOCKSET_MEMBERS_MAX]);

/* A lock as reports show it. */
struct lockset_shown {
    uint32_t lock;
    bool shared; /* held in shared mode only */
};

/* The locks of both sets, each once; those of `shared` are marked, and come last. How many. */
uint32_t lockset_show(struct lockset_table *table, uint32_t set, uint32_t shared,
                      struct lockset_shown shown[LOCKSET_SHOWN_MAX]);

/* Whether it can be told what is in the set: not of LOCKSET_ALL and those that are forgotten. */
bool lockset_is_known(const struct lockset_table *table, uint32_t set);

/* How many sets are interned now. */
uint32_t lockset_count(struct lockset_table *table);

#endif
