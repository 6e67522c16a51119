#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/builder.h"
#include "base/problem.h"
#include "support.h"

static void pieces_follow_each_other(void **state)
{
    (void)state;
    struct builder builder;
    builder_init(&builder);
    assert_string_equal(builder_string(&builder), "");
    assert_text(builder_text(&builder), "");
    builder_add(&builder, text_of("abcdef", 3));
    builder_add_byte(&builder, '-');
    builder_add_string(&builder, "string");
    builder_add_format(&builder, " %d/%s", 42, "x");
    builder_add(&builder, text_of(NULL, 0));
    builder_add_format(&builder, "%s", "");
    assert_false(builder.failed);
    assert_text(builder_text(&builder), "abc-string 42/x");
    assert_string_equal(builder_string(&builder), "abc-string 42/x");
    builder_clear(&builder);
    assert_string_equal(builder_string(&builder), "");
    builder_add_byte(&builder, 'n');
    assert_text(builder_text(&builder), "n");
    builder_release(&builder);
}

static void zeros_are_kept(void **state)
{
    (void)state;
    struct builder builder;
    builder_init(&builder);
    builder_add(&builder, text_of("a\0b", 3));
    builder_add_byte(&builder, '\0');
    assert_int_equal(builder_text(&builder).length, 4);
    assert_memory_equal(builder_string(&builder), "a\0b\0", 5);
    builder_release(&builder);
}

/* Every length around the sizes at which it grows, each way of adding. */
static void it_grows_at_any_length(void **state)
{
    (void)state;
    for (size_t length = 60; length < 70; length++) {
        struct builder builder;
        builder_init(&builder);
        builder_pad_to(&builder, length, '.');
        builder_add_format(&builder, "%s", "!");
        builder_pad_to(&builder, length + 60, '.');
        builder_add_string(&builder, "!");
        assert_int_equal(builder.length, length + 61);
        assert_int_equal(strlen(builder_string(&builder)), length + 61);
        assert_int_equal(builder_string(&builder)[length], '!');
        assert_int_equal(builder_string(&builder)[length + 60], '!');
        builder_release(&builder);
    }
    struct builder builder;
    builder_init(&builder);
    for (int i = 0; i < 3000; i++)
        builder_add_format(&builder, "%04d", i);
    for (int i = 0; i < 3000; i++) {
        char expected[8];
        snprintf(expected, sizeof expected, "%04d", i);
        assert_memory_equal(builder_string(&builder) + (size_t)i * 4, expected, 4);
    }
    builder_release(&builder);
}

static void padding_never_shortens(void **state)
{
    (void)state;
    struct builder builder;
    builder_init(&builder);
    builder_pad_to(&builder, 0, ' ');
    builder_add_string(&builder, "ab");
    builder_pad_to(&builder, 5, ' ');
    builder_pad_to(&builder, 3, '#');
    assert_text(builder_text(&builder), "ab   ");
    builder_release(&builder);
}

static void a_failed_builder_takes_no_more_and_stays_readable(void **state)
{
    (void)state;
    struct builder builder;
    builder_init(&builder);
    builder_add_string(&builder, "kept");
    memory_fail_after(0);
    builder_pad_to(&builder, 1000, ' ');
    memory_fail_after(-1);
    assert_true(builder.failed);
    builder_add_string(&builder, "x");
    builder_add_format(&builder, "%d", 1);
    builder_pad_to(&builder, 10, ' ');
    assert_text(builder_text(&builder), "kept");
    assert_string_equal(builder_string(&builder), "kept");
    builder_clear(&builder);
    assert_false(builder.failed);
    builder_pad_to(&builder, SIZE_MAX, ' ');
    assert_true(builder.failed);
    builder_release(&builder);
}

static void the_first_problem_is_kept(void **state)
{
    (void)state;
    struct problem problem;
    problem_clear(&problem);
    assert_false(problem.set);
    assert_int_equal(problem.offset, PROBLEM_NO_OFFSET);
    assert_string_equal(problem.reason, "");
    problem_set(&problem, 0, "tag %u", 77u);
    problem_set(&problem, 9, "later");
    assert_true(problem.set);
    assert_int_equal(problem.offset, 0);
    assert_string_equal(problem.reason, "tag 77");
    problem_clear(&problem);
    problem_set(&problem, 9, "later");
    assert_string_equal(problem.reason, "later");
}

static void a_long_reason_is_cut(void **state)
{
    (void)state;
    char longer[1000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    struct problem problem;
    problem_clear(&problem);
    problem_set(&problem, 1, "%s", longer);
    assert_int_equal(strlen(problem.reason), sizeof problem.reason - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_follow_each_other),
        cmocka_unit_test(zeros_are_kept),
        cmocka_unit_test(it_grows_at_any_length),
        cmocka_unit_test(padding_never_shortens),
        cmocka_unit_test(a_failed_builder_takes_no_more_and_stays_readable),
        cmocka_unit_test(the_first_problem_is_kept),
        cmocka_unit_test(a_long_reason_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
