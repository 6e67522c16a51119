#include "classfile/class_reader.h"

#include "base/reader.h"
#include "classfile/attribute_reader.h"
#include "classfile/class_parse.h"
#include "classfile/constant_pool.h"
#include "classfile/member_reader.h"

#define MAGIC UINT32_C(0xCAFEBABE)

enum { MINOR_OF_PREVIEW = 65535, FIRST_MAJOR_WITH_MODULES = 53 };

static bool is_module(const struct class_file *class_file)
{
    return class_file->major >= FIRST_MAJOR_WITH_MODULES && (class_file->access & ACCESS_MODULE);
}

/* ---- before the constants ---- */

static void read_version(struct class_parse *parse, struct reader *reader)
{
    struct class_file *class_file = parse->class_file;
    const uint8_t *at = reader_bytes(reader, 8);
    if (!at)
        return;
    if (class_parse_u4(at) != MAGIC) {
        class_parse_fail(parse, at, "not a class file: starts with 0x%08X, not 0x%08X",
                         (unsigned)class_parse_u4(at), (unsigned)MAGIC);
        return;
    }
    class_file->minor = class_parse_u2(at + 4);
    class_file->major = class_parse_u2(at + 6);
    if (class_file->major > CLASS_NEWEST_MAJOR)
        class_parse_fail(
            parse, at + 6,
            "class file version %u is newer than %d, the newest that this version knows",
            class_file->major, CLASS_NEWEST_MAJOR);
    else if (class_file->major < CLASS_OLDEST_MAJOR)
        class_parse_fail(parse, at + 6, "class file version %u is older than %d, the first",
                         class_file->major, CLASS_OLDEST_MAJOR);
    else if (class_file->major >= 56 && class_file->minor != 0 &&
             class_file->minor != MINOR_OF_PREVIEW)
        class_parse_fail(parse, at + 4, "class file version %u.%u does not exist",
                         class_file->major, class_file->minor);
}

/* ---- between constants and fields ---- */

static void check_class_flags(struct class_parse *parse, const uint8_t *at)
{
    const struct class_file *class_file = parse->class_file;
    unsigned flags = class_file->access;
    bool interface = flags & ACCESS_INTERFACE;
    bool abstract = (flags & ACCESS_ABSTRACT) || (interface && class_file->major < 50);
    bool bad = (abstract && (flags & ACCESS_FINAL)) || (interface && !abstract);
    if (class_file->major >= 49)
        bad |= interface ? (flags & (ACCESS_SUPER | ACCESS_ENUM)) != 0
                         : (flags & ACCESS_ANNOTATION) != 0;
    if (bad)
        class_parse_fail(parse, at, "flags 0x%04X of the class are not allowed together", flags);
}

static bool is_array(const struct class_file *class_file, uint16_t class_index)
{
    return class_name_at(class_file, class_index).bytes[0] == '[';
}

static void check_super_class(struct class_parse *parse, const uint8_t *at)
{
    const struct class_file *class_file = parse->class_file;
    bool is_object = text_equal(class_this_name(class_file), TEXT("java/lang/Object"));
    if (class_file->super_class == 0) {
        if (!is_object)
            class_parse_fail(parse, at, "superclass index is 0, but this is not java/lang/Object");
        return;
    }
    if (!class_parse_expect_class(parse, at, class_file->super_class, "superclass"))
        return;
    struct text name = class_name_at(class_file, class_file->super_class);
    if (is_array(class_file, class_file->super_class))
        class_parse_fail(parse, at, "the superclass is an array, %.*s", CLASS_PARSE_SHORT(name));
    else if ((class_file->access & ACCESS_INTERFACE) && !text_equal(name, TEXT("java/lang/Object")))
        class_parse_fail(parse, at, "the superclass of an interface is %.*s, not java/lang/Object",
                         CLASS_PARSE_SHORT(name));
}

static void read_names(struct class_parse *parse, struct reader *reader)
{
    struct class_file *class_file = parse->class_file;
    const uint8_t *at = reader_bytes(reader, 6);
    if (!at)
        return;
    class_file->access = class_parse_u2(at);
    class_file->this_class = class_parse_u2(at + 2);
    class_file->super_class = class_parse_u2(at + 4);
    if (!class_parse_expect_class(parse, at + 2, class_file->this_class, "class"))
        return;
    if (is_array(class_file, class_file->this_class)) {
        class_parse_fail(parse, at + 2, "the class is called like an array");
        return;
    }
    if (is_module(class_file)) {
        class_parse_expect_or_0(parse, at + 4, class_file->super_class, TAG_SET(CONSTANT_CLASS),
                                "superclass");
        return;
    }
    if (parse->module_constant)
        class_parse_fail(parse, at, "constant %u is of a kind that only a module declaration has",
                         parse->module_constant);
    check_class_flags(parse, at);
    if (class_parse_ok(parse))
        check_super_class(parse, at + 4);
}

static void read_interfaces(struct class_parse *parse, struct reader *reader)
{
    struct class_file *class_file = parse->class_file;
    struct index_list list;
    const uint8_t *at = reader->bytes + reader->position;
    attribute_read_indices(parse, reader, TAG_SET(CONSTANT_CLASS), "interface", &list);
    class_file->interfaces = list.items;
    class_file->interface_count = list.count;
    for (uint16_t i = 0; class_parse_ok(parse) && i < list.count; i++)
        if (is_array(class_file, list.items[i]))
            class_parse_fail(parse, at + 2 + 2 * (size_t)i, "interface %u is an array", i);
}

/* ---- after the methods ---- */

static void check_bootstrap_methods(struct class_parse *parse)
{
    const struct class_file *class_file = parse->class_file;
    if (!parse->dynamic_constant)
        return;
    uint16_t number = class_file->constants[parse->dynamic_constant].first;
    const struct attribute *attribute =
        attributes_find(&class_file->attributes, ATTRIBUTE_BOOTSTRAP_METHODS);
    unsigned count = attribute ? attribute->as.bootstrap_methods->count : 0;
    if (number < count)
        return;
    constant_pool_fail(parse, parse->dynamic_constant,
                       "bootstrap method number %u, but the class has %u", number, count);
}

static void check_attributes(struct class_parse *parse, const uint8_t *at)
{
    const struct class_file *class_file = parse->class_file;
    const struct attributes *attributes = &class_file->attributes;
    if (attributes_find(attributes, ATTRIBUTE_NEST_HOST) &&
        attributes_find(attributes, ATTRIBUTE_NEST_MEMBERS))
        class_parse_fail(parse, at, "the class has both NestHost and NestMembers");
    if ((class_file->access & ACCESS_FINAL) &&
        attributes_find(attributes, ATTRIBUTE_PERMITTED_SUBCLASSES))
        class_parse_fail(parse, at, "the class is final but has PermittedSubclasses");
    check_bootstrap_methods(parse);
}

static void read_class(struct class_parse *parse, struct reader *reader)
{
    struct class_file *class_file = parse->class_file;
    read_version(parse, reader);
    if (reader_ok(reader))
        constant_pool_read(parse, reader);
    if (reader_ok(reader))
        read_names(parse, reader);
    if (reader_ok(reader))
        read_interfaces(parse, reader);
    if (reader_ok(reader))
        member_read_fields(parse, reader);
    if (reader_ok(reader))
        member_read_methods(parse, reader);
    if (!reader_ok(reader))
        return;
    const uint8_t *at = reader->bytes + reader->position;
    struct attribute_owner owner = {.place = is_module(class_file) ? IN_MODULE : IN_CLASS};
    attribute_read_all(parse, reader, &owner, &class_file->attributes);
    if (reader_ok(reader))
        check_attributes(parse, at);
    if (reader_ok(reader) && reader_left(reader))
        reader_fail(reader, "%zu byte%s behind the end of the class", reader_left(reader),
                    reader_left(reader) == 1 ? "" : "s");
}

struct class_file *class_read(struct arena *arena, const void *bytes, size_t size,
                              struct problem *problem)
{
    problem_clear(problem);
    struct reader reader;
    reader_init(&reader, bytes, size, problem);
    struct class_parse parse = {.arena = arena,
                                .problem = problem,
                                .bytes = reader.bytes,
                                .end = reader.bytes + reader.size};
    parse.class_file = ARENA_NEW(arena, struct class_file);
    if (!parse.class_file) {
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
        return NULL;
    }
    parse.class_file->arena = arena;
    read_class(&parse, &reader);
    return problem->set ? NULL : parse.class_file;
}
