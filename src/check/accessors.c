#include "check/accessors.h"

#include "base/vector.h"
#include "check/checker.h"

enum {
    MOST_ARGUMENTS = 256,
    MOST_EVENTS = 24 /* `outer.text += part` takes about ten */
};

bool accessors_is_one(const struct checker *checker, uint32_t method)
{
    const struct program *program = checker->program;
    const struct method_flow *flow = checker->flows[method];
    const uint16_t both = ACCESS_STATIC | ACCESS_SYNTHETIC;
    return (!flow || flow->event_count <= MOST_EVENTS) &&
           (program->methods[method].access & both) == both &&
           text_starts_with(program_method_name(program, method), TEXT("access$"));
}

struct expansion {
    VECTOR(struct flow_event) events;
    VECTOR(term) arguments;
    VECTOR(uint8_t) argument_flags;
    bool failed;
};

static void add_event(struct expansion *expansion, struct flow_event event)
{
    if (!vector_push(&expansion->events, event))
        expansion->failed = true;
}

static void add_arguments(struct expansion *expansion, const struct method_flow *from,
                          struct flow_event *event, const struct term_binding *binding)
{
    const uint32_t first = event->first_argument;
    event->first_argument = (uint32_t)expansion->arguments.count;
    for (uint32_t i = 0; i < event->argument_count; i++) {
        const term argument = from->arguments[first + i];
        if (!vector_push(&expansion->arguments,
                         binding ? term_substitute(&from->terms, argument, binding) : argument) ||
            !vector_push(&expansion->argument_flags, from->argument_flags[first + i]))
            expansion->failed = true;
    }
}

/* Whether the value is a parameter for which the caller gives an object that nobody else knows. */
static bool is_given_fresh(const struct method_flow *caller, const struct flow_event *call,
                           const struct term_table *terms, term value)
{
    const struct term_content content = term_content(terms, value);
    return content.kind == TERM_PARAMETER && content.a < call->argument_count &&
           caller->argument_flags[call->first_argument + content.a] & EVENT_OBJECT_FRESH;
}

/* What the accessor does, as if it stood where it is called. */
static void add_body(struct expansion *expansion, struct method_flow *caller,
                     const struct flow_event *call, const struct method_flow *accessor)
{
    term parameters[MOST_ARGUMENTS];
    uint32_t count = 0;
    for (; count < call->argument_count && count < MOST_ARGUMENTS; count++)
        parameters[count] = caller->arguments[call->first_argument + count];
    const struct term_binding binding = {
        .to = &caller->terms, .parameters = parameters, .parameter_count = count};
    for (uint32_t i = 0; i < accessor->event_count; i++) {
        struct flow_event event = accessor->events[i];
        if (event.kind == EVENT_RETURN)
            continue;
        event.instruction = call->instruction;
        event.locks = call->locks;
        if (event.kind == EVENT_WRITE &&
            is_given_fresh(caller, call, &accessor->terms, event.value))
            event.flags |= EVENT_VALUE_FRESH;
        if (is_given_fresh(caller, call, &accessor->terms, event.object))
            event.flags |= EVENT_OBJECT_FRESH;
        event.object = term_substitute(&accessor->terms, event.object, &binding);
        event.value = event.kind == EVENT_WRITE
                          ? term_substitute(&accessor->terms, event.value, &binding)
                          : call->value;
        add_arguments(expansion, accessor, &event, &binding);
        add_event(expansion, event);
    }
}

static const struct method_flow *called_accessor(const struct checker *checker,
                                                 const struct flow_event *event)
{
    return event->kind == EVENT_CALL && event->id != PROGRAM_NONE &&
                   program_is_application_method(checker->program, event->id) &&
                   accessors_is_one(checker, event->id)
               ? checker->flows[event->id]
               : NULL;
}

static bool expand(struct checker *checker, struct method_flow *flow)
{
    struct expansion expansion = {0};
    for (uint32_t i = 0; i < flow->event_count; i++) {
        struct flow_event event = flow->events[i];
        const struct method_flow *accessor = called_accessor(checker, &event);
        add_arguments(&expansion, flow, &event, NULL);
        add_event(&expansion, event);
        if (accessor && accessor != flow)
            add_body(&expansion, flow, &flow->events[i], accessor);
    }
    flow->events =
        arena_copy(&checker->arena, expansion.events.items,
                   expansion.events.count * sizeof *flow->events, alignof(struct flow_event));
    flow->arguments =
        arena_copy(&checker->arena, expansion.arguments.items,
                   expansion.arguments.count * sizeof *flow->arguments, alignof(term));
    flow->argument_flags = arena_copy(&checker->arena, expansion.argument_flags.items,
                                      expansion.argument_flags.count, 1);
    flow->event_count = (uint32_t)expansion.events.count;
    flow->argument_count = (uint32_t)expansion.arguments.count;
    const bool expanded =
        !expansion.failed && flow->events && flow->arguments && flow->argument_flags;
    vector_release(&expansion.events);
    vector_release(&expansion.arguments);
    vector_release(&expansion.argument_flags);
    return expanded;
}

static bool calls_accessor(const struct checker *checker, const struct method_flow *flow)
{
    for (uint32_t i = 0; i < flow->event_count; i++)
        if (called_accessor(checker, &flow->events[i]))
            return true;
    return false;
}

bool accessors_inline(struct checker *checker)
{
    const struct program *program = checker->program;
    for (uint32_t method = 0; method < program->application_method_count; method++)
        if (checker->flows[method] && !accessors_is_one(checker, method) &&
            calls_accessor(checker, checker->flows[method]) &&
            !expand(checker, checker->flows[method]))
            return false;
    return true;
}
