/*
 * class_builder: class files for the tests, byte by byte as JVMS chapter 4 describes them.
 *
 * It shares nothing with the tool's own writer. Constants are added in any order while the body
 * grows; class_build puts both together.
 */
#ifndef TURNSTILE_TEST_CLASS_BUILDER_H
#define TURNSTILE_TEST_CLASS_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BUILD_CAPACITY = 1 << 17 };

struct build_bytes {
    uint8_t bytes[BUILD_CAPACITY];
    size_t size;
};

struct class_build {
    uint16_t minor, major;
    uint16_t constant_count;
    struct build_bytes pool;
    struct build_bytes body;   /* from the access flags on */
    struct build_bytes result; /* class_build_finish */
};

/* ---- bytes ---- */

static inline void put_u1(struct build_bytes *to, unsigned value)
{
    if (to->size >= BUILD_CAPACITY)
        abort();
    to->bytes[to->size++] = (uint8_t)value;
}

static inline void put_u2(struct build_bytes *to, unsigned value)
{
    put_u1(to, value >> 8 & 0xFF);
    put_u1(to, value & 0xFF);
}

static inline void put_u4(struct build_bytes *to, uint32_t value)
{
    put_u2(to, value >> 16);
    put_u2(to, value & 0xFFFF);
}

static inline void put_bytes(struct build_bytes *to, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        put_u1(to, ((const uint8_t *)bytes)[i]);
}

/* ---- constants: each gives its index ---- */

static inline uint16_t add_constant(struct class_build *build, unsigned tag)
{
    put_u1(&build->pool, tag);
    return build->constant_count++;
}

static inline uint16_t add_utf8_bytes(struct class_build *build, const void *bytes, size_t size)
{
    uint16_t index = add_constant(build, 1);
    put_u2(&build->pool, (unsigned)size);
    put_bytes(&build->pool, bytes, size);
    return index;
}

static inline uint16_t add_utf8(struct class_build *build, const char *text)
{
    return add_utf8_bytes(build, text, strlen(text));
}

static inline uint16_t add_u2(struct class_build *build, unsigned tag, unsigned first)
{
    uint16_t index = add_constant(build, tag);
    put_u2(&build->pool, first);
    return index;
}

static inline uint16_t add_u2_u2(struct class_build *build, unsigned tag, unsigned first,
                                 unsigned second)
{
    uint16_t index = add_u2(build, tag, first);
    put_u2(&build->pool, second);
    return index;
}

static inline uint16_t add_u4(struct class_build *build, unsigned tag, uint32_t value)
{
    uint16_t index = add_constant(build, tag);
    put_u4(&build->pool, value);
    return index;
}

/* Long (5) or Double (6): takes two indices. */
static inline uint16_t add_u8(struct class_build *build, unsigned tag, uint64_t value)
{
    uint16_t index = add_constant(build, tag);
    put_u4(&build->pool, (uint32_t)(value >> 32));
    put_u4(&build->pool, (uint32_t)value);
    build->constant_count++;
    return index;
}

static inline uint16_t add_class(struct class_build *build, const char *name)
{
    uint16_t utf8 = add_utf8(build, name);
    return add_u2(build, 7, utf8);
}

static inline uint16_t add_name_and_type(struct class_build *build, const char *name,
                                         const char *descriptor)
{
    uint16_t first = add_utf8(build, name);
    uint16_t second = add_utf8(build, descriptor);
    return add_u2_u2(build, 12, first, second);
}

/* Fieldref (9), Methodref (10) or InterfaceMethodref (11). */
static inline uint16_t add_member(struct class_build *build, unsigned tag, const char *owner,
                                  const char *name, const char *descriptor)
{
    uint16_t class_index = add_class(build, owner);
    uint16_t name_and_type = add_name_and_type(build, name, descriptor);
    return add_u2_u2(build, tag, class_index, name_and_type);
}

static inline uint16_t add_method_handle(struct class_build *build, unsigned kind, unsigned member)
{
    uint16_t index = add_constant(build, 15);
    put_u1(&build->pool, kind);
    put_u2(&build->pool, member);
    return index;
}

/* ---- the class ---- */

static inline void class_build_init(struct class_build *build, unsigned major)
{
    build->minor = 0;
    build->major = (uint16_t)major;
    build->constant_count = 1;
    build->pool.size = build->body.size = build->result.size = 0;
}

/* Access flags, this and super: what stands before the count of interfaces. */
static inline void put_class(struct class_build *build, unsigned access, const char *name,
                             const char *super)
{
    put_u2(&build->body, access);
    put_u2(&build->body, add_class(build, name));
    put_u2(&build->body, super ? add_class(build, super) : 0);
}

/* Flags, name and descriptor of a field or method. */
static inline void put_member(struct class_build *build, unsigned access, const char *name,
                              const char *descriptor)
{
    put_u2(&build->body, access);
    put_u2(&build->body, add_utf8(build, name));
    put_u2(&build->body, add_utf8(build, descriptor));
}

/* Starts an attribute; its length is filled in by end_attribute. */
static inline size_t begin_attribute(struct class_build *build, const char *name)
{
    put_u2(&build->body, add_utf8(build, name));
    put_u4(&build->body, 0);
    return build->body.size;
}

static inline void end_attribute(struct class_build *build, size_t start)
{
    size_t length = build->body.size - start;
    for (int i = 0; i < 4; i++)
        build->body.bytes[start - 4 + (size_t)i] = (uint8_t)(length >> (24 - 8 * i));
}

/* An attribute that holds one index. */
static inline void put_index_attribute(struct class_build *build, const char *name, unsigned index)
{
    size_t start = begin_attribute(build, name);
    put_u2(&build->body, index);
    end_attribute(build, start);
}

static inline const struct build_bytes *class_build_finish(struct class_build *build)
{
    struct build_bytes *result = &build->result;
    result->size = 0;
    put_u4(result, 0xCAFEBABE);
    put_u2(result, build->minor);
    put_u2(result, build->major);
    put_u2(result, build->constant_count);
    put_bytes(result, build->pool.bytes, build->pool.size);
    put_bytes(result, build->body.bytes, build->body.size);
    return result;
}

/* A class p/A without members and interfaces; the count of its attributes is to follow. */
static inline void put_plain_class(struct class_build *build)
{
    put_class(build, 0x0021, "p/A", "java/lang/Object");
    put_u2(&build->body, 0);
    put_u2(&build->body, 0);
    put_u2(&build->body, 0);
}

#endif
