/*
 * reduction_world: a few threads, locks and variables that tests move by hand, told to the race
 * engine and to reduction as a caller should. Include it behind <cmocka.h>.
 */
#ifndef TURNSTILE_TEST_REDUCTION_WORLD_H
#define TURNSTILE_TEST_REDUCTION_WORLD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/mover.h"
#include "engine/reduction.h"

#define WORLD_THREADS 4u
#define WORLD_VARIABLES 8u
#define WORLD_LOCKS 8u
#define WORLD_VIOLATIONS 16u

struct world {
    struct engine *engine;
    struct mover_table movers;
    struct reduction *reduction;
    struct thread *threads[WORLD_THREADS];
    uint64_t births[WORLD_THREADS];
    uint32_t wait_times[WORLD_THREADS];
    struct reduction_thread *reducers[WORLD_THREADS];
    uint64_t words[WORLD_VARIABLES];
    bool covered[WORLD_THREADS][WORLD_VARIABLES][2]; /* reads, writes: the last was a both-mover */
    bool skips;                                      /* repeated both-movers are not told */
    unsigned skipped;
    unsigned stacks; /* how often one was asked for */
    unsigned count;
    struct reduction_violation violations[WORLD_VIOLATIONS];
};

static inline void world_note(void *context, const struct reduction_violation *violation)
{
    struct world *world = context;
    assert_true(world->count < WORLD_VIOLATIONS);
    world->violations[world->count++] = *violation;
}

/* Stacks are the locations plus 1000. */
static inline uint32_t world_stack(void *context, uint32_t block,
                                   const struct reduction_place *place)
{
    struct world *world = context;
    (void)block;
    world->stacks++;
    return place->location + 1000;
}

static inline void world_thread(struct world *world, unsigned thread, struct thread *parent)
{
    world->threads[thread] = engine_thread_start(world->engine, parent, thread + 1);
    world->births[thread] = engine_thread_birth(world->threads[thread]);
    world->reducers[thread] =
        reduction_thread_start(world->reduction, world->threads[thread], thread + 1);
    assert_non_null(world->threads[thread]);
    assert_non_null(world->reducers[thread]);
}

/* A world with an engine that exists, and `threads` threads that nobody has started. */
static inline void world_init_with(struct world *world, struct engine *engine,
                                   const struct reduction_options *reduction,
                                   const struct mover_options *movers, unsigned threads)
{
    struct reduction_options options = *reduction;
    memset(world, 0, sizeof *world);
    options.report = world_note;
    options.stack = world_stack;
    options.context = world;
    world->engine = engine;
    assert_true(mover_table_init(&world->movers, movers, engine_locksets(engine)));
    world->reduction = reduction_new(&options, &world->movers);
    assert_non_null(world->reduction);
    for (unsigned i = 0; i < threads; i++)
        world_thread(world, i, NULL);
}

static inline void world_init(struct world *world, uint32_t refinements)
{
    struct engine_options engine_options;
    struct reduction_options reduction_options;
    struct mover_options mover_options;
    engine_options_default(&engine_options);
    engine_options.variables = 1024;
    reduction_options_default(&reduction_options);
    mover_options_default(&mover_options);
    mover_options.refinements = refinements;
    struct engine *engine = engine_new(&engine_options);
    assert_non_null(engine);
    world_init_with(world, engine, &reduction_options, &mover_options, WORLD_THREADS - 1);
}

/* Without the engine. */
static inline void world_close(struct world *world)
{
    for (unsigned i = 0; i < WORLD_THREADS; i++) {
        if (world->reducers[i])
            reduction_thread_end(world->reduction, world->reducers[i]);
        engine_thread_end(world->engine, world->threads[i]);
    }
    reduction_free(world->reduction);
    mover_table_release(&world->movers);
}

static inline void world_release(struct world *world)
{
    world_close(world);
    engine_free(world->engine);
}

static inline enum mover world_access(struct world *world, unsigned thread, unsigned variable,
                                      bool write, uint32_t location)
{
    uint64_t word = world->words[variable];
    struct thread *teller = world->threads[thread];
    if (world->skips && engine_is_repeated(teller, word, write) &&
        world->covered[thread][variable][write]) {
        world->skipped++;
        return MOVER_BOTH;
    }
    struct engine_access access = {
        .field = variable, .key = variable, .location = location, .write = write};
    struct reduction_variable shown = {.identity = variable + 1};
    bool owned = word && !word_is_shared(word) && word_slot(word) != teller->slot;
    world->words[variable] = engine_access(world->engine, teller, &access, word, &shown.facts);
    shown.concurrent = owned && shown.facts.state >= VARIABLE_READ_SHARED;
    struct reduction_place place = {
        .kind = write ? REDUCTION_WRITE : REDUCTION_READ,
        .object = variable,
        .key = variable,
        .location = location,
        .lockset = engine_lockset(world->engine, teller, write),
    };
    enum mover mover = reduction_access(world->reduction, world->reducers[thread], &place, &shown);
    bool *covered = world->covered[thread][variable];
    covered[false] = mover == MOVER_BOTH;
    covered[true] = mover == MOVER_BOTH && (write || covered[true]);
    return mover;
}

static inline enum mover world_read(struct world *world, unsigned thread, unsigned variable,
                                    uint32_t location)
{
    return world_access(world, thread, variable, false, location);
}

static inline enum mover world_write(struct world *world, unsigned thread, unsigned variable,
                                     uint32_t location)
{
    return world_access(world, thread, variable, true, location);
}

static inline enum mover world_acquire(struct world *world, unsigned thread, uint32_t lock,
                                       uint32_t location)
{
    struct thread *teller = world->threads[thread];
    bool reentrant = thread_find_held(teller, lock);
    struct reduction_place place = {
        .object = lock,
        .location = location,
        .lockset = engine_lockset(world->engine, teller, true),
    };
    engine_lock_acquire(world->engine, teller, lock, THREAD_EXCLUSIVE);
    return reduction_acquire(world->reduction, world->reducers[thread], &place, reentrant);
}

static inline enum mover world_release_lock(struct world *world, unsigned thread, uint32_t lock,
                                            uint32_t location)
{
    struct thread *teller = world->threads[thread];
    engine_lock_release(world->engine, teller, lock, THREAD_EXCLUSIVE);
    bool reentrant = thread_find_held(teller, lock);
    struct reduction_place place = {
        .object = lock,
        .location = location,
        .lockset = engine_lockset(world->engine, teller, true),
    };
    return reduction_release(world->reduction, world->reducers[thread], &place, reentrant);
}

/* Takes the lock and gives it back. */
static inline void world_use(struct world *world, unsigned thread, uint32_t lock)
{
    world_acquire(world, thread, lock, 1);
    world_release_lock(world, thread, lock, 1);
}

/* Makes it a lock that two threads use in turn. */
static inline void world_share(struct world *world, uint32_t lock)
{
    world_use(world, 0, lock);
    world_use(world, 1, lock);
    world_use(world, 0, lock);
}

static inline void world_wait_begin(struct world *world, unsigned thread, uint32_t lock)
{
    struct thread *teller = world->threads[thread];
    world->wait_times[thread] = engine_wait_begin(world->engine, teller, lock);
    struct reduction_place place = {.object = lock,
                                    .lockset = engine_lockset(world->engine, teller, true)};
    reduction_wait_begin(world->reduction, world->reducers[thread], &place);
}

static inline void world_wait_end(struct world *world, unsigned thread, uint32_t lock)
{
    struct thread *teller = world->threads[thread];
    struct reduction_place place = {.object = lock,
                                    .lockset = engine_lockset(world->engine, teller, true)};
    engine_wait_end(world->engine, teller, lock, world->wait_times[thread]);
    reduction_wait_end(world->reduction, world->reducers[thread], &place);
}

static inline void world_step(struct world *world, unsigned thread, enum reduction_kind kind,
                              uint32_t location)
{
    struct reduction_place place = {.kind = kind, .location = location};
    reduction_step(world->reduction, world->reducers[thread], &place);
}

static inline void world_start(struct world *world, unsigned thread, unsigned child,
                               uint32_t location)
{
    world_step(world, thread, REDUCTION_START, location);
    world_thread(world, child, world->threads[thread]);
}

static inline void world_end(struct world *world, unsigned thread)
{
    reduction_thread_end(world->reduction, world->reducers[thread]);
    engine_thread_end(world->engine, world->threads[thread]);
    world->reducers[thread] = NULL;
}

static inline void world_join(struct world *world, unsigned thread, unsigned child,
                              uint32_t location)
{
    engine_thread_join(world->engine, world->threads[thread], world->threads[child],
                       world->births[child]);
    world->threads[child] = NULL;
    world_step(world, thread, REDUCTION_JOIN, location);
}

static inline void world_enter(struct world *world, unsigned thread, uint32_t block,
                               uint32_t location)
{
    struct reduction_place place = {.location = location, .stack = location + 1000};
    reduction_enter(world->reduction, world->reducers[thread], block, &place);
}

static inline void world_exit(struct world *world, unsigned thread)
{
    reduction_exit(world->reduction, world->reducers[thread]);
}

#endif
