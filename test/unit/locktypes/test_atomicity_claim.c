/* Which declared atomicities say that a method should be atomic; docs/atomicity-types.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "locktypes/atomicity_claim.h"
#include "locktypes/syntax_parser.h"

static enum atomicity_claim claim(const char *clauses_text)
{
    struct arena arena;
    arena_init(&arena);
    struct syntax_errors errors = {.arena = &arena};
    struct syntax_clauses clauses = {0};
    const struct syntax_place place = {.file = TEXT("a"), .line = 1, .column = 1};
    assert_true(syntax_parse_clauses(&clauses, &arena, text_from(clauses_text), place, &errors));
    assert_int_equal(errors.items.count, 0);
    const enum atomicity_claim result = atomicity_claim(clauses.atomicity, &clauses.requires);
    vector_release(&errors.items);
    arena_release(&arena);
    return result;
}

static void nothing_is_declared(void **state)
{
    (void)state;
    assert_int_equal(claim("requires this"), CLAIM_NONE);
}

static void plain_ones(void **state)
{
    (void)state;
    assert_int_equal(claim("atomic"), CLAIM_ATOMIC);
    assert_int_equal(claim("atomicity atomic"), CLAIM_ATOMIC);
    assert_int_equal(claim("atomicity const"), CLAIM_ATOMIC);
    assert_int_equal(claim("atomicity mover"), CLAIM_ATOMIC);
    assert_int_equal(claim("atomicity cmpd"), CLAIM_OTHER);
    assert_int_equal(claim("atomicity error"), CLAIM_OTHER);
}

static void for_every_set_of_locks(void **state)
{
    (void)state;
    assert_int_equal(claim("atomicity this ? mover : atomic"), CLAIM_ATOMIC);
    assert_int_equal(claim("atomicity this ? mover : cmpd"), CLAIM_OTHER);
    assert_int_equal(claim("atomicity this ? cmpd : atomic"), CLAIM_OTHER);
    assert_int_equal(claim("atomicity other ? (this ? mover : atomic) : cmpd"), CLAIM_OTHER);
    assert_int_equal(claim("atomicity other ? (this ? mover : atomic) : (this ? const : mover)"),
                     CLAIM_ATOMIC);
}

static void without_the_lock_it_is_not_called(void **state)
{
    (void)state;
    assert_int_equal(claim("atomicity this ? mover"), CLAIM_ATOMIC);
    assert_int_equal(claim("atomicity this ? mover : error"), CLAIM_ATOMIC);
    assert_int_equal(claim("atomicity this ? cmpd"), CLAIM_OTHER);
    assert_int_equal(claim("atomicity this ? error"), CLAIM_OTHER);
}

static void what_cannot_be_does_not_count(void **state)
{
    (void)state;
    assert_int_equal(claim("atomicity this ? mover : (this ? cmpd : atomic)"), CLAIM_ATOMIC);
    assert_int_equal(claim("atomicity this ? (other ? mover : (this ? atomic : cmpd)) : mover"),
                     CLAIM_ATOMIC);
    assert_int_equal(claim("atomicity this ? mover : (other ? cmpd : atomic)"), CLAIM_OTHER);
}

static void what_is_required_is_held(void **state)
{
    (void)state;
    assert_int_equal(claim("requires this atomicity this ? mover : cmpd"), CLAIM_ATOMIC);
    assert_int_equal(claim("requires other atomicity this ? mover : cmpd"), CLAIM_OTHER);
    assert_int_equal(claim("requires this, other atomicity this ? (other ? mover : cmpd) : cmpd"),
                     CLAIM_ATOMIC);
    assert_int_equal(claim("requires this atomicity this ? cmpd : atomic"), CLAIM_OTHER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_declared),
        cmocka_unit_test(plain_ones),
        cmocka_unit_test(for_every_set_of_locks),
        cmocka_unit_test(without_the_lock_it_is_not_called),
        cmocka_unit_test(what_cannot_be_does_not_count),
        cmocka_unit_test(what_is_required_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
