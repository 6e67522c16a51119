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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(depths),
        TEST(recursion),
        TEST(both_questions),
        TEST(many_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
