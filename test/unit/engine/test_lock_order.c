/*
 * The lock order on written traces.
 *
 * A trace is a line of operations: the thread, what it does, to what lock or thread.
 *
 *     a  acquires    l  lets go            t  acquires without waiting    w  begins to wait
 *     A  shared      L  lets go, shared    >  all so far comes before     W  has waited
 *     s  is stuck: wants, and has not got     what the other thread does
 *
 * The n-th operation has location n and stack 1000 + n.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <pthread.h>
#include <string.h>

#include "engine/lock_order_threads.h"
#include "support.h"

struct run {
    struct lock_threads threads;
    uint32_t location;
    uint32_t waited[LOCK_THREADS_MAX];
    unsigned cycles;
    struct lock_order_cycle first;
};

static void note_cycle(void *context, const struct lock_order_cycle *cycle)
{
    struct run *run = context;
    if (!run->cycles++)
        run->first = *cycle;
}

static void tell_wait(struct run *run, unsigned thread, const struct lock_order_acquire *acquire,
                      bool begins)
{
    struct lock_order_thread *waiting = lock_threads_at(&run->threads, thread)->thread;
    struct clock_view view = lock_threads_view(&run->threads, thread);
    if (begins)
        run->waited[thread] = lock_order_wait_begin(run->threads.order, waiting, acquire->lock);
    else
        lock_order_wait_end(run->threads.order, waiting, acquire, run->waited[thread], &view);
    run->threads.threads[thread].segment++;
}

static void tell(struct run *run, const char *operation)
{
    unsigned thread = (unsigned)(operation[0] - '0');
    char what = operation[1];
    run->location++;
    struct lock_order_acquire acquire = {(uint32_t)operation[2], run->location,
                                         1000 + run->location,
                                         what == 'A' ? LOCK_ORDER_SHARED : LOCK_ORDER_EXCLUSIVE};
    switch (what) {
    case 'a':
    case 'A':
    case 't':
        lock_threads_acquire(&run->threads, thread, &acquire, what != 't');
        break;
    case 's': {
        struct clock_view view = lock_threads_view(&run->threads, thread);
        lock_order_wanted(run->threads.order, lock_threads_at(&run->threads, thread)->thread,
                          &acquire, &view);
        break;
    }
    case 'l':
    case 'L':
        lock_threads_let_go(&run->threads, thread, acquire.lock,
                            what == 'L' ? LOCK_ORDER_SHARED : LOCK_ORDER_EXCLUSIVE);
        break;
    case '>':
        lock_threads_order(&run->threads, thread, (unsigned)(operation[2] - '0'));
        break;
    case 'w':
    case 'W':
        tell_wait(run, thread, &acquire, what == 'w');
        break;
    default:
        fail_msg("what is %c?", what);
    }
}

static void tell_all(struct run *run, const char *trace)
{
    while (*trace) {
        tell(run, trace);
        trace += strcspn(trace, " ");
        trace += strspn(trace, " ");
    }
}

static void run_init(struct run *run)
{
    struct lock_order_options options;
    lock_order_options_default(&options);
    memset(run, 0, sizeof *run);
    lock_threads_init(&run->threads, &options);
}

static struct run told(const char *trace)
{
    struct run run;
    run_init(&run);
    tell_all(&run, trace);
    unsigned found = lock_order_find(run.threads.order, note_cycle, &run);
    assert_int_equal(found, run.cycles);
    struct lock_order_counts counts;
    lock_order_counts(run.threads.order, &counts);
    assert_int_equal(counts.lost + counts.unbalanced + counts.unfinished, 0);
    assert_int_equal(counts.cycles, found);
    lock_threads_release(&run.threads);
    return run;
}

#define assert_cycles(trace, count) assert_int_equal(told(trace).cycles, count)

static void test_inversion(void **state)
{
    (void)state;
    struct run run = told("1aa 1ab 1lb 1la 2ab 2aa 2la 2lb");
    assert_int_equal(run.cycles, 1);
    assert_int_equal(run.first.count, 2);
    const struct lock_order_wait *one = &run.first.waits[0], *two = &run.first.waits[1];
    assert_int_equal(one->thread, 101);
    assert_int_equal(one->holds.lock, 'a');
    assert_int_equal(one->holds.location, 1);
    assert_int_equal(one->holds.stack, 1001);
    assert_int_equal(one->wants.lock, 'b');
    assert_int_equal(one->wants.location, 2);
    assert_int_equal(one->wants.stack, 1002);
    assert_int_equal(two->thread, 102);
    assert_int_equal(two->holds.lock, 'b');
    assert_int_equal(two->holds.location, 5);
    assert_int_equal(two->wants.lock, 'a');
    assert_int_equal(two->wants.location, 6);
    /* The same order, or not nested. */
    assert_cycles("1aa 1ab 1lb 1la 2aa 2ab 2lb 2la", 0);
    assert_cycles("1aa 1la 1ab 1lb 2ab 2lb 2aa 2la", 0);
    /* Not released in the opposite order. */
    assert_cycles("1aa 1ab 1la 1ac 1lb 1lc 2ac 2ab", 1);
    assert_cycles("1aa 1ab 1la 1ac 1lb 1lc 2ac 2aa", 0);
}

static bool happened(const char *trace)
{
    struct run run = told(trace);
    return run.cycles && run.first.happened;
}

static void test_stuck(void **state)
{
    (void)state;
    struct run run = told("1aa 2ab 1sb 2sa");
    assert_int_equal(run.cycles, 1); /* not predicted once more */
    assert_true(run.first.happened);
    assert_int_equal(run.first.count, 2);
    for (unsigned index = 0; index < 2; index++) {
        const struct lock_order_wait *wait = &run.first.waits[index];
        const struct lock_order_wait *next = &run.first.waits[1 - index];
        const bool first = wait->thread == 101;
        assert_int_equal(wait->thread, first ? 101 : 102);
        assert_int_equal(wait->holds.lock, first ? 'a' : 'b');
        assert_int_equal(wait->holds.location, first ? 1 : 2);
        assert_int_equal(wait->wants.lock, next->holds.lock);
        assert_int_equal(wait->wants.location, first ? 3 : 4);
        assert_int_equal(wait->wants.stack, first ? 1003 : 1004);
    }
    /* In a row, the last one waits for nothing: no circle. With a circle at the end: only that. */
    assert_cycles("1aa 2ab 3ac 1sb 2sc", 0);
    run = told("1aa 2ab 3ac 1sb 2sc 3sb");
    assert_int_equal(run.cycles, 1);
    assert_true(run.first.happened);
    assert_int_equal(run.first.count, 2);
    /* Three; the second one by a lock that it has shared. */
    run = told("1aa 2Ab 3ac 1sb 2sc 3sa");
    assert_int_equal(run.first.count, 3);
    assert_true(run.first.happened);
    /* Two circles, each told. */
    assert_cycles("1aa 2ab 3ac 4ad 1sb 2sa 3sd 4sc", 2);
}

static void test_went_on(void **state)
{
    (void)state;
    /* The first one gets what it wanted: it could have happened, and did not. */
    assert_int_equal(told("1aa 2ab 2sa 2lb 1sb 1ab").cycles, 2); /* by the places of 1s, 1a */
    assert_false(happened("1aa 2ab 2sa 2lb 1sb 1ab"));
    assert_false(happened("1aa 2ab 2sa 2lb 1sb"));
    /* It wants something else by then. */
    assert_true(happened("1aa 2ab 1sc 1sb 2sa"));
    assert_false(happened("1aa 2ab 1sb 1sc 2sa"));
    /* Who has nothing keeps nobody waiting. */
    assert_cycles("1aa 1la 2ab 1sb 2sa", 0);
}

static void test_gate(void **state)
{
    (void)state;
    assert_cycles("1ag 1aa 1ab 1lb 1la 1lg 2ag 2ab 2aa 2la 2lb 2lg", 0);
    assert_cycles("1ag 1aa 1ab 1lb 1la 1lg 2ah 2ab 2aa 2la 2lb 2lh", 1);
    /* The gate is between two of three only: that is enough. */
    assert_cycles("1ag 1aa 1ab 1lb 1la 1lg 2ab 2ac 2lc 2lb 3ag 3ac 3aa", 0);
    /* Sometimes without the gate. */
    assert_cycles("1ag 1aa 1ab 1lb 1la 1lg 1aa 1ab 1lb 1la 2ag 2ab 2aa 2la 2lb 2lg", 1);
    /* Taken behind one of the locks, it still is one. */
    assert_cycles("1aa 1ag 1ab 1lb 1lg 1la 2ag 2ab 2aa 2la 2lb 2lg", 1); /* a and g */
    assert_cycles("1aa 1ag 1ab 1lb 1lg 1la 2ab 2ag 2aa 2la 2lg 2lb", 2); /* with g, and with a, b */
}

static void test_long_cycles(void **state)
{
    (void)state;
    struct run run = told("1aa 1ab 1lb 1la 2ab 2ac 2lc 2lb 3ac 3aa 3la 3lc");
    assert_int_equal(run.cycles, 1);
    assert_int_equal(run.first.count, 3);
    for (uint32_t index = 0; index < 3; index++) {
        assert_int_equal(run.first.waits[index].wants.lock,
                         run.first.waits[(index + 1) % 3].holds.lock);
        assert_int_equal(run.first.waits[index].thread, 101 + index);
    }
    assert_cycles("1aa 1ab 1lb 1la 2ab 2ac 2lc 2lb 3ac 3ad 3ld 3lc", 0);
    run = told("0aa 0ab 0lb 0la 1ab 1ac 1lc 1lb 2ac 2ad 2ld 2lc 3ad 3ae 3le 3ld "
               "4ae 4af 4lf 4le 5af 5ag 5lg 5lf 6ag 6ah 6lh 6lg 7ah 7aa 7la 7lh");
    assert_int_equal(run.cycles, 1);
    assert_int_equal(run.first.count, 8);
}

static void test_one_thread(void **state)
{
    (void)state;
    assert_cycles("1aa 1ab 1lb 1la 1ab 1aa 1la 1lb", 0);
    /* Three locks, two threads: one would have to be there twice. */
    assert_cycles("1aa 1ab 1lb 1la 2ab 2ac 2lc 2lb 1ac 1aa 1la 1lc", 0);
}

static void test_order(void **state)
{
    (void)state;
    /* Before the start, or after the join. */
    assert_cycles("1aa 1ab 1lb 1la 1>2 2ab 2aa 2la 2lb", 0);
    assert_cycles("1>2 2ab 2aa 2la 2lb 2>1 1aa 1ab 1lb 1la", 0);
    assert_cycles("1>2 1aa 1ab 1lb 1la 2ab 2aa 2la 2lb", 1);
    /* By way of a third thread. */
    assert_cycles("1aa 1ab 1lb 1la 1>3 3>2 2ab 2aa 2la 2lb", 0);
    /* Two of three are ordered. */
    assert_cycles("1aa 1ab 1lb 1la 2ab 2ac 2lc 2lb 2>3 3ac 3aa 3la 3lc", 0);
    /* The same before the start, in between, and after the join: only the second time counts. */
    struct run run;
    for (unsigned between = 0; between < 2; between++) {
        run_init(&run);
        tell_all(&run, "1aa 1ab 1lb 1la");
        tell_all(&run, "1>2 2ab 2aa 2la 2lb");
        run.location = 0;
        if (between)
            tell_all(&run, "1aa 1ab 1lb 1la");
        tell_all(&run, "2>1");
        run.location = 0;
        tell_all(&run, "1aa 1ab 1lb 1la");
        assert_int_equal(lock_order_find(run.threads.order, note_cycle, &run), between);
        lock_threads_release(&run.threads);
    }
}

static void test_shared(void **state)
{
    (void)state;
    assert_cycles("1Aa 1Ab 1Lb 1La 2Ab 2Aa 2La 2Lb", 0);
    assert_cycles("1Aa 1ab 1lb 1La 2Ab 2aa 2la 2Lb", 1);
    assert_cycles("1aa 1Ab 1Lb 1la 2ab 2Aa 2La 2lb", 1);
    /* One of the two does not wait. */
    assert_cycles("1Aa 1ab 1lb 1La 2ab 2Aa 2La 2lb", 0);
    assert_cycles("1Aa 1ab 1lb 1La 2Ab 2Aa 2La 2Lb", 0);
    /* Readers can be behind the same gate. */
    assert_cycles("1Ag 1aa 1ab 1lb 1la 1Lg 2Ag 2ab 2aa 2la 2lb 2Lg", 1);
    assert_cycles("1Ag 1aa 1ab 1lb 1la 1Lg 2ag 2ab 2aa 2la 2lb 2lg", 0);
    /* Two readers that both want to write. */
    assert_cycles("1Aa 1aa 1la 1La 2Aa 2aa 2la 2La", 1);
    /* A writer that reads as well does not wait. */
    assert_cycles("1aa 1Aa 1La 1la 2aa 2Aa 2La 2la", 0);
    /* It keeps the read lock. */
    assert_cycles("1aa 1Aa 1la 1ab 1lb 1La 2ab 2aa 2la 2lb", 1);
    assert_cycles("1aa 1Aa 1la 1ab 1lb 1La 2ab 2Aa 2La 2lb", 0);
}

static void test_try(void **state)
{
    (void)state;
    assert_cycles("1aa 1tb 1lb 1la 2ab 2aa 2la 2lb", 0);
    assert_cycles("1ta 1ab 1lb 1la 2tb 2aa 2la 2lb", 1);
    assert_cycles("1aa 1tb 1ac 1lc 1lb 1la 2ac 2ab 2lb 2lc", 1);
}

static void test_again(void **state)
{
    (void)state;
    assert_cycles("1aa 1ab 1aa 1la 1lb 1la 2aa 2ab 2lb 2la", 0);
    /* It has a until the last release. */
    assert_cycles("1aa 1aa 1la 1ab 1lb 1la 2ab 2aa 2la 2lb", 1);
    assert_cycles("1aa 1aa 1la 1la 1ab 1lb 2ab 2aa 2la 2lb", 0);
}

static void test_wait(void **state)
{
    (void)state;
    /* Waits with b held: it needs a again behind b. */
    assert_cycles("1aa 1ab 1wa 1Wa 1lb 1la 2aa 2ab 2lb 2la", 1);
    assert_cycles("1aa 1wa 1Wa 1ab 1lb 1la 2aa 2ab 2lb 2la", 0);
    /* It has given a up as often as it had it. */
    assert_cycles("1aa 1aa 1wa 1ab 1lb 1Wa 1la 1la 2ab 2aa 2la 2lb", 0);
    assert_cycles("1aa 1aa 1wa 1Wa 1la 1ab 1lb 1la 2ab 2aa 2la 2lb", 1);
}

static void test_one_report_per_place(void **state)
{
    (void)state;
    struct run run;
    run_init(&run);
    /* Other locks, the same lines. */
    const char *traces[] = {"1aa 1ab 1lb 1la 2ab 2aa 2la 2lb", "1ac 1ad 1ld 1lc 2ad 2ac 2lc 2ld",
                            "1aa 1ab 1lb 1la 2ab 2aa 2la 2lb", "2aa 2ab 2lb 2la 1ab 1aa 1la 1lb"};
    for (unsigned index = 0; index < 4; index++) {
        run.location = 0;
        tell_all(&run, traces[index]);
        lock_order_find(run.threads.order, note_cycle, &run);
        assert_int_equal(run.cycles, 1);
    }
    run.location = 100;
    tell_all(&run, traces[0]);
    assert_int_equal(lock_order_find(run.threads.order, note_cycle, &run), 3);
    /* Each old line with each new one, and both new ones. */
    assert_int_equal(lock_order_find(run.threads.order, note_cycle, &run), 0);
    lock_threads_release(&run.threads);
}

/* Locks that come and go do not push out those that are on a cycle, or that are used again. */
static void test_eviction(void **state)
{
    (void)state;
    struct run run = {.location = 0};
    struct lock_order_options options;
    lock_order_options_default(&options);
    options.dependencies = 64;
    lock_threads_init(&run.threads, &options);
    tell_all(&run, "1aa 1ab 1lb 1la");
    for (uint32_t lock = 1000; lock < 3000; lock++) {
        struct lock_order_acquire acquire = {lock, 50, 0, LOCK_ORDER_EXCLUSIVE};
        lock_threads_acquire(&run.threads, 2, &acquire, true);
        acquire.lock += 10000;
        lock_threads_acquire(&run.threads, 2, &acquire, true);
        lock_threads_let_go(&run.threads, 2, lock + 10000, LOCK_ORDER_EXCLUSIVE);
        lock_threads_let_go(&run.threads, 2, lock, LOCK_ORDER_EXCLUSIVE);
        run.location = 0;
        tell_all(&run, "1aa 1ab 1lb 1la");
    }
    struct lock_order_counts counts;
    lock_order_counts(run.threads.order, &counts);
    assert_in_range(counts.dependencies, 1, 64);
    assert_true(counts.evicted > 1900);
    assert_int_equal(counts.lost, 0);
    tell_all(&run, "2ab 2aa 2la 2lb");
    assert_int_equal(lock_order_find(run.threads.order, note_cycle, &run), 1);
    lock_threads_release(&run.threads);
}

static void test_limits(void **state)
{
    (void)state;
    struct lock_order_counts counts;
    struct lock_order_options options;
    lock_order_options_default(&options);
    options.length = 2;
    struct run run = {.location = 0};
    lock_threads_init(&run.threads, &options);
    tell_all(&run, "1aa 1ab 1lb 1la 2ab 2ac 2lc 2lb 3ac 3aa 3la 3lc");
    assert_int_equal(lock_order_find(run.threads.order, note_cycle, &run), 0);
    lock_order_counts(run.threads.order, &counts);
    assert_int_equal(counts.unfinished, 1);
    lock_threads_release(&run.threads);

    lock_order_options_default(&options);
    options.work = 1;
    lock_threads_init(&run.threads, &options);
    tell_all(&run, "1aa 1ab 1lb 1la 2ab 2ac 2lc 2lb 3ac 3aa 3la 3lc");
    assert_int_equal(lock_order_find(run.threads.order, note_cycle, &run), 0);
    lock_order_counts(run.threads.order, &counts);
    assert_int_equal(counts.unfinished, 1);
    lock_threads_release(&run.threads);

    /* More moments than there is room for: the first and the latest stay. */
    lock_order_options_default(&options);
    lock_threads_init(&run.threads, &options);
    for (unsigned turn = 0; turn < 50; turn++) {
        run.location = 0;
        tell_all(&run, "3>1 1aa 1ab 1lb 1la");
    }
    tell_all(&run, "2ab 2aa 2la 2lb");
    lock_order_counts(run.threads.order, &counts);
    assert_int_equal(counts.lost, 50 - LOCK_ORDER_MOMENTS);
    assert_int_equal(counts.dependencies, 2);
    assert_int_equal(lock_order_find(run.threads.order, note_cycle, &run), 1);
    tell_all(&run, "2lz");
    lock_order_counts(run.threads.order, &counts);
    assert_int_equal(counts.unbalanced, 1);
    lock_threads_release(&run.threads);

    lock_order_options_default(&options);
    options.reports = 1;
    lock_threads_init(&run.threads, &options);
    /* Of what happened; none of it could have been predicted, because the waits are ordered. */
    tell_all(&run, "1aa 2ab 3ac 4ad 1sb 1>2 2sa 3sd 3>4 4sc");
    assert_int_equal(lock_order_find(run.threads.order, note_cycle, &run), 1);
    lock_order_counts(run.threads.order, &counts);
    assert_int_equal(counts.unfinished, 1);
    lock_threads_release(&run.threads);
}

/* With a clock that knows everything, nothing is said. */
static void test_lost_clock(void **state)
{
    (void)state;
    struct run run;
    run_init(&run);
    tell_all(&run, "1aa 1ab 1lb 1la");
    lock_threads_at(&run.threads, 2)->known = run.threads.clocks.everything;
    tell_all(&run, "2ab 2aa 2la 2lb");
    assert_int_equal(lock_order_find(run.threads.order, note_cycle, &run), 0);
    lock_threads_release(&run.threads);
}

static void test_no_memory(void **state)
{
    (void)state;
    unsigned incomplete = 0;
    for (long request = 0; request < 40; request++) {
        struct run run;
        run_init(&run);
        memory_fail_after(request);
        tell_all(&run, "1ag 1aa 1ab 1lb 1la 1lg 2ag 2ab 2aa 2la 2lb 2lg");
        /* Never behind a gate that could not be noted. */
        assert_int_equal(lock_order_find(run.threads.order, note_cycle, &run), 0);
        tell_all(&run, "1aa 1ab 1lb 1la");
        incomplete += lock_order_find(run.threads.order, note_cycle, &run) == 0;
        memory_fail_after(-1);
        lock_threads_release(&run.threads);
    }
    assert_in_range(incomplete, 5, 35);
}

/*
 * Threads at the same time.
 */

#define WORKERS 4u
#define ROUNDS 5000u

struct worker {
    struct lock_threads *threads;
    unsigned number;
};

static void *work(void *context)
{
    struct worker *worker = context;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned first = round % 2 ? worker->number : round % 37;
        struct lock_order_acquire outer = {first, 1 + round % 3, 0, LOCK_ORDER_EXCLUSIVE};
        struct lock_order_acquire inner = {(worker->number + 1) % WORKERS, 10, 0,
                                           LOCK_ORDER_EXCLUSIVE};
        if (outer.lock == inner.lock)
            continue;
        lock_threads_acquire(worker->threads, worker->number, &outer, true);
        lock_threads_acquire(worker->threads, worker->number, &inner, true);
        lock_threads_let_go(worker->threads, worker->number, inner.lock, inner.mode);
        lock_threads_let_go(worker->threads, worker->number, outer.lock, outer.mode);
    }
    return NULL;
}

static void test_at_the_same_time(void **state)
{
    (void)state;
    struct lock_order_options options;
    lock_order_options_default(&options);
    struct run run = {.location = 0};
    lock_threads_init(&run.threads, &options);
    struct worker workers[WORKERS];
    pthread_t threads[WORKERS];
    for (unsigned index = 0; index < WORKERS; index++) {
        workers[index] = (struct worker){&run.threads, index};
        lock_threads_at(&run.threads, index);
    }
    for (unsigned index = 0; index < WORKERS; index++)
        assert_int_equal(pthread_create(&threads[index], NULL, work, &workers[index]), 0);
    for (unsigned turn = 0; turn < 20; turn++)
        lock_order_find(run.threads.order, note_cycle, &run);
    for (unsigned index = 0; index < WORKERS; index++)
        pthread_join(threads[index], NULL);
    lock_order_find(run.threads.order, note_cycle, &run);
    /* Everyone holds its own lock and wants the next one's. */
    assert_true(run.cycles > 0);
    lock_threads_release(&run.threads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inversion),
        cmocka_unit_test(test_stuck),
        cmocka_unit_test(test_went_on),
        cmocka_unit_test(test_gate),
        cmocka_unit_test(test_long_cycles),
        cmocka_unit_test(test_one_thread),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_try),
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_wait),
        cmocka_unit_test(test_one_report_per_place),
        cmocka_unit_test(test_eviction),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_lost_clock),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_at_the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
