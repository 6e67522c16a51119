/*
 * Real threads with real locks drive one engine. Answers are checked that no schedule can change;
 * run under the thread sanitizer this also shows that the engine has no races of its own.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "engine/engine.h"
#include "support.h"

enum { THREADS = 4, ROUNDS = 3000, LOCKS = 4, OBJECTS = 64 };

enum field {
    FIELD_GUARDED,    /* always under its lock */
    FIELD_READ_WRITE, /* under a read-write lock */
    FIELD_HANDED_ON,  /* passed around in a ring of threads by a synchronization object */
    FIELD_CONSTANT,   /* written before the threads start */
    FIELD_RACY,       /* written by all, without any lock */
    FIELD_MIXED,      /* each thread uses a lock of its own */
    FIELD_CHURN,      /* short-lived, handed from one thread to the next */
    FIELDS,
};

struct shared {
    struct engine *engine;
    pthread_mutex_t mutexes[LOCKS];
    pthread_rwlock_t read_write;
    pthread_mutex_t turn_mutex;
    unsigned turn;
    _Atomic uint64_t guarded[LOCKS];
    _Atomic uint64_t read_write_word;
    _Atomic uint64_t handed_on;
    _Atomic uint64_t constant;
    _Atomic uint64_t racy[OBJECTS];
    _Atomic uint64_t mixed;
    _Atomic unsigned reports[FIELDS];
    _Atomic unsigned strange;
};

struct worker {
    struct shared *shared;
    struct thread *thread;
    uint64_t birth;
    unsigned number;
    pthread_t handle;
};

static void note_race(void *context, const struct race *race)
{
    struct shared *shared = context;
    if (race->field < FIELDS)
        atomic_fetch_add(&shared->reports[race->field], 1);
    if (race->earlier.slot == race->later.slot || race->grade < RACE_PREDICTED ||
        !(race->earlier.write || race->later.write))
        atomic_fetch_add(&shared->strange, 1);
}

static void touch(struct worker *worker, enum field field, uint32_t key, bool write,
                  _Atomic uint64_t *word)
{
    struct engine_access access = {.field = field,
                                   .key = key,
                                   .location = field + 1u,
                                   .stack = worker->number,
                                   .write = write};
    engine_access_at(worker->shared->engine, worker->thread, &access, word, NULL);
}

/* A counter under one of the locks, entered twice. */
static void use_guarded(struct worker *worker, unsigned which)
{
    struct shared *shared = worker->shared;
    pthread_mutex_lock(&shared->mutexes[which]);
    engine_lock_acquire(shared->engine, worker->thread, which, THREAD_EXCLUSIVE);
    touch(worker, FIELD_GUARDED, which, false, &shared->guarded[which]);
    engine_lock_acquire(shared->engine, worker->thread, which, THREAD_EXCLUSIVE);
    touch(worker, FIELD_GUARDED, which, true, &shared->guarded[which]);
    engine_lock_release(shared->engine, worker->thread, which, THREAD_EXCLUSIVE);
    engine_lock_release(shared->engine, worker->thread, which, THREAD_EXCLUSIVE);
    pthread_mutex_unlock(&shared->mutexes[which]);
}

static void use_read_write(struct worker *worker, bool write)
{
    struct shared *shared = worker->shared;
    enum thread_lock_mode mode = write ? THREAD_EXCLUSIVE : THREAD_SHARED;
    if (write)
        pthread_rwlock_wrlock(&shared->read_write);
    else
        pthread_rwlock_rdlock(&shared->read_write);
    engine_lock_acquire(shared->engine, worker->thread, 100, mode);
    touch(worker, FIELD_READ_WRITE, 0, write, &shared->read_write_word);
    engine_lock_release(shared->engine, worker->thread, 100, mode);
    pthread_rwlock_unlock(&shared->read_write);
}

/* The mutex is not told to the engine: for it, only the synchronization object orders. */
static void use_handed_on(struct worker *worker)
{
    struct shared *shared = worker->shared;
    pthread_mutex_lock(&shared->turn_mutex);
    if (shared->turn % THREADS == worker->number) {
        engine_sync_acquire(shared->engine, worker->thread, 7);
        touch(worker, FIELD_HANDED_ON, 0, true, &shared->handed_on);
        engine_sync_release(shared->engine, worker->thread, 7);
        shared->turn++;
    }
    pthread_mutex_unlock(&shared->turn_mutex);
}

/* Many objects, used by this thread and its child, in order. */
static void *use_child(void *context)
{
    struct worker *worker = context;
    for (uint32_t i = 0; i < 8; i++) {
        _Atomic uint64_t word;
        atomic_init(&word, 0);
        touch(worker, FIELD_CHURN, i, true, &word);
    }
    touch(worker, FIELD_CONSTANT, 0, false, &worker->shared->constant);
    engine_thread_end(worker->shared->engine, worker->thread);
    return NULL;
}

static void use_churn(struct worker *worker)
{
    struct shared *shared = worker->shared;
    struct worker child = {.shared = shared, .number = worker->number};
    _Atomic uint64_t words[8];
    for (uint32_t i = 0; i < 8; i++) {
        atomic_init(&words[i], 0);
        touch(worker, FIELD_CHURN, i, true, &words[i]);
    }
    child.thread = engine_thread_start(shared->engine, worker->thread, 50 + worker->number);
    child.birth = engine_thread_birth(child.thread);
    if (pthread_create(&child.handle, NULL, use_child, &child) != 0)
        return;
    pthread_join(child.handle, NULL);
    engine_thread_join(shared->engine, worker->thread, child.thread, child.birth);
    for (uint32_t i = 0; i < 8; i++)
        touch(worker, FIELD_CHURN, i, true, &words[i]);
}

static void *work(void *context)
{
    struct worker *worker = context;
    struct shared *shared = worker->shared;
    uint64_t random = worker->number;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned choice = (unsigned)(support_random(&random) % 64);
        use_guarded(worker, choice % LOCKS);
        use_read_write(worker, choice < 4);
        use_handed_on(worker);
        touch(worker, FIELD_CONSTANT, 0, false, &shared->constant);
        touch(worker, FIELD_RACY, round % OBJECTS, true, &shared->racy[round % OBJECTS]);
        engine_lock_acquire(shared->engine, worker->thread, 200 + worker->number, THREAD_EXCLUSIVE);
        touch(worker, FIELD_MIXED, 0, true, &shared->mixed);
        engine_lock_release(shared->engine, worker->thread, 200 + worker->number, THREAD_EXCLUSIVE);
        if (round % 64 == 0)
            use_churn(worker);
    }
    engine_thread_end(shared->engine, worker->thread);
    return NULL;
}

static void prepare(struct shared *shared, struct engine_options *options)
{
    memset(shared, 0, sizeof *shared);
    options->report = note_race;
    options->context = shared;
    shared->engine = engine_new(options);
    assert_non_null(shared->engine);
    for (unsigned i = 0; i < LOCKS; i++)
        pthread_mutex_init(&shared->mutexes[i], NULL);
    pthread_mutex_init(&shared->turn_mutex, NULL);
    pthread_rwlock_init(&shared->read_write, NULL);
}

static void finish(struct shared *shared)
{
    for (unsigned i = 0; i < LOCKS; i++)
        pthread_mutex_destroy(&shared->mutexes[i]);
    pthread_mutex_destroy(&shared->turn_mutex);
    pthread_rwlock_destroy(&shared->read_write);
    engine_free(shared->engine);
}

static void run(struct shared *shared)
{
    struct worker main = {.shared = shared, .number = THREADS};
    struct worker workers[THREADS];
    bool joined = true; /* a failing test must not leave while threads use its variables */
    main.thread = engine_thread_start(shared->engine, NULL, 99);
    touch(&main, FIELD_CONSTANT, 0, true, &shared->constant);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.shared = shared, .number = i};
        workers[i].thread = engine_thread_start(shared->engine, main.thread, i + 1);
        workers[i].birth = engine_thread_birth(workers[i].thread);
        assert_non_null(workers[i].thread);
        assert_int_equal(pthread_create(&workers[i].handle, NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(workers[i].handle, NULL);
        joined &=
            engine_thread_join(shared->engine, main.thread, workers[i].thread, workers[i].birth);
    }
    assert_true(joined);
    /* All is joined: the main thread may touch everything that was right. */
    touch(&main, FIELD_HANDED_ON, 0, true, &shared->handed_on);
    touch(&main, FIELD_READ_WRITE, 0, true, &shared->read_write_word);
    touch(&main, FIELD_CONSTANT, 0, true, &shared->constant);
}

static void assert_right_uses_are_silent(const struct shared *shared)
{
    assert_int_equal(shared->reports[FIELD_GUARDED], 0);
    assert_int_equal(shared->reports[FIELD_READ_WRITE], 0);
    assert_int_equal(shared->reports[FIELD_HANDED_ON], 0);
    assert_int_equal(shared->reports[FIELD_CONSTANT], 0);
    assert_int_equal(shared->reports[FIELD_CHURN], 0);
    assert_int_equal(shared->strange, 0);
}

static void test_all_together(void **state)
{
    (void)state;
    struct shared shared;
    struct engine_options options;
    engine_options_default(&options);
    options.dead_threads = 4;
    prepare(&shared, &options);
    run(&shared);
    assert_right_uses_are_silent(&shared);
    /* Four threads, no common lock: two can be handed over, the third is seen. */
    assert_true(shared.reports[FIELD_RACY] > 0);
    assert_true(shared.reports[FIELD_MIXED] > 0);
    finish(&shared);
}

/* Nearly no room anywhere: still nothing false, and no race in the tables. */
static void test_all_together_in_little_room(void **state)
{
    (void)state;
    struct shared shared;
    struct engine_options options;
    engine_options_default(&options);
    options.dead_threads = 1;
    options.variables = 16;
    options.history = 2;
    options.locks = options.syncs = 4;
    options.sites = 16;
    options.clock_bytes = 0;
    prepare(&shared, &options);
    run(&shared);
    assert_right_uses_are_silent(&shared);
    struct engine_counts counts;
    engine_counts(shared.engine, &counts);
    assert_true(counts.evicted > 0);
    assert_true(counts.variables <= 16);
    finish(&shared);
}

static void test_locksets_together(void **state)
{
    (void)state;
    struct shared shared;
    struct engine_options options;
    engine_options_default(&options);
    options.mode = ENGINE_LOCKSET;
    prepare(&shared, &options);
    run(&shared);
    assert_int_equal(shared.reports[FIELD_GUARDED], 0);
    assert_true(shared.reports[FIELD_MIXED] > 0);
    finish(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_together),
        cmocka_unit_test(test_all_together_in_little_room),
        cmocka_unit_test(test_locksets_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
