#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/vector.h"
#include "support.h"

static void items_keep_their_order_while_it_grows(void **state)
{
    (void)state;
    VECTOR(uint32_t) numbers = VECTOR_EMPTY;
    for (uint32_t i = 0; i < 10000; i++)
        assert_true(vector_push(&numbers, i * 3));
    assert_int_equal(numbers.count, 10000);
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(numbers.items[i], i * 3);
    assert_int_equal(vector_last(&numbers), 9999 * 3);
    assert_int_equal(vector_pop(&numbers), 9999 * 3);
    assert_int_equal(numbers.count, 9999);
    vector_clear(&numbers);
    assert_int_equal(numbers.count, 0);
    vector_release(&numbers);
    assert_null(numbers.items);
    assert_int_equal(numbers.capacity, 0);
}

static void the_item_is_evaluated_once(void **state)
{
    (void)state;
    VECTOR(int) numbers = VECTOR_EMPTY;
    int next = 0;
    for (int i = 0; i < 100; i++)
        assert_true(vector_push(&numbers, next++));
    assert_int_equal(next, 100);
    vector_release(&numbers);
}

static void reserved_room_needs_no_more_memory(void **state)
{
    (void)state;
    VECTOR(uint64_t) numbers = VECTOR_EMPTY;
    assert_true(vector_push(&numbers, 7));
    assert_true(vector_reserve(&numbers, 1000));
    memory_fail_after(0);
    bool pushed = true;
    for (uint64_t i = 0; i < 1000; i++)
        pushed = vector_push(&numbers, i) && pushed;
    memory_fail_after(-1);
    assert_true(pushed);
    assert_int_equal(numbers.items[0], 7);
    assert_int_equal(numbers.items[1000], 999);
    vector_release(&numbers);
}

static void a_failed_push_changes_nothing(void **state)
{
    (void)state;
    VECTOR(int) numbers = VECTOR_EMPTY;
    memory_fail_after(0);
    bool pushed = vector_push(&numbers, 1);
    memory_fail_after(-1);
    assert_false(pushed);
    assert_int_equal(numbers.count, 0);
    while (numbers.count == 0 || numbers.count < numbers.capacity)
        assert_true(vector_push(&numbers, (int)numbers.count));
    size_t count = numbers.count;
    memory_fail_after(0);
    pushed = vector_push(&numbers, 1);
    memory_fail_after(-1);
    assert_false(pushed);
    assert_int_equal(numbers.count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(numbers.items[i], i);
    vector_release(&numbers);
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    VECTOR(uint64_t) numbers = VECTOR_EMPTY;
    assert_true(vector_push(&numbers, 5));
    assert_false(vector_reserve(&numbers, SIZE_MAX));
    assert_false(vector_reserve(&numbers, SIZE_MAX / 8 + 1));
    assert_int_equal(numbers.count, 1);
    assert_int_equal(numbers.items[0], 5);
    vector_release(&numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_keep_their_order_while_it_grows),
        cmocka_unit_test(the_item_is_evaluated_once),
        cmocka_unit_test(reserved_room_needs_no_more_memory),
        cmocka_unit_test(a_failed_push_changes_nothing),
        cmocka_unit_test(sizes_that_overflow_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
