/*
 * parallel: one function over many items, on several threads.
 */
#ifndef TURNSTILE_BASE_PARALLEL_H
#define TURNSTILE_BASE_PARALLEL_H

#include <stddef.h>

/* `worker` is 0 .. workers-1: what a worker owns (an arena, a buffer) can be an array entry. */
typedef void (*parallel_function)(void *context, size_t item, unsigned worker);

/* How many workers pay: the number of usable processors, at most 16, at least 1. */
unsigned parallel_workers(void);

/* Calls the function once for each item 0 .. items-1, in no fixed order, and returns when all are
   done. Threads that cannot be started are done without; one worker runs in the caller's thread. */
void parallel_for(size_t items, unsigned workers, parallel_function function, void *context);

#endif
