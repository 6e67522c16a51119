#include "engine/engine.h"

#include <string.h>

#include "base/memory.h"
#include "engine/engine_internal.h"

enum { SHARED_PLACES = 4096 };

void engine_options_default(struct engine_options *options)
{
    *options = (struct engine_options){
        .mode = ENGINE_HYBRID,
        .threads = THREAD_SLOTS_MAX,
        .dead_threads = 64,
        .variables = UINT32_C(1) << 20,
        .history = 16,
        .locksets = UINT32_C(1) << 16,
        .locks = UINT32_C(1) << 18,
        .syncs = UINT32_C(1) << 18,
        .sites = UINT32_C(1) << 17,
        .clock_bytes = (size_t)64 << 20,
    };
}

struct engine *engine_new(const struct engine_options *options)
{
    struct engine *engine = memory_allocate(sizeof *engine);
    if (!engine)
        return NULL;
    memset(engine, 0, sizeof *engine);
    engine->options = *options;
    engine->rules = (struct history_rules){
        .mode = (enum history_mode)options->mode,
        .discipline = options->discipline,
        .locksets = &engine->locksets,
    };
    /* All of these leave what cannot be released empty. */
    bool ready = clock_pool_init(&engine->clocks);
    ready &= lockset_init(&engine->locksets, options->locksets);
    ready &= thread_table_init(&engine->threads, &engine->clocks, options->threads,
                               options->dead_threads, options->clock_bytes / 2);
    ready &= sync_table_init(&engine->locks, &engine->clocks, &engine->threads, options->locks,
                             options->clock_bytes, true);
    ready &= sync_table_init(&engine->syncs, &engine->clocks, &engine->threads, options->syncs,
                             options->clock_bytes, false);
    ready &= variable_pool_init(&engine->variables, options->variables, options->history);
    ready &= cache_init(&engine->sites, options->sites);
    ready &= cache_init(&engine->shared, SHARED_PLACES);
    if (!ready) {
        engine_free(engine);
        return NULL;
    }
    return engine;
}

void engine_free(struct engine *engine)
{
    if (!engine)
        return;
    cache_release(&engine->sites);
    cache_release(&engine->shared);
    clock_drop(&engine->clocks, engine->strangers_full);
    clock_drop(&engine->clocks, engine->strangers_ordered);
    variable_pool_release(&engine->variables);
    sync_table_release(&engine->syncs);
    sync_table_release(&engine->locks);
    thread_table_release(&engine->threads);
    lockset_release(&engine->locksets);
    clock_pool_release(&engine->clocks);
    memory_release(engine);
}

static bool has_clocks(const struct engine *engine)
{
    return engine->options.mode != ENGINE_LOCKSET;
}

/* The clocks of threads without a slot, as those of one thread. Under strangers_lock. */
static struct clock_view strangers(const struct clock *base)
{
    return (struct clock_view){base, 0, 1};
}

/* The child knows what the parent knows and has done, as far as `base`, a clock of the parent. */
static void inherit(struct engine *engine, struct clock **child, struct clock *base,
                    const struct thread *parent)
{
    clock_join(&engine->clocks, child, base, parent->slot, thread_segment(parent));
}

/* The full clock of the thread, for it to learn something; thread_set_full takes it back. */
static struct clock *full_of(struct thread *thread)
{
    return clock_keep(thread->full);
}

static void learn_from_strangers(struct engine *engine, struct thread *thread)
{
    struct clock *full = full_of(thread);
    spin_lock(&engine->strangers_lock);
    clock_join(&engine->clocks, &full, engine->strangers_full, 0, 0);
    clock_join(&engine->clocks, &thread->ordered, engine->strangers_ordered, 0, 0);
    spin_unlock(&engine->strangers_lock);
    thread_set_full(&engine->threads, thread, full);
}

struct thread *engine_thread_start(struct engine *engine, struct thread *parent, uint64_t name)
{
    struct thread *thread = thread_begin(&engine->threads, name);
    if (!has_clocks(engine))
        return thread;
    if (thread && parent) {
        struct clock *full = NULL;
        inherit(engine, &full, parent->full, parent);
        thread_set_full(&engine->threads, thread, full);
        inherit(engine, &thread->ordered, parent->ordered, parent);
    } else if (thread) {
        learn_from_strangers(engine, thread);
    } else if (parent) {
        spin_lock(&engine->strangers_lock);
        inherit(engine, &engine->strangers_full, parent->full, parent);
        inherit(engine, &engine->strangers_ordered, parent->ordered, parent);
        spin_unlock(&engine->strangers_lock);
    }
    if (parent)
        thread_new_segment(parent, false);
    return thread;
}

/* Adds what a thread knew in the end. */
static void join_clocks(struct engine *engine, struct clock **full, struct clock **ordered,
                        const struct thread_clocks *clocks)
{
    clock_join(&engine->clocks, full, clocks->full, clocks->slot, clocks->segment);
    clock_join(&engine->clocks, ordered, clocks->ordered, clocks->slot, clocks->segment);
}

void engine_thread_end(struct engine *engine, struct thread *thread)
{
    if (thread)
        thread_end(&engine->threads, thread);
}

bool engine_thread_join(struct engine *engine, struct thread *thread, struct thread *child,
                        uint64_t birth)
{
    if (!has_clocks(engine))
        return true; /* there is nothing to learn */
    if (!child) {
        if (thread)
            learn_from_strangers(engine, thread);
        return false;
    }
    struct thread_clocks clocks;
    if (!thread_last_clocks(&engine->threads, child, birth, &clocks))
        return false;
    if (!thread) {
        spin_lock(&engine->strangers_lock);
        join_clocks(engine, &engine->strangers_full, &engine->strangers_ordered, &clocks);
        spin_unlock(&engine->strangers_lock);
    } else if (thread != child) {
        struct clock *full = full_of(thread);
        join_clocks(engine, &full, &thread->ordered, &clocks);
        thread_set_full(&engine->threads, thread, full);
    }
    clock_drop(&engine->clocks, clocks.full);
    clock_drop(&engine->clocks, clocks.ordered);
    return thread;
}

/* The happens-before edges into an acquire of a lock. A reader is ordered after writers only. */
static uint64_t collect_lock(struct engine *engine, uint32_t lock, enum thread_lock_mode mode,
                             struct clock_view view, struct clock **full)
{
    const struct sync_part parts[] = {{SYNC_FULL, view, full}, {SYNC_READERS, view, full}};
    return sync_collect(&engine->locks, lock, parts, mode == THREAD_EXCLUSIVE ? 2 : 1);
}

static void publish_lock(struct engine *engine, uint32_t lock, enum thread_lock_mode mode,
                         struct clock_view view)
{
    const struct sync_part part = {mode == THREAD_EXCLUSIVE ? SYNC_FULL : SYNC_READERS, view, NULL};
    sync_publish(&engine->locks, lock, &part, 1);
}

static void stranger_acquires(struct engine *engine, uint32_t lock, enum thread_lock_mode mode)
{
    if (!has_clocks(engine))
        return;
    spin_lock(&engine->strangers_lock);
    (void)collect_lock(engine, lock, mode, strangers(engine->strangers_full),
                       &engine->strangers_full);
    spin_unlock(&engine->strangers_lock);
}

static void stranger_releases(struct engine *engine, uint32_t lock, enum thread_lock_mode mode)
{
    if (!has_clocks(engine))
        return;
    spin_lock(&engine->strangers_lock);
    publish_lock(engine, lock, mode, strangers(engine->strangers_full));
    spin_unlock(&engine->strangers_lock);
}

static void acquire(struct engine *engine, struct thread *thread, uint32_t lock,
                    enum thread_lock_mode mode, uint32_t times)
{
    if (thread_hold(&engine->threads, thread, lock, mode, times) == THREAD_SAME)
        return;
    if (has_clocks(engine) &&
        !(mode == THREAD_EXCLUSIVE && sync_stamp_known(&engine->locks, thread, lock))) {
        struct clock *full = full_of(thread);
        const uint64_t from = collect_lock(engine, lock, mode, thread_full(thread), &full);
        thread_set_full(&engine->threads, thread, full);
        if (from)
            thread_note_handover(thread, lock, from);
    }
    thread_new_segment(thread, true);
}

static void release(struct engine *engine, struct thread *thread, uint32_t lock,
                    enum thread_lock_mode mode, uint32_t times)
{
    if (thread_let_go(&engine->threads, thread, lock, mode, times) == THREAD_SAME)
        return;
    if (has_clocks(engine) &&
        !(mode == THREAD_EXCLUSIVE && sync_stamp_replace(&engine->locks, thread, lock)))
        publish_lock(engine, lock, mode, thread_full(thread));
    thread_new_segment(thread, true);
}

void engine_lock_acquire(struct engine *engine, struct thread *thread, uint32_t lock,
                         enum thread_lock_mode mode)
{
    if (thread)
        acquire(engine, thread, lock, mode, 1);
    else
        stranger_acquires(engine, lock, mode);
}

void engine_lock_release(struct engine *engine, struct thread *thread, uint32_t lock,
                         enum thread_lock_mode mode)
{
    if (thread)
        release(engine, thread, lock, mode, 1);
    else
        stranger_releases(engine, lock, mode);
}

uint32_t engine_wait_begin(struct engine *engine, struct thread *thread, uint32_t lock)
{
    if (!thread) {
        stranger_releases(engine, lock, THREAD_EXCLUSIVE);
        return 1;
    }
    const struct thread_held *held = thread_find_held(thread, lock);
    if (!held || !held->exclusive)
        return 0; /* it cannot wait */
    uint32_t times = held->exclusive;
    release(engine, thread, lock, THREAD_EXCLUSIVE, times);
    return times;
}

void engine_wait_end(struct engine *engine, struct thread *thread, uint32_t lock, uint32_t times)
{
    if (thread && times)
        acquire(engine, thread, lock, THREAD_EXCLUSIVE, times);
    else if (!thread)
        stranger_acquires(engine, lock, THREAD_EXCLUSIVE);
}

static void publish_sync(struct engine *engine, uint32_t sync, struct clock_view full,
                         struct clock_view ordered)
{
    const struct sync_part parts[] = {{SYNC_FULL, full, NULL}, {SYNC_ORDERED, ordered, NULL}};
    sync_publish(&engine->syncs, sync, parts, 2);
}

void engine_sync_release(struct engine *engine, struct thread *thread, uint32_t sync)
{
    if (!has_clocks(engine))
        return;
    if (thread) {
        publish_sync(engine, sync, thread_full(thread), thread_ordered(thread));
        thread_new_segment(thread, false);
        return;
    }
    spin_lock(&engine->strangers_lock);
    publish_sync(engine, sync, strangers(engine->strangers_full),
                 strangers(engine->strangers_ordered));
    spin_unlock(&engine->strangers_lock);
}

void engine_sync_acquire(struct engine *engine, struct thread *thread, uint32_t sync)
{
    if (!has_clocks(engine))
        return;
    if (thread && sync_known(&engine->syncs, thread, sync))
        return;
    if (thread) {
        struct clock *full = full_of(thread);
        const struct sync_part parts[] = {
            {SYNC_FULL, thread_full(thread), &full},
            {SYNC_ORDERED, thread_ordered(thread), &thread->ordered},
        };
        (void)sync_collect(&engine->syncs, sync, parts, 2);
        thread_set_full(&engine->threads, thread, full);
        return;
    }
    spin_lock(&engine->strangers_lock);
    const struct sync_part parts[] = {
        {SYNC_FULL, strangers(engine->strangers_full), &engine->strangers_full},
        {SYNC_ORDERED, strangers(engine->strangers_ordered), &engine->strangers_ordered},
    };
    (void)sync_collect(&engine->syncs, sync, parts, 2);
    spin_unlock(&engine->strangers_lock);
}

struct lockset_table *engine_locksets(struct engine *engine)
{
    return &engine->locksets;
}

struct clock_pool *engine_clocks(struct engine *engine)
{
    return &engine->clocks;
}

uint32_t engine_lockset(struct engine *engine, struct thread *thread, bool write)
{
    if (!thread)
        return LOCKSET_ALL;
    thread_find_locksets(thread, &engine->locksets);
    return write ? thread->exclusive : thread->any;
}

uint32_t engine_shared(struct engine *engine, struct thread *thread)
{
    if (!thread)
        return LOCKSET_EMPTY;
    thread_find_locksets(thread, &engine->locksets);
    return thread->shared;
}

static uint64_t read_count(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static void count_threads(struct engine *engine, struct engine_counts *counts)
{
    spin_lock(&engine->threads.lock);
    counts->slots = engine->threads.count;
    for (uint32_t slot = 1; slot <= engine->threads.count; slot++) {
        const struct thread *thread = thread_at(&engine->threads, slot);
        if (thread)
            counts->slow_accesses += read_count(&thread->slow_accesses);
    }
    spin_unlock(&engine->threads.lock);
}

void engine_counts(struct engine *engine, struct engine_counts *counts)
{
    memset(counts, 0, sizeof *counts);
    count_threads(engine, counts);
    for (unsigned grade = 0; grade <= RACE_OBSERVED; grade++)
        counts->races[grade] = read_count(&engine->races[grade]);
    counts->forgotten = read_count(&engine->forgotten);
    counts->stale = read_count(&engine->stale);
    counts->evicted = read_count(&engine->variables.evicted);
    counts->dropped = read_count(&engine->variables.histories.dropped);
    counts->unnoted = read_count(&engine->threads.unnoted);
    counts->unjudged = read_count(&engine->unjudged);
    counts->lost_sets = read_count(&engine->locksets.lost);
    counts->lost_clocks = read_count(&engine->clocks.failures);
    counts->shared_clocks = read_count(&engine->locks.moved) + read_count(&engine->syncs.moved);
    counts->refused = read_count(&engine->threads.refused);
    counts->unbalanced = read_count(&engine->threads.unbalanced);
    counts->locksets = lockset_count(&engine->locksets);
    spin_lock(&engine->variables.lock);
    counts->variables = engine->variables.count;
    spin_unlock(&engine->variables.lock);
    counts->clock_bytes = atomic_load_explicit(&engine->clocks.bytes, memory_order_relaxed);
}
