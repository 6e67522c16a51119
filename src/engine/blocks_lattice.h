/*
 * blocks_lattice: can two threads' steps be ordered like that?
 *
 * The states of two threads that take their steps one at a time are the points of a lattice: how
 * many steps each has taken. An execution is a path from the first point to the last that goes one
 * step of one thread at a time, and avoids the points where both hold the same lock. "This step
 * before that one of the other thread" excludes a corner of the lattice. So whether an execution
 * exists that has steps in a given order, and comes to its end, is a matter of reachability, found
 * in one pass over the points. It is exact: deadlocks are points from which no path leads on.
 *
 * Locks are bits. A step may pass through locks that it holds neither before nor after.
 */
#ifndef TURNSTILE_ENGINE_BLOCKS_LATTICE_H
#define TURNSTILE_ENGINE_BLOCKS_LATTICE_H

#include <stdbool.h>
#include <stdint.h>

#define BLOCKS_LATTICE_ORDERS 8u

struct blocks_mask {
    uint64_t exclusive;
    uint64_t shared;
};

/* A step, and the locks that the thread holds after it. Before its first step it holds none. */
struct blocks_lattice_step {
    struct blocks_mask passing;
    struct blocks_mask after;
};

/* Step `first` of thread `side` comes before step `then` of the other one. */
struct blocks_lattice_order {
    unsigned side;
    uint32_t first;
    uint32_t then;
};

struct blocks_lattice {
    const struct blocks_lattice_step *steps[2];
    uint32_t counts[2];
    struct blocks_lattice_order orders[BLOCKS_LATTICE_ORDERS];
    uint32_t order_count;
    uint8_t *row; /* room for counts[1] + 1 */
};

static inline bool blocks_mask_conflict(struct blocks_mask left, struct blocks_mask right)
{
    return ((left.exclusive & (right.exclusive | right.shared)) |
            (left.shared & right.exclusive)) != 0;
}

static inline uint64_t blocks_lattice_cells(const struct blocks_lattice *lattice)
{
    return ((uint64_t)lattice->counts[0] + 1) * ((uint64_t)lattice->counts[1] + 1);
}

bool blocks_lattice_feasible(const struct blocks_lattice *lattice);

#endif
