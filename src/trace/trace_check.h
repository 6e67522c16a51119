/*
 * trace_check: whether the events of a trace can have happened.
 *
 * Impossible is: to take a lock that another thread has (or, for sharing, has for itself); to give
 * back or wait on a lock that the thread does not have; to have waited without waiting; an event of
 * a thread before it was forked or after it was joined, and to fork or join oneself; to end a block
 * that was not begun, or not the one that was begun last. A lock that is not known (0) is not
 * looked at, one of a thread that was joined counts as free, and a thread that nobody forked may
 * have events at any time.
 *
 * A strict check stops at the first impossible event. A lenient one makes a possible trace of any:
 * it is meant for traces that begin in the middle, or lost something.
 *
 *     given back, not held       left out
 *     waits on a lock not held   left out; that it has waited becomes an acquire
 *     taken, another has it      the other gives it back before
 *     forked, has run already    left out
 *     anything after its join    left out
 *     ends, was not begun        left out
 *     ends an outer block        the inner ones end before
 */
#ifndef TURNSTILE_TRACE_TRACE_CHECK_H
#define TURNSTILE_TRACE_TRACE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"
#include "base/vector.h"
#include "trace/event.h"
#include "trace/trace_held.h"
#include "trace/trace_source.h"

struct trace_check_thread {
    bool active; /* had an event, or was forked */
    bool joined;
    VECTOR(uint32_t) blocks; /* those that it is in */
};

struct trace_check_lock {
    uint32_t owner;   /* thread, or 0 */
    uint32_t sharers; /* threads that share it */
};

struct trace_check {
    bool lenient;
    bool any_end; /* `end` may name any block, as in STD files */
    const struct trace_names *names;
    struct trace_held held;
    VECTOR(struct trace_check_thread) threads;
    VECTOR(struct trace_check_lock) locks;
    uint64_t events;   /* looked at */
    uint64_t left_out; /* of a lenient check: events that were left out, */
    uint64_t changed;  /* became something else, */
    uint64_t added;    /* and were added */
    VECTOR(struct trace_event) fixed;
    struct problem problem; /* "event 3: ..."; of a lenient check, the first thing it put right */
};

enum trace_check_result {
    TRACE_CHECK_FINE,
    TRACE_CHECK_FIXED,      /* lenient: use what is in `fixed`, if anything, instead */
    TRACE_CHECK_IMPOSSIBLE, /* strict: the problem says why */
    TRACE_CHECK_NO_MEMORY,  /* so does it here */
};

/* `names` are for messages, and say whether the trace is an STD file; they stay the caller's. */
void trace_check_init(struct trace_check *check, const struct trace_names *names, bool lenient);
void trace_check_release(struct trace_check *check);

/* The next event; after IMPOSSIBLE or NO_MEMORY there is none. `line` goes into the message, if it
   is not 0. */
enum trace_check_result trace_check_event(struct trace_check *check,
                                          const struct trace_event *event, uint64_t line);

/* A source with the events of `inner` that passed. A strict check makes it fail at the first
   impossible one. `inner` and `check` stay the caller's and must live as long. False with a problem
   when there is no memory. */
bool trace_check_source(struct trace_source *source, struct trace_source *inner,
                        struct trace_check *check);

#endif
