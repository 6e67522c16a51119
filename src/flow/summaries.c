#include "flow/summaries.h"

#include <string.h>

#include "classfile/descriptor.h"

enum {
    LONGEST_GETTER = 40, /* bytes of code */
    LONGEST_LOCKER = 200,
    MOST_EFFECTS = 8,
    LONGEST_CONSTRUCTOR = 8192,
    MOST_WRITES = 256, /* of final fields in one constructor */
    MOST_DELEGATIONS = 32
};

/* A constructor while its summary is made. */
struct draft {
    uint32_t method;
    uint32_t delegate; /* the constructor that it calls on its object; PROGRAM_NONE: none */
    term *arguments;   /* of that call, the object first; TERM_NONE: not known */
    uint32_t argument_count;
    struct stored_parameter *stored;
    uint32_t stored_count;
};

/* One assignment of a final field of the class by its constructor or static initializer. */
struct final_write {
    uint32_t field;
    term value;     /* of the flow */
    term alias;     /* of the summaries */
    bool ambiguous; /* there are several, of different values */
};

struct summary_builder {
    struct flow_summaries *summaries;
    const struct program *program;
    const struct lock_types *types;
    struct flow_context context;
    struct arena result;  /* of one execution */
    struct arena scratch; /* of the same */
    struct arena drafts_arena;
    VECTOR(struct draft) drafts;
    struct intmap draft_of; /* by method */
    struct problem *problem;
    bool failed;

    /* of the class being looked at */
    uint32_t class_id;
    uint32_t *confirmed; /* by field of the class: constructors that gave it the same alias */
    term *aliases;
    uint32_t constructor_count;
    bool bad_constructor; /* one could not be executed */
};

static void fail(struct summary_builder *builder)
{
    problem_set(builder->problem, PROBLEM_NO_OFFSET, "out of memory");
    builder->failed = true;
}

static term make(struct summary_builder *builder, enum term_kind kind, uint32_t a, uint32_t b)
{
    term made = term_make(&builder->summaries->terms, kind, a, b);
    if (made == TERM_NONE)
        fail(builder);
    return made;
}

/* A path from a parameter, class or static field; TERM_NONE for any other term. */
static term import(struct summary_builder *builder, const struct term_table *from, term number)
{
    struct term_content content = term_content(from, number);
    switch ((enum term_kind)content.kind) {
    case TERM_PARAMETER:
    case TERM_CLASS:
    case TERM_STATIC:
        return make(builder, (enum term_kind)content.kind, content.a, content.b);
    case TERM_FIELD:
    case TERM_READ_VIEW:
    case TERM_WRITE_VIEW: {
        term object = import(builder, from, content.a);
        return object == TERM_NONE ? object
                                   : make(builder, (enum term_kind)content.kind, object, content.b);
    }
    default:
        return TERM_NONE;
    }
}

/* ---- executing ---- */

/* False if the method cannot be executed; that is no failure of ours unless memory ran out. */
static bool execute(struct summary_builder *builder, struct method_flow *flow, uint32_t method)
{
    struct problem problem;
    problem_clear(&problem);
    arena_clear(&builder->result);
    if (method_flow_run(flow, &builder->result, &builder->context, method, &problem))
        return true;
    if (builder->result.failed || builder->scratch.failed ||
        strcmp(problem.reason, "out of memory") == 0)
        fail(builder);
    return false;
}

static void put_summary(struct summary_builder *builder, uint32_t method,
                        const struct method_summary *summary)
{
    struct flow_summaries *summaries = builder->summaries;
    struct method_summary *kept =
        arena_copy(&summaries->arena, summary, sizeof *summary, alignof(struct method_summary));
    if (!kept || !intmap_put(&summaries->by_method, method, (uint64_t)(uintptr_t)kept))
        fail(builder);
}

static void summarize_getter(struct summary_builder *builder, uint32_t method)
{
    struct method_flow flow;
    if (!execute(builder, &flow, method))
        return;
    if (flow.returned != TERM_NONE) {
        struct method_summary summary = {.returned = import(builder, &flow.terms, flow.returned)};
        if (summary.returned != TERM_NONE)
            put_summary(builder, method, &summary);
    }
    method_flow_release(&flow);
}

/* ---- locks ---- */

struct net_effects {
    struct bound_effect items[MOST_EFFECTS];
    uint32_t count;
};

static void add_effect(struct net_effects *effects, enum effect_kind kind, term lock)
{
    for (uint32_t i = 0; i < effects->count; i++)
        if (effects->items[i].kind == kind && effects->items[i].lock == lock)
            return;
    if (lock != TERM_NONE && effects->count < MOST_EFFECTS)
        effects->items[effects->count++] = (struct bound_effect){(uint8_t)kind, lock};
}

/* Taken by the method's own code, and still held here. */
static bool is_taken(const struct method_flow *flow, const struct flow_event *event,
                     const struct held_lock *lock)
{
    const struct lock_set *set = &flow->lock_sets[event->locks];
    for (uint32_t i = 0; i < set->count; i++)
        if (set->items[i].lock == lock->lock && set->items[i].mode == lock->mode &&
            set->items[i].at != INSTRUCTION_NONE && !set->items[i].known)
            return true;
    return false;
}

static bool is_taken_at_every_return(const struct method_flow *flow, const struct held_lock *lock)
{
    for (uint32_t i = 0; i < flow->event_count; i++)
        if (flow->events[i].kind == EVENT_RETURN && !is_taken(flow, &flow->events[i], lock))
            return false;
    return true;
}

static void find_net_effects(struct summary_builder *builder, const struct method_flow *flow,
                             struct net_effects *effects)
{
    for (uint32_t i = 0; i < flow->event_count; i++) {
        if (flow->events[i].kind != EVENT_RETURN)
            continue;
        const struct lock_set *set = &flow->lock_sets[flow->events[i].locks];
        for (uint32_t k = 0; k < set->count; k++) {
            const struct held_lock *lock = &set->items[k];
            const term name = import(builder, &flow->terms, lock->lock);
            if (lock->mode == LOCK_GIVEN_UP)
                add_effect(effects, EFFECT_RELEASES, name);
            else if (is_taken_at_every_return(flow, lock))
                add_effect(effects,
                           lock->mode == LOCK_SHARED ? EFFECT_ACQUIRES_SHARED : EFFECT_ACQUIRES,
                           name);
        }
    }
    const struct term_content result = term_content(&flow->terms, flow->returned);
    if (result.kind == TERM_RESULT)
        add_effect(effects,
                   result.b == RESULT_HELD              ? EFFECT_HOLDS
                   : result.b == RESULT_ACQUIRED_SHARED ? EFFECT_TRIES_SHARED
                                                        : EFFECT_TRIES,
                   import(builder, &flow->terms, result.a));
}

static bool has_lock_effect(const struct method_locks *locks)
{
    for (uint32_t i = 0; i < locks->effect_count; i++)
        if (locks->effects[i].kind <= EFFECT_RELEASES || locks->effects[i].kind == EFFECT_HOLDS)
            return true;
    return false;
}

/* Whether it calls what takes or gives back a lock: others need not be executed. */
static bool uses_locks(const struct summary_builder *builder, uint32_t method)
{
    const struct call_sites sites = call_graph_sites(builder->summaries->graph, method);
    for (uint32_t i = 0; i < sites.count; i++)
        if (sites.items[i].method != PROGRAM_NONE &&
            has_lock_effect(lock_types_method(builder->types, sites.items[i].method)))
            return true;
    return false;
}

static void summarize_locker(struct summary_builder *builder, uint32_t method)
{
    struct method_flow flow;
    struct net_effects effects = {.count = 0};
    if (!execute(builder, &flow, method))
        return;
    find_net_effects(builder, &flow, &effects);
    if (effects.count) {
        struct method_summary summary = {.effect_count = effects.count};
        summary.effects =
            arena_copy(&builder->summaries->arena, effects.items,
                       effects.count * sizeof effects.items[0], alignof(struct bound_effect));
        if (summary.effects)
            put_summary(builder, method, &summary);
        else
            fail(builder);
    }
    method_flow_release(&flow);
}

/* ---- writes of final fields ---- */

struct final_writes {
    struct final_write items[MOST_WRITES];
    uint32_t count;
    bool too_many;
};

static bool is_object_field(const struct summary_builder *builder, uint32_t field)
{
    char letter = program_field_descriptor(builder->program, field).bytes[0];
    return letter == 'L' || letter == '[';
}

/* An assignment of a final field of this class; `is_static` says of which kind. */
static bool is_final_write(const struct summary_builder *builder, const struct method_flow *flow,
                           const struct flow_event *event, bool is_static)
{
    if (event->kind != EVENT_WRITE || event->id == PROGRAM_NONE ||
        ((event->flags & EVENT_STATIC) != 0) != is_static ||
        builder->program->fields[event->id].class_id != builder->class_id ||
        !is_object_field(builder, event->id) || !lock_types_is_final(builder->types, event->id))
        return false;
    struct term_content object = term_content(&flow->terms, event->object);
    return is_static || (object.kind == TERM_PARAMETER && object.a == 0);
}

static void collect_writes(const struct summary_builder *builder, const struct method_flow *flow,
                           bool is_static, struct final_writes *writes)
{
    writes->count = 0;
    writes->too_many = false;
    for (uint32_t i = 0; i < flow->event_count; i++) {
        const struct flow_event *event = &flow->events[i];
        uint32_t known = 0;
        if (!is_final_write(builder, flow, event, is_static))
            continue;
        while (known < writes->count && writes->items[known].field != event->id)
            known++;
        if (known < writes->count) {
            writes->items[known].ambiguous |= writes->items[known].value != event->value;
        } else if (writes->count < MOST_WRITES) {
            writes->items[writes->count++] =
                (struct final_write){.field = event->id, .value = event->value};
        } else {
            writes->too_many = true;
        }
    }
}

/* The value as a path from the object, by way of the fields that hold it: those before `end`. */
static term alias_path(struct summary_builder *builder, const struct method_flow *flow,
                       const struct final_writes *writes, uint32_t end, term value)
{
    struct term_content content = term_content(&flow->terms, value);
    switch ((enum term_kind)content.kind) {
    case TERM_CLASS:
    case TERM_STATIC:
        return import(builder, &flow->terms, value);
    case TERM_FIELD:
    case TERM_READ_VIEW:
    case TERM_WRITE_VIEW: {
        term object = alias_path(builder, flow, writes, end, content.a);
        return object == TERM_NONE ? object
                                   : make(builder, (enum term_kind)content.kind, object, content.b);
    }
    default:
        break;
    }
    if (content.kind == TERM_PARAMETER && content.a == 0 && !flow->is_static)
        return import(builder, &flow->terms, value);
    for (uint32_t i = 0; i < end && value != TERM_NONE; i++) {
        const struct final_write *write = &writes->items[i];
        if (write->value != value || write->ambiguous)
            continue;
        if (flow->is_static)
            return make(builder, TERM_STATIC, write->field, 0);
        return make(builder, TERM_FIELD, make(builder, TERM_PARAMETER, 0, 0), write->field);
    }
    return TERM_NONE;
}

static void note_aliases(struct summary_builder *builder, const struct method_flow *flow,
                         struct final_writes *writes)
{
    uint32_t first = builder->program->classes[builder->class_id].first_field;
    for (uint32_t i = 0; i < writes->count && !writes->too_many; i++) {
        struct final_write *write = &writes->items[i];
        uint32_t place = write->field - first;
        write->alias =
            write->ambiguous ? (term)TERM_NONE : alias_path(builder, flow, writes, i, write->value);
        if (write->alias == TERM_NONE)
            continue;
        if (builder->confirmed[place] == 0)
            builder->aliases[place] = write->alias;
        if (builder->aliases[place] == write->alias)
            builder->confirmed[place]++;
    }
}

static void put_alias(struct summary_builder *builder, uint32_t field, term alias)
{
    if (!intmap_put(&builder->summaries->aliases, field, alias))
        fail(builder);
}

/* ---- constructors ---- */

static bool is_own_constructor(const struct summary_builder *builder,
                               const struct method_flow *flow, const struct flow_event *event)
{
    struct term_content object = term_content(&flow->terms, event->object);
    return event->kind == EVENT_CALL && event->id != PROGRAM_NONE &&
           object.kind == TERM_PARAMETER && object.a == 0 &&
           text_is(program_method_name(builder->program, event->id), "<init>");
}

static void note_delegate(struct summary_builder *builder, struct draft *draft,
                          const struct method_flow *flow, const struct flow_event *event)
{
    draft->argument_count = event->argument_count + 1u;
    draft->arguments = ARENA_ARRAY(&builder->drafts_arena, term, draft->argument_count);
    if (!draft->arguments) {
        fail(builder);
        return;
    }
    draft->delegate = event->id;
    draft->arguments[0] = make(builder, TERM_PARAMETER, 0, 0);
    for (uint32_t i = 0; i < event->argument_count; i++)
        draft->arguments[i + 1] =
            import(builder, &flow->terms, flow->arguments[event->first_argument + i]);
}

static void note_stored(struct summary_builder *builder, struct draft *draft,
                        const struct method_flow *flow, const struct final_writes *writes)
{
    draft->stored = ARENA_ARRAY(&builder->drafts_arena, struct stored_parameter, writes->count);
    if (!draft->stored) {
        fail(builder);
        return;
    }
    for (uint32_t i = 0; i < writes->count; i++) {
        term value = writes->items[i].ambiguous
                         ? (term)TERM_NONE
                         : import(builder, &flow->terms, writes->items[i].value);
        if (value != TERM_NONE)
            draft->stored[draft->stored_count++] =
                (struct stored_parameter){writes->items[i].field, value};
    }
}

static void look_at_constructor(struct summary_builder *builder, uint32_t method)
{
    struct method_flow flow;
    struct final_writes writes;
    struct draft draft = {.method = method, .delegate = PROGRAM_NONE};
    if (!execute(builder, &flow, method)) {
        builder->bad_constructor = true;
        return;
    }
    for (uint32_t i = 0; i < flow.event_count && !builder->failed; i++)
        if (draft.delegate == PROGRAM_NONE && is_own_constructor(builder, &flow, &flow.events[i]))
            note_delegate(builder, &draft, &flow, &flow.events[i]);
    collect_writes(builder, &flow, false, &writes);
    note_stored(builder, &draft, &flow, &writes);
    /* this(...): the other constructor assigns the fields. */
    if (draft.delegate == PROGRAM_NONE ||
        builder->program->methods[draft.delegate].class_id != builder->class_id) {
        builder->constructor_count++;
        note_aliases(builder, &flow, &writes);
    }
    bool added;
    if (!intmap_find_or_add(&builder->draft_of, method, builder->drafts.count, &added) ||
        !vector_push(&builder->drafts, draft))
        fail(builder);
    method_flow_release(&flow);
}

/* From one constructor to those that it calls, with what their parameters are. */
struct delegation {
    const struct draft *draft;
    term bound[256]; /* its parameters, in terms of the first constructor's */
    uint32_t bound_count;
    bool first; /* the parameters are its own */
};

static term bound_term(struct summary_builder *builder, const struct delegation *at, term value)
{
    struct term_binding binding = {.to = &builder->summaries->terms,
                                   .parameters = at->bound,
                                   .parameter_count = at->bound_count};
    return at->first ? value : term_substitute(&builder->summaries->terms, value, &binding);
}

static bool follow_delegation(struct summary_builder *builder, struct delegation *at)
{
    const struct draft *draft = at->draft;
    term arguments[256];
    uint64_t next;
    if (draft->delegate == PROGRAM_NONE || draft->argument_count > 256 ||
        !intmap_get(&builder->draft_of, draft->delegate, &next))
        return false;
    for (uint32_t i = 0; i < draft->argument_count; i++)
        arguments[i] = bound_term(builder, at, draft->arguments[i]);
    memcpy(at->bound, arguments, draft->argument_count * sizeof *arguments);
    at->bound_count = draft->argument_count;
    at->draft = &builder->drafts.items[next];
    at->first = false;
    return true;
}

/* What the constructor and those that it calls store, in terms of its own parameters. */
static void finish_constructor(struct summary_builder *builder, const struct draft *draft)
{
    VECTOR(struct stored_parameter) stored = VECTOR_EMPTY;
    struct delegation at = {.draft = draft, .first = true};
    unsigned steps = 0;
    do {
        for (uint32_t i = 0; i < at.draft->stored_count; i++) {
            struct stored_parameter item = at.draft->stored[i];
            item.value = bound_term(builder, &at, item.value);
            if (item.value != TERM_NONE && !vector_push(&stored, item))
                fail(builder);
        }
    } while (!builder->failed && ++steps < MOST_DELEGATIONS && follow_delegation(builder, &at));
    if (stored.count && !builder->failed) {
        struct method_summary summary = {.stored_count = (uint32_t)stored.count};
        summary.stored =
            arena_copy(&builder->summaries->arena, stored.items,
                       stored.count * sizeof *stored.items, alignof(struct stored_parameter));
        if (summary.stored)
            put_summary(builder, draft->method, &summary);
        else
            fail(builder);
    }
    vector_release(&stored);
}

/* ---- classes ---- */

static bool has_final_fields(const struct summary_builder *builder,
                             const struct program_class *class, bool is_static)
{
    for (uint32_t i = 0; i < class->field_count; i++) {
        uint32_t field = class->first_field + i;
        bool static_field = (builder->program->fields[field].access & ACCESS_STATIC) != 0;
        if (static_field == is_static && is_object_field(builder, field) &&
            lock_types_is_final(builder->types, field))
            return true;
    }
    return false;
}

static void look_at_static_initializer(struct summary_builder *builder, uint32_t method)
{
    struct method_flow flow;
    struct final_writes writes;
    if (!execute(builder, &flow, method))
        return;
    collect_writes(builder, &flow, true, &writes);
    for (uint32_t i = 0; i < writes.count && !writes.too_many && !builder->failed; i++) {
        const struct final_write *write = &writes.items[i];
        if (write->ambiguous)
            continue;
        term alias = alias_path(builder, &flow, &writes, i, write->value);
        if (alias != TERM_NONE)
            put_alias(builder, write->field, alias);
    }
    method_flow_release(&flow);
}

static bool returns_object(struct text descriptor)
{
    char letter = descriptor_return(descriptor).bytes[0];
    return letter == 'L' || letter == '[';
}

static void look_at_method(struct summary_builder *builder, uint32_t method, bool constructors,
                           bool static_finals)
{
    const struct code *code = member_code(program_method_member(builder->program, method));
    struct text name = program_method_name(builder->program, method);
    if (!code)
        return;
    if (text_is(name, "<init>")) {
        if (code->length > LONGEST_CONSTRUCTOR)
            builder->bad_constructor = true;
        else if (constructors)
            look_at_constructor(builder, method);
    } else if (text_is(name, "<clinit>")) {
        if (static_finals && code->length <= LONGEST_CONSTRUCTOR)
            look_at_static_initializer(builder, method);
    } else if (code->length <= LONGEST_LOCKER && uses_locks(builder, method)) {
        summarize_locker(builder, method);
    } else if (code->length <= LONGEST_GETTER &&
               returns_object(program_method_descriptor(builder->program, method))) {
        summarize_getter(builder, method);
    }
}

static void look_at_class(struct summary_builder *builder, uint32_t class_id)
{
    const struct program_class *class = &builder->program->classes[class_id];
    if (!class->class_file)
        return;
    /* Without final fields of its own a constructor may still hand values to the superclass's. */
    bool constructors = has_final_fields(builder, class, false) ||
                        (class->superclass != PROGRAM_NONE &&
                         builder->program->classes[class->superclass].application);
    bool static_finals = has_final_fields(builder, class, true);
    builder->class_id = class_id;
    builder->constructor_count = 0;
    builder->bad_constructor = false;
    size_t bytes = ((size_t) class->field_count + 1) * sizeof(uint32_t);
    builder->confirmed = memory_allocate(bytes);
    builder->aliases = memory_allocate(bytes);
    if (builder->confirmed && builder->aliases) {
        memset(builder->confirmed, 0, bytes);
        memset(builder->aliases, 0, bytes);
        for (uint32_t i = 0; i < class->method_count && !builder->failed; i++)
            look_at_method(builder, class->first_method + i, constructors, static_finals);
        for (uint32_t i = 0; i < class->field_count && !builder->failed; i++)
            if (!builder->bad_constructor && builder->confirmed[i] &&
                builder->confirmed[i] == builder->constructor_count)
                put_alias(builder, class->first_field + i, builder->aliases[i]);
    } else {
        fail(builder);
    }
    memory_release(builder->confirmed);
    memory_release(builder->aliases);
}

/* ---- the whole ---- */

bool flow_summaries_build(struct flow_summaries *summaries, const struct lock_types *types,
                          const struct call_graph *graph, struct problem *problem)
{
    memset(summaries, 0, sizeof *summaries);
    arena_init(&summaries->arena);
    intmap_init(&summaries->by_method);
    intmap_init(&summaries->aliases);
    summaries->graph = graph;
    if (!term_table_init(&summaries->terms, &summaries->arena)) {
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
        flow_summaries_release(summaries);
        return false;
    }
    struct summary_builder builder = {
        .summaries = summaries, .program = graph->program, .types = types, .problem = problem};
    builder.context = (struct flow_context){
        .program = graph->program, .types = types, .graph = graph, .scratch = &builder.scratch};
    arena_init(&builder.result);
    arena_init(&builder.scratch);
    arena_init(&builder.drafts_arena);
    intmap_init(&builder.draft_of);
    for (uint32_t i = 0; i < graph->program->application_count && !builder.failed; i++)
        look_at_class(&builder, i);
    for (size_t i = 0; i < builder.drafts.count && !builder.failed; i++)
        finish_constructor(&builder, &builder.drafts.items[i]);
    vector_release(&builder.drafts);
    intmap_release(&builder.draft_of);
    arena_release(&builder.result);
    arena_release(&builder.scratch);
    arena_release(&builder.drafts_arena);
    if (builder.failed)
        flow_summaries_release(summaries);
    return !builder.failed;
}

void flow_summaries_release(struct flow_summaries *summaries)
{
    term_table_release(&summaries->terms);
    intmap_release(&summaries->by_method);
    intmap_release(&summaries->aliases);
    arena_release(&summaries->arena);
}

term flow_summaries_alias(const struct flow_summaries *summaries, uint32_t field)
{
    uint64_t alias;
    return intmap_get(&summaries->aliases, field, &alias) ? (term)alias : (term)TERM_NONE;
}

const struct method_summary *flow_summaries_of(const struct flow_summaries *summaries,
                                               uint32_t method)
{
    uint64_t summary;
    return intmap_get(&summaries->by_method, method, &summary)
               ? (const struct method_summary *)(uintptr_t)summary
               : NULL;
}
