/*
 * trace_events: the events of random traces, and how an engine is told of them.
 */
#ifndef TURNSTILE_TEST_TRACE_EVENTS_H
#define TURNSTILE_TEST_TRACE_EVENTS_H

#include "engine/engine.h"

enum event_kind {
    EVENT_READ,
    EVENT_WRITE,
    EVENT_ACQUIRE,
    EVENT_ACQUIRE_SHARED,
    EVENT_RELEASE,
    EVENT_RELEASE_SHARED,
    EVENT_WAIT_BEGIN,
    EVENT_WAIT_END,
    EVENT_SYNC_RELEASE,
    EVENT_SYNC_ACQUIRE,
    EVENT_START,
    EVENT_END,
    EVENT_JOIN,
    EVENT_KINDS,
};

struct event {
    enum event_kind kind;
    unsigned thread;
    unsigned object; /* variable, lock, synchronization object or thread */
};

/* What the engine knows the threads of a trace by. */
struct event_thread {
    struct thread *thread;
    uint64_t birth;
    uint32_t wait_times; /* how often it had the lock that it waits with */
};

void events_print(const struct event *events, unsigned count);

void event_start_thread(struct engine *engine, struct event_thread *threads, unsigned number,
                        struct thread *parent);

/* Any event but accesses. */
void event_tell(struct engine *engine, struct event_thread *threads, const struct event *event);

#endif
