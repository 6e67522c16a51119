#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "support.h"
#include "trace/trace.h"

static void numbers_begin_at_one_and_have_no_gaps(void **state)
{
    (void)state;
    struct trace_names names;
    trace_names_init(&names);
    for (uint32_t i = 1; i <= 1000; i++) {
        char name[16];
        snprintf(name, sizeof name, "n%u", i % 10);
        assert_int_equal(trace_names_add_thread(&names, text_from(name)), i);
        assert_int_equal(trace_names_add_lock(&names, text_from(name)), i);
    }
    assert_text(trace_names_thread(&names, 1), "n1");
    assert_text(trace_names_lock(&names, 1000), "n0");
    trace_names_release(&names);
}

static void what_is_not_known_is_empty(void **state)
{
    (void)state;
    struct trace_names names;
    trace_names_init(&names);
    static const uint32_t numbers[] = {0, 1, 1000, UINT32_MAX};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        assert_text(trace_names_thread(&names, numbers[i]), "");
        assert_text(trace_names_sync(&names, numbers[i]), "");
        assert_text(trace_names_location(&names, numbers[i]).file, "");
        assert_text(trace_names_field(&names, numbers[i]).member, "");
        assert_text(trace_names_block(&names, numbers[i]).method, "");
        assert_int_equal(trace_names_field_of(&names, numbers[i]), 0);
    }
    assert_int_equal(trace_names_add_stack(&names, 1, 0), 0);
    assert_int_equal(trace_names_add_stack(&names, 0, 1), 0);
    assert_int_equal(trace_names_add_variables(&names, 1, 1), 0);
    assert_int_equal(trace_names_add_variables(&names, 0, 0), 0);
    trace_names_release(&names);
}

static void stacks_are_walked_from_the_innermost_frame(void **state)
{
    (void)state;
    struct trace_names names;
    trace_names_init(&names);
    static const char *const methods[] = {"main", "run", "deposit"};
    uint32_t stack = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const struct trace_location location = {
            TEXT("Bank"), text_from(methods[i]), TEXT("Bank.java"), 10 * i, 0, false};
        assert_int_equal(trace_names_add_location(&names, &location), i + 1);
        stack = trace_names_add_stack(&names, stack, i + 1);
        assert_int_equal(stack, i + 1);
    }
    uint32_t frames[8];
    assert_int_equal(trace_names_frames(&names, stack, 0, frames, 8), 3);
    assert_text(trace_names_location(&names, frames[0]).method, "deposit");
    assert_text(trace_names_location(&names, frames[2]).method, "main");
    assert_int_equal(trace_names_location(&names, frames[0]).line, 20);
    assert_int_equal(trace_names_frames(&names, stack, 0, frames, 2), 2);
    assert_int_equal(trace_names_frames(&names, 0, 2, frames, 8), 1);
    assert_int_equal(frames[0], 2);
    assert_int_equal(trace_names_frames(&names, 0, 0, frames, 8), 0);
    trace_names_release(&names);
}

/* Ranges of all sizes, against a plain array. */
static void every_variable_has_its_field(void **state)
{
    (void)state;
    enum { MOST = 200000 };
    static uint32_t fields[MOST + 1];
    struct trace_names names;
    trace_names_init(&names);
    for (uint32_t i = 1; i <= 5; i++) {
        const struct trace_field field = {TEXT("C"), TEXT("f"), TEXT("I")};
        assert_int_equal(trace_names_add_field(&names, &field), i);
    }
    uint64_t random = 1;
    uint32_t count = 0;
    while (count < MOST - 2000) {
        const uint64_t size = support_random(&random) % 20;
        uint32_t more = 1 + (uint32_t)(size < 15 ? size % 3 : support_random(&random) % 2000);
        const uint32_t field = (uint32_t)(support_random(&random) % 6);
        assert_int_equal(trace_names_add_variables(&names, field, more), count + 1);
        while (more--)
            fields[++count] = field;
    }
    for (uint32_t i = 0; i <= count; i++)
        assert_int_equal(trace_names_field_of(&names, i), fields[i]);
    assert_int_equal(trace_names_field_of(&names, count + 1), 0);
    trace_names_release(&names);
}

/* As many as there are numbers: an array of a byte each would not do. */
static void ranges_of_variables_cost_little(void **state)
{
    (void)state;
    struct trace_names names;
    trace_names_init(&names);
    const struct trace_field field = {TEXT("C"), TEXT("data[]"), TEXT("I")};
    assert_int_equal(trace_names_add_field(&names, &field), 1);
    assert_int_equal(trace_names_add_variables(&names, 1, 1u << 31), 1);
    assert_int_equal(trace_names_add_variables(&names, 1, UINT32_MAX), 0);
    assert_true(names.variables.pages.capacity * sizeof(uint32_t) < 1 << 27);
    assert_int_equal(trace_names_field_of(&names, 1u << 31), 1);
    assert_int_equal(trace_names_field_of(&names, (1u << 31) + 1), 0);
    trace_names_release(&names);
}

static void long_names_are_cut(void **state)
{
    (void)state;
    static char name[TRACE_TEXT_MAX + 100];
    memset(name, 'x', sizeof name);
    struct trace_names names;
    trace_names_init(&names);
    assert_int_equal(trace_names_add_thread(&names, text_of(name, sizeof name)), 1);
    assert_int_equal(trace_names_thread(&names, 1).length, TRACE_TEXT_MAX);
    trace_names_release(&names);
}

static bool use_names(void *context)
{
    (void)context;
    struct trace_names names;
    trace_names_init(&names);
    bool all = true;
    uint32_t threads = 0, variables = 0;
    for (uint32_t i = 0; i < 300; i++) {
        char name[16];
        snprintf(name, sizeof name, "n%u", i);
        const struct trace_field field = {TEXT("C"), text_from(name), TEXT("I")};
        const struct trace_location location = {TEXT("C"), text_from(name), TEXT("C.java"), i, 0,
                                                false};
        const uint32_t thread = trace_names_add_thread(&names, text_from(name));
        if (thread) {
            assert_int_equal(thread, ++threads);
            assert_text(trace_names_thread(&names, thread), name);
        }
        const uint32_t number = trace_names_add_field(&names, &field);
        const uint32_t variable = trace_names_add_variables(&names, number, 1 + i % 2);
        if (variable) {
            assert_int_equal(variable, variables + 1);
            assert_int_equal(trace_names_field_of(&names, variable), number);
            variables += 1 + i % 2;
        }
        all = thread && number && variable && trace_names_add_location(&names, &location) && all;
    }
    trace_names_release(&names);
    return all;
}

static void names_survive_missing_memory(void **state)
{
    (void)state;
    assert_true(support_fail_each_request(use_names, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_begin_at_one_and_have_no_gaps),
        cmocka_unit_test(what_is_not_known_is_empty),
        cmocka_unit_test(stacks_are_walked_from_the_innermost_frame),
        cmocka_unit_test(every_variable_has_its_field),
        cmocka_unit_test(ranges_of_variables_cost_little),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(names_survive_missing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
