/* The definitions in a recorded trace. */
#include "trace/trace_reader_internal.h"

/* A varint of at most `limit`. */
static uint32_t read_number(struct reader *from, uint32_t limit)
{
    const uint64_t value = trace_format_read_varint(from);
    if (value > limit) {
        reader_fail(from, "a definition has a number that is too great");
        return 0;
    }
    return (uint32_t)value;
}

static uint32_t define_field(struct trace_names *names, struct reader *from)
{
    struct trace_field field;
    field.class_name = trace_format_read_text(from);
    field.member = trace_format_read_text(from);
    field.signature = trace_format_read_text(from);
    return reader_ok(from) ? trace_names_add_field(names, &field) : 0;
}

static uint32_t define_variables(struct trace_names *names, struct reader *from)
{
    const uint32_t field = read_number(from, (uint32_t)names->fields.count);
    const uint32_t count = read_number(from, TRACE_VARIABLE_MAX - names->variables.count);
    if (count == 0)
        reader_fail(from, "there are no variables in a definition");
    return reader_ok(from) ? trace_names_add_variables(names, field, count) : 0;
}

static uint32_t define_location(struct trace_names *names, struct reader *from,
                                enum trace_definition kind)
{
    struct trace_location location;
    location.class_name = trace_format_read_text(from);
    location.method = trace_format_read_text(from);
    location.file = trace_format_read_text(from);
    location.line = read_number(from, UINT32_MAX);
    location.block =
        kind == TRACE_DEFINE_MONITOR ? read_number(from, (uint32_t)names->blocks.count) : 0;
    location.unshared = kind == TRACE_DEFINE_UNSHARED;
    return reader_ok(from) ? trace_names_add_location(names, &location) : 0;
}

static uint32_t define_stack(struct trace_names *names, struct reader *from)
{
    const uint32_t parent = read_number(from, (uint32_t)names->stacks.count);
    const uint32_t location = read_number(from, (uint32_t)names->locations.count);
    return reader_ok(from) ? trace_names_add_stack(names, parent, location) : 0;
}

static uint32_t define_block(struct trace_names *names, struct reader *from)
{
    struct trace_block block;
    block.class_name = trace_format_read_text(from);
    block.method = trace_format_read_text(from);
    block.location = read_number(from, (uint32_t)names->locations.count);
    return reader_ok(from) ? trace_names_add_block(names, &block) : 0;
}

static uint32_t define_named(struct trace_names *names, struct reader *from,
                             uint32_t (*add)(struct trace_names *names, struct text name))
{
    const struct text name = trace_format_read_text(from);
    return reader_ok(from) ? add(names, name) : 0;
}

static uint32_t define_one(struct trace_names *names, struct reader *from)
{
    const uint8_t kind = reader_u1(from);
    switch (kind) {
    case TRACE_DEFINE_THREAD:
        return define_named(names, from, trace_names_add_thread);
    case TRACE_DEFINE_LOCK:
        return define_named(names, from, trace_names_add_lock);
    case TRACE_DEFINE_SYNC:
        return define_named(names, from, trace_names_add_sync);
    case TRACE_DEFINE_FIELD:
        return define_field(names, from);
    case TRACE_DEFINE_VARIABLES:
        return define_variables(names, from);
    case TRACE_DEFINE_LOCATION:
    case TRACE_DEFINE_MONITOR:
    case TRACE_DEFINE_UNSHARED:
        return define_location(names, from, (enum trace_definition)kind);
    case TRACE_DEFINE_STACK:
        return define_stack(names, from);
    case TRACE_DEFINE_BLOCK:
        return define_block(names, from);
    default:
        reader_fail(from, "a definition is of an unknown kind");
        return 0;
    }
}

const char *trace_reader_define(struct trace_names *names, const uint8_t *bytes, size_t size,
                                uint32_t count)
{
    struct problem problem;
    problem_clear(&problem);
    struct reader from;
    reader_init(&from, bytes, size, &problem);
    for (uint32_t i = 0; i < count; i++)
        if (!define_one(names, &from))
            return reader_ok(&from) ? "there is no memory for the names of the trace"
                                    : "the definitions in a block are wrong";
    return reader_left(&from) ? "the definitions in a block are wrong" : NULL;
}
