/*
 * The checker never accepts a program that a run can show racing.
 *
 * Random programs (random_program.h) with random lock types are checked. Those without a finding
 * are executed (mini_run.h) with many schedules: no engine may report a race, and no guarded field
 * that several threads can reach may be accessed without its guard. A program that breaks this is
 * made as small as possible and printed.
 *
 * For longer runs TURNSTILE_SOUNDNESS_PROGRAMS sets the number of programs and
 * TURNSTILE_SOUNDNESS_SEED where they begin; TURNSTILE_SOUNDNESS_SHOW prints all findings.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/checker.h"
#include "check/mini_code.h"
#include "check/mini_program.h"
#include "check/mini_run.h"
#include "check/random_program.h"
#include "locktypes/syntax_parser.h"
#include "support.h"

enum { PROGRAMS = 10000, SCHEDULES = 8, SHRINKING_SCHEDULES = 300, FAILURES_SHOWN = 3 };

/* What jdk.locks says of the classes that the programs use. */
static const char library_locks[] =
    "class java.lang.Thread { Thread(Runnable task) starts task; start() starts this; }\n"
    "interface java.util.concurrent.locks.Lock {\n"
    "    lock() acquires this; tryLock() tries this; unlock() releases this;\n"
    "}\n"
    "thread_safe class java.util.concurrent.locks.ReentrantLock;\n"
    "thread_safe class java.util.concurrent.locks.ReentrantReadWriteLock {\n"
    "    readLock() read_view this; writeLock() write_view this;\n"
    "}\n"
    "thread_safe class java.util.concurrent.locks.ReentrantReadWriteLock.ReadLock {\n"
    "    lock() acquires_shared this; tryLock() tries_shared this; unlock() releases this;\n"
    "}\n"
    "thread_safe class java.util.concurrent.locks.ReentrantReadWriteLock.WriteLock;\n";

struct judge {
    struct diagnostics diagnostics;
    FILE *messages;
    struct problem problem;
    struct program program;
    struct call_graph graph;
    struct entry_points entries;
    struct field_facts facts;
    struct lock_types types;
    struct checker checker;
    struct finding_list findings;
    struct arena arena;
    struct declarations declared;
    bool show; /* print the findings */
};

static struct arena library_arena;
static struct declarations library;
static struct mini_code *code;
static struct mini_world world;

#define assert_done(judge, expression)                                                             \
    do {                                                                                           \
        if (!(expression))                                                                         \
            fail_msg("%s: %s", #expression, (judge)->problem.reason);                              \
    } while (0)

static void take_class(void *context, const char *name, const uint8_t *bytes, size_t size)
{
    struct judge *judge = context;
    assert_done(judge,
                program_add_class(&judge->program, text_from(name), bytes, size, &judge->problem));
}

static void parse(struct declarations *to, struct arena *arena, struct text text,
                  enum syntax_source source)
{
    struct syntax_errors errors = {.arena = arena};
    assert_true(syntax_parse_file(to, arena, TEXT("random.locks"), text, source, &errors));
    if (errors.items.count)
        fail_msg("%.*s in\n%.*s", TEXT_ARGUMENTS(errors.items.items[0].message),
                 TEXT_ARGUMENTS(text));
    vector_release(&errors.items);
}

static void show_findings(const struct judge *judge)
{
    for (size_t i = 0; i < judge->findings.items.count; i++) {
        const struct finding *finding = judge->findings.items.items[i];
        print_message("%s: %.*s.%.*s: %.*s\n", finding_rule_info(finding->rule)->id,
                      TEXT_ARGUMENTS(finding->class_name), TEXT_ARGUMENTS(finding->member),
                      TEXT_ARGUMENTS(finding->message));
    }
}

/* The number of findings. */
static size_t check_as(struct judge *judge, bool whole_program)
{
    const struct field_facts_options facts_options = {.open_world = !whole_program};
    const struct checker_options options = {
        .defaults = DEFAULTS_BELIEF, .whole_program = whole_program, .workers = 1};
    assert_done(judge,
                field_facts_build(&judge->facts, &judge->graph, &facts_options, &judge->problem));
    assert_done(judge,
                lock_types_init(&judge->types, &judge->program, &judge->facts, &judge->problem));
    assert_true(lock_types_add(&judge->types, &library));
    assert_true(lock_types_add(&judge->types, &judge->declared));
    assert_done(judge, lock_types_bind(&judge->types, DEFAULTS_BELIEF, &judge->problem));
    finding_list_init(&judge->findings);
    assert_done(judge, checker_init(&judge->checker, &judge->graph, &judge->types, &judge->entries,
                                    &options, &judge->diagnostics, &judge->problem));
    assert_done(judge, checker_run(&judge->checker, &judge->findings, &judge->problem));
    /* A method that was not looked into would be accepted for no reason. */
    assert_int_equal(judge->checker.stats.methods_failed, 0);
    if (judge->show)
        show_findings(judge);
    const size_t count = judge->findings.items.count;
    checker_release(&judge->checker);
    finding_list_release(&judge->findings);
    lock_types_release(&judge->types);
    field_facts_release(&judge->facts);
    return count;
}

enum { AS_LIBRARY, AS_PROGRAM, MODES };

static void open_judge(struct judge *judge)
{
    const struct program_options options = {.workers = 1, .platform = ""};
    memset(judge, 0, sizeof *judge);
    judge->messages = fopen("/dev/null", "w");
    assert_non_null(judge->messages);
    diagnostics_init(&judge->diagnostics, judge->messages, DIAGNOSTICS_COLOR_NEVER);
    arena_init(&judge->arena);
    assert_done(judge,
                program_init(&judge->program, &options, &judge->diagnostics, &judge->problem));
}

static void close_judge(struct judge *judge)
{
    entry_points_release(&judge->entries);
    call_graph_release(&judge->graph);
    program_release(&judge->program);
    arena_release(&judge->arena);
    diagnostics_release(&judge->diagnostics);
    fclose(judge->messages);
}

static void link_program(struct judge *judge, const struct mini_program *mini)
{
    const struct call_graph_options options = {.workers = 1};
    struct builder locks;
    builder_init(&locks);
    mini_locks_print(mini, &locks);
    assert_done(judge, program_link(&judge->program, &judge->diagnostics, &judge->problem));
    assert_done(judge, call_graph_build(&judge->graph, &judge->program, &options,
                                        &judge->diagnostics, &judge->problem));
    assert_done(judge, entry_points_find(&judge->entries, &judge->graph, &judge->problem));
    parse(&judge->declared, &judge->arena, builder_text(&locks), SOURCE_LOCKS_FILE);
    builder_release(&locks);
}

/* One schedule after the other, until something goes wrong. */
static struct mini_outcome run_program(unsigned schedules, uint64_t seed)
{
    struct mini_outcome outcome = {0};
    for (unsigned i = 0; i < schedules && !outcome.races && !outcome.broken; i++)
        assert_true(mini_run(&world, code, seed * 1000 + i, &outcome));
    return outcome;
}

static bool is_wrong(const struct mini_outcome *outcome)
{
    return outcome->races || outcome->broken;
}

struct verdict {
    bool usable;
    struct mini_outcome outcome;
    bool accepted[MODES];
};

/* Runs the program, and has it checked. What ran well need not be checked in every mode: whatever
   the checker says of it is not wrong. */
static struct verdict judge_program(const struct mini_program *mini, uint64_t seed,
                                    unsigned schedules, bool show)
{
    static struct judge judge;
    struct verdict verdict = {0};
    open_judge(&judge);
    judge.show = show;
    mini_code_make(code, mini, take_class, &judge);
    verdict.usable = !code->failed;
    if (verdict.usable) {
        verdict.outcome = run_program(schedules, seed);
        link_program(&judge, mini);
        for (unsigned mode = 0; mode < MODES; mode++)
            if (is_wrong(&verdict.outcome) || mode == seed % MODES)
                verdict.accepted[mode] = !check_as(&judge, mode == AS_PROGRAM);
    }
    close_judge(&judge);
    return verdict;
}

/* ---- a program that should not have been accepted ---- */

static bool is_failure(const struct mini_program *mini, unsigned mode)
{
    const struct verdict verdict = judge_program(mini, mode, SHRINKING_SCHEDULES, false);
    return verdict.usable && verdict.accepted[mode] && is_wrong(&verdict.outcome);
}

/* Puts the number, or what follows it, or its body, in the place of the statement. */
static bool shrink_at(struct mini_program *mini, uint16_t *place, unsigned mode)
{
    const uint16_t old = *place;
    const struct mini_statement statement = mini->statements[old];
    *place = statement.next;
    if (is_failure(mini, mode))
        return true;
    for (unsigned way = 0; way < 2; way++) {
        const uint16_t body = way ? statement.other : statement.body;
        uint16_t last = body;
        if (!body)
            continue;
        while (mini->statements[last].next)
            last = mini->statements[last].next;
        *place = body;
        mini->statements[last].next = statement.next;
        if (is_failure(mini, mode))
            return true;
        mini->statements[last].next = 0;
    }
    *place = old;
    return false;
}

static bool shrink_block(struct mini_program *mini, uint16_t *place, unsigned mode)
{
    bool shrunk = false;
    while (*place) {
        while (*place && shrink_at(mini, place, mode))
            shrunk = true;
        if (!*place)
            break;
        struct mini_statement *statement = &mini->statements[*place];
        shrunk = shrink_block(mini, &statement->body, mode) || shrunk;
        shrunk = shrink_block(mini, &statement->other, mode) || shrunk;
        place = &statement->next;
    }
    return shrunk;
}

static bool shrink_flag(struct mini_program *mini, bool *flag, unsigned mode)
{
    if (!*flag)
        return false;
    *flag = false;
    if (is_failure(mini, mode))
        return true;
    *flag = true;
    return false;
}

static bool shrink_count(struct mini_program *mini, uint8_t *count, unsigned least, unsigned mode)
{
    bool shrunk = false;
    while (*count > least) {
        --*count;
        if (!is_failure(mini, mode)) {
            ++*count;
            break;
        }
        shrunk = true;
    }
    return shrunk;
}

static bool shrink_class(struct mini_program *mini, struct mini_class *class, unsigned mode)
{
    bool shrunk = false;
    for (unsigned i = 0; i < class->method_count; i++) {
        struct mini_method *method = &class->methods[i];
        shrunk = shrink_block(mini, &method->body, mode) || shrunk;
        shrunk = shrink_flag(mini, &method->is_synchronized, mode) || shrunk;
        shrunk = shrink_count(mini, &method->require_count, 0, mode) || shrunk;
    }
    for (unsigned i = 0; i < class->field_count; i++)
        shrunk = shrink_count(mini, &class->fields[i].lock_count, 1, mode) || shrunk;
    return shrunk;
}

static void shrink(struct mini_program *mini, unsigned mode)
{
    bool shrunk = true;
    if (!is_failure(mini, mode))
        return;
    while (shrunk) {
        shrunk = false;
        for (unsigned i = mini->class_count; i-- > 0;)
            shrunk = shrink_class(mini, &mini->classes[i], mode) || shrunk;
    }
}

static void show_failure(const struct mini_program *mini, uint64_t seed, unsigned mode)
{
    struct mini_program *small = malloc(sizeof *small);
    struct builder text;
    assert_non_null(small);
    *small = *mini;
    shrink(small, mode);
    const struct mini_outcome outcome =
        judge_program(small, mode, SHRINKING_SCHEDULES, false).outcome;
    builder_init(&text);
    mini_program_print(small, &text);
    /* What cmocka prints has a limit. */
    fprintf(stderr,
            "program %llu is accepted as a %s, but has %u races and %u accesses without their "
            "guard (f%u_%u, in method %u of class %u):\n%s\n",
            (unsigned long long)seed, mode == AS_PROGRAM ? "program" : "library", outcome.races,
            outcome.broken, outcome.at.class, outcome.at.field, outcome.in.field, outcome.in.class,
            builder_string(&text));
    builder_release(&text);
    free(small);
}

/* ---- the tests ---- */

static unsigned long number_from(const char *name, unsigned long otherwise)
{
    const char *value = getenv(name);
    return value && value[0] ? strtoul(value, NULL, 10) : otherwise;
}

struct counts {
    unsigned long usable, accepted, rejected, wrong, failures, accesses, threads;
};

static void count_program(struct counts *counts, const struct mini_program *mini, uint64_t seed,
                          const struct verdict *verdict)
{
    const bool accepted = verdict->accepted[AS_LIBRARY] || verdict->accepted[AS_PROGRAM];
    const bool wrong = is_wrong(&verdict->outcome);
    counts->usable++;
    counts->accepted += accepted;
    counts->rejected += !accepted;
    counts->wrong += wrong && !accepted;
    if (accepted) {
        counts->accesses += verdict->outcome.accesses;
        counts->threads += verdict->outcome.threads;
    }
    if (accepted && wrong && counts->failures++ < FAILURES_SHOWN)
        show_failure(mini, seed, verdict->accepted[AS_LIBRARY] ? AS_LIBRARY : AS_PROGRAM);
}

static void test_accepted_programs_do_not_race(void **state)
{
    (void)state;
    struct mini_program *mini = malloc(sizeof *mini);
    struct counts counts = {0};
    const unsigned long programs = number_from("TURNSTILE_SOUNDNESS_PROGRAMS", PROGRAMS);
    const unsigned long first = number_from("TURNSTILE_SOUNDNESS_SEED", 1);
    const bool show = getenv("TURNSTILE_SOUNDNESS_SHOW");
    assert_non_null(mini);
    for (unsigned long seed = first; seed < first + programs; seed++) {
        random_program_make(mini, seed);
        const struct verdict verdict = judge_program(mini, seed, SCHEDULES, show);
        if (verdict.usable)
            count_program(&counts, mini, seed, &verdict);
    }
    free(mini);
    print_message("%lu programs: %lu accepted (%lu threads ran, %lu guarded accesses), %lu "
                  "rejected, of which %lu were seen breaking a rule\n",
                  counts.usable, counts.accepted, counts.threads, counts.accesses, counts.rejected,
                  counts.wrong);
    assert_int_equal(counts.failures, 0);
    /* The programs are worth something: neither answer is rare, threads do run and share, and a
       good part of what is rejected can be seen to be wrong. */
    assert_true(counts.usable > programs * 9 / 10);
    assert_true(counts.accepted > counts.usable / 10);
    assert_true(counts.rejected > counts.usable / 10);
    assert_true(counts.threads > counts.accepted * SCHEDULES * 2);
    assert_true(counts.accesses > counts.accepted * SCHEDULES);
    assert_true(counts.wrong > counts.rejected / 10);
}

static int set_up(void **state)
{
    (void)state;
    code = malloc(sizeof *code);
    arena_init(&library_arena);
    parse(&library, &library_arena, text_from(library_locks), SOURCE_PLATFORM);
    return code && mini_world_open(&world) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    mini_world_close(&world);
    arena_release(&library_arena);
    free(code);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted_programs_do_not_race),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
