#include "classfile/class_parse.h"

#include <stdio.h>
#include <string.h>

#include "classfile/byte_scan.h"
#include "classfile/descriptor.h"
#include "classfile/names.h"

void class_parse_fail(struct class_parse *parse, const uint8_t *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    problem_set_list(parse->problem, (size_t)(at - parse->bytes), format, arguments);
    va_end(arguments);
}

bool class_parse_out_of_memory(const struct class_parse *parse)
{
    return parse->problem->set && parse->problem->offset == PROBLEM_NO_OFFSET;
}

void class_parse_within(struct class_parse *parse, const char *format, ...)
{
    struct problem *problem = parse->problem;
    if (!problem->set || class_parse_out_of_memory(parse))
        return;
    char reason[sizeof problem->reason];
    memcpy(reason, problem->reason, sizeof reason);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(problem->reason, sizeof problem->reason, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof problem->reason)
        return;
    size_t left = sizeof problem->reason - (size_t)length;
    int added = snprintf(problem->reason + length, left, ": %s", reason);
    if (added > 0 && (size_t)added >= left) {
        /* Cut: say so, rather than end in the middle of a word without a sign. */
        memcpy(problem->reason + sizeof problem->reason - 4, "...", 4);
    }
}

void class_parse_fail_memory(struct class_parse *parse)
{
    problem_set(parse->problem, PROBLEM_NO_OFFSET, "out of memory");
}

/* ---- constants ---- */

static const char *const tag_names[] = {
    [CONSTANT_UTF8] = "Utf8",
    [CONSTANT_INTEGER] = "Integer",
    [CONSTANT_FLOAT] = "Float",
    [CONSTANT_LONG] = "Long",
    [CONSTANT_DOUBLE] = "Double",
    [CONSTANT_CLASS] = "Class",
    [CONSTANT_STRING] = "String",
    [CONSTANT_FIELD] = "Fieldref",
    [CONSTANT_METHOD] = "Methodref",
    [CONSTANT_INTERFACE_METHOD] = "InterfaceMethodref",
    [CONSTANT_NAME_AND_TYPE] = "NameAndType",
    [CONSTANT_METHOD_HANDLE] = "MethodHandle",
    [CONSTANT_METHOD_TYPE] = "MethodType",
    [CONSTANT_DYNAMIC] = "Dynamic",
    [CONSTANT_INVOKE_DYNAMIC] = "InvokeDynamic",
    [CONSTANT_MODULE] = "Module",
    [CONSTANT_PACKAGE] = "Package",
};

enum { TAG_COUNT = sizeof tag_names / sizeof tag_names[0] };

static void describe_tags(char *to, size_t size, uint32_t tags)
{
    if (tags == TAGS_LOADABLE) {
        snprintf(to, size, "loadable");
        return;
    }
    size_t length = 0;
    to[0] = '\0';
    for (unsigned tag = 0; tag < TAG_COUNT; tag++) {
        if (!(tags >> tag & 1) || length >= size)
            continue;
        int added =
            snprintf(to + length, size - length, "%s%s", length ? " or " : "", tag_names[tag]);
        length += added > 0 ? (size_t)added : 0;
    }
}

void class_parse_fail_index(struct class_parse *parse, const uint8_t *at, uint16_t index,
                            uint32_t tags, const char *what)
{
    const struct class_file *class_file = parse->class_file;
    char wanted[96];
    describe_tags(wanted, sizeof wanted, tags);
    if (index >= class_file->constant_count)
        class_parse_fail(parse, at, "%s index %u is beyond the constant pool (%u constants)", what,
                         index, class_file->constant_count - 1u);
    else if (index == 0)
        class_parse_fail(parse, at, "%s index is 0, not that of a constant (%s)", what, wanted);
    else if (class_file->constants[index].tag == CONSTANT_UNUSABLE)
        class_parse_fail(parse, at, "%s index %u is the unusable one behind a Long or Double", what,
                         index);
    else
        class_parse_fail(parse, at, "%s index %u is of kind %s, not %s", what, index,
                         tag_names[class_file->constants[index].tag], wanted);
}

/* How many bytes of the file there are from the start of the text on. */
static size_t readable_from(const struct class_parse *parse, struct text text)
{
    return (size_t)(parse->end - (const uint8_t *)text.bytes);
}

/* The fact about the text, or 0 if it does not hold, together with what else came to light. */
static unsigned learn(const struct class_parse *parse, struct text text, enum constant_fact fact)
{
    size_t readable = readable_from(parse, text);
    switch (fact) {
    case FACT_CLASS_NAME:
        return byte_scan_is_internal_name(text.bytes, text.length, readable) || names_is_class(text)
                   ? FACT_CLASS_NAME
                   : 0;
    case FACT_FIELD_NAME:
        if (byte_scan_is_plain_name(text.bytes, text.length, readable))
            return FACT_FIELD_NAME | FACT_METHOD_NAME;
        return names_is_field(text) ? FACT_FIELD_NAME : 0;
    case FACT_METHOD_NAME:
        if (byte_scan_is_plain_name(text.bytes, text.length, readable))
            return FACT_FIELD_NAME | FACT_METHOD_NAME;
        return names_is_method(text) ? FACT_METHOD_NAME : 0;
    case FACT_FIELD_DESCRIPTOR:
        return descriptor_is_field_inside(text, readable) ? FACT_FIELD_DESCRIPTOR : 0;
    case FACT_METHOD_DESCRIPTOR:
    case FACT_OF_FIELD:
    case FACT_OF_METHOD:
        break;
    }
    return 0;
}

bool class_parse_check_fact(struct class_parse *parse, uint16_t utf8, enum constant_fact fact)
{
    struct text text = class_utf8(parse->class_file, utf8);
    struct constant_knowledge *known = &parse->known[utf8];
    if (fact == FACT_METHOD_DESCRIPTOR) {
        int slots = descriptor_method_slots_inside(text, readable_from(parse, text));
        known->slots = slots < 0 ? 0 : (uint8_t)slots;
        known->facts |= slots < 0 ? 0 : FACT_METHOD_DESCRIPTOR;
    } else {
        known->facts |= (uint8_t)learn(parse, text, fact);
    }
    return known->facts & fact;
}

/* Apart, so that the checks that succeed need few registers. */
__attribute__((noinline)) static bool fail_name(struct class_parse *parse, const uint8_t *at,
                                                uint16_t utf8, const char *what)
{
    struct text text = class_utf8(parse->class_file, utf8);
    class_parse_fail(parse, at, "\"%.*s\" is not a %s", CLASS_PARSE_SHORT(text), what);
    return false;
}

bool class_parse_check_new_field(struct class_parse *parse, const uint8_t *at, uint16_t name,
                                 uint16_t descriptor)
{
    if (!class_parse_has_fact(parse, name, FACT_FIELD_NAME))
        return fail_name(parse, at, name, "field name");
    if (!class_parse_has_fact(parse, descriptor, FACT_FIELD_DESCRIPTOR))
        return fail_name(parse, at, descriptor, "field descriptor");
    return true;
}

bool class_parse_check_method(struct class_parse *parse, const uint8_t *at, uint16_t name,
                              uint16_t descriptor)
{
    if (!class_parse_has_fact(parse, name, FACT_METHOD_NAME))
        return fail_name(parse, at, name, "method name");
    if (!class_parse_has_fact(parse, descriptor, FACT_METHOD_DESCRIPTOR))
        return fail_name(parse, at, descriptor, "method descriptor");
    return true;
}

bool class_parse_check_initializer(struct class_parse *parse, const uint8_t *at, uint16_t name,
                                   uint16_t descriptor)
{
    struct text text = class_utf8(parse->class_file, name);
    struct text type = class_utf8(parse->class_file, descriptor);
    if (text.bytes[0] != '<')
        return true;
    bool of_class = text_equal(text, TEXT("<clinit>")) && parse->class_file->major >= 51;
    if (of_class ? text_equal(type, TEXT("()V")) : type.bytes[type.length - 1] == 'V')
        return true;
    class_parse_fail(parse, at, "%.*s cannot have the descriptor \"%.*s\"", CLASS_PARSE_SHORT(text),
                     CLASS_PARSE_SHORT(type));
    return false;
}
