/*
 * atomicity_internal: what the files of atomicity share. Nobody else includes it.
 */
#ifndef TURNSTILE_CHECK_ATOMICITY_INTERNAL_H
#define TURNSTILE_CHECK_ATOMICITY_INTERNAL_H

#include "check/atomicity.h"

/* No atomicities, but what steps of an operation give instead of one. They are greater than all
   numbers, so that one comparison finds both; the greater one wins where they meet. */
#define ATOMICITY_TOO_LARGE (UINT32_MAX - 1)
#define ATOMICITY_NO_MEMORY UINT32_MAX

/* Numbers of atomicities and locks take this many bits, for the keys of the memo. */
#define ATOMICITY_NUMBER_BITS 30u

static inline const struct atomicity_node *atomicity_node_of(const struct atomicity_table *table,
                                                             atomicity number)
{
    return &table->nodes[number - ATOMICITY_BASIC_COUNT];
}

/* The total order of locks: less than, equal to or greater than 0. */
int atomicity_compare_locks(const struct term_table *locks, term a, term b);

/* Whether the lock stands before all that the atomicity asks for. */
static inline bool atomicity_lock_precedes(const struct atomicity_table *table, term lock,
                                           atomicity number)
{
    return atomicity_is_basic(number) ||
           atomicity_compare_locks(&table->locks, lock, atomicity_node_of(table, number)->lock) < 0;
}

/* The first lock of the two; one of them is not basic. */
static inline term atomicity_first_lock(const struct atomicity_table *table, atomicity a,
                                        atomicity b)
{
    if (atomicity_is_basic(a))
        return atomicity_node_of(table, b)->lock;
    const term lock = atomicity_node_of(table, a)->lock;
    return atomicity_lock_precedes(table, lock, b) ? lock : atomicity_node_of(table, b)->lock;
}

/* What follows when it is asked for a lock that stands before all others in it, or is its first. */
static inline atomicity atomicity_side(const struct atomicity_table *table, atomicity number,
                                       term lock, bool held)
{
    if (atomicity_is_basic(number))
        return number;
    const struct atomicity_node *node = atomicity_node_of(table, number);
    if (node->lock != lock)
        return number;
    return held ? node->held : node->otherwise;
}

static inline bool atomicity_is_one_sided(const struct atomicity_table *table, atomicity number)
{
    if (atomicity_is_basic(number))
        return number == ATOMICITY_OF_RIGHT || number == ATOMICITY_OF_LEFT;
    return atomicity_node_of(table, number)->one_sided;
}

static inline atomicity atomicity_basic_plain(atomicity basic)
{
    return basic == ATOMICITY_OF_RIGHT || basic == ATOMICITY_OF_LEFT ? ATOMICITY_OF_ATOMIC : basic;
}

/* The only two of which neither is below the other. */
static inline bool atomicity_are_opposite(atomicity a, atomicity b)
{
    return (a == ATOMICITY_OF_RIGHT && b == ATOMICITY_OF_LEFT) ||
           (a == ATOMICITY_OF_LEFT && b == ATOMICITY_OF_RIGHT);
}

static inline atomicity atomicity_basic_join(atomicity a, atomicity b)
{
    if (atomicity_are_opposite(a, b))
        return ATOMICITY_OF_ATOMIC;
    return a > b ? a : b;
}

static inline atomicity atomicity_basic_meet(atomicity a, atomicity b)
{
    if (atomicity_are_opposite(a, b))
        return ATOMICITY_OF_MOVER;
    return a < b ? a : b;
}

/* The node, or the one side if both are equal. The lock stands before all locks of the sides, which
   may also be no atomicities: then that is the result. */
atomicity atomicity_make_node(struct atomicity_table *table, term lock, atomicity held,
                              atomicity otherwise);

/* The locks that it depends on, in their order. */
struct atomicity_locks {
    term items[ATOMICITY_MOST_PATHS]; /* a path more than nodes, and no more locks than nodes */
    uint32_t count;
};
void atomicity_collect_locks(const struct atomicity_table *table, atomicity number,
                             struct atomicity_locks *locks);

#endif
