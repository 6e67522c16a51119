#include "classfile/attribute_reader.h"

#include <assert.h>
#include <string.h>

typedef void (*read_function)(struct class_parse *parse, struct reader *reader,
                              const struct attribute_owner *owner, struct attribute *attribute);

enum { LAST_MAJOR_WITH_ANY_INNER_CLASSES = 48 };

/* Places where an attribute may be repeated are in the set twice. */
#define REPEATED(places) ((places) | (places) << 8)

static const struct attribute_row {
    struct text name;
    read_function read;
    uint16_t places;
    uint16_t since;
} rows[] = {
#define ATTRIBUTE(kind, name, form, places, since)                                                 \
    [ATTRIBUTE_##kind] = {{(name), sizeof(name) - 1}, attribute_read_##form, (places), (since)},
#include "classfile/attributes.def"
#undef ATTRIBUTE
};

/* attribute_read_all keeps a set of kinds in a 64-bit word, and the knowledge of a name a byte. */
static_assert(ATTRIBUTE_KIND_COUNT <= 64, "too many kinds of attributes for a set in a word");

/* ---- which kind an attribute is of ---- */

static enum attribute_kind find_kind(struct text name)
{
    for (unsigned kind = 1; kind < ATTRIBUTE_KIND_COUNT; kind++)
        if (text_equal(rows[kind].name, name))
            return (enum attribute_kind)kind;
    return ATTRIBUTE_UNKNOWN;
}

/* The kind that the name stands for in a class file of this version. */
static inline enum attribute_kind kind_of_name(struct class_parse *parse, uint16_t name_index)
{
    struct constant_knowledge *known = &parse->known[name_index];
    if (!known->attribute_kind) {
        enum attribute_kind kind = find_kind(class_utf8(parse->class_file, name_index));
        if (parse->class_file->major < rows[kind].since)
            kind = ATTRIBUTE_UNKNOWN;
        known->attribute_kind = (uint8_t)(1 + kind);
    }
    return (enum attribute_kind)(known->attribute_kind - 1);
}

/* Whether the JVM looks at an attribute of this kind at that place. */
static inline bool is_looked_at(enum attribute_kind kind, const struct attribute_owner *owner)
{
    /* A module declaration is a class too. */
    unsigned places = owner->place | (owner->place & IN_MODULE) / IN_MODULE * IN_CLASS;
    return rows[kind].places & places;
}

/* The JVM does not even count the initial values of fields that are not static. */
static bool may_repeat(enum attribute_kind kind, const struct attribute_owner *owner)
{
    return (rows[kind].places >> 8 & owner->place) ||
           (kind == ATTRIBUTE_CONSTANT_VALUE && !(owner->access & ACCESS_STATIC));
}

/* Whether the JVM loads a class in spite of junk in this attribute: because only reflection decodes
   it, or because nothing does. Such an attribute is kept, but raw. */
static bool jvm_forgives(const struct class_parse *parse, const struct attribute_owner *owner,
                         const struct attribute *attribute, const uint8_t *content)
{
    switch (attribute->kind) {
    case ATTRIBUTE_RUNTIME_VISIBLE_ANNOTATIONS:
    case ATTRIBUTE_RUNTIME_INVISIBLE_ANNOTATIONS:
    case ATTRIBUTE_RUNTIME_VISIBLE_PARAMETER_ANNOTATIONS:
    case ATTRIBUTE_RUNTIME_INVISIBLE_PARAMETER_ANNOTATIONS:
    case ATTRIBUTE_RUNTIME_VISIBLE_TYPE_ANNOTATIONS:
    case ATTRIBUTE_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS:
    case ATTRIBUTE_ANNOTATION_DEFAULT:
        return true;
    case ATTRIBUTE_METHOD_PARAMETERS: /* its length is checked, the names in it are not */
        return attribute->length && attribute->length == 1 + content[0] * UINT32_C(4);
    case ATTRIBUTE_CONSTANT_VALUE:
        return !(owner->access & ACCESS_STATIC);
    case ATTRIBUTE_INNER_CLASSES: /* up to version 48 its length is not compared with the count */
        return parse->class_file->major <= LAST_MAJOR_WITH_ANY_INNER_CLASSES &&
               attribute->length >= 2 &&
               attribute->length != 2 + class_parse_u2(content) * UINT32_C(8);
    case ATTRIBUTE_STACK_MAP_TABLE: /* version 50 is verified the old way when its frames fail */
        return parse->class_file->major == 50 || attribute->length == 0;
    default:
        return false;
    }
}

/* ---- lists of attributes ---- */

static void keep_raw(struct attribute *attribute, const uint8_t *content)
{
    attribute->kind = ATTRIBUTE_UNKNOWN;
    attribute->as.raw = content;
}

/* The reader holds exactly the content. */
static void read_content(struct class_parse *parse, struct reader *reader,
                         const struct attribute_owner *owner, struct attribute *attribute)
{
    const struct attribute_row *row = &rows[attribute->kind];
    const uint8_t *content = reader->bytes + reader->position;
    row->read(parse, reader, owner, attribute);
    if (reader_ok(reader) && !reader_left(reader))
        return;
    if (reader_ok(reader))
        reader_fail(reader, "%zu byte%s too many", reader_left(reader),
                    reader_left(reader) == 1 ? "" : "s");
    if (!class_parse_out_of_memory(parse) && jvm_forgives(parse, owner, attribute, content)) {
        problem_clear(parse->problem);
        parse->annotation_depth = 0;
        keep_raw(attribute, content);
        return;
    }
    class_parse_within(parse, "%.*s", TEXT_ARGUMENTS(row->name));
}

static void fail_length(struct class_parse *parse, const struct reader *reader,
                        const uint8_t *header, const struct attribute *attribute)
{
    struct text name = class_utf8(parse->class_file, attribute->name_index);
    class_parse_fail(parse, header + 2,
                     "attribute %.*s: its length is %u, but only %zu bytes are left",
                     CLASS_PARSE_SHORT(name), (unsigned)attribute->length, reader_left(reader));
}

/* One attribute; `seen` is the set of kinds that stood before it. */
static inline void read_attribute(struct class_parse *parse, struct reader *reader,
                                  const struct attribute_owner *owner, struct attribute *attribute,
                                  uint64_t *seen)
{
    const uint8_t *header = reader_bytes(reader, 6);
    if (!header)
        return;
    *attribute = (struct attribute){.kind = ATTRIBUTE_UNKNOWN,
                                    .name_index = class_parse_u2(header),
                                    .length = class_parse_u4(header + 2)};
    if (!class_parse_expect_utf8(parse, header, attribute->name_index, "attribute name"))
        return;
    if (attribute->length > reader_left(reader)) {
        fail_length(parse, reader, header, attribute);
        return;
    }
    const enum attribute_kind kind = kind_of_name(parse, attribute->name_index);
    const size_t behind = reader->position + attribute->length;
    if (!is_looked_at(kind, owner)) {
        keep_raw(attribute, header + 6);
        reader->position = behind;
        return;
    }
    if ((*seen >> kind & 1) && !may_repeat(kind, owner)) {
        class_parse_fail(parse, header, "a second %.*s attribute", TEXT_ARGUMENTS(rows[kind].name));
        return;
    }
    *seen |= UINT64_C(1) << kind;
    attribute->kind = kind;
    /* The same reader, made shorter for a while: a reader of the part would have to be filled. */
    const size_t size = reader->size;
    reader->size = behind;
    read_content(parse, reader, owner, attribute);
    reader->size = size;
    reader->position = behind;
}

void attribute_read_all(struct class_parse *parse, struct reader *reader,
                        const struct attribute_owner *owner, struct attributes *attributes)
{
    *attributes = (struct attributes){0};
    uint16_t count = reader_u2(reader);
    count = class_parse_count(reader, count, 6, "attributes");
    struct attribute *items = CLASS_PARSE_ARRAY(parse, struct attribute, count);
    if (!items)
        return;
    attributes->items = items;
    attributes->count = count;
    uint64_t seen = 0;
    for (struct attribute *end = items + count; items < end && reader_ok(reader); items++)
        read_attribute(parse, reader, owner, items, &seen);
}

/* ---- forms that need little ---- */

void attribute_read_empty(struct class_parse *parse, struct reader *reader,
                          const struct attribute_owner *owner, struct attribute *attribute)
{
    (void)parse, (void)reader, (void)owner, (void)attribute;
}

void attribute_read_bytes(struct class_parse *parse, struct reader *reader,
                          const struct attribute_owner *owner, struct attribute *attribute)
{
    (void)parse, (void)owner;
    attribute->as.raw = reader_bytes(reader, attribute->length);
}

void attribute_read_flags(struct class_parse *parse, struct reader *reader,
                          const struct attribute_owner *owner, struct attribute *attribute)
{
    (void)parse, (void)owner;
    attribute->as.index = reader_u2(reader);
}

static void read_index(struct class_parse *parse, struct reader *reader,
                       struct attribute *attribute, uint32_t tags, const char *what)
{
    const uint8_t *at = reader_bytes(reader, 2);
    if (!at)
        return;
    attribute->as.index = class_parse_u2(at);
    class_parse_expect(parse, at, attribute->as.index, tags, what);
}

void attribute_read_utf8(struct class_parse *parse, struct reader *reader,
                         const struct attribute_owner *owner, struct attribute *attribute)
{
    (void)owner;
    read_index(parse, reader, attribute, TAG_SET(CONSTANT_UTF8), "text");
}

void attribute_read_class(struct class_parse *parse, struct reader *reader,
                          const struct attribute_owner *owner, struct attribute *attribute)
{
    (void)owner;
    read_index(parse, reader, attribute, TAG_SET(CONSTANT_CLASS), "class");
}

/* The kind of constant that a field of this type may start with; 0 if there is none. */
static uint32_t initial_value_tags(struct text descriptor)
{
    switch (descriptor.bytes[0]) {
    case 'J':
        return TAG_SET(CONSTANT_LONG);
    case 'F':
        return TAG_SET(CONSTANT_FLOAT);
    case 'D':
        return TAG_SET(CONSTANT_DOUBLE);
    case 'L':
        return text_equal(descriptor, TEXT("Ljava/lang/String;")) ? TAG_SET(CONSTANT_STRING) : 0;
    case '[':
        return 0;
    default:
        return TAG_SET(CONSTANT_INTEGER);
    }
}

void attribute_read_constant_value(struct class_parse *parse, struct reader *reader,
                                   const struct attribute_owner *owner, struct attribute *attribute)
{
    struct text descriptor = class_utf8(parse->class_file, owner->descriptor);
    uint32_t tags = initial_value_tags(descriptor);
    if (!tags)
        reader_fail(reader, "a field of type \"%.*s\" has no constant value",
                    CLASS_PARSE_SHORT(descriptor));
    read_index(parse, reader, attribute, tags, "constant value");
}

void attribute_read_indices(struct class_parse *parse, struct reader *reader, uint32_t tags,
                            const char *what, struct index_list *list)
{
    const uint8_t *at = class_parse_table(reader, &list->count, 2, what);
    list->items = at ? CLASS_PARSE_ARRAY(parse, uint16_t, list->count) : NULL;
    if (!list->items)
        return;
    for (uint16_t i = 0; i < list->count; i++, at += 2) {
        list->items[i] = class_parse_u2(at);
        if (!class_parse_expect(parse, at, list->items[i], tags, what))
            return;
    }
}

void attribute_read_classes(struct class_parse *parse, struct reader *reader,
                            const struct attribute_owner *owner, struct attribute *attribute)
{
    (void)owner;
    attribute->as.indices = CLASS_PARSE_NEW(parse, struct index_list);
    if (attribute->as.indices)
        attribute_read_indices(parse, reader, TAG_SET(CONSTANT_CLASS), "class",
                               attribute->as.indices);
}

void attribute_read_inner_classes(struct class_parse *parse, struct reader *reader,
                                  const struct attribute_owner *owner, struct attribute *attribute)
{
    (void)owner;
    struct inner_classes *table = CLASS_PARSE_NEW(parse, struct inner_classes);
    if (!table)
        return;
    attribute->as.inner_classes = table;
    const uint8_t *at = class_parse_table(reader, &table->count, 8, "inner classes");
    table->items = at ? CLASS_PARSE_ARRAY(parse, struct inner_class, table->count) : NULL;
    if (!table->items)
        return;
    for (uint16_t i = 0; i < table->count; i++, at += 8) {
        struct inner_class *item = &table->items[i];
        item->inner = class_parse_u2(at);
        item->outer = class_parse_u2(at + 2);
        item->name = class_parse_u2(at + 4);
        item->access = class_parse_u2(at + 6);
        if (!class_parse_expect_class(parse, at, item->inner, "inner class") ||
            !class_parse_expect_or_0(parse, at + 2, item->outer, TAG_SET(CONSTANT_CLASS),
                                     "outer class") ||
            !class_parse_expect_or_0(parse, at + 4, item->name, TAG_SET(CONSTANT_UTF8),
                                     "inner class name"))
            return;
        if (item->inner == item->outer) {
            class_parse_fail(parse, at, "class %u is both the inner and the outer one",
                             item->inner);
            return;
        }
    }
}

void attribute_read_enclosing_method(struct class_parse *parse, struct reader *reader,
                                     const struct attribute_owner *owner,
                                     struct attribute *attribute)
{
    (void)owner;
    struct enclosing_method *method = CLASS_PARSE_NEW(parse, struct enclosing_method);
    const uint8_t *at = reader_bytes(reader, 4);
    if (!method || !at)
        return;
    attribute->as.enclosing_method = method;
    method->class_index = class_parse_u2(at);
    method->method = class_parse_u2(at + 2);
    if (class_parse_expect_class(parse, at, method->class_index, "class"))
        class_parse_expect_or_0(parse, at + 2, method->method, TAG_SET(CONSTANT_NAME_AND_TYPE),
                                "method");
}

static void read_bootstrap_method(struct class_parse *parse, struct reader *reader,
                                  struct bootstrap_method *method)
{
    const uint8_t *at = reader_bytes(reader, 2);
    if (!at)
        return;
    method->method = class_parse_u2(at);
    if (!class_parse_expect(parse, at, method->method, TAG_SET(CONSTANT_METHOD_HANDLE),
                            "bootstrap method"))
        return;
    struct index_list arguments;
    attribute_read_indices(parse, reader, TAGS_LOADABLE, "bootstrap argument", &arguments);
    method->arguments = arguments.items;
    method->argument_count = arguments.count;
}

void attribute_read_bootstrap_methods(struct class_parse *parse, struct reader *reader,
                                      const struct attribute_owner *owner,
                                      struct attribute *attribute)
{
    (void)owner;
    struct bootstrap_methods *table = CLASS_PARSE_NEW(parse, struct bootstrap_methods);
    if (!table)
        return;
    attribute->as.bootstrap_methods = table;
    uint16_t count = reader_u2(reader);
    table->count = class_parse_count(reader, count, 4, "bootstrap methods");
    table->items = CLASS_PARSE_ARRAY(parse, struct bootstrap_method, table->count);
    if (!table->items)
        return;
    for (uint16_t i = 0; i < table->count && reader_ok(reader); i++)
        read_bootstrap_method(parse, reader, &table->items[i]);
}

void attribute_read_method_parameters(struct class_parse *parse, struct reader *reader,
                                      const struct attribute_owner *owner,
                                      struct attribute *attribute)
{
    (void)owner;
    struct method_parameters *table = CLASS_PARSE_NEW(parse, struct method_parameters);
    if (!table)
        return;
    attribute->as.method_parameters = table;
    table->count = reader_u1(reader);
    table->count = (uint8_t)class_parse_count(reader, table->count, 4, "parameters");
    const uint8_t *at = reader_bytes(reader, table->count * (size_t)4);
    table->items = at ? CLASS_PARSE_ARRAY(parse, struct method_parameter, table->count) : NULL;
    if (!table->items)
        return;
    for (uint8_t i = 0; i < table->count; i++, at += 4) {
        table->items[i].name = class_parse_u2(at);
        table->items[i].access = class_parse_u2(at + 2);
        if (!class_parse_expect_or_0(parse, at, table->items[i].name, TAG_SET(CONSTANT_UTF8),
                                     "parameter name"))
            return;
    }
}

static void read_component(struct class_parse *parse, struct reader *reader,
                           struct record_component *component)
{
    const uint8_t *at = reader_bytes(reader, 4);
    if (!at)
        return;
    component->name = class_parse_u2(at);
    component->descriptor = class_parse_u2(at + 2);
    if (!class_parse_expect_utf8(parse, at, component->name, "component name") ||
        !class_parse_expect_utf8(parse, at + 2, component->descriptor, "component descriptor") ||
        !class_parse_check_field(parse, at, component->name, component->descriptor))
        return;
    struct attribute_owner owner = {.place = IN_COMPONENT};
    attribute_read_all(parse, reader, &owner, &component->attributes);
}

void attribute_read_record(struct class_parse *parse, struct reader *reader,
                           const struct attribute_owner *owner, struct attribute *attribute)
{
    (void)owner;
    struct record *record = CLASS_PARSE_NEW(parse, struct record);
    if (!record)
        return;
    attribute->as.record = record;
    uint16_t count = reader_u2(reader);
    record->count = class_parse_count(reader, count, 6, "record components");
    record->items = CLASS_PARSE_ARRAY(parse, struct record_component, record->count);
    if (!record->items)
        return;
    for (uint16_t i = 0; i < record->count && reader_ok(reader); i++)
        read_component(parse, reader, &record->items[i]);
}
