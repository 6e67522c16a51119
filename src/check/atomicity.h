/*
 * atomicity: how code behaves among the steps of other threads, depending on the locks it is
 * entered with.
 *
 * Basic atomicities, the stronger promise first:
 *
 *     const ⊑ mover ⊑ right, left ⊑ atomic ⊑ cmpd ⊑ error
 *
 * `right` and `left` are the movers of Lipton's theory (an acquire is right, a release left); they
 * are why acquire and release compose along any control flow. The papers write neither: what is to
 * be shown or compared with a declaration goes through atomicity_plain, where both are atomic.
 *
 * An atomicity is a function from the locks that are held on entry to a basic one, kept as a
 * decision diagram: a node asks for one lock, and the locks along a path are in one total order. It
 * is a normal form, since a node whose two sides are equal is not made and equal nodes are the same
 * node: two atomicities are equal as functions exactly if they are the same number. All operations
 * are memoised.
 *
 * A lock is a term of a term_table that belongs to the table of atomicities. The order of locks
 * follows from what the terms are (kind, numbers of the program, parts), not from when they were
 * made, so that the same program gives the same diagrams whatever was looked at first.
 *
 * Diagrams do not grow without bound: where the result of an operation, or a step on the way to it,
 * would have more than ATOMICITY_MOST_PATHS paths or ask for more than ATOMICITY_MOST_DEPTH locks
 * on one path, the operation gives the basic atomicity that the worst cases of its operands make,
 * which is an upper bound, and counts that. Whether this happens depends on the operands as
 * functions, not on what else is in the table. Operations are monotonic except for that step: who
 * looks for a fixed point joins what is new with what was there.
 *
 * Used by one thread at a time.
 */
#ifndef TURNSTILE_CHECK_ATOMICITY_H
#define TURNSTILE_CHECK_ATOMICITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/builder.h"
#include "base/intmap.h"
#include "base/problem.h"
#include "locktypes/terms.h"

typedef uint32_t atomicity;

/* The basic ones have fixed numbers, in an order that the lattice's refines. */
enum {
    ATOMICITY_OF_CONST,
    ATOMICITY_OF_MOVER,
    ATOMICITY_OF_RIGHT,
    ATOMICITY_OF_LEFT,
    ATOMICITY_OF_ATOMIC,
    ATOMICITY_OF_CMPD,
    ATOMICITY_OF_ERROR,
    ATOMICITY_BASIC_COUNT
};

enum { ATOMICITY_MOST_PATHS = 512, ATOMICITY_MOST_DEPTH = 64 };

struct atomicity_node {
    term lock;
    atomicity held, otherwise; /* then and else */
    uint16_t paths;            /* from here to basic ones: leaves when written as a tree */
    uint8_t depth;             /* locks on the longest of them */
    uint8_t worst, best;       /* basic bounds of what is reached */
    bool one_sided;            /* right or left movers are reached */
};

struct atomicity_table {
    struct arena arena;
    struct term_table locks;      /* terms of all locks in the diagrams */
    struct atomicity_node *nodes; /* number ATOMICITY_BASIC_COUNT + i is nodes[i] */
    uint32_t node_count, node_capacity;
    struct intmap numbers; /* of nodes by content */
    struct intmap memo;    /* of operations */
    uint64_t widened;      /* results that were too large */
    bool failed;           /* memory ran out, here or for a term: from then on results are
                              ATOMICITY_OF_ERROR */
};

/* False (with a problem) when there is no memory. The table may not be moved afterwards. */
bool atomicity_table_init(struct atomicity_table *table, struct problem *problem);
void atomicity_table_release(struct atomicity_table *table);

static inline bool atomicity_is_basic(atomicity number)
{
    return number < ATOMICITY_BASIC_COUNT;
}

/* lock ? held : otherwise. A lock that is always held (terms.h) gives `held`; one that never is,
   and TERM_NONE, gives `otherwise`. All operations below take locks in that sense. */
atomicity atomicity_conditional(struct atomicity_table *table, term lock, atomicity held,
                                atomicity otherwise);

/* One after the other. right;left is atomic, atomic;left and right;atomic are, left;right and
   atomic;atomic are cmpd; error wins. */
atomicity atomicity_sequence(struct atomicity_table *table, atomicity first, atomicity then);

/* Either: the least upper bound. */
atomicity atomicity_join(struct atomicity_table *table, atomicity a, atomicity b);

/* Any number of times. */
atomicity atomicity_closure(struct atomicity_table *table, atomicity body);

/* S(l, a): the body of synchronized (lock): with the lock known to be held inside; as a whole, if
   the lock was held before, the body itself, else an acquire, the body, and a release. */
atomicity atomicity_synchronized(struct atomicity_table *table, term lock, atomicity body);

/* With the lock known to be held, or known not to be. Nothing changes by what cannot be known:
   that a lock is held that never is, or the other way round. */
atomicity atomicity_given(struct atomicity_table *table, atomicity number, term lock, bool held);

/* Every lock replaced: `replace` gives for a lock what it is called elsewhere; TERM_NONE for one
   that has no name there, which counts as not held; *always is set for one that is held there. It
   is called once for each lock, in their order, and may make terms, but no atomicities. */
struct atomicity_renaming {
    term (*replace)(void *context, term lock, bool *always);
    void *context;
};
atomicity atomicity_rename(struct atomicity_table *table, atomicity number,
                           const struct atomicity_renaming *renaming);

/* The order: at every set of locks a promises at least what b does. */
bool atomicity_is_below(struct atomicity_table *table, atomicity a, atomicity b);

/* Right and left movers are atomic in it. */
atomicity atomicity_plain(struct atomicity_table *table, atomicity number);

/* What it is when exactly these locks are held: a basic one. */
atomicity atomicity_at(const struct atomicity_table *table, atomicity number,
                       bool (*is_held)(void *context, term lock), void *context);

/* The worst that it can be, and the best: the least basic one above all that it can be, and the
   greatest below. */
atomicity atomicity_worst(const struct atomicity_table *table, atomicity number);
atomicity atomicity_best(const struct atomicity_table *table, atomicity number);

/* Calls the function once for each lock that it depends on, in their order. */
void atomicity_each_lock(const struct atomicity_table *table, atomicity number,
                         void (*visit)(void *context, term lock), void *context);

/* "const", ..., "right", "left". */
const char *atomicity_basic_name(atomicity basic);

/* As a .locks file has it: `this ? mover : atomic`, `l ? mover` where the rest is error; nested
   conditionals in parentheses where needed. Right and left movers print as atomic, and locks that
   tell only them apart are not shown. Locks are written by the printer: what is to be read again
   needs `parameter_names` for all parameters (#1, #2, ... will do). */
void atomicity_print(const struct atomicity_table *table, atomicity number,
                     const struct term_printer *printer, struct builder *to);

#endif
