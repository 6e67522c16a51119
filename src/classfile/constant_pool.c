#include "classfile/constant_pool.h"

#include <string.h>

#include "classfile/byte_scan.h"
#include "classfile/modified_utf8.h"

/* Constants that are checked alike hang in one list. Each list can rely on those before it. */
enum list { LIST_NONE, LIST_CLASSES, LIST_NAMES_AND_TYPES, LIST_MEMBERS, LIST_OTHERS, LIST_COUNT };

/* What the tag tells: bytes with the tag but without a text, first major version, list. */
static const struct {
    uint8_t size;
    uint8_t since;
    uint16_t list;
} shapes[] = {
    [CONSTANT_UTF8] = {3, 45, LIST_NONE},
    [CONSTANT_INTEGER] = {5, 45, LIST_NONE},
    [CONSTANT_FLOAT] = {5, 45, LIST_NONE},
    [CONSTANT_LONG] = {9, 45, LIST_NONE},
    [CONSTANT_DOUBLE] = {9, 45, LIST_NONE},
    [CONSTANT_CLASS] = {3, 45, LIST_CLASSES},
    [CONSTANT_STRING] = {3, 45, LIST_OTHERS},
    [CONSTANT_FIELD] = {5, 45, LIST_MEMBERS},
    [CONSTANT_METHOD] = {5, 45, LIST_MEMBERS},
    [CONSTANT_INTERFACE_METHOD] = {5, 45, LIST_MEMBERS},
    [CONSTANT_NAME_AND_TYPE] = {5, 45, LIST_NAMES_AND_TYPES},
    [CONSTANT_METHOD_HANDLE] = {4, 51, LIST_OTHERS},
    [CONSTANT_METHOD_TYPE] = {3, 51, LIST_OTHERS},
    [CONSTANT_DYNAMIC] = {5, 55, LIST_OTHERS},
    [CONSTANT_INVOKE_DYNAMIC] = {5, 51, LIST_OTHERS},
    [CONSTANT_MODULE] = {3, 53, LIST_OTHERS},
    [CONSTANT_PACKAGE] = {3, 53, LIST_OTHERS},
};

enum { SHAPE_COUNT = sizeof shapes / sizeof shapes[0], FIRST_CONSTANT_OFFSET = 10 };

/* Versions up to this one may write characters in longer forms than needed. */
enum { LAST_MAJOR_WITH_LONG_FORMS = 47 };

/* For functions apart from each other, which need the registers. */
#define NOT_INLINED __attribute__((noinline))

/* The first index of each list; the constants' knowledge links the rest. */
struct lists {
    uint32_t first[LIST_COUNT];
};

static bool takes_two(uint8_t tag)
{
    return tag == CONSTANT_LONG || tag == CONSTANT_DOUBLE;
}

/* ---- reading ---- */

/* Offsets are not kept: they are needed for a message only, and then counted again. */
static const uint8_t *place_of(const struct class_parse *parse, uint32_t index)
{
    const struct constant *constants = parse->class_file->constants;
    const uint8_t *at = parse->bytes + FIRST_CONSTANT_OFFSET;
    for (uint32_t i = 1; i < index; i++) {
        at += shapes[constants[i].tag].size;
        if (constants[i].tag == CONSTANT_UTF8)
            at += constants[i].first;
    }
    return at;
}

/* Whether the constant whose tag is the first of these `left` bytes can stand here. */
static bool check_shape(struct class_parse *parse, uint32_t index, const uint8_t *at, size_t left)
{
    const struct class_file *class_file = parse->class_file;
    uint8_t tag = left ? at[0] : 0;
    uint16_t length = tag == CONSTANT_UTF8 && left >= 3 ? class_parse_u2(at + 1) : 0;
    if (!left) {
        class_parse_fail(parse, at, "ends before constant %u of %u", (unsigned)index,
                         class_file->constant_count - 1u);
    } else if (tag >= SHAPE_COUNT || !shapes[tag].size) {
        class_parse_fail(parse, at, "constant %u: unknown tag %u", (unsigned)index, tag);
    } else if (class_file->major < shapes[tag].since) {
        class_parse_fail(parse, at, "constant %u: tag %u needs class file version %u, this is %u",
                         (unsigned)index, tag, shapes[tag].since, class_file->major);
    } else if (tag == CONSTANT_UTF8 && left < 3u + length) {
        class_parse_fail(parse, at, "constant %u: ends inside its %u bytes of text",
                         (unsigned)index, length);
    } else if (left < shapes[tag].size) {
        class_parse_fail(parse, at, "ends inside constant %u", (unsigned)index);
    } else if (takes_two(tag) && index + 1 >= class_file->constant_count) {
        class_parse_fail(parse, at, "constant %u: takes two indices, but is the last",
                         (unsigned)index);
    } else {
        return true;
    }
    return false;
}

/* What the JVM sees in the second index of a long or double, and in index 0. */
static const struct constant unusable = {
    .tag = CONSTANT_UNUSABLE, .uses = SUITS_NONE, .value.utf8 = ""};

/* Fills a constant of any kind from its bytes; gives its size, and the next index in *next. */
static size_t read_any(struct class_parse *parse, uint32_t index, const uint8_t *at, uint32_t *next)
{
    struct constant *constant = &parse->class_file->constants[index];
    *constant = (struct constant){.tag = at[0]};
    switch (at[0]) {
    case CONSTANT_UTF8:
        constant->first = class_parse_u2(at + 1);
        constant->value.utf8 = (const char *)at + 3;
        return 3u + constant->first;
    case CONSTANT_INTEGER:
    case CONSTANT_FLOAT:
        constant->uses = SUITS_LOAD;
        constant->value.bits = class_parse_u4(at + 1);
        break;
    case CONSTANT_LONG:
    case CONSTANT_DOUBLE:
        constant->uses = SUITS_LOAD_DOUBLE;
        constant->value.bits = (uint64_t)class_parse_u4(at + 1) << 32 | class_parse_u4(at + 5);
        constant[1] = unusable;
        parse->known[index + 1] = (struct constant_knowledge){0};
        *next = index + 2;
        break;
    case CONSTANT_CLASS:
    case CONSTANT_STRING:
    case CONSTANT_METHOD_TYPE:
        constant->first = class_parse_u2(at + 1);
        break;
    case CONSTANT_MODULE:
    case CONSTANT_PACKAGE:
        constant->first = class_parse_u2(at + 1);
        parse->module_constant = (uint16_t)index;
        break;
    case CONSTANT_METHOD_HANDLE:
        constant->reference_kind = at[1];
        constant->first = class_parse_u2(at + 2);
        break;
    default:
        constant->first = class_parse_u2(at + 1);
        constant->second = class_parse_u2(at + 3);
        break;
    }
    return shapes[at[0]].size;
}

/* Where the text, which is not plain ASCII, stops to be modified UTF-8 all the same, or SIZE_MAX.
 */
static size_t first_bad_byte(const struct class_file *class_file, uint32_t index)
{
    struct text text = class_utf8(class_file, (uint16_t)index);
    size_t bad = modified_utf8_first_bad(text);
    if (bad != SIZE_MAX && class_file->major <= LAST_MAJOR_WITH_LONG_FORMS)
        bad = modified_utf8_first_bad_any_form(text);
    return bad;
}

/* Whether the text, which is not plain ASCII, is well-formed; else fails. */
static bool check_text(struct class_parse *parse, uint32_t index)
{
    size_t bad = first_bad_byte(parse->class_file, index);
    if (bad == SIZE_MAX)
        return true;
    const uint8_t *at = (const uint8_t *)parse->class_file->constants[index].value.utf8 + bad;
    class_parse_fail(parse, at, "constant %u: byte 0x%02X is not modified UTF-8", (unsigned)index,
                     *at);
    return false;
}

/* Reads any constant with `left` bytes left and any text; its size, or 0 after a failure. */
static NOT_INLINED size_t read_carefully(struct class_parse *parse, uint32_t index,
                                         const uint8_t *at, size_t left, uint32_t *next)
{
    if (!check_shape(parse, index, at, left))
        return 0;
    size_t size = read_any(parse, index, at, next);
    return at[0] == CONSTANT_UTF8 && !check_text(parse, index) ? 0 : size;
}

/* Nearly all constants are texts or of these kinds: one or two indices, in all versions. */
#define INDEX_TAGS                                                                                 \
    (TAG_SET(CONSTANT_CLASS) | TAG_SET(CONSTANT_STRING) | TAG_SET(CONSTANT_FIELD) |                \
     TAG_SET(CONSTANT_METHOD) | TAG_SET(CONSTANT_INTERFACE_METHOD) |                               \
     TAG_SET(CONSTANT_NAME_AND_TYPE))

/* Reads one of those, of which five bytes can be read; gives its size. They come mixed: a mask,
   unlike a branch, need not be guessed. */
static inline size_t read_indices(struct constant *constant, const uint8_t *at)
{
    const unsigned has_second = at[0] >= CONSTANT_FIELD;
    *constant = (struct constant){.tag = at[0],
                                  .first = class_parse_u2(at + 1),
                                  .second = (uint16_t)(class_parse_u2(at + 3) & (0u - has_second))};
    return 3 + 2 * has_second;
}

/* Reads the constants, up to the end or to one that cannot stand where it is. */
static void read_shapes(struct class_parse *parse, struct reader *reader, struct lists *lists)
{
    struct constant *constants = parse->class_file->constants;
    struct constant_knowledge *known = parse->known;
    const uint32_t count = parse->class_file->constant_count;
    const uint8_t *const end = parse->end;
    const uint8_t *at = reader->bytes + reader->position;
    constants[0] = unusable;
    known[0] = (struct constant_knowledge){0};
    for (uint32_t index = 1, next; index < count; index = next) {
        const size_t left = (size_t)(end - at);
        const unsigned tag = left >= 5 ? at[0] : 0;
        next = index + 1;
        if (tag == CONSTANT_UTF8) {
            const uint16_t length = class_parse_u2(at + 1);
            if (byte_scan_is_ascii(at + 3, length, left - 3)) {
                constants[index] = (struct constant){
                    .tag = CONSTANT_UTF8, .first = length, .value.utf8 = (const char *)at + 3};
                known[index] = (struct constant_knowledge){0};
                at += 3u + length;
                continue;
            }
        }
        const size_t size = tag < 32 && (INDEX_TAGS >> tag & 1)
                                ? read_indices(&constants[index], at)
                                : read_carefully(parse, index, at, left, &next);
        if (!size)
            break;
        const unsigned list = shapes[at[0]].list;
        known[index] = (struct constant_knowledge){.next = lists->first[list]};
        lists->first[list] = index;
        at += size;
    }
    reader->position = (size_t)(at - reader->bytes);
}

/* ---- checking what refers to what ---- */

/* The place in these messages is filled in by set_place. */
#define NO_PLACE(parse) ((parse)->bytes)

static bool check_class(struct class_parse *parse, const struct constant *constant)
{
    if (!class_parse_expect_utf8(parse, NO_PLACE(parse), constant->first, "class name"))
        return false;
    if (class_parse_has_fact(parse, constant->first, FACT_CLASS_NAME))
        return true;
    struct text name = class_utf8(parse->class_file, constant->first);
    class_parse_fail(parse, NO_PLACE(parse), "\"%.*s\" is not a class name",
                     CLASS_PARSE_SHORT(name));
    return false;
}

static bool check_method_type(struct class_parse *parse, const struct constant *constant)
{
    if (!class_parse_expect_utf8(parse, NO_PLACE(parse), constant->first, "descriptor"))
        return false;
    if (class_parse_has_fact(parse, constant->first, FACT_METHOD_DESCRIPTOR))
        return true;
    struct text type = class_utf8(parse->class_file, constant->first);
    class_parse_fail(parse, NO_PLACE(parse), "\"%.*s\" is not a method descriptor",
                     CLASS_PARSE_SHORT(type));
    return false;
}

/* Whether it is a method's: then its descriptor starts with a parenthesis. */
static bool is_of_method(const struct class_file *class_file, const struct constant *name_and_type)
{
    struct text descriptor = class_utf8(class_file, name_and_type->second);
    return descriptor.length && descriptor.bytes[0] == '(';
}

static bool check_name_and_type(struct class_parse *parse, const struct constant *constant,
                                uint32_t index)
{
    const uint8_t *at = NO_PLACE(parse);
    struct constant_knowledge *known = &parse->known[index];
    if (!class_parse_expect_utf8(parse, at, constant->first, "name") ||
        !class_parse_expect_utf8(parse, at, constant->second, "descriptor"))
        return false;
    if (!is_of_method(parse->class_file, constant)) {
        known->facts = FACT_OF_FIELD;
        return class_parse_check_field(parse, at, constant->first, constant->second);
    }
    known->facts = FACT_OF_METHOD;
    if (!class_parse_check_method(parse, at, constant->first, constant->second))
        return false;
    known->uses = class_method_uses(class_utf8(parse->class_file, constant->first));
    known->slots = parse->known[constant->second].slots;
    return true;
}

/* The second index is that of a name and type with this fact. */
static inline bool check_use_of_name_and_type(struct class_parse *parse,
                                              const struct constant *constant,
                                              enum constant_fact fact)
{
    const struct class_file *class_file = parse->class_file;
    if (!class_parse_expect(parse, NO_PLACE(parse), constant->second,
                            TAG_SET(CONSTANT_NAME_AND_TYPE), "name and type"))
        return false;
    if (parse->known[constant->second].facts & fact)
        return true;
    struct text type = class_utf8(class_file, class_file->constants[constant->second].second);
    class_parse_fail(parse, NO_PLACE(parse), "\"%.*s\" is not a %s descriptor",
                     CLASS_PARSE_SHORT(type), fact == FACT_OF_METHOD ? "method" : "field");
    return false;
}

static bool check_member(struct class_parse *parse, const struct constant *constant)
{
    const struct class_file *class_file = parse->class_file;
    if (!class_parse_expect_class(parse, NO_PLACE(parse), constant->first, "class") ||
        !check_use_of_name_and_type(
            parse, constant, constant->tag == CONSTANT_FIELD ? FACT_OF_FIELD : FACT_OF_METHOD))
        return false;
    if (constant->tag != CONSTANT_METHOD ||
        parse->known[constant->second].uses == (SUITS_CALL | SUITS_CALL_SPECIAL))
        return true;
    const struct constant *called = &class_file->constants[constant->second];
    if (!class_parse_check_initializer(parse, NO_PLACE(parse), called->first, called->second))
        return false;
    if (parse->known[constant->second].uses)
        return true;
    struct text name = class_utf8(class_file, called->first);
    class_parse_fail(parse, NO_PLACE(parse), "\"%.*s\" is not a method that can be called",
                     CLASS_PARSE_SHORT(name));
    return false;
}

static bool check_dynamic(struct class_parse *parse, const struct constant *constant,
                          uint32_t index)
{
    const struct constant *constants = parse->class_file->constants;
    if (!parse->dynamic_constant || constants[parse->dynamic_constant].first < constant->first)
        parse->dynamic_constant = (uint16_t)index;
    return check_use_of_name_and_type(
        parse, constant, constant->tag == CONSTANT_DYNAMIC ? FACT_OF_FIELD : FACT_OF_METHOD);
}

/* The kinds of constant that a method handle of this kind may refer to; 0 for an unknown kind. */
static uint32_t method_handle_tags(uint8_t kind, uint16_t major)
{
    switch (kind) {
    case REFERENCE_GET_FIELD:
    case REFERENCE_GET_STATIC:
    case REFERENCE_PUT_FIELD:
    case REFERENCE_PUT_STATIC:
        return TAG_SET(CONSTANT_FIELD);
    case REFERENCE_INVOKE_VIRTUAL:
    case REFERENCE_NEW_INVOKE_SPECIAL:
        return TAG_SET(CONSTANT_METHOD);
    case REFERENCE_INVOKE_STATIC:
    case REFERENCE_INVOKE_SPECIAL:
        return TAG_SET(CONSTANT_METHOD) | (major >= 52 ? TAG_SET(CONSTANT_INTERFACE_METHOD) : 0);
    case REFERENCE_INVOKE_INTERFACE:
        return TAG_SET(CONSTANT_INTERFACE_METHOD);
    default:
        return 0;
    }
}

static bool check_method_handle(struct class_parse *parse, const struct constant *constant)
{
    const uint8_t *at = NO_PLACE(parse);
    const struct class_file *class_file = parse->class_file;
    uint8_t kind = constant->reference_kind;
    uint32_t tags = method_handle_tags(kind, class_file->major);
    if (!tags) {
        class_parse_fail(parse, at, "unknown method handle kind %u", kind);
        return false;
    }
    if (!class_parse_expect(parse, at, constant->first, tags, "method handle's reference"))
        return false;
    if (kind < REFERENCE_INVOKE_VIRTUAL || kind == REFERENCE_INVOKE_INTERFACE)
        return true;
    const struct constant *member = &class_file->constants[constant->first];
    struct text name = class_utf8(class_file, class_file->constants[member->second].first);
    if (text_equal(name, TEXT("<init>")) == (kind == REFERENCE_NEW_INVOKE_SPECIAL))
        return true;
    class_parse_fail(parse, at, "a method handle of kind %u cannot refer to \"%.*s\"", kind,
                     CLASS_PARSE_SHORT(name));
    return false;
}

static bool check_other(struct class_parse *parse, const struct constant *constant, uint32_t index)
{
    switch (constant->tag) {
    case CONSTANT_STRING:
        return class_parse_expect_utf8(parse, NO_PLACE(parse), constant->first, "string");
    case CONSTANT_METHOD_HANDLE:
        return check_method_handle(parse, constant);
    case CONSTANT_METHOD_TYPE:
        return check_method_type(parse, constant);
    case CONSTANT_DYNAMIC:
    case CONSTANT_INVOKE_DYNAMIC:
        return check_dynamic(parse, constant, index);
    case CONSTANT_MODULE:
        return class_parse_expect_utf8(parse, NO_PLACE(parse), constant->first, "module name");
    case CONSTANT_PACKAGE:
        return class_parse_expect_utf8(parse, NO_PLACE(parse), constant->first, "package name");
    default:
        return true;
    }
}

/* Completes a problem that was set without a place. */
static void set_place(struct class_parse *parse, uint16_t index)
{
    parse->problem->offset = (size_t)(place_of(parse, index) - parse->bytes);
    class_parse_within(parse, "constant %u", index);
}

void constant_pool_fail(struct class_parse *parse, uint16_t index, const char *format, ...)
{
    if (!class_parse_ok(parse))
        return;
    va_list arguments;
    va_start(arguments, format);
    problem_set_list(parse->problem, 0, format, arguments);
    va_end(arguments);
    set_place(parse, index);
}

/* Each of these checks a list, which starts at `index`, and gives the index of the bad constant
   where it stopped, or 0. */

static NOT_INLINED uint32_t check_classes(struct class_parse *parse, uint32_t index)
{
    struct constant *constants = parse->class_file->constants;
    for (; index; index = parse->known[index].next) {
        struct constant *constant = &constants[index];
        if (!check_class(parse, constant))
            return index;
        constant->uses = class_constant_uses(parse->class_file, constant);
    }
    return 0;
}

static NOT_INLINED uint32_t check_names_and_types(struct class_parse *parse, uint32_t index)
{
    const struct constant *constants = parse->class_file->constants;
    for (; index; index = parse->known[index].next)
        if (!check_name_and_type(parse, &constants[index], index))
            return index;
    return 0;
}

static NOT_INLINED uint32_t check_members(struct class_parse *parse, uint32_t index)
{
    struct constant *constants = parse->class_file->constants;
    for (; index; index = parse->known[index].next) {
        struct constant *constant = &constants[index];
        if (!check_member(parse, constant))
            return index;
        const struct constant_knowledge *known = &parse->known[constant->second];
        constant->slots = (uint8_t)(known->slots + 1); /* 256 do not fit: not known */
        constant->uses = constant->tag == CONSTANT_METHOD  ? known->uses
                         : constant->tag == CONSTANT_FIELD ? SUITS_FIELD
                                                           : 0;
    }
    return 0;
}

static NOT_INLINED uint32_t check_others(struct class_parse *parse, uint32_t index)
{
    struct constant *constants = parse->class_file->constants;
    for (; index; index = parse->known[index].next) {
        if (!check_other(parse, &constants[index], index))
            return index;
        constants[index].uses = constants[index].tag == CONSTANT_STRING ? SUITS_LOAD : 0;
    }
    return 0;
}

static void check_constants(struct class_parse *parse, const struct lists *lists)
{
    uint32_t bad = check_classes(parse, lists->first[LIST_CLASSES]);
    if (!bad)
        bad = check_names_and_types(parse, lists->first[LIST_NAMES_AND_TYPES]);
    if (!bad)
        bad = check_members(parse, lists->first[LIST_MEMBERS]);
    if (!bad)
        bad = check_others(parse, lists->first[LIST_OTHERS]);
    if (bad)
        set_place(parse, (uint16_t)bad);
}

void constant_pool_read(struct class_parse *parse, struct reader *reader)
{
    struct class_file *class_file = parse->class_file;
    uint32_t count = reader_u2(reader);
    if (reader_ok(reader) && count == 0)
        class_parse_fail(parse, reader->bytes + reader->position - 2,
                         "the constant pool's count is 0; it counts the unused index 0 too");
    /* No constant takes less than 3 bytes for each index. */
    reader_count(reader, count ? count - 1 : 0, 3, "constants");
    if (!reader_ok(reader))
        return;
    class_file->constants = CLASS_PARSE_ARRAY(parse, struct constant, count);
    parse->known = CLASS_PARSE_ARRAY(parse, struct constant_knowledge, count);
    if (!class_file->constants || !parse->known)
        return;
    class_file->constant_count = (uint16_t)count;
    class_file->source = reader->bytes + reader->position;
    struct lists lists = {{0}};
    read_shapes(parse, reader, &lists);
    class_file->source_size = (size_t)(reader->bytes + reader->position - class_file->source);
    class_file->source_count = class_file->constant_count;
    if (class_parse_ok(parse))
        check_constants(parse, &lists);
}
