#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/intmap.h"
#include "base/textmap.h"
#include "support.h"

/* Both maps do the same random work as an array that is searched from its start. */

enum { OPERATIONS = 20000, DIFFERENT_KEYS = 1500 };

struct reference {
    uint64_t keys[DIFFERENT_KEYS];
    uint64_t values[DIFFERENT_KEYS];
    size_t count;
};

static uint64_t *reference_find(struct reference *reference, uint64_t key)
{
    for (size_t i = 0; i < reference->count; i++)
        if (reference->keys[i] == key)
            return &reference->values[i];
    return NULL;
}

static uint64_t *reference_find_or_add(struct reference *reference, uint64_t key, uint64_t value)
{
    uint64_t *found = reference_find(reference, key);
    if (found)
        return found;
    reference->keys[reference->count] = key;
    reference->values[reference->count] = value;
    return &reference->values[reference->count++];
}

/* Some keys in a row, some far apart, some that differ in their high bits only. */
static uint64_t integer_key(uint64_t number)
{
    switch (number % 3) {
    case 0:
        return number;
    case 1:
        return number << 48;
    default:
        return support_random(&number) & ~(uint64_t)1;
    }
}

static void check_intmap(struct intmap *map, uint64_t seed)
{
    static struct reference reference;
    reference.count = 0;
    for (int i = 0; i < OPERATIONS; i++) {
        uint64_t key = integer_key(support_random(&seed) % DIFFERENT_KEYS);
        uint64_t value = support_random(&seed);
        uint64_t *expected = reference_find(&reference, key);
        uint64_t got = 0;
        assert_int_equal(intmap_get(map, key, &got), expected != NULL);
        if (expected)
            assert_int_equal(got, *expected);
        if (value % 3 == 0) {
            assert_true(intmap_put(map, key, value));
            *reference_find_or_add(&reference, key, value) = value;
        } else if (value % 3 == 1) {
            bool added;
            uint64_t *stored = intmap_find_or_add(map, key, value, &added);
            assert_non_null(stored);
            assert_int_equal(added, expected == NULL);
            assert_int_equal(*stored, *reference_find_or_add(&reference, key, value));
        }
        assert_int_equal(map->count, reference.count);
    }
    for (size_t i = 0; i < reference.count; i++) {
        uint64_t got;
        assert_true(intmap_get(map, reference.keys[i], &got));
        assert_int_equal(got, reference.values[i]);
    }
}

static void intmap_agrees_with_a_list(void **state)
{
    (void)state;
    struct intmap map;
    intmap_init(&map);
    assert_false(intmap_get(&map, 0, NULL));
    check_intmap(&map, 1);
    intmap_clear(&map);
    assert_int_equal(map.count, 0);
    assert_false(intmap_get(&map, 0, NULL));
    check_intmap(&map, 2);
    intmap_release(&map);
}

static void intmap_refuses_the_key_that_is_none(void **state)
{
    (void)state;
    struct intmap map;
    intmap_init(&map);
    assert_true(intmap_put(&map, 0, 1));
    assert_false(intmap_put(&map, INTMAP_NO_KEY, 1));
    assert_false(intmap_get(&map, INTMAP_NO_KEY, NULL));
    assert_int_equal(map.count, 1);
    intmap_release(&map);
}

static char key_bytes[DIFFERENT_KEYS][24];

/* Keys of 0 to 23 bytes; those of one length differ in the last bytes only. */
static struct text text_key(size_t number)
{
    if (number == 0)
        return text_of(NULL, 0);
    int length = snprintf(key_bytes[number], sizeof key_bytes[number], "%.*s%zu",
                          (int)(number % 20), "java/lang/ThreadLoca", number);
    return text_of(key_bytes[number], (size_t)length);
}

static void check_textmap(struct textmap *map, uint64_t seed)
{
    static struct reference reference;
    reference.count = 0;
    for (int i = 0; i < OPERATIONS; i++) {
        size_t number = support_random(&seed) % DIFFERENT_KEYS;
        struct text key = text_key(number);
        uint32_t value = (uint32_t)support_random(&seed);
        uint64_t *expected = reference_find(&reference, number);
        uint32_t got = 0;
        assert_int_equal(textmap_get(map, key, &got), expected != NULL);
        if (expected)
            assert_int_equal(got, *expected);
        if (value % 3 == 0) {
            assert_true(textmap_put(map, key, value));
            *reference_find_or_add(&reference, number, value) = value;
        } else if (value % 3 == 1) {
            bool added;
            uint32_t *stored = textmap_find_or_add(map, key, value, &added);
            assert_non_null(stored);
            assert_int_equal(added, expected == NULL);
            assert_int_equal(*stored, *reference_find_or_add(&reference, number, value));
        }
        assert_int_equal(map->count, reference.count);
    }
}

static void textmap_agrees_with_a_list(void **state)
{
    (void)state;
    struct textmap map;
    textmap_init(&map);
    assert_false(textmap_get(&map, TEXT("a"), NULL));
    check_textmap(&map, 3);
    textmap_clear(&map);
    assert_int_equal(map.count, 0);
    assert_false(textmap_get(&map, TEXT("a"), NULL));
    check_textmap(&map, 4);
    textmap_release(&map);
}

/* So many that some have the same 32-bit hash. */
static void texts_with_equal_hashes_are_told_apart(void **state)
{
    (void)state;
    enum { COUNT = 300000 };
    char(*names)[8] = malloc(COUNT * sizeof *names);
    assert_non_null(names);
    struct textmap map;
    textmap_init(&map);
    for (uint32_t i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "n%u", (unsigned)i);
        bool added = false;
        assert_non_null(textmap_find_or_add(&map, text_from(names[i]), i, &added));
        assert_true(added);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t value;
        assert_true(textmap_get(&map, text_from(names[i]), &value));
        assert_int_equal(value, i);
    }
    textmap_release(&map);
    free(names);
}

static void the_empty_text_is_a_key(void **state)
{
    (void)state;
    struct textmap map;
    textmap_init(&map);
    uint32_t value = 0;
    assert_true(textmap_put(&map, text_of(NULL, 0), 5));
    assert_true(textmap_put(&map, TEXT("x"), 6));
    assert_true(textmap_get(&map, TEXT(""), &value));
    assert_int_equal(value, 5);
    assert_int_equal(map.count, 2);
    textmap_release(&map);
}

static void a_failed_addition_leaves_the_map_as_it_was(void **state)
{
    (void)state;
    struct intmap integers;
    struct textmap texts;
    intmap_init(&integers);
    textmap_init(&texts);
    size_t failures = 0;
    for (size_t i = 1; i < 200; i++) {
        size_t count = integers.count;
        memory_fail_after(0);
        bool put = intmap_put(&integers, i, i * 2);
        memory_fail_after(0);
        bool put_text = textmap_put(&texts, text_key(i), (uint32_t)i * 2);
        memory_fail_after(-1);
        if (!put) {
            failures++;
            assert_int_equal(integers.count, count);
            assert_true(intmap_put(&integers, i, i * 2));
        }
        if (!put_text) {
            failures++;
            assert_int_equal(texts.count, count);
            assert_true(textmap_put(&texts, text_key(i), (uint32_t)i * 2));
        }
    }
    assert_true(failures >= 4);
    for (size_t i = 1; i < 200; i++) {
        uint64_t value;
        uint32_t small_value;
        assert_true(intmap_get(&integers, i, &value));
        assert_int_equal(value, i * 2);
        assert_true(textmap_get(&texts, text_key(i), &small_value));
        assert_int_equal(small_value, i * 2);
    }
    intmap_release(&integers);
    textmap_release(&texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intmap_agrees_with_a_list),
        cmocka_unit_test(intmap_refuses_the_key_that_is_none),
        cmocka_unit_test(textmap_agrees_with_a_list),
        cmocka_unit_test(texts_with_equal_hashes_are_told_apart),
        cmocka_unit_test(the_empty_text_is_a_key),
        cmocka_unit_test(a_failed_addition_leaves_the_map_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
