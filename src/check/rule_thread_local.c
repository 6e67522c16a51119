/*
 * thread_local: objects that belong to one thread stay with it (paper: thread-local classes, fork).
 *
 * An object is thread-local by its class, or because its owner is thisThread. It escapes when it is
 * stored in a static field or in an object that threads share, and when another thread is started
 * with it. A shared object must not become a thread-local one by a downcast, nor, if the class says
 * so itself, by a call of a method that it overrides in a shared supertype.
 */
#include "check/method_check.h"

static bool is_local_class(const struct method_check *check, uint32_t class_id)
{
    return class_id != PROGRAM_NONE &&
           lock_types_nature(check->checker->types, class_id) == NATURE_THREAD_LOCAL;
}

static uint32_t type_of(const struct method_check *check, term value)
{
    return value < check->flow->origin_count ? check->flow->types[value] : PROGRAM_NONE;
}

static bool is_owned_by_thread(struct method_check *check, term value)
{
    const struct term_list owners = owners_of(check, value, type_of(check, value));
    return owners.count > 0 &&
           term_kind(&check->flow->terms, owners.items[0]) == TERM_THIS_THREAD &&
           owners_is_declared(&check->owners, value);
}

static bool is_local(struct method_check *check, term value)
{
    return value != TERM_NONE &&
           (is_local_class(check, type_of(check, value)) || is_owned_by_thread(check, value));
}

static void report(struct method_check *check, const struct flow_event *event, uint32_t class_id,
                   struct text member, struct text signature, struct text message)
{
    const struct class_locks *locks =
        class_id == PROGRAM_NONE ? NULL : lock_types_class(check->checker->types, class_id);
    const struct check_subject subject = {
        .rule = FINDING_THREAD_LOCAL_ESCAPE,
        .basis = locks && locks->nature_source == SOURCE_DEFAULT ? FINDING_BASIS_DEFAULT
                                                                 : FINDING_BASIS_DECLARED,
        .class_id = class_id == PROGRAM_NONE ? check->class_id : class_id,
        .member = member,
        .signature = signature,
        .instruction = event ? event->instruction : INSTRUCTION_NONE,
        .event = event,
        .role = "escapes",
        .message = message,
    };
    method_check_report(check, &subject);
}

static struct text describe(struct method_check *check, term value)
{
    const uint32_t type = type_of(check, value);
    if (type == PROGRAM_NONE)
        return TEXT("a thread-local object");
    const struct text name = check->checker->program->classes[type].name;
    return method_check_text(
        check, "a thread-local %.*s",
        TEXT_ARGUMENTS(text_slice(name, (size_t)(text_find_last(name, '/') + 1), name.length)));
}

static void check_write(struct method_check *check, const struct flow_event *event)
{
    const struct program *program = check->checker->program;
    if (event->id == PROGRAM_NONE || !is_local(check, event->value))
        return;
    const uint32_t holder = program->fields[event->id].class_id;
    const bool is_static = event->flags & EVENT_STATIC;
    const uint16_t access = program->fields[event->id].access;
    if (!is_static && (is_local_class(check, holder) || is_local(check, event->object)))
        return;
    /* What an inner class or lambda keeps of its surroundings is judged where it is started. */
    if (access & ACCESS_SYNTHETIC)
        return;
    report(check, event, type_of(check, event->value), program_field_name(program, event->id),
           program_field_descriptor(program, event->id),
           method_check_text(check, "%.*s is stored in %.*s, which %s",
                             TEXT_ARGUMENTS(describe(check, event->value)),
                             TEXT_ARGUMENTS(method_check_field_name(check, event->id)),
                             is_static ? "is static" : "is in an object that threads share"));
}

/* The function or thread that is started has the value with it. */
static void check_started(struct method_check *check, const struct flow_event *event, term started)
{
    const uint32_t producer = started < check->producer_count ? check->producers[started] : 0;
    const struct flow_event *made = producer ? &check->flow->events[producer - 1] : NULL;
    if (is_local(check, started)) {
        report(check, event, type_of(check, started), TEXT(""), TEXT(""),
               method_check_text(check, "%.*s is run by another thread",
                                 TEXT_ARGUMENTS(describe(check, started))));
        return;
    }
    for (uint32_t i = 0; made && made->kind == EVENT_LAMBDA && i < made->argument_count; i++) {
        const term captured = check->flow->arguments[made->first_argument + i];
        if (is_local(check, captured))
            report(check, made, type_of(check, captured), TEXT(""), TEXT(""),
                   method_check_text(check,
                                     "%.*s is captured by a function that another thread runs",
                                     TEXT_ARGUMENTS(describe(check, captured))));
    }
}

/* Arguments of the constructor of an object that is then started as a thread are captured too:
   inner and anonymous classes get what they use that way. */
static void check_constructed(struct method_check *check, term started)
{
    const struct program *program = check->checker->program;
    if (started == TERM_NONE || term_kind(&check->flow->terms, started) != TERM_NEW)
        return;
    for (uint32_t i = 0; i < check->flow->event_count; i++) {
        const struct flow_event *event = &check->flow->events[i];
        if (event->kind != EVENT_CALL || event->object != started || event->id == PROGRAM_NONE ||
            !text_is(program_method_name(program, event->id), "<init>"))
            continue;
        for (uint32_t k = 0; k < event->argument_count; k++) {
            const term argument = check->flow->arguments[event->first_argument + k];
            if (is_local(check, argument))
                report(check, event, type_of(check, argument), TEXT(""), TEXT(""),
                       method_check_text(check, "%.*s is given to a thread that is started",
                                         TEXT_ARGUMENTS(describe(check, argument))));
        }
    }
}

static void check_call(struct method_check *check, const struct flow_event *event)
{
    if (event->id == PROGRAM_NONE)
        return;
    const struct method_locks *locks = lock_types_method(check->checker->types, event->id);
    for (uint32_t i = 0; i < locks->effect_count; i++) {
        if (locks->effects[i].kind != EFFECT_STARTS)
            continue;
        const struct term_binding binding = method_check_call_binding(check, event);
        const term started =
            term_substitute(&check->checker->types->terms, locks->effects[i].lock, &binding);
        if (started == TERM_NONE)
            continue;
        check_started(check, event, started);
        check_constructed(check, started);
    }
}

static void check_cast(struct method_check *check, const struct flow_event *event)
{
    const uint32_t from = type_of(check, event->object);
    const uint32_t producer =
        event->object < check->producer_count ? check->producers[event->object] : 0;
    /* What a generic library class gives is cast by the compiler, not by the programmer. */
    const bool erased = producer && check->flow->events[producer - 1].kind == EVENT_CALL &&
                        (check->flow->events[producer - 1].id == PROGRAM_NONE ||
                         !program_is_application_method(check->checker->program,
                                                        check->flow->events[producer - 1].id));
    if (event->id == PROGRAM_NONE || erased || !is_local_class(check, event->id) ||
        is_local_class(check, from) || (event->flags & EVENT_OBJECT_FRESH))
        return;
    report(check, event, event->id, TEXT(""), TEXT(""),
           method_check_text(check, "an object of a type that threads share is cast to a "
                                    "thread-local class"));
}

static bool is_shared_supertype(const struct method_check *check, uint32_t class_id)
{
    const struct program_class *class = &check->checker->program->classes[class_id];
    const enum class_nature nature = lock_types_nature(check->checker->types, class_id);
    if (class->application)
        return nature != NATURE_THREAD_LOCAL;
    return nature == NATURE_SAFE || text_is(class->name, "java/lang/Thread") ||
           text_is(class->name, "java/lang/Runnable") ||
           text_is(class->name, "java/util/concurrent/Callable");
}

static void check_override(struct method_check *check, uint32_t class_id)
{
    const struct program *program = check->checker->program;
    const struct program_member *own = &program->methods[check->method];
    const uint32_t method = program_declared_method(program, class_id, own->selector);
    if (method == PROGRAM_NONE || !is_shared_supertype(check, class_id) ||
        (program->methods[method].access & (ACCESS_PRIVATE | ACCESS_STATIC)))
        return;
    report(check, NULL, check->class_id, program_method_name(program, check->method),
           program_method_descriptor(program, check->method),
           method_check_text(check,
                             "a thread-local class overrides %.*s, which is called on objects that "
                             "threads share",
                             TEXT_ARGUMENTS(method_check_method_name(check, method))));
}

static void check_overrides(struct method_check *check)
{
    const struct program *program = check->checker->program;
    const struct program_member *own = &program->methods[check->method];
    const struct program_class *class = &program->classes[own->class_id];
    if (!is_local_class(check, own->class_id) ||
        (own->access & (ACCESS_PRIVATE | ACCESS_STATIC | ACCESS_SYNTHETIC)) ||
        text_is(program_method_name(program, check->method), "<init>"))
        return;
    for (uint32_t id = class->superclass; id != PROGRAM_NONE; id = program->classes[id].superclass)
        check_override(check, id);
    for (uint32_t i = 0; i < class->all_interfaces.count; i++)
        check_override(check, class->all_interfaces.items[i]);
}

void rule_thread_local(struct method_check *check)
{
    check_overrides(check);
    for (uint32_t i = 0; i < check->flow->event_count; i++) {
        const struct flow_event *event = &check->flow->events[i];
        if (event->kind == EVENT_WRITE)
            check_write(check, event);
        else if (event->kind == EVENT_CALL)
            check_call(check, event);
        else if (event->kind == EVENT_CAST)
            check_cast(check, event);
    }
}
