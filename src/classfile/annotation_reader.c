/* Annotations: their values, and the targets of type annotations. */

#include "classfile/attribute_reader.h"

/* Annotations inside annotations and arrays; what compilers write is below 10. */
enum { DEEPEST_ANNOTATION = 256 };

/* What a value and an element of an annotation take at least. */
enum { VALUE_SIZE = 3, ELEMENT_SIZE = 2 + VALUE_SIZE };

static void read_annotation(struct class_parse *parse, struct reader *reader,
                            struct annotation *annotation);

/* ---- lists in lists ---- */

/* The bytes that `count` items need are set aside, and given back to each when it is its turn. Else
   each of 256 lists, one inside the other, could promise to fill the same bytes, and memory would
   be reserved for all of them. When the reader fails in between, it stays shorter. */
static void set_aside(struct reader *reader, uint16_t count, size_t item_size)
{
    reader->size -= count * item_size;
}

static void give_back(struct reader *reader, size_t item_size)
{
    reader->size += item_size;
}

/* ---- values ---- */

/* The kind of constant behind an element value's tag, or 0 if it is another kind of value. */
static uint32_t value_tags(uint8_t tag)
{
    switch (tag) {
    case 'B':
    case 'C':
    case 'I':
    case 'S':
    case 'Z':
        return TAG_SET(CONSTANT_INTEGER);
    case 'D':
        return TAG_SET(CONSTANT_DOUBLE);
    case 'F':
        return TAG_SET(CONSTANT_FLOAT);
    case 'J':
        return TAG_SET(CONSTANT_LONG);
    case 's':
    case 'c':
        return TAG_SET(CONSTANT_UTF8);
    default:
        return 0;
    }
}

static uint16_t read_constant(struct class_parse *parse, struct reader *reader, uint32_t tags,
                              const char *what)
{
    const uint8_t *at = reader_bytes(reader, 2);
    if (!at)
        return 0;
    uint16_t index = class_parse_u2(at);
    return class_parse_expect(parse, at, index, tags, what) ? index : 0;
}

static void read_value(struct class_parse *parse, struct reader *reader,
                       struct element_value *value);

static void read_array(struct class_parse *parse, struct reader *reader,
                       struct element_value *value)
{
    uint16_t count = reader_u2(reader);
    count = class_parse_count(reader, count, VALUE_SIZE, "values");
    value->as.array.count = count;
    value->as.array.items = CLASS_PARSE_ARRAY(parse, struct element_value, count);
    if (!value->as.array.items)
        return;
    set_aside(reader, count, VALUE_SIZE);
    for (uint16_t i = 0; i < count && reader_ok(reader); i++) {
        give_back(reader, VALUE_SIZE);
        read_value(parse, reader, &value->as.array.items[i]);
    }
}

static void read_value_content(struct class_parse *parse, struct reader *reader,
                               struct element_value *value)
{
    uint32_t tags = value_tags(value->tag);
    if (value->tag == 'c') {
        value->as.class_index = read_constant(parse, reader, tags, "class value");
    } else if (tags) {
        value->as.constant = read_constant(parse, reader, tags, "value");
    } else if (value->tag == 'e') {
        value->as.enumerator.type =
            read_constant(parse, reader, TAG_SET(CONSTANT_UTF8), "enum type");
        value->as.enumerator.name =
            read_constant(parse, reader, TAG_SET(CONSTANT_UTF8), "enum constant");
    } else if (value->tag == '@') {
        value->as.annotation = CLASS_PARSE_NEW(parse, struct annotation);
        if (value->as.annotation)
            read_annotation(parse, reader, value->as.annotation);
    } else if (value->tag == '[') {
        read_array(parse, reader, value);
    } else {
        class_parse_fail(parse, reader->bytes + reader->position - 1,
                         "unknown kind of annotation value 0x%02X", value->tag);
    }
}

static void read_value(struct class_parse *parse, struct reader *reader,
                       struct element_value *value)
{
    *value = (struct element_value){.tag = reader_u1(reader)};
    if (!reader_ok(reader))
        return;
    if (parse->annotation_depth == DEEPEST_ANNOTATION) {
        reader_fail(reader, "annotation values are nested more than %d deep", DEEPEST_ANNOTATION);
        return;
    }
    parse->annotation_depth++;
    read_value_content(parse, reader, value);
    parse->annotation_depth--;
}

static void read_annotation(struct class_parse *parse, struct reader *reader,
                            struct annotation *annotation)
{
    *annotation = (struct annotation){0};
    annotation->type = read_constant(parse, reader, TAG_SET(CONSTANT_UTF8), "annotation type");
    uint16_t count = reader_u2(reader);
    count = class_parse_count(reader, count, ELEMENT_SIZE, "annotation elements");
    annotation->element_count = count;
    annotation->elements = CLASS_PARSE_ARRAY(parse, struct annotation_element, count);
    if (!annotation->elements)
        return;
    set_aside(reader, count, ELEMENT_SIZE);
    for (uint16_t i = 0; i < count && reader_ok(reader); i++) {
        give_back(reader, ELEMENT_SIZE);
        struct annotation_element *element = &annotation->elements[i];
        element->name = read_constant(parse, reader, TAG_SET(CONSTANT_UTF8), "element name");
        read_value(parse, reader, &element->value);
    }
}

/* ---- lists ---- */

static void read_annotations(struct class_parse *parse, struct reader *reader,
                             struct annotations *list)
{
    *list = (struct annotations){0};
    uint16_t count = reader_u2(reader);
    count = class_parse_count(reader, count, 4, "annotations");
    list->count = count;
    list->items = CLASS_PARSE_ARRAY(parse, struct annotation, count);
    if (!list->items)
        return;
    for (uint16_t i = 0; i < count && reader_ok(reader); i++)
        read_annotation(parse, reader, &list->items[i]);
}

void attribute_read_annotations(struct class_parse *parse, struct reader *reader,
                                const struct attribute_owner *owner, struct attribute *attribute)
{
    (void)owner;
    attribute->as.annotations = CLASS_PARSE_NEW(parse, struct annotations);
    if (attribute->as.annotations)
        read_annotations(parse, reader, attribute->as.annotations);
}

void attribute_read_parameter_annotations(struct class_parse *parse, struct reader *reader,
                                          const struct attribute_owner *owner,
                                          struct attribute *attribute)
{
    (void)owner;
    struct parameter_annotations *table = CLASS_PARSE_NEW(parse, struct parameter_annotations);
    if (!table)
        return;
    attribute->as.parameter_annotations = table;
    table->count = reader_u1(reader);
    table->count = (uint8_t)class_parse_count(reader, table->count, 2, "parameters");
    table->parameters = CLASS_PARSE_ARRAY(parse, struct annotations, table->count);
    if (!table->parameters)
        return;
    for (uint8_t i = 0; i < table->count && reader_ok(reader); i++)
        read_annotations(parse, reader, &table->parameters[i]);
}

void attribute_read_element_value(struct class_parse *parse, struct reader *reader,
                                  const struct attribute_owner *owner, struct attribute *attribute)
{
    (void)owner;
    attribute->as.default_value = CLASS_PARSE_NEW(parse, struct element_value);
    if (attribute->as.default_value)
        read_value(parse, reader, attribute->as.default_value);
}

/* ---- type annotations ---- */

static void read_local_target(struct class_parse *parse, struct reader *reader,
                              struct type_annotation *annotation)
{
    uint16_t count;
    const uint8_t *at = class_parse_table(reader, &count, 6, "variable ranges");
    struct local_target_range *ranges =
        at ? CLASS_PARSE_ARRAY(parse, struct local_target_range, count) : NULL;
    if (!ranges)
        return;
    for (uint16_t i = 0; i < count; i++, at += 6) {
        ranges[i].start = class_parse_u2(at);
        ranges[i].length = class_parse_u2(at + 2);
        ranges[i].index = class_parse_u2(at + 4);
    }
    annotation->target.local.ranges = ranges;
    annotation->target.local.count = count;
}

static void read_target(struct class_parse *parse, struct reader *reader,
                        struct type_annotation *annotation)
{
    switch (annotation->target_type) {
    case 0x00: /* type parameter of a class */
    case 0x01: /* and of a method */
        annotation->target.type_parameter = reader_u1(reader);
        break;
    case 0x10: /* extends, implements */
        annotation->target.supertype = reader_u2(reader);
        break;
    case 0x11: /* bound of a class's type parameter */
    case 0x12: /* and of a method's */
        annotation->target.bound.parameter = reader_u1(reader);
        annotation->target.bound.bound = reader_u1(reader);
        break;
    case 0x13: /* field or record component */
    case 0x14: /* return type */
    case 0x15: /* receiver */
        break;
    case 0x16: /* formal parameter */
        annotation->target.formal_parameter = reader_u1(reader);
        break;
    case 0x17: /* throws */
        annotation->target.throws_index = reader_u2(reader);
        break;
    case 0x40: /* local variable */
    case 0x41: /* resource of a try statement */
        read_local_target(parse, reader, annotation);
        break;
    case 0x42: /* exception parameter */
        annotation->target.exception_index = reader_u2(reader);
        break;
    case 0x43: /* instanceof */
    case 0x44: /* new */
    case 0x45: /* X::new */
    case 0x46: /* X::method */
        annotation->target.offset = reader_u2(reader);
        break;
    case 0x47: /* cast */
    case 0x48: /* type argument of new */
    case 0x49: /* of a method call */
    case 0x4A: /* of X::new */
    case 0x4B: /* of X::method */
        annotation->target.argument.offset = reader_u2(reader);
        annotation->target.argument.index = reader_u1(reader);
        break;
    default:
        class_parse_fail(parse, reader->bytes + reader->position - 1, "unknown target type 0x%02X",
                         annotation->target_type);
        break;
    }
}

static void read_path(struct class_parse *parse, struct reader *reader,
                      struct type_annotation *annotation)
{
    uint8_t length = reader_u1(reader);
    length = (uint8_t)class_parse_count(reader, length, 2, "steps of a type path");
    const uint8_t *at = reader_bytes(reader, length * (size_t)2);
    annotation->path = at ? CLASS_PARSE_ARRAY(parse, struct type_path_step, length) : NULL;
    if (!annotation->path)
        return;
    annotation->path_length = length;
    for (uint8_t i = 0; i < length; i++, at += 2)
        annotation->path[i] = (struct type_path_step){.kind = at[0], .argument = at[1]};
}

void attribute_read_type_annotations(struct class_parse *parse, struct reader *reader,
                                     const struct attribute_owner *owner,
                                     struct attribute *attribute)
{
    (void)owner;
    struct type_annotations *table = CLASS_PARSE_NEW(parse, struct type_annotations);
    if (!table)
        return;
    attribute->as.type_annotations = table;
    uint16_t count = reader_u2(reader);
    table->count = class_parse_count(reader, count, 6, "type annotations");
    table->items = CLASS_PARSE_ARRAY(parse, struct type_annotation, table->count);
    if (!table->items)
        return;
    for (uint16_t i = 0; i < table->count && reader_ok(reader); i++) {
        struct type_annotation *annotation = &table->items[i];
        *annotation = (struct type_annotation){.target_type = reader_u1(reader)};
        if (reader_ok(reader))
            read_target(parse, reader, annotation);
        read_path(parse, reader, annotation);
        if (reader_ok(reader))
            read_annotation(parse, reader, &annotation->annotation);
    }
}
