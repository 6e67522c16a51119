/*
 * What the engine does when there is no room or no memory: races may be missed, none is invented,
 * and nothing grows without bound.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <string.h>

#include "engine/engine.h"
#include "support.h"

struct reports {
    unsigned by_grade[RACE_OBSERVED + 1];
    struct race last;
};

static void note_race(void *context, const struct race *race)
{
    struct reports *reports = context;
    reports->by_grade[race->grade]++;
    reports->last = *race;
}

static unsigned report_count(const struct reports *reports)
{
    return reports->by_grade[RACE_OBSERVED] + reports->by_grade[RACE_PREDICTED];
}

static struct engine_options options_for(struct reports *reports)
{
    struct engine_options options;
    engine_options_default(&options);
    memset(reports, 0, sizeof *reports);
    options.report = note_race;
    options.context = reports;
    return options;
}

static uint64_t touch(struct engine *engine, struct thread *thread, uint32_t key, bool write,
                      uint64_t word)
{
    struct engine_access access = {.field = 1, .key = key, .location = key + 1, .write = write};
    return engine_access(engine, thread, &access, word, NULL);
}

static struct engine_counts counts_of(struct engine *engine)
{
    struct engine_counts counts;
    engine_counts(engine, &counts);
    return counts;
}

/* Many more shared variables than records: a variable without a record starts anew. */
static void test_eviction(void **state)
{
    (void)state;
    struct reports reports;
    struct engine_options options = options_for(&reports);
    options.variables = 64;
    struct engine *engine = engine_new(&options);
    assert_non_null(engine);
    struct thread *main = engine_thread_start(engine, NULL, 1);
    struct thread *other = engine_thread_start(engine, main, 2);
    enum { VARIABLES = 1000 };
    static uint64_t words[VARIABLES];
    memset(words, 0, sizeof words);
    for (uint32_t i = 0; i < VARIABLES; i++)
        words[i] = touch(engine, main, i, false, words[i]);
    for (uint32_t i = 0; i < VARIABLES; i++)
        words[i] = touch(engine, other, i, false, words[i]);
    struct engine_counts counts = counts_of(engine);
    assert_int_equal(counts.variables, 64);
    assert_int_equal(counts.evicted, VARIABLES - 64);
    /* Its record is gone: a write is that of a new owner, and no race. */
    uint64_t word = touch(engine, main, 0, true, words[0]);
    assert_false(word_is_shared(word));
    assert_int_equal(report_count(&reports), 0);
    assert_int_equal(counts_of(engine).stale, 1);
    /* The last ones have theirs. */
    touch(engine, main, VARIABLES - 1, true, words[VARIABLES - 1]);
    assert_int_equal(reports.by_grade[RACE_OBSERVED], 1);
    engine_free(engine);
}

/* A record in use is not the one that goes. */
static void test_eviction_spares_what_is_used(void **state)
{
    (void)state;
    struct reports reports;
    struct engine_options options = options_for(&reports);
    options.variables = 32;
    struct engine *engine = engine_new(&options);
    struct thread *main = engine_thread_start(engine, NULL, 1);
    struct thread *other = engine_thread_start(engine, main, 2);
    uint64_t hot = touch(engine, other, 5000, false, touch(engine, main, 5000, false, 0));
    for (uint32_t i = 0; i < 1000; i++) {
        touch(engine, other, i, false, touch(engine, main, i, false, 0));
        hot = touch(engine, i % 2 ? main : other, 5000, false, hot);
    }
    assert_int_equal(counts_of(engine).stale, 0);
    touch(engine, main, 5000, true, hot);
    assert_int_equal(reports.by_grade[RACE_OBSERVED], 1);
    engine_free(engine);
}

/* Handles come round again; a stale word is still told by the field, the key and the last access.
 */
static void test_generations(void **state)
{
    (void)state;
    struct variable_pool pool;
    assert_true(variable_pool_init(&pool, VARIABLE_LIMIT_MAX, 4)); /* 16 generations */
    uint32_t first, handle = 0;
    struct variable *variable = variable_new(&pool, 1, 2, &first);
    assert_non_null(variable);
    uint64_t word = word_of_record(word_expected(3, 77), false, first);
    variable->last = word;
    spin_unlock(&variable->lock);
    assert_ptr_equal(variable_lock(&pool, word, 1, 2), variable);
    spin_unlock(&variable->lock);
    /* The next generation, with the same last access of the same field and key. */
    variable_discard(&pool, first);
    assert_ptr_equal(variable_new(&pool, 1, 2, &handle), variable);
    variable->last = word_of_record(word_expected(3, 77), false, handle);
    spin_unlock(&variable->lock);
    assert_null(variable_lock(&pool, word, 1, 2));
    for (unsigned generation = 2; generation <= 16; generation++) {
        variable_discard(&pool, handle);
        assert_null(variable_lock(&pool, word, 1, 2));
        assert_ptr_equal(variable_new(&pool, 1, 2, &handle), variable);
        variable->last = word_of_record(word_expected(3, 78), false, handle);
        spin_unlock(&variable->lock);
        assert_int_equal(handle == first, generation == 16);
        assert_null(variable_lock(&pool, word, 1, 2));
    }
    /* Same generation and same last access, but another variable. */
    word = variable->last;
    assert_null(variable_lock(&pool, word, 2, 2));
    assert_null(variable_lock(&pool, word, 1, 3));
    assert_ptr_equal(variable_lock(&pool, word, 1, 2), variable);
    spin_unlock(&variable->lock);
    /* A record that is not there at all. */
    assert_null(variable_lock(&pool, word_of_record(1, false, 4000000), 1, 2));
    variable_pool_release(&pool);
}

/* A history without room loses its oldest access; the newest is still compared. */
static void test_short_history(void **state)
{
    (void)state;
    struct reports reports;
    struct engine_options options = options_for(&reports);
    options.history = 2;
    struct engine *engine = engine_new(&options);
    struct thread *main = engine_thread_start(engine, NULL, 1);
    uint64_t word = 0;
    for (uint64_t i = 0; i < 10; i++)
        word = touch(engine, engine_thread_start(engine, main, i + 2), 0, false, word);
    assert_int_equal(counts_of(engine).dropped, 8);
    touch(engine, main, 0, true, word);
    assert_int_equal(reports.by_grade[RACE_OBSERVED], 2);
    assert_int_equal(reports.last.earlier.thread, 11);
    engine_free(engine);
}

/* Slots: the one whose thread ended first is taken first, and only when enough others wait. */
static void test_slots_are_reused(void **state)
{
    (void)state;
    struct reports reports;
    struct engine_options options = options_for(&reports);
    options.dead_threads = 1;
    options.threads = 4;
    struct engine *engine = engine_new(&options);
    struct thread *main = engine_thread_start(engine, NULL, 1);
    struct thread *one = engine_thread_start(engine, main, 2);
    struct thread *two = engine_thread_start(engine, main, 3);
    uint32_t slot_one = one->slot, slot_two = two->slot;
    uint64_t segment_two = thread_segment(two);
    engine_thread_end(engine, two);
    struct thread *three = engine_thread_start(engine, main, 4);
    assert_int_not_equal(three->slot, slot_two);
    engine_thread_end(engine, one);
    struct thread *four = engine_thread_start(engine, main, 5);
    assert_int_equal(four->slot, slot_two);
    assert_true(thread_segment(four) > segment_two);
    struct thread *five = engine_thread_start(engine, main, 6); /* no other slot is left */
    assert_int_equal(five->slot, slot_one);
    assert_null(engine_thread_start(engine, main, 7));
    assert_int_equal(counts_of(engine).refused, 1);
    assert_int_equal(counts_of(engine).slots, 4);
    engine_free(engine);
}

/* A thread is joined long after its slot went to another: what it knew must not be lost. */
static void test_late_join(void **state)
{
    (void)state;
    struct reports reports;
    struct engine_options options = options_for(&reports);
    options.dead_threads = 0;
    struct engine *engine = engine_new(&options);
    struct thread *main = engine_thread_start(engine, NULL, 1);
    struct thread *writer = engine_thread_start(engine, main, 2);
    struct thread *messenger = engine_thread_start(engine, main, 3);
    uint64_t birth = engine_thread_birth(messenger);
    uint64_t word = touch(engine, writer, 0, true, 0);
    engine_sync_release(engine, writer, 1);
    engine_sync_acquire(engine, messenger, 1);
    uint64_t second = touch(engine, messenger, 1, true, 0);
    engine_thread_end(engine, messenger);
    struct thread *next = engine_thread_start(engine, main, 4);
    assert_ptr_equal(next, messenger);
    touch(engine, next, 2, true, 0);
    assert_true(engine_thread_join(engine, main, messenger, birth));
    touch(engine, main, 0, true, word);
    touch(engine, main, 1, true, second);
    assert_int_equal(report_count(&reports), 0);
    engine_free(engine);
}

/* Knowing the present thread of a slot is not knowing what an earlier one knew. */
static void test_slot_of_two_threads(void **state)
{
    (void)state;
    struct reports reports;
    struct engine_options options = options_for(&reports);
    options.dead_threads = 0;
    struct engine *engine = engine_new(&options);
    struct thread *main = engine_thread_start(engine, NULL, 1);
    struct thread *writer = engine_thread_start(engine, main, 2);
    struct thread *reader = engine_thread_start(engine, main, 3);
    struct thread *messenger = engine_thread_start(engine, main, 4);
    uint64_t word = touch(engine, writer, 0, true, 0);
    engine_sync_release(engine, writer, 1);
    engine_sync_acquire(engine, messenger, 1);
    engine_sync_release(engine, messenger, 2);
    engine_thread_end(engine, messenger);
    struct thread *next = engine_thread_start(engine, main, 5);
    assert_ptr_equal(next, messenger);
    engine_sync_release(engine, next, 3);
    engine_sync_acquire(engine, reader, 3); /* a later segment of the slot, but no writer */
    engine_sync_acquire(engine, reader, 2);
    touch(engine, reader, 0, true, word);
    assert_int_equal(report_count(&reports), 0);
    engine_free(engine);
}

/* A new thread in the slot of the owner is not the owner: the variable is handed over. */
static void test_owner_is_a_thread(void **state)
{
    (void)state;
    struct reports reports;
    struct engine_options options = options_for(&reports);
    options.dead_threads = 0;
    struct engine *engine = engine_new(&options);
    struct thread *main = engine_thread_start(engine, NULL, 1);
    struct thread *owner = engine_thread_start(engine, main, 2);
    uint64_t word = touch(engine, owner, 0, true, 0);
    engine_thread_end(engine, owner);
    struct thread *next = engine_thread_start(engine, main, 3);
    assert_ptr_equal(next, owner);
    word = touch(engine, next, 0, true, word);
    struct engine_facts facts;
    engine_facts_of(engine, word, 1, 0, &facts);
    assert_int_equal(facts.state, VARIABLE_THREAD_LOCAL_2);
    engine_free(engine);
}

/* A word that could not be stored: is the access to be told again, and is its record free? */
static void test_lost_words(void **state)
{
    (void)state;
    struct reports reports;
    struct engine_options options = options_for(&reports);
    struct engine *engine = engine_new(&options);
    struct thread *main = engine_thread_start(engine, NULL, 1);
    struct thread *other = engine_thread_start(engine, main, 2);
    uint64_t owned = touch(engine, main, 0, false, 0);
    assert_true(engine_lost(engine, 0, owned));
    uint64_t shared = touch(engine, other, 0, false, owned);
    for (unsigned i = 0; i < 100; i++) {
        assert_true(engine_lost(engine, owned, shared));
        assert_false(word_is_shared(touch(engine, main, 0, false, shared))); /* it is gone */
        shared = touch(engine, other, 0, false, owned);
    }
    assert_int_equal(counts_of(engine).variables, 1);
    /* The record has the access already. */
    uint64_t again = touch(engine, main, 0, false, shared);
    assert_int_not_equal(again, shared);
    assert_false(engine_lost(engine, shared, again));
    assert_true(word_is_shared(touch(engine, other, 0, true, shared)));
    assert_int_equal(reports.by_grade[RACE_OBSERVED], 1);
    engine_free(engine);
}

/* Who was in the slot is known for a while. */
static void test_names_of_ended_threads(void **state)
{
    (void)state;
    struct reports reports;
    struct engine_options options = options_for(&reports);
    options.dead_threads = 0;
    struct engine *engine = engine_new(&options);
    struct thread *main = engine_thread_start(engine, NULL, 1);
    struct thread *other = engine_thread_start(engine, main, 2);
    struct thread *first = engine_thread_start(engine, main, 3);
    uint64_t word = touch(engine, first, 0, true, 0);
    engine_thread_end(engine, first);
    for (uint64_t i = 0; i < 5; i++)
        engine_thread_end(engine, engine_thread_start(engine, main, 10 + i));
    touch(engine, other, 0, true, word);
    assert_int_equal(reports.by_grade[RACE_OBSERVED], 1);
    assert_int_equal(reports.last.earlier.thread, 3);
    assert_int_equal(reports.last.earlier.location, 1);
    engine_free(engine);
}

/* Locks and synchronization objects that lost their clocks still order. */
static void test_few_clocks(void **state)
{
    (void)state;
    for (int few_bytes = 0; few_bytes < 2; few_bytes++) {
        struct reports reports;
        struct engine_options options = options_for(&reports);
        options.mode = ENGINE_ORDER;
        options.locks = options.syncs = few_bytes ? 100000 : 8;
        options.clock_bytes = few_bytes ? 0 : SIZE_MAX;
        struct engine *engine = engine_new(&options);
        struct thread *main = engine_thread_start(engine, NULL, 1);
        struct thread *threads[3];
        for (uint64_t i = 0; i < 3; i++)
            threads[i] = engine_thread_start(engine, main, i + 2);
        uint64_t word = 0, other_word = 0;
        for (uint32_t round = 0; round < 300; round++) {
            struct thread *thread = threads[round % 3];
            engine_lock_acquire(engine, thread, 7, THREAD_EXCLUSIVE);
            word = touch(engine, thread, 0, true, word);
            engine_lock_release(engine, thread, 7, THREAD_EXCLUSIVE);
            engine_sync_acquire(engine, thread, 7);
            other_word = touch(engine, thread, 1, true, other_word);
            engine_sync_release(engine, thread, 7);
            for (uint32_t i = 0; i < 20; i++) {
                engine_lock_acquire(engine, thread, 100 + round * 20 + i, THREAD_EXCLUSIVE);
                engine_lock_release(engine, thread, 100 + round * 20 + i, THREAD_EXCLUSIVE);
                engine_sync_release(engine, thread, 100 + round * 20 + i);
            }
        }
        assert_true(counts_of(engine).shared_clocks > 0);
        assert_int_equal(report_count(&reports), 0);
        engine_free(engine);
    }
}

/* An object that was released, lost its clocks, and is released by another thread: both count. */
static void test_lost_clocks_come_back(void **state)
{
    (void)state;
    struct reports reports;
    struct engine_options options = options_for(&reports);
    options.syncs = 4;
    struct engine *engine = engine_new(&options);
    struct thread *main = engine_thread_start(engine, NULL, 1);
    struct thread *one = engine_thread_start(engine, main, 2);
    struct thread *two = engine_thread_start(engine, main, 3);
    struct thread *three = engine_thread_start(engine, main, 4);
    uint64_t first = touch(engine, one, 1, true, 0);
    engine_sync_release(engine, one, 1);
    for (uint32_t sync = 2; sync < 20; sync++)
        engine_sync_release(engine, main, sync);
    uint64_t second = touch(engine, two, 2, true, 0);
    engine_sync_release(engine, two, 1);
    engine_sync_acquire(engine, three, 1);
    touch(engine, three, 1, true, first);
    touch(engine, three, 2, true, second);
    assert_int_equal(report_count(&reports), 0);
    engine_free(engine);
}

/* Threads without a slot pass on what others hand them: by a lock, an object, a start, a join. */
static void test_strangers(void **state)
{
    (void)state;
    struct reports reports;
    struct engine_options options = options_for(&reports);
    options.threads = 3;
    struct engine *engine = engine_new(&options);
    struct thread *main = engine_thread_start(engine, NULL, 1);
    struct thread *one = engine_thread_start(engine, main, 2);
    struct thread *two = engine_thread_start(engine, main, 3);
    uint64_t words[4];
    for (uint32_t i = 0; i < 4; i++)
        words[i] = touch(engine, one, i, true, 0);
    engine_lock_acquire(engine, one, 1, THREAD_EXCLUSIVE);
    engine_lock_release(engine, one, 1, THREAD_EXCLUSIVE);
    engine_lock_acquire(engine, NULL, 1, THREAD_EXCLUSIVE);
    engine_lock_acquire(engine, NULL, 2, THREAD_EXCLUSIVE);
    engine_lock_release(engine, NULL, 2, THREAD_EXCLUSIVE);
    engine_lock_acquire(engine, two, 2, THREAD_EXCLUSIVE);
    touch(engine, two, 0, true, words[0]);
    engine_lock_release(engine, two, 2, THREAD_EXCLUSIVE);

    words[1] = touch(engine, one, 1, true, words[1]);
    engine_sync_release(engine, one, 1);
    engine_sync_acquire(engine, NULL, 1);
    engine_sync_release(engine, NULL, 2);
    engine_sync_acquire(engine, two, 2);
    touch(engine, two, 1, true, words[1]);

    words[2] = touch(engine, one, 2, true, words[2]);
    assert_null(engine_thread_start(engine, one, 4));
    engine_thread_end(engine, NULL);
    engine_thread_join(engine, two, NULL, 0);
    touch(engine, two, 2, true, words[2]);

    words[3] = touch(engine, one, 3, true, words[3]);
    engine_thread_end(engine, one);
    engine_thread_join(engine, NULL, one, engine_thread_birth(one));
    engine_lock_acquire(engine, two, 3, THREAD_EXCLUSIVE);
    uint32_t times = engine_wait_begin(engine, two, 3);
    engine_wait_begin(engine, NULL, 3);
    engine_wait_end(engine, two, 3, times);
    engine_lock_release(engine, two, 3, THREAD_EXCLUSIVE);
    touch(engine, two, 3, true, words[3]);
    assert_int_equal(report_count(&reports), 0);
    /* And no more than that: nobody told anyone of this one. */
    touch(engine, two, 4, true, touch(engine, main, 4, true, 0));
    assert_int_equal(report_count(&reports), 1);
    engine_free(engine);
}

/* 10,000 threads one after the other, each with a race, a million locks, 300,000 shared objects. */
static void test_endurance(void **state)
{
    (void)state;
    struct reports reports;
    struct engine_options options = options_for(&reports);
    options.variables = 4096;
    options.locks = 4096;
    struct engine *engine = engine_new(&options);
    struct thread *main = engine_thread_start(engine, NULL, 1);
    for (uint32_t i = 0; i < 10000; i++) {
        struct thread *child = engine_thread_start(engine, main, 2);
        assert_non_null(child);
        uint64_t word = touch(engine, main, i, true, 0);
        touch(engine, child, i, true, word);
        for (uint32_t k = 0; k < 100; k++) {
            engine_lock_acquire(engine, child, i * 100 + k, THREAD_EXCLUSIVE);
            engine_lock_release(engine, child, i * 100 + k, THREAD_EXCLUSIVE);
        }
        for (uint32_t k = 0; k < 30; k++)
            touch(engine, child, k, false, touch(engine, main, k, false, 0));
        engine_thread_end(engine, child);
        engine_thread_join(engine, main, child, engine_thread_birth(child));
    }
    struct engine_counts counts = counts_of(engine);
    assert_int_equal(reports.by_grade[RACE_OBSERVED], 10000);
    assert_int_equal(reports.by_grade[RACE_PREDICTED], 0);
    assert_int_equal(counts.variables, 4096);
    assert_true(counts.slots <= 67);
    assert_true(counts.clock_bytes < 8u << 20);
    engine_free(engine);
}

/* More locks than a thread has room for at first, and more than are noted for a segment. */
static void test_many_locks_held(void **state)
{
    (void)state;
    struct reports reports;
    struct engine_options options = options_for(&reports);
    struct engine *engine = engine_new(&options);
    struct thread *main = engine_thread_start(engine, NULL, 1);
    struct thread *other = engine_thread_start(engine, main, 2);
    for (uint32_t i = 0; i < 40; i++)
        engine_lock_acquire(engine, main, i, i % 2 ? THREAD_SHARED : THREAD_EXCLUSIVE);
    uint32_t locks[LOCKSET_MEMBERS_MAX];
    assert_int_equal(
        lockset_copy(engine_locksets(engine), engine_lockset(engine, main, false), locks), 40);
    assert_int_equal(
        lockset_copy(engine_locksets(engine), engine_lockset(engine, main, true), locks), 20);
    assert_int_equal(locks[19], 38);
    /* The first phase had more locks than are kept: only observed races can be told. */
    uint64_t word = touch(engine, main, 0, true, 0);
    touch(engine, other, 0, false, word);
    assert_int_equal(reports.by_grade[RACE_OBSERVED], 1);
    assert_int_equal(reports.last.earlier.lockset, LOCKSET_ALL);
    for (uint32_t i = 0; i < 40; i++)
        engine_lock_release(engine, main, i, i % 2 ? THREAD_SHARED : THREAD_EXCLUSIVE);
    assert_int_equal(engine_lockset(engine, main, false), LOCKSET_EMPTY);
    assert_int_equal(counts_of(engine).unbalanced, 0);
    /* A lock id that is none: accesses are not judged until it is released. */
    engine_lock_acquire(engine, main, UINT32_MAX, THREAD_EXCLUSIVE);
    assert_int_equal(touch(engine, main, 0, true, 0), 0);
    engine_lock_release(engine, main, UINT32_MAX, THREAD_EXCLUSIVE);
    assert_int_not_equal(touch(engine, main, 0, true, 0), 0);
    assert_int_equal(counts_of(engine).unjudged, 1);
    engine_free(engine);
}

/* An owner's segment from the bits in its word, around every boundary. */
static void test_word_segments(void **state)
{
    (void)state;
    static const unsigned shifts[] = {1, 23, 24, 25, 39, 40, 41, 48};
    for (unsigned i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
        for (int before = -3; before <= 3; before++) {
            uint64_t segment = (UINT64_C(1) << shifts[i]) + (uint64_t)before;
            if (segment - 1 > UINT64_C(1) << 49) /* below 1 */
                continue;
            for (uint64_t later = 0; later < UINT64_C(1) << 38; later = later * 2 + 1) {
                uint64_t word = word_of_owner(4095, segment, true, WORD_DISTANCE_MAX, 5);
                assert_int_equal(word_owned_segment(word, segment + later), segment);
                assert_int_equal(word_slot(word), 4095);
                assert_int_equal(word_distance(word), WORD_DISTANCE_MAX);
                assert_int_equal(word_age(word), 5);
                assert_true(word_is_written(word) && !word_is_shared(word));
                /* The word may be seen before the owner's present segment is. */
                if (segment > 2)
                    assert_int_equal(word_owned_segment(word, segment - 2), segment);
            }
        }
    }
    uint64_t word = word_of_record(word_expected(1, 1), true, (1u << WORD_HANDLE_BITS) - 1);
    assert_int_equal(word_handle(word), (1u << WORD_HANDLE_BITS) - 1);
}

/* A program without races, and one race, with one request for memory that fails. */
static bool play_all(void *context)
{
    (void)context;
    struct reports reports;
    struct engine_options options = options_for(&reports);
    struct engine *engine = engine_new(&options);
    if (!engine)
        return false;
    struct thread *main = engine_thread_start(engine, NULL, 1);
    struct thread *threads[12] = {0};
    uint64_t guarded = 0, queued = 0, read_only = 0;
    for (uint64_t i = 0; main && i < 12; i++)
        threads[i] = engine_thread_start(engine, main, i + 2);
    for (unsigned round = 0; round < 36; round++) {
        struct thread *thread = threads[round % 12];
        for (uint32_t lock = 0; lock < 12; lock++)
            engine_lock_acquire(engine, thread, lock * 1000, THREAD_EXCLUSIVE);
        guarded = touch(engine, thread, 0, true, guarded);
        for (uint32_t lock = 12; lock-- > 0;)
            engine_lock_release(engine, thread, lock * 1000, THREAD_EXCLUSIVE);
        engine_sync_acquire(engine, thread, 1);
        queued = touch(engine, thread, 1, true, queued);
        engine_sync_release(engine, thread, 1);
        read_only = touch(engine, thread, 2, false, read_only);
    }
    assert_int_equal(report_count(&reports), 0);
    touch(engine, main, 2, true, read_only);
    struct engine_counts counts = counts_of(engine);
    bool complete = !(counts.forgotten | counts.dropped | counts.unnoted | counts.lost_sets |
                      counts.lost_clocks | counts.shared_clocks | counts.refused);
    if (complete)
        assert_int_equal(reports.by_grade[RACE_OBSERVED], 12);
    engine_free(engine);
    return complete;
}

static void test_no_memory(void **state)
{
    (void)state;
    long failed = support_fail_each_request(play_all, NULL);
    assert_true(failed > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eviction),
        cmocka_unit_test(test_eviction_spares_what_is_used),
        cmocka_unit_test(test_generations),
        cmocka_unit_test(test_short_history),
        cmocka_unit_test(test_slots_are_reused),
        cmocka_unit_test(test_late_join),
        cmocka_unit_test(test_slot_of_two_threads),
        cmocka_unit_test(test_owner_is_a_thread),
        cmocka_unit_test(test_lost_words),
        cmocka_unit_test(test_names_of_ended_threads),
        cmocka_unit_test(test_few_clocks),
        cmocka_unit_test(test_lost_clocks_come_back),
        cmocka_unit_test(test_strangers),
        cmocka_unit_test(test_endurance),
        cmocka_unit_test(test_many_locks_held),
        cmocka_unit_test(test_word_segments),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
