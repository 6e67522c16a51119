#include "check/atomicity_inference.h"

#include <stdio.h>

#include "base/vector.h"
#include "check/accessors.h"

/* ---- who calls whom ---- */

typedef void (*edge_function)(struct atomicity_inference *inference, uint32_t caller, uint32_t atom,
                              uint32_t callee, void *context);

static void each_edge(struct atomicity_inference *inference, edge_function function, void *context)
{
    const uint32_t count = inference->checker->program->application_method_count;
    for (uint32_t method = 0; method < count; method++) {
        const struct atomic_code *code = inference->codes[method];
        for (uint32_t i = 0; code && i < code->atom_count; i++)
            for (uint32_t k = 0; k < code->atoms[i].targets.count; k++)
                function(inference, method, i, code->atoms[i].targets.items[k], context);
    }
}

static void count_edge(struct atomicity_inference *inference, uint32_t caller, uint32_t atom,
                       uint32_t callee, void *context)
{
    (void)caller;
    (void)atom;
    (void)context;
    inference->first_caller[callee + 1]++;
}

static void place_edge(struct atomicity_inference *inference, uint32_t caller, uint32_t atom,
                       uint32_t callee, void *context)
{
    uint32_t *next = context;
    const uint32_t place = next[callee]++;
    inference->callers[place] = caller;
    inference->caller_atoms[place] = atom;
}

static bool index_callers(struct atomicity_inference *inference)
{
    const uint32_t count = inference->checker->program->application_method_count;
    inference->first_caller = arena_allocate_zeroed(
        &inference->arena, (count + 2u) * sizeof(uint32_t), alignof(uint32_t));
    uint32_t *next = ARENA_ARRAY(&inference->arena, uint32_t, count + 1u);
    if (!inference->first_caller || !next)
        return false;
    each_edge(inference, count_edge, NULL);
    for (uint32_t i = 0; i < count; i++) {
        inference->first_caller[i + 1] += inference->first_caller[i];
        next[i] = inference->first_caller[i];
    }
    const uint32_t edges = inference->first_caller[count];
    inference->callers = ARENA_ARRAY(&inference->arena, uint32_t, edges + 1u);
    inference->caller_atoms = ARENA_ARRAY(&inference->arena, uint32_t, edges + 1u);
    if (!inference->callers || !inference->caller_atoms)
        return false;
    each_edge(inference, place_edge, next);
    return true;
}

/* ---- components: Tarjan's algorithm, without recursion ---- */

struct visit {
    uint32_t method, atom, target;
};

struct components {
    struct atomicity_inference *inference;
    uint32_t *index, *low; /* by method; index 0: not visited */
    uint8_t *on_stack;
    VECTOR(uint32_t) stack;
    VECTOR(struct visit) visits;
    VECTOR(uint32_t) order; /* methods, component by component, callees first */
    VECTOR(uint32_t) ends;  /* of the components in `order` */
    uint32_t next;
    bool failed;
};

static void enter(struct components *components, uint32_t method)
{
    components->index[method] = components->low[method] = ++components->next;
    components->on_stack[method] = 1;
    if (!vector_push(&components->stack, method) ||
        !vector_push(&components->visits, ((struct visit){method, 0, 0})))
        components->failed = true;
}

static void leave(struct components *components, uint32_t method)
{
    components->visits.count--;
    if (components->visits.count) {
        const uint32_t caller = vector_last(&components->visits).method;
        if (components->low[method] < components->low[caller])
            components->low[caller] = components->low[method];
    }
    if (components->low[method] != components->index[method])
        return;
    uint32_t member;
    do {
        member = vector_pop(&components->stack);
        components->on_stack[member] = 0;
        if (!vector_push(&components->order, member))
            components->failed = true;
    } while (member != method && !components->failed);
    if (!vector_push(&components->ends, (uint32_t)components->order.count))
        components->failed = true;
}

/* The next callee of the method on top; PROGRAM_NONE when there are no more. */
static uint32_t next_callee(struct components *components)
{
    struct visit *visit = &vector_last(&components->visits);
    const struct atomic_code *code = components->inference->codes[visit->method];
    for (; code && visit->atom < code->atom_count; visit->atom++, visit->target = 0)
        if (visit->target < code->atoms[visit->atom].targets.count)
            return code->atoms[visit->atom].targets.items[visit->target++];
    return PROGRAM_NONE;
}

static void visit_from(struct components *components, uint32_t root)
{
    enter(components, root);
    while (components->visits.count && !components->failed) {
        const uint32_t method = vector_last(&components->visits).method;
        const uint32_t callee = next_callee(components);
        if (callee == PROGRAM_NONE)
            leave(components, method);
        else if (!components->index[callee])
            enter(components, callee);
        else if (components->on_stack[callee] &&
                 components->index[callee] < components->low[method])
            components->low[method] = components->index[callee];
    }
}

/* ---- the fixed point ---- */

/* True if the method is not what it was. */
static bool evaluate(struct atomicity_inference *inference, uint32_t method)
{
    struct atomic_code *code = inference->codes[method];
    if (!code)
        return false;
    inference->evaluations++;
    /* Joined with what it was: a diagram that was too large may have been replaced by one above it,
       and what is above must stay. */
    const atomicity value = atomicity_join(
        &inference->table, inference->of[method],
        atomic_code_value(code, &inference->table, inference->of, &inference->scratch));
    const bool changed = value != inference->of[method];
    inference->of[method] = value;
    return changed;
}

static bool calls_itself(const struct atomicity_inference *inference, uint32_t method)
{
    for (uint32_t i = inference->first_caller[method]; i < inference->first_caller[method + 1]; i++)
        if (inference->callers[i] == method)
            return true;
    return false;
}

static void settle(struct atomicity_inference *inference, const uint32_t *methods, uint32_t count)
{
    const bool once = count == 1 && !calls_itself(inference, methods[0]);
    bool changed = true;
    inference->components++;
    if (count > inference->largest)
        inference->largest = count;
    while (changed && !inference->table.failed) {
        changed = false;
        for (uint32_t i = 0; i < count; i++)
            changed |= evaluate(inference, methods[i]);
        changed = changed && !once;
    }
}

static bool find_fixed_point(struct atomicity_inference *inference)
{
    const uint32_t count = inference->checker->program->application_method_count;
    struct components components = {.inference = inference};
    struct arena arena;
    arena_init(&arena);
    components.index =
        arena_allocate_zeroed(&arena, (count + 1u) * sizeof(uint32_t), alignof(uint32_t));
    components.low =
        arena_allocate_zeroed(&arena, (count + 1u) * sizeof(uint32_t), alignof(uint32_t));
    components.on_stack = arena_allocate_zeroed(&arena, count + 1u, 1);
    components.failed = arena.failed;
    for (uint32_t method = 0; method < count && !components.failed; method++)
        if (!components.index[method])
            visit_from(&components, method);
    uint32_t first = 0;
    for (size_t i = 0; i < components.ends.count && !components.failed; i++) {
        settle(inference, &components.order.items[first], components.ends.items[i] - first);
        first = components.ends.items[i];
    }
    const bool found = !components.failed && !inference->table.failed;
    vector_release(&components.stack);
    vector_release(&components.visits);
    vector_release(&components.order);
    vector_release(&components.ends);
    arena_release(&arena);
    return found;
}

/* ---- the whole ---- */

static bool make_codes(struct atomicity_inference *inference)
{
    const struct checker *checker = inference->checker;
    const uint32_t count = checker->program->application_method_count;
    inference->codes = arena_allocate_zeroed(
        &inference->arena, (count + 1u) * sizeof *inference->codes, alignof(struct atomic_code *));
    inference->of = arena_allocate_zeroed(&inference->arena, (count + 1u) * sizeof(atomicity),
                                          alignof(atomicity));
    if (!inference->codes || !inference->of)
        return false;
    for (uint32_t method = 0; method < count; method++) {
        if (!checker->flows[method] || accessors_is_one(checker, method)) {
            /* Without code it is what is declared, if anything is. */
            inference->of[method] =
                atomicity_declared(checker, &inference->table, &inference->arena, method).value;
            continue;
        }
        struct atomic_code *code = ARENA_NEW(&inference->arena, struct atomic_code);
        inference->codes[method] = code;
        if (!code || !atomic_code_make(code, &inference->arena, checker, &inference->facts,
                                       &inference->table, method))
            return false;
    }
    return true;
}

bool atomicity_inference_run(struct atomicity_inference *inference, const struct checker *checker,
                             struct problem *problem)
{
    *inference = (struct atomicity_inference){.checker = checker};
    arena_init(&inference->arena);
    arena_init(&inference->scratch);
    if (atomicity_table_init(&inference->table, problem) &&
        atomicity_facts_find(&inference->facts, &inference->arena, checker) &&
        make_codes(inference) && index_callers(inference) && find_fixed_point(inference))
        return true;
    problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
    return false;
}

void atomicity_inference_release(struct atomicity_inference *inference)
{
    const uint32_t count =
        inference->checker ? inference->checker->program->application_method_count : 0;
    for (uint32_t i = 0; inference->codes && i < count; i++)
        if (inference->codes[i])
            atomic_code_release(inference->codes[i]);
    atomicity_table_release(&inference->table);
    arena_release(&inference->scratch);
    arena_release(&inference->arena);
    *inference = (struct atomicity_inference){0};
}

/* ---- at call sites ---- */

struct entry_held {
    const struct method_entry *entry;
    const struct entry_locks *locks;
    struct term_table *names;
};

static bool is_entry_lock(void *context, term lock)
{
    const struct entry_held *held = context;
    for (uint32_t i = 0; held->entry && i < held->entry->count; i++)
        if (entry_locks_copy(&held->locks->terms, held->entry->locks[i].lock, held->names) == lock)
            return true;
    return false;
}

atomicity atomicity_inference_worst(struct atomicity_inference *inference, uint32_t method,
                                    uint32_t *caller, uint32_t *worst_atom)
{
    const struct checker *checker = inference->checker;
    struct atomicity_table *table = &inference->table;
    struct entry_held nothing = {.names = &table->locks};
    atomicity worst = ATOMICITY_OF_CONST;
    *caller = *worst_atom = UINT32_MAX;
    if (checker_is_called_from_outside(checker, method) ||
        inference->first_caller[method] == inference->first_caller[method + 1])
        worst = atomicity_at(table, inference->of[method], is_entry_lock, &nothing);
    for (uint32_t i = inference->first_caller[method]; i < inference->first_caller[method + 1];
         i++) {
        struct atomic_code *code = inference->codes[inference->callers[i]];
        const struct atom *atom = &code->atoms[inference->caller_atoms[i]];
        struct entry_held held = {&checker->entry.methods[inference->callers[i]], &checker->entry,
                                  &table->locks};
        const atomicity here =
            atomicity_at(table, atom_target_value(code, table, atom, inference->of[method]),
                         is_entry_lock, &held);
        if (here > worst) {
            worst = here;
            *caller = inference->callers[i];
            *worst_atom = inference->caller_atoms[i];
        }
    }
    return worst;
}

/* ---- printing ---- */

struct text atomicity_inference_parameter(const struct atomicity_inference *inference,
                                          uint32_t method, uint32_t number)
{
    const struct atomic_code *code = inference->codes[method];
    char name[16];
    if (code && code->check.parameter_names && number < code->check.flow->parameter_count &&
        code->check.parameter_names[number].length)
        return code->check.parameter_names[number];
    const bool is_static = inference->checker->program->methods[method].access & ACCESS_STATIC;
    const int length = snprintf(name, sizeof name, "#%u", is_static ? number + 1 : number);
    return text_copy((struct arena *)&inference->arena, text_of(name, (size_t)length));
}

void atomicity_inference_print_one(struct atomicity_inference *inference, uint32_t method,
                                   atomicity number, struct builder *to)
{
    const struct checker *checker = inference->checker;
    const uint32_t class_id = checker->program->methods[method].class_id;
    const struct class_locks *locks = lock_types_class(checker->types, class_id);
    const struct atomic_code *code = inference->codes[method];
    const uint32_t count = code ? code->check.flow->parameter_count : 0;
    struct text *names = ARENA_ARRAY(&inference->arena, struct text, count + 1u);
    for (uint32_t i = 0; names && i < count; i++)
        names[i] = atomicity_inference_parameter(inference, method, i);
    const struct term_printer printer = {
        .program = checker->program,
        .table = &inference->table.locks,
        .parameter_names = names,
        .parameter_count = names ? count : 0,
        .is_static = checker->program->methods[method].access & ACCESS_STATIC,
        .formals = locks->formals,
        .formal_count = locks->formal_count,
    };
    atomicity_print(&inference->table, number, &printer, to);
}

struct text atomicity_inference_text(struct atomicity_inference *inference, uint32_t method)
{
    struct builder builder;
    builder_init(&builder);
    atomicity_inference_print_one(inference, method, inference->of[method], &builder);
    const struct text text = text_copy(&inference->arena, builder_text(&builder));
    builder_release(&builder);
    return text;
}
