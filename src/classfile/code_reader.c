/* The Code attribute and those that stand inside it. */

#include "classfile/attribute_reader.h"

enum { MOST_CODE = 65535 };

/* ---- Code ---- */

static bool check_handler(struct class_parse *parse, const uint8_t *at, const struct code *code,
                          const struct exception_handler *handler)
{
    if (handler->start >= handler->end || handler->end > code->length ||
        handler->handler >= code->length) {
        class_parse_fail(parse, at,
                         "exception handler %u for %u to %u does not fit %u bytes of code",
                         handler->handler, handler->start, handler->end, (unsigned)code->length);
        return false;
    }
    return class_parse_expect_or_0(parse, at + 6, handler->catch_type, TAG_SET(CONSTANT_CLASS),
                                   "catch type");
}

static void read_handlers(struct class_parse *parse, struct reader *reader, struct code *code)
{
    const uint8_t *at = class_parse_table(reader, &code->handler_count, 8, "exception handlers");
    code->handlers =
        at ? CLASS_PARSE_ARRAY(parse, struct exception_handler, code->handler_count) : NULL;
    if (!code->handlers)
        return;
    for (uint16_t i = 0; i < code->handler_count; i++, at += 8) {
        struct exception_handler *handler = &code->handlers[i];
        handler->start = class_parse_u2(at);
        handler->end = class_parse_u2(at + 2);
        handler->handler = class_parse_u2(at + 4);
        handler->catch_type = class_parse_u2(at + 6);
        if (!check_handler(parse, at, code, handler))
            return;
    }
}

/* The parameters are in the first locals. */
static bool check_locals(struct class_parse *parse, const uint8_t *at,
                         const struct attribute_owner *owner, const struct code *code)
{
    unsigned slots =
        parse->known[owner->descriptor].slots + (owner->access & ACCESS_STATIC ? 0u : 1u);
    if (slots <= code->max_locals)
        return true;
    class_parse_fail(parse, at, "%u slots of parameters do not fit into %u locals", slots,
                     code->max_locals);
    return false;
}

void attribute_read_code(struct class_parse *parse, struct reader *reader,
                         const struct attribute_owner *owner, struct attribute *attribute)
{
    struct code *code = CLASS_PARSE_NEW(parse, struct code);
    const uint8_t *at = reader_bytes(reader, 8);
    if (!code || !at)
        return;
    attribute->as.code = code;
    code->max_stack = class_parse_u2(at);
    code->max_locals = class_parse_u2(at + 2);
    code->length = class_parse_u4(at + 4);
    if (owner->access & (ACCESS_NATIVE | ACCESS_ABSTRACT)) {
        class_parse_fail(parse, at, "an abstract or native method cannot have code");
        return;
    }
    if (code->length == 0 || code->length > MOST_CODE) {
        class_parse_fail(parse, at + 4, "code length %u is not between 1 and %d",
                         (unsigned)code->length, MOST_CODE);
        return;
    }
    if (!check_locals(parse, at + 2, owner, code))
        return;
    code->origin = reader->origin + reader->position;
    code->bytes = reader_bytes(reader, code->length);
    const size_t behind = (size_t)(parse->end - (reader->bytes + reader->position));
    code->margin = behind < UINT16_MAX ? (uint16_t)behind : UINT16_MAX;
    read_handlers(parse, reader, code);
    struct attribute_owner inside = {.place = IN_CODE, .code = code};
    attribute_read_all(parse, reader, &inside, &code->attributes);
}

/* ---- StackMapTable ---- */

/* One type at `at`, where `left` bytes are left; how many it takes, or 0 after a failure. */
static size_t read_type(struct class_parse *parse, const uint8_t *at, size_t left,
                        struct verification_type *type)
{
    *type = (struct verification_type){.tag = at[0]};
    if (type->tag < VERIFICATION_OBJECT)
        return 1;
    if (type->tag > VERIFICATION_UNINITIALIZED) {
        class_parse_fail(parse, at, "unknown verification type %u", type->tag);
        return 0;
    }
    if (left < 3) {
        class_parse_fail(parse, at, "ends inside a verification type");
        return 0;
    }
    type->value = class_parse_u2(at + 1);
    if (type->tag == VERIFICATION_OBJECT &&
        !class_parse_expect_class(parse, at + 1, type->value, "class"))
        return 0;
    return 3;
}

/* Reads types into *next, which moves behind them, and gives where they start. */
static struct verification_type *read_types(struct class_parse *parse, struct reader *reader,
                                            uint16_t count, struct verification_type **next)
{
    count = class_parse_count(reader, count, 1, "types in a frame");
    struct verification_type *types = *next;
    *next += count;
    for (uint16_t i = 0; i < count; i++) {
        size_t left = reader_left(reader);
        const uint8_t *at = reader->bytes + reader->position;
        if (!left) {
            reader_fail_short(reader, 1);
            break;
        }
        size_t size = read_type(parse, at, left, &types[i]);
        if (!size)
            break;
        reader->position += size;
    }
    return types;
}

static void read_full_frame(struct class_parse *parse, struct reader *reader,
                            struct stack_map_frame *frame, struct verification_type **next)
{
    frame->local_count = reader_u2(reader);
    frame->locals = read_types(parse, reader, frame->local_count, next);
    frame->stack_count = reader_u2(reader);
    frame->stack = read_types(parse, reader, frame->stack_count, next);
}

static void read_frame(struct class_parse *parse, struct reader *reader,
                       struct stack_map_frame *frame, struct verification_type **next)
{
    uint8_t type = reader_u1(reader);
    *frame = (struct stack_map_frame){.type = type};
    if (type <= FRAME_SAME_LAST) {
        frame->offset_delta = type;
        return;
    }
    if (type <= FRAME_SAME_ONE_STACK_LAST) {
        frame->offset_delta = (uint16_t)(type - FRAME_SAME_ONE_STACK);
        frame->stack_count = 1;
    } else if (type < FRAME_SAME_ONE_STACK_EXTENDED) {
        class_parse_fail(parse, reader->bytes + reader->position - 1, "unknown frame type %u",
                         type);
        return;
    } else {
        frame->offset_delta = reader_u2(reader);
        if (type == FRAME_SAME_ONE_STACK_EXTENDED)
            frame->stack_count = 1;
        else if (type > FRAME_SAME_EXTENDED && type <= FRAME_APPEND_LAST)
            frame->local_count = (uint16_t)(type - FRAME_SAME_EXTENDED);
        else if (type == FRAME_FULL)
            read_full_frame(parse, reader, frame, next);
    }
    if (type == FRAME_FULL)
        return;
    if (frame->stack_count)
        frame->stack = read_types(parse, reader, frame->stack_count, next);
    if (frame->local_count)
        frame->locals = read_types(parse, reader, frame->local_count, next);
}

void attribute_read_stack_map(struct class_parse *parse, struct reader *reader,
                              const struct attribute_owner *owner, struct attribute *attribute)
{
    (void)owner;
    struct stack_map *table = CLASS_PARSE_NEW(parse, struct stack_map);
    if (!table)
        return;
    attribute->as.stack_map = table;
    uint16_t count = reader_u2(reader);
    table->count = class_parse_count(reader, count, 1, "frames");
    table->frames = CLASS_PARSE_ARRAY(parse, struct stack_map_frame, table->count);
    /* All types of all frames in one block: each takes a byte or more, so they fit. */
    uint32_t most = (uint32_t)reader_left(reader);
    struct verification_type *types = CLASS_PARSE_ARRAY(parse, struct verification_type, most);
    if (!table->frames || !types)
        return;
    struct verification_type *next = types;
    for (uint16_t i = 0; i < table->count && reader_ok(reader); i++)
        read_frame(parse, reader, &table->frames[i], &next);
    arena_shrink(parse->arena, types, (size_t)(next - types) * sizeof *types, most * sizeof *types);
}

/* ---- tables for debuggers ---- */

void attribute_read_line_numbers(struct class_parse *parse, struct reader *reader,
                                 const struct attribute_owner *owner, struct attribute *attribute)
{
    struct line_numbers *table = CLASS_PARSE_NEW(parse, struct line_numbers);
    if (!table)
        return;
    attribute->as.line_numbers = table;
    const uint8_t *at = class_parse_table(reader, &table->count, 4, "line numbers");
    table->items = at ? CLASS_PARSE_ARRAY(parse, struct line_number, table->count) : NULL;
    if (!table->items)
        return;
    for (uint16_t i = 0; i < table->count; i++, at += 4) {
        table->items[i].start = class_parse_u2(at);
        table->items[i].line = class_parse_u2(at + 2);
        if (table->items[i].start >= owner->code->length) {
            class_parse_fail(parse, at, "line %u starts at %u, behind the code",
                             table->items[i].line, table->items[i].start);
            return;
        }
    }
}

/* Name and type; the table either has descriptors or signatures. */
static bool check_variable_type(struct class_parse *parse, const uint8_t *at,
                                const struct local_variable *variable, bool descriptors)
{
    if (descriptors && class_parse_is_known_field(parse, variable->name, variable->descriptor))
        return true;
    return class_parse_expect_utf8(parse, at + 4, variable->name, "variable name") &&
           class_parse_expect_utf8(parse, at + 6, variable->descriptor, "variable type") &&
           (!descriptors ||
            class_parse_check_new_field(parse, at + 4, variable->name, variable->descriptor));
}

static void fail_variable(struct class_parse *parse, const uint8_t *at, const struct code *code,
                          const struct local_variable *variable, bool beyond_code)
{
    struct text name = class_utf8(parse->class_file, variable->name);
    if (beyond_code)
        class_parse_fail(parse, at, "variable %.*s from %u, %u bytes long, is beyond the code",
                         CLASS_PARSE_SHORT(name), variable->start, variable->length);
    else
        class_parse_fail(parse, at + 8, "variable %.*s in local %u, but there are %u locals",
                         CLASS_PARSE_SHORT(name), variable->index, code->max_locals);
}

static inline bool check_variable(struct class_parse *parse, const uint8_t *at,
                                  const struct code *code, const struct local_variable *variable,
                                  bool descriptors)
{
    if (!check_variable_type(parse, at, variable, descriptors))
        return false;
    unsigned slots = 1;
    if (descriptors) {
        char first = class_utf8(parse->class_file, variable->descriptor).bytes[0];
        slots = first == 'J' || first == 'D' ? 2 : 1;
    }
    bool beyond_code =
        variable->start >= code->length || variable->length > code->length - variable->start;
    if (!beyond_code && variable->index + slots <= code->max_locals)
        return true;
    fail_variable(parse, at, code, variable, beyond_code);
    return false;
}

void attribute_read_local_variables(struct class_parse *parse, struct reader *reader,
                                    const struct attribute_owner *owner,
                                    struct attribute *attribute)
{
    struct local_variables *table = CLASS_PARSE_NEW(parse, struct local_variables);
    if (!table)
        return;
    attribute->as.local_variables = table;
    const uint8_t *at = class_parse_table(reader, &table->count, 10, "variables");
    table->items = at ? CLASS_PARSE_ARRAY(parse, struct local_variable, table->count) : NULL;
    if (!table->items)
        return;
    for (uint16_t i = 0; i < table->count; i++, at += 10) {
        struct local_variable *variable = &table->items[i];
        variable->start = class_parse_u2(at);
        variable->length = class_parse_u2(at + 2);
        variable->name = class_parse_u2(at + 4);
        variable->descriptor = class_parse_u2(at + 6);
        variable->index = class_parse_u2(at + 8);
        if (!check_variable(parse, at, owner->code, variable,
                            attribute->kind == ATTRIBUTE_LOCAL_VARIABLE_TABLE))
            return;
    }
}
