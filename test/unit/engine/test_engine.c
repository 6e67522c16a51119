/*
 * Every rule and state of the engine by scripted events. What is expected follows from the
 * definitions beside the events; "paper" is Flanagan and Freund's Atomizer, or Agarwal and others'
 * object-level Eraser where it says so.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <string.h>

#include "engine/engine.h"
#include "support.h"

#define REPORTS_MAX 32u

enum { LOCK_M = 5, LOCK_N = 6, LOCK_K = 7, SYNC_S = 1, SYNC_R = 2, FIELD = 9 };

struct script {
    struct engine *engine;
    struct thread *main, *one, *two, *three;
    uint64_t word;
    struct race races[REPORTS_MAX];
    unsigned count;
    struct engine_facts facts;
};

static void note_race(void *context, const struct race *race)
{
    struct script *script = context;
    if (script->count < REPORTS_MAX)
        script->races[script->count] = *race;
    script->count++;
}

/* The main thread has started the others and has done nothing else. */
static void begin_with(struct script *script, struct engine_options *options)
{
    memset(script, 0, sizeof *script);
    options->report = note_race;
    options->context = script;
    script->engine = engine_new(options);
    assert_non_null(script->engine);
    script->main = engine_thread_start(script->engine, NULL, 100);
    script->one = engine_thread_start(script->engine, script->main, 101);
    script->two = engine_thread_start(script->engine, script->main, 102);
    script->three = engine_thread_start(script->engine, script->main, 103);
    assert_non_null(script->three);
}

static void begin(struct script *script, enum engine_mode mode)
{
    struct engine_options options;
    engine_options_default(&options);
    options.mode = mode;
    begin_with(script, &options);
}

static void finish(struct script *script)
{
    engine_free(script->engine);
}

static void touch(struct script *script, struct thread *thread, bool write, uint32_t location)
{
    struct engine_access access = {.field = FIELD, .location = location, .write = write};
    script->word = engine_access(script->engine, thread, &access, script->word, &script->facts);
}

static void read_at(struct script *script, struct thread *thread, uint32_t location)
{
    touch(script, thread, false, location);
}

static void write_at(struct script *script, struct thread *thread, uint32_t location)
{
    touch(script, thread, true, location);
}

static void lock(struct script *script, struct thread *thread, uint32_t id)
{
    engine_lock_acquire(script->engine, thread, id, THREAD_EXCLUSIVE);
}

static void unlock(struct script *script, struct thread *thread, uint32_t id)
{
    engine_lock_release(script->engine, thread, id, THREAD_EXCLUSIVE);
}

static void lock_shared(struct script *script, struct thread *thread, uint32_t id)
{
    engine_lock_acquire(script->engine, thread, id, THREAD_SHARED);
}

static void unlock_shared(struct script *script, struct thread *thread, uint32_t id)
{
    engine_lock_release(script->engine, thread, id, THREAD_SHARED);
}

static void locked_write(struct script *script, struct thread *thread, uint32_t id,
                         uint32_t location)
{
    lock(script, thread, id);
    write_at(script, thread, location);
    unlock(script, thread, id);
}

/* Release and acquire a lock without an access: a hand-over of that lock. */
static void pass(struct script *script, struct thread *thread, uint32_t id)
{
    lock(script, thread, id);
    unlock(script, thread, id);
}

#define assert_state(script, expected)                                                             \
    assert_string_equal(variable_state_name((script)->facts.state), variable_state_name(expected))

static void assert_only_race(const struct script *script, enum race_grade grade, uint32_t earlier,
                             uint32_t later)
{
    assert_int_equal(script->count, 1);
    assert_string_equal(race_grade_name(script->races[0].grade), race_grade_name(grade));
    assert_int_equal(script->races[0].earlier.location, earlier);
    assert_int_equal(script->races[0].later.location, later);
}

/* Two writes of threads that nothing orders. */
static void test_observed(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    write_at(&script, script.one, 1);
    assert_state(&script, VARIABLE_THREAD_LOCAL);
    assert_int_equal(script.facts.owner, script.one->slot);
    lock(&script, script.two, LOCK_M);
    write_at(&script, script.two, 2);
    assert_only_race(&script, RACE_OBSERVED, 1, 2);
    const struct race *race = &script.races[0];
    assert_int_equal(race->field, FIELD);
    assert_int_equal(race->earlier.thread, 101);
    assert_int_equal(race->later.thread, 102);
    assert_true(race->earlier.write && race->later.write);
    assert_int_equal(race->earlier.lockset, LOCKSET_EMPTY);
    assert_int_equal(race->later.lockset, lockset_single(LOCK_M));
    assert_state(&script, VARIABLE_SHARED_MODIFIED);
    finish(&script);
}

/* Reads do not race with each other; the first write does, with each thread that read. */
static void test_reads_do_not_race(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    read_at(&script, script.one, 1);
    read_at(&script, script.two, 2);
    read_at(&script, script.three, 3);
    assert_int_equal(script.count, 0);
    assert_state(&script, VARIABLE_READ_SHARED);
    write_at(&script, script.one, 4);
    assert_int_equal(script.count, 2);
    assert_int_equal(script.races[0].earlier.location, 2);
    assert_int_equal(script.races[1].earlier.location, 3);
    assert_state(&script, VARIABLE_SHARED_MODIFIED);
    finish(&script);
}

/* The owner wrote, then changed segment and read: the write still counts against a reader. */
static void test_first_phase_write_is_remembered(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    write_at(&script, script.one, 1);
    pass(&script, script.one, LOCK_K);
    read_at(&script, script.one, 2);
    read_at(&script, script.two, 3);
    assert_only_race(&script, RACE_OBSERVED, 1, 3);
    finish(&script);
}

/* ... even 100 segments later, but not any more when the distance does not fit into the word: then
   nothing is known, and nothing is said. */
static void test_first_phase_write_long_ago(void **state)
{
    (void)state;
    for (unsigned passes = 58; passes <= 68; passes += 10) { /* two segments each */
        struct script script;
        begin(&script, ENGINE_HYBRID);
        write_at(&script, script.one, 1);
        for (unsigned i = 0; i < passes; i++) {
            pass(&script, script.one, LOCK_K);
            read_at(&script, script.one, 2);
        }
        read_at(&script, script.two, 3);
        assert_int_equal(script.count, passes == 58 ? 1 : 0);
        finish(&script);
    }
}

/* Paper, thread-local (2): an object is initialized without locks and published under one. The
   hand-over of the lock orders it; the first phase is forgotten. */
static void test_hand_over(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    write_at(&script, script.one, 1);
    pass(&script, script.one, LOCK_M);
    pass(&script, script.two, LOCK_M);
    write_at(&script, script.two, 2);
    assert_int_equal(script.count, 0);
    assert_state(&script, VARIABLE_THREAD_LOCAL_2);
    assert_int_equal(script.facts.owner, script.two->slot);
    /* There is no second hand-over: a third thread in the same way is a predicted race. */
    pass(&script, script.two, LOCK_M);
    pass(&script, script.three, LOCK_M);
    read_at(&script, script.three, 3);
    assert_only_race(&script, RACE_PREDICTED, 2, 3);
    finish(&script);
}

/* Only the hand-over of an unrelated lock orders the accesses: another schedule may not. */
static void test_predicted(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    read_at(&script, script.one, 1);
    read_at(&script, script.two, 2);
    locked_write(&script, script.one, LOCK_M, 3); /* races with the read at 2 */
    assert_only_race(&script, RACE_OBSERVED, 2, 3);
    pass(&script, script.one, LOCK_K);
    pass(&script, script.three, LOCK_K);
    locked_write(&script, script.three, LOCK_N, 4);
    /* It is after 3 by way of K, and after 1, but M and N are not the same; 2 is not before it. */
    assert_int_equal(script.count, 4);
    assert_int_equal(script.races[1].grade, RACE_PREDICTED);
    assert_int_equal(script.races[1].earlier.location, 1);
    assert_int_equal(script.races[2].grade, RACE_OBSERVED);
    assert_int_equal(script.races[2].earlier.location, 2);
    assert_int_equal(script.races[3].grade, RACE_PREDICTED);
    assert_int_equal(script.races[3].earlier.location, 3);
    assert_int_equal(script.races[3].earlier.lockset, lockset_single(LOCK_M));
    assert_int_equal(script.races[3].later.lockset, lockset_single(LOCK_N));
    finish(&script);
}

/* A predicted race tells which lock came between: the first that went from the one thread to the
   other after the earlier access. */
static void test_lock_between(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    write_at(&script, script.main, 1);
    pass(&script, script.two, LOCK_M);
    pass(&script, script.one, LOCK_M);
    pass(&script, script.two, LOCK_M); /* before the access */
    locked_write(&script, script.one, LOCK_N, 2);
    pass(&script, script.three, LOCK_N); /* to another thread */
    pass(&script, script.one, LOCK_K);
    pass(&script, script.two, LOCK_K);
    pass(&script, script.one, LOCK_M);
    pass(&script, script.two, LOCK_M); /* when they were in order */
    write_at(&script, script.two, 3);
    assert_int_equal(script.races[script.count - 1].grade, RACE_PREDICTED);
    assert_int_equal(script.races[script.count - 1].earlier.location, 2);
    assert_int_equal(script.races[script.count - 1].between, LOCK_K);
    finish(&script);
}

/* A third thread can have brought it: then it is the lock that came from that one. */
static void test_lock_between_by_third(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    write_at(&script, script.main, 1);
    write_at(&script, script.one, 2);
    pass(&script, script.three, LOCK_N);
    pass(&script, script.two, LOCK_N); /* it does not know of the write yet */
    pass(&script, script.one, LOCK_K);
    pass(&script, script.three, LOCK_K);
    pass(&script, script.three, LOCK_M);
    pass(&script, script.two, LOCK_M);
    pass(&script, script.three, LOCK_N);
    pass(&script, script.two, LOCK_N); /* nor is that news any more */
    write_at(&script, script.two, 3);
    assert_int_equal(script.races[script.count - 1].grade, RACE_PREDICTED);
    assert_int_equal(script.races[script.count - 1].earlier.location, 2);
    assert_int_equal(script.races[script.count - 1].between, LOCK_M);
    finish(&script);
}

/* Of very many hand-overs the last are known: some lock that came between, if not the first. When
   none of them came from that thread, none is told. */
static void test_lock_between_forgotten(void **state)
{
    (void)state;
    for (unsigned from_three = 0; from_three < 2; from_three++) {
        struct script script;
        begin(&script, ENGINE_HYBRID);
        write_at(&script, script.main, 1);
        write_at(&script, script.one, 2);
        pass(&script, script.one, LOCK_K);
        pass(&script, script.two, LOCK_K);
        for (unsigned i = 0; i < 2 * THREAD_HANDOVERS; i++) {
            pass(&script, from_three ? script.three : script.one, LOCK_M);
            pass(&script, script.two, LOCK_M);
        }
        write_at(&script, script.two, 3);
        assert_int_equal(script.races[script.count - 1].grade, RACE_PREDICTED);
        assert_int_equal(script.races[script.count - 1].earlier.location, 2);
        assert_int_equal(script.races[script.count - 1].between, from_three ? 0 : LOCK_M);
        finish(&script);
    }
}

/* A common lock protects; the sets are reduced to it. */
static void test_common_lock(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    for (unsigned round = 0; round < 3; round++) {
        lock(&script, script.one, LOCK_N);
        locked_write(&script, script.one, LOCK_M, 1);
        unlock(&script, script.one, LOCK_N);
        lock(&script, script.two, LOCK_K);
        locked_write(&script, script.two, LOCK_M, 2);
        unlock(&script, script.two, LOCK_K);
    }
    assert_int_equal(script.count, 0);
    assert_state(&script, VARIABLE_SHARED_MODIFIED);
    assert_int_equal(script.facts.access_set, lockset_single(LOCK_M));
    assert_int_equal(script.facts.write_set, lockset_single(LOCK_M));
    /* Paper 4.3: reads without the lock empty the first set, not the second. */
    read_at(&script, script.one, 3);
    assert_int_equal(script.facts.access_set, LOCKSET_EMPTY);
    assert_int_equal(script.facts.write_set, lockset_single(LOCK_M));
    finish(&script);
}

/* Start and join order in both ways. */
static void test_start_and_join(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    read_at(&script, script.main, 1);
    read_at(&script, script.one, 2); /* was started before 1: shared from here on */
    struct thread *child = engine_thread_start(script.engine, script.main, 200);
    uint64_t birth = engine_thread_birth(child);
    engine_thread_end(script.engine, script.one);
    assert_true(
        engine_thread_join(script.engine, child, script.one, engine_thread_birth(script.one)));
    write_at(&script, child, 3); /* after 1 by the start, after 2 by the join */
    assert_int_equal(script.count, 0);
    assert_false(engine_thread_join(script.engine, script.main, child, birth)); /* too early */
    engine_thread_end(script.engine, child);
    assert_true(engine_thread_join(script.engine, script.main, child, birth));
    write_at(&script, script.main, 4);
    assert_int_equal(script.count, 0);
    write_at(&script, script.two, 5); /* nothing orders this one */
    assert_only_race(&script, RACE_OBSERVED, 4, 5);
    finish(&script);
}

/* What a parent does after the start is not before the child. */
static void test_after_start(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    write_at(&script, script.main, 1);
    struct thread *child = engine_thread_start(script.engine, script.main, 200);
    assert_false(engine_is_repeated(script.main, script.word, true));
    write_at(&script, script.main, 2);
    read_at(&script, child, 3);
    assert_only_race(&script, RACE_OBSERVED, 2, 3);
    finish(&script);
}

/* A queue, a volatile: what the releases gather is seen by a later acquire, and not the other way.
 */
static void test_sync_objects(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    read_at(&script, script.one, 1);
    read_at(&script, script.two, 2);
    engine_sync_release(script.engine, script.one, SYNC_S);
    engine_sync_release(script.engine, script.two, SYNC_S);
    engine_sync_acquire(script.engine, script.three, SYNC_S);
    write_at(&script, script.three, 3); /* after both */
    assert_int_equal(script.count, 0);
    engine_sync_acquire(script.engine, script.one, SYNC_S); /* three has not released */
    read_at(&script, script.one, 4);
    assert_only_race(&script, RACE_OBSERVED, 3, 4);
    finish(&script);
}

/* The grade discipline, only if asked for: ordered by a queue, no common lock. */
static void test_discipline(void **state)
{
    (void)state;
    for (int asked = 0; asked < 2; asked++) {
        struct engine_options options;
        engine_options_default(&options);
        options.discipline = asked;
        struct script script;
        begin_with(&script, &options);
        read_at(&script, script.one, 1);
        read_at(&script, script.two, 2);
        locked_write(&script, script.three, LOCK_M, 3);
        assert_int_equal(script.count, 2); /* observed, with both */
        script.count = 0;
        engine_sync_release(script.engine, script.three, SYNC_S);
        engine_sync_acquire(script.engine, script.main, SYNC_S);
        engine_sync_release(script.engine, script.one, SYNC_R);
        engine_sync_release(script.engine, script.two, SYNC_R);
        engine_sync_acquire(script.engine, script.main, SYNC_R);
        locked_write(&script, script.main, LOCK_M, 4);
        locked_write(&script, script.main, LOCK_N, 5);
        if (asked) {
            /* At 4 the reads 1 and 2 had no lock; at 5 the write 3 had another one, too. */
            assert_int_equal(script.count, 5);
            assert_int_equal(script.races[4].grade, RACE_DISCIPLINE);
            assert_int_equal(script.races[4].earlier.location, 3);
            assert_int_equal(script.races[4].later.location, 5);
        } else {
            assert_int_equal(script.count, 0);
        }
        finish(&script);
    }
}

/* What the first thread shared is shown, too: of an access that only its word tells of. */
static void test_read_lock_of_the_owner(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    lock(&script, script.one, LOCK_N);
    lock_shared(&script, script.one, LOCK_M);
    write_at(&script, script.one, 1);
    lock_shared(&script, script.two, LOCK_M);
    write_at(&script, script.two, 2);
    assert_only_race(&script, RACE_OBSERVED, 1, 2);
    assert_int_equal(script.races[0].earlier.lockset, lockset_single(LOCK_N));
    assert_int_equal(script.races[0].earlier.shared, lockset_single(LOCK_M));
    assert_int_equal(script.races[0].later.shared, lockset_single(LOCK_M));
    /* Who has it in both modes does not only share it. */
    unlock_shared(&script, script.two, LOCK_M);
    unlock_shared(&script, script.one, LOCK_M);
    lock(&script, script.two, LOCK_M);
    lock_shared(&script, script.two, LOCK_M);
    assert_int_equal(engine_shared(script.engine, script.two), LOCKSET_EMPTY);
    unlock(&script, script.two, LOCK_M);
    assert_int_equal(engine_shared(script.engine, script.two), lockset_single(LOCK_M));
    finish(&script);
}

/* Which locks were shared long ago may be forgotten, but not that there were some. */
static void test_read_lock_long_ago(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    _Atomic uint64_t other = 0;
    const struct engine_access access = {.field = FIELD + 1, .location = 9, .write = true};
    lock_shared(&script, script.one, LOCK_M);
    write_at(&script, script.one, 1);
    write_at(&script, script.two, 2);
    engine_access_at(script.engine, script.two, &access, &other, NULL);
    for (uint32_t i = 0; i < 100000; i++) {
        lock_shared(&script, script.three, LOCK_N);
        engine_access_at(script.engine, script.three, &access, &other, NULL);
        unlock_shared(&script, script.three, LOCK_N);
    }
    script.count = 0;
    write_at(&script, script.main, 3);
    assert_int_equal(script.count, 2);
    assert_int_equal(script.races[0].earlier.location, 1);
    assert_int_equal(script.races[0].earlier.shared, LOCKSET_ALL);
    assert_int_equal(script.races[1].earlier.shared, LOCKSET_EMPTY);
    finish(&script);
}

static bool explains(const struct race *race, const char *part)
{
    struct builder message;
    builder_init(&message);
    race_explain(&message, race, TEXT("A.x"), TEXT(""));
    const bool there = text_find_part(builder_text(&message), text_from(part)) >= 0;
    builder_release(&message);
    return there;
}

/* For a read a lock held in shared mode counts, for a write it does not. */
static void test_read_locks(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    read_at(&script, script.one, 1);
    read_at(&script, script.two, 2);
    engine_sync_release(script.engine, script.one, SYNC_S);
    engine_sync_release(script.engine, script.two, SYNC_S);
    engine_sync_acquire(script.engine, script.main, SYNC_S);
    engine_sync_acquire(script.engine, script.three, SYNC_S);
    locked_write(&script, script.main, LOCK_M, 3);
    lock_shared(&script, script.one, LOCK_M);
    lock_shared(&script, script.two, LOCK_M);
    read_at(&script, script.one, 4);
    read_at(&script, script.two, 5);
    unlock_shared(&script, script.one, LOCK_M);
    unlock_shared(&script, script.two, LOCK_M);
    locked_write(&script, script.three, LOCK_M, 6); /* after both readers */
    assert_int_equal(script.count, 0);
    assert_int_equal(script.facts.access_set, lockset_single(LOCK_M));
    /* A write under the read lock: ordered after 6, but unprotected against other readers. */
    lock_shared(&script, script.one, LOCK_M);
    lock_shared(&script, script.two, LOCK_M);
    write_at(&script, script.one, 7);
    /* After 2, 3, 5 and 6, but only by the hand-over of M, which was not held exclusively. */
    assert_int_equal(script.count, 4);
    static const uint32_t earlier[] = {2, 3, 5, 6};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(script.races[i].grade, RACE_PREDICTED);
        assert_int_equal(script.races[i].earlier.location, earlier[i]);
        assert_int_equal(script.races[i].later.lockset, LOCKSET_EMPTY);
        assert_int_equal(script.races[i].later.shared, lockset_single(LOCK_M));
        /* Who has M to himself keeps the write out, but readers do not, nor who has no lock. */
        const bool is_alone = earlier[i] == 3 || earlier[i] == 6;
        assert_int_equal(script.races[i].kept_apart, is_alone);
        assert_int_equal(explains(&script.races[i], "keeps these two apart"), is_alone);
        assert_int_equal(explains(&script.races[i], "no lock is held at both"), !is_alone);
        /* Of these only 5 was made with the read lock. */
        assert_int_equal(script.races[i].earlier.shared,
                         earlier[i] == 5 ? lockset_single(LOCK_M) : LOCKSET_EMPTY);
    }
    script.count = 0;
    unlock_shared(&script, script.one, LOCK_M);
    lock_shared(&script, script.three, LOCK_M);
    read_at(&script, script.three, 8); /* one reader is not ordered after another */
    assert_only_race(&script, RACE_OBSERVED, 7, 8);
    finish(&script);
}

/* Re-entrant acquires and inner releases change nothing: not even the segment. */
static void test_reentrant_locks(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    lock(&script, script.one, LOCK_M);
    uint64_t expected = thread_expected(script.one);
    lock(&script, script.one, LOCK_M);
    lock_shared(&script, script.one, LOCK_M);
    unlock_shared(&script, script.one, LOCK_M);
    unlock(&script, script.one, LOCK_M);
    assert_int_equal(thread_expected(script.one), expected);
    assert_int_equal(engine_lockset(script.engine, script.one, true), lockset_single(LOCK_M));
    /* Keeping the read lock after giving up the write lock. */
    lock_shared(&script, script.one, LOCK_M);
    unlock(&script, script.one, LOCK_M);
    assert_int_not_equal(thread_expected(script.one), expected);
    assert_int_equal(engine_lockset(script.engine, script.one, true), LOCKSET_EMPTY);
    assert_int_equal(engine_lockset(script.engine, script.one, false), lockset_single(LOCK_M));
    unlock_shared(&script, script.one, LOCK_M);
    assert_int_equal(engine_lockset(script.engine, script.one, false), LOCKSET_EMPTY);
    finish(&script);
}

/* Waiting lets others in, and comes back with the lock as often as before. */
static void test_wait(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    lock(&script, script.one, LOCK_M);
    lock(&script, script.one, LOCK_M);
    write_at(&script, script.one, 1);
    uint32_t times = engine_wait_begin(script.engine, script.one, LOCK_M);
    assert_int_equal(times, 2);
    assert_int_equal(engine_lockset(script.engine, script.one, true), LOCKSET_EMPTY);
    locked_write(&script, script.two, LOCK_M, 2);
    engine_wait_end(script.engine, script.one, LOCK_M, times);
    write_at(&script, script.one, 3);
    unlock(&script, script.one, LOCK_M);
    write_at(&script, script.one, 4); /* still held once */
    unlock(&script, script.one, LOCK_M);
    assert_int_equal(script.count, 0);
    write_at(&script, script.one, 5); /* not any more */
    assert_only_race(&script, RACE_PREDICTED, 2, 5);
    finish(&script);
}

/* The fast path: nothing to say about the same segment, unless it is the first write or somebody
   else came between. */
static void test_repeated_accesses(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    assert_false(engine_is_repeated(script.one, 0, false));
    read_at(&script, script.one, 1);
    assert_true(engine_is_repeated(script.one, script.word, false));
    assert_false(engine_is_repeated(script.one, script.word, true));
    write_at(&script, script.one, 2);
    assert_true(engine_is_repeated(script.one, script.word, false));
    assert_true(engine_is_repeated(script.one, script.word, true));
    assert_false(engine_is_repeated(script.two, script.word, false));
    uint64_t word = script.word;
    read_at(&script, script.one, 3);
    assert_int_equal(script.word, word);
    engine_sync_acquire(script.engine, script.one, SYNC_S); /* learning is no release */
    assert_true(engine_is_repeated(script.one, script.word, true));
    lock(&script, script.one, LOCK_M);
    assert_false(engine_is_repeated(script.one, script.word, false));
    unlock(&script, script.one, LOCK_M);
    assert_false(engine_is_repeated(script.one, script.word, false));
    read_at(&script, script.one, 4);
    engine_sync_release(script.engine, script.one, SYNC_S);
    assert_false(engine_is_repeated(script.one, script.word, false));
    /* The same for a shared variable. */
    read_at(&script, script.two, 5);
    assert_true(word_is_shared(script.word));
    assert_true(engine_is_repeated(script.two, script.word, false));
    read_at(&script, script.one, 6);
    assert_false(engine_is_repeated(script.two, script.word, false));
    assert_true(engine_is_repeated(script.one, script.word, false));
    finish(&script);
}

/* Happens-before alone: what is predicted in hybrid mode is silent. */
static void test_order_mode(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_ORDER);
    read_at(&script, script.one, 1);
    read_at(&script, script.two, 2);
    pass(&script, script.one, LOCK_K);
    pass(&script, script.two, LOCK_K);
    pass(&script, script.three, LOCK_K);
    write_at(&script, script.three, 3);
    assert_int_equal(script.count, 0);
    write_at(&script, script.one, 4);
    assert_only_race(&script, RACE_OBSERVED, 3, 4);
    finish(&script);
}

/* Paper 4.1 and 4.3, state by state, without clocks. */
static void test_lockset_mode(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_LOCKSET);
    write_at(&script, script.one, 1);
    assert_state(&script, VARIABLE_THREAD_LOCAL);
    write_at(&script, script.two, 2); /* ownership goes over, without any order */
    assert_state(&script, VARIABLE_THREAD_LOCAL_2);
    write_at(&script, script.two, 3);
    assert_state(&script, VARIABLE_THREAD_LOCAL_2);
    read_at(&script, script.one, 4);
    assert_state(&script, VARIABLE_READ_SHARED);
    read_at(&script, script.three, 5);
    assert_state(&script, VARIABLE_READ_SHARED);
    assert_int_equal(script.count, 0);
    lock(&script, script.one, LOCK_N);
    locked_write(&script, script.one, LOCK_M, 6); /* starts with the locks of this write */
    unlock(&script, script.one, LOCK_N);
    assert_state(&script, VARIABLE_SHARED_MODIFIED);
    uint32_t both = lockset_union(engine_locksets(script.engine), lockset_single(LOCK_M),
                                  lockset_single(LOCK_N));
    assert_int_equal(script.facts.access_set, both);
    assert_int_equal(script.facts.write_set, both);
    lock(&script, script.two, LOCK_N);
    read_at(&script, script.two, 7);
    unlock(&script, script.two, LOCK_N);
    assert_int_equal(script.facts.access_set, lockset_single(LOCK_N));
    assert_int_equal(script.facts.write_set, both);
    assert_int_equal(script.count, 0);
    read_at(&script, script.three, 8); /* no lock protects all accesses */
    assert_only_race(&script, RACE_PREDICTED, 6, 8);
    assert_int_equal(script.facts.access_set, LOCKSET_EMPTY);
    assert_int_equal(script.facts.write_set, both);
    /* Joins and queues mean nothing here. */
    engine_sync_release(script.engine, script.three, SYNC_S);
    engine_sync_acquire(script.engine, script.one, SYNC_S);
    write_at(&script, script.one, 9);
    assert_int_equal(script.count, 2);
    finish(&script);
}

/* Object granularity, paper of Agarwal and others, 2.1: lkset, shar, rdonly. */
static void test_object_rule(void **state)
{
    (void)state;
    struct engine_options options;
    engine_options_default(&options);
    options.mode = ENGINE_LOCKSET;
    options.object_rule = true;
    struct script script;
    begin_with(&script, &options);
    write_at(&script, script.one, 1); /* initialization: not shared, all locks */
    write_at(&script, script.one, 2);
    lock(&script, script.two, LOCK_M);
    read_at(&script, script.two, 3); /* shared; lkset = {M}; still read-only */
    unlock(&script, script.two, LOCK_M);
    assert_state(&script, VARIABLE_READ_SHARED);
    assert_int_equal(script.count, 0);
    read_at(&script, script.three, 4); /* lkset = {}; no race as it is read-only */
    assert_int_equal(script.count, 0);
    lock(&script, script.one, LOCK_M);
    write_at(&script, script.one, 5); /* not read-only any more, and lkset is empty */
    assert_int_equal(script.count, 1);
    assert_int_equal(script.races[0].grade, RACE_PREDICTED);
    assert_int_equal(script.races[0].later.location, 5);
    assert_int_equal(script.facts.access_set, LOCKSET_EMPTY);
    finish(&script);
}

/* The second thread's first access is the one that shares: a write without locks is a race at once.
 */
static void test_object_rule_second_thread(void **state)
{
    (void)state;
    struct engine_options options;
    engine_options_default(&options);
    options.mode = ENGINE_LOCKSET;
    options.object_rule = true;
    struct script script;
    begin_with(&script, &options);
    write_at(&script, script.one, 1);
    write_at(&script, script.two, 2);
    assert_only_race(&script, RACE_PREDICTED, 1, 2);
    finish(&script);
}

/* Threads that got no slot, and events that do not fit: nothing happens. */
static void test_odd_events(void **state)
{
    (void)state;
    struct script script;
    begin(&script, ENGINE_HYBRID);
    struct engine_access access = {.field = FIELD, .write = true};
    assert_int_equal(engine_access(script.engine, NULL, &access, 0, NULL), 0);
    engine_lock_acquire(script.engine, NULL, LOCK_M, THREAD_EXCLUSIVE);
    engine_lock_release(script.engine, NULL, LOCK_M, THREAD_EXCLUSIVE);
    engine_wait_end(script.engine, NULL, LOCK_M, engine_wait_begin(script.engine, NULL, LOCK_M));
    engine_sync_release(script.engine, NULL, SYNC_S);
    engine_sync_acquire(script.engine, NULL, SYNC_S);
    assert_false(engine_thread_join(script.engine, script.one, NULL, 0));
    engine_thread_end(script.engine, NULL);
    unlock(&script, script.one, LOCK_M); /* never acquired */
    unlock_shared(&script, script.one, LOCK_M);
    struct engine_counts counts;
    engine_counts(script.engine, &counts);
    assert_int_equal(counts.unbalanced, 2);
    assert_int_equal(engine_lockset(script.engine, script.one, false), LOCKSET_EMPTY);
    /* A word that the engine never made. */
    for (uint64_t word = 1; word; word <<= 1) {
        engine_access(script.engine, script.one, &access, word, NULL);
        engine_access(script.engine, script.one, &access, ~word, NULL);
    }
    engine_thread_end(script.engine, script.one);
    engine_thread_end(script.engine, script.one);
    finish(&script);
}

/* Same field and places: once, and again only when it is worse. */
static void test_filter(void **state)
{
    (void)state;
    struct race_filter filter;
    race_filter_init(&filter, 2);
    struct race race = {.grade = RACE_PREDICTED, .field = 1};
    race.earlier.location = 10;
    race.later.location = 20;
    uint64_t count;
    assert_true(race_filter_add(&filter, &race, &count));
    assert_int_equal(count, 1);
    assert_false(race_filter_add(&filter, &race, &count));
    race.earlier.location = 20; /* the other way round */
    race.later.location = 10;
    assert_false(race_filter_add(&filter, &race, &count));
    assert_int_equal(count, 3);
    race.grade = RACE_OBSERVED;
    assert_true(race_filter_add(&filter, &race, &count));
    race.grade = RACE_PREDICTED;
    assert_false(race_filter_add(&filter, &race, NULL));
    race.field = 2;
    assert_true(race_filter_add(&filter, &race, NULL));
    race.field = 3; /* full */
    assert_false(race_filter_add(&filter, &race, NULL));
    assert_int_equal(filter.repeated, 4);
    race_filter_release(&filter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_observed),
        cmocka_unit_test(test_reads_do_not_race),
        cmocka_unit_test(test_first_phase_write_is_remembered),
        cmocka_unit_test(test_first_phase_write_long_ago),
        cmocka_unit_test(test_hand_over),
        cmocka_unit_test(test_predicted),
        cmocka_unit_test(test_lock_between),
        cmocka_unit_test(test_lock_between_by_third),
        cmocka_unit_test(test_lock_between_forgotten),
        cmocka_unit_test(test_common_lock),
        cmocka_unit_test(test_start_and_join),
        cmocka_unit_test(test_after_start),
        cmocka_unit_test(test_sync_objects),
        cmocka_unit_test(test_discipline),
        cmocka_unit_test(test_read_lock_of_the_owner),
        cmocka_unit_test(test_read_lock_long_ago),
        cmocka_unit_test(test_read_locks),
        cmocka_unit_test(test_reentrant_locks),
        cmocka_unit_test(test_wait),
        cmocka_unit_test(test_repeated_accesses),
        cmocka_unit_test(test_order_mode),
        cmocka_unit_test(test_lockset_mode),
        cmocka_unit_test(test_object_rule),
        cmocka_unit_test(test_object_rule_second_thread),
        cmocka_unit_test(test_odd_events),
        cmocka_unit_test(test_filter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
