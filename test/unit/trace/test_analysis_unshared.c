/*
 * Accesses of objects that nobody else knows yet: for blocks they are as if they were not there.
 * Random traces with such accesses in them are compared with the same traces without; what follows
 * a making, and what ends it, is told by hand.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "trace/analysis_support.h"

enum { THREADS = 4, LOCKS = 3, VARIABLES = 5, STEPS = 120, EVENTS = 2 * STEPS, UNHEARD = 1 };

static uint32_t below(uint64_t *random, uint32_t limit)
{
    return (uint32_t)(support_random(random) % limit);
}

/* `unshared`: by location, which are all the numbers up to EVENTS. */
static void make_names(struct trace_names *names, const bool *unshared)
{
    trace_names_init(names);
    for (uint32_t i = 1; i <= THREADS; i++)
        trace_names_add_thread(names, TEXT("thread"));
    for (uint32_t i = 1; i <= EVENTS; i++) {
        const struct trace_location location = {TEXT("A"), TEXT("m"), TEXT("A.java"),
                                                i,         0,         unshared && unshared[i]};
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

/* Two traces, which differ in accesses at unshared locations only. */
struct pair {
    struct trace_event with[EVENTS], without[EVENTS];
    size_t with_count, without_count;
    bool unshared[EVENTS + 1];
};

struct user {
    uint32_t held[2];
    unsigned held_count;
    bool in_block;
};

static struct trace_event make_event(struct user *user, uint64_t *random)
{
    const uint32_t drawn = below(random, 100);
    struct trace_event event = {.target = 1 + below(random, VARIABLES),
                                .kind = below(random, 2) ? TRACE_READ : TRACE_WRITE};
    if (drawn < 20 && user->held_count < 2) {
        event.kind = TRACE_ACQUIRE;
        event.target = 1 + below(random, LOCKS);
        user->held[user->held_count++] = event.target;
    } else if (drawn < 40 && user->held_count) {
        event.kind = TRACE_RELEASE;
        event.target = user->held[--user->held_count];
    } else if (drawn < 50) {
        event.kind = user->in_block ? TRACE_END : TRACE_BEGIN;
        event.target = 0;
        user->in_block = !user->in_block;
    }
    return event;
}

/* Behind each access that is only in one of the two comes a release that nobody acquires, in both:
   what the thread does then is no part of the making any more. What is impossible is put right by
   the analysis. */
static void make_pair(struct pair *pair, uint64_t *random)
{
    struct user users[THREADS + 1] = {{.held_count = 0}};
    *pair = (struct pair){.with_count = 0};
    const uint32_t steps = 10 + below(random, STEPS - 10);
    uint32_t location = 0, thread = 1;
    for (size_t i = 0; i < steps; i++) {
        if (!below(random, 4))
            thread = 1 + below(random, THREADS);
        struct trace_event event = make_event(&users[thread], random);
        event.thread = thread;
        event.location = ++location;
        const bool unshared = event.kind <= TRACE_WRITE && !below(random, 3);
        pair->with[pair->with_count++] = event;
        if (!unshared) {
            pair->without[pair->without_count++] = event;
            continue;
        }
        pair->unshared[location] = true;
        event = (struct trace_event){thread, UNHEARD, ++location, 0, TRACE_SYNC_RELEASE};
        pair->with[pair->with_count++] = event;
        pair->without[pair->without_count++] = event;
    }
}

/* What is said of blocks. */
static size_t analyze(struct builder *outline, const struct analysis_options *options,
                      const struct trace_names *names, const struct trace_event *events,
                      size_t count)
{
    struct support_origin origin = {.events = events, .names = names, .count = count};
    struct support_analysis analysis = {.options = *options};
    support_analyze(&analysis, &origin);
    assert_true(analysis.done);
    struct finding_list *list = &analysis.findings;
    size_t kept = 0;
    for (size_t i = 0; i < list->items.count; i++)
        if (list->items.items[i]->rule == FINDING_ATOMICITY)
            list->items.items[kept++] = list->items.items[i];
    list->items.count = kept;
    support_outline_alike(outline, &analysis, options->blocks);
    support_analysis_release(&analysis);
    return kept;
}

static void compare(struct analysis_options options)
{
    enum { ROUNDS = 1500 };
    uint64_t random = 41;
    size_t findings = 0, silent = 0, others = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        static struct pair pair;
        struct builder with, without, shared;
        struct trace_names names;
        make_pair(&pair, &random);
        make_names(&names, pair.unshared);
        const size_t found = analyze(&with, &options, &names, pair.with, pair.with_count);
        analyze(&without, &options, &names, pair.without, pair.without_count);
        assert_string_equal(builder_string(&with), builder_string(&without));
        trace_names_release(&names);
        /* That they are left out matters. */
        make_names(&names, NULL);
        analyze(&shared, &options, &names, pair.with, pair.with_count);
        others += strcmp(builder_string(&with), builder_string(&shared)) != 0;
        trace_names_release(&names);
        findings += found != 0;
        silent += found == 0;
        builder_release(&with);
        builder_release(&without);
        builder_release(&shared);
    }
    assert_true(findings > ROUNDS / 20 && silent > ROUNDS / 50 && others > ROUNDS / 20);
}

static void test_reduction(void **state)
{
    (void)state;
    compare(support_only(false, true, false));
}

static void test_blocks(void **state)
{
    (void)state;
    compare(support_only(false, false, true));
}

static void test_with_races(void **state)
{
    (void)state;
    compare(support_only(true, true, false));
}

/* ---- by hand ---- */

enum { X = 1, Y = 2, L = 1, M = 2, MAKING = 1 };

/* The locations MAKING and MAKING + 1 are unshared ones. */
static void expect_events(const struct trace_event *events, size_t count,
                          struct analysis_options options, const char *lines)
{
    bool unshared[EVENTS + 1] = {[MAKING] = true, [MAKING + 1] = true};
    struct trace_names names;
    make_names(&names, unshared);
    struct support_origin origin = {.events = events, .names = &names, .count = count};
    struct support_analysis analysis = {.options = options};
    support_analyze(&analysis, &origin);
    assert_true(analysis.done);
    assert_string_equal(builder_string(&analysis.outline), lines);
    support_analysis_release(&analysis);
    trace_names_release(&names);
}

#define EXPECT(events, options, lines)                                                             \
    expect_events((events), sizeof(events) / sizeof *(events), (options), (lines))

/* Thread 1 makes x, and uses it once more at `last`, before it lets go of the lock under which the
   others get to know it; thread 2 then reads it twice in a block, under a lock of its own. */
#define MADE_THEN_READ_TWICE(last)                                                                 \
    {1, L, 10, 0, TRACE_ACQUIRE}, {1, X, MAKING, 0, TRACE_WRITE}, last,                            \
        {1, L, 12, 0, TRACE_RELEASE}, {2, L, 13, 0, TRACE_ACQUIRE}, {2, L, 14, 0, TRACE_RELEASE},  \
        {2, 0, 15, 0, TRACE_BEGIN}, {2, M, 16, 0, TRACE_ACQUIRE}, {2, X, 17, 0, TRACE_READ},       \
        {2, X, 18, 0, TRACE_READ}, {2, M, 19, 0, TRACE_RELEASE}, {2, 0, 20, 0, TRACE_END},         \
        {3, M, 21, 0, TRACE_ACQUIRE}, {3, X, 22, 0, TRACE_WRITE},                                  \
    {                                                                                              \
        3, M, 23, 0, TRACE_RELEASE                                                                 \
    }

static void test_the_thread_goes_on_making(void **state)
{
    (void)state;
    const struct trace_event same[] = {
        MADE_THEN_READ_TWICE(((struct trace_event){1, X, 11, 0, TRACE_WRITE}))};
    EXPECT(same, support_only(false, false, true), "");
    EXPECT(same, support_only(false, true, false), "");
    /* Here it is another variable that was made, so x may be known. */
    struct trace_event other[sizeof same / sizeof *same];
    memcpy(other, same, sizeof same);
    other[1].target = Y;
    EXPECT(other, support_only(false, false, true),
           "atomicity predicted m: entered 15, commits at 17, meanwhile write 11, violated at "
           "18\n");
    /* And here another thread does it. */
    memcpy(other, same, sizeof same);
    other[2].thread = 3;
    EXPECT(other, support_only(false, false, true),
           "atomicity predicted m: entered 15, commits at 17, meanwhile write 11, violated at "
           "18\n");
}

/* Whatever may let others know ends the making. */
static void test_releases_end_the_making(void **state)
{
    static const enum trace_kind ends[] = {TRACE_RELEASE, TRACE_RELEASE_SHARED, TRACE_SYNC_RELEASE,
                                           TRACE_FORK};
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const uint32_t target = ends[i] == TRACE_FORK ? 4 : 3;
        const enum trace_kind begins =
            ends[i] == TRACE_RELEASE_SHARED ? TRACE_ACQUIRE_SHARED : TRACE_ACQUIRE;
        const bool locks = ends[i] == TRACE_RELEASE || ends[i] == TRACE_RELEASE_SHARED;
        const struct trace_event events[] = {
            {1, locks ? 3 : 0, 8, 0, begins},
            {1, X, MAKING, 0, TRACE_WRITE},
            {1, target, 9, 0, ends[i]},
            MADE_THEN_READ_TWICE(((struct trace_event){1, X, 11, 0, TRACE_WRITE}))};
        struct trace_event known[sizeof events / sizeof *events];
        memcpy(known, events, sizeof events);
        known[4].target = Y; /* what is made under the lock is something else */
        EXPECT(events, support_only(false, false, true), "");
        EXPECT(known, support_only(false, false, true),
               "atomicity predicted m: entered 15, commits at 17, meanwhile write 11, violated at "
               "18\n");
    }
}

/* An object that is published by a race can be seen while it is made. */
static void test_races_stay(void **state)
{
    (void)state;
    const struct trace_event events[] = {
        {1, X, MAKING, 0, TRACE_WRITE},
        {2, X, 3, 0, TRACE_READ},
    };
    EXPECT(events, support_only(true, true, false), "race observed x: read 3, write 1\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduction),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_with_races),
        cmocka_unit_test(test_the_thread_goes_on_making),
        cmocka_unit_test(test_releases_end_the_making),
        cmocka_unit_test(test_races_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
