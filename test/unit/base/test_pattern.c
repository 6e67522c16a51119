#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/pattern.h"
#include "support.h"

static bool matches(const char *pattern, const char *name)
{
    return pattern_matches(text_from(pattern), text_from(name));
}

static void a_name_matches_itself_and_what_is_in_it(void **state)
{
    (void)state;
    assert_true(matches("com.example", "com.example"));
    assert_true(matches("com.example", "com.example.Account"));
    assert_true(matches("com.example", "com.example.deep.Account$Entry"));
    assert_true(matches("Account", "Account$Entry"));
    assert_true(matches("Account", "Account.balance"));
    assert_true(matches("Account.balance", "Account.balance"));
}

static void a_name_does_not_match_what_only_starts_like_it(void **state)
{
    (void)state;
    assert_false(matches("com.example", "com.examples.Account"));
    assert_false(matches("com.example", "com.exampl"));
    assert_false(matches("com.example", "org.com.example"));
    assert_false(matches("Account.balance", "Account.balances"));
    assert_false(matches("Account.balance", "Account"));
    assert_false(matches("account", "Account"));
}

static void a_star_takes_anything_also_nothing_and_dots(void **state)
{
    (void)state;
    assert_true(matches("*", ""));
    assert_true(matches("*", "com.example.Account"));
    assert_true(matches("com.example.*", "com.example.Account"));
    assert_true(matches("com.example.*", "com.example.deep.Account"));
    assert_true(matches("*Test", "com.example.AccountTest"));
    assert_true(matches("*Test", "Test"));
    assert_true(matches("com.*.Account", "com.a.b.Account"));
    assert_true(matches("com*Account", "comAccount"));
    assert_true(matches("**", "a"));
}

static void with_a_star_the_whole_name_must_match(void **state)
{
    (void)state;
    assert_false(matches("com.example.*", "com.example"));
    assert_false(matches("*Test", "com.example.AccountTest$Inner"));
    assert_false(matches("*Test", "Tests"));
    assert_false(matches("com.*.Account", "com.Account"));
    assert_false(matches("*a", "b"));
    assert_false(matches("a*", "ba"));
}

static void a_star_is_tried_further_right(void **state)
{
    (void)state;
    assert_true(matches("*ab", "aab"));
    assert_true(matches("*.Account", "x.AccountAccount.Account"));
    assert_true(matches("a*b*c", "abbcbc"));
    assert_false(matches("a*b*c", "acb"));
    /* Nothing but a product of lengths: this would take years if all stars were tried. */
    char name[4001];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_false(matches("a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", name));
}

static void other_signs_stand_for_themselves(void **state)
{
    (void)state;
    assert_false(matches("a?c", "abc"));
    assert_false(matches("[ab]*", "abc"));
    assert_true(matches("Outer$*", "Outer$Inner"));
    assert_false(matches("a.c*", "abc"));
}

static void the_empty_pattern_matches_the_empty_name_only(void **state)
{
    (void)state;
    assert_true(matches("", ""));
    assert_false(matches("", "a"));
    assert_false(matches("", ".a"));
}

/* The definition of '*', tried in every way. */
static bool matches_slowly(const char *pattern, const char *name)
{
    if (*pattern == '*')
        return matches_slowly(pattern + 1, name) || (*name && matches_slowly(pattern, name + 1));
    if (!*pattern || !*name)
        return *pattern == *name;
    return *pattern == *name && matches_slowly(pattern + 1, name + 1);
}

static void stars_agree_with_their_definition(void **state)
{
    (void)state;
    uint64_t random = 7;
    unsigned matched = 0;
    for (int round = 0; round < 20000; round++) {
        char pattern[8], name[10];
        size_t pattern_length = 1 + support_random(&random) % 6;
        size_t name_length = support_random(&random) % 9;
        for (size_t i = 0; i < pattern_length; i++)
            pattern[i] = "a*b"[support_random(&random) % 3];
        pattern[support_random(&random) % pattern_length] = '*';
        pattern[pattern_length] = '\0';
        for (size_t i = 0; i < name_length; i++)
            name[i] = "ab"[support_random(&random) % 2];
        name[name_length] = '\0';
        bool expected = matches_slowly(pattern, name);
        matched += expected;
        if (matches(pattern, name) != expected)
            fail_msg("'%s' and '%s' should%s match", pattern, name, expected ? "" : " not");
    }
    assert_in_range(matched, 1000, 19000);
}

static void a_list_matches_if_one_does_and_keeps_copies(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    struct pattern_list list = {VECTOR_EMPTY};
    assert_false(pattern_list_matches(&list, TEXT("a")));
    char word[] = "com.example";
    assert_true(pattern_list_add(&list, &arena, text_from(word)));
    memset(word, 'x', sizeof word - 1);
    assert_true(pattern_list_add(&list, &arena, TEXT("*Test")));
    assert_true(pattern_list_matches(&list, TEXT("com.example.Account")));
    assert_true(pattern_list_matches(&list, TEXT("org.SomeTest")));
    assert_false(pattern_list_matches(&list, TEXT("org.Some")));
    pattern_list_release(&list);
    assert_false(pattern_list_matches(&list, TEXT("org.SomeTest")));
    arena_release(&arena);
}

static void all_that_match_are_marked(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    struct pattern_list list = {VECTOR_EMPTY};
    assert_true(pattern_list_add(&list, &arena, TEXT("com.example")));
    assert_true(pattern_list_add(&list, &arena, TEXT("Account")));
    assert_true(pattern_list_add(&list, &arena, TEXT("*.Clerk")));
    assert_false(pattern_list_matches(&list, TEXT("Clerk")));
    for (size_t i = 0; i < list.items.count; i++)
        assert_false(atomic_load(&list.items.items[i].matched));
    assert_true(pattern_list_matches(&list, TEXT("com.example.Clerk")));
    assert_true(atomic_load(&list.items.items[0].matched));
    assert_false(atomic_load(&list.items.items[1].matched));
    assert_true(atomic_load(&list.items.items[2].matched));
    pattern_list_release(&list);
    arena_release(&arena);
}

static bool fill_list(void *context)
{
    (void)context;
    struct arena arena;
    arena_init(&arena);
    struct pattern_list list = {VECTOR_EMPTY};
    size_t added = 0;
    for (size_t i = 0; i < 20; i++)
        added += pattern_list_add(&list, &arena, TEXT("Account"));
    assert_int_equal(list.items.count, added);
    for (size_t i = 0; i < added; i++)
        assert_text(list.items.items[i].text, "Account");
    pattern_list_release(&list);
    arena_release(&arena);
    return added == 20;
}

static void no_memory_leaves_the_list_as_it_was(void **state)
{
    (void)state;
    assert_true(support_fail_each_request(fill_list, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_matches_itself_and_what_is_in_it),
        cmocka_unit_test(a_name_does_not_match_what_only_starts_like_it),
        cmocka_unit_test(a_star_takes_anything_also_nothing_and_dots),
        cmocka_unit_test(with_a_star_the_whole_name_must_match),
        cmocka_unit_test(a_star_is_tried_further_right),
        cmocka_unit_test(other_signs_stand_for_themselves),
        cmocka_unit_test(the_empty_pattern_matches_the_empty_name_only),
        cmocka_unit_test(stars_agree_with_their_definition),
        cmocka_unit_test(a_list_matches_if_one_does_and_keeps_copies),
        cmocka_unit_test(all_that_match_are_marked),
        cmocka_unit_test(no_memory_leaves_the_list_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
