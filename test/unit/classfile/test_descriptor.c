/* Descriptors (JVMS 4.3) and names (JVMS 4.2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/builder.h"
#include "classfile/descriptor.h"
#include "classfile/names.h"

/* The text again, with bytes before and behind it that it must not be mixed up with. */
enum { AROUND = 40 };

static struct text surrounded(struct builder *builder, struct text text)
{
    builder_add(builder, TEXT("[L;x/;.[L;x/;.[L;x/;[L;x/;.[L;x/;.[L;x/;"));
    builder_add(builder, text);
    builder_add(builder, TEXT(";;/.[;;/.[;;/.[;;/.[;;/.[;;/.[;;/.[;;/.["));
    return text_of(builder_string(builder) + AROUND, text.length);
}

/* All ways to ask give the same answer. */
static bool is_field(struct text text)
{
    bool exact = descriptor_is_field(text);
    struct builder builder = {0};
    struct text inside = surrounded(&builder, text);
    assert_int_equal(descriptor_is_field_inside(inside, text.length + AROUND), exact);
    builder_release(&builder);
    return exact;
}

static bool is_method(struct text text)
{
    bool exact = descriptor_is_method(text);
    struct builder builder = {0};
    struct text inside = surrounded(&builder, text);
    assert_int_equal(descriptor_method_slots_inside(inside, text.length + AROUND),
                     exact ? (int)descriptor_parameter_slots(text) : -1);
    builder_release(&builder);
    return exact;
}

static void knows_field_descriptors(void **state)
{
    (void)state;
    const char *const good[] = {"B",         "C",   "D",      "F",      "I",
                                "J",         "S",   "Z",      "[[I",    "La;",
                                "La/b/C$D;", "L<;", "[La b;", "L(I)V;", "L\xC3\xA4;"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(is_field(text_from(good[i])));
    const char *const bad[] = {"",       "V",    "[",     "[V",   "II",   "L;",   "L",
                               "La",     "La;I", "La.b;", "L[a;", "La[;", "L/a;", "La/;",
                               "La//b;", "()V",  "a",     "[L;",  "X",    "La;;"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(is_field(text_from(bad[i])));
}

static void knows_method_descriptors(void **state)
{
    (void)state;
    const char *const good[] = {"()V",  "(I)I",   "(IJ[D[[La/B;)La/B;",
                                "()[I", "(L);)V", "([Lx;I)[Lx;"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(is_method(text_from(good[i])));
    const char *const bad[] = {"",         "(",       "()",        "(V)V",     "()VV",
                               "I",        "(I",      "(I)",       ")V",       "()[V",
                               "(La)V",    "(L;)V",   "([)V",      "()La",     "()La;I",
                               "(La.b;)V", "(La[;)V", "(La//b;)V", "([La[;)V", "( )V"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(is_method(text_from(bad[i])));
}

static void counts_dimensions_and_slots(void **state)
{
    (void)state;
    struct builder builder;
    builder_init(&builder);
    builder_pad_to(&builder, 255, '[');
    builder_add_byte(&builder, 'I');
    assert_true(is_field(builder_text(&builder)));
    builder_clear(&builder);
    builder_pad_to(&builder, 256, '[');
    builder_add_byte(&builder, 'I');
    assert_false(is_field(builder_text(&builder)));

    for (int extra = 0; extra < 2; extra++) { /* 127 longs take 254 slots; one or two ints more */
        builder_clear(&builder);
        builder_add_byte(&builder, '(');
        builder_pad_to(&builder, 128, 'J');
        builder_pad_to(&builder, (size_t)129 + (size_t)extra, 'I');
        builder_add_string(&builder, ")V");
        assert_int_equal(is_method(builder_text(&builder)), !extra);
    }
    builder_release(&builder);
}

static void walks_parameters(void **state)
{
    (void)state;
    struct text descriptor = TEXT("(I[JL);D[[La/B;)[Lc/D;");
    const char *const expected[] = {"I", "[J", "L);", "D", "[[La/B;"};
    size_t position = 1;
    struct text parameter;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_true(descriptor_next_parameter(descriptor, &position, &parameter));
        assert_true(text_is(parameter, expected[i]));
    }
    assert_false(descriptor_next_parameter(descriptor, &position, &parameter));
    assert_true(text_is(descriptor_return(descriptor), "[Lc/D;"));
    assert_int_equal(descriptor_parameter_slots(descriptor), 6);
    assert_int_equal(descriptor_parameter_slots(TEXT("()V")), 0);
    assert_int_equal(descriptor_slots(TEXT("J")), 2);
    assert_int_equal(descriptor_slots(TEXT("D")), 2);
    assert_int_equal(descriptor_slots(TEXT("[J")), 1);
    assert_int_equal(descriptor_slots(TEXT("La;")), 1);
    assert_int_equal(descriptor_slots(TEXT("V")), 0);
}

static void knows_names(void **state)
{
    (void)state;
    assert_true(names_is_internal(TEXT("a/b/C$D")));
    assert_true(names_is_internal(TEXT("package-info")));
    assert_false(names_is_internal(TEXT("")));
    assert_false(names_is_internal(TEXT("/a")));
    assert_false(names_is_internal(TEXT("a/")));
    assert_false(names_is_internal(TEXT("a//b")));
    assert_false(names_is_internal(TEXT("a.b")));
    assert_false(names_is_internal(TEXT("a;")));
    assert_false(names_is_internal(TEXT("[I")));
    assert_true(names_is_class(TEXT("[I")));
    assert_true(names_is_class(TEXT("[La/b;")));
    assert_false(names_is_class(TEXT("[a")));
    assert_true(names_is_field(TEXT("<x>")));
    assert_true(names_is_field(TEXT("a b")));
    assert_false(names_is_field(TEXT("")));
    assert_false(names_is_field(TEXT("a/b")));
    assert_true(names_is_method(TEXT("<init>")));
    assert_true(names_is_method(TEXT("<clinit>")));
    assert_true(names_is_method(TEXT("lambda$main$0")));
    assert_false(names_is_method(TEXT("<other>")));
    assert_false(names_is_method(TEXT("a>")));
    assert_false(names_is_method(TEXT("a.b")));
    assert_false(names_is_method(TEXT("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_field_descriptors),
        cmocka_unit_test(knows_method_descriptors),
        cmocka_unit_test(counts_dimensions_and_slots),
        cmocka_unit_test(walks_parameters),
        cmocka_unit_test(knows_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
