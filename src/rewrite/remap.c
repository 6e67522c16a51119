#include "rewrite/remap.h"

#include <string.h>

/* ---- offsets ---- */

/* The number of the last instruction that starts at or before an offset. */
static uint32_t search_around(const struct bytecode *bytecode, uint32_t offset)
{
    uint32_t low = 0, high = bytecode->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (bytecode->instructions[middle].offset <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The same, from the table where it knows; `count` behind the code. */
static inline uint32_t instruction_around(const struct bytecode *bytecode, uint32_t offset)
{
    if (offset >= bytecode->code->length)
        return bytecode->count;
    const uint16_t number = bytecode->number_at[offset];
    return number != UINT16_MAX ? number : search_around(bytecode, offset);
}

static uint32_t new_start(const struct layout *layout, uint32_t offset)
{
    return layout->places[instruction_around(layout->bytecode, offset)].label;
}

/* The end of a range: behind the instruction if it stands inside one. */
static uint32_t new_end(const struct layout *layout, uint32_t offset)
{
    const struct bytecode *bytecode = layout->bytecode;
    uint32_t number = instruction_around(bytecode, offset);
    if (number < bytecode->count && bytecode->instructions[number].offset != offset)
        number++;
    return layout->places[number].label;
}

static uint16_t new_site(const struct layout *layout, uint32_t offset)
{
    uint32_t number = instruction_around(layout->bytecode, offset);
    return (uint16_t)(number < layout->bytecode->count ? layout_site(layout, number)
                                                       : layout->body_end);
}

/* ---- handlers ---- */

/* Where the range of a handler starts that started at the instruction. Behind a monitorenter it
   takes in what was inserted there: if that throws, the monitor must be left too. (A JVM does not
   compile a method from which an exception can escape with a monitor held.) */
static uint32_t range_start(const struct layout *layout, uint32_t instruction)
{
    if (instruction > 0 &&
        layout->bytecode->instructions[instruction - 1].opcode == OP_MONITORENTER &&
        !layout_replacement(layout, instruction - 1))
        return layout->places[instruction - 1].start + 1;
    return layout->places[instruction].label;
}

/* Whether a handler begins with leaving a monitor: in one of its first instructions, of which the
   others get the object. */
static bool leaves_monitor(const struct bytecode *bytecode, uint32_t handler)
{
    for (uint32_t i = handler; i < bytecode->count && i < handler + 3; i++) {
        const uint8_t opcode = bytecode->instructions[i].opcode;
        if (opcode == OP_MONITOREXIT)
            return true;
        if (opcode_infos[opcode].flow != FLOW_NEXT)
            return false;
    }
    return false;
}

/* Where an old range ends. Behind a monitorexit that of a handler which leaves the monitor leaves
   out what was inserted there: if that throws, the monitor must not be left again. (A JVM does not
   compile a method in which that could happen.) */
static uint32_t range_end(const struct layout *layout, const struct handler *old)
{
    const uint32_t last = old->end - 1;
    if (layout->bytecode->instructions[last].opcode == OP_MONITOREXIT &&
        !layout_replacement(layout, last) && leaves_monitor(layout->bytecode, old->handler))
        return layout->places[last].start + 1;
    return layout->places[old->end].label;
}

/* The detour on the way to the handler of an old range; NULL if there is none. */
static const uint32_t *detour_of(const struct plan *plan, const struct exits *exits,
                                 const struct handler *old)
{
    for (uint32_t i = 0; i < plan->detour_count; i++)
        if (plan->detours[i].handler == old->handler)
            return &exits->detours[i];
    return NULL;
}

/* One range leads to the detour, another, of the handler's own code, to the handler. */
static bool is_split(const struct handler *old, const uint32_t *detour)
{
    return detour && old->start < old->handler && old->handler < old->end;
}

static uint32_t count_old(const struct layout *layout, const struct exits *exits)
{
    const struct bytecode *bytecode = layout->bytecode;
    uint32_t count = bytecode->code->handler_count;
    if (layout->plan->detour_count)
        for (uint32_t i = 0; i < bytecode->code->handler_count; i++)
            count += is_split(&bytecode->handlers[i],
                              detour_of(layout->plan, exits, &bytecode->handlers[i]));
    return count;
}

/* Gives where the next goes. */
static struct exception_handler *remap_old(const struct layout *layout, const struct exits *exits,
                                           const struct handler *old, struct exception_handler *to)
{
    const uint32_t *detour = detour_of(layout->plan, exits, old);
    const uint16_t handler = (uint16_t)layout->places[old->handler].label;
    *to = (struct exception_handler){.start = (uint16_t)range_start(layout, old->start),
                                     .end = (uint16_t)range_end(layout, old),
                                     .handler = handler,
                                     .catch_type = old->catch_type};
    if (!detour || old->start == old->handler)
        return to + 1;
    to->handler = (uint16_t)*detour;
    if (!is_split(old, detour))
        return to + 1;
    to[1] = *to;
    to[0].end = to[1].start = to[1].handler = handler;
    return to + 2;
}

/* Gives the numbers of the old entries in the new table a place, if they change. */
static bool make_numbers(struct exits *exits, const struct bytecode *bytecode, struct arena *arena,
                         uint32_t new_count)
{
    const uint16_t count = bytecode->code->handler_count;
    if (new_count == count)
        return true;
    exits->numbers = ARENA_ARRAY(arena, uint16_t, count);
    return exits->numbers != NULL;
}

bool remap_handlers(const struct layout *layout, struct exits *exits, struct code *code,
                    bool *too_large)
{
    const struct bytecode *bytecode = layout->bytecode;
    const struct plan *plan = layout->plan;
    const uint32_t old_count = count_old(layout, exits);
    const uint64_t count = (uint64_t)old_count + exits->count + plan->detour_count;
    *too_large = count > UINT16_MAX;
    if (*too_large)
        return false;
    if (!count)
        return true;
    struct exception_handler *handlers =
        ARENA_ARRAY(bytecode->class_file->arena, struct exception_handler, count);
    if (!handlers || !make_numbers(exits, bytecode, plan->arena, old_count))
        return false;
    struct exception_handler *next = handlers;
    for (uint32_t i = 0; i < bytecode->code->handler_count; i++) {
        if (exits->numbers)
            exits->numbers[i] = (uint16_t)(next - handlers);
        next = remap_old(layout, exits, &bytecode->handlers[i], next);
    }
    for (uint32_t i = 0; i < exits->count; i++) {
        const struct exit_range *range = &exits->ranges[i];
        handlers[old_count + i] =
            (struct exception_handler){.start = (uint16_t)range->start,
                                       .end = (uint16_t)range->end,
                                       .handler = (uint16_t)exits->handlers[range->state],
                                       .catch_type = 0};
    }
    for (uint32_t i = 0; i < plan->detour_count; i++) {
        const uint32_t start = exits->detours[i], handler = plan->detours[i].handler;
        handlers[old_count + exits->count + i] = (struct exception_handler){
            .start = (uint16_t)start,
            .end = (uint16_t)(start + plan->detours[i].images.length + 1),
            .handler = (uint16_t)layout->places[handler].label,
            .catch_type = 0};
    }
    code->handlers = handlers;
    code->handler_count = (uint16_t)count;
    return true;
}

/* ---- tables ---- */

static bool remap_lines(const struct layout *layout, struct attribute *attribute)
{
    struct arena *arena = layout->bytecode->class_file->arena;
    const struct line_numbers *old = attribute->as.line_numbers;
    struct line_numbers *lines = ARENA_NEW(arena, struct line_numbers);
    struct line_number *items = ARENA_ARRAY(arena, struct line_number, old->count);
    if (!lines || !items)
        return false;
    for (uint32_t i = 0; i < old->count; i++) {
        uint32_t start = old->items[i].start ? new_start(layout, old->items[i].start) : 0;
        items[i] = (struct line_number){.start = (uint16_t)start, .line = old->items[i].line};
    }
    *lines = (struct line_numbers){.items = items, .count = old->count};
    attribute->as.line_numbers = lines;
    return true;
}

static void remap_range(const struct layout *layout, uint16_t *start, uint16_t *length)
{
    uint32_t old_end = (uint32_t)*start + *length;
    uint32_t new_first = new_start(layout, *start);
    *start = (uint16_t)new_first;
    *length = (uint16_t)(*length ? new_end(layout, old_end) - new_first : 0);
}

static bool remap_variables(const struct layout *layout, struct attribute *attribute)
{
    struct arena *arena = layout->bytecode->class_file->arena;
    const struct local_variables *old = attribute->as.local_variables;
    struct local_variables *variables = ARENA_NEW(arena, struct local_variables);
    struct local_variable *items = ARENA_ARRAY(arena, struct local_variable, old->count);
    if (!variables || !items)
        return false;
    for (uint32_t i = 0; i < old->count; i++) {
        items[i] = old->items[i];
        remap_range(layout, &items[i].start, &items[i].length);
    }
    *variables = (struct local_variables){.items = items, .count = old->count};
    attribute->as.local_variables = variables;
    return true;
}

/* ---- type annotations ---- */

enum {
    TARGET_LOCAL_VARIABLE = 0x40,
    TARGET_RESOURCE_VARIABLE = 0x41,
    TARGET_EXCEPTION_PARAMETER = 0x42,
    TARGET_INSTANCEOF = 0x43,
    TARGET_METHOD_REFERENCE = 0x46,
    TARGET_CAST = 0x47,
    TARGET_METHOD_REFERENCE_ARGUMENT = 0x4B
};

static bool remap_local_target(const struct layout *layout, struct type_annotation *annotation)
{
    uint32_t count = annotation->target.local.count;
    struct local_target_range *ranges =
        ARENA_ARRAY(layout->bytecode->class_file->arena, struct local_target_range, count);
    if (!ranges)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        ranges[i] = annotation->target.local.ranges[i];
        remap_range(layout, &ranges[i].start, &ranges[i].length);
    }
    annotation->target.local.ranges = ranges;
    return true;
}

/* The number of an entry of the exception table. */
static uint16_t new_number(const struct layout *layout, const struct exits *exits, uint16_t number)
{
    return exits->numbers && number < layout->bytecode->code->handler_count ? exits->numbers[number]
                                                                            : number;
}

static bool remap_target(const struct layout *layout, const struct exits *exits,
                         struct type_annotation *annotation)
{
    uint8_t type = annotation->target_type;
    if (type == TARGET_LOCAL_VARIABLE || type == TARGET_RESOURCE_VARIABLE)
        return remap_local_target(layout, annotation);
    if (type == TARGET_EXCEPTION_PARAMETER)
        annotation->target.exception_index =
            new_number(layout, exits, annotation->target.exception_index);
    else if (type >= TARGET_INSTANCEOF && type <= TARGET_METHOD_REFERENCE)
        annotation->target.offset = new_site(layout, annotation->target.offset);
    else if (type >= TARGET_CAST && type <= TARGET_METHOD_REFERENCE_ARGUMENT)
        annotation->target.argument.offset = new_site(layout, annotation->target.argument.offset);
    return true;
}

static bool remap_annotations(const struct layout *layout, const struct exits *exits,
                              struct attribute *attribute)
{
    struct arena *arena = layout->bytecode->class_file->arena;
    const struct type_annotations *old = attribute->as.type_annotations;
    struct type_annotations *annotations = ARENA_NEW(arena, struct type_annotations);
    struct type_annotation *items = ARENA_ARRAY(arena, struct type_annotation, old->count);
    if (!annotations || !items)
        return false;
    for (uint32_t i = 0; i < old->count; i++) {
        items[i] = old->items[i];
        if (!remap_target(layout, exits, &items[i]))
            return false;
    }
    *annotations = (struct type_annotations){.items = items, .count = old->count};
    attribute->as.type_annotations = annotations;
    return true;
}

/* ---- attributes ---- */

static bool has_lost_offsets(const struct class_file *class_file, const struct attribute *attribute)
{
    static const char *const names[] = {"CharacterRangeTable",
                                        "CoverageTable",
                                        "StackMap",
                                        "StackMapTable",
                                        "LineNumberTable",
                                        "LocalVariableTable",
                                        "LocalVariableTypeTable",
                                        "RuntimeVisibleTypeAnnotations",
                                        "RuntimeInvisibleTypeAnnotations"};
    if (attribute->kind != ATTRIBUTE_UNKNOWN)
        return false;
    struct text name = class_utf8(class_file, attribute->name_index);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_is(name, names[i]))
            return true;
    return false;
}

static bool remap_attribute(const struct layout *layout, const struct exits *exits,
                            struct attribute *attribute)
{
    switch (attribute->kind) {
    case ATTRIBUTE_LINE_NUMBER_TABLE:
        return remap_lines(layout, attribute);
    case ATTRIBUTE_LOCAL_VARIABLE_TABLE:
    case ATTRIBUTE_LOCAL_VARIABLE_TYPE_TABLE:
        return remap_variables(layout, attribute);
    case ATTRIBUTE_RUNTIME_VISIBLE_TYPE_ANNOTATIONS:
    case ATTRIBUTE_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS:
        return remap_annotations(layout, exits, attribute);
    default:
        return true;
    }
}

bool remap_attributes(const struct layout *layout, const struct exits *exits, struct stack_map *map,
                      struct attributes *attributes)
{
    const struct class_file *class_file = layout->bytecode->class_file;
    const struct attributes *old = &layout->bytecode->code->attributes;
    struct attribute *items =
        ARENA_ARRAY(class_file->arena, struct attribute, (size_t)old->count + 1);
    uint16_t count = 0;
    if (!items)
        return false;
    for (uint32_t i = 0; i < old->count; i++) {
        const struct attribute *from = &old->items[i];
        bool is_map = from->kind == ATTRIBUTE_STACK_MAP_TABLE;
        if ((is_map && !map) || has_lost_offsets(class_file, from))
            continue;
        items[count] = *from;
        if (is_map)
            items[count].as.stack_map = map;
        else if (!remap_attribute(layout, exits, &items[count]))
            return false;
        count++;
    }
    *attributes = (struct attributes){.items = items, .count = count};
    return true;
}
