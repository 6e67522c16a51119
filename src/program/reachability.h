/*
 * reachability: which methods can run, and on whose behalf.
 *
 * Starts from the entry points and follows the call graph, separately for each kind of entry, so
 * that it can be told what only the main thread runs, and what others may. Followed are: calls;
 * the making of a function object (it may run later); class initialization; and, from the
 * constructor of a class, what the platform may call back on its instances.
 *
 * A callback or function object that is itself a thread's entry point is not followed from where
 * it is made: it is a root of its own. Where a library runs a Runnable in the calling thread after
 * all, it is thus taken for another thread's: that errs on the side of more threads.
 */
#ifndef TURNSTILE_PROGRAM_REACHABILITY_H
#define TURNSTILE_PROGRAM_REACHABILITY_H

#include <stdbool.h>
#include <stdint.h>

#include "program/call_graph.h"
#include "program/entry_points.h"

#define REACHABILITY_KIND(kind) (1u << (kind))

/* Everything but ENTRY_INITIALIZER: initializers run when something reachable starts them. */
#define REACHABILITY_DEFAULT ((1u << ENTRY_KIND_COUNT) - 1u - REACHABILITY_KIND(ENTRY_INITIALIZER))

struct reachability {
    uint16_t *from; /* by method: REACHABILITY_KIND of the entries that it is reached from */
    uint32_t reached[ENTRY_KIND_COUNT]; /* application methods reached from each kind */
    uint32_t reached_count;             /* and from any */
};

/* `kinds` is a set of REACHABILITY_KIND. False with the problem set when there is no memory. */
bool reachability_compute(struct reachability *reachability, const struct call_graph *graph,
                          const struct entry_points *entries, unsigned kinds,
                          struct problem *problem);
void reachability_release(struct reachability *reachability);

#endif
