/*
 * event: one thing that one thread did, as traces have it and engines are told of it.
 *
 * Threads, variables, locks, synchronization objects, blocks, locations and stacks are numbers,
 * each kind from 1 on and without gaps; 0 means none or not known. What they are called is in the
 * names of the trace (trace.h). Events stand in an order in which they could have happened: a
 * release before the acquire that it lets through, a start before what the thread does, its last
 * event before the join that waits for it.
 *
 * A lock that is acquired by a thread that has it already is told all the same, and so is each
 * release of it.
 *
 * Handing over says nothing about who holds the lock: it is told while the thread has it, before it
 * lets go, and taking over after it got it. All that it means is order, and that only for accesses
 * of what no lock guards: a monitor whose sections all wait and notify would otherwise order
 * everything that is done with it, and hide what those who take it in turns do to each other.
 */
#ifndef TURNSTILE_TRACE_EVENT_H
#define TURNSTILE_TRACE_EVENT_H

#include <stdint.h>

enum trace_kind {
    TRACE_READ,           /* target: variable */
    TRACE_WRITE,          /* variable */
    TRACE_ACQUIRE,        /* lock */
    TRACE_RELEASE,        /* lock */
    TRACE_ACQUIRE_SHARED, /* lock; several threads can have it so */
    TRACE_RELEASE_SHARED, /* lock */
    TRACE_WAIT,           /* lock; gives it up, however often it has it */
    TRACE_WAITED,         /* lock; has it again, as often as before */
    TRACE_SYNC_RELEASE,   /* synchronization object: a volatile write, a latch counted down ... */
    TRACE_SYNC_ACQUIRE,   /* synchronization object */
    TRACE_FORK,           /* thread */
    TRACE_JOIN,           /* thread; it has ended */
    TRACE_BEGIN,          /* block that should be atomic; they nest */
    TRACE_END,            /* block */
    TRACE_TRY,            /* lock; the thread's acquire of it that follows did not wait for it */
    TRACE_HAND_OVER,      /* lock; what came before is for whoever takes it over later */
    TRACE_TAKE_OVER,      /* lock; the thread would have waited for what others handed over */
    TRACE_WANT,           /* lock; the thread waits for it, and had not got it at the end */
    TRACE_KIND_COUNT,

    /* A read of a variable and at once a write of it, at the same place (x++): what a recorder may
       write instead of the two. Who reads a trace gets the two. */
    TRACE_UPDATE = 20,

    /* The same for a block that begins by taking a lock, and the lock; for giving it up, which ends
       the block. The target is the lock, and the location says which block. */
    TRACE_ENTER = 21,
    TRACE_LEAVE = 22,
};

/* How many events it is. */
static inline unsigned trace_kind_events(enum trace_kind kind)
{
    return kind >= TRACE_UPDATE ? 2 : 1;
}

struct trace_event {
    uint32_t thread;
    uint32_t target;
    uint32_t location;
    uint32_t stack;
    enum trace_kind kind;
};

const char *trace_kind_name(enum trace_kind kind);

#endif
