/*
 * Where things stand after insertions: offsets, switch padding, branches that become too long. The
 * classes are of version 49, which has no frames.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "rewrite/method_fixture.h"

static int set_up(void **state)
{
    struct method_fixture *fixture = malloc(sizeof *fixture);
    method_fixture_start(fixture, 49);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    method_fixture_end(*state);
    free(*state);
    return 0;
}

/* Snippets stand in the order of the header: before, instruction, after; jumps go to the label. */
static void places_before_and_after(void **state)
{
    struct method_fixture *fixture = *state;
    METHOD_OPEN(fixture, OP_ICONST_0, OP_IFEQ, TWO(-1), OP_RETURN);
    struct snippet *snippet = &fixture->snippet;
    snippet_add(snippet, OP_ICONST_1);
    snippet_add(snippet, OP_POP);
    /* Planned out of order on purpose. */
    assert_true(method_editor_after(&fixture->edit, 1, snippet));
    assert_true(method_editor_before(&fixture->edit, 1, &fixture->nop));
    assert_true(method_editor_before(&fixture->edit, 0, snippet));
    assert_true(method_editor_before(&fixture->edit, 0, &fixture->nop));
    assert_true(method_editor_after(&fixture->edit, 0, &fixture->nop));
    CHECK_CODE(method_fixture_apply(fixture), OP_ICONST_1, OP_POP, OP_NOP, /* label 0 */
               OP_ICONST_0, OP_NOP,                                        /* after 0 */
               OP_NOP, OP_IFEQ, TWO(-6),                                   /* label 1 is 5 */
               OP_ICONST_1, OP_POP, OP_RETURN);
}

/* The entry snippet stands before label 0: a loop to the first instruction does not run it. */
static void entry_runs_once(void **state)
{
    struct method_fixture *fixture = *state;
    METHOD_OPEN(fixture, OP_ICONST_0, OP_IFEQ, TWO(-1), OP_RETURN);
    assert_true(method_editor_at_entry(&fixture->edit, &fixture->nop));
    assert_true(method_editor_at_entry(&fixture->edit, &fixture->nop));
    CHECK_CODE(method_fixture_apply(fixture), OP_NOP, OP_NOP, OP_ICONST_0, OP_IFEQ, TWO(-1),
               OP_RETURN);
}

/* Return snippets stand behind the others before the return. */
static void returns_have_theirs_last(void **state)
{
    struct method_fixture *fixture = *state;
    METHOD_OPEN(fixture, OP_ICONST_0, OP_IFEQ, TWO(4), OP_RETURN, OP_RETURN);
    struct snippet *snippet = &fixture->snippet;
    snippet_add(snippet, OP_ICONST_1);
    snippet_add(snippet, OP_POP);
    assert_true(method_editor_at_return(&fixture->edit, snippet));
    assert_true(method_editor_before(&fixture->edit, 3, &fixture->nop));
    CHECK_CODE(method_fixture_apply(fixture), OP_ICONST_0, OP_IFEQ, TWO(6), OP_ICONST_1, OP_POP,
               OP_RETURN, OP_NOP, OP_ICONST_1, OP_POP, OP_RETURN);
}

static void replaces(void **state)
{
    struct method_fixture *fixture = *state;
    METHOD_OPEN(fixture, OP_BIPUSH, 9, OP_POP, OP_GOTO, TWO(-1));
    struct snippet *snippet = &fixture->snippet;
    assert_true(method_editor_replace(&fixture->edit, 1, snippet) == false); /* depth: -1 is due */
    method_fixture_refuse(fixture, REWRITE_FAILED, "stack depth");
    METHOD_OPEN(fixture, OP_BIPUSH, 9, OP_POP, OP_GOTO, TWO(-1));
    problem_clear(&fixture->problem);
    snippet_push_int(snippet, 1);
    assert_true(method_editor_replace(&fixture->edit, 0, snippet));
    CHECK_CODE(method_fixture_apply(fixture), OP_ICONST_1, OP_POP, OP_GOTO, TWO(-1));
}

/* An empty replacement leaves a nop, so that no range becomes empty. */
static void replaces_by_nothing(void **state)
{
    struct method_fixture *fixture = *state;
    METHOD_OPEN(fixture, OP_NOP, OP_IINC, 3, 1, OP_RETURN);
    assert_true(method_editor_replace(&fixture->edit, 1, &fixture->snippet));
    CHECK_CODE(method_fixture_apply(fixture), OP_NOP, OP_NOP, OP_RETURN);
}

/* Operands of a switch start at a multiple of four: JVMS 6.5. */
static void pads_switches(void **state)
{
    struct method_fixture *fixture = *state;
    METHOD_OPEN(fixture, OP_ICONST_0, OP_TABLESWITCH, 0, 0, FOUR(23), FOUR(-1), FOUR(0), FOUR(24),
                FOUR(-1), OP_RETURN, OP_NOP, OP_GOTO, TWO(-1));
    assert_true(method_editor_before(&fixture->edit, 1, &fixture->nop));
    assert_true(method_editor_before(&fixture->edit, 3, &fixture->nop));
    CHECK_CODE(method_fixture_apply(fixture), OP_ICONST_0, OP_NOP, OP_TABLESWITCH, 0, FOUR(22),
               FOUR(-1), FOUR(0), FOUR(23), FOUR(-2), OP_RETURN, OP_NOP, OP_NOP, OP_GOTO, TWO(-2));
}

static void pads_lookup_switches(void **state)
{
    struct method_fixture *fixture = *state;
    METHOD_OPEN(fixture, OP_ICONST_0, OP_NOP, OP_NOP, OP_LOOKUPSWITCH, FOUR(25), FOUR(2),
                FOUR(-100), FOUR(25), FOUR(INT32_MAX), FOUR(-3), OP_RETURN);
    assert_true(method_editor_at_entry(&fixture->edit, &fixture->nop));
    CHECK_CODE(method_fixture_apply(fixture), OP_NOP, OP_ICONST_0, OP_NOP, OP_NOP, OP_LOOKUPSWITCH,
               0, 0, 0, FOUR(28), FOUR(2), FOUR(-100), FOUR(28), FOUR(INT32_MAX), FOUR(-3),
               OP_RETURN);
}

/* ---- far branches ---- */

struct code_bytes {
    uint8_t bytes[65535];
    uint32_t length;
};

static void append_nops(struct code_bytes *code, uint32_t count)
{
    memset(code->bytes + code->length, OP_NOP, count);
    code->length += count;
}

static void append_branch(struct code_bytes *code, enum opcode opcode, int distance)
{
    const uint8_t bytes[] = {(uint8_t)opcode, TWO(distance)};
    memcpy(code->bytes + code->length, bytes, 3);
    code->length += 3;
}

static void append_byte(struct code_bytes *code, enum opcode opcode)
{
    code->bytes[code->length++] = (uint8_t)opcode;
}

static int32_t far_distance(const uint8_t *operand)
{
    return (int32_t)((uint32_t)operand[0] << 24 | (uint32_t)operand[1] << 16 |
                     (uint32_t)operand[2] << 8 | operand[3]);
}

/* goto over `between` nops to a return, with one nop more inserted: length of the goto. */
static uint32_t forward_goto_length(struct method_fixture *fixture, uint32_t between)
{
    struct code_bytes *code = calloc(1, sizeof *code);
    append_branch(code, OP_GOTO, (int)between + 3);
    append_nops(code, between);
    append_byte(code, OP_RETURN);
    method_fixture_open(fixture, code->bytes, code->length);
    assert_true(method_editor_before(&fixture->edit, 1, &fixture->nop));
    const struct code *result = method_fixture_apply(fixture);
    uint32_t length = result->bytes[0] == OP_GOTO ? 3 : 5;
    assert_int_equal(result->length, length + between + 2);
    if (length == 5) {
        assert_int_equal(result->bytes[0], OP_GOTO_W);
        assert_int_equal(far_distance(result->bytes + 1), between + 1 + 5);
    } else {
        assert_int_equal(result->bytes[1] << 8 | result->bytes[2], between + 1 + 3);
    }
    free(code);
    return length;
}

/* 32,767 is the farthest that two bytes can say. */
static void widens_forward_goto_only_if_needed(void **state)
{
    struct method_fixture *fixture = *state;
    assert_int_equal(forward_goto_length(fixture, 32763), 3);
    arena_clear(&fixture->scratch);
    assert_int_equal(forward_goto_length(fixture, 32764), 5);
}

/* -32,768 backwards. */
static void widens_backward_condition_only_if_needed(void **state)
{
    struct method_fixture *fixture = *state;
    for (uint32_t between = 32767; between <= 32768; between++) {
        struct code_bytes *code = calloc(1, sizeof *code);
        append_nops(code, between - 1);
        append_byte(code, OP_ICONST_0);
        append_branch(code, OP_IFLT, -(int)between);
        append_byte(code, OP_RETURN);
        arena_clear(&fixture->scratch);
        method_fixture_open(fixture, code->bytes, code->length);
        assert_true(method_editor_before(&fixture->edit, 0, &fixture->nop));
        const struct code *result = method_fixture_apply(fixture);
        const uint8_t *branch = result->bytes + between + 1;
        if (between == 32767) {
            assert_int_equal(result->length, between + 5);
            assert_int_equal(branch[0], OP_IFLT);
            assert_int_equal((int16_t)(branch[1] << 8 | branch[2]), -32768);
        } else {
            /* The opposite condition around a goto_w, which starts three bytes later. */
            assert_int_equal(result->length, between + 10);
            assert_int_equal(branch[0], OP_IFGE);
            assert_int_equal(branch[1] << 8 | branch[2], 8);
            assert_int_equal(branch[3], OP_GOTO_W);
            assert_int_equal(far_distance(branch + 4), -(32769 + 3));
        }
        free(code);
    }
}

/* Widening the inner branch pushes the target of the outer one out of its reach. */
static void widening_spreads(void **state)
{
    struct method_fixture *fixture = *state;
    struct code_bytes *code = calloc(1, sizeof *code);
    /*     0: goto A      distance 32,767: fits, even after the insertion behind A
     *     3: goto B      distance 32,766, one more after the insertion is still in reach; two are
     * not 6: nop ... 32767: A: nop 32769: B: return */
    append_branch(code, OP_GOTO, 32767);
    append_branch(code, OP_GOTO, 32766);
    append_nops(code, 32769 - 6);
    append_byte(code, OP_RETURN);
    method_fixture_open(fixture, code->bytes, code->length);
    /* Between A and B: two bytes more for the second goto only. */
    assert_true(
        method_editor_after(&fixture->edit, fixture->edit.bytecode.count - 3, &fixture->nop));
    assert_true(
        method_editor_after(&fixture->edit, fixture->edit.bytecode.count - 3, &fixture->nop));
    const struct code *result = method_fixture_apply(fixture);
    assert_int_equal(result->bytes[0], OP_GOTO_W);
    assert_int_equal(result->bytes[5], OP_GOTO_W);
    assert_int_equal(far_distance(result->bytes + 1), 32767 + 4);
    assert_int_equal(far_distance(result->bytes + 6), 32766 + 2 + 2);
    free(code);
}

static void widens_jsr(void **state)
{
    struct method_fixture *fixture = *state;
    struct code_bytes *code = calloc(1, sizeof *code);
    append_branch(code, OP_JSR, 32767);
    append_nops(code, 32763);
    append_byte(code, OP_RETURN);
    append_byte(code, OP_ASTORE_1);
    append_byte(code, OP_RET);
    append_byte(code, (enum opcode)1);
    method_fixture_open(fixture, code->bytes, code->length);
    assert_true(method_editor_before(&fixture->edit, 1, &fixture->nop));
    const struct code *result = method_fixture_apply(fixture);
    assert_int_equal(result->bytes[0], OP_JSR_W);
    assert_int_equal(far_distance(result->bytes + 1), 32767 + 3);
    free(code);
}

/* ---- limits ---- */

static void open_long_method(struct method_fixture *fixture, uint32_t length)
{
    struct code_bytes *code = calloc(1, sizeof *code);
    append_nops(code, length - 1);
    append_byte(code, OP_RETURN);
    arena_clear(&fixture->scratch);
    method_fixture_open(fixture, code->bytes, code->length);
    free(code);
}

static void code_ends_at_65535(void **state)
{
    struct method_fixture *fixture = *state;
    open_long_method(fixture, 65534);
    assert_true(method_editor_before(&fixture->edit, 9, &fixture->nop));
    assert_int_equal(method_fixture_apply(fixture)->length, 65535);
    open_long_method(fixture, 65534);
    assert_true(method_editor_before(&fixture->edit, 9, &fixture->nop));
    assert_true(method_editor_after(&fixture->edit, 9, &fixture->nop));
    method_fixture_refuse(fixture, REWRITE_TOO_LARGE, "the code would pass");
    /* The handler of an exceptional exit counts too: here it is one athrow. */
    open_long_method(fixture, 65535);
    assert_true(method_editor_at_throw(&fixture->edit, &fixture->snippet));
    method_fixture_refuse(fixture, REWRITE_TOO_LARGE, "the code would pass");
    open_long_method(fixture, 65534);
    assert_true(method_editor_at_throw(&fixture->edit, &fixture->snippet));
    assert_int_equal(method_fixture_apply(fixture)->length, 65535);
}

static void locals_end_at_65535(void **state)
{
    struct method_fixture *fixture = *state;
    fixture->sample.code.max_locals = 65534;
    METHOD_OPEN(fixture, OP_RETURN);
    assert_int_equal(method_editor_new_local(&fixture->edit, 1), 65534);
    assert_true(method_editor_at_entry(&fixture->edit, &fixture->nop));
    assert_int_equal(method_fixture_apply(fixture)->max_locals, 65535);
    METHOD_OPEN(fixture, OP_RETURN);
    assert_true(method_editor_at_entry(&fixture->edit, &fixture->nop));
    method_editor_new_local(&fixture->edit, 1);
    method_fixture_refuse(fixture, REWRITE_TOO_LARGE, "the local variables would pass");
}

static void stack_grows_by_the_hungriest_snippet(void **state)
{
    struct method_fixture *fixture = *state;
    fixture->sample.code.max_stack = 3;
    METHOD_OPEN(fixture, OP_NOP, OP_RETURN);
    struct snippet *snippet = &fixture->snippet;
    snippet_push_long(snippet, 1);
    snippet_push_long(snippet, 1);
    snippet_add(snippet, OP_LADD);
    snippet_add(snippet, OP_POP2);
    assert_true(method_editor_before(&fixture->edit, 1, snippet));
    assert_true(method_editor_at_entry(&fixture->edit, &fixture->nop));
    assert_int_equal(method_fixture_apply(fixture)->max_stack, 7);
    fixture->sample.code.max_stack = 0;
    METHOD_OPEN(fixture, OP_NOP, OP_RETURN);
    assert_true(method_editor_at_throw(&fixture->edit, snippet));
    assert_int_equal(method_fixture_apply(fixture)->max_stack, 5); /* and the exception */
    fixture->sample.code.max_stack = 65533;
    fixture->sample.code.handler_count = 0;
    METHOD_OPEN(fixture, OP_NOP, OP_RETURN);
    assert_true(method_editor_before(&fixture->edit, 1, snippet));
    method_fixture_refuse(fixture, REWRITE_TOO_LARGE, "the operand stack would pass");
}

static void nothing_planned_changes_nothing(void **state)
{
    struct method_fixture *fixture = *state;
    METHOD_OPEN(fixture, OP_NOP, OP_RETURN);
    assert_true(method_editor_before(&fixture->edit, 1, &fixture->snippet)); /* empty */
    method_fixture_refuse(fixture, REWRITE_UNCHANGED, NULL);
}

static void refuses_bad_places(void **state)
{
    struct method_fixture *fixture = *state;
    METHOD_OPEN(fixture, OP_NOP, OP_ICONST_0, OP_IFEQ, TWO(-2), OP_RETURN);
    assert_false(method_editor_before(&fixture->edit, 4, &fixture->nop));
    assert_false(method_editor_after(&fixture->edit, 3, &fixture->nop));
    assert_false(method_editor_replace(&fixture->edit, 2, &fixture->nop));
    method_fixture_refuse(fixture, REWRITE_FAILED, "does not exist"); /* the first problem */
    problem_clear(&fixture->problem);
    METHOD_OPEN(fixture, OP_NOP, OP_RETURN);
    assert_true(method_editor_replace(&fixture->edit, 0, &fixture->nop));
    assert_true(method_editor_replace(&fixture->edit, 0, &fixture->nop));
    method_fixture_refuse(fixture, REWRITE_FAILED, "replaced twice");
}

/* A plan takes what the snippet holds at that time. */
static void a_snippet_may_change_between_plans(void **state)
{
    struct method_fixture *fixture = *state;
    METHOD_OPEN(fixture, OP_ICONST_0, OP_POP, OP_RETURN);
    struct snippet *snippet = &fixture->snippet;
    snippet_add(snippet, OP_NOP);
    assert_true(method_editor_before(&fixture->edit, 0, snippet));
    assert_true(method_editor_before(&fixture->edit, 1, snippet));
    snippet_add(snippet, OP_NOP);
    assert_true(method_editor_before(&fixture->edit, 2, snippet));
    assert_true(method_editor_before(&fixture->edit, 1, snippet)); /* back again */
    snippet_add(snippet, OP_ICONST_0);
    assert_false(method_editor_before(&fixture->edit, 2, snippet)); /* depth: 0 is due */
    method_fixture_refuse(fixture, REWRITE_FAILED, "stack depth by 1 where 0 is due");

    METHOD_OPEN(fixture, OP_ICONST_0, OP_POP, OP_RETURN);
    problem_clear(&fixture->problem);
    snippet_clear(snippet);
    snippet_add(snippet, OP_NOP);
    assert_true(method_editor_before(&fixture->edit, 0, snippet));
    assert_true(method_editor_before(&fixture->edit, 1, snippet));
    snippet_add(snippet, OP_NOP);
    assert_true(method_editor_before(&fixture->edit, 2, snippet));
    assert_true(method_editor_before(&fixture->edit, 1, snippet));
    CHECK_CODE(method_fixture_apply(fixture), OP_NOP, OP_ICONST_0, OP_NOP, OP_NOP, OP_NOP, OP_POP,
               OP_NOP, OP_NOP, OP_RETURN);
}

/* The scratch memory goes away between the methods, whatever the snippet was used for there. */
static void methods_may_share_a_snippet(void **state)
{
    struct method_fixture *fixture = *state;
    for (int i = 0; i < 4; i++) {
        arena_clear(&fixture->scratch);
        METHOD_OPEN(fixture, OP_ICONST_0, OP_POP, OP_RETURN);
        assert_true(method_editor_before(&fixture->edit, 1, &fixture->nop));
        assert_true(method_editor_at_return(&fixture->edit, &fixture->nop));
        CHECK_CODE(method_fixture_apply(fixture), OP_ICONST_0, OP_NOP, OP_POP, OP_NOP, OP_RETURN);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(places_before_and_after),
        TEST(entry_runs_once),
        TEST(returns_have_theirs_last),
        TEST(replaces),
        TEST(replaces_by_nothing),
        TEST(pads_switches),
        TEST(pads_lookup_switches),
        TEST(widens_forward_goto_only_if_needed),
        TEST(widens_backward_condition_only_if_needed),
        TEST(widening_spreads),
        TEST(widens_jsr),
        TEST(code_ends_at_65535),
        TEST(locals_end_at_65535),
        TEST(stack_grows_by_the_hungriest_snippet),
        TEST(nothing_planned_changes_nothing),
        TEST(refuses_bad_places),
        TEST(a_snippet_may_change_between_plans),
        TEST(methods_may_share_a_snippet),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    method_fixture_margin = 0;
    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
