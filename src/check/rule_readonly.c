/*
 * readonly: what is immutable, by its class or because its owner is `readonly`, is not written
 * after construction: not its fields, nor arrays and library objects without locks of their own
 * that are reached through them.
 */
#include "check/contents.h"
#include "check/method_check.h"
#include "check/references.h"

static bool is_readonly(struct method_check *check, term object, uint32_t class_id)
{
    if (class_id != PROGRAM_NONE &&
        lock_types_nature(check->checker->types, class_id) == NATURE_IMMUTABLE)
        return true;
    if (object == TERM_NONE)
        return false;
    const struct term_list owners = owners_of(check, object, class_id);
    return owners.count > 0 && term_kind(&check->flow->terms, owners.items[0]) == TERM_READONLY;
}

static void report(struct method_check *check, const struct flow_event *event, uint32_t field,
                   const char *what)
{
    const struct program *program = check->checker->program;
    const struct check_subject subject = {
        .rule = FINDING_READONLY_WRITTEN,
        .basis = FINDING_BASIS_DECLARED,
        .class_id = program->fields[field].class_id,
        .member = program_field_name(program, field),
        .signature = program_field_descriptor(program, field),
        .instruction = event->instruction,
        .event = event,
        .role = "write",
        .message = method_check_text(check, "%s%.*s is written, but the object is read-only", what,
                                     TEXT_ARGUMENTS(method_check_field_name(check, field))),
        .no_warn = &lock_types_field(check->checker->types, field)->no_warn,
    };
    method_check_report(check, &subject);
}

static void check_write(struct method_check *check, const struct flow_event *event)
{
    const struct program *program = check->checker->program;
    if (event->id != PROGRAM_NONE && !(event->flags & EVENT_STATIC) &&
        !method_check_is_private(check, event) &&
        is_readonly(check, event->object, program->fields[event->id].class_id))
        report(check, event, event->id, "");
}

static void check_content(struct method_check *check, const struct flow_event *event,
                          const struct content_use *use)
{
    const struct program *program = check->checker->program;
    uint32_t field;
    term object;
    if (!use->write || use->fresh || !method_check_origin(check, use->object, &field, &object) ||
        object == TERM_NONE || field >= program->field_count)
        return;
    if (!method_check_owns(check, event, object) &&
        is_readonly(check, object, program->fields[field].class_id))
        report(check, event, field, event->kind == EVENT_CALL ? "what is in " : "an element of ");
}

static void check_contents(struct method_check *check, const struct flow_event *event)
{
    struct content_uses uses;
    contents_find(&uses, check->checker, check->flow, event);
    for (uint32_t i = 0; i < uses.count; i++)
        check_content(check, event, &uses.items[i]);
}

void rule_readonly(struct method_check *check)
{
    for (uint32_t i = 0; i < check->flow->event_count; i++) {
        const struct flow_event *event = &check->flow->events[i];
        struct reference_call reference;
        if (event->kind == EVENT_WRITE)
            check_write(check, event);
        check_contents(check, event);
        if (reference_find(&reference, check->checker, check->flow, event)) {
            check->later = reference.later;
            check_contents(check, &reference.call);
            check->later = false;
        }
    }
}
