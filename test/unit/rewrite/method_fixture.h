/*
 * method_fixture: one method made by hand, an editor for it, and looks at what came out.
 */
#ifndef TURNSTILE_TEST_METHOD_FIXTURE_H
#define TURNSTILE_TEST_METHOD_FIXTURE_H

#include "bytecode/sample.h"
#include "rewrite/method_editor.h"
#include "support.h"

struct method_fixture {
    struct sample sample; /* class p/Sample { static void m() } until the test changes it */
    struct class_editor editor;
    struct arena scratch;
    struct method_editor edit;
    struct snippet nop;     /* one byte */
    struct snippet snippet; /* for the test to fill */
    struct problem problem;
};

static inline void method_fixture_start(struct method_fixture *fixture, uint16_t major)
{
    sample_init(&fixture->sample, major);
    arena_init(&fixture->scratch);
    class_editor_init(&fixture->editor, &fixture->sample.class_file);
    snippet_init(&fixture->nop, &fixture->editor);
    snippet_add(&fixture->nop, OP_NOP);
    snippet_init(&fixture->snippet, &fixture->editor);
    problem_clear(&fixture->problem);
}

static inline void method_fixture_end(struct method_fixture *fixture)
{
    snippet_release(&fixture->nop);
    snippet_release(&fixture->snippet);
    class_editor_release(&fixture->editor);
    arena_release(&fixture->scratch);
    sample_release(&fixture->sample);
}

/* What stands behind the code must make no difference: some tests run twice. */
static uint16_t method_fixture_margin = SAMPLE_MARGIN;

static inline void method_fixture_open(struct method_fixture *fixture, const uint8_t *bytes,
                                       size_t length)
{
    sample_place_code(&fixture->sample, bytes, length, method_fixture_margin);
    if (!method_editor_init(&fixture->edit, &fixture->editor, &fixture->sample.method,
                            &fixture->scratch, NULL, &fixture->problem))
        fail_msg("%s", fixture->problem.reason);
}

#define METHOD_OPEN(fixture, ...)                                                                  \
    method_fixture_open((fixture), (const uint8_t[]){__VA_ARGS__},                                 \
                        sizeof((const uint8_t[]){__VA_ARGS__}))

/* Applies and expects that it works. */
static inline const struct code *method_fixture_apply(struct method_fixture *fixture)
{
    enum rewrite_result result = method_editor_apply(&fixture->edit, &fixture->problem);
    if (result != REWRITE_DONE)
        fail_msg("result %d: %s", (int)result,
                 fixture->problem.set ? fixture->problem.reason : "no reason");
    return &fixture->sample.code;
}

/* Expects a refusal that leaves the method as it was. */
static inline void method_fixture_refuse(struct method_fixture *fixture,
                                         enum rewrite_result expected, const char *reason)
{
    const struct code before = fixture->sample.code;
    enum rewrite_result result = method_editor_apply(&fixture->edit, &fixture->problem);
    assert_int_equal(result, expected);
    assert_memory_equal(&fixture->sample.code, &before, sizeof before);
    if (reason && !strstr(fixture->problem.reason, reason))
        fail_msg("the problem is \"%s\"", fixture->problem.reason);
}

static inline void method_fixture_check_code(const struct code *code, const uint8_t *bytes,
                                             size_t length, const char *file, int line)
{
    bool same = code->length == length && memcmp(code->bytes, bytes, length) == 0;
    if (!same) {
        print_error("code:");
        for (uint32_t i = 0; i < code->length; i++)
            print_error(" %02x", code->bytes[i]);
        print_error("\n");
        _fail(file, line);
    }
}

#define CHECK_CODE(code, ...)                                                                      \
    method_fixture_check_code((code), (const uint8_t[]){__VA_ARGS__},                              \
                              sizeof((const uint8_t[]){__VA_ARGS__}), __FILE__, __LINE__)

/* ---- StackMapTable ---- */

struct expected_frame {
    uint32_t offset;            /* absolute */
    unsigned type;              /* as encoded */
    const char *locals, *stack; /* one letter each: T I F D L N U(this) O(bject) n(ew) */
};

static inline void method_fixture_check_types(const struct verification_type *types, uint16_t count,
                                              const char *expected)
{
    static const char letters[] = "TIFDLNUOn";
    char found[64];
    assert_true(count < sizeof found);
    for (uint16_t i = 0; i < count; i++)
        found[i] = letters[types[i].tag];
    found[count] = 0;
    assert_string_equal(found, expected);
}

static inline const struct stack_map *method_fixture_map(const struct code *code)
{
    const struct attribute *attribute =
        attributes_find(&code->attributes, ATTRIBUTE_STACK_MAP_TABLE);
    return attribute ? attribute->as.stack_map : NULL;
}

static inline void method_fixture_check_frames(const struct code *code,
                                               const struct expected_frame *expected, size_t count)
{
    const struct stack_map *map = method_fixture_map(code);
    assert_non_null(map);
    assert_int_equal(map->count, count);
    uint32_t offset = 0;
    for (size_t i = 0; i < count; i++) {
        const struct stack_map_frame *frame = &map->frames[i];
        offset += frame->offset_delta + (i ? 1u : 0u);
        assert_int_equal(offset, expected[i].offset);
        assert_int_equal(frame->type, expected[i].type);
        method_fixture_check_types(frame->locals, frame->local_count, expected[i].locals);
        method_fixture_check_types(frame->stack, frame->stack_count, expected[i].stack);
    }
}

#define CHECK_FRAMES(code, ...)                                                                    \
    method_fixture_check_frames((code), (const struct expected_frame[]){__VA_ARGS__},              \
                                sizeof((const struct expected_frame[]){__VA_ARGS__}) /             \
                                    sizeof(struct expected_frame))

/* Gives the code a StackMapTable (or another attribute in front of those it has). */
static inline struct attribute *method_fixture_add(struct method_fixture *fixture,
                                                   enum attribute_kind kind)
{
    struct attribute *attribute =
        class_editor_add_attribute(&fixture->editor, &fixture->sample.code.attributes, kind);
    assert_non_null(attribute);
    return attribute;
}

#endif
