/*
 * quiet: what is known of calls of methods of the class itself. It is seen from outside: a field
 * that is read before and behind a call needs one check if the call releases nothing; and two
 * fields share one check if the call, moreover, surely goes on.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/writer.h"
#include "instrument_fixture.h"

#define CALL(constant) OP_INVOKESTATIC, TWO(constant)
#define READ(constant) OP_ALOAD_0, OP_GETFIELD, TWO(constant), OP_POP

static uint16_t own_method(struct fixture *fixture, const char *name)
{
    return method_constant(fixture, "p/Sample", name, "()V");
}

/* The method and what it calls, which releases nothing and goes on as far as it is looked into. */
static void add_chain(struct fixture *fixture)
{
    METHOD(fixture, ACCESS_STATIC, "four", "()V", CALL(own_method(fixture, "three")), OP_RETURN);
    METHOD(fixture, ACCESS_STATIC, "three", "()V", CALL(own_method(fixture, "two")), OP_RETURN);
    METHOD(fixture, ACCESS_STATIC, "two", "()V", CALL(own_method(fixture, "one")), OP_RETURN);
    METHOD(fixture, ACCESS_STATIC, "one", "()V", OP_RETURN);
}

/* ---- how deep ---- */

/* Three calls deep all is known: what "three" does is, and not what "four" does. That "three" is
   called by both, and asked about in either order, makes no difference. */
static void depths(void **state)
{
    struct fixture *fixture = *state;
    uint16_t x = add_field(fixture, 0, "x", "I");
    uint16_t three = own_method(fixture, "three"), four = own_method(fixture, "four");
    add_chain(fixture);
    METHOD(fixture, 0, "rising", "()V", READ(x), CALL(three), READ(x), CALL(four), READ(x),
           OP_RETURN);
    METHOD(fixture, 0, "falling", "()V", READ(x), CALL(four), READ(x), CALL(three), READ(x),
           OP_RETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "rising"),
                        "invokestatic:%c0 getfield:x invokestatic:three getfield:x "
                        "invokestatic:four invokestatic:%c0 getfield:x ");
    assert_string_equal(uses_of(fixture, "falling"),
                        "invokestatic:%c0 getfield:x invokestatic:four "
                        "invokestatic:%c0 getfield:x invokestatic:three getfield:x ");
}

/* There is always one more call than is looked into. */
static void recursion(void **state)
{
    struct fixture *fixture = *state;
    uint16_t x = add_field(fixture, 0, "x", "I");
    uint16_t self = own_method(fixture, "self");
    uint16_t ping = own_method(fixture, "ping"), pong = own_method(fixture, "pong");
    METHOD(fixture, ACCESS_STATIC, "self", "()V", CALL(self), OP_RETURN);
    METHOD(fixture, ACCESS_STATIC, "ping", "()V", CALL(pong), OP_RETURN);
    METHOD(fixture, ACCESS_STATIC, "pong", "()V", CALL(ping), OP_RETURN);
    METHOD(fixture, 0, "m", "()V", READ(x), CALL(self), READ(x), CALL(self), READ(x), CALL(ping),
           READ(x), CALL(pong), READ(x), OP_RETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "m"), "invokestatic:%c0 getfield:x invokestatic:self "
                                               "invokestatic:%c0 getfield:x invokestatic:self "
                                               "invokestatic:%c0 getfield:x invokestatic:ping "
                                               "invokestatic:%c0 getfield:x invokestatic:pong "
                                               "invokestatic:%c0 getfield:x ");
}

/* ---- what is asked ---- */

/* A division releases nothing, but may fail. */
static void both_questions(void **state)
{
    struct fixture *fixture = *state;
    uint16_t x = add_field(fixture, 0, "x", "I"), y = add_field(fixture, 0, "y", "I");
    uint16_t divide = own_method(fixture, "divide");
    METHOD(fixture, ACCESS_STATIC, "divide", "()V", OP_ICONST_1, OP_ICONST_0, OP_IDIV, OP_POP,
           OP_RETURN);
    METHOD(fixture, 0, "m", "()V", READ(x), CALL(divide), READ(x), CALL(divide), READ(y),
           OP_RETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "m"),
                        "invokestatic:%c0 getfield:x invokestatic:divide getfield:x "
                        "invokestatic:divide invokestatic:%c1 getfield:y ");
}

/* ---- in which order ---- */

/* What is put into a method does not count: one that is changed after "called" knows of it what one
   before it does; and so if it is the first to ask. */
static void around_the_called(void **state)
{
    struct fixture *fixture = *state;
    uint16_t x = add_field(fixture, 0, "x", "I"), s = add_field(fixture, ACCESS_STATIC, "s", "I");
    uint16_t called = own_method(fixture, "called"), first = own_method(fixture, "first");
    METHOD(fixture, ACCESS_STATIC, "first", "()V", OP_GETSTATIC, TWO(s), OP_POP, OP_RETURN);
    METHOD(fixture, 0, "before", "()V", READ(x), CALL(called), READ(x), OP_RETURN);
    METHOD(fixture, ACCESS_STATIC, "called", "()V", OP_GETSTATIC, TWO(s), OP_POP, OP_RETURN);
    METHOD(fixture, 0, "after", "()V", READ(x), CALL(called), READ(x), OP_RETURN);
    METHOD(fixture, 0, "asking", "()V", READ(x), CALL(first), READ(x), OP_RETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "first"), "invokestatic:%c0 getstatic:s ");
    const char *once = "invokestatic:%c1 getfield:x invokestatic:called getfield:x ";
    assert_string_equal(uses_of(fixture, "before"), once);
    assert_string_equal(uses_of(fixture, "after"), once);
    assert_string_equal(uses_of(fixture, "asking"),
                        "invokestatic:%c1 getfield:x invokestatic:first getfield:x ");
}

/* Nor does it for whether a call surely goes on. */
static void around_the_sure(void **state)
{
    struct fixture *fixture = *state;
    uint16_t x = add_field(fixture, 0, "x", "I"), y = add_field(fixture, 0, "y", "I");
    uint16_t s = add_field(fixture, ACCESS_STATIC, "s", "I"), sure = own_method(fixture, "sure");
    METHOD(fixture, ACCESS_STATIC, "sure", "()V", OP_GETSTATIC, TWO(s), OP_POP, OP_RETURN);
    METHOD(fixture, 0, "m", "()V", READ(x), CALL(sure), READ(y), OP_RETURN);
    run(fixture);
    const char *uses = uses_of(fixture, "m");
    assert_non_null(strstr(uses, " getfield:x invokestatic:sure getfield:y "));
}

/* ---- how often ---- */

enum { CALLS_INSIDE = 199, CALLS_IN_ALL = 20000 };

static void write_calls(struct writer *code, uint16_t constant, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        writer_u1(code, OP_INVOKESTATIC);
        writer_u2(code, constant);
    }
}

static void add_caller(struct fixture *fixture, const char *name, uint16_t constant)
{
    struct writer code;
    writer_init(&code);
    write_calls(&code, constant, CALLS_INSIDE);
    writer_u1(&code, OP_RETURN);
    assert_false(code.failed);
    add_method(fixture, ACCESS_STATIC, name, "()V", code.bytes, code.size);
    writer_release(&code);
}

/* "three" leads to "one" 199 * 199 times: were it looked into at each of the 20000 calls anew,
   "one" would be read 800 million times, and this would not end within hours. */
static void many_calls(void **state)
{
    struct fixture *fixture = *state;
    uint16_t x = add_field(fixture, 0, "x", "I"), y = add_field(fixture, 0, "y", "I");
    uint16_t three = own_method(fixture, "three");
    add_caller(fixture, "three", own_method(fixture, "two"));
    add_caller(fixture, "two", own_method(fixture, "one"));
    METHOD(fixture, ACCESS_STATIC, "one", "()V", OP_RETURN);
    const uint8_t first[] = {READ(x)}, last[] = {READ(y), OP_RETURN};
    struct writer code;
    writer_init(&code);
    writer_bytes(&code, first, sizeof first);
    write_calls(&code, three, CALLS_IN_ALL);
    writer_bytes(&code, last, sizeof last);
    assert_false(code.failed);
    add_method(fixture, 0, "m", "()V", code.bytes, code.size);
    writer_release(&code);
    run(fixture);
    const char *uses = uses_of(fixture, "m");
    const char *start = "invokestatic:%c2 getfield:x invokestatic:three ";
    assert_memory_equal(uses, start, strlen(start));
    assert_null(strstr(uses + strlen(start), "%c"));
}

/* ---- memory ---- */

/* Whichever request fails: what was wanted and could not be done is told, and never is the class
   said to need nothing. */
static void survives_without_memory(void **state)
{
    struct fixture *fixture = *state;
    uint16_t x = add_field(fixture, 0, "x", "I");
    uint16_t three = own_method(fixture, "three");
    add_chain(fixture);
    METHOD(fixture, 0, "m", "()V", READ(x), CALL(three), READ(x), OP_RETURN);
    class_write(&fixture->bytes, &fixture->sample.class_file);
    enum class_rewritten result = CLASS_LEFT;
    for (long requests = 0; result != CLASS_REWRITTEN; requests++) {
        struct class_rewriter rewriter;
        struct problem problem;
        problem_clear(&problem);
        class_rewriter_init(&rewriter);
        fixture->left = 0;
        memory_fail_after(requests);
        result = instrument_class(&fixture->instrument, &rewriter, NULL, fixture->bytes.bytes,
                                  fixture->bytes.size, &problem);
        memory_fail_after(-1);
        class_rewriter_release(&rewriter);
        assert_int_not_equal(result, CLASS_UNCHANGED);
        assert_int_equal(fixture->left, result == CLASS_LEFT);
        assert_true(requests < 1000);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(depths),
        TEST(recursion),
        TEST(both_questions),
        TEST(around_the_called),
        TEST(around_the_sure),
        TEST(many_calls),
        TEST(survives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
