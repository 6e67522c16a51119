#include "check/owners.h"

#include <string.h>

#include "check/method_check.h"
#include "classfile/descriptor.h"

enum {
    MOST_FORMALS = 64,
    DEPTH = 32 /* of objects in objects */
};

/* ---- variables ---- */

static term new_variable(struct method_check *check)
{
    struct owners *owners = &check->owners;
    if (owners->variable_count == owners->variable_capacity) {
        const uint32_t capacity = owners->variable_capacity ? owners->variable_capacity * 2 : 16;
        term *variables = ARENA_ARRAY(check->arena, term, capacity);
        if (!variables)
            return TERM_NONE;
        if (owners->variable_count)
            memcpy(variables, owners->variables, owners->variable_count * sizeof *variables);
        owners->variables = variables;
        owners->variable_capacity = capacity;
    }
    owners->variables[owners->variable_count] = TERM_NONE;
    return term_make(&check->flow->terms, TERM_OWNER, owners->variable_count++, 0);
}

/* What f$e is, where f is given. */
static term qualify(struct term_table *terms, term owner, term qualifier)
{
    const struct term_content content = term_content(terms, owner);
    if (content.kind == TERM_SELF)
        return qualifier;
    const bool open = content.kind == TERM_FORMAL || content.kind == TERM_METHOD_FORMAL ||
                      content.kind == TERM_OWNER;
    return open && content.b == TERM_NONE
               ? term_make(terms, (enum term_kind)content.kind, content.a, qualifier)
               : owner;
}

/* The end of the chain: a variable that is free (it may be qualified), or a term. */
static term chase(const struct owners *owners, struct term_table *terms, term owner)
{
    while (term_kind(terms, owner) == TERM_OWNER) {
        const struct term_content content = term_content(terms, owner);
        const term next = owners->variables[content.a];
        if (next == TERM_NONE)
            break;
        owner = content.b == TERM_NONE ? next : qualify(terms, next, content.b);
    }
    return owner;
}

term owners_resolve(const struct owners *owners, struct term_table *terms, term owner)
{
    owner = chase(owners, terms, owner);
    return owners->local != TERM_NONE && term_kind(terms, owner) == TERM_OWNER ? owners->local
                                                                               : owner;
}

/* ---- superclasses ---- */

/* The value's owners for formals of the class, said for those of a superclass. */
static struct term_list as_ancestor(struct method_check *check, term value, struct term_list owners,
                                    uint32_t class_id, uint32_t ancestor)
{
    const struct program *program = check->checker->program;
    for (unsigned steps = 0; class_id != ancestor && class_id != PROGRAM_NONE && steps < DEPTH;
         steps++) {
        const struct class_locks *locks = lock_types_class(check->checker->types, class_id);
        class_id = program->classes[class_id].superclass;
        if (class_id == PROGRAM_NONE)
            break;
        if (!locks->super_owners.count)
            continue; /* as the formals of the same number */
        term *items = ARENA_ARRAY(check->arena, term, locks->super_owners.count);
        if (!items)
            return (struct term_list){0};
        const struct term_binding binding = {.to = &check->flow->terms,
                                             .parameters = &value,
                                             .parameter_count = 1,
                                             .formals = owners.items,
                                             .formal_count = owners.count};
        for (uint32_t i = 0; i < locks->super_owners.count; i++)
            items[i] = term_substitute(&check->checker->types->terms, locks->super_owners.items[i],
                                       &binding);
        owners = (struct term_list){items, locks->super_owners.count};
    }
    return owners;
}

/* ---- classes ---- */

uint32_t owners_class_of(const struct program *program, struct text descriptor)
{
    return descriptor.length > 2 && descriptor.bytes[0] == 'L'
               ? program_find_class(program, text_slice(descriptor, 1, descriptor.length - 1))
               : PROGRAM_NONE;
}

uint32_t owners_parameter_class(const struct program *program, uint32_t method, uint32_t number)
{
    const struct text descriptor = program_method_descriptor(program, method);
    size_t position = 1;
    struct text parameter;
    while (descriptor_next_parameter(descriptor, &position, &parameter))
        if (number-- == 0)
            return owners_class_of(program, parameter);
    return PROGRAM_NONE;
}

/* ---- what is declared ---- */

static struct term_list substitute_list(struct method_check *check, struct term_list declared,
                                        const struct term_binding *binding)
{
    term *items = ARENA_ARRAY(check->arena, term, (size_t)declared.count + 1);
    if (!items)
        return (struct term_list){0};
    for (uint32_t i = 0; i < declared.count; i++) {
        const enum term_kind kind = term_kind(&check->checker->types->terms, declared.items[i]);
        items[i] = kind >= TERM_SELF && kind <= TERM_READONLY
                       ? term_make(&check->flow->terms, kind, 0, 0)
                       : term_substitute(&check->checker->types->terms, declared.items[i], binding);
    }
    return (struct term_list){items, declared.count};
}

static struct term_list resolve_list(struct method_check *check, struct term_list list)
{
    term *items = ARENA_ARRAY(check->arena, term, (size_t)list.count + 1);
    if (!items)
        return (struct term_list){0};
    for (uint32_t i = 0; i < list.count; i++)
        items[i] = owners_resolve(&check->owners, &check->flow->terms, list.items[i]);
    return (struct term_list){items, list.count};
}

static uint32_t formal_count(const struct method_check *check, uint32_t class_id)
{
    const uint32_t count = class_id == PROGRAM_NONE
                               ? 0
                               : lock_types_class(check->checker->types, class_id)->formal_count;
    return count < MOST_FORMALS ? count : MOST_FORMALS;
}

static struct term_list variables(struct method_check *check, uint32_t count)
{
    term *items = ARENA_ARRAY(check->arena, term, (size_t)count + 1);
    if (!items)
        return (struct term_list){0};
    for (uint32_t i = 0; i < count; i++)
        items[i] = new_variable(check);
    return (struct term_list){items, count};
}

/* Owners of something whose declaration says none: equal to nothing but themselves. */
static struct term_list unknown(struct method_check *check, term value, uint32_t count)
{
    term *items = ARENA_ARRAY(check->arena, term, (size_t)count + 1);
    if (!items)
        return (struct term_list){0};
    for (uint32_t i = 0; i < count; i++)
        items[i] = term_make(&check->flow->terms, TERM_METHOD_FORMAL,
                             TERM_UNDECLARED + value * MOST_FORMALS + i, TERM_NONE);
    return (struct term_list){items, count};
}

/* Declarations of the method itself: its parameters, formals and method formals stand for
   themselves. */
static struct term_binding own_binding(struct method_check *check)
{
    struct method_flow *flow = check->flow;
    const struct method_locks *locks = lock_types_method(check->checker->types, check->method);
    const uint32_t formals = formal_count(check, check->class_id);
    const uint32_t count = flow->parameter_count + formals + locks->method_formal_count;
    term *items = ARENA_ARRAY(check->arena, term, (size_t)count + 1);
    struct term_binding binding = {.to = &flow->terms};
    if (!items)
        return binding;
    for (uint32_t i = 0; i < flow->parameter_count; i++)
        items[i] = term_make(&flow->terms, TERM_PARAMETER, i, 0);
    binding.parameters = items;
    binding.parameter_count = flow->parameter_count;
    items += flow->parameter_count;
    for (uint32_t i = 0; i < formals; i++)
        items[i] = lock_types_formal(check->checker->types, check->class_id, i, &flow->terms);
    binding.formals = items;
    binding.formal_count = formals;
    items += formals;
    for (uint32_t i = 0; i < locks->method_formal_count; i++)
        items[i] = term_make(&flow->terms, TERM_METHOD_FORMAL, i, TERM_NONE);
    binding.method_formals = items;
    binding.method_formal_count = locks->method_formal_count;
    return binding;
}

/* ---- calls ---- */

/* The callee's own formals, as the call in the method's events has them: the same for its
   parameters, its result and what it requires. */
struct term_list owners_of_call(struct method_check *check, const struct flow_event *call)
{
    struct owners *owners = &check->owners;
    const struct method_flow *flow = check->flow;
    const uint32_t count =
        call->id == PROGRAM_NONE || call->kind != EVENT_CALL
            ? 0
            : lock_types_method(check->checker->types, call->id)->method_formal_count;
    uint32_t number = 0;
    if (owners->inert || !count)
        return (struct term_list){0};
    while (number < flow->event_count && &flow->events[number] != call)
        number++;
    if (number == flow->event_count)
        return (struct term_list){0};
    if (!owners->by_call)
        owners->by_call = arena_allocate_zeroed(
            check->arena, flow->event_count * sizeof *owners->by_call, alignof(struct term_list));
    if (!owners->by_call)
        return (struct term_list){0};
    if (!owners->by_call[number].count)
        owners->by_call[number] = variables(check, count);
    return resolve_list(check, owners->by_call[number]);
}

/* ---- the owners of each kind of value ---- */

static struct owner_list *list_of(struct method_check *check, term value, unsigned depth);

static struct term_list list_as(struct method_check *check, term value, uint32_t class_id,
                                unsigned depth)
{
    const struct owner_list *list = list_of(check, value, depth);
    return list ? as_ancestor(check, value, list->owners, list->class_id, class_id)
                : (struct term_list){0};
}

/* `this`, or an instance around it. */
static bool is_some_this(const struct method_check *check, term object, unsigned depth)
{
    const struct program *program = check->checker->program;
    const struct term_content content = term_content(&check->flow->terms, object);
    if (content.kind == TERM_PARAMETER)
        return content.a == 0 && !check->flow->is_static;
    return content.kind == TERM_FIELD && depth < DEPTH &&
           (program->fields[content.b].access & ACCESS_SYNTHETIC) &&
           text_starts_with(program_field_name(program, content.b), TEXT("this$")) &&
           is_some_this(check, content.a, depth + 1);
}

/* Owners of what the compiler hands on from the variables around a body, or NULL. */
static const struct captured *captured_owners(const struct method_check *check, term object,
                                              uint32_t field)
{
    if (object == TERM_NONE || !is_some_this(check, object, 0))
        return NULL;
    const bool constructing =
        term_kind(&check->flow->terms, object) == TERM_PARAMETER &&
        text_is(program_method_name(check->checker->program, check->method), "<init>");
    return captures_field(&check->checker->captures, field, constructing);
}

static struct owner_list owners_of_captured(struct method_check *check,
                                            const struct captured *captured, term object,
                                            uint32_t class_id)
{
    return (struct owner_list){.owners = captures_bring(&check->checker->captures, captured, object,
                                                        &check->flow->terms, check->arena),
                               .class_id = class_id,
                               .known = true,
                               .declared = captured->declared};
}

static struct owner_list owners_of_field(struct method_check *check, term value, term object,
                                         uint32_t field, uint32_t class_id, unsigned depth)
{
    const struct program *program = check->checker->program;
    const struct field_locks *locks = lock_types_field(check->checker->types, field);
    struct owner_list list = {.class_id = class_id, .known = true};
    if (!locks->owners.count) {
        const struct captured *captured = captured_owners(check, object, field);
        if (captured)
            return owners_of_captured(check, captured, object, class_id);
        list.owners = unknown(check, value, formal_count(check, class_id));
        return list;
    }
    const struct term_list formals =
        object == TERM_NONE ? (struct term_list){0}
                            : list_as(check, object, program->fields[field].class_id, depth + 1);
    const struct term_binding binding = {.to = &check->flow->terms,
                                         .parameters = &object,
                                         .parameter_count = 1,
                                         .formals = formals.items,
                                         .formal_count = formals.count};
    list.owners = substitute_list(check, locks->owners, &binding);
    list.declared = true;
    return list;
}

static struct owner_list owners_of_parameter(struct method_check *check, term value,
                                             uint32_t number, uint32_t class_id)
{
    const struct method_locks *locks = lock_types_method(check->checker->types, check->method);
    const struct term_binding binding = own_binding(check);
    struct owner_list list = {.class_id = class_id, .known = true};
    const bool declared = locks->parameter_owners && locks->parameter_owners[number].count > 0;
    const struct captured *captured =
        captures_parameter(&check->checker->captures, check->method, number);
    if (declared) {
        list.owners = substitute_list(check, locks->parameter_owners[number], &binding);
        list.declared = true;
    } else if (number == 0 && !check->flow->is_static) {
        list.class_id = check->class_id;
        list.owners = (struct term_list){binding.formals, binding.formal_count};
    } else if (captured) {
        return owners_of_captured(check, captured, TERM_NONE, class_id);
    } else {
        list.owners = unknown(check, value, formal_count(check, class_id));
    }
    return list;
}

static struct owner_list owners_of_new(struct method_check *check, uint32_t instruction,
                                       uint32_t class_id)
{
    const struct term_list *declared = lock_types_allocation(
        check->checker->types, check->method, bytecode_offset(&check->flow->bytecode, instruction));
    struct owner_list list = {.class_id = class_id, .known = true};
    if (declared && declared->count) {
        const struct term_binding binding = own_binding(check);
        list.owners = substitute_list(check, *declared, &binding);
        list.declared = true;
    } else {
        list.owners = variables(check, formal_count(check, class_id));
    }
    return list;
}

static struct owner_list owners_of_result(struct method_check *check, term value,
                                          const struct flow_event *call, uint32_t class_id)
{
    struct owner_list list = {.class_id = class_id, .known = true};
    const struct method_locks *locks =
        call->id == PROGRAM_NONE ? NULL : lock_types_method(check->checker->types, call->id);
    if (!locks || !locks->result_owners.count) {
        list.owners = unknown(check, value, formal_count(check, class_id));
        return list;
    }
    const struct term_binding binding = method_check_call_binding(check, call);
    list.owners = substitute_list(check, locks->result_owners, &binding);
    list.declared = true;
    return list;
}

static struct owner_list find_list(struct method_check *check, term value, unsigned depth)
{
    const struct method_flow *flow = check->flow;
    const uint32_t class_id = value < flow->origin_count ? flow->types[value] : PROGRAM_NONE;
    struct term_content content = term_content(&flow->terms, value);
    struct owner_list list = {.class_id = class_id, .known = true};
    const uint32_t producer = value < check->producer_count ? check->producers[value] : 0;
    if (content.kind == TERM_OPAQUE && value < flow->origin_count && flow->origins[value])
        content = term_content(&flow->terms, flow->origins[value]);
    switch (content.kind) {
    case TERM_PARAMETER:
        return owners_of_parameter(check, value, content.a, class_id);
    case TERM_FIELD:
    case TERM_VARYING:
        return owners_of_field(check, value, content.a, content.b, class_id, depth);
    case TERM_STATIC:
        return owners_of_field(check, value, TERM_NONE, content.a, class_id, depth);
    case TERM_NEW:
        return owners_of_new(check, content.a, class_id);
    case TERM_JOIN:
        list.owners = variables(check, formal_count(check, class_id));
        return list;
    default:
        break;
    }
    if (producer && flow->events[producer - 1].kind == EVENT_CALL)
        return owners_of_result(check, value, &flow->events[producer - 1], class_id);
    list.owners = unknown(check, value, formal_count(check, class_id));
    return list;
}

static bool make_room(struct method_check *check, term value)
{
    struct owners *owners = &check->owners;
    if (value < owners->by_count)
        return true;
    const uint32_t count = (value + 1) * 2;
    struct owner_list *grown =
        arena_allocate_zeroed(check->arena, count * sizeof *grown, alignof(struct owner_list));
    if (!grown)
        return false;
    if (owners->by_count)
        memcpy(grown, owners->by_term, owners->by_count * sizeof *grown);
    owners->by_term = grown;
    owners->by_count = count;
    return true;
}

static struct owner_list *list_of(struct method_check *check, term value, unsigned depth)
{
    if (value == TERM_NONE || depth == DEPTH || !make_room(check, value))
        return NULL;
    if (!check->owners.by_term[value].known) {
        const struct owner_list list = find_list(check, value, depth);
        if (!make_room(check, value))
            return NULL;
        check->owners.by_term[value] = list;
    }
    return &check->owners.by_term[value];
}

/* ---- constraints ---- */

/* What the variable must be so that it is `owner` when it is qualified as it is here; TERM_NONE: it
   cannot be. */
static term solution(struct method_check *check, struct term_content variable, term owner)
{
    struct term_table *terms = &check->flow->terms;
    const struct term_content content = term_content(terms, owner);
    const bool open = content.kind == TERM_FORMAL || content.kind == TERM_METHOD_FORMAL;
    if (variable.b == TERM_NONE)
        return owner;
    if (owner == variable.b)
        return term_make(terms, TERM_SELF, 0, 0);
    if ((open || content.kind == TERM_OWNER) && content.b == variable.b)
        return term_make(terms, (enum term_kind)content.kind, content.a, TERM_NONE);
    return content.kind == TERM_SELF || (open && content.b == TERM_NONE) ? (term)TERM_NONE : owner;
}

/* Makes the free variable (`owner` says it, qualified or not) equal to another owner. */
static bool bind_variable(struct method_check *check, term owner, term other)
{
    struct owners *owners = &check->owners;
    struct term_table *terms = &check->flow->terms;
    const struct term_content variable = term_content(terms, owner);
    const struct term_content content = term_content(terms, other);
    if (variable.kind != TERM_OWNER)
        return false;
    if (content.kind == TERM_OWNER && content.a != variable.a && content.b == TERM_NONE) {
        owners->variables[content.a] = owner;
        return true;
    }
    /* f and f$e, or f$e and f$e': only something that no qualifier changes is both. */
    if (content.kind == TERM_OWNER && content.a == variable.a)
        other = term_make(terms, TERM_THIS_THREAD, 0, 0);
    const term found = solution(check, variable, other);
    if (found != TERM_NONE)
        owners->variables[variable.a] = found;
    return found != TERM_NONE;
}

static void unify(struct method_check *check, term wanted, term found, struct owner_mismatch where)
{
    struct owners *owners = &check->owners;
    struct term_table *terms = &check->flow->terms;
    wanted = chase(owners, terms, wanted);
    found = chase(owners, terms, found);
    if (wanted == TERM_NONE || found == TERM_NONE || wanted == found ||
        bind_variable(check, found, wanted) || bind_variable(check, wanted, found))
        return;
    if (term_kind(terms, found) != TERM_UNIQUE) { /* the only reference may go anywhere */
        where.wanted = wanted;
        where.found = found;
        if (!vector_push(&owners->mismatches, where))
            check->arena->failed = true;
    }
}

/* A value goes where a type with these owners is declared. */
static void flows_to(struct method_check *check, term value, struct term_list wanted,
                     uint32_t class_id, struct owner_mismatch where)
{
    struct owner_list *list = wanted.count ? list_of(check, value, 0) : NULL;
    if (!list || method_check_is_null(check, value))
        return;
    /* An object of a class without formals that was made here takes the one owner it is given. */
    if (!list->owners.count && term_kind(&check->flow->terms, value) == TERM_NEW) {
        list->owners = variables(check, wanted.count);
        list->class_id = class_id;
    }
    const struct term_list found =
        as_ancestor(check, value, list->owners, list->class_id, class_id);
    for (uint32_t i = 0; i < wanted.count && i < found.count; i++) {
        where.position = i;
        unify(check, wanted.items[i], found.items[i], where);
    }
}

static void constrain_write(struct method_check *check, uint32_t number)
{
    const struct flow_event *event = &check->flow->events[number];
    const struct program *program = check->checker->program;
    const struct field_locks *locks = lock_types_field(check->checker->types, event->id);
    if (!locks->owners.count)
        return;
    const struct term_binding binding =
        method_check_binding(check, event->object, program->fields[event->id].class_id);
    flows_to(check, event->value, substitute_list(check, locks->owners, &binding),
             owners_class_of(program, program_field_descriptor(program, event->id)),
             (struct owner_mismatch){.event = number, .argument = UINT32_MAX});
}

/* Of a value without owners that goes where some are declared nothing is known: what nothing else
   has spoken of is not taken to stay with the thread. */
static void leave_unknown(struct method_check *check, term value, struct term_list wanted,
                          uint32_t class_id)
{
    struct term_table *terms = &check->flow->terms;
    const struct owner_list *list = list_of(check, value, 0);
    if (!list || method_check_is_null(check, value))
        return;
    const uint32_t found = as_ancestor(check, value, list->owners, list->class_id, class_id).count;
    for (uint32_t i = found; i < wanted.count; i++) {
        const term owner = chase(&check->owners, terms, wanted.items[i]);
        if (term_kind(terms, owner) == TERM_OWNER)
            check->owners.variables[term_content(terms, owner).a] = term_make(
                terms, TERM_METHOD_FORMAL, TERM_UNDECLARED + value * MOST_FORMALS + i, TERM_NONE);
    }
}

/* What is passed has the owners of the parameters; or, when all that is known has been said, the
   rest of the callee's own formals is settled. */
static void constrain_call(struct method_check *check, uint32_t number, bool at_last)
{
    const struct flow_event *event = &check->flow->events[number];
    const struct program *program = check->checker->program;
    const struct method_locks *locks = lock_types_method(check->checker->types, event->id);
    if (!locks->parameter_owners || (at_last && !locks->method_formal_count))
        return;
    const struct term_binding binding = method_check_call_binding(check, event);
    const uint32_t receiver = !(event->flags & EVENT_STATIC);
    for (uint32_t i = 0; i < binding.parameter_count; i++) {
        if (!locks->parameter_owners[i].count)
            continue;
        const uint32_t class_id = i < receiver
                                      ? program->methods[event->id].class_id
                                      : owners_parameter_class(program, event->id, i - receiver);
        const struct term_list wanted =
            substitute_list(check, locks->parameter_owners[i], &binding);
        if (at_last)
            leave_unknown(check, binding.parameters[i], wanted, class_id);
        else
            flows_to(check, binding.parameters[i], wanted, class_id,
                     (struct owner_mismatch){.event = number, .argument = i});
    }
}

static void constrain_return(struct method_check *check, uint32_t number)
{
    const struct flow_event *event = &check->flow->events[number];
    const struct program *program = check->checker->program;
    const struct method_locks *locks = lock_types_method(check->checker->types, check->method);
    if (!locks->result_owners.count || event->value == TERM_NONE)
        return;
    const struct term_binding binding = own_binding(check);
    flows_to(check, event->value, substitute_list(check, locks->result_owners, &binding),
             owners_class_of(program,
                             descriptor_return(program_method_descriptor(program, check->method))),
             (struct owner_mismatch){.event = number, .argument = UINT32_MAX});
}

/* Values that meet have the same owners. */
static void constrain_joins(struct method_check *check)
{
    for (uint32_t i = 0; i < check->flow->join_count; i++) {
        const struct flow_join *join = &check->flow->joins[i];
        const struct owner_list *to = list_of(check, join->join, 0);
        if (to && to->owners.count)
            flows_to(check, join->input, to->owners, to->class_id,
                     (struct owner_mismatch){.event = UINT32_MAX, .argument = UINT32_MAX});
    }
}

bool owners_infer(struct method_check *check)
{
    check->owners.inert = !check->checker->has_owners;
    if (check->owners.inert)
        return true;
    constrain_joins(check);
    for (uint32_t i = 0; i < check->flow->event_count; i++) {
        const struct flow_event *event = &check->flow->events[i];
        if (event->kind == EVENT_WRITE && event->id != PROGRAM_NONE)
            constrain_write(check, i);
        else if (event->kind == EVENT_CALL && event->id != PROGRAM_NONE)
            constrain_call(check, i, false);
        else if (event->kind == EVENT_RETURN)
            constrain_return(check, i);
    }
    for (uint32_t i = 0; i < check->flow->event_count; i++)
        if (check->flow->events[i].kind == EVENT_CALL && check->flow->events[i].id != PROGRAM_NONE)
            constrain_call(check, i, true);
    /* What stays unknown stays with the thread. */
    check->owners.local = term_make(&check->flow->terms, TERM_THIS_THREAD, 0, 0);
    return !check->arena->failed;
}

void owners_release(struct owners *owners)
{
    vector_release(&owners->mismatches);
}

struct term_list owners_of(struct method_check *check, term value, uint32_t class_id)
{
    if (check->owners.inert || value == TERM_NONE)
        return (struct term_list){0};
    const struct owner_list *list = list_of(check, value, 0);
    if (!list || !list->owners.count)
        return (struct term_list){0};
    return resolve_list(check, as_ancestor(check, value, resolve_list(check, list->owners),
                                           list->class_id, class_id));
}

bool owners_is_declared(const struct owners *owners, term value)
{
    return value < owners->by_count && owners->by_term[value].declared;
}
