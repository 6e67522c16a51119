/*
 * reachability: which methods can run, and on whose behalf.
 *
 * Starts from the entry points and follows the call graph, separately for each kind of entry, so
 * that it can be told what only the main thread runs, and what others may. Followed are: calls;
 * the making of a function object (it may run later); class initialization; and, from the
 * constructor of a class or the making of a function object, what the platform may call back on it.
 *
 * The set of kinds is meant to be too large rather than too small. A function object and the
 * callbacks of an object are followed from every root that may make them, also when they are a
 * thread's entry point: the maker may hand a Runnable to a pool, but as well to FutureTask.run,
 * forEach or a pool that runs it in the caller. So the body of a thread that main makes is reached
 * from `main, thread`; what lacks `thread` no made thread runs, as far as the rules of
 * entry_points.def and the limits below go. The one exception is finalize: no platform code calls
 * it but that of the finalizer's thread, so it is followed from explicit calls and from method
 * references alone.
 *
 * Limits: targets of unknown calls (see call_graph.h) are not followed. And an object made by one
 * root, whose callback another root causes by handing it to the platform (a TreeSet that main makes
 * with its Comparator, and a thread adds to), is followed from its maker only.
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
