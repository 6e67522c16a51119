#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>

#include "base/parallel.h"
#include "support.h"

enum { MOST_ITEMS = 10000, MOST_WORKERS = 64 };

struct record {
    atomic_uint calls[MOST_ITEMS];
    unsigned by_worker[MOST_WORKERS]; /* not atomic: a worker's own */
    unsigned workers;
    atomic_bool wrong_worker;
};

static void record_item(void *context, size_t item, unsigned worker)
{
    struct record *record = context;
    atomic_fetch_add(&record->calls[item], 1);
    if (worker >= record->workers)
        atomic_store(&record->wrong_worker, true);
    else
        record->by_worker[worker]++;
}

static void check(size_t items, unsigned workers)
{
    static struct record record;
    memset(&record, 0, sizeof record);
    record.workers = workers ? workers : 1;
    parallel_for(items, workers, record_item, &record);
    size_t total = 0;
    for (size_t i = 0; i < MOST_ITEMS; i++)
        assert_int_equal(atomic_load(&record.calls[i]), i < items);
    for (size_t i = 0; i < MOST_WORKERS; i++)
        total += record.by_worker[i];
    assert_int_equal(total, items);
    assert_false(atomic_load(&record.wrong_worker));
}

static void every_item_is_done_exactly_once(void **state)
{
    (void)state;
    check(0, 4);
    check(1, 4);
    check(3, 4);
    check(MOST_ITEMS, 1);
    check(MOST_ITEMS, 2);
    check(MOST_ITEMS, 16);
    check(MOST_ITEMS, MOST_WORKERS);
    check(100, 0);
}

static void remember_thread(void *context, size_t item, unsigned worker)
{
    (void)worker;
    pthread_t *threads = context;
    threads[item] = pthread_self();
}

static void one_worker_is_the_caller(void **state)
{
    (void)state;
    pthread_t threads[10];
    parallel_for(10, 1, remember_thread, threads);
    for (size_t i = 0; i < 10; i++)
        assert_true(pthread_equal(threads[i], pthread_self()));
}

struct meeting {
    pthread_barrier_t barrier;
    atomic_uint came[3];
};

/* All workers are needed: each waits for the others to have come. */
static void meet(void *context, size_t item, unsigned worker)
{
    (void)item;
    struct meeting *meeting = context;
    if (worker < 3)
        atomic_fetch_add(&meeting->came[worker], 1);
    pthread_barrier_wait(&meeting->barrier);
}

static void each_worker_is_a_thread_with_its_own_number(void **state)
{
    (void)state;
    struct meeting meeting = {.came = {0}};
    assert_int_equal(pthread_barrier_init(&meeting.barrier, NULL, 3), 0);
    parallel_for(3, 3, meet, &meeting);
    pthread_barrier_destroy(&meeting.barrier);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(atomic_load(&meeting.came[i]), 1);
}

static void without_memory_the_caller_does_it_all(void **state)
{
    (void)state;
    memory_fail_after(0);
    check(1000, 4);
    memory_fail_after(-1);
}

static void the_number_of_workers_is_sensible(void **state)
{
    (void)state;
    assert_in_range(parallel_workers(), 1, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_done_exactly_once),
        cmocka_unit_test(one_worker_is_the_caller),
        cmocka_unit_test(each_worker_is_a_thread_with_its_own_number),
        cmocka_unit_test(without_memory_the_caller_does_it_all),
        cmocka_unit_test(the_number_of_workers_is_sensible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
