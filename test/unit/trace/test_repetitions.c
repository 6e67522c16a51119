/*
 * Repeated accesses that a recorded run leaves out change nothing that is found in its trace.
 * TurnstileRecorder says what a repetition is; here the rule is written down once more, for events,
 * and as far as it goes: the recorder may keep more, because its marks are overwritten.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "trace/analysis_support.h"

enum { THREADS = 3, VARIABLES = 2, LINES = 2, EVENTS = 60, KEPT_IN_BLOCKS = 2 };

struct user {
    /* In this stretch, by line and kind of access; outside of blocks all lines are the first. */
    unsigned repeated[VARIABLES][LINES][2];
    bool others_wrote[VARIABLES]; /* since it last accessed the variable */
    bool others_used[VARIABLES];  /* since it last wrote it */
    unsigned depth;
};

static bool is_access(const struct trace_event *event)
{
    return event->kind == TRACE_READ || event->kind == TRACE_WRITE;
}

static void new_stretch(struct user *user)
{
    memset(user->repeated, 0, sizeof user->repeated);
}

static void note_for_others(struct user *users, const struct trace_event *event, bool write)
{
    const uint32_t variable = event->target - 1;
    for (uint32_t i = 0; i < THREADS; i++) {
        struct user *other = &users[i];
        if (i == event->thread - 1)
            continue;
        other->others_used[variable] = true;
        other->others_wrote[variable] |= write;
        for (unsigned line = 0; line < LINES; line++) {
            other->repeated[variable][line][1] = 0;
            if (write)
                other->repeated[variable][line][0] = 0;
        }
    }
}

static bool is_repetition(struct user *users, const struct trace_event *event, bool in_blocks)
{
    struct user *user = &users[event->thread - 1];
    const uint32_t variable = event->target - 1;
    const bool write = event->kind == TRACE_WRITE;
    const bool learns = write ? user->others_used[variable] : user->others_wrote[variable];
    const uint32_t line = user->depth ? event->location - 1 : 0;
    const unsigned kept = user->depth ? KEPT_IN_BLOCKS : 1;
    unsigned *repeated = &user->repeated[variable][line][write];
    note_for_others(users, event, write);
    user->others_wrote[variable] = false;
    if (write)
        user->others_used[variable] = false;
    if (*repeated >= kept && (in_blocks || !user->depth))
        return true;
    if (learns && !user->depth)
        new_stretch(user);
    ++*repeated;
    return false;
}

static size_t leave_out(struct trace_event *kept, const struct trace_event *events, size_t count,
                        bool in_blocks)
{
    struct user users[THREADS] = {0};
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        struct user *user = &users[events[i].thread - 1];
        if (is_access(&events[i])) {
            if (is_repetition(users, &events[i], in_blocks))
                continue;
        } else {
            user->depth += events[i].kind == TRACE_BEGIN;
            user->depth -= events[i].kind == TRACE_END && user->depth;
            new_stretch(user);
        }
        kept[left++] = events[i];
    }
    return left;
}

/* Few things, so that threads meet, and the same accesses again and again. What is impossible is
   put right by the check. The lines of accesses are theirs alone; a block is told by its line. */
static void make_events(struct trace_event *events, size_t count, uint64_t *random)
{
    static const enum trace_kind kinds[] = {TRACE_ACQUIRE,      TRACE_RELEASE,  TRACE_SYNC_RELEASE,
                                            TRACE_SYNC_ACQUIRE, TRACE_BEGIN,    TRACE_END,
                                            TRACE_BEGIN,        TRACE_FORK,     TRACE_JOIN,
                                            TRACE_HAND_OVER,    TRACE_TAKE_OVER};
    uint32_t thread = 1;
    for (size_t i = 0; i < count; i++) {
        const uint64_t drawn = support_random(random);
        const bool access = drawn % 100 < 85;
        const enum trace_kind kind = access ? (drawn >> 8 & 1 ? TRACE_WRITE : TRACE_READ)
                                            : kinds[(drawn >> 8) % (sizeof kinds / sizeof *kinds)];
        const bool block = kind == TRACE_BEGIN || kind == TRACE_END;
        const uint32_t many = kind == TRACE_FORK || kind == TRACE_JOIN ? THREADS : VARIABLES;
        if ((drawn >> 40) % 4 == 0)
            thread = 1 + (uint32_t)((drawn >> 48) % THREADS);
        events[i] = (struct trace_event){
            .thread = thread,
            .target = block ? 0 : 1 + (uint32_t)((drawn >> 16) % many),
            .location = access ? 1 + (uint32_t)((drawn >> 24) % LINES) : (uint32_t)i + 1 + LINES,
            .kind = kind,
        };
    }
}

static void make_names(struct trace_names *names)
{
    trace_names_init(names);
    for (uint32_t i = 1; i <= THREADS; i++)
        trace_names_add_thread(names, TEXT("thread"));
    for (uint32_t i = 1; i <= EVENTS + LINES; i++) {
        const struct trace_location location = {TEXT("A"), TEXT("m"), TEXT("A.java"), i, 0, false};
        trace_names_add_location(names, &location);
    }
    for (uint32_t i = 1; i <= VARIABLES; i++) {
        const struct trace_field field = {TEXT("A"), i == 1 ? TEXT("x") : TEXT("y"), TEXT("I")};
        trace_names_add_field(names, &field);
        trace_names_add_variables(names, i, 1);
        trace_names_add_lock(names, TEXT("lock"));
        trace_names_add_sync(names, TEXT("sync"));
    }
}

static void show(const struct trace_event *events, const struct trace_event *kept, size_t left)
{
    for (size_t i = 0, j = 0; i < EVENTS; i++) {
        const bool is_kept = j < left && memcmp(&kept[j], &events[i], sizeof *kept) == 0;
        j += is_kept;
        print_error("%s T%u %s(%u) at %u\n", is_kept ? " " : "-", events[i].thread,
                    trace_kind_name(events[i].kind), events[i].target, events[i].location);
    }
}

/* Analyzes random traces, whole and without repetitions. */
static void compare(const struct analysis_options *options, bool in_blocks, unsigned rounds)
{
    uint64_t random = 3;
    size_t omitted = 0, findings = 0;
    struct trace_names names;
    make_names(&names);
    for (unsigned round = 0; round < rounds; round++) {
        struct trace_event events[EVENTS], kept[EVENTS];
        struct builder whole, without;
        make_events(events, EVENTS, &random);
        const size_t left = leave_out(kept, events, EVENTS, in_blocks);
        struct support_origin all = {.events = events, .names = &names, .count = EVENTS};
        struct support_origin some = {.events = kept, .names = &names, .count = left};
        struct support_analysis of_all = {.options = *options}, of_some = {.options = *options};
        support_analyze(&of_all, &all);
        support_analyze(&of_some, &some);
        assert_true(of_all.done && of_some.done);
        support_outline_alike(&whole, &of_all, options->blocks);
        support_outline_alike(&without, &of_some, options->blocks);
        if (strcmp(builder_string(&whole), builder_string(&without)) != 0) {
            show(events, kept, left);
            print_error("whole:\n%swithout repetitions:\n%s", builder_string(&whole),
                        builder_string(&without));
            fail();
        }
        omitted += EVENTS - left;
        findings += of_all.findings.items.count;
        builder_release(&whole);
        builder_release(&without);
        support_analysis_release(&of_all);
        support_analysis_release(&of_some);
    }
    trace_names_release(&names);
    assert_true(omitted > rounds && findings > rounds / 2);
}

static void test_races(void **state)
{
    (void)state;
    const struct analysis_options options = support_only(true, false, false);
    compare(&options, true, 800);
}

static void test_reduction(void **state)
{
    (void)state;
    struct analysis_options options = support_only(false, true, false);
    options.lock_order = true;
    compare(&options, true, 800);
}

static void test_all_engines(void **state)
{
    (void)state;
    struct analysis_options options;
    analysis_options_default(&options);
    compare(&options, false, 800);
}

/* Thread 1 reads x again and again, outside of blocks. Meanwhile thread 2 writes y in a block; when
   thread 1 has read that, its reads of x come behind the block's first step, and before its last.
   So the third read of x counts, as the second did not, and a fourth one would not. */
static void test_learning(void **state)
{
    enum { X = 1, Y = 2 };
    const struct trace_event events[] = {
        {1, 2, 10, 0, TRACE_FORK},  {1, X, 1, 0, TRACE_READ},  {1, X, 1, 0, TRACE_READ},
        {2, 0, 11, 0, TRACE_BEGIN}, {2, Y, 2, 0, TRACE_WRITE}, {1, Y, 2, 0, TRACE_READ},
        {1, X, 1, 0, TRACE_READ},   {1, X, 1, 0, TRACE_READ},  {1, X, 1, 0, TRACE_READ},
        {2, X, 1, 0, TRACE_WRITE},  {2, 0, 12, 0, TRACE_END},
    };
    enum { COUNT = sizeof events / sizeof *events };
    struct trace_event kept[COUNT];
    struct trace_names names;
    (void)state;
    make_names(&names);
    const size_t left = leave_out(kept, events, COUNT, true);
    assert_int_equal(left, COUNT - 3); /* the second, fourth and fifth read of x */
    struct support_origin origin = {.events = kept, .names = &names, .count = left};
    struct support_analysis analysis = {.options = support_only(false, true, false)};
    support_analyze(&analysis, &origin);
    assert_non_null(strstr(builder_string(&analysis.outline), "atomicity observed"));
    support_analysis_release(&analysis);
    trace_names_release(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_races),
        cmocka_unit_test(test_reduction),
        cmocka_unit_test(test_all_engines),
        cmocka_unit_test(test_learning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
