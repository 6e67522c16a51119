/*
 * engine_internal: the engine's parts, for its own files only.
 */
#ifndef TURNSTILE_ENGINE_ENGINE_INTERNAL_H
#define TURNSTILE_ENGINE_ENGINE_INTERNAL_H

#include "engine/cache.h"
#include "engine/clock.h"
#include "engine/engine.h"
#include "engine/sync_table.h"

struct engine {
    struct engine_options options;
    struct history_rules rules;
    struct lockset_table locksets;
    struct clock_pool clocks;
    struct thread_table threads;
    struct sync_table locks;
    struct sync_table syncs;
    struct variable_pool variables;
    /* What threads without a slot know, together: they count as one, so that no order is lost. */
    struct spin strangers_lock;
    struct clock *strangers_full;
    struct clock *strangers_ordered;
    struct cache sites; /* where a thread accessed a field in a segment: location and stack */
    /* Which locks a thread held in shared mode in a segment, by the stamp of that; for reports.
       What is remembered of accesses has no room for it, and few have any. */
    struct cache shared;
    _Atomic uint64_t races[RACE_OBSERVED + 1];
    _Atomic uint64_t forgotten;
    _Atomic uint64_t stale;
    _Atomic uint64_t unjudged;
};

static inline void engine_count(_Atomic uint64_t *counter)
{
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

#endif
