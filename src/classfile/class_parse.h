/*
 * class_parse: what the parts of the class reader share while one class is read.
 *
 * Internal to the reader (class_reader, constant_pool, member_reader, attribute_reader and the
 * readers of single attributes). Errors are sticky: whoever finds one sets the problem and returns;
 * all others see it through reader_ok. Utf8 constants are looked at once: what was found out about
 * each is kept beside it, so that a constant that is used a thousand times does not cost a thousand
 * checks.
 */
#ifndef TURNSTILE_CLASSFILE_CLASS_PARSE_H
#define TURNSTILE_CLASSFILE_CLASS_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/problem.h"
#include "base/reader.h"
#include "classfile/class_file.h"

/* What is known of a constant. A bit that is not set says nothing. */
enum constant_fact {
    FACT_CLASS_NAME = 1, /* Utf8 */
    FACT_FIELD_NAME = 2,
    FACT_METHOD_NAME = 4,
    FACT_FIELD_DESCRIPTOR = 8,
    FACT_METHOD_DESCRIPTOR = 16,
    /* name and type: it is well-formed, and */
    FACT_OF_FIELD = 32,
    FACT_OF_METHOD = 64
};

struct constant_knowledge {
    uint8_t facts;          /* enum constant_fact */
    uint8_t slots;          /* method descriptor, name and type of a method: of its parameters */
    uint8_t attribute_kind; /* Utf8: 1 + the kind that it names in this version; 0: unasked */
    uint8_t uses;           /* name and type: enum constant_use of the methods that have it */
    uint32_t next;          /* the next one that is checked alike, or 0 */
};

struct class_parse {
    struct class_file *class_file;
    struct arena *arena;
    struct problem *problem;
    const uint8_t *bytes;             /* the whole file */
    const uint8_t *end;               /* of the file */
    struct constant_knowledge *known; /* by constant index */
    unsigned annotation_depth;
    uint16_t module_constant;  /* some Module or Package constant, or 0 */
    uint16_t dynamic_constant; /* the one with the highest bootstrap number, or 0 */
};

static inline bool class_parse_ok(const struct class_parse *parse)
{
    return !parse->problem->set;
}

/* ---- reporting ---- */

/* `at` points to the bad byte in the file. */
void class_parse_fail(struct class_parse *parse, const uint8_t *at, const char *format, ...)
    __attribute__((cold, format(printf, 3, 4)));

/* Puts "CONTEXT: " before the reason. Running out of memory has no context. */
void class_parse_within(struct class_parse *parse, const char *format, ...)
    __attribute__((cold, format(printf, 2, 3)));

bool class_parse_out_of_memory(const struct class_parse *parse);

/* For messages: a text cut to what fits on a line, as the two arguments of "%.*s". */
#define CLASS_PARSE_SHORT(text) (int)((text).length < 60 ? (text).length : 60), (text).bytes

/* ---- memory ---- */

/* Fails because there is no memory. */
__attribute__((cold)) void class_parse_fail_memory(struct class_parse *parse);

/* NULL with the problem set when there is no memory. No count that a class file can hold makes the
   product overflow. */
static inline void *class_parse_allocate(struct class_parse *parse, uint32_t count, size_t size,
                                         size_t alignment)
{
    void *block = arena_allocate(parse->arena, count * size, alignment);
    if (!block)
        class_parse_fail_memory(parse);
    return block;
}

#define CLASS_PARSE_ARRAY(parse, type, count)                                                      \
    ((type *)class_parse_allocate((parse), (count), sizeof(type), alignof(type)))
#define CLASS_PARSE_NEW(parse, type) CLASS_PARSE_ARRAY(parse, type, 1)

/* ---- bytes ---- */

static inline uint16_t class_parse_u2(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static inline uint32_t class_parse_u4(const uint8_t *bytes)
{
    return (uint32_t)class_parse_u2(bytes) << 16 | class_parse_u2(bytes + 2);
}

/* What reader_count does, without a call in the usual case. */
static inline uint16_t class_parse_count(struct reader *reader, uint16_t count, size_t item_size,
                                         const char *what)
{
    if (count * item_size <= reader_left(reader) && reader_ok(reader))
        return count;
    return (uint16_t)reader_count(reader, count, item_size, what);
}

/* A table of items of one size: reads its count and skips the items. Their bytes, or NULL. */
static inline const uint8_t *class_parse_table(struct reader *reader, uint16_t *count,
                                               size_t item_size, const char *what)
{
    *count = reader_u2(reader);
    *count = class_parse_count(reader, *count, item_size, what);
    return reader_bytes(reader, *count * item_size);
}

/* ---- constants ---- */

/* Sets of constant tags. */
#define TAG_SET(tag) (UINT32_C(1) << (tag))
#define TAGS_LOADABLE                                                                              \
    (TAG_SET(CONSTANT_INTEGER) | TAG_SET(CONSTANT_FLOAT) | TAG_SET(CONSTANT_LONG) |                \
     TAG_SET(CONSTANT_DOUBLE) | TAG_SET(CONSTANT_CLASS) | TAG_SET(CONSTANT_STRING) |               \
     TAG_SET(CONSTANT_METHOD_HANDLE) | TAG_SET(CONSTANT_METHOD_TYPE) | TAG_SET(CONSTANT_DYNAMIC))

static inline bool class_parse_is(const struct class_parse *parse, uint16_t index, uint32_t tags)
{
    return index < parse->class_file->constant_count &&
           (tags >> parse->class_file->constants[index].tag & 1);
}

/* Fails with why `index`, called `what`, is none of the tags. */
__attribute__((cold)) void class_parse_fail_index(struct class_parse *parse, const uint8_t *at,
                                                  uint16_t index, uint32_t tags, const char *what);

/* True if the index refers to a constant of one of the tags; else fails. */
static inline bool class_parse_expect(struct class_parse *parse, const uint8_t *at, uint16_t index,
                                      uint32_t tags, const char *what)
{
    if (class_parse_is(parse, index, tags))
        return true;
    class_parse_fail_index(parse, at, index, tags, what);
    return false;
}

/* The same, but 0 is allowed too. */
static inline bool class_parse_expect_or_0(struct class_parse *parse, const uint8_t *at,
                                           uint16_t index, uint32_t tags, const char *what)
{
    return index == 0 || class_parse_expect(parse, at, index, tags, what);
}

static inline bool class_parse_expect_utf8(struct class_parse *parse, const uint8_t *at,
                                           uint16_t index, const char *what)
{
    return class_parse_expect(parse, at, index, TAG_SET(CONSTANT_UTF8), what);
}

static inline bool class_parse_expect_class(struct class_parse *parse, const uint8_t *at,
                                            uint16_t index, const char *what)
{
    return class_parse_expect(parse, at, index, TAG_SET(CONSTANT_CLASS), what);
}

/* Whether the Utf8 constant is what the fact says; checked once. */
bool class_parse_check_fact(struct class_parse *parse, uint16_t utf8, enum constant_fact fact);

static inline bool class_parse_has_fact(struct class_parse *parse, uint16_t utf8,
                                        enum constant_fact fact)
{
    return (parse->known[utf8].facts & fact) || class_parse_check_fact(parse, utf8, fact);
}

/* Name and descriptor, both Utf8, of a field or method, as JVMS 4.2.2, 4.3 and 2.9 demand. */
bool class_parse_check_new_field(struct class_parse *parse, const uint8_t *at, uint16_t name,
                                 uint16_t descriptor);
bool class_parse_check_method(struct class_parse *parse, const uint8_t *at, uint16_t name,
                              uint16_t descriptor);

/* Whether a good name and descriptor of a method are good together: a name in angle brackets allows
   only some descriptors. The JVM asks where a method is declared or called; what nobody calls may
   be as it likes. */
bool class_parse_check_initializer(struct class_parse *parse, const uint8_t *at, uint16_t name,
                                   uint16_t descriptor);

/* Whether both are known to be those of a field; then they are Utf8 as well. */
static inline bool class_parse_is_known_field(const struct class_parse *parse, uint16_t name,
                                              uint16_t descriptor)
{
    const unsigned count = parse->class_file->constant_count;
    return name < count && descriptor < count && (parse->known[name].facts & FACT_FIELD_NAME) &&
           (parse->known[descriptor].facts & FACT_FIELD_DESCRIPTOR);
}

static inline bool class_parse_check_field(struct class_parse *parse, const uint8_t *at,
                                           uint16_t name, uint16_t descriptor)
{
    return class_parse_is_known_field(parse, name, descriptor) ||
           class_parse_check_new_field(parse, at, name, descriptor);
}

#endif
