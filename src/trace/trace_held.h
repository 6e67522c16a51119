/*
 * trace_held: which thread has which locks, how often.
 *
 * Threads have few locks at a time, so each has a short list. An entry is there as long as one of
 * its numbers is not 0.
 */
#ifndef TURNSTILE_TRACE_TRACE_HELD_H
#define TURNSTILE_TRACE_TRACE_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

struct trace_held_lock {
    uint32_t lock;
    uint32_t exclusive;
    uint32_t shared;
    uint32_t waiting; /* how often it had the lock that it gave up to wait */
};

struct trace_held_list {
    VECTOR(struct trace_held_lock) locks;
};

/* All zero bytes: nothing is held. */
struct trace_held {
    VECTOR(struct trace_held_list) threads;
};

void trace_held_release(struct trace_held *held);

/* NULL if there is no entry. Entries move when others are added or dropped. */
struct trace_held_lock *trace_held_find(const struct trace_held *held, uint32_t thread,
                                        uint32_t lock);

/* Adds one if there is none; NULL when there is no memory. */
struct trace_held_lock *trace_held_get(struct trace_held *held, uint32_t thread, uint32_t lock);

/* Takes the entry away if its numbers are all 0. */
void trace_held_drop(struct trace_held *held, uint32_t thread, struct trace_held_lock *entry);

#endif
