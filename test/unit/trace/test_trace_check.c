#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "trace/trace_check.h"
#include "trace_support.h"

/* Events are written t KIND target: {thread, target, location, stack, kind}. */
#define E(thread, kind, target)                                                                    \
    {                                                                                              \
        thread, target, 0, 0, TRACE_##kind                                                         \
    }

enum { EVENTS_MAX = 16 };

struct example {
    const char *reason; /* NULL: it can have happened */
    size_t count;
    struct trace_event events[EVENTS_MAX];
};

static void make_names(struct trace_names *names)
{
    trace_names_init(names);
    assert_int_equal(trace_names_add_thread(names, TEXT("main")), 1);
    assert_int_equal(trace_names_add_thread(names, TEXT("worker")), 2);
    assert_int_equal(trace_names_add_lock(names, TEXT("m")), 1);
}

static const struct example examples[] = {
    {NULL, 4, {E(1, ACQUIRE, 1), E(1, ACQUIRE, 1), E(1, RELEASE, 1), E(1, RELEASE, 1)}},
    {NULL, 4, {E(1, ACQUIRE, 1), E(1, RELEASE, 1), E(2, ACQUIRE, 1), E(2, RELEASE, 1)}},
    {NULL, 4, {E(1, ACQUIRE, 1), E(2, ACQUIRE, 2), E(1, RELEASE, 1), E(2, RELEASE, 2)}},
    {"event 1: thread main releases lock m, which it does not hold", 1, {E(1, RELEASE, 1)}},
    {"event 3: thread main releases lock m, which it does not hold",
     3,
     {E(1, ACQUIRE, 1), E(1, RELEASE, 1), E(1, RELEASE, 1)}},
    {"event 2: thread worker releases lock m, which it does not hold",
     2,
     {E(1, ACQUIRE, 1), E(2, RELEASE, 1)}},
    {"event 2: thread worker acquires lock m, which thread main holds",
     2,
     {E(1, ACQUIRE, 1), E(2, ACQUIRE, 1)}},
    {"event 4: thread worker acquires lock m, which thread main holds",
     4,
     {E(1, ACQUIRE, 1), E(1, ACQUIRE, 1), E(1, RELEASE, 1), E(2, ACQUIRE, 1)}},

    /* Sharing. */
    {NULL,
     6,
     {E(1, ACQUIRE_SHARED, 1), E(2, ACQUIRE_SHARED, 1), E(1, RELEASE_SHARED, 1),
      E(2, RELEASE_SHARED, 1), E(1, ACQUIRE, 1), E(1, ACQUIRE_SHARED, 1)}},
    {"event 3: thread worker acquires lock m, which thread main holds",
     3,
     {E(1, ACQUIRE_SHARED, 1), E(2, READ, 1), E(2, ACQUIRE, 1)}},
    {"event 2: thread worker acquires lock m, which thread main holds",
     2,
     {E(1, ACQUIRE, 1), E(2, ACQUIRE_SHARED, 1)}},
    {"event 2: thread main releases lock m, which it does not hold",
     2,
     {E(1, ACQUIRE_SHARED, 1), E(1, RELEASE, 1)}},
    {"event 2: thread main releases lock m, which it does not hold",
     2,
     {E(1, ACQUIRE, 1), E(1, RELEASE_SHARED, 1)}},
    /* The only reader may become a writer. */
    {NULL, 2, {E(1, ACQUIRE_SHARED, 1), E(1, ACQUIRE, 1)}},

    /* Waiting. */
    {NULL,
     9,
     {E(1, ACQUIRE, 1), E(1, ACQUIRE, 1), E(1, WAIT, 1), E(2, ACQUIRE, 1), E(2, RELEASE, 1),
      E(1, WAITED, 1), E(1, RELEASE, 1), E(1, RELEASE, 1), E(2, ACQUIRE, 1)}},
    {"event 3: thread main releases lock m, which it does not hold",
     3,
     {E(1, ACQUIRE, 1), E(1, WAIT, 1), E(1, RELEASE, 1)}},
    {"event 1: thread main waits on lock m, which it does not hold", 1, {E(1, WAIT, 1)}},
    {"event 2: thread main has waited on lock m, but did not wait",
     2,
     {E(1, ACQUIRE, 1), E(1, WAITED, 1)}},
    {"event 4: thread main has waited on lock m, which thread worker holds",
     4,
     {E(1, ACQUIRE, 1), E(1, WAIT, 1), E(2, ACQUIRE, 1), E(1, WAITED, 1)}},
    {"event 6: thread worker acquires lock m, which thread main holds",
     6,
     {E(1, ACQUIRE, 1), E(1, ACQUIRE, 1), E(1, WAIT, 1), E(1, WAITED, 1), E(1, RELEASE, 1),
      E(2, ACQUIRE, 1)}},

    /* Threads. */
    {NULL, 4, {E(1, FORK, 2), E(2, WRITE, 1), E(1, JOIN, 2), E(1, JOIN, 2)}},
    {NULL, 2, {E(2, WRITE, 1), E(1, WRITE, 1)}},
    {NULL, 4, {E(1, FORK, 2), E(2, ACQUIRE, 1), E(1, JOIN, 2), E(1, ACQUIRE, 1)}},
    {NULL, 4, {E(1, FORK, 2), E(2, ACQUIRE_SHARED, 1), E(1, JOIN, 2), E(1, ACQUIRE, 1)}},
    {"event 2: thread main forks thread worker, which has run already",
     2,
     {E(2, WRITE, 1), E(1, FORK, 2)}},
    {"event 2: thread main forks thread worker, which has run already",
     2,
     {E(1, FORK, 2), E(1, FORK, 2)}},
    {"event 3: thread worker was joined before, so it has ended",
     3,
     {E(1, FORK, 2), E(1, JOIN, 2), E(2, READ, 1)}},
    {"event 1: thread main forks itself", 1, {E(1, FORK, 1)}},
    {"event 1: thread main joins itself", 1, {E(1, JOIN, 1)}},
    {"event 1: it has no thread", 1, {E(0, READ, 1)}},

    /* Blocks. */
    {NULL, 4, {E(1, BEGIN, 1), E(1, BEGIN, 2), E(1, END, 2), E(1, END, 1)}},
    {NULL, 4, {E(1, BEGIN, 0), E(1, BEGIN, 2), E(1, END, 0), E(1, END, 1)}},
    {"event 1: thread main ends a block that it did not begin", 1, {E(1, END, 1)}},
    {"event 2: thread worker ends a block that it did not begin",
     2,
     {E(1, BEGIN, 1), E(2, END, 1)}},
    {"event 3: thread main ends a block before the one that it began last",
     3,
     {E(1, BEGIN, 1), E(1, BEGIN, 2), E(1, END, 1)}},
    {"event 2: thread main ends a block that it did not begin", 2, {E(1, BEGIN, 1), E(1, END, 2)}},

    /* Of what is not known, nothing is said. */
    {NULL, 4, {E(1, RELEASE, 0), E(1, ACQUIRE, 0), E(2, ACQUIRE, 0), E(1, FORK, 0)}},
};

static void impossible_events_are_explained(void **state)
{
    (void)state;
    struct trace_names names;
    make_names(&names);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *example = &examples[i];
        struct trace_check check;
        trace_check_init(&check, &names, false);
        for (size_t j = 0; j < example->count; j++) {
            const bool last = example->reason && j == example->count - 1;
            assert_int_equal(trace_check_event(&check, &example->events[j], 0),
                             last ? TRACE_CHECK_IMPOSSIBLE : TRACE_CHECK_FINE);
        }
        if (example->reason)
            assert_string_equal(check.problem.reason, example->reason);
        assert_int_equal(check.problem.set, example->reason != NULL);
        trace_check_release(&check);
    }
    trace_names_release(&names);
}

static void lines_and_numbers_stand_in_for_what_has_no_name(void **state)
{
    (void)state;
    struct trace_names names;
    trace_names_init(&names);
    names.plain = true;
    struct trace_check check;
    trace_check_init(&check, &names, false);
    const struct trace_event begin = E(1, BEGIN, 1), end = E(1, END, 2), release = E(7, RELEASE, 9);
    /* In STD files the names of begin and end mean nothing. */
    assert_int_equal(trace_check_event(&check, &begin, 10), TRACE_CHECK_FINE);
    assert_int_equal(trace_check_event(&check, &end, 11), TRACE_CHECK_FINE);
    assert_int_equal(trace_check_event(&check, &release, 12), TRACE_CHECK_IMPOSSIBLE);
    assert_string_equal(check.problem.reason,
                        "line 12: thread 7 releases lock 9, which it does not hold");
    trace_check_release(&check);
    trace_names_release(&names);
}

/*
 * Lenient checks.
 */
struct list {
    const struct trace_event *events;
    size_t count, given;
};

static size_t give_events(void *context, struct trace_event *events, size_t capacity)
{
    struct list *list = context;
    size_t count = 0;
    while (count < capacity && list->given < list->count)
        events[count++] = list->events[list->given++];
    return count;
}

static const struct {
    size_t before, after;
    struct trace_event events[EVENTS_MAX];
    struct trace_event fixed[EVENTS_MAX];
} repairs[] = {
    {2, 1, {E(1, RELEASE, 1), E(1, READ, 1)}, {E(1, READ, 1)}},
    {3, 2, {E(1, WAIT, 1), E(1, WAITED, 1), E(2, READ, 1)}, {E(1, ACQUIRE, 1), E(2, READ, 1)}},
    {3,
     5,
     {E(1, ACQUIRE, 1), E(1, ACQUIRE, 1), E(2, ACQUIRE, 1)},
     {E(1, ACQUIRE, 1), E(1, ACQUIRE, 1), E(1, RELEASE, 1), E(1, RELEASE, 1), E(2, ACQUIRE, 1)}},
    {3,
     5,
     {E(1, ACQUIRE_SHARED, 1), E(3, ACQUIRE_SHARED, 1), E(2, ACQUIRE, 1)},
     {E(1, ACQUIRE_SHARED, 1), E(3, ACQUIRE_SHARED, 1), E(1, RELEASE_SHARED, 1),
      E(3, RELEASE_SHARED, 1), E(2, ACQUIRE, 1)}},
    {4,
     5,
     {E(1, ACQUIRE, 1), E(1, WAIT, 1), E(2, ACQUIRE, 1), E(1, WAITED, 1)},
     {E(1, ACQUIRE, 1), E(1, WAIT, 1), E(2, ACQUIRE, 1), E(2, RELEASE, 1), E(1, WAITED, 1)}},
    {3, 2, {E(2, READ, 1), E(1, FORK, 2), E(2, READ, 1)}, {E(2, READ, 1), E(2, READ, 1)}},
    {3, 2, {E(1, FORK, 2), E(1, JOIN, 2), E(2, READ, 1)}, {E(1, FORK, 2), E(1, JOIN, 2)}},
    {2, 1, {E(1, END, 1), E(1, READ, 1)}, {E(1, READ, 1)}},
    {4,
     5,
     {E(1, BEGIN, 1), E(1, BEGIN, 2), E(1, BEGIN, 3), E(1, END, 2)},
     {E(1, BEGIN, 1), E(1, BEGIN, 2), E(1, BEGIN, 3), E(1, END, 3), E(1, END, 2)}},
};

static void lenient_checks_repair(void **state)
{
    (void)state;
    struct trace_names names;
    make_names(&names);
    for (size_t i = 0; i < sizeof repairs / sizeof *repairs; i++) {
        struct list list = {repairs[i].events, repairs[i].before, 0};
        struct trace_source source, checked;
        struct trace_event event = {0};
        struct trace_check check;
        trace_check_init(&check, &names, true);
        assert_true(trace_generate(&source, &names, give_events, &list));
        assert_true(trace_check_source(&checked, &source, &check));
        const size_t expected = repairs[i].after;
        for (size_t j = 0; j < expected; j++) {
            assert_int_equal(trace_next(&checked, &event), TRACE_EVENT);
            assert_true(support_same_event(&event, &repairs[i].fixed[j]));
        }
        assert_int_equal(trace_next(&checked, &event), TRACE_FINISHED);
        assert_true(check.problem.set);
        assert_int_equal(check.events, repairs[i].before);
        assert_int_equal(check.events - check.left_out + check.added, expected);
        assert_int_equal(check.changed, repairs[i].events[1].kind == TRACE_WAITED);
        trace_close(&checked);
        trace_close(&source);
        trace_check_release(&check);
    }
    trace_names_release(&names);
}

/* Whatever a lenient check lets through passes a strict one. */
static void lenient_checks_make_possible_traces(void **state)
{
    (void)state;
    struct trace_names names;
    make_names(&names);
    uint64_t random = 77;
    for (int round = 0; round < 300; round++) {
        struct support_trace trace;
        support_trace_random(&trace, 2000, 2 + (uint32_t)round % 6, &random);
        for (size_t i = 0; i < trace.count; i++) {
            trace.events[i].target %= 6;
            /* Joins end most threads soon: few of them. */
            if (trace.events[i].kind == TRACE_JOIN && support_random(&random) % 50)
                trace.events[i].kind = TRACE_WRITE;
        }
        struct list list = {trace.events, trace.count, 0};
        struct trace_source source, lenient_source, strict_source;
        struct trace_check lenient, strict;
        trace_check_init(&lenient, &names, true);
        trace_check_init(&strict, &names, false);
        assert_true(trace_generate(&source, &names, give_events, &list));
        assert_true(trace_check_source(&lenient_source, &source, &lenient));
        assert_true(trace_check_source(&strict_source, &lenient_source, &strict));
        struct trace_event event = {0};
        enum trace_status status;
        while ((status = trace_next(&strict_source, &event)) == TRACE_EVENT)
            ;
        if (status != TRACE_FINISHED)
            print_error("%s\n", strict.problem.reason);
        assert_int_equal(status, TRACE_FINISHED);
        assert_int_equal(trace_delivered(&strict_source),
                         trace.count - lenient.left_out + lenient.added);
        trace_close(&strict_source);
        trace_close(&lenient_source);
        trace_close(&source);
        trace_check_release(&lenient);
        trace_check_release(&strict);
        support_trace_free(&trace);
    }
    trace_names_release(&names);
}

static bool check_some(void *context)
{
    const struct trace_names *names = context;
    struct trace_check check;
    trace_check_init(&check, names, true);
    bool all = true;
    uint64_t random = 4;
    for (size_t i = 0; all && i < 200; i++) {
        const struct trace_event event = {
            1 + (uint32_t)(support_random(&random) % 20), (uint32_t)(support_random(&random) % 20),
            0, 0, (enum trace_kind)(support_random(&random) % TRACE_KIND_COUNT)};
        all = trace_check_event(&check, &event, 0) != TRACE_CHECK_NO_MEMORY;
    }
    if (!all)
        assert_non_null(strstr(check.problem.reason, "memory"));
    trace_check_release(&check);
    return all;
}

static void missing_memory_is_survived(void **state)
{
    (void)state;
    struct trace_names names;
    make_names(&names);
    assert_true(support_fail_each_request(check_some, &names) > 10);
    trace_names_release(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_events_are_explained),
        cmocka_unit_test(lines_and_numbers_stand_in_for_what_has_no_name),
        cmocka_unit_test(lenient_checks_repair),
        cmocka_unit_test(lenient_checks_make_possible_traces),
        cmocka_unit_test(missing_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
