/*
 * sample: a class with one method, made by hand, for tests that decide every byte of its code.
 */
#ifndef TURNSTILE_TEST_SAMPLE_H
#define TURNSTILE_TEST_SAMPLE_H

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/problem.h"
#include "bytecode/decode.h"
#include "classfile/class_file.h"

enum { SAMPLE_CONSTANTS = 300, SAMPLE_ORIGIN = 1000 };

struct sample {
    struct constant constants[SAMPLE_CONSTANTS];
    struct class_file class_file;
    struct member method;
    struct attribute code_attribute;
    struct code code;
    struct arena arena;
    struct problem problem;
    struct bytecode bytecode;
    uint8_t *bytes; /* exactly as long as the code, so that the sanitizer sees reads behind it */
};

static inline uint16_t sample_constant(struct sample *sample, struct constant constant)
{
    constant.uses = class_constant_uses(&sample->class_file, &constant);
    sample->constants[sample->class_file.constant_count] = constant;
    return sample->class_file.constant_count++;
}

static inline uint16_t sample_utf8(struct sample *sample, const char *text)
{
    return sample_constant(sample, (struct constant){.tag = CONSTANT_UTF8,
                                                     .first = (uint16_t)strlen(text),
                                                     .value.utf8 = text});
}

/* A class, string or method type. */
static inline uint16_t sample_named(struct sample *sample, enum constant_tag tag, const char *name)
{
    const uint16_t utf8 = sample_utf8(sample, name);
    return sample_constant(sample, (struct constant){.tag = (uint8_t)tag, .first = utf8});
}

static inline uint16_t sample_name_and_type(struct sample *sample, const char *name,
                                            const char *descriptor)
{
    const uint16_t first = sample_utf8(sample, name);
    const uint16_t second = sample_utf8(sample, descriptor);
    return sample_constant(
        sample, (struct constant){.tag = CONSTANT_NAME_AND_TYPE, .first = first, .second = second});
}

/* A field or method of class p/Other. */
static inline uint16_t sample_member(struct sample *sample, enum constant_tag tag, const char *name,
                                     const char *descriptor)
{
    const uint16_t owner = sample_named(sample, CONSTANT_CLASS, "p/Other");
    const uint16_t type = sample_name_and_type(sample, name, descriptor);
    return sample_constant(sample,
                           (struct constant){.tag = (uint8_t)tag, .first = owner, .second = type});
}

/* A dynamic constant or call with bootstrap method 0. */
static inline uint16_t sample_dynamic(struct sample *sample, enum constant_tag tag,
                                      const char *name, const char *descriptor)
{
    const uint16_t type = sample_name_and_type(sample, name, descriptor);
    return sample_constant(sample, (struct constant){.tag = (uint8_t)tag, .second = type});
}

/* class p/Sample extends java.lang.Object { static void m() } */
static inline void sample_init(struct sample *sample, uint16_t major)
{
    *sample = (struct sample){0};
    arena_init(&sample->arena);
    struct class_file *class_file = &sample->class_file;
    class_file->arena = &sample->arena;
    class_file->major = major;
    class_file->constants = sample->constants;
    class_file->constant_count = 1;
    class_file->access = ACCESS_PUBLIC | ACCESS_SUPER;
    class_file->this_class = sample_named(sample, CONSTANT_CLASS, "p/Sample");
    class_file->super_class = sample_named(sample, CONSTANT_CLASS, "java/lang/Object");
    class_file->methods = &sample->method;
    class_file->method_count = 1;
    sample->method.access = ACCESS_STATIC;
    sample->method.name = sample_utf8(sample, "m");
    sample->method.descriptor = sample_utf8(sample, "()V");
    sample->method.attributes = (struct attributes){&sample->code_attribute, 1};
    sample->code_attribute.kind = ATTRIBUTE_CODE;
    sample->code_attribute.name_index = sample_utf8(sample, "Code");
    sample->code_attribute.as.code = &sample->code;
    sample->code.origin = SAMPLE_ORIGIN;
    sample->code.max_locals = 10;
    sample->code.max_stack = 10;
}

static inline void sample_release(struct sample *sample)
{
    free(sample->bytes);
    arena_release(&sample->arena);
}

static inline void sample_place_code(struct sample *sample, const uint8_t *bytes, size_t length,
                                     uint16_t margin)
{
    free(sample->bytes);
    sample->bytes = malloc(length + margin + 1);
    if (length)
        memcpy(sample->bytes, bytes, length);
    memset(sample->bytes + length, 0xC8, margin); /* goto_w, and part of anything */
    sample->code.bytes = sample->bytes;
    sample->code.length = (uint32_t)length;
    sample->code.margin = margin;
}

enum { SAMPLE_MARGIN = 16 };

/* Most code stands in a class file, where much follows it. */
static inline void sample_set_code(struct sample *sample, const uint8_t *bytes, size_t length)
{
    sample_place_code(sample, bytes, length, SAMPLE_MARGIN);
}

/* With and without anything behind the code: that must make no difference. */
static inline bool sample_decode(struct sample *sample, const uint8_t *bytes, size_t length)
{
    struct bytecode alone;
    struct problem problem;
    problem_clear(&problem);
    sample_place_code(sample, bytes, length, 0);
    bool good =
        bytecode_decode(&alone, &sample->arena, &sample->class_file, &sample->method, &problem);
    sample_set_code(sample, bytes, length);
    problem_clear(&sample->problem);
    assert_int_equal(bytecode_decode(&sample->bytecode, &sample->arena, &sample->class_file,
                                     &sample->method, &sample->problem),
                     good);
    assert_string_equal(sample->problem.reason, problem.reason);
    if (good) {
        assert_int_equal(sample->bytecode.count, alone.count);
        assert_memory_equal(sample->bytecode.instructions, alone.instructions,
                            (alone.count + 1) * sizeof *alone.instructions);
        assert_int_equal(sample->bytecode.branch_count, alone.branch_count);
    }
    return good;
}

/* SAMPLE_DECODE(&sample, OP_NOP, OP_RETURN) */
#define SAMPLE_DECODE(sample, ...)                                                                 \
    sample_decode((sample), (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* Two bytes of code for a constant index or a distance. */
#define TWO(number) (uint8_t)((unsigned)(number) >> 8 & 0xFF), (uint8_t)((number)&0xFF)
#define FOUR(number) TWO((unsigned)(number) >> 16), TWO((unsigned)(number)&0xFFFF)

#endif
