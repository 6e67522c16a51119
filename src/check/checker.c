#include "check/checker.h"

#include "base/parallel.h"
#include "check/accessors.h"
#include "check/made_fields.h"
#include "check/method_check.h"
#include "classfile/names.h"

enum { CANONICAL_DEPTH = 16 }; /* aliases of aliases; more than a few do not occur */

/* ---- who may call ---- */

static void mark_set(struct checker *checker, uint32_t set)
{
    uint32_t one;
    const struct program_ids targets = call_graph_targets(checker->graph, set, &one);
    for (uint32_t i = 0; i < targets.count; i++)
        if (program_is_application_method(checker->program, targets.items[i]))
            checker->outside[targets.items[i]] = 1;
}

static bool mark_outside(struct checker *checker)
{
    const struct program *program = checker->program;
    checker->outside =
        arena_allocate_zeroed(&checker->arena, program->application_method_count + 1u, 1);
    if (!checker->outside)
        return false;
    for (uint32_t method = 0; method < program->application_method_count; method++) {
        const uint16_t access = program->methods[method].access;
        uint32_t count;
        const bool visible = !checker->options.whole_program &&
                             (access & (ACCESS_PUBLIC | ACCESS_PROTECTED)) &&
                             !(access & ACCESS_SYNTHETIC);
        checker->outside[method] = visible || entry_points_of(checker->entries, method, &count) ||
                                   text_is(program_method_name(program, method), "<clinit>");
    }
    for (uint32_t class_id = 0; class_id < program->class_count; class_id++) {
        const struct program_ids callbacks = call_graph_callbacks(checker->graph, class_id);
        for (uint32_t i = 0; i < callbacks.count; i++)
            if (program_is_application_method(program, callbacks.items[i]))
                checker->outside[callbacks.items[i]] = 1;
    }
    for (uint32_t i = 0; i < checker->graph->lambda_count; i++)
        mark_set(checker, checker->graph->lambdas[i].targets);
    return true;
}

/* ---- owners ---- */

static bool has_owners(const struct checker *checker)
{
    const struct program *program = checker->program;
    for (uint32_t i = 0; i < program->application_count; i++)
        if (lock_types_class(checker->types, i)->formal_count)
            return true;
    for (uint32_t i = 0; i < program->application_field_count; i++)
        if (lock_types_field(checker->types, i)->owners.count)
            return true;
    for (uint32_t i = 0; i < program->application_method_count; i++) {
        const struct method_locks *locks = lock_types_method(checker->types, i);
        if (locks->parameter_owners || locks->result_owners.count)
            return true;
    }
    return checker->types->allocations.count > 0;
}

/* ---- flows ---- */

struct flow_work {
    struct checker *checker;
    struct diagnostics *diagnostics;
    _Atomic uint32_t failed;
    _Atomic bool out_of_memory;
};

static void run_flow(void *context, size_t item, unsigned worker)
{
    struct flow_work *work = context;
    struct checker *checker = work->checker;
    const struct program *program = checker->program;
    const uint32_t method = (uint32_t)item;
    const struct member *member = program_method_member(program, method);
    struct arena *arena = &checker->flow_arenas[worker];
    const struct flow_context flow_context = {
        .program = program, .types = checker->types, .summaries = &checker->summaries};
    struct problem problem = {0};
    if (!member || !member_code(member))
        return;
    struct method_flow *flow = ARENA_NEW(arena, struct method_flow);
    if (flow && method_flow_run(flow, arena, &flow_context, method, &problem)) {
        checker->flows[method] = flow;
        return;
    }
    work->failed++;
    if (arena->failed)
        work->out_of_memory = true;
    else
        diagnostics_problem(work->diagnostics, DIAGNOSTICS_NOTE,
                            program_class_of_method(program, method)->name, &problem);
}

static bool run_flows(struct checker *checker, struct diagnostics *diagnostics,
                      struct problem *problem)
{
    const uint32_t count = checker->program->application_method_count;
    struct flow_work work = {.checker = checker, .diagnostics = diagnostics};
    checker->flows = arena_allocate_zeroed(&checker->arena, (count + 1u) * sizeof *checker->flows,
                                           alignof(struct method_flow *));
    checker->flow_arenas = ARENA_ARRAY(&checker->arena, struct arena, checker->worker_count);
    if (!checker->flows || !checker->flow_arenas) {
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
        return false;
    }
    for (unsigned i = 0; i < checker->worker_count; i++)
        arena_init(&checker->flow_arenas[i]);
    parallel_for(count, checker->worker_count, run_flow, &work);
    checker->stats.methods_failed = work.failed;
    for (uint32_t i = 0; i < count; i++)
        checker->stats.methods_executed += checker->flows[i] != NULL;
    if (work.out_of_memory)
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
    return !work.out_of_memory;
}

static bool complete_flows(struct checker *checker, struct problem *problem)
{
    if (accessors_inline(checker) && made_fields_find(checker))
        return true;
    problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
    return false;
}

bool checker_init(struct checker *checker, const struct call_graph *graph,
                  const struct lock_types *types, const struct entry_points *entries,
                  const struct checker_options *options, struct diagnostics *diagnostics,
                  struct problem *problem)
{
    *checker = (struct checker){.program = graph->program,
                                .graph = graph,
                                .facts = types->facts,
                                .types = types,
                                .entries = entries,
                                .options = *options};
    arena_init(&checker->arena);
    checker->worker_count = options->workers ? options->workers : parallel_workers();
    checker->stats.classes = checker->program->application_count;
    checker->stats.methods = checker->program->application_method_count;
    checker->stats.fields = checker->program->application_field_count;
    checker->has_owners = has_owners(checker);
    if (!mark_outside(checker)) {
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
        return false;
    }
    return flow_summaries_build(&checker->summaries, types, graph, problem) &&
           run_flows(checker, diagnostics, problem) && complete_flows(checker, problem) &&
           entry_locks_find(&checker->entry, checker, problem) &&
           (!checker->has_owners || captures_find(&checker->captures, checker, problem)) &&
           (options->defaults != DEFAULTS_BELIEF ||
            beliefs_find(&checker->beliefs, checker, problem));
}

void checker_release(struct checker *checker)
{
    beliefs_release(&checker->beliefs);
    captures_release(&checker->captures);
    entry_locks_release(&checker->entry);
    if (checker->flows)
        for (uint32_t i = 0; i < checker->program->application_method_count; i++)
            if (checker->flows[i])
                method_flow_release(checker->flows[i]);
    if (checker->flow_arenas)
        for (unsigned i = 0; i < checker->worker_count; i++)
            arena_release(&checker->flow_arenas[i]);
    flow_summaries_release(&checker->summaries);
    arena_release(&checker->arena);
    *checker = (struct checker){0};
}

/* ---- terms ---- */

/* What a constructor stored in the final field of an object that this method made. */
static term stored_in_new(const struct checker *checker, struct method_flow *flow, term object,
                          uint32_t field)
{
    for (uint32_t i = 0; i < flow->event_count; i++) {
        const struct flow_event *event = &flow->events[i];
        if (event->kind != EVENT_CALL || event->object != object || event->id == PROGRAM_NONE)
            continue;
        const struct method_summary *summary = flow_summaries_of(&checker->summaries, event->id);
        for (uint32_t k = 0; summary && k < summary->stored_count; k++) {
            if (summary->stored[k].field != field)
                continue;
            term parameters[256];
            uint32_t count = 0;
            parameters[count++] = object;
            for (uint32_t a = 0; a < event->argument_count && count < 256; a++)
                parameters[count++] = flow->arguments[event->first_argument + a];
            const struct term_binding binding = {
                .to = &flow->terms, .parameters = parameters, .parameter_count = count};
            return term_substitute(&checker->summaries.terms, summary->stored[k].value, &binding);
        }
    }
    return TERM_NONE;
}

static term canonical(const struct checker *checker, struct method_flow *flow, term number,
                      unsigned depth)
{
    const struct term_content content = term_content(&flow->terms, number);
    if (depth == CANONICAL_DEPTH)
        return number;
    if (content.kind == TERM_READ_VIEW || content.kind == TERM_WRITE_VIEW)
        return term_make(&flow->terms, (enum term_kind)content.kind,
                         canonical(checker, flow, content.a, depth + 1), 0);
    if (content.kind != TERM_FIELD && content.kind != TERM_STATIC)
        return number;
    const uint32_t field = content.kind == TERM_FIELD ? content.b : content.a;
    term object = TERM_NONE;
    if (content.kind == TERM_FIELD) {
        object = canonical(checker, flow, content.a, depth + 1);
        if (term_kind(&flow->terms, object) == TERM_NEW) {
            const term stored = stored_in_new(checker, flow, object, field);
            if (stored != TERM_NONE)
                return canonical(checker, flow, stored, depth + 1);
        }
        number = term_make(&flow->terms, TERM_FIELD, object, field);
    }
    const term alias = flow_summaries_alias(&checker->summaries, field);
    if (alias == TERM_NONE)
        return number;
    const struct term_binding binding = {
        .to = &flow->terms, .parameters = &object, .parameter_count = 1};
    const term other = term_substitute(&checker->summaries.terms, alias, &binding);
    return other == TERM_NONE ? number : canonical(checker, flow, other, depth + 1);
}

term checker_canonical(const struct checker *checker, struct method_flow *flow, term number)
{
    return canonical(checker, flow, number, 0);
}
