#include "classfile/member_reader.h"

#include <string.h>

#include "classfile/attribute_reader.h"

/* ---- flags ---- */

static bool has(unsigned flags, unsigned wanted)
{
    return (flags & wanted) != 0;
}

/* At most one of public, private and protected. */
static bool is_visibility_clear(unsigned flags)
{
    unsigned visibility = flags & (ACCESS_PUBLIC | ACCESS_PRIVATE | ACCESS_PROTECTED);
    return (visibility & (visibility - 1)) == 0;
}

static bool are_field_flags_legal(const struct class_file *class_file, unsigned flags)
{
    if (!has(class_file->access, ACCESS_INTERFACE))
        return is_visibility_clear(flags) &&
               !(has(flags, ACCESS_FINAL) && has(flags, ACCESS_VOLATILE));
    unsigned needed = ACCESS_PUBLIC | ACCESS_STATIC | ACCESS_FINAL;
    unsigned forbidden = ACCESS_PRIVATE | ACCESS_PROTECTED | ACCESS_VOLATILE | ACCESS_TRANSIENT;
    if (class_file->major >= 49)
        forbidden |= ACCESS_ENUM;
    return (flags & needed) == needed && !has(flags, forbidden);
}

static bool are_interface_method_flags_legal(unsigned major, unsigned flags)
{
    if (major >= 52) {
        unsigned forbidden = ACCESS_NATIVE | ACCESS_PROTECTED | ACCESS_FINAL | ACCESS_SYNCHRONIZED;
        unsigned not_abstract = ACCESS_PRIVATE | ACCESS_STATIC | (major < 61 ? ACCESS_STRICT : 0u);
        return has(flags, ACCESS_PUBLIC) != has(flags, ACCESS_PRIVATE) && !has(flags, forbidden) &&
               !(has(flags, ACCESS_ABSTRACT) && has(flags, not_abstract));
    }
    unsigned forbidden = ACCESS_STATIC | ACCESS_FINAL | ACCESS_NATIVE;
    if (major >= 49)
        forbidden |= ACCESS_PRIVATE | ACCESS_PROTECTED | ACCESS_SYNCHRONIZED | ACCESS_STRICT;
    return has(flags, ACCESS_PUBLIC) && has(flags, ACCESS_ABSTRACT) && !has(flags, forbidden);
}

static bool are_method_flags_legal(const struct class_file *class_file, struct text name,
                                   unsigned flags)
{
    unsigned major = class_file->major;
    if (has(class_file->access, ACCESS_INTERFACE))
        return are_interface_method_flags_legal(major, flags);
    if (!is_visibility_clear(flags))
        return false;
    if (name.bytes[0] == '<' && text_equal(name, TEXT("<init>"))) {
        unsigned forbidden =
            ACCESS_STATIC | ACCESS_FINAL | ACCESS_SYNCHRONIZED | ACCESS_NATIVE | ACCESS_ABSTRACT;
        return !has(flags, forbidden | (major >= 49 ? ACCESS_BRIDGE : 0u));
    }
    if (!has(flags, ACCESS_ABSTRACT))
        return true;
    unsigned forbidden = ACCESS_FINAL | ACCESS_NATIVE | ACCESS_PRIVATE | ACCESS_STATIC;
    if (major >= 49)
        forbidden |= ACCESS_SYNCHRONIZED | (major < 61 ? ACCESS_STRICT : 0u);
    return !has(flags, forbidden);
}

/* Checks the flags of a method and gives those that count: the JVM looks only at `static` in a
   class initializer, and up to version 50 not even at that. */
static uint16_t effective_method_flags(struct class_parse *parse, const uint8_t *at,
                                       const struct member *method)
{
    const struct class_file *class_file = parse->class_file;
    struct text name = class_utf8(class_file, method->name);
    if (name.bytes[0] == '<' && text_equal(name, TEXT("<clinit>"))) {
        if (class_file->major >= 51 && !has(method->access, ACCESS_STATIC))
            class_parse_fail(parse, at, "<clinit> is not static");
        return class_method_access(class_file, method);
    }
    if (has(class_file->access, ACCESS_INTERFACE) && text_equal(name, TEXT("<init>")))
        class_parse_fail(parse, at, "an interface has no <init>");
    if (!are_method_flags_legal(class_file, name, method->access))
        class_parse_fail(parse, at, "flags 0x%04X are not allowed together", method->access);
    return method->access;
}

/* ---- one member ---- */

static void read_field_rest(struct class_parse *parse, struct reader *reader, const uint8_t *at,
                            struct member *field)
{
    if (!class_parse_check_field(parse, at + 2, field->name, field->descriptor))
        return;
    if (!are_field_flags_legal(parse->class_file, field->access)) {
        class_parse_fail(parse, at, "flags 0x%04X are not allowed together", field->access);
        return;
    }
    struct attribute_owner owner = {
        .place = IN_FIELD, .access = field->access, .descriptor = field->descriptor};
    attribute_read_all(parse, reader, &owner, &field->attributes);
}

static void read_method_rest(struct class_parse *parse, struct reader *reader, const uint8_t *at,
                             struct member *method)
{
    if (!class_parse_check_method(parse, at + 2, method->name, method->descriptor) ||
        !class_parse_check_initializer(parse, at + 2, method->name, method->descriptor))
        return;
    uint16_t flags = effective_method_flags(parse, at, method);
    unsigned slots = parse->known[method->descriptor].slots + (has(flags, ACCESS_STATIC) ? 0u : 1u);
    if (slots > 255)
        class_parse_fail(parse, at + 4, "%u slots of parameters; there may be 255 with `this`",
                         slots);
    if (!class_parse_ok(parse))
        return;
    struct attribute_owner owner = {
        .place = IN_METHOD, .access = flags, .descriptor = method->descriptor};
    attribute_read_all(parse, reader, &owner, &method->attributes);
    if (class_parse_ok(parse) && !has(flags, ACCESS_NATIVE | ACCESS_ABSTRACT) &&
        !member_code(method))
        class_parse_fail(parse, at, "has no code, but is neither abstract nor native");
}

typedef void (*read_rest_function)(struct class_parse *parse, struct reader *reader,
                                   const uint8_t *at, struct member *member);

static bool read_member(struct class_parse *parse, struct reader *reader, struct member *member,
                        const char *what, read_rest_function read_rest)
{
    const uint8_t *at = reader_bytes(reader, 6);
    if (!at)
        return false;
    *member = (struct member){.access = class_parse_u2(at),
                              .name = class_parse_u2(at + 2),
                              .descriptor = class_parse_u2(at + 4)};
    if (!class_parse_expect_utf8(parse, at + 2, member->name, "name") ||
        !class_parse_expect_utf8(parse, at + 4, member->descriptor, "descriptor")) {
        class_parse_within(parse, "%s", what);
        return false;
    }
    read_rest(parse, reader, at, member);
    if (class_parse_ok(parse))
        return true;
    struct text name = class_utf8(parse->class_file, member->name);
    class_parse_within(parse, "%s %.*s", what, CLASS_PARSE_SHORT(name));
    return false;
}

/* ---- all of them ---- */

static bool is_same_text(const struct class_file *class_file, uint16_t a, uint16_t b)
{
    return a == b || text_equal(class_utf8(class_file, a), class_utf8(class_file, b));
}

/* The last eight bytes of a text in the file, fewer if it is shorter, as a number. The file has
   more than that before its first text. */
static uint64_t tail_of(struct text text)
{
    const uint8_t *tail = (const uint8_t *)text.bytes + text.length - 8;
    size_t missing = text.length < 8 ? 8 - text.length : 0;
    return ((uint64_t)class_parse_u4(tail) << 32 | class_parse_u4(tail + 4)) << 8 * missing;
}

/* Neither text is empty. Names and descriptors that differ mostly do so in length or at the end;
   for others the hash can be made of the whole texts. */
static uint32_t hash_of(struct text name, struct text descriptor, bool of_all)
{
    const uint64_t multiplier = 0x9E3779B97F4A7C15u;
    uint64_t first = of_all ? text_hash(name) : tail_of(name) + name.length;
    uint64_t second = of_all ? text_hash(descriptor) : tail_of(descriptor) + descriptor.length;
    uint64_t hash = first * multiplier;
    hash = ((hash ^ hash >> 32) + second) * multiplier;
    return (uint32_t)(hash >> 32);
}

/* Which of the members has the same name and descriptor as one before it; `count` if none has. A
   hash table of their numbers, plus one, finds out. */
static uint16_t find_duplicate(const struct class_file *class_file, const struct member *members,
                               uint16_t count, uint16_t *slots, uint32_t slot_count, bool of_all)
{
    memset(slots, 0, slot_count * sizeof *slots);
    uint32_t collisions = 0;
    for (uint16_t i = 0; i < count; i++) {
        const struct member *member = &members[i];
        uint32_t slot = hash_of(class_utf8(class_file, member->name),
                                class_utf8(class_file, member->descriptor), of_all);
        for (slot &= slot_count - 1; slots[slot]; slot = (slot + 1) & (slot_count - 1)) {
            const struct member *other = &members[slots[slot] - 1];
            if (is_same_text(class_file, other->name, member->name) &&
                is_same_text(class_file, other->descriptor, member->descriptor))
                return i;
            collisions++;
        }
        slots[slot] = (uint16_t)(i + 1);
        if (collisions > 64 + slot_count && !of_all)
            return find_duplicate(class_file, members, count, slots, slot_count, true);
    }
    return count;
}

static void check_duplicates(struct class_parse *parse, const uint8_t *at,
                             const struct member *members, uint16_t count, const char *what)
{
    const struct class_file *class_file = parse->class_file;
    uint32_t slot_count = 8;
    while (slot_count < count * UINT32_C(4))
        slot_count *= 2;
    uint16_t *slots = CLASS_PARSE_ARRAY(parse, uint16_t, slot_count);
    if (!slots)
        return;
    uint16_t found = find_duplicate(class_file, members, count, slots, slot_count, false);
    arena_shrink(parse->arena, slots, 0, slot_count * sizeof *slots);
    if (found == count)
        return;
    struct text name = class_utf8(class_file, members[found].name);
    struct text type = class_utf8(class_file, members[found].descriptor);
    class_parse_fail(parse, at, "%s %.*s with descriptor %.*s stands twice", what,
                     CLASS_PARSE_SHORT(name), CLASS_PARSE_SHORT(type));
}

static struct member *read_members(struct class_parse *parse, struct reader *reader,
                                   uint16_t *count, const char *what, const char *plural,
                                   read_rest_function read_rest)
{
    const uint8_t *at = reader->bytes + reader->position;
    *count = reader_u2(reader);
    *count = class_parse_count(reader, *count, 8, plural);
    struct member *members = CLASS_PARSE_ARRAY(parse, struct member, *count);
    if (!members)
        return NULL;
    for (uint16_t i = 0; i < *count; i++)
        if (!read_member(parse, reader, &members[i], what, read_rest))
            return members;
    if (*count > 1 && class_parse_ok(parse))
        check_duplicates(parse, at, members, *count, what);
    return members;
}

void member_read_fields(struct class_parse *parse, struct reader *reader)
{
    struct class_file *class_file = parse->class_file;
    class_file->fields =
        read_members(parse, reader, &class_file->field_count, "field", "fields", read_field_rest);
}

void member_read_methods(struct class_parse *parse, struct reader *reader)
{
    struct class_file *class_file = parse->class_file;
    class_file->methods = read_members(parse, reader, &class_file->method_count, "method",
                                       "methods", read_method_rest);
}
