/*
 * inline_driver: a caller that leaves out what inline.h says it may.
 *
 * It has an engine, a few threads and the words of a few variables, and counts what it left out.
 * With `leaves_out` off it tells everything: that is what tests compare with.
 */
#ifndef TURNSTILE_TEST_INLINE_DRIVER_H
#define TURNSTILE_TEST_INLINE_DRIVER_H

#include "engine/engine_internal.h"
#include "engine/inline.h"
#include "trace_events.h"

#define THREADS_MAX 4u
#define LOCKS_MAX 2u
#define VARIABLES_MAX 2u

/* How often something was left out. */
struct left_out {
    unsigned owned, settled, busy, guarded, alone, reads;
};

struct driver {
    struct engine *engine;
    bool leaves_out;
    bool busy;        /* all code has run often */
    bool keeps_words; /* when something is left out the word stays */
    bool spread;
    struct event_thread threads[THREADS_MAX];
    uint64_t words[VARIABLES_MAX];
    bool races[VARIABLES_MAX];
    unsigned event;
    uint64_t raced; /* by event: a race was reported */
    uint64_t told;  /* by event: it is an access that the engine was told */
    struct left_out left_out;
};

/* `spread`: the slots of the threads have the same place in `seen`. Thread 0 runs. */
void driver_start(struct driver *driver, bool leaves_out, bool spread);
void driver_end(struct driver *driver);

void driver_start_thread(struct driver *driver, unsigned number, struct thread *parent);

/* The access of a shared variable that need not be told: true if it is left out. */
bool driver_leave_out(struct driver *driver, struct thread *thread, uint64_t *word, bool write);

void driver_access(struct driver *driver, struct thread *thread, unsigned variable, bool write);

#endif
