/*
 * What a caller may leave out (engine/inline.h), one thing at a time. test_inline_reference.c
 * compares random traces.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <string.h>

#include "inline_driver.h"

enum { LOCK = 1, OTHER_LOCK = 2, VARIABLE = 0 };

/* Threads 0, 1 and 2, none ordered after another. */
static void start_three(struct driver *driver, bool spread)
{
    driver_start(driver, false, spread);
    driver_start_thread(driver, 1, NULL);
    driver_start_thread(driver, 2, NULL);
}

static void tell(struct driver *driver, unsigned thread, bool write)
{
    driver_access(driver, driver->threads[thread].thread, VARIABLE, write);
}

static void tell_with(struct driver *driver, unsigned thread, uint32_t lock, bool write)
{
    engine_lock_acquire(driver->engine, driver->threads[thread].thread, lock, THREAD_EXCLUSIVE);
    tell(driver, thread, write);
    engine_lock_release(driver->engine, driver->threads[thread].thread, lock, THREAD_EXCLUSIVE);
}

static bool is_seen(struct driver *driver, unsigned thread, uint32_t lock, bool write)
{
    return engine_is_seen(driver->engine, driver->threads[thread].thread, driver->words[VARIABLE],
                          lock, write);
}

static void test_owned(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    assert_false(is_seen(&driver, 0, 0, false));
    tell(&driver, 0, true);
    assert_false(is_seen(&driver, 0, 0, false));
    assert_false(is_seen(&driver, 0, 0, true));
    driver_end(&driver);
}

static void test_guard_found(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 1, LOCK, true);
    assert_true(is_seen(&driver, 1, LOCK, true));
    assert_true(is_seen(&driver, 1, LOCK, false));
    assert_false(is_seen(&driver, 1, 0, false));
    assert_false(is_seen(&driver, 1, OTHER_LOCK, false));
    /* Thread 0 has not been seen since the variable is shared; then reading only. */
    assert_false(is_seen(&driver, 0, LOCK, false));
    tell_with(&driver, 0, LOCK, false);
    assert_true(is_seen(&driver, 0, LOCK, false));
    assert_false(is_seen(&driver, 0, LOCK, true));
    assert_true(is_seen(&driver, 1, LOCK, true));
    /* A read after a write does not make it less. */
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 0, LOCK, false);
    assert_true(is_seen(&driver, 0, LOCK, true));
    assert_false(driver.races[VARIABLE]);
    driver_end(&driver);
}

static void test_guard_lost(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 1, LOCK, true);
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 1, OTHER_LOCK, false);
    for (unsigned thread = 0; thread < 2; thread++)
        for (uint32_t lock = 0; lock <= OTHER_LOCK; lock++)
            assert_false(is_seen(&driver, thread, lock, false));
    assert_true(driver.races[VARIABLE]);
    /* What has no guard is not guarded by the lock of its last accesses. */
    tell_with(&driver, 1, OTHER_LOCK, true);
    assert_false(is_seen(&driver, 1, OTHER_LOCK, true));
    driver_end(&driver);
}

/* A lock that is held for reading only guards reads, and no writes. */
static void test_guard_held_shared(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 1, LOCK, true);
    engine_lock_acquire(driver.engine, driver.threads[2].thread, LOCK, THREAD_SHARED);
    tell(&driver, 2, false);
    assert_true(is_seen(&driver, 1, LOCK, true));
    tell(&driver, 2, true);
    assert_false(is_seen(&driver, 1, LOCK, false));
    assert_true(driver.races[VARIABLE]);
    driver_end(&driver);
}

static void test_readers(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    tell(&driver, 0, false);
    tell(&driver, 1, false);
    tell(&driver, 2, false);
    assert_true(is_seen(&driver, 1, 0, false));
    assert_true(is_seen(&driver, 1, LOCK, false));
    assert_true(is_seen(&driver, 2, 0, false));
    assert_false(is_seen(&driver, 2, 0, true));
    /* Reads with locks neither count nor harm. */
    tell_with(&driver, 0, LOCK, false);
    assert_false(is_seen(&driver, 0, 0, false));
    assert_true(is_seen(&driver, 1, 0, false));
    /* A write must be told of all that read later. */
    tell(&driver, 0, true);
    assert_false(is_seen(&driver, 1, 0, false));
    assert_false(is_seen(&driver, 2, 0, false));
    assert_true(is_seen(&driver, 0, 0, true));
    /* A read ends that the writer is alone; what it wrote still covers its reads. */
    tell_with(&driver, 1, LOCK, false);
    assert_false(is_seen(&driver, 0, 0, true));
    assert_true(is_seen(&driver, 0, 0, false));
    driver_end(&driver);
}

/* The threads' notes have the same place: none is taken for another's, and one that reads with a
   lock, which leaves no note, ends that the other is alone all the same. */
static void test_same_place(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, true);
    assert_int_equal(driver.threads[1].thread->slot % VARIABLE_SEEN,
                     driver.threads[2].thread->slot % VARIABLE_SEEN);
    tell(&driver, 0, true);
    tell(&driver, 1, true);
    assert_true(is_seen(&driver, 1, 0, true));
    assert_false(is_seen(&driver, 2, 0, false));
    tell_with(&driver, 2, LOCK, false);
    assert_false(is_seen(&driver, 1, 0, true));
    driver_end(&driver);
}

static void test_epochs(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    struct thread *thread = driver.threads[1].thread;
    tell(&driver, 0, false);
    tell(&driver, 1, false);
    engine_lock_acquire(driver.engine, thread, LOCK, THREAD_EXCLUSIVE);
    engine_lock_release(driver.engine, thread, LOCK, THREAD_EXCLUSIVE);
    engine_sync_acquire(driver.engine, thread, 0);
    assert_true(is_seen(&driver, 1, 0, false));
    engine_sync_release(driver.engine, thread, 0);
    assert_false(is_seen(&driver, 1, 0, false));
    tell(&driver, 1, false);
    assert_true(is_seen(&driver, 1, 0, false));
    /* A start is a release, too. */
    driver_start_thread(&driver, 3, thread);
    assert_false(is_seen(&driver, 1, 0, false));
    driver_end(&driver);
}

static bool was_seen(struct driver *driver, unsigned thread, uint32_t lock, bool write)
{
    bool alike;
    return engine_was_seen(driver->engine, driver->threads[thread].thread, driver->words[VARIABLE],
                           lock, write, &alike);
}

/* ... so that the next access is like this one. */
static bool was_seen_alike(struct driver *driver, unsigned thread, uint32_t lock, bool write)
{
    bool alike = false;
    return engine_was_seen(driver->engine, driver->threads[thread].thread, driver->words[VARIABLE],
                           lock, write, &alike) &&
           alike;
}

/* Without a lock if it had none, or with the guard; but what comes with another lock says nothing
   of the next one. */
static void test_seen_alike(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    tell(&driver, 0, false);
    tell_with(&driver, 1, LOCK, false);
    tell(&driver, 2, false);
    assert_false(was_seen_alike(&driver, 1, 0, false));
    assert_true(was_seen_alike(&driver, 2, 0, false));
    engine_lock_acquire(driver.engine, driver.threads[2].thread, LOCK, THREAD_EXCLUSIVE);
    assert_true(was_seen(&driver, 2, 0, false));
    assert_false(was_seen_alike(&driver, 2, 0, false));
    driver_end(&driver);
    start_three(&driver, false);
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 1, LOCK, true);
    engine_sync_release(driver.engine, driver.threads[1].thread, 0);
    engine_lock_acquire(driver.engine, driver.threads[1].thread, LOCK, THREAD_EXCLUSIVE);
    engine_lock_acquire(driver.engine, driver.threads[1].thread, OTHER_LOCK, THREAD_EXCLUSIVE);
    assert_true(was_seen_alike(&driver, 1, LOCK, true));
    driver_end(&driver);
}

/* In whatever epoch, with whatever locks; but not when somebody else wrote since. */
static void test_seen_earlier(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    tell(&driver, 0, false);
    assert_false(was_seen(&driver, 0, 0, false)); /* has no record */
    tell_with(&driver, 1, LOCK, false);
    tell(&driver, 2, false);
    assert_true(was_seen(&driver, 1, 0, false));
    assert_false(is_seen(&driver, 1, LOCK, false));
    assert_false(was_seen(&driver, 1, 0, true));
    assert_true(was_seen(&driver, 2, 0, false));
    engine_sync_release(driver.engine, driver.threads[1].thread, 0);
    engine_sync_release(driver.engine, driver.threads[2].thread, 0);
    assert_true(was_seen(&driver, 1, 0, false));
    assert_true(was_seen(&driver, 2, 0, false));
    tell_with(&driver, 1, OTHER_LOCK, true);
    assert_true(was_seen(&driver, 1, 0, true));
    assert_false(was_seen(&driver, 2, 0, false));
    tell(&driver, 2, false);
    assert_false(was_seen(&driver, 1, 0, true));
    assert_true(was_seen(&driver, 1, 0, false));
    driver_end(&driver);
}

/* It is not the next thread of the slot that was there. */
static void test_seen_slot_passed_on(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    struct thread *thread = driver.threads[1].thread;
    tell(&driver, 0, false);
    tell(&driver, 1, false);
    engine_sync_release(driver.engine, thread, 0);
    assert_true(was_seen(&driver, 1, 0, false));
    engine_thread_end(driver.engine, thread);
    driver.engine->threads.keep_dead = 0;
    assert_ptr_equal(engine_thread_start(driver.engine, driver.threads[0].thread, 9), thread);
    assert_false(was_seen(&driver, 1, 0, false));
    engine_sync_release(driver.engine, thread, 0);
    assert_false(was_seen(&driver, 1, 0, false));
    tell(&driver, 1, false);
    engine_sync_release(driver.engine, thread, 0);
    assert_true(was_seen(&driver, 1, 0, false));
    driver_end(&driver);
}

/* Of what is guarded only with the guard. */
static void test_guarded_seen_earlier(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 1, LOCK, true);
    engine_sync_release(driver.engine, driver.threads[1].thread, 0);
    assert_false(is_seen(&driver, 1, LOCK, true));
    assert_true(was_seen(&driver, 1, LOCK, true));
    assert_false(was_seen(&driver, 1, 0, false));
    assert_false(was_seen(&driver, 1, OTHER_LOCK, false));
    assert_false(was_seen(&driver, 2, LOCK, false));
    tell(&driver, 2, true);
    assert_false(was_seen(&driver, 1, LOCK, false));
    driver_end(&driver);
}

/* The writer's word is of a segment that the record does not know. */
static void test_word_of_one_alone(void **state)
{
    (void)state;
    struct driver driver;
    struct engine_counts counts;
    start_three(&driver, false);
    tell(&driver, 0, true);
    tell(&driver, 1, true);
    engine_lock_acquire(driver.engine, driver.threads[1].thread, LOCK, THREAD_EXCLUSIVE);
    assert_true(driver_leave_out(&driver, driver.threads[1].thread, &driver.words[VARIABLE], true));
    assert_true(engine_is_repeated(driver.threads[1].thread, driver.words[VARIABLE], true));
    driver.races[VARIABLE] = false;
    tell(&driver, 2, true);
    assert_true(driver.races[VARIABLE]);
    engine_counts(driver.engine, &counts);
    assert_int_equal(counts.stale, 0);
    driver_end(&driver);
}

/* A record that had another variable does not know who accessed that. */
static void test_record_used_again(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    tell(&driver, 0, false);
    tell(&driver, 1, false);
    assert_true(is_seen(&driver, 1, 0, false));
    const uint32_t index = driver.engine->variables.index_bits;
    const uint64_t before = driver.words[VARIABLE];
    variable_discard(&driver.engine->variables, word_handle(before));
    assert_false(is_seen(&driver, 1, 0, false));
    driver.words[VARIABLE] = 0;
    tell(&driver, 0, false);
    tell(&driver, 2, false);
    assert_int_equal(word_handle(before) & ((1u << index) - 1),
                     word_handle(driver.words[VARIABLE]) & ((1u << index) - 1));
    assert_true(is_seen(&driver, 2, 0, false));
    assert_false(is_seen(&driver, 1, 0, false));
    driver_end(&driver);
}

static void pass(struct driver *driver, unsigned thread, unsigned lock)
{
    engine_lock_acquire(driver->engine, driver->threads[thread].thread, lock, THREAD_EXCLUSIVE);
    engine_lock_release(driver->engine, driver->threads[thread].thread, lock, THREAD_EXCLUSIVE);
}

/* A thread that is long alone with a variable need not tell every segment: seven stretches of 16
   segments, then once in a window of 64. Locks nobody else takes only end its segments. */
static void test_settled(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    driver.leaves_out = true;
    struct thread *thread = driver.threads[1].thread;
    unsigned settled_at = 0;
    for (unsigned i = 0; i < 500; i++) {
        driver_access(&driver, thread, VARIABLE, true);
        if (!settled_at && driver.left_out.settled)
            settled_at = i;
        pass(&driver, 1, LOCK); /* two segments */
    }
    assert_true(settled_at >= 6 * 16 / 2);
    assert_true(settled_at <= 8 * 16 / 2 + 1);
    /* 436 accesses or so, of which one in 32 is told. */
    assert_true(driver.left_out.settled > 400 && driver.left_out.settled < 500 - 64);
    /* Another thread that knows nothing of it. */
    tell(&driver, 2, true);
    assert_true(driver.races[VARIABLE]);
    driver_end(&driver);
}

/* What the last thread of a slot had settled is not the next one's. */
static void test_settled_slot_passed_on(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    driver.leaves_out = true;
    struct thread *thread = driver.threads[1].thread;
    for (unsigned i = 0; i < 200; i++) {
        driver_access(&driver, thread, VARIABLE, true);
        pass(&driver, 1, LOCK);
    }
    assert_true(driver.left_out.settled > 0);
    engine_thread_end(driver.engine, thread);
    driver.engine->threads.keep_dead = 0;
    assert_ptr_equal(engine_thread_start(driver.engine, driver.threads[0].thread, 9), thread);
    assert_false(word_settled_covers(driver.words[VARIABLE], thread_expected(thread), false));
    driver_end(&driver);
}

/* In busy code one access in 256 segments is told, however young the variable is; a write also when
   only a read was. */
static void test_busy(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    driver.leaves_out = driver.busy = true;
    for (unsigned i = 0; i < 512; i++) { /* four windows: none of them settles it */
        driver_access(&driver, driver.threads[1].thread, VARIABLE, false);
        pass(&driver, 1, LOCK); /* two segments */
    }
    assert_true(driver.left_out.owned >= 4 && driver.left_out.owned <= 5);
    assert_int_equal(driver.left_out.settled, 0);
    assert_int_equal(driver.left_out.busy + driver.left_out.owned, 512);
    const unsigned before = driver.left_out.owned;
    driver_access(&driver, driver.threads[1].thread, VARIABLE, true);
    assert_int_equal(driver.left_out.owned, before + 1);
    pass(&driver, 1, LOCK);
    driver_access(&driver, driver.threads[1].thread, VARIABLE, false);
    driver_access(&driver, driver.threads[1].thread, VARIABLE, true);
    assert_int_equal(driver.left_out.owned, before + 1);
    /* Another thread that knows nothing of it. */
    tell(&driver, 2, false);
    assert_true(driver.races[VARIABLE]);
    assert_false(word_busy_covers(driver.words[VARIABLE], driver.threads[2].thread->slot,
                                  thread_segment(driver.threads[2].thread), false));
    driver_end(&driver);
}

/* And what the last thread of a slot did is not the next one's. */
static void test_busy_slot_passed_on(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    struct thread *thread = driver.threads[1].thread;
    tell(&driver, 1, true);
    engine_thread_end(driver.engine, thread);
    driver.engine->threads.keep_dead = 0;
    assert_ptr_equal(engine_thread_start(driver.engine, driver.threads[0].thread, 9), thread);
    assert_false(
        word_busy_covers(driver.words[VARIABLE], thread->slot, thread_segment(thread), false));
    driver_end(&driver);
}

/* A thread that comes to a guarded variable with other locks each time, after having released
   something each time, is remembered once: the last time. */
static void test_guarded_with_other_locks(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    struct engine *engine = driver.engine;
    struct thread *thread = driver.threads[1].thread;
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 1, LOCK, true);
    for (uint32_t other = 10; other < 60; other++) {
        engine_lock_acquire(engine, thread, other, THREAD_EXCLUSIVE);
        tell_with(&driver, 1, LOCK, true);
        engine_lock_release(engine, thread, other, THREAD_EXCLUSIVE);
        if (other == 58)
            engine_sync_release(engine, thread, 7);
        else
            engine_sync_release(engine, thread, 8);
    }
    assert_false(driver.races[VARIABLE]);
    const uint32_t handle = word_handle(driver.words[VARIABLE]);
    const struct variable *variable =
        &engine->variables.chunks[0]->records[handle & ((1u << engine->variables.index_bits) - 1)];
    unsigned own = 0;
    for (uint32_t i = 0; i < variable->history.count; i++)
        own += history_at(&variable->history, i)->slot == thread->slot;
    assert_int_equal(own, 1);
    /* Who knows of all but the last time, and does not take the guard. */
    engine_sync_acquire(engine, driver.threads[2].thread, 7);
    tell(&driver, 2, false);
    assert_true(driver.races[VARIABLE]);
    driver_end(&driver);
}

/* Where every access must be seen nothing may be left out. */
static void test_modes(void **state)
{
    (void)state;
    for (unsigned mode = 0; mode < 4; mode++) {
        struct driver driver;
        start_three(&driver, false);
        driver.engine->options.mode = mode == 0   ? ENGINE_ORDER
                                      : mode == 1 ? ENGINE_LOCKSET
                                                  : ENGINE_HYBRID;
        driver.engine->options.discipline = mode == 2;
        driver.engine->options.object_rule = mode == 3;
        tell_with(&driver, 0, LOCK, true);
        tell_with(&driver, 1, LOCK, true);
        assert_false(is_seen(&driver, 1, LOCK, false));
        tell(&driver, 2, false);
        assert_false(is_seen(&driver, 2, 0, false));
        driver_end(&driver);
    }
}

/* What a caller reads by offsets is what is there. */
static void test_layout(void **state)
{
    (void)state;
    struct driver driver;
    struct engine_layout layout;
    start_three(&driver, false);
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 1, LOCK, true);
    engine_layout(driver.engine, &layout);
    const uint32_t handle = word_handle(driver.words[VARIABLE]);
    const uint32_t number = handle & layout.index_mask;
    const char *chunk;
    memcpy(&chunk, (const char *)layout.chunks + number / layout.chunk_records * sizeof chunk,
           sizeof chunk);
    const char *record = chunk + (size_t)(number % layout.chunk_records) * layout.record_size;
    const struct thread *thread = driver.threads[1].thread;
    uint64_t guard;
    uint32_t seen, held;
    memcpy(&guard, record + layout.guard, sizeof guard);
    memcpy(&seen, record + layout.seen + thread->slot % VARIABLE_SEEN * sizeof seen, sizeof seen);
    assert_true(guard == ((uint64_t)LOCK << 32 | (handle + 1)));
    assert_int_equal(seen, thread_seen(thread) | VARIABLE_SEEN_WRITE);
    engine_lock_acquire(driver.engine, driver.threads[1].thread, LOCK, THREAD_EXCLUSIVE);
    memcpy(&held, (const char *)thread + layout.held_count, sizeof held);
    assert_int_equal(held, 1);
    driver_end(&driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_owned),
        cmocka_unit_test(test_guard_found),
        cmocka_unit_test(test_guard_lost),
        cmocka_unit_test(test_guard_held_shared),
        cmocka_unit_test(test_readers),
        cmocka_unit_test(test_same_place),
        cmocka_unit_test(test_epochs),
        cmocka_unit_test(test_seen_earlier),
        cmocka_unit_test(test_seen_alike),
        cmocka_unit_test(test_seen_slot_passed_on),
        cmocka_unit_test(test_guarded_seen_earlier),
        cmocka_unit_test(test_word_of_one_alone),
        cmocka_unit_test(test_record_used_again),
        cmocka_unit_test(test_settled),
        cmocka_unit_test(test_settled_slot_passed_on),
        cmocka_unit_test(test_busy),
        cmocka_unit_test(test_busy_slot_passed_on),
        cmocka_unit_test(test_guarded_with_other_locks),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
