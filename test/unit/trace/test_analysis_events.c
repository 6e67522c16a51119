/* Events that STD has no word for, names and stacks, damage, and what never must fail. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "engine/blocks.h"
#include "engine/transactions.h"
#include "trace/analysis_support.h"
#include "trace/trace_check.h"
#include "trace/trace_support.h"

/* A table with names for threads, variables and so on with small numbers, and 99 lines. */
static void make_names(struct trace_names *names)
{
    static const struct trace_field field = {{"Account", 7}, {"balance", 7}, {"I", 1}};
    static const struct trace_block block = {{"Account", 7}, {"move", 4}, 1};
    trace_names_init(names);
    assert_int_equal(trace_names_add_field(names, &field), 1);
    assert_int_equal(trace_names_add_variables(names, 1, 8), 1);
    for (uint32_t i = 1; i < 100; i++) {
        const struct trace_location location = {
            TEXT("Account"), TEXT("run"), TEXT("Account.java"), i, 0, false};
        assert_int_equal(trace_names_add_location(names, &location), i);
    }
    assert_int_equal(trace_names_add_block(names, &block), 1);
    for (uint32_t i = 1; i <= 4; i++) {
        trace_names_add_thread(names, TEXT("worker"));
        trace_names_add_lock(names, TEXT("Account@1"));
        trace_names_add_sync(names, TEXT("counter"));
    }
}

#define EVENT(thread, kind, target, location)                                                      \
    {                                                                                              \
        (thread), (target), (location), 0, (kind)                                                  \
    }

#define expect_events(events, options, lines)                                                      \
    support_expect_events((events), sizeof(events) / sizeof *(events), (options), (lines),         \
                          __FILE__, __LINE__)

static void support_expect_events(const struct trace_event *events, size_t count,
                                  struct analysis_options options, const char *lines,
                                  const char *file, int line)
{
    struct trace_names names;
    make_names(&names);
    struct support_origin origin = {.events = events, .names = &names, .count = count};
    struct support_analysis analysis = {.options = options};
    support_analyze(&analysis, &origin);
    assert_true(analysis.done);
    assert_int_equal(analysis.result.counts.events, count);
    if (strcmp(builder_string(&analysis.outline), lines) != 0 || analysis.result.impossible.set) {
        print_error("expected:\n%sgot:\n%s%s\n", lines, builder_string(&analysis.outline),
                    analysis.result.impossible.reason);
        _fail(file, line);
    }
    support_analysis_release(&analysis);
    trace_names_release(&names);
}

/* The block gives its lock up to wait. What comes behind is another transaction, so that the other
   thread's write in between violates nothing; with a release and an acquire it does. */
static void test_wait(void **state)
{
    struct trace_event events[] = {
        EVENT(1, TRACE_FORK, 2, 1),     EVENT(1, TRACE_BEGIN, 1, 10),
        EVENT(1, TRACE_ACQUIRE, 1, 11), EVENT(1, TRACE_READ, 1, 12),
        EVENT(1, TRACE_WAIT, 1, 13),    EVENT(2, TRACE_ACQUIRE, 1, 20),
        EVENT(2, TRACE_WRITE, 1, 21),   EVENT(2, TRACE_RELEASE, 1, 22),
        EVENT(1, TRACE_WAITED, 1, 13),  EVENT(1, TRACE_WRITE, 1, 14),
        EVENT(1, TRACE_RELEASE, 1, 15), EVENT(1, TRACE_END, 1, 16),
    };
    (void)state;
    expect_events(events, support_only(true, true, true), "");
    events[4].kind = TRACE_RELEASE;
    events[8].kind = TRACE_ACQUIRE;
    expect_events(events, support_only(true, true, false),
                  "atomicity observed move: entered 10, commits at 13, violated at 13, "
                  "meanwhile acquires 20\n");
}

/* An update of an atomic is one step that acquires and releases; get and set are two. */
static void test_atomics(void **state)
{
    struct trace_event events[] = {
        EVENT(1, TRACE_FORK, 2, 1),          EVENT(1, TRACE_BEGIN, 1, 10),
        EVENT(1, TRACE_SYNC_ACQUIRE, 1, 11), EVENT(1, TRACE_SYNC_RELEASE, 1, 11),
        EVENT(1, TRACE_END, 1, 12),          EVENT(2, TRACE_SYNC_ACQUIRE, 1, 20),
        EVENT(2, TRACE_SYNC_RELEASE, 1, 20),
    };
    (void)state;
    expect_events(events, support_only(true, true, false), "");
    events[3].location = 13;
    expect_events(events, support_only(true, true, false),
                  "atomicity predicted move: entered 10, commits at 11, violated at 13\n");
    /* If the other thread uses another one, nobody can notice. */
    events[5].target = events[6].target = 2;
    expect_events(events, support_only(true, true, false), "");
}

/* Readers share the lock: no race with a writer that has it alone, one with a writer that shares.
 */
static void test_shared_locks(void **state)
{
    struct trace_event events[] = {
        EVENT(1, TRACE_FORK, 2, 1),
        EVENT(1, TRACE_ACQUIRE_SHARED, 1, 10),
        EVENT(2, TRACE_ACQUIRE_SHARED, 1, 20),
        EVENT(1, TRACE_READ, 1, 11),
        EVENT(2, TRACE_READ, 1, 21),
        EVENT(1, TRACE_RELEASE_SHARED, 1, 12),
        EVENT(2, TRACE_RELEASE_SHARED, 1, 22),
        EVENT(1, TRACE_ACQUIRE, 1, 13),
        EVENT(1, TRACE_WRITE, 1, 14),
        EVENT(1, TRACE_RELEASE, 1, 15),
    };
    (void)state;
    expect_events(events, support_only(true, true, true), "");
    events[4].kind = TRACE_WRITE;
    expect_events(events, support_only(true, false, false),
                  "race predicted balance: write 14, write 21\n"
                  "race observed balance: write 21, read 11\n");
}

static const struct finding_stack *stack_of(const struct finding *finding, const char *role)
{
    for (size_t i = 0; i < finding->stack_count; i++)
        if (text_equal(finding->stacks[i].role, text_from(role)))
            return &finding->stacks[i];
    return NULL;
}

/* A lock that is only shared does not count for a write, and is shown as what it is: of races, and
   of blocks as either engine tells of them. */
static void test_shared_locks_are_shown(void **state)
{
    const struct trace_event events[] = {
        EVENT(1, TRACE_FORK, 2, 1),
        EVENT(1, TRACE_BEGIN, 1, 10),
        EVENT(1, TRACE_ACQUIRE_SHARED, 1, 10),
        EVENT(1, TRACE_READ, 1, 11),
        EVENT(2, TRACE_ACQUIRE_SHARED, 1, 20),
        EVENT(2, TRACE_WRITE, 1, 21),
        EVENT(2, TRACE_RELEASE_SHARED, 1, 22),
        EVENT(1, TRACE_WRITE, 1, 12),
        EVENT(1, TRACE_RELEASE_SHARED, 1, 13),
        EVENT(1, TRACE_END, 1, 14),
    };
    static const struct {
        bool races, reduction, blocks;
        const char *role;
    } cases[] = {
        {true, false, false, "write"},
        {false, true, false, "violated at"},
        {false, true, false, "meanwhile write"},
        {false, false, true, "violated at"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trace_names names;
        make_names(&names);
        struct support_origin origin = {
            .events = events, .names = &names, .count = sizeof events / sizeof events[0]};
        struct support_analysis analysis = {
            .options = support_only(cases[i].races, cases[i].reduction, cases[i].blocks)};
        support_analyze(&analysis, &origin);
        assert_true(analysis.done);
        assert_int_not_equal(analysis.findings.items.count, 0);
        const struct finding *finding = analysis.findings.items.items[0];
        const struct finding_stack *stack = stack_of(finding, cases[i].role);
        assert_non_null(stack);
        assert_int_equal(stack->lock_count, 1);
        assert_text(stack->locks[0], "Account@1 (shared)");
        if (cases[i].races)
            assert_non_null(strstr(finding->message.bytes, "A lock that is held in shared mode"));
        if (cases[i].blocks)
            assert_non_null(strstr(finding->message.bytes, "it holds Account@1 (shared), which"));
        support_analysis_release(&analysis);
        trace_names_release(&names);
    }
}

/* What comes before a release of an object comes before what follows its acquire: no race. */
static void test_synchronization(void **state)
{
    struct trace_event events[] = {
        EVENT(1, TRACE_FORK, 2, 1),          EVENT(1, TRACE_WRITE, 1, 10),
        EVENT(1, TRACE_SYNC_RELEASE, 1, 11), EVENT(2, TRACE_SYNC_ACQUIRE, 1, 20),
        EVENT(2, TRACE_WRITE, 1, 21),
    };
    (void)state;
    expect_events(events, support_only(true, true, true), "");
    events[3].target = 2;
    expect_events(events, support_only(true, true, true),
                  "race observed balance: write 21, write 10\n");
}

/* Reads and then writes, each with the lock, as a block that should be atomic; ten lines. */
#define READ_AND_WRITE(thread, line)                                                               \
    EVENT(thread, TRACE_BEGIN, 1, line), EVENT(thread, TRACE_ACQUIRE, 1, (line) + 1),              \
        EVENT(thread, TRACE_READ, 1, (line) + 2), EVENT(thread, TRACE_RELEASE, 1, (line) + 3),     \
        EVENT(thread, TRACE_ACQUIRE, 1, (line) + 4), EVENT(thread, TRACE_WRITE, 1, (line) + 5),    \
        EVENT(thread, TRACE_RELEASE, 1, (line) + 6), EVENT(thread, TRACE_END, 1, (line) + 7)

/* Who is shown to come between could have: not the one who has prepared everything, nor the one who
   looks at it when all are done. */
static void test_who_else(void **state)
{
    const struct trace_event joined[] = {
        EVENT(1, TRACE_ACQUIRE, 1, 1),  EVENT(1, TRACE_WRITE, 1, 2),
        EVENT(1, TRACE_RELEASE, 1, 3),  EVENT(1, TRACE_FORK, 2, 4),
        EVENT(1, TRACE_FORK, 3, 5),     READ_AND_WRITE(2, 20),
        EVENT(3, TRACE_ACQUIRE, 1, 30), EVENT(3, TRACE_WRITE, 1, 31),
        EVENT(3, TRACE_RELEASE, 1, 32), EVENT(1, TRACE_JOIN, 2, 6),
        EVENT(1, TRACE_JOIN, 3, 7),     EVENT(1, TRACE_ACQUIRE, 1, 8),
        EVENT(1, TRACE_WRITE, 1, 9),    EVENT(1, TRACE_RELEASE, 1, 10),
        EVENT(1, TRACE_ACQUIRE, 1, 11), EVENT(1, TRACE_WRITE, 1, 12),
        EVENT(1, TRACE_RELEASE, 1, 13),
    };
    /* The first two are over when the others begin. */
    const struct trace_event phases[] = {
        EVENT(1, TRACE_FORK, 2, 4),     EVENT(1, TRACE_ACQUIRE, 1, 1),
        EVENT(1, TRACE_WRITE, 1, 2),    EVENT(1, TRACE_RELEASE, 1, 3),
        EVENT(2, TRACE_ACQUIRE, 1, 20), EVENT(2, TRACE_WRITE, 1, 21),
        EVENT(2, TRACE_RELEASE, 1, 22), EVENT(1, TRACE_JOIN, 2, 5),
        EVENT(1, TRACE_FORK, 3, 6),     EVENT(1, TRACE_FORK, 4, 7),
        READ_AND_WRITE(3, 30),          EVENT(4, TRACE_ACQUIRE, 1, 40),
        EVENT(4, TRACE_WRITE, 1, 41),   EVENT(4, TRACE_RELEASE, 1, 42),
    };
    const struct trace_event unlocked[] = {
        EVENT(1, TRACE_WRITE, 1, 1),  EVENT(1, TRACE_FORK, 2, 2),   EVENT(1, TRACE_FORK, 3, 3),
        EVENT(2, TRACE_BEGIN, 1, 20), EVENT(2, TRACE_READ, 1, 21),  EVENT(2, TRACE_WRITE, 1, 22),
        EVENT(2, TRACE_END, 1, 23),   EVENT(3, TRACE_WRITE, 1, 30), EVENT(1, TRACE_JOIN, 2, 4),
        EVENT(1, TRACE_JOIN, 3, 5),   EVENT(1, TRACE_WRITE, 1, 6),
    };
    (void)state;
    expect_events(unlocked, support_only(false, true, false),
                  "atomicity predicted move: entered 20, commits at 21, violated at 22, "
                  "meanwhile write 30\n");
    expect_events(joined, support_only(false, true, false),
                  "atomicity predicted move: entered 20, commits at 23, violated at 24, "
                  "meanwhile acquires 30\n");
    expect_events(phases, support_only(false, true, false),
                  "atomicity predicted move: entered 30, commits at 33, violated at 34, "
                  "meanwhile acquires 40\n");
}

/* A lock that went from thread to thread is no order, unless it handed over what came before: then
   what came before that, and nothing else, and only where it was taken over. */
static void test_hand_over(void **state)
{
    enum { HANDS = 5, AFTER = 7, TAKES = 9 };
    struct trace_event events[] = {
        EVENT(1, TRACE_WRITE, 1, 1),    EVENT(1, TRACE_FORK, 2, 2),
        EVENT(1, TRACE_FORK, 3, 3),     EVENT(2, TRACE_WRITE, 1, 10),
        EVENT(2, TRACE_ACQUIRE, 1, 11), EVENT(2, TRACE_HAND_OVER, 1, 12),
        EVENT(2, TRACE_RELEASE, 1, 12), EVENT(2, TRACE_READ, 2, 13),
        EVENT(3, TRACE_ACQUIRE, 1, 20), EVENT(3, TRACE_TAKE_OVER, 1, 20),
        EVENT(3, TRACE_RELEASE, 1, 21), EVENT(3, TRACE_WRITE, 1, 22),
    };
    static const char predicted[] = "race predicted balance: write 22, write 10\n";
    (void)state;
    expect_events(events, support_only(true, true, true), "");
    events[TAKES].target = 2;
    expect_events(events, support_only(true, true, true), predicted);
    /* What was handed over is another object than the one with the same number. */
    events[TAKES] = (struct trace_event)EVENT(3, TRACE_SYNC_ACQUIRE, 1, 20);
    expect_events(events, support_only(true, true, true), predicted);
    events[HANDS].kind = TRACE_SYNC_RELEASE;
    events[TAKES].kind = TRACE_TAKE_OVER;
    expect_events(events, support_only(true, true, true), predicted);
    /* Written again afterwards, with another lock that makes it no race of this run. */
    events[HANDS].kind = TRACE_HAND_OVER;
    events[AFTER] = (struct trace_event)EVENT(2, TRACE_WRITE, 1, 13);
    expect_events(events, support_only(true, true, true),
                  "race observed balance: write 22, write 13\n");
}

/* What is not known is not looked at: the lock 0 may be any. */
static void test_unknown(void **state)
{
    const struct trace_event events[] = {
        EVENT(1, TRACE_FORK, 2, 1),     EVENT(1, TRACE_WRITE, 0, 10),
        EVENT(2, TRACE_WRITE, 0, 20),   EVENT(1, TRACE_ACQUIRE, 0, 11),
        EVENT(1, TRACE_RELEASE, 0, 12), EVENT(1, TRACE_SYNC_ACQUIRE, 0, 13),
        EVENT(1, TRACE_FORK, 0, 14),    EVENT(1, TRACE_JOIN, 0, 15),
        EVENT(1, TRACE_BEGIN, 0, 16),   EVENT(1, TRACE_END, 0, 17),
    };
    struct analysis_options options;
    (void)state;
    analysis_options_default(&options);
    expect_events(events, options, "");
}

/* Everything that a report shows comes from the names: class, signature, frames of the stacks,
   locks, and where the thread was started. */
static void test_names(void **state)
{
    struct trace_names names;
    struct analysis_options options;
    (void)state;
    make_names(&names);
    const uint32_t outer = trace_names_add_stack(&names, 0, 40);
    const uint32_t inner = trace_names_add_stack(&names, outer, 10);
    const struct trace_event events[] = {
        {1, 2, 5, outer, TRACE_FORK},
        {1, 1, 9, outer, TRACE_ACQUIRE},
        {1, 3, 10, inner, TRACE_WRITE},
        {2, 3, 20, 0, TRACE_WRITE},
    };
    struct support_origin origin = {.events = events, .names = &names, .count = 4};
    struct support_analysis analysis;
    analysis_options_default(&options);
    analysis.options = options;
    support_analyze(&analysis, &origin);
    assert_true(analysis.done);
    assert_int_equal(analysis.findings.items.count, 1);
    const struct finding *finding = analysis.findings.items.items[0];
    assert_int_equal(finding->rule, FINDING_RACE);
    assert_text(finding->class_name, "Account");
    assert_text(finding->member, "balance");
    assert_text(finding->signature, "I");
    assert_text(finding->file, "Account.java");
    assert_int_equal(finding->line, 20);
    assert_int_equal(finding->stack_count, 3);
    assert_text(finding->stacks[0].role, "write");
    assert_int_equal(finding->stacks[0].frame_count, 1);
    assert_text(finding->stacks[1].role, "thread \"worker\" started");
    assert_int_equal(finding->stacks[1].frames[0].line, 40);
    assert_int_equal(finding->stacks[2].frame_count, 2);
    assert_int_equal(finding->stacks[2].frames[0].line, 10);
    assert_int_equal(finding->stacks[2].frames[1].line, 40);
    assert_int_equal(finding->stacks[2].lock_count, 1);
    assert_text(finding->stacks[2].locks[0], "Account@1");
    assert_non_null(strstr(finding->message.bytes, "Two threads access Account.balance"));
    support_analysis_release(&analysis);
    trace_names_release(&names);
}

/* ---- input that is not as it should be ---- */

static void analyze_text(struct support_analysis *analysis, const char *text)
{
    struct support_folder folder;
    support_folder_make(&folder);
    const char *path = support_path(&folder, "trace.std");
    support_write_text(path, text);
    struct support_origin origin = {.path = path};
    analysis_options_default(&analysis->options);
    support_analyze(analysis, &origin);
    unlink(path);
    rmdir(folder.path);
}

static void test_wrong_line(void **state)
{
    struct support_analysis analysis;
    (void)state;
    analyze_text(&analysis, "T1|fork(T2)|1\nT1|w(x)|10\nT2|r(x)|20\nT2|frob(x)|21\nT2|r(y)|22\n");
    assert_true(analysis.done);
    assert_string_equal(builder_string(&analysis.outline), "race observed x: read 20, write 10\n");
    assert_non_null(strstr(builder_string(&analysis.result.damage), "line 4: "));
    assert_non_null(
        strstr(builder_string(&analysis.result.damage), "3 events before that could be used"));
    support_analysis_release(&analysis);
}

/* A release without the lock is left out, and the rest is as if it had not been there. */
static void test_impossible(void **state)
{
    struct support_analysis analysis;
    (void)state;
    analyze_text(&analysis, "T1|fork(T2)|1\nT1|rel(L)|9\nT1|w(x)|10\nT2|r(x)|20\n");
    assert_true(analysis.done);
    assert_string_equal(builder_string(&analysis.outline), "race observed x: read 20, write 10\n");
    assert_int_equal(analysis.result.counts.left_out, 1);
    assert_string_equal(analysis.result.impossible.reason,
                        "line 2: thread T1 releases lock L, which it does not hold");
    support_analysis_release(&analysis);
}

static void test_empty(void **state)
{
    struct support_analysis analysis;
    (void)state;
    analyze_text(&analysis, "");
    assert_true(analysis.done);
    assert_int_equal(analysis.findings.items.count, 0);
    assert_int_equal(analysis.result.counts.events, 0);
    assert_int_equal(analysis.result.damage.length, 0);
    support_analysis_release(&analysis);
}

static void test_missing(void **state)
{
    struct support_origin origin = {.path = "/nowhere/trace"};
    struct support_analysis analysis;
    (void)state;
    analysis_options_default(&analysis.options);
    support_analyze(&analysis, &origin);
    assert_false(analysis.done);
    assert_false(analysis.result.no_memory);
    assert_non_null(strstr(analysis.result.failure.reason, "No such file"));
    support_analysis_release(&analysis);
}

/* Without blocks there is nothing to be read twice for. */
static void test_passes(void **state)
{
    struct trace_names names;
    const struct trace_event events[] = {EVENT(1, TRACE_BEGIN, 1, 1), EVENT(1, TRACE_END, 1, 2)};
    struct support_analysis analysis;
    (void)state;
    make_names(&names);
    for (size_t count = 0; count <= 2; count += 2) {
        struct support_origin origin = {.events = events, .names = &names, .count = count};
        analysis_options_default(&analysis.options);
        support_analyze(&analysis, &origin);
        assert_true(analysis.done);
        assert_int_equal(origin.opened, count ? 2 : 1);
        assert_int_equal(analysis.result.counts.passes, origin.opened);
        support_analysis_release(&analysis);
    }
    trace_names_release(&names);
}

/* ---- anything goes ---- */

static void add_random_names(struct trace_names *names, uint32_t threads)
{
    trace_names_init(names);
    for (uint32_t i = 1; i <= threads; i++)
        trace_names_add_thread(names, TEXT("thread"));
    for (uint32_t i = 1; i <= SUPPORT_NUMBERS; i++) {
        const struct trace_field field = {TEXT("A"), TEXT("f"), TEXT("I")};
        const struct trace_location location = {TEXT("A"), TEXT("m"), TEXT("A.java"), i, 0, false};
        const struct trace_block block = {TEXT("A"), TEXT("m"), i};
        trace_names_add_location(names, &location);
        trace_names_add_stack(names, i - 1, i);
        trace_names_add_field(names, &field);
        trace_names_add_variables(names, i, 1);
        trace_names_add_lock(names, TEXT("lock"));
        trace_names_add_sync(names, TEXT("sync"));
        trace_names_add_block(names, &block);
    }
}

/* Locksets alone know no order: what is handed over counts only if no races are looked for so. */
static void leave_out_hand_over(struct support_trace *trace)
{
    for (size_t i = 0; i < trace->count; i++)
        if (trace->events[i].kind == TRACE_HAND_OVER)
            trace->events[i].kind = TRACE_TRY;
}

/* Impossible events in all combinations become something possible, for all engines; and the same
   events give the same findings whatever else is looked for. */
static void test_random(void **state)
{
    uint64_t random = 7;
    (void)state;
    for (unsigned round = 0; round < 150; round++) {
        const uint32_t threads = 2 + round % 5;
        struct support_trace trace;
        struct trace_names names;
        support_trace_random(&trace, 200, threads, &random);
        add_random_names(&names, threads);
        struct support_origin origin = {
            .events = trace.events, .names = &names, .count = trace.count};
        struct support_analysis all, alone;
        analysis_options_default(&all.options);
        all.options.mode = (enum engine_mode)(round % 3);
        if (all.options.mode == ENGINE_LOCKSET)
            leave_out_hand_over(&trace);
        support_analyze(&all, &origin);
        assert_true(all.done);
        alone.options = all.options;
        alone.options.races = alone.options.lock_order = false;
        support_analyze(&alone, &origin);
        assert_true(alone.done);
        const struct finding_counts of_all = finding_list_count(&all.findings);
        const struct finding_counts of_alone = finding_list_count(&alone.findings);
        assert_int_equal(of_all.by_rule[FINDING_ATOMICITY], of_alone.all);
        support_analysis_release(&all);
        support_analysis_release(&alone);
        trace_names_release(&names);
        support_trace_free(&trace);
    }
}

/* Few things, so that threads meet; blocks are told apart by their places. What is impossible is
 * put right by the check. */
static void make_conflicts(struct trace_event *events, size_t count, uint64_t *random)
{
    static const enum trace_kind kinds[] = {
        TRACE_READ,    TRACE_WRITE,   TRACE_READ,         TRACE_WRITE,        TRACE_ACQUIRE,
        TRACE_RELEASE, TRACE_RELEASE, TRACE_SYNC_RELEASE, TRACE_SYNC_ACQUIRE, TRACE_BEGIN,
        TRACE_BEGIN,   TRACE_END,     TRACE_FORK,         TRACE_JOIN};
    for (size_t i = 0; i < count; i++) {
        const uint64_t drawn = support_random(random);
        const enum trace_kind kind = kinds[drawn % (sizeof kinds / sizeof *kinds)];
        const bool block = kind == TRACE_BEGIN || kind == TRACE_END;
        const uint32_t many = kind == TRACE_FORK || kind == TRACE_JOIN ? 4 : 2;
        events[i] = (struct trace_event){
            .thread = 1 + (uint32_t)(drawn / 16 % 3),
            .target = block ? 0 : 1 + (uint32_t)(drawn / 64 % many),
            .location = (uint32_t)i + 1,
            .kind = kind,
        };
    }
}

/* The events, put right. */
static size_t make_possible(struct trace_event *to, struct support_origin *origin)
{
    struct trace_source inner, source;
    struct trace_check check;
    size_t count = 0;
    assert_true(support_origin_open(origin, &inner));
    trace_check_init(&check, origin->names, true);
    assert_true(trace_check_source(&source, &inner, &check));
    while (trace_next(&source, &to[count]) == TRACE_EVENT)
        count++;
    trace_close(&source);
    trace_check_release(&check);
    trace_close(&inner);
    return count;
}

/* The same with locks that hand over at every release, and take over at every acquire. */
static size_t add_hand_overs(struct trace_event *to, const struct trace_event *events, size_t count)
{
    size_t all = 0;
    for (size_t i = 0; i < count; i++) {
        struct trace_event over = events[i];
        over.kind = events[i].kind == TRACE_RELEASE ? TRACE_HAND_OVER : TRACE_TAKE_OVER;
        if (events[i].kind == TRACE_RELEASE)
            to[all++] = over;
        to[all++] = events[i];
        if (events[i].kind == TRACE_ACQUIRE)
            to[all++] = over;
    }
    return all;
}

static unsigned count_observed(const struct support_analysis *analysis)
{
    unsigned count = 0;
    for (size_t i = 0; i < analysis->findings.items.count; i++) {
        const struct finding *finding = analysis->findings.items.items[i];
        count += finding->rule == FINDING_ATOMICITY && finding->grade == FINDING_GRADE_OBSERVED;
    }
    return count;
}

/* To hand over orders accesses of what no lock guards, so blocks can only look better for it. What
   has been seen stays, and those who take locks are not ordered. */
static void test_hand_over_is_for_accesses(void **state)
{
    uint64_t random = 17;
    unsigned found = 0, better = 0;
    struct trace_names names;
    (void)state;
    make_names(&names);
    for (unsigned round = 0; round < 400; round++) {
        struct trace_event drawn[32], events[128], more[256];
        make_conflicts(drawn, 32, &random);
        struct support_origin any = {.events = drawn, .names = &names, .count = 32};
        struct support_origin origin = {
            .events = events, .names = &names, .count = make_possible(events, &any)};
        struct support_origin over = {
            .events = more, .names = &names, .count = add_hand_overs(more, events, origin.count)};
        struct support_analysis without, with;
        analysis_options_default(&without.options);
        /* With races, too: their engine must not be asked by those who look at locks. */
        without.options.races = round % 2;
        with.options = without.options;
        support_analyze(&without, &origin);
        support_analyze(&with, &over);
        assert_true(without.done && with.done);
        const struct finding_counts before = finding_list_count(&without.findings);
        const struct finding_counts after = finding_list_count(&with.findings);
        assert_true(before.by_rule[FINDING_ATOMICITY] || !after.by_rule[FINDING_ATOMICITY]);
        assert_int_equal(count_observed(&without) != 0, count_observed(&with) != 0);
        assert_int_equal(before.by_rule[FINDING_DEADLOCK], after.by_rule[FINDING_DEADLOCK]);
        better += before.by_rule[FINDING_ATOMICITY] > after.by_rule[FINDING_ATOMICITY];
        found += before.by_rule[FINDING_ATOMICITY] != 0;
        support_analysis_release(&without);
        support_analysis_release(&with);
    }
    trace_names_release(&names);
    assert_true(found > 100);
    assert_true(better);
}

/* A block that reduction has nothing to say against cannot be on a cycle: so no cycle is left that
   has to speak for itself. */
static void test_observed_is_predicted(void **state)
{
    uint64_t random = 11;
    unsigned observed = 0;
    struct trace_names names;
    (void)state;
    make_names(&names);
    for (unsigned round = 0; round < 600; round++) {
        struct trace_event events[24];
        make_conflicts(events, 24, &random);
        struct support_origin origin = {.events = events, .names = &names, .count = 24};
        struct support_analysis analysis = {.options = support_only(false, true, false)};
        support_analyze(&analysis, &origin);
        assert_true(analysis.done);
        for (size_t i = 0; i < analysis.findings.items.count; i++) {
            const struct finding *finding = analysis.findings.items.items[i];
            observed += finding->grade == FINDING_GRADE_OBSERVED;
            assert_null(strstr(finding->message.bytes, "in this run others came between"));
        }
        support_analysis_release(&analysis);
    }
    trace_names_release(&names);
    assert_true(observed > 25);
}

/* The engines, told of everything, in one go. */
struct direct {
    struct engine *order;
    struct transactions *transactions;
    struct blocks *blocks;
    struct {
        struct thread *order;
        struct transactions_thread *transactions;
        struct blocks_thread *blocks;
        uint64_t order_birth, transactions_birth;
        bool over;
    } threads[5];
    uint32_t cyclic;   /* a bit for each line at which a block begins that is on a cycle */
    uint32_t patterns; /* ... that is not atomic as blocks see it */
};

static void direct_cycle(void *context, const struct transactions_violation *violation)
{
    struct direct *direct = context;
    direct->cyclic |= UINT32_C(1) << violation->blocks[0].location;
}

static void direct_pattern(void *context, const struct blocks_violation *violation)
{
    struct direct *direct = context;
    direct->patterns |= UINT32_C(1) << violation->transactions[0].entered.location;
}

static void direct_init(struct direct *direct)
{
    struct engine_options order;
    struct transactions_options transactions;
    struct blocks_options blocks;
    memset(direct, 0, sizeof *direct);
    engine_options_default(&order);
    transactions_options_default(&transactions);
    blocks_options_default(&blocks);
    transactions.report = direct_cycle;
    blocks.report = direct_pattern;
    transactions.context = blocks.context = direct;
    assert_non_null(direct->order = engine_new(&order));
    assert_non_null(direct->transactions = transactions_new(&transactions));
    blocks.clocks = engine_clocks(direct->order);
    assert_non_null(direct->blocks = blocks_new(&blocks));
}

static void direct_start(struct direct *direct, uint32_t number, uint32_t parent)
{
    if (direct->threads[number].order)
        return;
    struct thread *thread =
        engine_thread_start(direct->order, direct->threads[parent].order, number);
    const struct clock_view now = thread_ordered(thread);
    direct->threads[number].order = thread;
    direct->threads[number].order_birth = engine_thread_birth(thread);
    direct->threads[number].transactions = transactions_thread_start(
        direct->transactions, direct->threads[parent].transactions, number, 0, 0);
    direct->threads[number].transactions_birth =
        transactions_thread_birth(direct->threads[number].transactions);
    direct->threads[number].blocks = blocks_thread_start(direct->blocks, number, &now);
}

static void direct_end(struct direct *direct, uint32_t number)
{
    if (!direct->threads[number].order || direct->threads[number].over)
        return;
    direct->threads[number].over = true;
    blocks_thread_end(direct->blocks, direct->threads[number].blocks);
    transactions_thread_end(direct->transactions, direct->threads[number].transactions);
    engine_thread_end(direct->order, direct->threads[number].order);
}

static void direct_order(struct direct *direct, uint32_t number)
{
    const struct clock_view now = thread_ordered(direct->threads[number].order);
    blocks_order(direct->blocks, direct->threads[number].blocks, &now);
}

static void direct_tell(struct direct *direct, const struct trace_event *event)
{
    static const enum transactions_kind kinds[TRACE_KIND_COUNT] = {
        [TRACE_READ] = TRANSACTIONS_READ,
        [TRACE_WRITE] = TRANSACTIONS_WRITE,
        [TRACE_ACQUIRE] = TRANSACTIONS_ACQUIRE,
        [TRACE_RELEASE] = TRANSACTIONS_RELEASE,
        [TRACE_SYNC_RELEASE] = TRANSACTIONS_SYNC_RELEASE,
        [TRACE_SYNC_ACQUIRE] = TRANSACTIONS_SYNC_ACQUIRE,
    };
    const uint32_t number = event->thread, block = UINT32_C(0x80000000) | event->location;
    const struct blocks_place place = {event->location, 0};
    direct_start(direct, number, 0);
    struct thread *order = direct->threads[number].order;
    struct transactions_thread *transactions = direct->threads[number].transactions;
    struct blocks_thread *blocks = direct->threads[number].blocks;
    switch (event->kind) {
    case TRACE_FORK:
        direct_start(direct, event->target, number);
        direct_order(direct, number);
        return;
    case TRACE_JOIN:
        if (!direct->threads[event->target].order)
            return;
        direct_end(direct, event->target);
        engine_thread_join(direct->order, order, direct->threads[event->target].order,
                           direct->threads[event->target].order_birth);
        transactions_thread_join(direct->transactions, transactions,
                                 direct->threads[event->target].transactions,
                                 direct->threads[event->target].transactions_birth, 0, 0);
        direct_order(direct, number);
        return;
    case TRACE_BEGIN:
        transactions_begin(direct->transactions, transactions, block, event->location, 0);
        blocks_begin(direct->blocks, blocks, block, place);
        return;
    case TRACE_END:
        transactions_end(direct->transactions, transactions);
        blocks_end(direct->blocks, blocks);
        return;
    case TRACE_ACQUIRE:
        blocks_acquire(direct->blocks, blocks, event->target, false);
        break;
    case TRACE_RELEASE:
        blocks_release(direct->blocks, blocks, event->target, false);
        break;
    case TRACE_SYNC_ACQUIRE:
        engine_sync_acquire(direct->order, order, event->target);
        direct_order(direct, number);
        break;
    case TRACE_SYNC_RELEASE:
        engine_sync_release(direct->order, order, event->target);
        direct_order(direct, number);
        break;
    default:
        blocks_access(direct->blocks, blocks, event->target, 1, event->kind == TRACE_WRITE, place);
        break;
    }
    transactions_perform(direct->transactions, transactions, kinds[event->kind], event->target,
                         event->location, 0);
}

static void direct_run(struct direct *direct, struct support_origin *origin)
{
    struct trace_source inner, source;
    struct trace_check check;
    struct trace_event event;
    assert_true(support_origin_open(origin, &inner));
    trace_check_init(&check, origin->names, true);
    assert_true(trace_check_source(&source, &inner, &check));
    direct_init(direct);
    while (trace_next(&source, &event) == TRACE_EVENT)
        direct_tell(direct, &event);
    for (uint32_t i = 1; i < 5; i++)
        direct_end(direct, i);
    blocks_free(direct->blocks);
    transactions_free(direct->transactions);
    engine_free(direct->order);
    trace_close(&source);
    trace_check_release(&check);
    trace_close(&inner);
}

/* The lines at which blocks begin in findings. */
static uint32_t entered_lines(const struct support_analysis *analysis)
{
    uint32_t lines = 0;
    for (size_t i = 0; i < analysis->findings.items.count; i++)
        lines |= UINT32_C(1) << analysis->findings.items.items[i]->stacks[0].frames[0].line;
    return lines;
}

/* What is left out in the second pass changes nothing: the same blocks are on cycles, and the same
   blocks are not atomic, as when the engines are told of every access. */
static void test_left_out(void **state)
{
    uint64_t random = 5;
    unsigned cyclic = 0, patterns = 0;
    struct trace_names names;
    (void)state;
    make_names(&names);
    for (unsigned round = 0; round < 600; round++) {
        struct trace_event events[24];
        struct direct direct;
        make_conflicts(events, 24, &random);
        struct support_origin origin = {.events = events, .names = &names, .count = 24};
        struct support_analysis cycles = {.options = support_only(false, false, false)};
        struct support_analysis blocks = {.options = support_only(false, false, true)};
        cycles.options.observed = true;
        blocks.options.observed = false;
        support_analyze(&cycles, &origin);
        support_analyze(&blocks, &origin);
        direct_run(&direct, &origin);
        assert_int_equal(entered_lines(&cycles), direct.cyclic);
        assert_int_equal(entered_lines(&blocks), direct.patterns);
        cyclic += direct.cyclic != 0;
        patterns += direct.patterns != 0;
        support_analysis_release(&cycles);
        support_analysis_release(&blocks);
    }
    trace_names_release(&names);
    assert_true(cyclic > 20 && patterns > 20);
}

/* With so many requests for memory until one fails: how many findings; none if that is told. */
static size_t count_with_memory(struct support_origin *origin, long requests)
{
    struct support_analysis analysis;
    analysis_options_default(&analysis.options);
    finding_list_init(&analysis.findings);
    memory_fail_after(requests);
    const bool done = analysis_run(&analysis.options, support_origin_open, origin,
                                   &analysis.findings, &analysis.result);
    memory_fail_after(-1);
    const size_t count = done ? analysis.findings.items.count : 0;
    assert_true(done || analysis.result.failure.set);
    finding_list_release(&analysis.findings);
    analysis_result_release(&analysis.result);
    return count;
}

/* A race, a deadlock, and a block that is not atomic: without memory, less is found, or the failure
   is told; nothing else happens. */
static void test_no_memory(void **state)
{
    const struct trace_event events[] = {
        EVENT(1, TRACE_FORK, 2, 1),     EVENT(1, TRACE_WRITE, 2, 2),
        EVENT(2, TRACE_WRITE, 2, 3),    EVENT(1, TRACE_BEGIN, 1, 10),
        EVENT(1, TRACE_ACQUIRE, 1, 11), EVENT(1, TRACE_READ, 1, 12),
        EVENT(1, TRACE_RELEASE, 1, 13), EVENT(1, TRACE_ACQUIRE, 1, 14),
        EVENT(1, TRACE_ACQUIRE, 2, 15), EVENT(1, TRACE_WRITE, 1, 16),
        EVENT(1, TRACE_RELEASE, 2, 17), EVENT(1, TRACE_RELEASE, 1, 18),
        EVENT(1, TRACE_END, 1, 19),     EVENT(2, TRACE_ACQUIRE, 2, 20),
        EVENT(2, TRACE_ACQUIRE, 1, 21), EVENT(2, TRACE_WRITE, 1, 22),
        EVENT(2, TRACE_RELEASE, 1, 23), EVENT(2, TRACE_RELEASE, 2, 24),
    };
    struct trace_names names;
    (void)state;
    make_names(&names);
    struct support_origin origin = {
        .events = events, .names = &names, .count = sizeof events / sizeof *events};
    const size_t all = count_with_memory(&origin, -1);
    unsigned failed = 0, short_of = 0;
    assert_true(all >= 3);
    for (long requests = 0; requests < 300; requests++) {
        const size_t count = count_with_memory(&origin, requests);
        failed += count == 0;
        short_of += count < all;
        assert_true(count <= all);
    }
    assert_true(failed > 20);
    assert_true(short_of > failed);
    assert_int_equal(count_with_memory(&origin, 100000), all);
    trace_names_release(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wait),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_shared_locks),
        cmocka_unit_test(test_shared_locks_are_shown),
        cmocka_unit_test(test_who_else),
        cmocka_unit_test(test_hand_over),
        cmocka_unit_test(test_hand_over_is_for_accesses),
        cmocka_unit_test(test_synchronization),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_wrong_line),
        cmocka_unit_test(test_impossible),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_observed_is_predicted),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
