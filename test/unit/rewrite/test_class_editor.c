#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "bytecode/sample.h"
#include "rewrite/class_editor.h"
#include "support.h"

struct fixture {
    struct sample sample;
    struct class_editor editor;
};

static int set_up(void **state)
{
    struct fixture *fixture = malloc(sizeof *fixture);
    sample_init(&fixture->sample, 61);
    class_editor_init(&fixture->editor, &fixture->sample.class_file);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    class_editor_release(&fixture->editor);
    sample_release(&fixture->sample);
    free(fixture);
    return 0;
}

static void finds_what_is_there(void **state)
{
    struct fixture *fixture = *state;
    struct class_file *class_file = &fixture->sample.class_file;
    uint16_t before = class_file->constant_count;
    assert_int_equal(class_editor_class(&fixture->editor, TEXT("p/Sample")),
                     class_file->this_class);
    assert_int_equal(class_editor_utf8(&fixture->editor, TEXT("Code")),
                     fixture->sample.code_attribute.name_index);
    assert_int_equal(class_file->constant_count, before);
}

/* A file may hold the same constant twice; both stay, and one of them is used. */
static void accepts_duplicates(void **state)
{
    struct fixture *fixture = *state;
    uint16_t first = sample_utf8(&fixture->sample, "twice");
    sample_utf8(&fixture->sample, "twice");
    uint16_t one = sample_constant(&fixture->sample,
                                   (struct constant){.tag = CONSTANT_STRING, .first = first});
    sample_constant(&fixture->sample, (struct constant){.tag = CONSTANT_STRING, .first = first});
    assert_int_equal(class_editor_string(&fixture->editor, TEXT("twice")), one);
}

static void adds_each_constant_once(void **state)
{
    struct fixture *fixture = *state;
    struct class_editor *editor = &fixture->editor;
    struct class_file *class_file = &fixture->sample.class_file;
    uint16_t next = class_file->constant_count;
    /* Utf8 owner, class, Utf8 name, Utf8 descriptor, name and type, method: six constants. */
    uint16_t method =
        class_editor_member(editor, CONSTANT_METHOD, TEXT("a/B"), TEXT("c"), TEXT("(J)I"));
    assert_int_equal(method, next + 5);
    struct member_reference reference = class_member_reference(class_file, method);
    assert_text(reference.owner, "a/B");
    assert_text(reference.name, "c");
    assert_text(reference.descriptor, "(J)I");
    assert_int_equal(
        class_editor_member(editor, CONSTANT_METHOD, TEXT("a/B"), TEXT("c"), TEXT("(J)I")), method);
    /* Only the last constant differs. */
    assert_int_equal(class_editor_member(editor, CONSTANT_INTERFACE_METHOD, TEXT("a/B"), TEXT("c"),
                                         TEXT("(J)I")),
                     next + 6);
    assert_int_equal(class_file->constant_count, next + 7);
}

/* The text's bytes belong to the caller. */
static void copies_texts(void **state)
{
    struct fixture *fixture = *state;
    char name[] = "fresh";
    uint16_t index = class_editor_utf8(&fixture->editor, text_from(name));
    name[0] = 'X';
    assert_text(class_utf8(&fixture->sample.class_file, index), "fresh");
}

static void numbers_are_told_apart_by_their_bits(void **state)
{
    struct fixture *fixture = *state;
    struct class_editor *editor = &fixture->editor;
    uint16_t zero = class_editor_float(editor, 0.0f);
    assert_int_not_equal(class_editor_float(editor, -0.0f), zero);
    assert_int_equal(class_editor_float(editor, 0.0f), zero);
    assert_int_not_equal(class_editor_integer(editor, 0), zero);
    assert_int_equal(class_editor_integer(editor, -1), class_editor_integer(editor, -1));
    assert_int_not_equal(class_editor_double(editor, 1.0), class_editor_long(editor, 1));
}

/* JVMS 4.4.5: the index behind a long or double exists but cannot be used. */
static void long_and_double_take_two_indices(void **state)
{
    struct fixture *fixture = *state;
    struct class_editor *editor = &fixture->editor;
    uint16_t next = fixture->sample.class_file.constant_count;
    assert_int_equal(class_editor_long(editor, 1L << 40), next);
    assert_int_equal(class_editor_double(editor, 2.5), next + 2);
    assert_int_equal(class_editor_integer(editor, 70000), next + 4);
    assert_int_equal(fixture->sample.class_file.constants[next + 1].tag, CONSTANT_UNUSABLE);
    assert_int_equal(class_editor_long(editor, 1L << 40), next);
}

/* Different longs whose keys in the editor's map are the same: the products with the map's
   multiplier differ in the lowest bits only. */
static void longs_with_one_key_are_told_apart(void **state)
{
    struct fixture *fixture = *state;
    const uint64_t multiplier = 0x9E3779B97F4A7C15u;
    uint64_t inverse = multiplier;
    for (int i = 0; i < 6; i++)
        inverse *= 2 - multiplier * inverse;
    assert_true(multiplier * inverse == 1);
    uint16_t indices[4];
    for (uint64_t i = 0; i < 4; i++)
        indices[i] =
            class_editor_long(&fixture->editor, (int64_t)((0x123456789ABCDE00u + i) * inverse));
    for (uint64_t i = 0; i < 4; i++) {
        assert_int_equal(
            class_editor_long(&fixture->editor, (int64_t)((0x123456789ABCDE00u + i) * inverse)),
            indices[i]);
        assert_int_equal(indices[i], indices[0] + 2 * i);
    }
}

static void fill_pool(struct fixture *fixture, uint16_t count)
{
    for (int32_t i = 100000; fixture->sample.class_file.constant_count < count; i++)
        assert_int_not_equal(class_editor_integer(&fixture->editor, i), 0);
}

static void full_pool_stays_as_it_was(void **state)
{
    struct fixture *fixture = *state;
    struct class_editor *editor = &fixture->editor;
    struct class_file *class_file = &fixture->sample.class_file;
    fill_pool(fixture, UINT16_MAX - 3);
    /* Three more would fit, a method needs six. */
    assert_int_equal(
        class_editor_member(editor, CONSTANT_METHOD, TEXT("a/B"), TEXT("c"), TEXT("()V")), 0);
    assert_true(editor->pool_full);
    assert_false(editor->out_of_memory);
    assert_int_equal(class_file->constant_count, UINT16_MAX - 3);
    assert_int_equal(class_editor_integer(editor, 5), 0);
    assert_null(class_editor_add_field(editor, 0, TEXT("f"), TEXT("I")));
    assert_int_equal(class_file->field_count, 0);
}

/* Indices go up to 65,534 (constant_count is a u2). */
static void last_index_can_be_used(void **state)
{
    struct fixture *fixture = *state;
    fill_pool(fixture, UINT16_MAX - 1);
    assert_int_equal(class_editor_integer(&fixture->editor, 7), UINT16_MAX - 1);
    assert_int_equal(fixture->sample.class_file.constant_count, UINT16_MAX);
    assert_int_equal(class_editor_integer(&fixture->editor, 7), UINT16_MAX - 1);
    assert_int_equal(class_editor_integer(&fixture->editor, 8), 0);
    assert_true(fixture->editor.pool_full);
}

static void long_does_not_fit_into_one_index(void **state)
{
    struct fixture *fixture = *state;
    fill_pool(fixture, UINT16_MAX - 1);
    assert_int_equal(class_editor_long(&fixture->editor, 7), 0);
    assert_true(fixture->editor.pool_full);
}

static void text_that_is_too_long_does_not_fit(void **state)
{
    struct fixture *fixture = *state;
    char *bytes = malloc(65536);
    memset(bytes, 'a', 65536);
    assert_int_not_equal(class_editor_utf8(&fixture->editor, text_of(bytes, 65535)), 0);
    assert_int_equal(class_editor_utf8(&fixture->editor, text_of(bytes, 65536)), 0);
    assert_true(fixture->editor.pool_full);
    free(bytes);
}

static void adds_members_and_attributes(void **state)
{
    struct fixture *fixture = *state;
    struct class_editor *editor = &fixture->editor;
    struct class_file *class_file = &fixture->sample.class_file;
    for (int i = 0; i < 30; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%d", i);
        struct member *field =
            class_editor_add_field(editor, ACCESS_STATIC, text_from(name), TEXT("J"));
        assert_non_null(field);
        assert_ptr_equal(field, &class_file->fields[i]);
    }
    struct member *method = class_editor_add_method(editor, ACCESS_NATIVE, TEXT("n"), TEXT("()V"));
    assert_non_null(method);
    assert_int_equal(class_file->field_count, 30);
    assert_int_equal(class_file->method_count, 2);
    assert_text(class_utf8(class_file, class_file->fields[7].name), "f7");
    assert_text(class_utf8(class_file, class_file->methods[0].name), "m");
    struct attribute *attribute =
        class_editor_add_attribute(editor, &method->attributes, ATTRIBUTE_DEPRECATED);
    assert_non_null(attribute);
    assert_text(class_utf8(class_file, attribute->name_index), "Deprecated");
    assert_ptr_equal(attributes_find(&method->attributes, ATTRIBUTE_DEPRECATED), attribute);
}

static void dynamic_constants_share_bootstrap_methods(void **state)
{
    struct fixture *fixture = *state;
    struct class_editor *editor = &fixture->editor;
    struct class_file *class_file = &fixture->sample.class_file;
    uint16_t member = class_editor_member(editor, CONSTANT_METHOD, TEXT("a/B"), TEXT("boot"),
                                          TEXT("()Ljava/lang/Object;"));
    uint16_t handle = class_editor_method_handle(editor, REFERENCE_INVOKE_STATIC, member);
    assert_int_equal(class_editor_method_handle(editor, REFERENCE_INVOKE_STATIC, member), handle);
    uint16_t arguments[2] = {class_editor_string(editor, TEXT("x")),
                             class_editor_method_type(editor, TEXT("()V"))};
    uint16_t first = class_editor_dynamic(editor, CONSTANT_INVOKE_DYNAMIC, handle, arguments, 2,
                                          TEXT("run"), TEXT("()V"));
    uint16_t other_name = class_editor_dynamic(editor, CONSTANT_INVOKE_DYNAMIC, handle, arguments,
                                               2, TEXT("go"), TEXT("()V"));
    uint16_t fewer = class_editor_dynamic(editor, CONSTANT_INVOKE_DYNAMIC, handle, arguments, 1,
                                          TEXT("run"), TEXT("()V"));
    assert_int_not_equal(first, 0);
    assert_int_equal(class_editor_dynamic(editor, CONSTANT_INVOKE_DYNAMIC, handle, arguments, 2,
                                          TEXT("run"), TEXT("()V")),
                     first);
    assert_int_equal(class_file->constants[first].first, 0);
    assert_int_equal(class_file->constants[other_name].first, 0);
    assert_int_equal(class_file->constants[fewer].first, 1);
    const struct attribute *attribute =
        attributes_find(&class_file->attributes, ATTRIBUTE_BOOTSTRAP_METHODS);
    assert_non_null(attribute);
    assert_int_equal(attribute->as.bootstrap_methods->count, 2);
    assert_int_equal(attribute->as.bootstrap_methods->items[0].argument_count, 2);
    assert_int_equal(attribute->as.bootstrap_methods->items[0].arguments[1], arguments[1]);
}

/* Everything that allocates. False if it was told that there is no memory. */
static bool edit_everything(void *context)
{
    (void)context;
    struct sample sample;
    sample_init(&sample, 61);
    struct class_editor editor;
    class_editor_init(&editor, &sample.class_file);
    uint16_t member =
        class_editor_member(&editor, CONSTANT_METHOD, TEXT("a/B"), TEXT("c"), TEXT("()V"));
    uint16_t handle = class_editor_method_handle(&editor, REFERENCE_INVOKE_STATIC, member);
    uint16_t dynamic =
        class_editor_dynamic(&editor, CONSTANT_DYNAMIC, handle, &handle, 1, TEXT("d"), TEXT("I"));
    bool good = dynamic != 0;
    for (int i = 0; i < 100 && good; i++)
        good = class_editor_long(&editor, 1000000 + i) != 0;
    for (int i = 0; i < 20 && good; i++)
        good = class_editor_add_field(&editor, 0, TEXT("f"), TEXT("I")) != NULL &&
               class_editor_add_method(&editor, 0, TEXT("n"), TEXT("()V")) != NULL;
    assert_true(good || editor.out_of_memory);
    assert_false(editor.pool_full);
    class_editor_release(&editor);
    sample_release(&sample);
    return good;
}

static void survives_lack_of_memory(void **state)
{
    (void)state;
    assert_true(support_fail_each_request(edit_everything, NULL) > 5);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(finds_what_is_there),
        TEST(accepts_duplicates),
        TEST(adds_each_constant_once),
        TEST(copies_texts),
        TEST(numbers_are_told_apart_by_their_bits),
        TEST(long_and_double_take_two_indices),
        TEST(longs_with_one_key_are_told_apart),
        TEST(full_pool_stays_as_it_was),
        TEST(last_index_can_be_used),
        TEST(long_does_not_fit_into_one_index),
        TEST(text_that_is_too_long_does_not_fit),
        TEST(adds_members_and_attributes),
        TEST(dynamic_constants_share_bootstrap_methods),
        cmocka_unit_test(survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
