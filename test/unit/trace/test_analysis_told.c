/*
 * Uses of variables and locks that the analysis leaves out because they are like others (
 * analysis_told.h), and accesses of guarded variables that it does not tell of at all, change
 * nothing that is found: random traces are analyzed with all of it left out, and thoroughly.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "trace/analysis_support.h"

enum { THREADS = 7, LOCKS = 3, VARIABLES = 6, EVENTS = 240 };

/* What a thread has open. */
struct user {
    uint32_t held[2];
    unsigned held_count;
    unsigned depth; /* of blocks */
};

static uint32_t below(uint64_t *random, uint32_t limit)
{
    return (uint32_t)(support_random(random) % limit);
}

/* Mostly one that a lock of the thread guards: number i belongs to lock i. */
static uint32_t choose_variable(const struct user *user, uint64_t *random, uint32_t careless)
{
    const uint32_t any = 1 + below(random, VARIABLES);
    if (!user->held_count || below(random, 100) < careless)
        return any;
    return user->held[below(random, user->held_count)] + (below(random, 2) ? LOCKS : 0);
}

static struct trace_event make_event(struct user *user, uint64_t *random, uint32_t threads,
                                     uint32_t careless)
{
    const uint32_t drawn = below(random, 100);
    struct trace_event event = {.kind = below(random, 3) ? TRACE_READ : TRACE_WRITE};
    if (drawn < 3) {
        event.kind = drawn == 0 ? TRACE_FORK : drawn == 1 ? TRACE_SYNC_RELEASE : TRACE_SYNC_ACQUIRE;
        event.target = drawn == 0 ? 1 + below(random, threads) : 1 + below(random, 2);
    } else if (drawn < 4) {
        event.kind = TRACE_JOIN;
        event.target = 1 + below(random, threads);
    } else if (drawn < 20 && user->held_count < 2) {
        event.kind = TRACE_ACQUIRE;
        event.target = user->held[user->held_count++] = 1 + below(random, LOCKS);
    } else if (drawn < 35 && user->held_count) {
        event.kind = TRACE_RELEASE;
        event.target = user->held[--user->held_count];
    } else if (drawn < 42 && user->depth < 2) {
        event.kind = TRACE_BEGIN;
        user->depth++;
    } else if (drawn < 48 && user->depth) {
        event.kind = TRACE_END;
        user->depth--;
    } else if (user->held_count || below(random, 100) < careless) {
        event.target = choose_variable(user, random, careless);
    } else {
        event.target = 1 + below(random, VARIABLES);
        event.kind = TRACE_READ;
    }
    return event;
}

/* What is impossible is put right by the analysis. How many there are. */
static size_t make_events(struct trace_event *events, uint64_t *random)
{
    const size_t count = 20 + below(random, EVENTS - 19);
    struct user users[THREADS + 1] = {{.depth = 0}};
    const uint32_t threads = 2 + below(random, THREADS - 1), careless = below(random, 3) * 7;
    const uint32_t stays = 1 + below(random, 12);
    uint32_t thread = 1;
    for (size_t i = 0; i < count; i++) {
        if (!below(random, stays))
            thread = 1 + below(random, threads);
        events[i] = make_event(&users[thread], random, threads, careless);
        events[i].thread = thread;
        events[i].location = 1 + (uint32_t)i;
    }
    return count;
}

static void make_names(struct trace_names *names)
{
    trace_names_init(names);
    for (uint32_t i = 1; i <= THREADS; i++)
        trace_names_add_thread(names, TEXT("thread"));
    for (uint32_t i = 1; i <= EVENTS; i++) {
        const struct trace_location location = {TEXT("A"), TEXT("m"), TEXT("A.java"), i, 0};
        trace_names_add_location(names, &location);
    }
    for (uint32_t i = 1; i <= VARIABLES; i++) {
        const struct trace_field field = {TEXT("A"), TEXT("x"), TEXT("I")};
        trace_names_add_field(names, &field);
        trace_names_add_variables(names, i, 1);
        trace_names_add_lock(names, TEXT("lock"));
        trace_names_add_sync(names, TEXT("sync"));
    }
}

static void show(const struct trace_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        print_error("T%u %s(%u) at %u\n", events[i].thread, trace_kind_name(events[i].kind),
                    events[i].target, events[i].location);
}

static void compare(struct analysis_options options, unsigned rounds)
{
    uint64_t random = 29;
    size_t findings = 0, silent = 0;
    struct trace_names names;
    make_names(&names);
    for (unsigned round = 0; round < rounds; round++) {
        struct trace_event events[EVENTS];
        struct builder quick, thorough;
        struct support_origin origin = {
            .events = events, .names = &names, .count = make_events(events, &random)};
        struct support_analysis one = {.options = options}, other = {.options = options};
        other.options.thorough = true;
        support_analyze(&one, &origin);
        support_analyze(&other, &origin);
        assert_true(one.done && other.done);
        support_outline_alike(&quick, &one, options.observed);
        support_outline_alike(&thorough, &other, options.observed);
        if (strcmp(builder_string(&quick), builder_string(&thorough)) != 0) {
            show(events, origin.count);
            print_error("thorough:\n%swith what is alike left out:\n%s", builder_string(&thorough),
                        builder_string(&quick));
            fail();
        }
        findings += one.findings.items.count != 0;
        silent += one.findings.items.count == 0;
        builder_release(&quick);
        builder_release(&thorough);
        support_analysis_release(&one);
        support_analysis_release(&other);
    }
    trace_names_release(&names);
    assert_true(findings > rounds / 8 && silent > rounds / 50);
}

static void test_reduction(void **state)
{
    (void)state;
    struct analysis_options options = support_only(false, true, false);
    options.observed = false; /* so that nothing speaks for what reduction does not see */
    compare(options, 1500);
}

static void test_cycles(void **state)
{
    (void)state;
    struct analysis_options options = support_only(false, false, false);
    options.observed = true;
    compare(options, 1500);
}

static void test_all(void **state)
{
    (void)state;
    struct analysis_options options;
    analysis_options_default(&options);
    compare(options, 800);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduction),
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
