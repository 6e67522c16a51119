/*
 * overrides: a method requires no lock that the method it overrides does not require (OverridesOK).
 * Who calls the overridden one knows of its clause only.
 */
#include "check/method_check.h"

/* The owners that formals of `ancestor` have in terms of the judged class's, along superclasses;
   interfaces have none of their own. */
static struct term_list ancestor_formals(struct method_check *check, uint32_t ancestor)
{
    return owners_of(check, term_make(&check->flow->terms, TERM_PARAMETER, 0, 0), ancestor);
}

static bool asks_for(struct method_check *check, uint32_t overridden, term lock)
{
    const struct checker *checker = check->checker;
    const struct method_locks *locks = lock_types_method(checker->types, overridden);
    const struct term_list formals =
        ancestor_formals(check, checker->program->methods[overridden].class_id);
    term *parameters = ARENA_ARRAY(check->arena, term, (size_t)check->flow->parameter_count + 1);
    if (!parameters)
        return true;
    for (uint32_t i = 0; i < check->flow->parameter_count; i++)
        parameters[i] = term_make(&check->flow->terms, TERM_PARAMETER, i, 0);
    const struct term_binding binding = {.to = &check->flow->terms,
                                         .parameters = parameters,
                                         .parameter_count = check->flow->parameter_count,
                                         .formals = formals.items,
                                         .formal_count = formals.count};
    for (uint32_t i = 0; i < locks->requires.count; i++)
        if (checker_canonical(checker, check->flow,
                              term_substitute(&checker->types->terms, locks->requires.items[i],
                                              &binding)) == lock)
            return true;
    return false;
}

/* `method` is the one whose clause it is: the judged one, or what that passes its call on to. */
static void check_pair(struct method_check *check, uint32_t method, uint32_t overridden)
{
    const struct checker *checker = check->checker;
    const struct program *program = checker->program;
    const struct method_locks *locks = lock_types_method(checker->types, method);
    const struct method_flow *flow = checker->flows[method];
    for (uint32_t i = 0; i < locks->requires.count; i++) {
        const term lock =
            checker_canonical(checker, check->flow,
                              entry_locks_copy(&checker->types->terms, locks->requires.items[i],
                                               &check->flow->terms));
        if (asks_for(check, overridden, lock))
            continue;
        const struct text name = method_check_method_name(check, overridden);
        const struct check_subject subject = {
            .rule = FINDING_OVERRIDE_MISMATCH,
            .basis = (enum finding_basis)locks->basis,
            .class_id = program->methods[method].class_id,
            .member = program_method_name(program, method),
            .signature = program_method_descriptor(program, method),
            .line = flow ? method_flow_line(flow, 0) : 0,
            .instruction = INSTRUCTION_NONE,
            .role = "overrides",
            .message = method_check_text(
                check, "%.*s requires `%.*s`, but %.*s, which it overrides, does not",
                TEXT_ARGUMENTS(method_check_method_name(check, method)),
                TEXT_ARGUMENTS(method_check_term(check, lock)), TEXT_ARGUMENTS(name)),
            .no_warn = &locks->no_warn,
        };
        method_check_report(check, &subject);
        return;
    }
}

/* The method that a bridge passes its calls on to; the method itself if it is none. */
static uint32_t behind_bridge(const struct method_check *check)
{
    const struct program *program = check->checker->program;
    if (!(program->methods[check->method].access & ACCESS_BRIDGE))
        return check->method;
    for (uint32_t i = 0; i < check->flow->event_count; i++) {
        const struct flow_event *event = &check->flow->events[i];
        if (event->kind == EVENT_CALL && event->id != PROGRAM_NONE &&
            program->methods[event->id].class_id == check->class_id &&
            program_is_application_method(program, event->id))
            return event->id;
    }
    return check->method;
}

/* The overridden method in that class, or PROGRAM_NONE. */
static uint32_t overridden_in(const struct program *program, uint32_t class_id, uint32_t selector)
{
    const uint32_t method = program_declared_method(program, class_id, selector);
    return method != PROGRAM_NONE &&
                   !(program->methods[method].access & (ACCESS_PRIVATE | ACCESS_STATIC))
               ? method
               : PROGRAM_NONE;
}

void rule_overrides(struct method_check *check)
{
    const struct program *program = check->checker->program;
    const struct program_member *own = &program->methods[check->method];
    const uint32_t behind = behind_bridge(check);
    if (!lock_types_method(check->checker->types, behind)->requires.count ||
        (own->access & (ACCESS_PRIVATE | ACCESS_STATIC)) ||
        text_is(program_method_name(program, check->method), "<init>"))
        return;
    const struct program_class *class = &program->classes[own->class_id];
    for (uint32_t id = class->superclass; id != PROGRAM_NONE;
         id = program->classes[id].superclass) {
        const uint32_t method = overridden_in(program, id, own->selector);
        if (method != PROGRAM_NONE)
            check_pair(check, behind, method);
    }
    for (uint32_t i = 0; i < class->all_interfaces.count; i++) {
        const uint32_t method =
            overridden_in(program, class->all_interfaces.items[i], own->selector);
        if (method != PROGRAM_NONE)
            check_pair(check, behind, method);
    }
}
