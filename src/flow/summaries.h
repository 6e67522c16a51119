/*
 * summaries: what a caller may know of short methods.
 *
 * A getter that returns a final field of its receiver is that field, written otherwise; a
 * constructor that stores its parameters in final fields tells what those fields of a new object
 * hold (an inner class's outer instance among them). Both are found by executing the method once
 * without summaries. A method that takes a lock and returns with it (`void lock() { mu.lock(); }`)
 * or gives it back does so for its caller. Likewise a final field that always holds a part of its
 * own object, or a view of it, is an alias. A dispatched call has the summary that all its targets
 * agree in.
 */
#ifndef TURNSTILE_FLOW_SUMMARIES_H
#define TURNSTILE_FLOW_SUMMARIES_H

#include "flow/method_flow.h"
#include "program/call_graph.h"

struct stored_parameter {
    uint32_t field;
    term value; /* in terms of the constructor's parameters */
};

struct method_summary {
    term returned; /* in terms of the method's parameters; TERM_NONE: not known */
    const struct stored_parameter *stored;
    uint32_t stored_count;
    /* Locks that it holds on every return and did not before (ACQUIRES), that it may have given up
       (RELEASES), or of which its result tells (TRIES): in terms of its parameters. */
    const struct bound_effect *effects;
    uint32_t effect_count;
};

struct flow_summaries {
    struct arena arena;
    struct term_table terms; /* of the summaries */
    struct intmap by_method; /* to a struct method_summary * */
    struct intmap aliases;   /* field to term */
    const struct call_graph *graph;
};

/* Looks at all methods of the application that are short enough to be worth it. False with the
   problem set when there is no memory. */
bool flow_summaries_build(struct flow_summaries *summaries, const struct lock_types *types,
                          const struct call_graph *graph, struct problem *problem);
void flow_summaries_release(struct flow_summaries *summaries);

/* What a final field holds, in terms of the object it is in (parameter 0), if all constructors give
   it the same: `final Lock r = rw.readLock()` is the read view of this.rw. For a static final field
   in terms of statics. A term of summaries->terms, or TERM_NONE. */
term flow_summaries_alias(const struct flow_summaries *summaries, uint32_t field);

/* NULL: nothing is known. */
const struct method_summary *flow_summaries_of(const struct flow_summaries *summaries,
                                               uint32_t method);

#endif
