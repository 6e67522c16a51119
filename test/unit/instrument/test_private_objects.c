/*
 * Library objects that never leave the method that makes them, whose calls are not checked. Who
 * can know an object follows from what the method does with it.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/writer.h"
#include "instrument_fixture.h"

#define CHECKED "invokestatic:list invokestatic:%c0 invokevirtual:clear "
#define MADE "invokespecial:<init> "

struct constants {
    uint16_t list, init, clear, sub, take, builder, builder_init, append;
};

static struct constants add_constants(struct fixture *fixture)
{
    return (struct constants){
        .list = class_editor_class(&fixture->editor, TEXT("java/util/ArrayList")),
        .init = method_constant(fixture, "java/util/ArrayList", "<init>", "()V"),
        .clear = method_constant(fixture, "java/util/ArrayList", "clear", "()V"),
        .sub = method_constant(fixture, "java/util/ArrayList", "subList", "(II)Ljava/util/List;"),
        .take = method_constant(fixture, "p/Other", "take", "(Ljava/lang/Object;)V"),
        .builder = class_editor_class(&fixture->editor, TEXT("java/lang/StringBuilder")),
        .builder_init = method_constant(fixture, "java/lang/StringBuilder", "<init>", "()V"),
        .append = method_constant(fixture, "java/lang/StringBuilder", "append",
                                  "(I)Ljava/lang/StringBuilder;"),
    };
}

#define NEW_LIST(c) OP_NEW, TWO((c).list), OP_DUP, OP_INVOKESPECIAL, TWO((c).init)
#define CLEAR(c) OP_INVOKEVIRTUAL, TWO((c).clear)
#define APPEND(c) OP_ICONST_0, OP_INVOKEVIRTUAL, TWO((c).append)
#define TAKE(c) OP_INVOKESTATIC, TWO((c).take)

/* How the method m goes on behind the making of lists. */
static void check_end(struct fixture *fixture, const char *end)
{
    const char *uses = uses_of(fixture, "m");
    assert_true(strlen(uses) > strlen(end));
    assert_string_equal(uses + strlen(uses) - strlen(end), end);
}

/* ---- which are kept ---- */

/* That one is given away says nothing of the other. */
static void one_is_given_away(void **state)
{
    struct fixture *fixture = *state;
    struct constants c = add_constants(fixture);
    METHOD(fixture, ACCESS_STATIC, "m", "()V", NEW_LIST(c), OP_ASTORE_1, NEW_LIST(c), OP_ASTORE_2,
           NEW_LIST(c), OP_ASTORE_3, OP_ALOAD_2, TAKE(c), OP_ALOAD_1, CLEAR(c), OP_ALOAD_2,
           CLEAR(c), OP_ALOAD_3, CLEAR(c), OP_RETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "m"), MADE MADE MADE
                        "invokestatic:take invokevirtual:clear " CHECKED "invokevirtual:clear ");
}

/* Whoever gets a view of a list has the list. */
static void a_view_is_given_away(void **state)
{
    struct fixture *fixture = *state;
    struct constants c = add_constants(fixture);
    METHOD(fixture, ACCESS_STATIC, "m", "()V", NEW_LIST(c), OP_ASTORE_1, NEW_LIST(c), OP_ASTORE_2,
           OP_ALOAD_1, OP_ICONST_0, OP_ICONST_0, OP_INVOKEVIRTUAL, TWO(c.sub), TAKE(c), OP_ALOAD_1,
           CLEAR(c), OP_ALOAD_2, CLEAR(c), OP_RETURN);
    run(fixture);
    check_end(fixture, "invokevirtual:subList invokestatic:take invokestatic:list "
                       "invokestatic:%c1 invokevirtual:clear invokevirtual:clear ");
}

/* Two locals are too much to follow; but for that object alone. */
static void in_two_locals(void **state)
{
    struct fixture *fixture = *state;
    struct constants c = add_constants(fixture);
    METHOD(fixture, ACCESS_STATIC, "m", "()V", NEW_LIST(c), OP_DUP, OP_ASTORE_1, OP_ASTORE_2,
           NEW_LIST(c), OP_ASTORE_3, OP_ALOAD_1, CLEAR(c), OP_ALOAD_3, CLEAR(c), OP_RETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "m"), MADE MADE CHECKED "invokevirtual:clear ");
}

/* What else is in the local, and given away, might be the object. */
static void the_local_holds_something_else(void **state)
{
    struct fixture *fixture = *state;
    struct constants c = add_constants(fixture);
    METHOD(fixture, ACCESS_STATIC, "m", "(Ljava/lang/Object;)V", OP_ALOAD_0, OP_ASTORE_1,
           OP_ALOAD_1, TAKE(c), NEW_LIST(c), OP_ASTORE_1, NEW_LIST(c), OP_ASTORE_2, OP_ALOAD_1,
           CLEAR(c), OP_ALOAD_2, CLEAR(c), OP_RETURN);
    run(fixture);
    assert_string_equal(uses_of(fixture, "m"),
                        "invokestatic:take " MADE MADE CHECKED "invokevirtual:clear ");
}

/* A load is not followed when a branch comes between it and its use: here it is given away. */
static void a_load_is_lost(void **state)
{
    struct fixture *fixture = *state;
    struct constants c = add_constants(fixture);
    METHOD(fixture, ACCESS_STATIC, "m", "(Ljava/lang/Object;I)V", NEW_LIST(c), OP_ASTORE_2,
           NEW_LIST(c), OP_ASTORE_3, OP_ILOAD_1, OP_IFEQ, 0, 7, OP_ALOAD_2, OP_GOTO, 0, 4,
           OP_ALOAD_0, TAKE(c), OP_ALOAD_2, CLEAR(c), OP_ALOAD_3, CLEAR(c), OP_RETURN);
    run(fixture);
    check_end(fixture, "invokestatic:take " CHECKED "invokevirtual:clear ");
}

/* Nobody chains so many calls; but if, the object is given away all the same. */
static void a_long_chain_is_given_away(void **state)
{
    struct fixture *fixture = *state;
    struct constants c = add_constants(fixture);
    const uint8_t begin[] = {OP_NEW, TWO(c.builder), OP_DUP, OP_INVOKESPECIAL, TWO(c.builder_init),
                             OP_DUP, OP_ASTORE_0};
    const uint8_t append[] = {APPEND(c)};
    const uint8_t end[] = {TAKE(c), OP_ALOAD_0, APPEND(c), OP_POP, OP_RETURN};
    struct writer bytes;
    writer_init(&bytes);
    writer_bytes(&bytes, begin, sizeof begin);
    for (int i = 0; i < 1000; i++)
        writer_bytes(&bytes, append, sizeof append);
    writer_bytes(&bytes, end, sizeof end);
    assert_false(bytes.failed);
    add_method(fixture, ACCESS_STATIC, "m", "()V", bytes.bytes, bytes.size);
    writer_release(&bytes);
    run(fixture);
    check_end(fixture, "invokestatic:take invokestatic:%c0 invokevirtual:append ");
}

/* ---- how long it takes ---- */

enum { CODE_LIMIT = 60000 };

/* A method that begins so, does `code` as often as there is room for it, and then gives a list away
   that it clears. */
static void add_long_method(struct fixture *fixture, const struct constants *c, struct text begin,
                            struct text code)
{
    const uint8_t last[] = {NEW_LIST(*c), OP_DUP, TAKE(*c), CLEAR(*c), OP_RETURN};
    struct writer bytes;
    writer_init(&bytes);
    writer_bytes(&bytes, begin.bytes, begin.length);
    while (bytes.size + code.length < CODE_LIMIT)
        writer_bytes(&bytes, code.bytes, code.length);
    writer_bytes(&bytes, last, sizeof last);
    assert_false(bytes.failed);
    add_method(fixture, ACCESS_STATIC, "m", "()V", bytes.bytes, bytes.size);
    writer_release(&bytes);
}

/* Only the list is checked. */
static void check_long_method(struct fixture *fixture)
{
    run(fixture);
    assert_int_equal(fixture->instrument.collections, 1);
    const char *first = strstr(uses_of(fixture, "m"), "invokestatic:");
    assert_string_equal(first, "invokestatic:take " CHECKED);
}

/* 2600 builders with four calls on each: if the method were gone through for each call, the table
   would be asked about 80 million values that calls result in. */
static void many_objects(void **state)
{
    struct fixture *fixture = *state;
    struct constants c = add_constants(fixture);
    uint16_t text =
        method_constant(fixture, "java/lang/StringBuilder", "toString", "()Ljava/lang/String;");
    const uint8_t code[] = {
        OP_NEW,    TWO(c.builder), OP_DUP,    OP_INVOKESPECIAL, TWO(c.builder_init),
        APPEND(c), APPEND(c),      APPEND(c), OP_INVOKEVIRTUAL, TWO(text),
        OP_POP};
    add_long_method(fixture, &c, TEXT(""), text_of(code, sizeof code));
    check_long_method(fixture);
}

/* 10000 calls on one list, half of them through views: 50 million values. */
static void many_calls(void **state)
{
    struct fixture *fixture = *state;
    struct constants c = add_constants(fixture);
    uint16_t clear = class_editor_member(&fixture->editor, CONSTANT_INTERFACE_METHOD,
                                         TEXT("java/util/List"), TEXT("clear"), TEXT("()V"));
    const uint8_t begin[] = {NEW_LIST(c), OP_ASTORE_1};
    const uint8_t code[] = {OP_ALOAD_1,       OP_ICONST_0, OP_ICONST_0,
                            OP_INVOKEVIRTUAL, TWO(c.sub),  OP_INVOKEINTERFACE,
                            TWO(clear),       1,           0};
    add_long_method(fixture, &c, text_of(begin, sizeof begin), text_of(code, sizeof code));
    check_long_method(fixture);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(one_is_given_away), TEST(a_view_is_given_away),
        TEST(in_two_locals),     TEST(the_local_holds_something_else),
        TEST(a_load_is_lost),    TEST(a_long_chain_is_given_away),
        TEST(many_objects),      TEST(many_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
