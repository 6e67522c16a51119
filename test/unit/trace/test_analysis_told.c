/*
 * Uses of variables and locks that the analysis leaves out because they are like others
 * (analysis_told.h), and accesses of guarded variables that it does not tell of at all: random
 * traces are analyzed with all of it left out, and thoroughly. Reduction finds the same. With fewer
 * edges another block of a cycle may be blamed; but there is a cycle if and only if there was one.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "engine/mover.h"
#include "trace/analysis_support.h"

enum { THREADS = 7, LOCKS = 3, VARIABLES = 6, EVENTS = 240 };

struct held {
    uint32_t lock;
    bool shared;
};

/* What a thread has open. */
struct user {
    struct held held[2];
    unsigned held_count;
    unsigned depth;        /* of blocks */
    struct trace_event at; /* a release that is only half of a call */
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
    return user->held[below(random, user->held_count)].lock + (below(random, 2) ? LOCKS : 0);
}

static void acquire(struct user *user, uint64_t *random, struct trace_event *event)
{
    const struct held held = {1 + below(random, LOCKS), !below(random, 4)};
    user->held[user->held_count++] = held;
    event->kind = held.shared ? TRACE_ACQUIRE_SHARED : TRACE_ACQUIRE;
    event->target = held.lock;
}

/* Not always the last one: who has a lock in both modes may keep either. */
static void release(struct user *user, uint64_t *random, struct trace_event *event)
{
    const unsigned which = below(random, user->held_count);
    event->kind = user->held[which].shared ? TRACE_RELEASE_SHARED : TRACE_RELEASE;
    event->target = user->held[which].lock;
    user->held[which] = user->held[--user->held_count];
}

static void synchronize(struct user *user, uint64_t *random, struct trace_event *event)
{
    event->kind = below(random, 2) ? TRACE_SYNC_RELEASE : TRACE_SYNC_ACQUIRE;
    event->target = 1 + below(random, 2);
    if (event->kind == TRACE_SYNC_RELEASE && !below(random, 3))
        user->at = *event;
}

static struct trace_event make_event(struct user *user, uint64_t *random, uint32_t threads,
                                     uint32_t careless)
{
    const uint32_t drawn = below(random, 100);
    struct trace_event event = {.kind = below(random, 3) ? TRACE_READ : TRACE_WRITE};
    if (drawn < 2) {
        event.kind = drawn ? TRACE_FORK : TRACE_JOIN;
        event.target = 1 + below(random, threads);
    } else if (drawn < 4) {
        synchronize(user, random, &event);
    } else if (drawn < 20 && user->held_count < 2) {
        acquire(user, random, &event);
    } else if (drawn < 35 && user->held_count) {
        release(user, random, &event);
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
    struct user users[THREADS + 1] = {{.held_count = 0}};
    const uint32_t threads = 2 + below(random, THREADS - 1), careless = below(random, 3) * 7;
    const uint32_t stays = 1 + below(random, 12);
    uint32_t thread = 1;
    for (size_t i = 0; i < count; i++) {
        if (!below(random, stays))
            thread = 1 + below(random, threads);
        struct user *user = &users[thread];
        events[i] = make_event(user, random, threads, careless);
        if (user->at.location) { /* the other half, at the same place */
            events[i] = user->at;
            events[i].kind = TRACE_SYNC_ACQUIRE;
            user->at = (struct trace_event){0};
            continue;
        }
        events[i].thread = thread;
        events[i].location = 1 + (uint32_t)i;
        if (user->at.target)
            user->at = events[i];
    }
    return count;
}

static void make_names(struct trace_names *names)
{
    trace_names_init(names);
    for (uint32_t i = 1; i <= THREADS; i++)
        trace_names_add_thread(names, TEXT("thread"));
    for (uint32_t i = 1; i <= EVENTS; i++) {
        const struct trace_location location = {TEXT("A"), TEXT("m"), TEXT("A.java"), i, 0, false};
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

/* `existence`: whether there is anything to find, not what. */
static void compare(struct analysis_options options, bool existence, unsigned rounds)
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
        support_outline_alike(&quick, &one, options.blocks);
        support_outline_alike(&thorough, &other, options.blocks);
        if (existence ? !quick.length != !thorough.length
                      : strcmp(builder_string(&quick), builder_string(&thorough)) != 0) {
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
    compare(options, false, 1500);
}

static void test_refinements(void **state)
{
    (void)state;
    for (unsigned left = 0; left < MOVER_REFINEMENTS; left++) {
        struct analysis_options options = support_only(false, true, false);
        options.observed = false;
        options.refinements = MOVER_ALL_REFINEMENTS & ~(UINT32_C(1) << left);
        compare(options, false, 300);
    }
}

static void test_cycles(void **state)
{
    (void)state;
    struct analysis_options options = support_only(false, false, false);
    options.observed = true;
    compare(options, true, 1500);
}

static void test_all_engines(void **state)
{
    (void)state;
    struct analysis_options options;
    analysis_options_default(&options);
    options.observed = false;
    compare(options, false, 800);
}

/* ---- by hand ---- */

static void expect_events(const struct trace_event *events, size_t count,
                          struct analysis_options options, const char *lines)
{
    struct trace_names names;
    make_names(&names);
    struct support_origin origin = {.events = events, .names = &names, .count = count};
    struct support_analysis analysis = {.options = options};
    support_analyze(&analysis, &origin);
    assert_true(analysis.done);
    assert_string_equal(builder_string(&analysis.outline), lines);
    support_analysis_release(&analysis);
    trace_names_release(&names);
}

#define EXPECT_EVENTS(events, options, lines)                                                      \
    expect_events((events), sizeof(events) / sizeof *(events), (options), (lines))

/* Lock 2 is taken with lock 1 only, but once given up with no more than a share of that: then it is
   not protected, and the block of thread 3, which takes it twice, can be broken in between. */
static void test_release_with_a_shared_guard(void **state)
{
    (void)state;
    const struct trace_event events[] = {
        {2, 1, 1, 0, TRACE_ACQUIRE},
        {2, 2, 2, 0, TRACE_ACQUIRE},
        {2, 2, 3, 0, TRACE_RELEASE},
        {2, 1, 4, 0, TRACE_RELEASE},
        {3, 1, 5, 0, TRACE_ACQUIRE},
        {3, 0, 6, 0, TRACE_BEGIN},
        {3, 2, 7, 0, TRACE_ACQUIRE},
        {3, 2, 8, 0, TRACE_RELEASE},
        {3, 2, 9, 0, TRACE_ACQUIRE},
        {3, 2, 10, 0, TRACE_RELEASE},
        {3, 0, 11, 0, TRACE_END},
        {3, 1, 12, 0, TRACE_RELEASE},
        {2, 1, 13, 0, TRACE_ACQUIRE},
        {2, 2, 14, 0, TRACE_ACQUIRE},
        {2, 1, 15, 0, TRACE_ACQUIRE_SHARED},
        {2, 1, 16, 0, TRACE_RELEASE},
        {2, 2, 17, 0, TRACE_RELEASE},
        {2, 1, 18, 0, TRACE_RELEASE_SHARED},
    };
    EXPECT_EVENTS(events, support_only(false, true, false),
                  "atomicity predicted m: entered 6, commits at 8, violated at 9, meanwhile "
                  "acquires 2\n");
}

/* Thread 4 learns what came before by a call that releases and acquires, as one step. So x is
   handed over to it, with all else that thread 2 did until then; but the transactions do not know
   of that call, only of x, that thread 4 came between the two steps of thread 2. */
static void test_cycle_by_one_step(void **state)
{
    enum { X = 1, Z = 2, S = 1 };
    struct analysis_options options = support_only(false, false, false);
    (void)state;
    options.observed = true;
    const struct trace_event events[] = {
        {3, 1, 1, 0, TRACE_ACQUIRE},      {3, X, 2, 0, TRACE_WRITE},
        {3, 1, 3, 0, TRACE_RELEASE},      {3, S, 4, 0, TRACE_SYNC_RELEASE},
        {2, 1, 5, 0, TRACE_ACQUIRE},      {2, 0, 6, 0, TRACE_BEGIN},
        {2, X, 7, 0, TRACE_WRITE},        {2, S, 8, 0, TRACE_SYNC_RELEASE},
        {4, S, 9, 0, TRACE_SYNC_RELEASE}, {4, S, 9, 0, TRACE_SYNC_ACQUIRE},
        {4, X, 10, 0, TRACE_WRITE},       {4, Z, 11, 0, TRACE_WRITE},
        {2, Z, 12, 0, TRACE_READ},        {2, 0, 13, 0, TRACE_END},
        {2, 1, 14, 0, TRACE_RELEASE},
    };
    EXPECT_EVENTS(events, options,
                  "atomicity observed m: entered 6, commits at 7, meanwhile write 10, violated at "
                  "12\n");
}

/* Once thread 2 has learned that thread 1 is done with x, it is alone with it; nothing can break
   the block, whether races are looked for or not. */
static void test_alone_since_it_learned(void **state)
{
    enum { X = 1, S = 1 };
    (void)state;
    const struct trace_event events[] = {
        {1, X, 1, 0, TRACE_WRITE}, {1, S, 2, 0, TRACE_SYNC_RELEASE},
        {2, X, 3, 0, TRACE_WRITE}, {2, S, 4, 0, TRACE_SYNC_ACQUIRE},
        {2, 0, 5, 0, TRACE_BEGIN}, {2, X, 6, 0, TRACE_READ},
        {2, X, 7, 0, TRACE_WRITE}, {2, 0, 8, 0, TRACE_END},
    };
    EXPECT_EVENTS(events, support_only(false, true, false), "");
    EXPECT_EVENTS(events, support_only(true, true, false), "race observed x: write 3, write 1\n");
}

static void add(struct trace_event *events, size_t *count, uint32_t thread, enum trace_kind kind,
                uint32_t target, uint32_t location)
{
    events[(*count)++] = (struct trace_event){
        .thread = thread, .target = target, .location = location, .kind = kind};
}

/* Locks 1 and 2 are held at two accesses of x; then so many other sets of locks come that these two
   are forgotten, and lock 3 is held at the third access, which comes between the steps of a block.
   It is not known then whether a lock guards x. */
static void test_forgotten_locks(void **state)
{
    enum { X = 1, Z = 2, Y = 3, MANY = 420 };
    static struct trace_event events[MANY * MANY / 2 * 5 + 100];
    struct analysis_options options = support_only(false, false, false);
    size_t count = 0;
    (void)state;
    for (uint32_t thread = 2; thread <= 3; thread++) {
        if (thread == 3)
            add(events, &count, thread, TRACE_BEGIN, 0, 1);
        add(events, &count, thread, TRACE_ACQUIRE, 1, 2);
        add(events, &count, thread, TRACE_ACQUIRE, 2, 2);
        add(events, &count, thread, TRACE_WRITE, X, 2 + thread);
        add(events, &count, thread, TRACE_RELEASE, 2, 2);
        add(events, &count, thread, TRACE_RELEASE, 1, 2);
    }
    for (uint32_t first = 3; first < MANY; first++) {
        for (uint32_t second = first + 1; second < MANY; second++) {
            add(events, &count, 4, TRACE_ACQUIRE, first, 2);
            add(events, &count, 4, TRACE_ACQUIRE, second, 2);
            add(events, &count, 4, TRACE_WRITE, Y, 2);
            add(events, &count, 4, TRACE_RELEASE, second, 2);
            add(events, &count, 4, TRACE_RELEASE, first, 2);
        }
    }
    add(events, &count, 4, TRACE_ACQUIRE, 3, 2);
    add(events, &count, 4, TRACE_WRITE, X, 10);
    add(events, &count, 4, TRACE_RELEASE, 3, 2);
    add(events, &count, 4, TRACE_WRITE, Z, 11);
    add(events, &count, 3, TRACE_READ, Z, 12);
    add(events, &count, 3, TRACE_END, 0, 1);
    options.observed = true;
    expect_events(events, count, options,
                  "atomicity observed m: entered 1, commits at 5, meanwhile write 10, violated at "
                  "12\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduction),
        cmocka_unit_test(test_refinements),
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_all_engines),
        cmocka_unit_test(test_release_with_a_shared_guard),
        cmocka_unit_test(test_cycle_by_one_step),
        cmocka_unit_test(test_alone_since_it_learned),
        cmocka_unit_test(test_forgotten_locks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
