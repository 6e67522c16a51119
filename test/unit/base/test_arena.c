#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "support.h"

static void each_allocation_is_aligned_and_its_own(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    uint64_t random = 1;
    enum { COUNT = 3000 };
    static struct {
        uint8_t *bytes;
        size_t size;
    } blocks[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        size_t alignment = (size_t)1 << support_random(&random) % 5;
        blocks[i].size = support_random(&random) % 100;
        blocks[i].bytes = arena_allocate(&arena, blocks[i].size, alignment);
        assert_non_null(blocks[i].bytes);
        assert_int_equal((uintptr_t)blocks[i].bytes % alignment, 0);
        memset(blocks[i].bytes, (int)(i & 0xFF), blocks[i].size);
    }
    /* Blocks that overlapped would have overwritten each other. */
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < blocks[i].size; k++)
            assert_int_equal(blocks[i].bytes[k], i & 0xFF);
    assert_false(arena.failed);
    arena_release(&arena);
}

static void a_block_larger_than_any_chunk_is_given(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    char *small = arena_copy(&arena, "before", 7, 1);
    size_t size = (size_t)5 * 1024 * 1024;
    uint8_t *large = arena_allocate(&arena, size, 16);
    assert_non_null(large);
    memset(large, 0xAB, size);
    assert_string_equal(small, "before");
    assert_true(arena_used(&arena) >= size + 7);
    arena_release(&arena);
}

static void zeroed_memory_is_zero_even_when_reused(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    for (int round = 0; round < 3; round++) {
        uint8_t *bytes = arena_allocate_zeroed(&arena, 1000, 8);
        assert_non_null(bytes);
        for (size_t i = 0; i < 1000; i++)
            assert_int_equal(bytes[i], 0);
        memset(bytes, 0xFF, 1000);
        arena_clear(&arena);
    }
    arena_release(&arena);
}

static bool fill(struct arena *arena)
{
    for (size_t i = 0; i < 200; i++)
        if (!arena_allocate(arena, 1000, 8))
            return false;
    return true;
}

static void clear_keeps_the_memory_for_the_next_round(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    assert_true(fill(&arena));
    assert_true(arena_used(&arena) >= 200000);
    arena_clear(&arena);
    assert_int_equal(arena_used(&arena), 0);
    /* The same work again must not ask for memory at all. */
    memory_fail_after(0);
    bool filled = fill(&arena);
    memory_fail_after(-1);
    assert_true(filled);
    arena_clear(&arena);
    /* What was kept is not taken for what it is too small for. */
    size_t size = (size_t)3 * 1024 * 1024;
    uint8_t *large = arena_allocate(&arena, size, 8);
    assert_non_null(large);
    memset(large, 0xAB, size);
    arena_clear(&arena);
    assert_non_null(arena_allocate(&arena, 100, 8));
    assert_in_range(arena_used(&arena), 100, 200);
    arena_release(&arena);
}

static void failure_is_remembered_until_cleared(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    memory_fail_after(0);
    assert_null(arena_allocate(&arena, 10, 1));
    assert_true(arena.failed);
    assert_non_null(arena_allocate(&arena, 10, 1));
    assert_true(arena.failed);
    arena_clear(&arena);
    assert_false(arena.failed);
    memory_fail_after(-1);
    arena_release(&arena);
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    assert_null(arena_allocate(&arena, SIZE_MAX, 1));
    assert_true(arena.failed);
    arena_clear(&arena);
    assert_null(arena_allocate_array(&arena, SIZE_MAX / 4 + 2, 4, 4));
    assert_true(arena.failed);
    arena_clear(&arena);
    assert_non_null(arena_allocate_array(&arena, 0, 8, 8));
    assert_false(arena.failed);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_is_aligned_and_its_own),
        cmocka_unit_test(a_block_larger_than_any_chunk_is_given),
        cmocka_unit_test(zeroed_memory_is_zero_even_when_reused),
        cmocka_unit_test(clear_keeps_the_memory_for_the_next_round),
        cmocka_unit_test(failure_is_remembered_until_cleared),
        cmocka_unit_test(sizes_that_overflow_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
