/*
 * Real threads with real locks tell one reduction what they do. What is checked holds in every
 * schedule; under the thread sanitizer this also shows that reduction has no races of its own.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>

#include "engine/engine.h"
#include "engine/reduction.h"
#include "support.h"

enum { THREADS = 4, ROUNDS = 2000, VARIABLES = 64 };
enum { LOCK_ALL = 1, LOCK_MOST = 2, LOCK_OWN = 10 };

enum block {
    BLOCK_GUARDED,  /* one lock: atomic */
    BLOCK_OWN_LOCK, /* a lock that nobody else uses, twice: atomic */
    BLOCK_TWICE,    /* one lock twice: not atomic */
    BLOCK_RACY,     /* two accesses without a lock: not atomic */
    BLOCK_CHURN,    /* variables that are protected in most threads only */
    BLOCKS,
};

struct shared {
    struct engine *engine;
    struct mover_table movers;
    struct reduction *reduction;
    pthread_mutex_t mutexes[3];
    pthread_barrier_t half; /* all have used everything */
    _Atomic uint64_t words[BLOCKS][VARIABLES];
    _Atomic unsigned reports[BLOCKS];
    _Atomic unsigned strange;
};

struct worker {
    struct shared *shared;
    struct thread *thread;
    struct reduction_thread *reducer;
    unsigned number;
    pthread_t handle;
};

static void note(void *context, const struct reduction_violation *violation)
{
    struct shared *shared = context;
    if (violation->block < BLOCKS)
        atomic_fetch_add(&shared->reports[violation->block], 1);
    if (violation->thread < 1 || violation->thread > THREADS ||
        violation->entered.location != violation->block + 1 ||
        violation->commits.mover == MOVER_BOTH || violation->commits.mover == MOVER_RIGHT ||
        violation->violated.mover == MOVER_BOTH || violation->violated.mover == MOVER_LEFT)
        atomic_fetch_add(&shared->strange, 1);
}

static void touch(struct worker *worker, enum block block, uint32_t variable, bool write)
{
    struct shared *shared = worker->shared;
    _Atomic uint64_t *word = &shared->words[block][variable];
    struct engine_access access = {.field = block, .key = variable, .write = write};
    struct reduction_variable shown = {.identity = (uint64_t)block << 32 | (variable + 1)};
    uint64_t before = atomic_load(word);
    bool owned = before && !word_is_shared(before) && word_slot(before) != worker->thread->slot;
    engine_access_at(shared->engine, worker->thread, &access, word, &shown.facts);
    shown.concurrent = owned && shown.facts.state >= VARIABLE_READ_SHARED;
    struct reduction_place place = {
        .kind = write ? REDUCTION_WRITE : REDUCTION_READ,
        .object = block,
        .key = variable,
        .lockset = engine_lockset(shared->engine, worker->thread, write),
    };
    reduction_access(shared->reduction, worker->reducer, &place, &shown);
}

static void take(struct worker *worker, uint32_t lock)
{
    struct shared *shared = worker->shared;
    if (lock < 3)
        pthread_mutex_lock(&shared->mutexes[lock]);
    struct reduction_place place = {
        .object = lock, .lockset = engine_lockset(shared->engine, worker->thread, true)};
    engine_lock_acquire(shared->engine, worker->thread, lock, THREAD_EXCLUSIVE);
    reduction_acquire(shared->reduction, worker->reducer, &place, false);
}

static void give_back(struct worker *worker, uint32_t lock)
{
    struct shared *shared = worker->shared;
    engine_lock_release(shared->engine, worker->thread, lock, THREAD_EXCLUSIVE);
    struct reduction_place place = {
        .object = lock, .lockset = engine_lockset(shared->engine, worker->thread, true)};
    reduction_release(shared->reduction, worker->reducer, &place, false);
    if (lock < 3)
        pthread_mutex_unlock(&shared->mutexes[lock]);
}

static void enter(struct worker *worker, enum block block)
{
    struct reduction_place place = {.location = block + 1};
    reduction_enter(worker->shared->reduction, worker->reducer, block, &place);
}

static void leave(struct worker *worker)
{
    reduction_exit(worker->shared->reduction, worker->reducer);
}

static void twice(struct worker *worker, enum block block, uint32_t lock)
{
    enter(worker, block);
    for (unsigned i = 0; i < 2; i++) {
        take(worker, lock);
        give_back(worker, lock);
    }
    leave(worker);
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (round == ROUNDS / 2)
            pthread_barrier_wait(&worker->shared->half);
        enter(worker, BLOCK_GUARDED);
        take(worker, LOCK_ALL);
        touch(worker, BLOCK_GUARDED, round % VARIABLES, false);
        touch(worker, BLOCK_GUARDED, round % VARIABLES, true);
        give_back(worker, LOCK_ALL);
        leave(worker);
        twice(worker, BLOCK_OWN_LOCK, LOCK_OWN + worker->number);
        twice(worker, BLOCK_TWICE, LOCK_ALL);
        enter(worker, BLOCK_RACY);
        touch(worker, BLOCK_RACY, 0, false);
        touch(worker, BLOCK_RACY, 0, true);
        leave(worker);
        /* In the end one thread takes protection from what the others have in open blocks. */
        enter(worker, BLOCK_CHURN);
        bool careless = worker->number == 0 && round >= ROUNDS / 2;
        if (!careless)
            take(worker, LOCK_MOST);
        for (uint32_t i = 0; i < 4; i++)
            touch(worker, BLOCK_CHURN, (round * 4 + i) % VARIABLES, true);
        if (!careless)
            give_back(worker, LOCK_MOST);
        leave(worker);
    }
    return NULL;
}

static void test_threads(void **state)
{
    static struct shared shared;
    static struct worker workers[THREADS];
    struct engine_options engine_options;
    struct mover_options mover_options;
    struct reduction_options options;
    struct reduction_counts counts;
    (void)state;
    engine_options_default(&engine_options);
    shared.engine = engine_new(&engine_options);
    assert_non_null(shared.engine);
    mover_options_default(&mover_options);
    assert_true(mover_table_init(&shared.movers, &mover_options, engine_locksets(shared.engine)));
    reduction_options_default(&options);
    options.report = note;
    options.context = &shared;
    shared.reduction = reduction_new(&options, &shared.movers);
    assert_non_null(shared.reduction);
    assert_int_equal(pthread_barrier_init(&shared.half, NULL, THREADS), 0);
    for (unsigned i = 0; i < 3; i++)
        pthread_mutex_init(&shared.mutexes[i], NULL);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].shared = &shared;
        workers[i].number = i;
        workers[i].thread = engine_thread_start(shared.engine, NULL, i + 1);
        workers[i].reducer = reduction_thread_start(shared.reduction, workers[i].thread, i + 1);
        assert_non_null(workers[i].reducer);
    }
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&workers[i].handle, NULL, work, &workers[i]), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(workers[i].handle, NULL);
        reduction_thread_end(shared.reduction, workers[i].reducer);
        engine_thread_end(shared.engine, workers[i].thread);
    }
    reduction_counts(shared.reduction, &counts);
    assert_int_equal(counts.blocks, THREADS * ROUNDS * BLOCKS);
    assert_int_equal(atomic_load(&shared.strange), 0);
    assert_int_equal(atomic_load(&shared.reports[BLOCK_GUARDED]), 0);
    assert_int_equal(atomic_load(&shared.reports[BLOCK_OWN_LOCK]), 0);
    /* Once a third thread has come, or the first again, each one counts; and all come. */
    assert_true(atomic_load(&shared.reports[BLOCK_TWICE]) >= (THREADS - 2) * ROUNDS);
    assert_true(atomic_load(&shared.reports[BLOCK_RACY]) >= (THREADS - 2) * ROUNDS);
    assert_true(atomic_load(&shared.reports[BLOCK_CHURN]) >= ROUNDS / 2);
    pthread_barrier_destroy(&shared.half);
    reduction_free(shared.reduction);
    mover_table_release(&shared.movers);
    engine_free(shared.engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
