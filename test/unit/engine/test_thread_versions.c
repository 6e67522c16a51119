/*
 * What a thread knew when it released something can always be had, also while it learns more and
 * clocks use more memory than they should: then only its last version is kept. What is asked for
 * here never is the clock of everything, from which all threads would soon know everything.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>

#include "engine/clock.h"
#include "engine/thread.h"

enum { LEARNERS = 3, LESSONS = 200000, TEACHER = 15 };

static struct {
    struct clock_pool clocks;
    struct thread_table threads;
    struct thread *learners[LEARNERS];
    _Atomic uint64_t released[LEARNERS]; /* the segment of a thread's last release */
    _Atomic unsigned running;
} table;

/* Learns one segment more of another slot, each in a segment of its own. */
static void *learn(void *context)
{
    const size_t number = (size_t)((struct thread **)context - table.learners);
    struct thread *thread = table.learners[number];
    for (unsigned i = 1; i <= LESSONS; i++) {
        struct clock *full = clock_keep(thread->full);
        clock_join(&table.clocks, &full, NULL, TEACHER, i);
        thread_set_full(&table.threads, thread, full);
        atomic_store(&table.released[number], thread_segment(thread));
        thread_new_segment(thread, true);
    }
    atomic_fetch_sub(&table.running, 1);
    return NULL;
}

/* What the thread knew at its last release: it learned one thing in each of its segments. It may be
   more, if that is long ago, but not everything. */
static void ask(unsigned learner)
{
    const uint64_t segment = atomic_load(&table.released[learner]);
    const struct thread *thread = table.learners[learner];
    struct clock *clock = thread_clock_in(&table.threads, thread->slot, segment);
    const uint64_t known = clock_at(clock, TEACHER);
    clock_drop(&table.clocks, clock);
    assert_true(known >= segment - thread_birth(thread));
    assert_true(known <= LESSONS);
}

static void check(size_t version_bytes)
{
    pthread_t threads[LEARNERS];
    assert_true(clock_pool_init(&table.clocks));
    assert_true(
        thread_table_init(&table.threads, &table.clocks, THREAD_SLOTS_MAX, 8, version_bytes));
    atomic_store(&table.running, LEARNERS);
    for (unsigned i = 0; i < LEARNERS; i++) {
        table.learners[i] = thread_begin(&table.threads, i + 1);
        assert_non_null(table.learners[i]);
        thread_set_full(&table.threads, table.learners[i], NULL);
        atomic_store(&table.released[i], thread_segment(table.learners[i]));
        thread_new_segment(table.learners[i], true);
    }
    for (unsigned i = 0; i < LEARNERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, learn, &table.learners[i]), 0);
    while (atomic_load(&table.running))
        for (unsigned i = 0; i < LEARNERS; i++)
            ask(i);
    for (unsigned i = 0; i < LEARNERS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (unsigned i = 0; i < LEARNERS; i++)
        ask(i);
    thread_table_release(&table.threads);
    clock_pool_release(&table.clocks);
}

static void test_with_all_versions(void **state)
{
    (void)state;
    check(SIZE_MAX);
}

static void test_with_the_last_version_only(void **state)
{
    (void)state;
    check(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_with_all_versions),
        cmocka_unit_test(test_with_the_last_version_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
