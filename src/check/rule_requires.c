/*
 * requires: a method is called with the locks held that it requires ([EXP INVOKE]).
 *
 * A reference to such a method (`this::flush`) will be called when nothing is held, unless what it
 * is passed to calls it at once.
 */
#include "check/method_check.h"
#include "check/references.h"

static void report_missing(struct method_check *check, const struct flow_event *event,
                           const struct method_locks *locks, uint32_t number, term needed,
                           bool reference)
{
    const struct program *program = check->checker->program;
    const struct text lock =
        needed == TERM_NONE ? locks->written[number] : method_check_term(check, needed);
    const struct text name = method_check_method_name(check, event->id);
    const struct check_subject subject = {
        .rule = FINDING_REQUIRES_NOT_HELD,
        .basis = (enum finding_basis)locks->basis,
        .class_id = program->methods[event->id].class_id,
        .member = program_method_name(program, event->id),
        .signature = program_method_descriptor(program, event->id),
        .instruction = event->instruction,
        .event = event,
        .role = reference ? "refers to" : "calls",
        .message = method_check_text(
            check, "%.*s %s without `%.*s`, which it requires", TEXT_ARGUMENTS(name),
            reference ? "is made into a function that runs" : "is called", TEXT_ARGUMENTS(lock)),
        .no_warn = &locks->no_warn,
        .needed = needed,
    };
    method_check_report(check, &subject);
}

static void check_call(struct method_check *check, const struct flow_event *event, bool reference)
{
    const struct method_locks *locks = lock_types_method(check->checker->types, event->id);
    if (!locks->requires.count)
        return;
    const struct term_binding binding = method_check_call_binding(check, event);
    /* What the library requires (wait, notify) nobody has declared for the methods that use it:
       it is enough that all callers which we know hold it, or that it is the lock unless its field
       has been assigned meanwhile. */
    const bool of_library = !program_is_application_method(check->checker->program, event->id);
    for (uint32_t i = 0; i < locks->requires.count; i++) {
        const term needed = owners_resolve(
            &check->owners, &check->flow->terms,
            term_substitute(&check->checker->types->terms, locks->requires.items[i], &binding));
        if (!method_check_holds(check, event, needed, true, of_library) &&
            !(of_library && method_check_holds_earlier(check, event, needed)))
            report_missing(check, event, locks, i, needed, reference);
    }
}

static void check_reference(struct method_check *check, const struct flow_event *event)
{
    struct reference_call reference;
    if (!reference_find(&reference, check->checker, check->flow, event))
        return;
    check->later = reference.later;
    check_call(check, &reference.call, true);
    check->later = false;
}

void rule_requires(struct method_check *check)
{
    /* What calls a bridge is judged by the bridge's own clause, which is that of its target. */
    if (check->checker->program->methods[check->method].access & ACCESS_BRIDGE)
        return;
    for (uint32_t i = 0; i < check->flow->event_count; i++) {
        const struct flow_event *event = &check->flow->events[i];
        if (event->id == PROGRAM_NONE)
            continue;
        if (event->kind == EVENT_CALL)
            check_call(check, event, false);
        else if (event->kind == EVENT_LAMBDA)
            check_reference(check, event);
    }
}
