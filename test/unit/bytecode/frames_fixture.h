/*
 * frames_fixture: one class with one method, put together by hand, and its frames as text.
 */
#ifndef TURNSTILE_TEST_FRAMES_FIXTURE_H
#define TURNSTILE_TEST_FRAMES_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/builder.h"
#include "bytecode/frames.h"

enum { FIXTURE_CONSTANTS = 64, FIXTURE_HANDLERS = 8, FIXTURE_FRAMES = 8 };

struct fixture {
    struct arena arena;
    struct class_file class_file;
    struct constant constants[FIXTURE_CONSTANTS];
    struct member method;
    struct attribute attributes[1];
    struct attribute code_attributes[1];
    struct code code;
    struct exception_handler handlers[FIXTURE_HANDLERS];
    struct stack_map map;
    struct stack_map_frame map_frames[FIXTURE_FRAMES];

    struct bytecode bytecode;
    struct flow flow;
    struct type_table table;
    struct frames frames;
    struct problem problem;
    struct builder builder;
};

/* ---- the classes of the tests: A and B extend Base, C extends A, Base extends Object; I is an
 * interface ---- */

static inline struct text fixture_super(struct text name)
{
    if (text_is(name, "A") || text_is(name, "B"))
        return TEXT("Base");
    if (text_is(name, "C"))
        return TEXT("A");
    return TEXT("java/lang/Object");
}

static inline bool fixture_is_above(struct text above, struct text name)
{
    for (;; name = fixture_super(name)) {
        if (text_equal(above, name))
            return true;
        if (text_is(name, "java/lang/Object"))
            return false;
    }
}

static inline struct text fixture_common(void *context, struct text a, struct text b)
{
    (void)context;
    if (text_is(a, "I") || text_is(b, "I"))
        return TEXT("java/lang/Object");
    while (!fixture_is_above(a, b))
        a = fixture_super(a);
    return a;
}

static const struct type_hierarchy fixture_hierarchy = {.common_superclass = fixture_common};

/* ---- constants ---- */

static inline uint16_t fixture_add(struct fixture *fixture, struct constant constant)
{
    assert_true(fixture->class_file.constant_count < FIXTURE_CONSTANTS);
    constant.uses = class_constant_uses(&fixture->class_file, &constant);
    fixture->constants[fixture->class_file.constant_count] = constant;
    return fixture->class_file.constant_count++;
}

static inline uint16_t fixture_utf8(struct fixture *fixture, const char *string)
{
    struct constant constant = {.tag = CONSTANT_UTF8, .first = (uint16_t)strlen(string)};
    constant.value.utf8 = string;
    return fixture_add(fixture, constant);
}

/* A class, string or method type. */
static inline uint16_t fixture_named(struct fixture *fixture, enum constant_tag tag,
                                     const char *name)
{
    const uint16_t utf8 = fixture_utf8(fixture, name);
    return fixture_add(fixture, (struct constant){.tag = (uint8_t)tag, .first = utf8});
}

static inline uint16_t fixture_class(struct fixture *fixture, const char *name)
{
    return fixture_named(fixture, CONSTANT_CLASS, name);
}

static inline uint16_t fixture_member(struct fixture *fixture, enum constant_tag tag,
                                      const char *owner, const char *name, const char *descriptor)
{
    const uint16_t class = fixture_class(fixture, owner);
    const uint16_t name_index = fixture_utf8(fixture, name);
    const uint16_t descriptor_index = fixture_utf8(fixture, descriptor);
    const uint16_t name_and_type =
        fixture_add(fixture, (struct constant){.tag = CONSTANT_NAME_AND_TYPE,
                                               .first = name_index,
                                               .second = descriptor_index});
    return fixture_add(
        fixture, (struct constant){.tag = (uint8_t)tag, .first = class, .second = name_and_type});
}

/* ---- the method ---- */

/* A class "T" of that version. */
static inline void fixture_init(struct fixture *fixture, uint16_t major)
{
    memset(fixture, 0, sizeof *fixture);
    arena_init(&fixture->arena);
    builder_init(&fixture->builder);
    fixture->class_file.arena = &fixture->arena;
    fixture->class_file.constants = fixture->constants;
    fixture->class_file.constant_count = 1;
    fixture->class_file.major = major;
    fixture->class_file.this_class = fixture_class(fixture, "T");
    fixture->class_file.super_class = fixture_class(fixture, "java/lang/Object");
    fixture->class_file.methods = &fixture->method;
    fixture->class_file.method_count = 1;
    assert_true(type_table_init(&fixture->table, &fixture->arena, &fixture_hierarchy));
}

static inline void fixture_release(struct fixture *fixture)
{
    type_table_release(&fixture->table);
    builder_release(&fixture->builder);
    arena_release(&fixture->arena);
}

static inline void fixture_method(struct fixture *fixture, uint16_t access, const char *name,
                                  const char *descriptor, uint16_t max_stack, uint16_t max_locals)
{
    fixture->code.max_stack = max_stack;
    fixture->code.max_locals = max_locals;
    fixture->code.handlers = fixture->handlers;
    fixture->code.attributes.items = fixture->code_attributes;
    fixture->attributes[0].kind = ATTRIBUTE_CODE;
    fixture->attributes[0].as.code = &fixture->code;
    fixture->method.access = access;
    fixture->method.name = fixture_utf8(fixture, name);
    fixture->method.descriptor = fixture_utf8(fixture, descriptor);
    fixture->method.attributes.items = fixture->attributes;
    fixture->method.attributes.count = 1;
}

#define FIXTURE_CODE(fixture, ...)                                                                 \
    do {                                                                                           \
        static const uint8_t fixture_bytes[] = {__VA_ARGS__};                                      \
        (fixture)->code.bytes = fixture_bytes;                                                     \
        (fixture)->code.length = sizeof fixture_bytes;                                             \
    } while (0)

static inline void fixture_handler(struct fixture *fixture, uint16_t start, uint16_t end,
                                   uint16_t handler, uint16_t catch_type)
{
    assert_true(fixture->code.handler_count < FIXTURE_HANDLERS);
    fixture->handlers[fixture->code.handler_count++] =
        (struct exception_handler){start, end, handler, catch_type};
}

/* One more entry of the StackMapTable. */
static inline void fixture_entry(struct fixture *fixture, struct stack_map_frame entry)
{
    assert_true(fixture->map.count < FIXTURE_FRAMES);
    fixture->map_frames[fixture->map.count++] = entry;
    fixture->map.frames = fixture->map_frames;
    fixture->code_attributes[0].kind = ATTRIBUTE_STACK_MAP_TABLE;
    fixture->code_attributes[0].as.stack_map = &fixture->map;
    fixture->code.attributes.count = 1;
}

/* ---- frames ---- */

/* False with fixture->problem set if the frames cannot be computed. */
static inline bool fixture_compute(struct fixture *fixture, enum frames_source source)
{
    problem_clear(&fixture->problem);
    if (!bytecode_decode(&fixture->bytecode, &fixture->arena, &fixture->class_file,
                         &fixture->method, &fixture->problem))
        fail_msg("cannot be decoded: %s", fixture->problem.reason);
    assert_true(flow_build(&fixture->flow, &fixture->arena, &fixture->bytecode));
    return frames_compute(&fixture->frames, &fixture->arena, &fixture->flow, &fixture->table,
                          source, &fixture->problem);
}

static inline void fixture_add_places(struct fixture *fixture, const frame_type *places,
                                      unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            builder_add_byte(&fixture->builder, ' ');
        type_table_print(&fixture->table, &fixture->bytecode, places[i], &fixture->builder);
    }
}

struct fixture_visit {
    struct fixture *fixture;
    uint32_t wanted;
};

static inline bool fixture_visit(void *context, uint32_t instruction, const struct frame *frame)
{
    struct fixture_visit *visit = context;
    struct fixture *fixture = visit->fixture;
    if (instruction != visit->wanted)
        return true;
    if (!frame->reached) {
        builder_add_string(&fixture->builder, "not reached");
        return true;
    }
    fixture_add_places(fixture, frame->locals, frame->local_count);
    builder_add_string(&fixture->builder, " | ");
    fixture_add_places(fixture, frame->stack, frame->stack_count);
    return true;
}

/* The frame before the instruction at a byte offset: "T int | java/lang/String". */
static inline const char *fixture_frame(struct fixture *fixture, uint32_t offset)
{
    struct fixture_visit visit = {fixture, bytecode_number_at(&fixture->bytecode, offset)};
    assert_true(visit.wanted < fixture->bytecode.count);
    builder_clear(&fixture->builder);
    if (!frames_walk(&fixture->frames, &fixture->arena, fixture_visit, &visit, &fixture->problem))
        fail_msg("cannot be walked: %s", fixture->problem.reason);
    return builder_string(&fixture->builder);
}

#define assert_frame(fixture, offset, expected)                                                    \
    assert_string_equal(fixture_frame((fixture), (offset)), (expected))

#define assert_computes(fixture, source)                                                           \
    do {                                                                                           \
        if (!fixture_compute((fixture), (source)))                                                 \
            fail_msg("%s", (fixture)->problem.reason);                                             \
    } while (0)

/* The frames cannot be computed, and the reason says so. */
#define assert_refused(fixture, source, reason_part)                                               \
    do {                                                                                           \
        assert_false(fixture_compute((fixture), (source)));                                        \
        if (!strstr((fixture)->problem.reason, (reason_part)))                                     \
            fail_msg("the reason is: %s", (fixture)->problem.reason);                              \
    } while (0)

#endif
