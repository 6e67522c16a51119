#include "program/field_facts.h"

#include <string.h>

#include "base/memory.h"
#include "bytecode/decode.h"
#include "program/constructor_flow.h"
#include "program/field_facts_internal.h"
#include "program/hierarchy.h"
#include "program/program_internal.h"
#include "program/resolve.h"

static const struct {
    const char *class_name;
    const char *method; /* the one that it calls on the new object, or "" */
    const char *descriptor;
} quiet_constructors[] = {
#define QUIET_CONSTRUCTOR(class_name, method, descriptor) {class_name, method, descriptor},
#include "program/field_facts.def"
#undef QUIET_CONSTRUCTOR
};

static const struct {
    const char *class_name;
    const char *method_prefix;
} field_writers[] = {
#define FIELD_WRITER(class_name, method_prefix) {class_name, method_prefix},
#include "program/field_facts.def"
#undef FIELD_WRITER
};

/* What a constructor does with the object that it is given; CONSTRUCTOR_CALLS + n stands for row n
   of the quiet constructors, whose method it calls. */
enum {
    CONSTRUCTOR_UNKNOWN,
    CONSTRUCTOR_BUSY,
    CONSTRUCTOR_QUIET,
    CONSTRUCTOR_REVEALS,
    CONSTRUCTOR_CALLS
};

enum { DEEPEST_CONSTRUCTORS = 200 };

struct analysis {
    const struct program *program;
    const struct call_graph *graph;
    struct field_facts *facts;
    struct field_uses uses;
    struct static_readers readers;
    uint8_t *is_candidate;
    uint8_t *constructors;        /* by method */
    uint32_t *construction_calls; /* by class: see struct static_reader_input */
    struct arena scratch[2]; /* of the class under work, and of constructors that it leads to */
    VECTOR(uint8_t) verdicts;
    unsigned depth;
    bool failed;

    uint32_t class_id; /* under work */
    struct bytecode initializer;
    struct call_sites initializer_sites;
};

/* ---- constructors that are called with `this` ---- */

static uint8_t quiet_constructor(struct text class_name)
{
    for (size_t i = 0; i < sizeof quiet_constructors / sizeof *quiet_constructors; i++)
        if (text_is(class_name, quiet_constructors[i].class_name))
            return quiet_constructors[i].method[0] ? (uint8_t)(CONSTRUCTOR_CALLS + i)
                                                   : CONSTRUCTOR_QUIET;
    return CONSTRUCTOR_UNKNOWN;
}

/* Collects, over the delegations of one constructor, what they do with the object. */
struct delegation {
    struct analysis *analysis;
    uint8_t worst;
};

static uint8_t constructor_effect(struct analysis *analysis, uint32_t method);

static uint8_t constant_effect(struct analysis *analysis, const struct class_file *class_file,
                               uint16_t constant)
{
    uint8_t quiet =
        quiet_constructor(class_name_at(class_file, class_file->constants[constant].first));
    if (quiet != CONSTRUCTOR_UNKNOWN)
        return quiet;
    struct resolution method = resolve_method_constant(analysis->program, class_file, constant);
    return method.status == RESOLVE_FOUND ? constructor_effect(analysis, method.id)
                                          : CONSTRUCTOR_REVEALS;
}

static uint8_t worse(uint8_t a, uint8_t b)
{
    if (a == CONSTRUCTOR_QUIET || a == b)
        return b;
    return b == CONSTRUCTOR_QUIET ? a : CONSTRUCTOR_REVEALS;
}

static bool note_delegation(void *context, const struct class_file *class_file, uint16_t constant)
{
    struct delegation *delegation = context;
    delegation->worst =
        worse(delegation->worst, constant_effect(delegation->analysis, class_file, constant));
    return false;
}

static bool runs_nothing(void *context, uint32_t instruction)
{
    (void)context;
    (void)instruction;
    return false;
}

static uint8_t constructor_effect(struct analysis *analysis, uint32_t method)
{
    uint8_t *known = &analysis->constructors[method];
    if (*known == CONSTRUCTOR_BUSY || analysis->depth >= DEEPEST_CONSTRUCTORS)
        return CONSTRUCTOR_REVEALS;
    if (*known != CONSTRUCTOR_UNKNOWN)
        return *known;
    *known = CONSTRUCTOR_BUSY;
    /* Each level needs its own memory while the next is looked into. */
    struct arena arena;
    arena_init(&arena);
    struct delegation delegation = {analysis, CONSTRUCTOR_QUIET};
    struct constructor_flow flow = {.program = analysis->program,
                                    .scratch = &arena,
                                    .method = method,
                                    .reveals = note_delegation,
                                    .runs_readers = runs_nothing,
                                    .context = &delegation};
    analysis->depth++;
    bool ok = constructor_flow_run(&flow);
    analysis->depth--;
    analysis->failed |= arena.failed;
    arena_release(&arena);
    *known = !ok || flow.revealed ? CONSTRUCTOR_REVEALS : delegation.worst;
    return *known;
}

/* What the constructors of a platform class call on the new object; the worst of them counts. */
static uint32_t platform_construction_calls(struct analysis *analysis, uint32_t class_id)
{
    const struct program *program = analysis->program;
    const struct program_class *class = &program->classes[class_id];
    uint8_t effect = quiet_constructor(class->name);
    if (effect == CONSTRUCTOR_UNKNOWN) {
        effect = class->missing ? CONSTRUCTOR_REVEALS : CONSTRUCTOR_QUIET;
        for (uint32_t i = 0; i < class->method_count; i++)
            if (text_is(program_method_name(program, class->first_method + i), "<init>"))
                effect = worse(effect, constructor_effect(analysis, class->first_method + i));
    }
    if (effect == CONSTRUCTOR_QUIET)
        return CONSTRUCTION_CALLS_NOTHING;
    if (effect < CONSTRUCTOR_CALLS)
        return CONSTRUCTION_CALLS_ANY;
    const size_t row = (size_t)effect - CONSTRUCTOR_CALLS;
    return program_find_selector(program, text_from(quiet_constructors[row].method),
                                 text_from(quiet_constructors[row].descriptor));
}

/* Superclasses come first in the tree. */
static void find_construction_calls(struct analysis *analysis)
{
    const struct program *program = analysis->program;
    for (uint32_t place = 0; place < program->class_count; place++) {
        const uint32_t id = program->tree[place], above = program->classes[id].superclass;
        uint32_t calls = CONSTRUCTION_CALLS_NOTHING;
        if (program->classes[id].application && above != PROGRAM_NONE)
            calls = program->classes[above].application
                        ? analysis->construction_calls[above]
                        : platform_construction_calls(analysis, above);
        analysis->construction_calls[id] = calls;
    }
}

/* Whether some class of the application, above or below this one, has that method. */
static bool overrides(const struct analysis *analysis, uint32_t class_id, const char *name,
                      const char *descriptor)
{
    const struct program *program = analysis->program;
    uint32_t selector = program_find_selector(program, text_from(name), text_from(descriptor));
    for (uint32_t id = class_id; id != PROGRAM_NONE; id = program->classes[id].superclass)
        if (program->classes[id].application &&
            program_declared_method(program, id, selector) != PROGRAM_NONE)
            return true;
    struct program_ids subtypes = hierarchy_subtypes(program, class_id);
    for (uint32_t i = 0; i < subtypes.count; i++)
        if (program_declared_method(program, subtypes.items[i], selector) != PROGRAM_NONE)
            return true;
    return false;
}

static bool reveals(void *context, const struct class_file *class_file, uint16_t constant)
{
    struct analysis *analysis = context;
    uint8_t effect = constant_effect(analysis, class_file, constant);
    if (effect < CONSTRUCTOR_CALLS)
        return effect != CONSTRUCTOR_QUIET;
    size_t row = (size_t)effect - CONSTRUCTOR_CALLS;
    return overrides(analysis, analysis->class_id, quiet_constructors[row].method,
                     quiet_constructors[row].descriptor);
}

/* ---- static initializers ---- */

/* The class whose initialization the instruction may start, or PROGRAM_NONE. */
static uint32_t initialized_class(const struct analysis *analysis,
                                  const struct instruction *instruction)
{
    const struct program *program = analysis->program;
    const struct class_file *class_file = analysis->initializer.class_file;
    struct resolution member;
    switch (instruction->opcode) {
    case OP_NEW:
        return program_find_class(program, class_name_at(class_file, instruction->operand));
    case OP_GETSTATIC:
    case OP_PUTSTATIC:
        member = resolve_field_constant(program, class_file, instruction->operand);
        return member.status == RESOLVE_FOUND ? program->fields[member.id].class_id : PROGRAM_NONE;
    case OP_INVOKESTATIC:
        member = resolve_method_constant(program, class_file, instruction->operand);
        return member.status == RESOLVE_FOUND ? program->methods[member.id].class_id : PROGRAM_NONE;
    default:
        return PROGRAM_NONE;
    }
}

static bool runs_readers(void *context, uint32_t number)
{
    const struct analysis *analysis = context;
    const struct instruction *instruction = &analysis->initializer.instructions[number];
    uint32_t class_id = initialized_class(analysis, instruction);
    /* Its own initialization, and its superclasses', have begun already. */
    if (class_id != PROGRAM_NONE &&
        !hierarchy_is_subclass(analysis->program, analysis->class_id, class_id) &&
        analysis->readers.initializer_reads[class_id])
        return true;
    struct call_sites sites = analysis->initializer_sites;
    uint32_t low = 0, high = sites.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sites.items[middle].instruction < number)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < sites.count && sites.items[low].instruction == number; low++)
        if (sites.items[low].kind != CALL_INITIALIZER &&
            static_readers_site(&analysis->readers, &sites.items[low]))
            return true;
    return false;
}

/* Whether initializers that run before the class's own, those of its superclasses, may read
   statics. */
static bool is_read_from_above(const struct analysis *analysis, uint32_t initializer)
{
    const uint32_t set = call_graph_initializers(analysis->graph, analysis->class_id);
    uint32_t one;
    if (set == CALL_NO_TARGETS)
        return false;
    const struct program_ids targets = call_graph_targets(analysis->graph, set, &one);
    for (uint32_t i = 0; i < targets.count; i++)
        if (targets.items[i] != initializer && analysis->readers.method_reads[targets.items[i]])
            return true;
    return false;
}

/* ---- one class ---- */

/* Runs one constructor or initializer and takes over what it has against the fields. */
static void run_method(struct analysis *analysis, uint32_t method, bool is_static)
{
    const struct program *program = analysis->program;
    const struct program_class *class = &program->classes[analysis->class_id];
    struct arena *scratch = &analysis->scratch[0];
    memset(analysis->verdicts.items, FIELD_UNKNOWN, class->field_count);
    arena_clear(scratch);
    arena_clear(&analysis->scratch[1]);
    struct constructor_flow flow = {.program = program,
                                    .scratch = scratch,
                                    .method = method,
                                    .is_static = is_static,
                                    .reveals = reveals,
                                    .runs_readers = runs_readers,
                                    .context = analysis,
                                    .verdicts = analysis->verdicts.items};
    bool ok = true;
    if (is_static) {
        struct problem problem;
        problem_clear(&problem);
        ok = bytecode_decode(&analysis->initializer, &analysis->scratch[1], class->class_file,
                             program_method_member(program, method), &problem);
        analysis->initializer_sites = call_graph_sites(analysis->graph, method);
    }
    ok = ok && constructor_flow_run(&flow);
    const bool seen_before = is_static && is_read_from_above(analysis, method);
    analysis->failed |= scratch->failed || analysis->scratch[1].failed;
    for (uint32_t i = 0; i < class->field_count; i++) {
        uint32_t field = class->first_field + i;
        bool field_is_static = program->fields[field].access & ACCESS_STATIC;
        if (!analysis->is_candidate[field] || field_is_static != is_static)
            continue;
        uint8_t *fact = &analysis->facts->facts[field];
        uint8_t verdict = ok ? analysis->verdicts.items[i] : FIELD_BAD_CODE;
        if (verdict != FIELD_UNKNOWN && (*fact == FIELD_EFFECTIVELY_FINAL || verdict < *fact))
            *fact = verdict;
        if (seen_before && *fact == FIELD_EFFECTIVELY_FINAL)
            *fact = FIELD_VISIBLE_BEFORE;
    }
}

static bool has_candidates(const struct analysis *analysis, const struct program_class *class)
{
    for (uint32_t i = 0; i < class->field_count; i++)
        if (analysis->is_candidate[class->first_field + i])
            return true;
    return false;
}

static void analyse_class(struct analysis *analysis, uint32_t class_id)
{
    const struct program *program = analysis->program;
    const struct program_class *class = &program->classes[class_id];
    if (!has_candidates(analysis, class))
        return;
    analysis->class_id = class_id;
    vector_clear(&analysis->verdicts);
    if (!vector_reserve(&analysis->verdicts, class->field_count)) {
        analysis->failed = true;
        return;
    }
    for (uint32_t i = 0; i < class->method_count && !analysis->failed; i++) {
        uint32_t method = class->first_method + i;
        struct text name = program_method_name(program, method);
        if (text_is(name, "<init>"))
            run_method(analysis, method, false);
        else if (text_is(name, "<clinit>") && program->methods[method].access & ACCESS_STATIC)
            run_method(analysis, method, true);
    }
}

/* ---- the whole ---- */

static enum field_fact first_fact(const struct analysis *analysis, uint32_t field,
                                  const struct field_facts_options *options)
{
    uint16_t access = analysis->program->fields[field].access;
    uint8_t uses = analysis->uses.uses[field];
    if (access & ACCESS_FINAL && !(uses & FIELD_USE_ELSEWHERE))
        return FIELD_FINAL;
    if (uses & FIELD_USE_BAD_CODE)
        return FIELD_BAD_CODE;
    if (uses & FIELD_USE_ELSEWHERE)
        return FIELD_ASSIGNED_ELSEWHERE;
    if (uses & FIELD_USE_NAMED)
        return FIELD_REFLECTIVE;
    if (options->open_world && !(access & ACCESS_PRIVATE))
        return FIELD_OPEN;
    if (!(uses & FIELD_USE_INSIDE))
        return FIELD_UNASSIGNED;
    /* A static field with a constant has its first value before the initializer runs. */
    if (attributes_find(&program_field_member(analysis->program, field)->attributes,
                        ATTRIBUTE_CONSTANT_VALUE))
        return FIELD_ASSIGNED_TWICE;
    return FIELD_EFFECTIVELY_FINAL;
}

static bool is_field_writer(const struct program *program, uint32_t method)
{
    for (size_t i = 0; i < sizeof field_writers / sizeof *field_writers; i++)
        if (text_is(program_class_of_method(program, method)->name, field_writers[i].class_name) &&
            text_starts_with(program_method_name(program, method),
                             text_from(field_writers[i].method_prefix)))
            return true;
    return false;
}

static void count_writes_by_name(struct analysis *analysis)
{
    const struct call_graph *graph = analysis->graph;
    for (uint32_t i = 0; i < graph->site_count; i++) {
        uint32_t method = graph->sites[i].method;
        if (method != PROGRAM_NONE && !program_is_application_method(graph->program, method) &&
            is_field_writer(graph->program, method))
            analysis->facts->field_writes_by_name++;
    }
}

static bool allocate(struct analysis *analysis)
{
    const struct program *program = analysis->program;
    struct field_facts *facts = analysis->facts;
    facts->facts = memory_allocate(program->field_count);
    facts->counts = memory_allocate(FIELD_FACT_COUNT * sizeof *facts->counts);
    analysis->is_candidate = memory_allocate(program->field_count);
    analysis->constructors = memory_allocate(program->method_count);
    analysis->construction_calls =
        memory_allocate(program->class_count * sizeof *analysis->construction_calls);
    if (!facts->facts || !facts->counts || !analysis->is_candidate || !analysis->constructors ||
        !analysis->construction_calls)
        return false;
    memset(facts->facts, FIELD_UNKNOWN, program->field_count);
    memset(facts->counts, 0, FIELD_FACT_COUNT * sizeof *facts->counts);
    memset(analysis->is_candidate, 0, program->field_count);
    memset(analysis->constructors, CONSTRUCTOR_UNKNOWN, program->method_count);
    return true;
}

static bool analyse(struct analysis *analysis, const struct field_facts_options *options,
                    struct problem *problem)
{
    const struct program *program = analysis->program;
    struct field_facts *facts = analysis->facts;
    for (uint32_t i = 0; i < program->field_count; i++) {
        bool application = i < program->application_field_count;
        if (application)
            facts->facts[i] = (uint8_t)first_fact(analysis, i, options);
        else if (program->fields[i].access & ACCESS_FINAL)
            facts->facts[i] = FIELD_FINAL;
        analysis->is_candidate[i] = facts->facts[i] == FIELD_EFFECTIVELY_FINAL;
    }
    find_construction_calls(analysis);
    const struct static_reader_input input = {&analysis->uses, analysis->is_candidate,
                                              analysis->construction_calls};
    if (!static_readers_build(&analysis->readers, analysis->graph, &input, problem))
        return false;
    for (uint32_t i = 0; i < program->application_count && !analysis->failed; i++)
        analyse_class(analysis, i);
    for (uint32_t i = 0; i < program->application_field_count; i++)
        facts->counts[facts->facts[i]]++;
    count_writes_by_name(analysis);
    if (analysis->failed)
        program_no_memory(problem);
    return !analysis->failed;
}

bool field_facts_build(struct field_facts *facts, const struct call_graph *graph,
                       const struct field_facts_options *options, struct problem *problem)
{
    *facts = (struct field_facts){.program = graph->program};
    struct analysis analysis = {.program = graph->program, .graph = graph, .facts = facts};
    arena_init(&analysis.scratch[0]);
    arena_init(&analysis.scratch[1]);
    bool ok = allocate(&analysis);
    if (!ok)
        program_no_memory(problem);
    ok = ok && field_scan(&analysis.uses, graph, problem) && analyse(&analysis, options, problem);
    field_uses_release(&analysis.uses);
    static_readers_release(&analysis.readers);
    memory_release(analysis.is_candidate);
    memory_release(analysis.constructors);
    memory_release(analysis.construction_calls);
    vector_release(&analysis.verdicts);
    arena_release(&analysis.scratch[0]);
    arena_release(&analysis.scratch[1]);
    if (!ok)
        field_facts_release(facts);
    return ok;
}

void field_facts_release(struct field_facts *facts)
{
    memory_release(facts->facts);
    memory_release(facts->counts);
    memset(facts, 0, sizeof *facts);
}

const char *field_fact_name(enum field_fact fact)
{
    static const char *const names[FIELD_FACT_COUNT] = {"unknown",
                                                        "final",
                                                        "effectively final",
                                                        "never assigned",
                                                        "assigned elsewhere",
                                                        "assigned twice",
                                                        "not always assigned",
                                                        "read before assigned",
                                                        "visible before assigned",
                                                        "written by name",
                                                        "open",
                                                        "bad code"};
    return fact < FIELD_FACT_COUNT ? names[fact] : "?";
}
