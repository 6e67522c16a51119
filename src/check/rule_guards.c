/*
 * guards: a field is read and written with the lock held that guards it ([EXP REF], [EXP ASSIGN]).
 *
 * Elements of arrays, and what library objects without locks of their own hold, are guarded like
 * the field that the array or object was reached through; by `itself`, those alone are.
 */
#include "check/contents.h"
#include "check/made_fields.h"
#include "check/method_check.h"
#include "check/references.h"

struct guard {
    uint32_t field;
    term object; /* whose field */
    bool write;
    const char *what; /* "", "an element of ", "what is in " */
    const char *role;
    term content;    /* the array or library object; TERM_NONE: the field itself is accessed */
    uint32_t number; /* of the event in the flow */
    bool reference;  /* done by a function that the event makes */
};

static struct text verb(const struct guard *guard)
{
    if (guard->reference)
        return guard->write ? TEXT("written by a function that is made here, when it runs,")
                            : TEXT("read by a function that is made here, when it runs,");
    return guard->write ? TEXT("written") : TEXT("read");
}

static void report_missing(struct method_check *check, const struct flow_event *event,
                           const struct guard *guard, term needed, struct text written,
                           const struct field_locks *locks)
{
    const struct program *program = check->checker->program;
    const struct text name = method_check_field_name(check, guard->field);
    const struct text lock = needed == TERM_NONE ? written : method_check_term(check, needed);
    const struct text declared =
        needed == TERM_NONE || text_equal(lock, written)
            ? TEXT("")
            : method_check_text(check, " (declared `%.*s`)", TEXT_ARGUMENTS(written));
    const struct check_subject subject = {
        .rule = FINDING_GUARD_NOT_HELD,
        .basis = (enum finding_basis)locks->basis,
        .class_id = program->fields[guard->field].class_id,
        .member = program_field_name(program, guard->field),
        .signature = program_field_descriptor(program, guard->field),
        .instruction = event->instruction,
        .event = event,
        .role = guard->role,
        .message = method_check_text(check, "%s%.*s is %.*s without `%.*s`%.*s, which guards it",
                                     guard->what, TEXT_ARGUMENTS(name), TEXT_ARGUMENTS(verb(guard)),
                                     TEXT_ARGUMENTS(lock), TEXT_ARGUMENTS(declared)),
        .no_warn = &locks->no_warn,
        .needed = needed,
    };
    method_check_report(check, &subject);
}

static void check_declared(struct method_check *check, const struct flow_event *event,
                           const struct guard *guard, const struct field_locks *locks)
{
    const struct program *program = check->checker->program;
    if (locks->guard == GUARD_WRITES && !guard->write)
        return;
    struct term_binding binding =
        method_check_binding(check, guard->object, program->fields[guard->field].class_id);
    binding.itself = guard->content;
    for (uint32_t i = 0; i < locks->locks.count; i++) {
        const term declared = locks->locks.items[i];
        if (term_kind(&check->checker->types->terms, declared) == TERM_ITSELF &&
            guard->content == TERM_NONE)
            continue;
        const term needed =
            owners_resolve(&check->owners, &check->flow->terms,
                           term_substitute(&check->checker->types->terms, declared, &binding));
        if (!method_check_holds(check, event, needed, guard->write, false))
            report_missing(check, event, guard, needed, locks->written[i], locks);
    }
}

/* Static initializers have what belongs to their class for themselves. */
static bool is_own_initializer(const struct method_check *check, uint32_t field)
{
    const struct program *program = check->checker->program;
    return program->fields[field].class_id == check->class_id &&
           (program->fields[field].access & ACCESS_STATIC) &&
           text_is(program_method_name(program, check->method), "<clinit>");
}

/* Locks of a belief are in terms of the object, as declared ones are. */
static void check_belief(struct method_check *check, const struct flow_event *event,
                         const struct guard *guard, const struct belief *belief)
{
    const struct program *program = check->checker->program;
    const struct belief_break broken = {check->method, guard->number, guard->field,
                                        guard->content == TERM_NONE ? guard->object
                                                                    : guard->content};
    const uint32_t surety = beliefs_surety(&check->checker->beliefs, &broken);
    if (!surety)
        return;
    const struct term_binding binding =
        method_check_binding(check, guard->object, program->fields[guard->field].class_id);
    const term needed = term_substitute(&check->checker->beliefs.terms, belief->lock, &binding);
    if (needed == TERM_NONE || method_check_holds(check, event, needed, guard->write, true))
        return;
    const struct text name = method_check_field_name(check, guard->field);
    const struct text lock = method_check_term(check, needed);
    const struct check_subject subject = {
        .rule = FINDING_GUARD_NOT_HELD,
        .basis = FINDING_BASIS_BELIEF,
        .class_id = program->fields[guard->field].class_id,
        .member = program_field_name(program, guard->field),
        .signature = program_field_descriptor(program, guard->field),
        .instruction = event->instruction,
        .event = event,
        .role = guard->role,
        .message = method_check_text(
            check, "%s%.*s is %.*s without `%.*s`, which is held at %u of %u %s", guard->what,
            TEXT_ARGUMENTS(name), TEXT_ARGUMENTS(verb(guard)), TEXT_ARGUMENTS(lock), belief->held,
            belief->total, belief->guard == GUARD_WRITES ? "writes" : "accesses"),
        .no_warn = &lock_types_field(check->checker->types, guard->field)->no_warn,
        .needed = needed,
        .surety = surety,
    };
    method_check_report(check, &subject);
}

static const char *content_of(const struct flow_event *event)
{
    return event->kind == EVENT_ARRAY_READ || event->kind == EVENT_ARRAY_WRITE ? "an element of "
                                                                               : "what is in ";
}

/* `reference`: it is what a function does that the event of that number makes. */
static void check_content(struct method_check *check, uint32_t number, bool reference,
                          const struct flow_event *event, const struct content_use *use)
{
    const struct program *program = check->checker->program;
    struct guard guard = {.write = use->write,
                          .what = content_of(event),
                          .role = reference    ? "refers to"
                                  : use->write ? "write"
                                               : "read",
                          .content = use->object,
                          .number = number,
                          .reference = reference};
    if (!method_check_origin(check, use->object, &guard.field, &guard.object) ||
        guard.field >= program->field_count)
        return;
    const struct field_locks *locks = lock_types_field(check->checker->types, guard.field);
    const struct belief *belief = beliefs_of(&check->checker->beliefs, guard.field);
    if (use->fresh ||
        (guard.object != TERM_NONE && method_check_owns(check, event, guard.object)) ||
        (is_own_initializer(check, guard.field) && !check->later))
        return;
    if (locks->guard != GUARD_NONE)
        check_declared(check, event, &guard, locks);
    else if (belief)
        check_belief(check, event, &guard, belief);
}

/* A final field may be read by anybody; its guard is about what it refers to. */
static bool is_declared_final(const struct method_check *check, uint32_t field)
{
    return check->checker->program->fields[field].access & ACCESS_FINAL;
}

/* Objects that a guarded final field refers to, and that have no guards of their own. */
static void check_part(struct method_check *check, uint32_t number)
{
    const struct flow_event *event = &check->flow->events[number];
    const struct program *program = check->checker->program;
    uint32_t field;
    term object;
    if (method_check_origin(check, event->object, &field, &object) &&
        field < program->field_count && is_declared_final(check, field) &&
        !lock_types_is_final(check->checker->types, event->id) && !(event->flags & EVENT_VOLATILE))
        check_content(check, number, false, event,
                      &(struct content_use){event->object, event->kind == EVENT_WRITE,
                                            made_fields_is_private(check->checker, check->flow,
                                                                   event->flags, event->object)});
}

static void check_access(struct method_check *check, uint32_t number)
{
    const struct flow_event *event = &check->flow->events[number];
    const struct guard guard = {
        .field = event->id,
        .object = event->object,
        .write = event->kind == EVENT_WRITE,
        .what = "",
        .role = event->kind == EVENT_WRITE ? "write" : "read",
        .number = number,
    };
    const struct field_locks *locks = lock_types_field(check->checker->types, event->id);
    if (method_check_is_private(check, event))
        return;
    if (locks->guard != GUARD_NONE) {
        if (guard.write || !is_declared_final(check, event->id))
            check_declared(check, event, &guard, locks);
        return;
    }
    const struct belief *belief = beliefs_of(&check->checker->beliefs, event->id);
    if (belief)
        check_belief(check, event, &guard, belief);
    else if (event->object != TERM_NONE)
        check_part(check, number);
}

static void check_contents(struct method_check *check, uint32_t number, bool reference,
                           const struct flow_event *event)
{
    struct content_uses uses;
    contents_find(&uses, check->checker, check->flow, event);
    for (uint32_t i = 0; i < uses.count; i++)
        check_content(check, number, reference, event, &uses.items[i]);
}

void rule_guards(struct method_check *check)
{
    for (uint32_t i = 0; i < check->flow->event_count; i++) {
        const struct flow_event *event = &check->flow->events[i];
        struct reference_call reference;
        check_contents(check, i, false, event);
        if (reference_find(&reference, check->checker, check->flow, event)) {
            check->later = reference.later;
            check_contents(check, i, true, &reference.call);
            check->later = false;
        } else if ((event->kind == EVENT_READ || event->kind == EVENT_WRITE) &&
                   event->id != PROGRAM_NONE)
            check_access(check, i);
    }
}
