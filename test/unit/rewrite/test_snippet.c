#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "bytecode/sample.h"
#include "rewrite/code_image.h"
#include "rewrite/snippet.h"
#include "support.h"

struct fixture {
    struct sample sample;
    struct class_editor editor;
    struct snippet snippet;
    struct problem problem;
};

static int set_up(void **state)
{
    struct fixture *fixture = malloc(sizeof *fixture);
    sample_init(&fixture->sample, 61);
    class_editor_init(&fixture->editor, &fixture->sample.class_file);
    snippet_init(&fixture->snippet, &fixture->editor);
    problem_clear(&fixture->problem);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    snippet_release(&fixture->snippet);
    class_editor_release(&fixture->editor);
    sample_release(&fixture->sample);
    free(fixture);
    return 0;
}

static const struct code_image *image_of(struct fixture *fixture)
{
    problem_clear(&fixture->problem);
    return code_image_new(&fixture->sample.arena, &fixture->snippet, &fixture->problem);
}

static void check_bytes(struct fixture *fixture, const uint8_t *bytes, size_t length)
{
    const struct code_image *image = image_of(fixture);
    assert_non_null(image);
    assert_int_equal(image->length, length);
    assert_memory_equal(image->bytes, bytes, length);
    snippet_clear(&fixture->snippet);
}

#define CHECK(fixture, ...)                                                                        \
    check_bytes((fixture), (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* JVMS 6.5: iconst_<i> for -1 to 5, bipush for a byte, sipush for a short, else ldc. */
static void pushes_ints_in_the_shortest_way(void **state)
{
    struct fixture *fixture = *state;
    struct snippet *snippet = &fixture->snippet;
    snippet_push_int(snippet, -1);
    snippet_push_int(snippet, 0);
    snippet_push_int(snippet, 5);
    CHECK(fixture, OP_ICONST_M1, OP_ICONST_0, OP_ICONST_5);
    snippet_push_int(snippet, 6);
    snippet_push_int(snippet, -2);
    snippet_push_int(snippet, 127);
    snippet_push_int(snippet, -128);
    CHECK(fixture, OP_BIPUSH, 6, OP_BIPUSH, 0xFE, OP_BIPUSH, 127, OP_BIPUSH, 0x80);
    snippet_push_int(snippet, 128);
    snippet_push_int(snippet, -129);
    snippet_push_int(snippet, 32767);
    snippet_push_int(snippet, -32768);
    CHECK(fixture, OP_SIPUSH, 0, 128, OP_SIPUSH, 0xFF, 0x7F, OP_SIPUSH, 0x7F, 0xFF, OP_SIPUSH, 0x80,
          0);
    uint8_t next = (uint8_t)fixture->sample.class_file.constant_count;
    snippet_push_int(snippet, 32768);
    CHECK(fixture, OP_LDC, next);
    snippet_push_long(snippet, 0);
    snippet_push_long(snippet, 1);
    snippet_push_long(snippet, -3);
    CHECK(fixture, OP_LCONST_0, OP_LCONST_1, OP_BIPUSH, 0xFD, OP_I2L);
    snippet_push_long(snippet, 1L << 33);
    CHECK(fixture, OP_LDC2_W, 0, next + 1);
}

/* ldc has one byte for the index. */
static void loads_constants_behind_255_with_ldc_w(void **state)
{
    struct fixture *fixture = *state;
    for (int32_t i = 0; fixture->sample.class_file.constant_count < 254; i++)
        class_editor_integer(&fixture->editor, 100000 + i);
    snippet_push_string(&fixture->snippet, TEXT("s")); /* Utf8 254, string 255 */
    CHECK(fixture, OP_LDC, 255);
    snippet_push_class(&fixture->snippet, TEXT("p/Sample"));
    CHECK(fixture, OP_LDC, 2);
    snippet_push_int(&fixture->snippet, 1 << 20);
    CHECK(fixture, OP_LDC_W, 1, 0);
}

static void picks_the_form_of_locals(void **state)
{
    struct fixture *fixture = *state;
    struct snippet *snippet = &fixture->snippet;
    snippet_local(snippet, OP_ILOAD, 0);
    snippet_local(snippet, OP_ALOAD, 3);
    snippet_local(snippet, OP_LSTORE, 2);
    snippet_local(snippet, OP_DLOAD, 4);
    snippet_local(snippet, OP_FSTORE, 255);
    snippet_local(snippet, OP_ASTORE, 256);
    const struct code_image *image = image_of(fixture);
    assert_non_null(image);
    static const uint8_t expected[] = {OP_ILOAD_0, OP_ALOAD_3, OP_LSTORE_2, OP_DLOAD, 4, OP_FSTORE,
                                       255,        OP_WIDE,    OP_ASTORE,   1,        0};
    assert_int_equal(image->length, sizeof expected);
    assert_memory_equal(image->bytes, expected, sizeof expected);
    assert_int_equal(image->local_end, 257);
    assert_int_equal(image->lowest_store, 2);
    snippet_clear(snippet);
    snippet_increment(snippet, 9, -128);
    snippet_increment(snippet, 9, 128);
    snippet_increment(snippet, 300, 1);
    CHECK(fixture, OP_IINC, 9, 0x80, OP_WIDE, OP_IINC, 0, 9, 0, 128, OP_WIDE, OP_IINC, 1, 44, 0, 1);
}

static void encodes_calls_and_types(void **state)
{
    struct fixture *fixture = *state;
    struct snippet *snippet = &fixture->snippet;
    uint16_t call = class_editor_member(&fixture->editor, CONSTANT_INTERFACE_METHOD, TEXT("a/I"),
                                        TEXT("f"), TEXT("(JI)D"));
    uint16_t type = class_editor_class(&fixture->editor, TEXT("a/B"));
    snippet_type(snippet, OP_NEW, TEXT("a/B"));
    snippet_add(snippet, OP_LCONST_0);
    snippet_add(snippet, OP_ICONST_0);
    snippet_call(snippet, OP_INVOKEINTERFACE, TEXT("a/I"), TEXT("f"), TEXT("(JI)D"), true);
    /* Four argument slots with the receiver: JVMS 6.5.invokeinterface. */
    CHECK(fixture, OP_NEW, TWO(type), OP_LCONST_0, OP_ICONST_0, OP_INVOKEINTERFACE, TWO(call), 4,
          0);
}

static void branches_inside(void **state)
{
    struct fixture *fixture = *state;
    struct snippet *snippet = &fixture->snippet;
    snippet_label start = snippet_new_label(snippet), end = snippet_new_label(snippet);
    snippet_bind(snippet, start);            /* 0 */
    snippet_push_int(snippet, 100);          /* 0 */
    snippet_branch(snippet, OP_IFEQ, end);   /* 2 */
    snippet_push_int(snippet, 0);            /* 5 */
    snippet_branch(snippet, OP_IFNE, start); /* 6 */
    snippet_bind(snippet, end);              /* 9 */
    const struct code_image *image = image_of(fixture);
    assert_non_null(image);
    assert_int_equal(image->target_count, 2);
    assert_int_equal(image->targets[0], 0);
    assert_int_equal(image->targets[4], 1);
    assert_true(image->falls_through);
    assert_int_equal(image->growth, 1);
    CHECK(fixture, OP_BIPUSH, 100, OP_IFEQ, 0, 7, OP_ICONST_0, OP_IFNE, 0xFF, 0xFA);
}

static void measures_the_stack(void **state)
{
    struct fixture *fixture = *state;
    struct snippet *snippet = &fixture->snippet;
    /* Takes an int and a long from below, leaves a double: -3 + 2; in between two longs and an int
       more than at the start. */
    snippet_add(snippet, OP_DUP2);                                           /* +2 */
    snippet_add(snippet, OP_DUP2);                                           /* +4 */
    snippet_push_int(snippet, 9);                                            /* +5 */
    snippet_add(snippet, OP_POP);                                            /* +4 */
    snippet_add(snippet, OP_LADD);                                           /* +2 */
    snippet_add(snippet, OP_LADD);                                           /* 0 */
    snippet_add(snippet, OP_POP2);                                           /* -2 */
    snippet_add(snippet, OP_POP);                                            /* -3 */
    snippet_field(snippet, OP_GETSTATIC, TEXT("a/B"), TEXT("d"), TEXT("D")); /* -1 */
    const struct code_image *image = image_of(fixture);
    assert_non_null(image);
    assert_int_equal(image->growth, 5);
    assert_int_equal(image->change, -1);
    snippet_clear(snippet);
    snippet_add(snippet, OP_ACONST_NULL);
    snippet_add(snippet, OP_ATHROW);
    image = image_of(fixture);
    assert_non_null(image);
    assert_false(image->falls_through);
}

static void expect_problem(struct fixture *fixture, const char *reason)
{
    assert_null(image_of(fixture));
    assert_non_null(strstr(fixture->problem.reason, reason));
    snippet_clear(&fixture->snippet);
}

static void refuses_what_cannot_be_right(void **state)
{
    struct fixture *fixture = *state;
    struct snippet *snippet = &fixture->snippet;
    snippet_branch(snippet, OP_GOTO, snippet_new_label(snippet));
    expect_problem(fixture, "unbound");
    snippet_label label = snippet_new_label(snippet);
    snippet_branch(snippet, OP_GOTO, label);
    snippet_add(snippet, OP_NOP);
    snippet_bind(snippet, label);
    expect_problem(fixture, "never reached");
    snippet_add(snippet, OP_RETURN);
    snippet_add(snippet, OP_NOP);
    expect_problem(fixture, "never reached");
    label = snippet_new_label(snippet);
    snippet_add(snippet, OP_ICONST_0);
    snippet_branch(snippet, OP_IFEQ, label);
    snippet_add(snippet, OP_ICONST_0);
    snippet_bind(snippet, label);
    expect_problem(fixture, "depths");
    snippet_add(snippet, OP_ILOAD); /* has an operand */
    expect_problem(fixture, "well-formed");
    label = snippet_new_label(snippet);
    snippet_bind(snippet, label);
    snippet_bind(snippet, label);
    expect_problem(fixture, "well-formed");
    snippet_branch(snippet, OP_JSR, 0);
    expect_problem(fixture, "well-formed");
    snippet_copy(snippet, &(struct instruction){.opcode = OP_TABLESWITCH});
    expect_problem(fixture, "well-formed");
    for (int i = 0; i < 32768; i++)
        snippet_add(snippet, OP_NOP);
    expect_problem(fixture, "too long");
    snippet_add(snippet, OP_NOP);
    assert_non_null(image_of(fixture));
}

static void full_pool_comes_out(void **state)
{
    struct fixture *fixture = *state;
    for (int32_t i = 0; !fixture->editor.pool_full; i++)
        class_editor_integer(&fixture->editor, 100000 + i);
    snippet_push_int(&fixture->snippet, 1 << 30);
    expect_problem(fixture, "pool is full");
}

static void recognises_its_snippet(void **state)
{
    struct fixture *fixture = *state;
    struct snippet *snippet = &fixture->snippet;
    snippet_label label = snippet_new_label(snippet);
    snippet_push_int(snippet, 40);
    snippet_branch(snippet, OP_IFEQ, label);
    snippet_add(snippet, OP_NOP);
    snippet_bind(snippet, label);
    const struct code_image *image = image_of(fixture);
    assert_true(code_image_is_of(image, snippet));
    snippet->labels.items[label] = 0;
    assert_false(code_image_is_of(image, snippet));
    snippet->labels.items[label] = 3;
    assert_true(code_image_is_of(image, snippet));
    snippet->instructions.items[0].immediate = 41;
    assert_false(code_image_is_of(image, snippet));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(pushes_ints_in_the_shortest_way),
        TEST(loads_constants_behind_255_with_ldc_w),
        TEST(picks_the_form_of_locals),
        TEST(encodes_calls_and_types),
        TEST(branches_inside),
        TEST(measures_the_stack),
        TEST(refuses_what_cannot_be_right),
        TEST(full_pool_comes_out),
        TEST(recognises_its_snippet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
