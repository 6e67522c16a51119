/*
 * repeats: which checks in loops are made once, behind a flag. What qualifies follows from
 * repeats.h: a loop that releases nothing, and an object that stays the same in it.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/writer.h"
#include "instrument_fixture.h"

/* Five bytes, four and three. The parameter in local 1 says whether a loop goes on; `offset` is
   that of its first byte from the branch. */
#define READ(local, constant) OP_ALOAD_0 + (local), OP_GETFIELD, TWO(constant), OP_POP
#define WHILE(offset) OP_ILOAD_1, OP_IFNE, TWO((unsigned)(offset)&0xFFFF)
#define CALL(constant) OP_INVOKESTATIC, TWO(constant)

struct names {
    uint16_t x, y, z, call;
};

/* Classes of this version need no frames. */
static struct fixture *begin(void **state, struct names *names)
{
    struct fixture *fixture = restart(state, 49);
    *names = (struct names){
        .x = add_field(fixture, 0, "x", "I"),
        .y = add_field(fixture, 0, "y", "I"),
        .z = add_field(fixture, 0, "z", "I"),
        .call = method_constant(fixture, "p/Other", "call", "()V"),
    };
    return fixture;
}

/* Whether a flag is set behind the check that stands before a read of the field in m. */
static bool is_flagged(struct fixture *fixture, const char *field)
{
    char set[64];
    snprintf(set, sizeof set, " iconst_1 istore getfield:%s ", field);
    return strstr(code_of(fixture, "m"), set);
}

/* ---- which loops ---- */

static void a_loop(void **state)
{
    struct names n;
    struct fixture *fixture = begin(state, &n);
    METHOD(fixture, 0, "m", "(I)V", READ(0, n.x), WHILE(-6), READ(0, n.y), OP_RETURN);
    run(fixture);
    assert_string_equal(code_of(fixture, "m"),
                        "iconst_0 istore "
                        "aload_0 iload ifne aload_0 iconst_0 invokestatic:%c0 iconst_1 istore "
                        "getfield:x pop iload_1 ifne "
                        "aload_0 aload_0 iconst_1 invokestatic:%c1 getfield:y pop return ");
}

static void a_loop_with_a_call(void **state)
{
    struct names n;
    struct fixture *fixture = begin(state, &n);
    METHOD(fixture, 0, "m", "(I)V", READ(0, n.x), CALL(n.call), WHILE(-9), OP_RETURN);
    run(fixture);
    assert_false(is_flagged(fixture, "x"));
}

/* Whether the outer is looked at does not change what is known of the inner, nor the other way
   round; and what stands behind a call is no less quiet for it. */
static void loops_in_a_loop(void **state)
{
    struct names n;
    struct fixture *fixture = begin(state, &n);
    METHOD(fixture, 0, "m", "(I)V", READ(0, n.x), WHILE(-6), READ(0, n.y), CALL(n.call), OP_NOP,
           READ(0, n.z), WHILE(-6), WHILE(-28), OP_RETURN);
    run(fixture);
    assert_true(is_flagged(fixture, "x"));
    assert_false(is_flagged(fixture, "y"));
    assert_true(is_flagged(fixture, "z"));
}

/* All of them end behind the call. */
static void loops_with_the_same_call(void **state)
{
    struct names n;
    struct fixture *fixture = begin(state, &n);
    METHOD(fixture, 0, "m", "(I)V", READ(0, n.x), READ(0, n.y), CALL(n.call), WHILE(-9), WHILE(-18),
           WHILE(-17), OP_RETURN);
    run(fixture);
    assert_false(is_flagged(fixture, "x"));
    assert_false(is_flagged(fixture, "y"));
}

/* A loop with a handler in it, for the code from `start` up to `end`. */
static struct fixture *run_handler(void **state, uint16_t start, uint16_t end)
{
    struct names n;
    struct fixture *fixture = begin(state, &n);
    struct code *code = METHOD(fixture, 0, "m", "(I)V", OP_ICONST_1, OP_ICONST_0, OP_IDIV, OP_POP,
                               READ(0, n.x), OP_GOTO, TWO(4), OP_POP, WHILE(-10), OP_RETURN);
    add_handlers(fixture, code, &(struct exception_handler){start, end, 12, 0}, 1);
    run(fixture);
    return fixture;
}

/* An exception from before the loop would come into it with the flag as it is. */
static void handlers(void **state)
{
    assert_true(is_flagged(run_handler(state, 4, 9), "x"));
    assert_false(is_flagged(run_handler(state, 0, 4), "x"));
    assert_false(is_flagged(run_handler(state, 0, 9), "x"));
}

/* ---- which objects ---- */

/* The inner loop keeps what is in local 2, the outer does not. */
static void a_local_that_the_outer_loop_changes(void **state)
{
    struct names n;
    struct fixture *fixture = begin(state, &n);
    METHOD(fixture, 0, "m", "(ILp/Sample;Lp/Sample;)V", READ(2, n.x), WHILE(-6), READ(2, n.y),
           READ(3, n.z), OP_ALOAD_3, OP_ASTORE_2, WHILE(-22), OP_RETURN);
    run(fixture);
    assert_true(is_flagged(fixture, "x"));
    assert_false(is_flagged(fixture, "y"));
    assert_true(is_flagged(fixture, "z"));
}

/* ---- how long it takes ---- */

enum { FIELDS = 400, HALF = 32000, ALL = 65000 };

static void write_while(struct writer *code)
{
    const uint32_t back = (uint32_t)(-(int32_t)code->size - 4);
    const uint8_t bytes[] = {OP_ILOAD_1, OP_IFEQ, TWO(8), OP_GOTO_W, FOUR(back)};
    writer_bytes(code, bytes, sizeof bytes);
}

static void finish_method(struct fixture *fixture, struct writer *code)
{
    writer_u1(code, OP_RETURN);
    assert_false(code->failed);
    add_method(fixture, 0, "m", "(ILp/Sample;Lp/Sample;)V", code->bytes, code->size);
    writer_release(code);
    run(fixture);
}

/* 3600 branches lead back over 6400 writes of a field that has to be looked for among 400, and
   then a call: 23 million questions, each with 400 comparisons, if each loop were looked at by
   itself. */
static void many_branches_back(void **state)
{
    struct fixture *fixture = restart(state, 49);
    uint16_t field = 0;
    for (unsigned i = 0; i < FIELDS; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%u", i);
        field = add_field(fixture, 0, name, "I");
    }
    const uint8_t put[] = {OP_ALOAD_0, OP_ICONST_0, OP_PUTFIELD, TWO(field)};
    const uint8_t call[] = {CALL(method_constant(fixture, "p/Other", "call", "()V"))};
    struct writer code;
    writer_init(&code);
    while (code.size < HALF)
        writer_bytes(&code, put, sizeof put);
    writer_bytes(&code, call, sizeof call);
    while (code.size < ALL)
        write_while(&code);
    finish_method(fixture, &code);
    /* One check, and no flag. */
    const char *start = "aload_0 iconst_0 ";
    assert_memory_equal(code_of(fixture, "m"), start, strlen(start));
    const char *check = strstr(code_of(fixture, "m"), "%c");
    assert_non_null(check);
    assert_null(strstr(check + 1, "%c"));
}

/* 12800 reads of an object that is another at the end of each loop. To look for where it is stored
   in 32 loops, for each of them, would be 15 thousand million steps. */
static void many_reads_in_loops(void **state)
{
    struct names n;
    struct fixture *fixture = begin(state, &n);
    const uint8_t read[] = {READ(2, n.x)}, store[] = {OP_ALOAD_3, OP_ASTORE_2};
    struct writer code;
    writer_init(&code);
    while (code.size < ALL - 1000)
        writer_bytes(&code, read, sizeof read);
    writer_bytes(&code, store, sizeof store);
    while (code.size < ALL)
        write_while(&code);
    finish_method(fixture, &code);
    assert_false(is_flagged(fixture, "x"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_loop),
        TEST(a_loop_with_a_call),
        TEST(loops_in_a_loop),
        TEST(loops_with_the_same_call),
        TEST(handlers),
        TEST(a_local_that_the_outer_loop_changes),
        TEST(many_branches_back),
        TEST(many_reads_in_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
