/*
 * What calls do: resolved by name, with the effects that are declared and what summaries tell.
 */
#include <string.h>

#include "classfile/descriptor.h"
#include "flow/flow_internal.h"
#include "program/resolve.h"

enum { MOST_PARAMETERS = 256 };

/* ---- looking up ---- */

static const struct call_site *site_at(const struct flow_run *run, uint32_t instruction,
                                       bool lambda)
{
    return run->graph ? call_graph_site_at(run->graph, run->flow->method, instruction, lambda)
                      : NULL;
}

static const struct call_lambda *lambda_of(const struct flow_run *run, const struct call_site *site)
{
    uint32_t number = (uint32_t)(site - run->graph->sites);
    uint32_t low = 0, high = run->graph->lambda_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (run->graph->lambdas[middle].site < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == run->graph->lambda_count || run->graph->lambdas[low].site != number ||
        run->graph->lambdas[low].interface == PROGRAM_NONE)
        return NULL;
    return &run->graph->lambdas[low];
}

static bool list_arguments(struct flow_run *run, struct call_use *use, struct text descriptor)
{
    uint8_t positions[MOST_PARAMETERS];
    bool is_object[MOST_PARAMETERS];
    struct text parameter;
    size_t position = 1;
    unsigned slots = 0, count = 0;
    while (count < MOST_PARAMETERS && slots < MOST_PARAMETERS &&
           descriptor_next_parameter(descriptor, &position, &parameter)) {
        positions[count] = (uint8_t)slots;
        is_object[count++] = parameter.bytes[0] == 'L' || parameter.bytes[0] == '[';
        slots += descriptor_slots(parameter);
    }
    use->argument_count = (uint16_t)count;
    use->argument_slots = (uint8_t)slots;
    use->result_slots = (uint8_t)descriptor_slots(descriptor_return(descriptor));
    use->positions = arena_copy(run->scratch, positions, count, 1);
    use->is_object = arena_copy(run->scratch, is_object, count * sizeof *is_object, 1);
    return use->positions && use->is_object;
}

/* What all targets of a dispatched call agree in. */
static const struct method_summary *agreed_summary(const struct flow_run *run,
                                                   const struct call_site *site)
{
    const struct flow_summaries *summaries = run->context->summaries;
    uint32_t one;
    if (!site || site->unknown != CALL_KNOWN || call_graph_may_run_platform(site))
        return NULL;
    struct program_ids targets = call_graph_targets(run->graph, site->targets, &one);
    const struct method_summary *agreed = NULL;
    for (uint32_t i = 0; i < targets.count; i++) {
        const struct method_summary *summary = flow_summaries_of(summaries, targets.items[i]);
        if (!summary || summary->returned == TERM_NONE ||
            (agreed && agreed->returned != summary->returned))
            return NULL;
        agreed = summary;
    }
    return agreed;
}

static bool same_effects(const struct method_summary *a, const struct method_summary *b)
{
    if (a->effect_count != b->effect_count)
        return false;
    for (uint32_t i = 0; i < a->effect_count; i++)
        if (a->effects[i].kind != b->effects[i].kind || a->effects[i].lock != b->effects[i].lock)
            return false;
    return true;
}

/* What all targets do to locks; of targets that differ, what some of them may give up. */
static void find_net_effects(struct flow_run *run, struct call_use *use,
                             const struct call_site *site)
{
    const struct flow_summaries *summaries = run->context->summaries;
    static const struct method_summary nothing = {0};
    uint32_t one;
    struct program_ids targets = {&use->method, 1};
    if (use->dispatched && site)
        targets = call_graph_targets(run->graph, site->targets, &one);
    const struct method_summary *first = NULL, *releasing = NULL;
    bool same = true;
    for (uint32_t i = 0; i < targets.count; i++) {
        const struct method_summary *summary = flow_summaries_of(summaries, targets.items[i]);
        summary = summary ? summary : &nothing;
        first = first ? first : summary;
        same = same && same_effects(first, summary);
        for (uint32_t k = 0; k < summary->effect_count; k++)
            if (summary->effects[k].kind == EFFECT_RELEASES)
                releasing = summary;
    }
    const struct method_summary *chosen = same ? first : releasing;
    if (!chosen)
        return;
    use->net = chosen->effects;
    use->net_count = chosen->effect_count;
    use->net_releases_only = !same;
    use->releases |= releasing != NULL;
}

/* Rows say what a library method does, not what the program's own methods do in its place. */
static bool may_run_application(const struct flow_run *run, const struct call_use *use,
                                uint32_t number, const struct call_site *site)
{
    const struct program *program = run->program;
    const uint16_t constant = run->flow->bytecode.instructions[number].operand;
    const uint32_t owner = resolve_owner(program, run->flow->bytecode.class_file, constant);
    uint32_t one;
    if (program_is_application_method(program, use->method) ||
        (owner != PROGRAM_NONE && program->classes[owner].application))
        return true;
    const struct program_ids targets = use->dispatched && site
                                           ? call_graph_targets(run->graph, site->targets, &one)
                                           : (struct program_ids){NULL, 0};
    for (uint32_t i = 0; i < targets.count; i++)
        if (program_is_application_method(program, targets.items[i]))
            return true;
    return false;
}

/* What is only read or written may come back, as toArray gives back its array, or go on in a view,
   as a stream does. */
static bool may_come_back(const struct program *program, uint32_t method)
{
    const struct text result = descriptor_return(program_method_descriptor(program, method));
    return (result.bytes[0] == 'L' || result.bytes[0] == '[') &&
           !text_is(result, "Ljava/lang/String;");
}

/* Object.clone: the copy has the same parts, unless it is that of an array. */
static bool copies_parts(const struct flow_run *run, const struct call_use *use, uint32_t number)
{
    const struct program *program = run->program;
    const struct class_file *class_file = run->flow->bytecode.class_file;
    const uint16_t constant = run->flow->bytecode.instructions[number].operand;
    const struct text of = class_name_at(class_file, class_file->constants[constant].first);
    return program->methods[use->method].class_id == program->object && of.length &&
           of.bytes[0] != '[' && text_is(program_method_name(program, use->method), "clone");
}

static void find_effects(struct flow_run *run, struct call_use *use, uint32_t number,
                         const struct call_site *site)
{
    const struct lock_types *types = run->context->types;
    const struct method_locks *locks = lock_types_method(types, use->method);
    const uint32_t receivers = use->has_receiver ? 1 : 0;
    const uint32_t count = use->argument_count + receivers;
    bool starts = false;
    if (!locks->effect_count)
        return;
    bool *lent = arena_allocate_zeroed(run->scratch, (count + 1u) * sizeof *lent, 1);
    if (!lent) {
        flow_fail_memory(run);
        return;
    }
    const bool comes_back = may_come_back(run->program, use->method);
    const bool own = may_run_application(run, use, number, site);
    const bool copies = copies_parts(run, use, number);
    use->locks = locks;
    for (uint32_t i = 0; i < locks->effect_count; i++) {
        struct term_content lock = term_content(&types->terms, locks->effects[i].lock);
        uint8_t kind = locks->effects[i].kind;
        use->releases |= kind == EFFECT_RELEASES;
        starts |= kind == EFFECT_STARTS;
        if (lock.kind != TERM_PARAMETER || lock.a >= count)
            continue;
        if (kind == EFFECT_READS || kind == EFFECT_WRITES)
            lent[lock.a] |= lock.a < receivers ? !copies : !own && !comes_back;
        else if (kind == EFFECT_RETURNS) /* as the same value, which goes on as such */
            lent[lock.a] |= !own;
    }
    use->lent = starts ? NULL : lent;
}

static void find_method(struct flow_run *run, struct call_use *use, uint32_t number,
                        struct text name)
{
    const struct program *program = run->program;
    const struct class_file *class_file = run->flow->bytecode.class_file;
    const struct instruction *instruction = &run->flow->bytecode.instructions[number];
    const struct call_site *site = site_at(run, number, false);
    use->method =
        site ? site->method : resolve_method_constant(program, class_file, instruction->operand).id;
    use->is_constructor = instruction->opcode == OP_INVOKESPECIAL && text_is(name, "<init>");
    use->dispatched =
        instruction->opcode == OP_INVOKEVIRTUAL || instruction->opcode == OP_INVOKEINTERFACE;
    if (use->method == PROGRAM_NONE)
        return;
    if (instruction->opcode == OP_INVOKESPECIAL && !use->is_constructor) {
        uint32_t owner = resolve_owner(program, class_file, instruction->operand);
        uint32_t special = owner == PROGRAM_NONE
                               ? PROGRAM_NONE
                               : resolve_special(program, run->class_id, owner, use->method);
        if (special != PROGRAM_NONE)
            use->method = special;
    }
    const struct program_member *method = &program->methods[use->method];
    if (method->access & (ACCESS_PRIVATE | ACCESS_FINAL | ACCESS_STATIC) ||
        program->classes[method->class_id].access & ACCESS_FINAL)
        use->dispatched = false;
    find_effects(run, use, number, site);
    if (run->context->summaries)
        use->summary = use->dispatched ? agreed_summary(run, site)
                                       : flow_summaries_of(run->context->summaries, use->method);
    if (run->context->summaries && !use->locks)
        find_net_effects(run, use, site);
}

const struct call_use *flow_call_use(struct flow_run *run, uint32_t number)
{
    void **slot = &run->uses[number];
    if (*slot)
        return *slot;
    const struct instruction *instruction = &run->flow->bytecode.instructions[number];
    struct member_reference reference =
        class_member_reference(run->flow->bytecode.class_file, instruction->operand);
    struct call_use *use = ARENA_NEW(run->scratch, struct call_use);
    if (!use || !list_arguments(run, use, reference.descriptor)) {
        flow_fail_memory(run);
        return NULL;
    }
    use->method = PROGRAM_NONE;
    if (instruction->opcode == OP_INVOKEDYNAMIC) {
        const struct call_site *site = site_at(run, number, true);
        use->lambda = site ? lambda_of(run, site) : NULL;
    } else {
        use->has_receiver = instruction->opcode != OP_INVOKESTATIC;
        find_method(run, use, number, reference.name);
    }
    *slot = use;
    return use;
}

/* ---- effects ---- */

/* A call under way: what it was given, and what it gives. */
struct call {
    const struct call_use *use;
    term parameters[MOST_PARAMETERS]; /* the receiver first, if there is one */
    uint32_t parameter_count;
    term result;
};

static void record_lock(struct flow_run *run, enum event_kind kind, term lock, uint8_t mode,
                        uint32_t how)
{
    struct flow_event *event = flow_event_add(run, kind);
    if (!event)
        return;
    event->object = lock;
    event->id = mode;
    event->other = how;
    event->flags |= flow_object_flags(run, lock);
}

static void acquire(struct flow_run *run, term object, bool shared)
{
    uint8_t mode;
    term lock = flow_lock_of(&run->terms, object, &mode);
    if (shared)
        mode = LOCK_SHARED;
    record_lock(run, EVENT_ACQUIRE, lock, mode, FLOW_BY_CALL);
    flow_locks_acquire(run, lock, mode, run->instruction);
}

static void release(struct flow_run *run, term object)
{
    uint8_t mode;
    term lock = flow_lock_of(&run->terms, object, &mode);
    record_lock(run, EVENT_RELEASE, lock, mode, FLOW_BY_CALL);
    flow_locks_release(run, lock, mode, lock == object);
}

static term try_lock(struct flow_run *run, term object, bool shared)
{
    uint8_t mode;
    term lock = flow_lock_of(&run->terms, object, &mode);
    if (shared)
        mode = LOCK_SHARED;
    record_lock(run, EVENT_ACQUIRE, lock, mode, FLOW_BY_TRYING);
    return flow_make(run, TERM_RESULT, lock,
                     mode == LOCK_SHARED ? RESULT_ACQUIRED_SHARED : RESULT_ACQUIRED);
}

static void run_effect(struct flow_run *run, struct call *call, uint8_t kind, term object)
{
    uint8_t mode;
    switch ((enum effect_kind)kind) {
    case EFFECT_ACQUIRES:
    case EFFECT_ACQUIRES_SHARED:
        acquire(run, object, kind == EFFECT_ACQUIRES_SHARED);
        break;
    case EFFECT_TRIES:
    case EFFECT_TRIES_SHARED:
        call->result = try_lock(run, object, kind == EFFECT_TRIES_SHARED);
        break;
    case EFFECT_RELEASES:
        release(run, object);
        break;
    case EFFECT_HOLDS:
        call->result =
            flow_make(run, TERM_RESULT, flow_lock_of(&run->terms, object, &mode), RESULT_HELD);
        break;
    case EFFECT_ASSERTS: {
        term lock = flow_lock_of(&run->terms, object, &mode);
        flow_locks_assert(run, lock, mode, run->instruction);
        break;
    }
    case EFFECT_RETURNS:
        call->result = object;
        break;
    case EFFECT_READ_VIEW:
        call->result = flow_make(run, TERM_READ_VIEW, object, 0);
        break;
    case EFFECT_WRITE_VIEW:
        call->result = flow_make(run, TERM_WRITE_VIEW, object, 0);
        break;
    case EFFECT_WAITS: /* the lock is held again on return */
    case EFFECT_STARTS:
    case EFFECT_JOINS:
    case EFFECT_CALLS:
    case EFFECT_READS:
    case EFFECT_WRITES:
        break;
    }
}

static void run_effects(struct flow_run *run, struct call *call)
{
    const struct method_locks *locks = call->use->locks;
    for (uint32_t i = 0; locks && i < locks->effect_count && !run->failed; i++) {
        uint8_t kind = locks->effects[i].kind;
        if (kind == EFFECT_READS || kind == EFFECT_WRITES || kind == EFFECT_CALLS)
            continue;
        term object = flow_substitute(run, &run->context->types->terms, locks->effects[i].lock,
                                      call->parameters, call->parameter_count);
        if (object != TERM_NONE)
            run_effect(run, call, kind, object);
    }
}

static void run_net_effects(struct flow_run *run, struct call *call)
{
    const struct call_use *use = call->use;
    for (uint32_t i = 0; i < use->net_count && !run->failed; i++) {
        if (use->net_releases_only && use->net[i].kind != EFFECT_RELEASES)
            continue;
        term lock = flow_substitute(run, &run->context->summaries->terms, use->net[i].lock,
                                    call->parameters, call->parameter_count);
        if (lock != TERM_NONE)
            run_effect(run, call, use->net[i].kind, lock);
    }
}

/* ---- constructors ---- */

static bool same_construction(const struct construction *construction, const struct call *call)
{
    return construction->summary == call->use->summary &&
           construction->argument_count == call->parameter_count &&
           memcmp(construction->arguments, call->parameters,
                  call->parameter_count * sizeof *call->parameters) == 0;
}

/* Remembers what the object was made with. If that turns out to depend on the way, what was
   concluded from it is wrong, and the execution starts again without it. */
static void note_construction(struct flow_run *run, const struct call *call)
{
    struct term_content object = term_content(&run->terms, call->parameters[0]);
    if (object.kind != TERM_NEW || !run->context->summaries || !run->use_constructions)
        return;
    struct construction *construction = run->uses[object.a];
    if (construction) {
        if (!construction->unknown && !same_construction(construction, call)) {
            construction->unknown = true;
            run->restart = construction->summary || call->use->summary;
        }
        return;
    }
    construction = ARENA_NEW(run->scratch, struct construction);
    if (construction) {
        construction->summary = call->use->summary;
        construction->argument_count = call->parameter_count;
        construction->arguments =
            arena_copy(run->scratch, call->parameters,
                       call->parameter_count * sizeof *call->parameters, alignof(term));
    }
    if (!construction || !construction->arguments) {
        flow_fail_memory(run);
        return;
    }
    run->uses[object.a] = construction;
}

/* ---- calls ---- */

static bool take_parameters(struct flow_run *run, struct call *call)
{
    const struct call_use *use = call->use;
    uint32_t slots = use->argument_slots + (use->has_receiver ? 1u : 0u);
    if (run->now.stack_count < slots) {
        flow_fail(run, "the stack is empty");
        return false;
    }
    run->now.stack_count -= slots;
    const term *first = run->now.places + run->local_count + run->now.stack_count;
    if (use->has_receiver)
        call->parameters[call->parameter_count++] = *first++;
    for (uint32_t i = 0; i < use->argument_count; i++)
        call->parameters[call->parameter_count++] = first[use->positions[i]];
    return true;
}

static bool is_lent(const struct call_use *use, uint32_t parameter)
{
    return use->lent && use->lent[parameter];
}

static void record_arguments(struct flow_run *run, struct flow_event *event,
                             const struct call *call)
{
    uint32_t first = call->use->has_receiver ? 1 : 0;
    bool fresh = false, others = false;
    for (uint32_t i = 0; i < call->use->argument_count; i++) {
        term argument = call->parameters[first + i];
        bool is_fresh = call->use->is_object[i] && flow_is_fresh(run, argument);
        flow_event_argument(run, event, argument, is_lent(call->use, first + i));
        if (call->use->is_object[i]) {
            fresh |= is_fresh;
            others |= !is_fresh;
        }
    }
    if (fresh && !others)
        event->flags |= EVENT_VALUE_FRESH;
}

static void record_call(struct flow_run *run, const struct call *call,
                        const struct instruction *instruction)
{
    const struct call_use *use = call->use;
    struct flow_event *event = flow_event_add(run, EVENT_CALL);
    if (!event)
        return;
    event->id = use->method;
    event->constant = instruction->operand;
    event->flags |= use->dispatched ? EVENT_DISPATCHED : 0;
    if (use->has_receiver) {
        event->object = call->parameters[0];
        event->flags |= flow_object_flags(run, event->object);
    } else {
        event->flags |= EVENT_STATIC;
    }
    record_arguments(run, event, call);
}

static void escape_parameters(struct flow_run *run, const struct call *call)
{
    const struct call_use *use = call->use;
    for (uint32_t i = 0; i < call->parameter_count; i++)
        if ((i || !use->is_constructor) && !is_lent(use, i))
            flow_escape(run, call->parameters[i]);
}

static void run_dynamic(struct flow_run *run, const struct call *call,
                        const struct instruction *instruction)
{
    const struct call_lambda *lambda = call->use->lambda;
    term made = flow_made(run->instruction);
    struct flow_event *event = lambda ? flow_event_add(run, EVENT_LAMBDA) : NULL;
    if (event) {
        event->id = lambda->implementation;
        event->other = lambda->interface;
        event->constant = instruction->operand;
        event->value = made;
        record_arguments(run, event, call);
    }
    escape_parameters(run, call);
    flow_push_wide(run, made, call->use->result_slots);
}

void flow_run_call(struct flow_run *run, const struct instruction *instruction)
{
    struct call call;
    call.use = flow_call_use(run, run->instruction);
    call.parameter_count = 0;
    call.result = TERM_NONE;
    if (!call.use || !take_parameters(run, &call))
        return;
    const struct call_use *use = call.use;
    if (instruction->opcode == OP_INVOKEDYNAMIC) {
        run_dynamic(run, &call, instruction);
        return;
    }
    size_t number = run->events.count;
    record_call(run, &call, instruction);
    escape_parameters(run, &call);
    run_effects(run, &call);
    run_net_effects(run, &call);
    if (call.result == TERM_NONE && use->summary && use->summary->returned != TERM_NONE)
        call.result = flow_substitute(run, &run->context->summaries->terms, use->summary->returned,
                                      call.parameters, call.parameter_count);
    if (call.result == TERM_NONE && use->result_slots)
        call.result = flow_made(run->instruction);
    if (run->recording && number < run->events.count)
        run->events.items[number].value = use->result_slots ? call.result : (term)TERM_NONE;
    if (use->is_constructor)
        note_construction(run, &call);
    flow_push_wide(run, call.result, use->result_slots);
}
