#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"
#include "support.h"

static void equality_looks_at_length_and_bytes(void **state)
{
    (void)state;
    assert_true(text_equal(TEXT("abc"), text_of("abcd", 3)));
    assert_false(text_equal(TEXT("abc"), TEXT("abd")));
    assert_false(text_equal(TEXT("abc"), TEXT("ab")));
    assert_true(text_equal(TEXT(""), text_of(NULL, 0)));
    /* A zero is a byte like any other. */
    assert_false(text_equal(text_of("a\0b", 3), text_of("a\0c", 3)));
    assert_false(text_is(text_of("a\0", 2), "a"));
    assert_true(text_is(TEXT("a"), "a"));
}

static int sign(int number)
{
    return (number > 0) - (number < 0);
}

static void order_is_by_unsigned_bytes_then_length(void **state)
{
    (void)state;
    static const struct text ordered[] = {
        {NULL, 0}, {"\0", 1}, {"A", 1}, {"a", 1}, {"a\0", 2}, {"aa", 2}, {"b", 1}, {"\xC3\xA4", 2},
    };
    size_t count = sizeof ordered / sizeof *ordered;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            assert_int_equal(sign(text_compare(ordered[i], ordered[k])), (i > k) - (i < k));
}

static void prefixes_and_suffixes(void **state)
{
    (void)state;
    assert_true(text_starts_with(TEXT("META-INF/x"), TEXT("META-INF/")));
    assert_true(text_starts_with(TEXT("x"), TEXT("")));
    assert_true(text_starts_with(text_of(NULL, 0), TEXT("")));
    assert_false(text_starts_with(TEXT("META"), TEXT("META-INF/")));
    assert_true(text_ends_with(TEXT("A.class"), TEXT(".class")));
    assert_true(text_ends_with(TEXT(".class"), TEXT(".class")));
    assert_false(text_ends_with(TEXT("class"), TEXT(".class")));
    assert_false(text_ends_with(TEXT("A.classes"), TEXT(".class")));
}

static void finding_a_byte(void **state)
{
    (void)state;
    assert_int_equal(text_find(TEXT("a/b/c"), '/'), 1);
    assert_int_equal(text_find_last(TEXT("a/b/c"), '/'), 3);
    assert_int_equal(text_find(TEXT("abc"), '/'), -1);
    assert_int_equal(text_find_last(TEXT("abc"), '/'), -1);
    assert_int_equal(text_find(text_of(NULL, 0), '/'), -1);
    assert_int_equal(text_find_last(text_of(NULL, 0), '/'), -1);
    assert_int_equal(text_find(text_of("a\0b", 3), 'b'), 2);
    assert_int_equal(text_find_last(TEXT("/bc"), '/'), 0);
}

static void finding_a_part(void **state)
{
    (void)state;
    assert_int_equal(text_find_part(TEXT("A$$Lambda$1"), TEXT("$$Lambda")), 1);
    assert_int_equal(text_find_part(TEXT("$$$Lambda"), TEXT("$$Lambda")), 1);
    assert_int_equal(text_find_part(TEXT("abab"), TEXT("ab")), 0);
    assert_int_equal(text_find_part(TEXT("ab"), TEXT("ab")), 0);
    assert_int_equal(text_find_part(TEXT("ab"), TEXT("")), 0);
    assert_int_equal(text_find_part(TEXT("ab"), TEXT("abc")), -1);
    assert_int_equal(text_find_part(TEXT("$$Lambd"), TEXT("$$Lambda")), -1);
    assert_int_equal(text_find_part(text_of(NULL, 0), TEXT("a")), -1);
}

static void slices_are_cut_to_the_text(void **state)
{
    (void)state;
    assert_text(text_slice(TEXT("abcdef"), 2, 4), "cd");
    assert_text(text_slice(TEXT("abcdef"), 4, 100), "ef");
    assert_text(text_slice(TEXT("abcdef"), 100, 200), "");
    assert_text(text_slice(TEXT("abcdef"), 4, 2), "");
    assert_text(text_slice(text_of(NULL, 0), 1, 2), "");
}

static void is_trimmed(void **state)
{
    (void)state;
    assert_text(text_trimmed(TEXT(" \t a b\r\n ")), "a b");
    assert_text(text_trimmed(TEXT(" \n\t")), "");
    assert_text(text_trimmed(TEXT("")), "");
    assert_text(text_trimmed(TEXT("a")), "a");
}

static void gives_its_lines(void **state)
{
    (void)state;
    const struct {
        struct text content;
        const char *lines[4];
    } cases[] = {{TEXT("a\r\n\n b \nc"), {"a", "", "b", "c"}},
                 {TEXT("a\n"), {"a"}},
                 {TEXT("\n"), {""}},
                 {TEXT(""), {NULL}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text rest = cases[i].content, line;
        size_t count = 0;
        for (; text_next_line(&rest, &line); count++) {
            assert_non_null(cases[i].lines[count]);
            assert_text(line, cases[i].lines[count]);
        }
        assert_true(count == 4 || !cases[i].lines[count]);
    }
}

static void a_copy_ends_in_a_zero_and_is_independent(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    char source[] = "name/rest";
    struct text copy = text_copy(&arena, text_of(source, 4));
    memset(source, '#', sizeof source - 1);
    assert_text(copy, "name");
    assert_string_equal(copy.bytes, "name");
    assert_string_equal(text_copy(&arena, text_of(NULL, 0)).bytes, "");
    arena_release(&arena);

    memory_fail_after(0);
    struct text failed = text_copy(&arena, TEXT("x"));
    memory_fail_after(-1);
    assert_int_equal(failed.length, 0);
    assert_string_equal(failed.bytes, "");
    assert_true(arena.failed);
    arena_release(&arena);
}

static void equal_texts_hash_alike_wherever_they_stand(void **state)
{
    (void)state;
    const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    for (size_t length = 0; length < 26; length++) {
        char elsewhere[32] = "#";
        memcpy(elsewhere + 1, letters, length);
        assert_int_equal(text_hash(text_of(letters, length)),
                         text_hash(text_of(elsewhere + 1, length)));
    }
}

static void hashes_of_similar_texts_differ(void **state)
{
    (void)state;
    /* Among 2000 good 32-bit hashes a collision has a chance of 1 in 2000; these are fixed. */
    enum { COUNT = 2000 };
    static uint32_t hashes[COUNT];
    for (int i = 0; i < COUNT; i++) {
        char name[40];
        snprintf(name, sizeof name, "com/example/Class$%d", i);
        hashes[i] = (uint32_t)text_hash(text_from(name));
        for (int k = 0; k < i; k++)
            assert_int_not_equal(hashes[i], hashes[k]);
    }
    assert_int_not_equal(text_hash(text_of("\0\0", 1)), text_hash(text_of("\0\0", 2)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_trimmed),
        cmocka_unit_test(gives_its_lines),
        cmocka_unit_test(equality_looks_at_length_and_bytes),
        cmocka_unit_test(order_is_by_unsigned_bytes_then_length),
        cmocka_unit_test(prefixes_and_suffixes),
        cmocka_unit_test(finding_a_byte),
        cmocka_unit_test(finding_a_part),
        cmocka_unit_test(slices_are_cut_to_the_text),
        cmocka_unit_test(a_copy_ends_in_a_zero_and_is_independent),
        cmocka_unit_test(equal_texts_hash_alike_wherever_they_stand),
        cmocka_unit_test(hashes_of_similar_texts_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
