#include "check/contents.h"

#include "bytecode/opcode.h"
#include "check/made_fields.h"
#include "classfile/descriptor.h"

static void add(struct content_uses *uses, struct content_use use)
{
    for (uint32_t i = 0; i < uses->count; i++)
        if (uses->items[i].object == use.object) {
            uses->items[i].write |= use.write;
            return;
        }
    if (uses->count < CONTENT_USES)
        uses->items[uses->count++] = use;
}

/* The event that read the value from an array; NULL: none. */
static const struct flow_event *element_read(const struct method_flow *flow, uint32_t instruction)
{
    uint32_t low = 0, high = flow->event_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (flow->events[middle].instruction < instruction)
            low = middle + 1;
        else
            high = middle;
    }
    return low < flow->event_count && flow->events[low].instruction == instruction &&
                   flow->events[low].kind == EVENT_ARRAY_READ
               ? &flow->events[low]
               : NULL;
}

/* An array, as far as its field or its making says; an element of it, so many levels down. */
static bool is_array(const struct program *program, const struct method_flow *flow, term value)
{
    const struct bytecode *bytecode = &flow->bytecode;
    for (size_t level = 0; level < 8; level++) {
        struct term_content content = term_content(&flow->terms, value);
        if (content.kind == TERM_OPAQUE && value < flow->origin_count && flow->origins[value])
            content = term_content(&flow->terms, flow->origins[value]);
        uint32_t field = PROGRAM_NONE;
        if (content.kind == TERM_FIELD || content.kind == TERM_VARYING)
            field = content.b;
        else if (content.kind == TERM_STATIC)
            field = content.a;
        else if (content.kind == TERM_NEW)
            return !level && bytecode->instructions[content.a].opcode != OP_NEW;
        if (field < program->field_count) {
            const struct text descriptor = program_field_descriptor(program, field);
            return descriptor.length > level && descriptor.bytes[level] == '[';
        }
        const struct flow_event *read = content.kind == TERM_OPAQUE && value < flow->origin_count
                                            ? element_read(flow, content.a)
                                            : NULL;
        if (!read)
            return false;
        value = read->object;
    }
    return false;
}

static bool takes_array(const struct program *program, uint32_t method, uint32_t argument)
{
    const struct text descriptor = program_method_descriptor(program, method);
    struct text parameter = TEXT("");
    size_t position = 1;
    for (uint32_t i = 0; i <= argument; i++)
        if (!descriptor_next_parameter(descriptor, &position, &parameter))
            return false;
    return parameter.bytes[0] == '[';
}

/* By which array it is, not by what is in it: arrays have these methods from Object. */
static bool goes_by_identity(const struct program *program, uint32_t method)
{
    const struct text name = program_method_name(program, method);
    return text_is(name, "equals") || text_is(name, "hashCode") || text_is(name, "toString");
}

/* Its nature is that of the type by which the program knows it. */
static bool is_unguarded(const struct checker *checker, const struct method_flow *flow, term value,
                         uint32_t otherwise)
{
    const uint32_t known = value < flow->origin_count ? flow->types[value] : PROGRAM_NONE;
    const uint32_t type = known == PROGRAM_NONE ? otherwise : known;
    return type != PROGRAM_NONE && lock_types_nature(checker->types, type) == NATURE_UNGUARDED;
}

static void add_receiver(struct content_uses *uses, const struct checker *checker,
                         const struct method_flow *flow, const struct flow_event *call, bool write)
{
    const uint32_t owner = checker->program->methods[call->id].class_id;
    if (is_unguarded(checker, flow, call->object, owner) ||
        is_array(checker->program, flow, call->object))
        add(uses,
            (struct content_use){call->object, write,
                                 made_fields_is_private(checker, flow, call->flags, call->object)});
}

static void add_argument(struct content_uses *uses, const struct checker *checker,
                         const struct method_flow *flow, const struct flow_event *call,
                         uint32_t argument, bool write)
{
    if (argument >= call->argument_count)
        return;
    const uint32_t index = call->first_argument + argument;
    const term value = flow->arguments[index];
    if (value != TERM_NONE && (is_unguarded(checker, flow, value, PROGRAM_NONE) ||
                               takes_array(checker->program, call->id, argument) ||
                               (is_array(checker->program, flow, value) &&
                                !goes_by_identity(checker->program, call->id))))
        add(uses, (struct content_use){
                      value, write,
                      made_fields_is_private(checker, flow, flow->argument_flags[index], value)});
}

static void add_call(struct content_uses *uses, const struct checker *checker,
                     const struct method_flow *flow, const struct flow_event *call)
{
    if (call->id == PROGRAM_NONE)
        return;
    const struct method_locks *locks = lock_types_method(checker->types, call->id);
    const uint32_t receivers = call->flags & EVENT_STATIC ? 0 : 1;
    for (uint32_t i = 0; i < locks->effect_count; i++) {
        const struct bound_effect *effect = &locks->effects[i];
        const struct term_content what = term_content(&checker->types->terms, effect->lock);
        if ((effect->kind != EFFECT_READS && effect->kind != EFFECT_WRITES) ||
            what.kind != TERM_PARAMETER)
            continue;
        if (what.a < receivers)
            add_receiver(uses, checker, flow, call, effect->kind == EFFECT_WRITES);
        else
            add_argument(uses, checker, flow, call, what.a - receivers,
                         effect->kind == EFFECT_WRITES);
    }
}

void contents_find(struct content_uses *uses, const struct checker *checker,
                   const struct method_flow *flow, const struct flow_event *event)
{
    uses->count = 0;
    if (event->kind == EVENT_ARRAY_READ || event->kind == EVENT_ARRAY_WRITE)
        add(uses, (struct content_use){
                      event->object, event->kind == EVENT_ARRAY_WRITE,
                      made_fields_is_private(checker, flow, event->flags, event->object)});
    else if (event->kind == EVENT_CALL)
        add_call(uses, checker, flow, event);
}
