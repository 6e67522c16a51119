#include "flow/method_flow.h"

#include <string.h>

#include "classfile/descriptor.h"
#include "flow/flow_internal.h"

void flow_fail(struct flow_run *run, const char *reason)
{
    if (!run->failed)
        problem_set(run->problem, PROBLEM_NO_OFFSET, "%s", reason);
    run->failed = true;
}

void flow_fail_memory(struct flow_run *run)
{
    flow_fail(run, "out of memory");
}

void flow_count_work(struct flow_run *run, uint32_t places)
{
    run->work += places / 16 + 1;
    if (run->work > MOST_WORK)
        flow_fail(run, "the method takes too long to be executed");
}

/* ---- the start ---- */

static bool find_blocks(struct flow_run *run, struct arena *arena)
{
    struct method_flow *flow = run->flow;
    const struct member *member = program_method_member(run->program, flow->method);
    if (!member || !member_code(member)) {
        flow_fail(run, "the method has no code");
        return false;
    }
    const struct class_file *class_file = run->program->classes[run->class_id].class_file;
    if (!bytecode_decode(&flow->bytecode, arena, class_file, member, run->problem))
        return false;
    if (!flow_build(&run->blocks, run->scratch, &flow->bytecode)) {
        flow_explain(run->scratch, run->problem);
        return false;
    }
    run->local_count = flow->bytecode.code->max_locals;
    run->stack_limit = flow->bytecode.code->max_stack;
    run->uses = arena_allocate_zeroed(run->scratch, flow->bytecode.count * sizeof *run->uses,
                                      alignof(void *));
    if (!run->uses || !flow_values_init(run) || !flow_loops_find(run) || !flow_states_init(run)) {
        flow_fail_memory(run);
        return false;
    }
    return true;
}

/* Puts the parameters into their locals. */
static void enter(struct flow_run *run)
{
    struct text descriptor = program_method_descriptor(run->program, run->flow->method);
    struct text parameter;
    size_t position = 1;
    uint32_t local = 0, number = 0;
    memset(run->now.places, 0, run->local_count * sizeof *run->now.places);
    run->now.stack_count = run->now.lock_count = 0;
    run->now.fresh_count = run->now.part_count = 0;
    if (!run->flow->is_static)
        flow_store(run, local++, flow_make(run, TERM_PARAMETER, number++, 0));
    while (!run->failed && descriptor_next_parameter(descriptor, &position, &parameter)) {
        flow_store(run, local, flow_make(run, TERM_PARAMETER, number++, 0));
        local += descriptor_slots(parameter);
    }
    run->flow->parameter_count = number;
    if (!run->failed && run->program->methods[run->flow->method].access & ACCESS_SYNCHRONIZED)
        flow_locks_acquire(run,
                           run->flow->is_static ? flow_make(run, TERM_CLASS, run->class_id, 0)
                                                : run->now.places[0],
                           LOCK_EXCLUSIVE, INSTRUCTION_NONE);
    if (local > run->local_count)
        flow_fail(run, "the parameters do not fit");
    if (!run->failed)
        flow_state_join(run, 0);
}

/* ---- the rounds ---- */

static void execute(struct flow_run *run)
{
    uint32_t position = 0;
    run->restart = false;
    flow_states_clear(run);
    memset(run->pending, 0, run->blocks.count);
    run->lowest = UINT32_MAX;
    enter(run);
    while (position < run->order_count && !run->failed && !run->restart) {
        if (!run->pending[position]) {
            position++;
            continue;
        }
        run->pending[position] = false;
        run->lowest = position + 1;
        flow_run_block(run, run->order[position]);
        position = run->lowest;
    }
}

/* In the order of the code. The empty lock set gets number 0. */
static void record(struct flow_run *run)
{
    run->recording = true;
    run->now.lock_count = 0;
    run->set_now = UINT32_MAX;
    flow_locks_number(run);
    for (uint32_t i = 0; i < run->blocks.count && !run->failed; i++)
        if (run->at[i].reached)
            flow_run_block(run, i);
}

static bool run_method(struct flow_run *run, struct arena *arena)
{
    struct method_flow *flow = run->flow;
    if (!find_blocks(run, arena))
        return false;
    run->use_constructions = true;
    execute(run);
    for (unsigned i = 0; run->restart && !run->failed; i++) {
        run->use_constructions = i < MOST_RESTARTS;
        execute(run);
    }
    if (!run->failed)
        record(run);
    if (run->failed)
        return false;
    if (!term_table_init(&flow->terms, arena) || !flow_record_finish(run, arena)) {
        flow_fail_memory(run);
        return false;
    }
    return true;
}

bool method_flow_run(struct method_flow *flow, struct arena *arena,
                     const struct flow_context *context, uint32_t method, struct problem *problem)
{
    const struct program *program = context->program;
    struct arena own;
    memset(flow, 0, sizeof *flow);
    flow->method = method;
    flow->is_static = (program->methods[method].access & ACCESS_STATIC) != 0;
    arena_init(&own);
    struct flow_run run = {.flow = flow,
                           .context = context,
                           .program = program,
                           .graph = context->graph       ? context->graph
                                    : context->summaries ? context->summaries->graph
                                                         : NULL,
                           .scratch = context->scratch ? context->scratch : &own,
                           .problem = problem,
                           .class_id = program->methods[method].class_id};
    struct text name = program_method_name(program, method);
    run.is_constructor = !flow->is_static && text_is(name, "<init>");
    run.is_static_initializer = flow->is_static && text_is(name, "<clinit>");
    if (context->scratch)
        arena_clear(context->scratch);
    bool done = run_method(&run, arena);
    if (!done) {
        if (!problem->set)
            problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
        method_flow_release(flow);
    }
    term_table_release(&run.terms);
    vector_release(&run.infos);
    vector_release(&run.inputs);
    vector_release(&run.other_names);
    vector_release(&run.events);
    vector_release(&run.arguments);
    vector_release(&run.argument_flags);
    vector_release(&run.sets);
    intmap_release(&run.set_numbers);
    arena_release(&own);
    return done;
}

void method_flow_release(struct method_flow *flow)
{
    term_table_release(&flow->terms);
}

uint32_t method_flow_line(const struct method_flow *flow, uint32_t instruction)
{
    const struct attributes *attributes = &flow->bytecode.code->attributes;
    if (instruction >= flow->bytecode.count)
        return 0;
    uint32_t offset = bytecode_offset(&flow->bytecode, instruction);
    uint32_t line = 0, start = 0;
    /* A method may have several tables, and their rows any order. */
    for (uint16_t i = 0; i < attributes->count; i++) {
        if (attributes->items[i].kind != ATTRIBUTE_LINE_NUMBER_TABLE)
            continue;
        const struct line_numbers *table = attributes->items[i].as.line_numbers;
        for (uint16_t j = 0; j < table->count; j++)
            if (table->items[j].start <= offset && (line == 0 || table->items[j].start >= start)) {
                start = table->items[j].start;
                line = table->items[j].line;
            }
    }
    return line;
}
