/*
 * Reduction of whole traces against all interleavings of random small programs: what test/unit/
 * engine/test_reduction_reference.c asks of the engine is asked here of the analysis, which knows
 * more: when a thread is alone with something. Blocks of which it says nothing must be atomic in
 * every interleaving, and it must say nothing of blocks that are executed while there is only one
 * thread.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "engine/random_programs.h"
#include "trace/analysis_support.h"

enum { PROGRAMS = 20000, STEPS = INTERLEAVINGS_THREADS * INTERLEAVINGS_LENGTH };

static struct trace_event event_of(const struct interleavings_program *program,
                                   struct interleavings_step step)
{
    static const enum trace_kind kinds[] = {
        [INTERLEAVINGS_READ] = TRACE_READ,       [INTERLEAVINGS_WRITE] = TRACE_WRITE,
        [INTERLEAVINGS_ACQUIRE] = TRACE_ACQUIRE, [INTERLEAVINGS_RELEASE] = TRACE_RELEASE,
        [INTERLEAVINGS_FORK] = TRACE_FORK,       [INTERLEAVINGS_JOIN] = TRACE_JOIN,
        [INTERLEAVINGS_BEGIN] = TRACE_BEGIN,     [INTERLEAVINGS_END] = TRACE_END,
    };
    const struct interleavings_operation *operation = interleavings_at(program, step);
    const bool block = interleavings_is_marker(operation);
    return (struct trace_event){
        .thread = step.thread + 1,
        .target = block ? 0 : operation->object + 1,
        .location =
            block ? operation->object + 1
                  : 1 + INTERLEAVINGS_BLOCKS + step.thread * INTERLEAVINGS_LENGTH + step.index,
        .kind = kinds[operation->kind],
    };
}

static void make_names(struct trace_names *names)
{
    trace_names_init(names);
    for (unsigned i = 0; i < INTERLEAVINGS_THREADS; i++)
        trace_names_add_thread(names, TEXT("thread"));
    for (uint32_t i = 1; i <= INTERLEAVINGS_BLOCKS + STEPS; i++) {
        const struct trace_location location = {TEXT("A"), TEXT("m"), TEXT("A.java"), i, 0, false};
        trace_names_add_location(names, &location);
    }
    for (uint32_t i = 1; i <= INTERLEAVINGS_VARIABLES; i++) {
        const struct trace_field field = {TEXT("A"), TEXT("x"), TEXT("I")};
        trace_names_add_field(names, &field);
        trace_names_add_variables(names, i, 1);
        trace_names_add_lock(names, TEXT("lock"));
    }
}

/* The blocks that are reported, which are told by their lines, as a set of bits. */
static uint32_t find_violated(const struct interleavings_program *program,
                              const struct programs_run *run, const struct trace_names *names)
{
    struct trace_event events[STEPS];
    for (unsigned i = 0; i < run->count; i++)
        events[i] = event_of(program, run->steps[i]);
    struct support_origin origin = {.events = events, .names = names, .count = run->count};
    struct support_analysis analysis = {.options = support_only(false, true, false)};
    analysis.options.observed = false;
    support_analyze(&analysis, &origin);
    assert_true(analysis.done && !analysis.result.impossible.set);
    uint32_t violated = 0;
    for (size_t i = 0; i < analysis.findings.items.count; i++)
        violated |= 1u << (analysis.findings.items.items[i]->stacks[0].frames[0].line - 1);
    support_analysis_release(&analysis);
    return violated;
}

/* Adds a block of two accesses to what the first thread does, from there on. */
static void add_block(struct interleavings_program *program, unsigned at, uint64_t drawn)
{
    struct interleavings_thread *list = &program->thread[0];
    unsigned block = 0;
    while (programs_blocks(program) >> block)
        block++;
    const struct interleavings_operation operations[] = {
        {INTERLEAVINGS_BEGIN, block, 0},
        {drawn & 1 ? INTERLEAVINGS_READ : INTERLEAVINGS_WRITE, drawn >> 1 & 1, 0},
        {drawn & 4 ? INTERLEAVINGS_READ : INTERLEAVINGS_WRITE, drawn >> 3 & 1, 0},
        {INTERLEAVINGS_END, block, 0},
    };
    enum { COUNT = sizeof operations / sizeof *operations };
    if (list->count + COUNT > INTERLEAVINGS_LENGTH || block >= INTERLEAVINGS_BLOCKS)
        return;
    memmove(&list->operations[at + COUNT], &list->operations[at],
            (list->count - at) * sizeof list->operations[0]);
    memcpy(&list->operations[at], operations, sizeof operations);
    list->count += COUNT;
}

/* The blocks that are over when the first thread is started, or begin when all have been joined. */
static uint32_t find_lonely(const struct interleavings_program *program)
{
    const struct interleavings_thread *list = &program->thread[0];
    uint32_t lonely = 0, begun = 0;
    unsigned running = 0, started = 0;
    for (unsigned i = 0; i < list->count; i++) {
        const struct interleavings_operation *operation = &list->operations[i];
        running += operation->kind == INTERLEAVINGS_FORK;
        running -= operation->kind == INTERLEAVINGS_JOIN;
        started += operation->kind == INTERLEAVINGS_FORK;
        if (operation->kind == INTERLEAVINGS_FORK)
            begun = 0;
        else if (operation->kind == INTERLEAVINGS_BEGIN && !running)
            begun |= 1u << operation->object;
        else if (operation->kind == INTERLEAVINGS_END)
            lonely |= begun & 1u << operation->object;
    }
    return started == program->threads - 1 ? lonely : 0;
}

static void test_programs(void **state)
{
    (void)state;
    struct interleavings_memory *memory = calloc(1, sizeof *memory);
    struct trace_names names;
    uint64_t seed = 11;
    unsigned programs = 0, warned = 0, lonely = 0;
    assert_non_null(memory);
    make_names(&names);
    while (programs < PROGRAMS) {
        struct interleavings_program program;
        struct programs_run run;
        programs_make(&seed, &program);
        const uint64_t drawn = support_random(&seed);
        if (drawn % 3 == 0)
            add_block(&program, 0, drawn >> 8);
        if (drawn % 3 == 1)
            add_block(&program, program.thread[0].count, drawn >> 8);
        if (!programs_blocks(&program) || !programs_run(&seed, &program, &run))
            continue;
        programs++;
        const uint32_t violated = find_violated(&program, &run, &names);
        const uint32_t alone = find_lonely(&program);
        interleavings_split(&program, programs_blocks(&program) & ~violated);
        if (interleavings_search(memory, &program))
            fail_msg("program %u: a block that is not atomic was not reported", programs);
        if (violated & alone)
            fail_msg("program %u: a block that nobody could disturb was reported", programs);
        warned += violated != 0;
        lonely += alone != 0;
    }
    trace_names_release(&names);
    free(memory);
    print_message("%u programs, %u with findings, %u with blocks of one thread alone\n", programs,
                  warned, lonely);
    assert_true(warned > PROGRAMS / 10 && lonely > PROGRAMS / 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
