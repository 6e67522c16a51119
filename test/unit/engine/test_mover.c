/*
 * Movers: the classification of accesses and locks, and how usage passes from thread to thread.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "engine/mover.h"
#include "support.h"

#define THREADS 6u

/* An engine for clocks and locksets, and threads that nobody has started. */
struct fixture {
    struct engine *engine;
    struct thread *threads[THREADS];
    struct mover_rules rules;
    struct mover_table table;
};

static void begin_with(struct fixture *fixture, uint32_t refinements, bool final, uint32_t locks)
{
    struct engine_options options;
    struct mover_options movers;
    engine_options_default(&options);
    options.variables = 1024;
    fixture->engine = engine_new(&options);
    assert_non_null(fixture->engine);
    for (unsigned i = 0; i < THREADS; i++)
        fixture->threads[i] = engine_thread_start(fixture->engine, NULL, i + 1);
    mover_options_default(&movers);
    movers.refinements = refinements;
    movers.final = final;
    movers.locks = locks;
    assert_true(mover_table_init(&fixture->table, &movers, engine_locksets(fixture->engine)));
    fixture->rules = fixture->table.rules;
}

static void begin(struct fixture *fixture, bool final)
{
    begin_with(fixture, MOVER_ALL_REFINEMENTS, final, 64);
}

static void end(struct fixture *fixture)
{
    mover_table_release(&fixture->table);
    engine_free(fixture->engine);
}

/* What the first thread did up to now is before what the second does from now on. */
static void order(struct fixture *fixture, unsigned first, unsigned second)
{
    uint32_t sync = first * THREADS + second;
    engine_sync_release(fixture->engine, fixture->threads[first], sync);
    engine_sync_acquire(fixture->engine, fixture->threads[second], sync);
}

static enum mover use_with(struct fixture *fixture, unsigned thread, uint32_t lock, uint32_t held,
                           bool *lost)
{
    struct mover_user user = mover_user_of(fixture->threads[thread]);
    struct mover_verdict acquire = mover_acquire(&fixture->table, lock, &user, held, false);
    struct mover_verdict release = mover_release(&fixture->table, lock, &user, held, false);
    if (lost)
        *lost = acquire.lost;
    assert_false(release.lost);
    assert_int_equal(acquire.losable, release.losable);
    assert_int_equal(acquire.mover == MOVER_BOTH, release.mover == MOVER_BOTH);
    assert_true(release.mover == MOVER_BOTH || release.mover == MOVER_LEFT);
    return acquire.mover;
}

static enum mover use(struct fixture *fixture, unsigned thread, uint32_t lock)
{
    return use_with(fixture, thread, lock, LOCKSET_EMPTY, NULL);
}

static void add(struct fixture *fixture, struct mover_usage *usage, unsigned thread,
                uint32_t lockset, bool write)
{
    struct mover_user user = mover_user_of(fixture->threads[thread]);
    mover_usage_add(usage, &fixture->rules, MOVER_VARIABLE, &user, lockset, write);
}

static struct engine_facts facts_of(struct fixture *fixture, const struct mover_usage *usage)
{
    struct engine_facts facts;
    mover_usage_facts(usage, &fixture->rules, &facts);
    return facts;
}

static void test_names(void **state)
{
    uint32_t all = 0;
    (void)state;
    assert_int_equal(mover_refinement_from(TEXT("reentrant-locks")), MOVER_REENTRANT_LOCKS);
    assert_int_equal(mover_refinement_from(TEXT("thread-local-locks")), MOVER_THREAD_LOCAL_LOCKS);
    assert_int_equal(mover_refinement_from(TEXT("thread-local-2-locks")),
                     MOVER_THREAD_LOCAL_2_LOCKS);
    assert_int_equal(mover_refinement_from(TEXT("protected-locks")), MOVER_PROTECTED_LOCKS);
    assert_int_equal(mover_refinement_from(TEXT("write-protected-data")),
                     MOVER_WRITE_PROTECTED_DATA);
    assert_int_equal(mover_refinement_from(TEXT("protected")), 0);
    assert_int_equal(mover_refinement_from(TEXT("")), 0);
    for (unsigned i = 0; i < MOVER_REFINEMENTS; i++)
        all |= mover_refinement_from(text_from(mover_refinement_names[i]));
    assert_int_equal(all, MOVER_ALL_REFINEMENTS);
    assert_string_equal(mover_name(MOVER_NON), "non-mover");
    assert_string_equal(mover_name(MOVER_BOTH), "both-mover");
}

static void test_accesses(void **state)
{
    struct fixture fixture;
    const uint32_t m = lockset_single(1), n = lockset_single(2), none = LOCKSET_EMPTY;
    (void)state;
    begin(&fixture, false);
    struct mover_rules pairs = fixture.rules, plain = fixture.rules;
    plain.refinements &= ~(uint32_t)MOVER_WRITE_PROTECTED_DATA;
    const struct {
        struct engine_facts facts;
        uint32_t lockset;
        bool write;
        enum mover with_pairs, without;
    } cases[] = {
        {{VARIABLE_UNTOUCHED, 0, LOCKSET_ALL, LOCKSET_ALL}, none, true, MOVER_BOTH, MOVER_BOTH},
        {{VARIABLE_THREAD_LOCAL, 1, LOCKSET_ALL, LOCKSET_ALL}, none, true, MOVER_BOTH, MOVER_BOTH},
        {{VARIABLE_THREAD_LOCAL_2, 1, LOCKSET_ALL, LOCKSET_ALL},
         none,
         true,
         MOVER_BOTH,
         MOVER_BOTH},
        {{VARIABLE_READ_SHARED, 0, LOCKSET_ALL, LOCKSET_ALL}, none, false, MOVER_BOTH, MOVER_BOTH},
        /* always with the lock */
        {{VARIABLE_SHARED_MODIFIED, 0, m, m}, m, false, MOVER_BOTH, MOVER_BOTH},
        {{VARIABLE_SHARED_MODIFIED, 0, m, m}, m, true, MOVER_BOTH, MOVER_BOTH},
        /* writes with the lock, reads with and without */
        {{VARIABLE_SHARED_MODIFIED, 0, none, m}, m, false, MOVER_BOTH, MOVER_NON},
        {{VARIABLE_SHARED_MODIFIED, 0, none, m}, none, false, MOVER_NON, MOVER_NON},
        {{VARIABLE_SHARED_MODIFIED, 0, none, m}, n, false, MOVER_NON, MOVER_NON},
        {{VARIABLE_SHARED_MODIFIED, 0, none, m}, m, true, MOVER_NON, MOVER_NON},
        /* no lock at all */
        {{VARIABLE_SHARED_MODIFIED, 0, none, none}, m, false, MOVER_NON, MOVER_NON},
        {{VARIABLE_SHARED_MODIFIED, 0, none, none}, m, true, MOVER_NON, MOVER_NON},
        /* not known */
        {{VARIABLE_SHARED_MODIFIED, 0, none, none}, LOCKSET_ALL, true, MOVER_BOTH, MOVER_BOTH},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(mover_of_access(&pairs, &cases[i].facts, cases[i].lockset, cases[i].write),
                         cases[i].with_pairs);
        assert_int_equal(mover_of_access(&plain, &cases[i].facts, cases[i].lockset, cases[i].write),
                         cases[i].without);
    }
    end(&fixture);
}

static void test_lock_states(void **state)
{
    struct fixture fixture;
    bool lost;
    (void)state;
    begin(&fixture, false);
    assert_int_equal(use(&fixture, 0, 1), MOVER_BOTH);
    assert_int_equal(use(&fixture, 0, 1), MOVER_BOTH);
    assert_int_equal(use(&fixture, 1, 1), MOVER_BOTH); /* handed over */
    assert_int_equal(use(&fixture, 1, 1), MOVER_BOTH);
    assert_int_equal(use_with(&fixture, 0, 1, LOCKSET_EMPTY, &lost), MOVER_RIGHT);
    assert_true(lost);
    assert_int_equal(use_with(&fixture, 1, 1, LOCKSET_EMPTY, &lost), MOVER_RIGHT);
    assert_false(lost);
    assert_int_equal(use(&fixture, 0, 2), MOVER_BOTH); /* another lock */
    struct mover_user user = mover_user_of(fixture.threads[0]);
    assert_int_equal(mover_acquire(&fixture.table, 1, &user, LOCKSET_EMPTY, true).mover,
                     MOVER_BOTH);
    mover_forget(&fixture.table, 1);
    assert_int_equal(use(&fixture, 2, 1), MOVER_BOTH); /* a new lock with the same number */
    end(&fixture);
}

/* The lock is another's, and then another's, but never of two at once. */
static void test_ordered_users(void **state)
{
    struct fixture fixture;
    (void)state;
    for (unsigned final = 0; final < 2; final++) {
        begin(&fixture, final);
        for (unsigned thread = 0; thread < THREADS; thread++) {
            assert_int_equal(use(&fixture, thread, 1), MOVER_BOTH);
            if (thread + 1 < THREADS)
                order(&fixture, thread, thread + 1);
        }
        /* The first one comes back, and does not know of the last. */
        assert_int_equal(use(&fixture, 0, 1), MOVER_RIGHT);
        end(&fixture);
    }
}

/* In two passes a hand-over by locks alone does not count: another run may have it otherwise. */
static void test_final_hand_over(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, true);
    use(&fixture, 0, 1);
    use(&fixture, 1, 1);
    use(&fixture, 0, 2);
    mover_freeze(&fixture.table);
    assert_int_equal(use(&fixture, 0, 1), MOVER_RIGHT);
    assert_int_equal(use(&fixture, 1, 1), MOVER_RIGHT);
    assert_int_equal(use(&fixture, 0, 2), MOVER_BOTH);
    assert_int_equal(use(&fixture, 1, 2), MOVER_BOTH); /* frozen: nothing changes */
    assert_int_equal(use(&fixture, 0, 3), MOVER_BOTH); /* not seen */
    end(&fixture);
}

/* A lock of several threads, all of which are over when the last one uses it. */
static void test_after_a_group(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, false);
    for (unsigned round = 0; round < 2; round++)
        for (unsigned thread = 0; thread < 4; thread++)
            use(&fixture, thread, 1);
    assert_int_equal(use(&fixture, 3, 1), MOVER_RIGHT);
    for (unsigned thread = 0; thread < 4; thread++)
        order(&fixture, thread, 5);
    assert_int_equal(use(&fixture, 5, 1), MOVER_BOTH);
    assert_int_equal(use(&fixture, 4, 1), MOVER_RIGHT);
    end(&fixture);
}

static void test_protected_locks(void **state)
{
    struct fixture fixture;
    bool lost;
    (void)state;
    begin(&fixture, false);
    struct lockset_table *sets = engine_locksets(fixture.engine);
    uint32_t both = lockset_union(sets, lockset_single(8), lockset_single(9));
    for (unsigned round = 0; round < 2; round++)
        for (unsigned thread = 0; thread < 3; thread++)
            assert_int_equal(use_with(&fixture, thread, 1, both, NULL), MOVER_BOTH);
    assert_int_equal(use_with(&fixture, 0, 1, lockset_single(9), &lost), MOVER_BOTH);
    assert_false(lost);
    assert_int_equal(use_with(&fixture, 0, 1, lockset_single(8), &lost), MOVER_RIGHT);
    assert_true(lost);
    end(&fixture);
    /* The first thread had no other lock; it has handed the lock over. */
    begin(&fixture, false);
    use(&fixture, 0, 1);
    for (unsigned thread = 1; thread < 4; thread++)
        assert_int_equal(use_with(&fixture, thread, 1, lockset_single(8), NULL), MOVER_BOTH);
    end(&fixture);
}

static void test_reconsider(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, false);
    struct mover_verdict verdict = {
        .state = MOVER_SHARED, .losable = true, .protecting = lockset_single(8)};
    const struct mover_rules *rules = &fixture.rules;
    assert_int_equal(mover_reconsider(rules, &verdict, lockset_single(8), true), MOVER_BOTH);
    assert_int_equal(mover_reconsider(rules, &verdict, LOCKSET_EMPTY, true), MOVER_RIGHT);
    assert_int_equal(mover_reconsider(rules, &verdict, LOCKSET_EMPTY, false), MOVER_LEFT);
    verdict.losable = false;
    assert_int_equal(mover_reconsider(rules, &verdict, lockset_single(8), false), MOVER_LEFT);
    verdict = (struct mover_verdict){.state = MOVER_LOCAL_2, .losable = true};
    assert_int_equal(mover_reconsider(rules, &verdict, LOCKSET_EMPTY, true), MOVER_BOTH);
    end(&fixture);
}

/*
 * Variables of a whole trace. The threads 1, 2, ... are started and joined by thread 0.
 */

static void test_result_after_join(void **state)
{
    struct fixture fixture;
    struct mover_usage usage = {.state = MOVER_UNUSED};
    const uint32_t m = lockset_single(1);
    (void)state;
    begin(&fixture, true);
    add(&fixture, &usage, 0, LOCKSET_EMPTY, true);
    for (unsigned thread = 1; thread < 4; thread++)
        order(&fixture, 0, thread);
    for (unsigned thread = 1; thread < 4; thread++) {
        add(&fixture, &usage, thread, m, false);
        add(&fixture, &usage, thread, m, true);
    }
    for (unsigned thread = 1; thread < 4; thread++)
        order(&fixture, thread, 0);
    add(&fixture, &usage, 0, LOCKSET_EMPTY, false);
    struct engine_facts facts = facts_of(&fixture, &usage);
    assert_int_equal(mover_of_access(&fixture.rules, &facts, LOCKSET_EMPTY, true), MOVER_BOTH);
    assert_int_equal(mover_of_access(&fixture.rules, &facts, LOCKSET_EMPTY, false), MOVER_BOTH);
    assert_int_equal(mover_of_access(&fixture.rules, &facts, m, true), MOVER_BOTH);
    /* A thread that was not joined, and does not take the lock. */
    add(&fixture, &usage, 4, LOCKSET_EMPTY, false);
    facts = facts_of(&fixture, &usage);
    assert_int_equal(facts.state, VARIABLE_SHARED_MODIFIED);
    assert_int_equal(facts.access_set, LOCKSET_EMPTY);
    assert_int_equal(mover_of_access(&fixture.rules, &facts, m, true), MOVER_NON);
    end(&fixture);
}

/* One group of users is not protected: that stays so, whoever comes later. */
static void test_open_group(void **state)
{
    struct fixture fixture;
    struct mover_usage usage = {.state = MOVER_UNUSED};
    const uint32_t m = lockset_single(1);
    (void)state;
    begin(&fixture, true);
    add(&fixture, &usage, 1, m, true);
    add(&fixture, &usage, 2, LOCKSET_EMPTY, false);
    order(&fixture, 1, 0);
    order(&fixture, 2, 0);
    add(&fixture, &usage, 0, LOCKSET_EMPTY, true);
    struct engine_facts facts = facts_of(&fixture, &usage);
    assert_int_equal(facts.state, VARIABLE_SHARED_MODIFIED);
    assert_int_equal(facts.access_set, LOCKSET_EMPTY);
    assert_int_equal(facts.write_set, m);
    end(&fixture);
}

static void test_usage_states(void **state)
{
    struct fixture fixture;
    struct mover_usage usage = {.state = MOVER_UNUSED};
    const uint32_t m = lockset_single(1);
    (void)state;
    begin(&fixture, true);
    assert_int_equal(facts_of(&fixture, &usage).state, VARIABLE_UNTOUCHED);
    add(&fixture, &usage, 1, m, false);
    assert_int_equal(facts_of(&fixture, &usage).state, VARIABLE_THREAD_LOCAL);
    assert_int_equal(facts_of(&fixture, &usage).owner, fixture.threads[1]->slot);
    add(&fixture, &usage, 2, m, false);
    assert_int_equal(facts_of(&fixture, &usage).state, VARIABLE_READ_SHARED);
    add(&fixture, &usage, 2, m, true);
    struct engine_facts facts = facts_of(&fixture, &usage);
    assert_int_equal(facts.state, VARIABLE_SHARED_MODIFIED);
    assert_int_equal(facts.access_set, m);
    assert_int_equal(facts.write_set, m);
    add(&fixture, &usage, 3, LOCKSET_EMPTY, false);
    facts = facts_of(&fixture, &usage);
    assert_int_equal(facts.access_set, LOCKSET_EMPTY);
    assert_int_equal(facts.write_set, m);
    end(&fixture);
}

/* More threads at once than are remembered: what is forgotten loses warnings only. */
static void test_many_users(void **state)
{
    struct fixture fixture;
    struct mover_usage usage = {.state = MOVER_UNUSED};
    (void)state;
    begin(&fixture, true);
    for (unsigned thread = 0; thread < THREADS; thread++)
        add(&fixture, &usage, thread, LOCKSET_EMPTY, true);
    assert_int_equal(facts_of(&fixture, &usage).access_set, LOCKSET_EMPTY);
    for (unsigned thread = 1; thread < THREADS; thread++)
        order(&fixture, thread, 0);
    add(&fixture, &usage, 0, LOCKSET_EMPTY, true);
    struct engine_facts facts = facts_of(&fixture, &usage);
    assert_int_equal(mover_of_access(&fixture.rules, &facts, LOCKSET_EMPTY, true), MOVER_NON);
    end(&fixture);
}

static void test_table_is_bounded(void **state)
{
    struct fixture fixture;
    struct mover_counts counts;
    unsigned forgotten = 0;
    (void)state;
    begin_with(&fixture, MOVER_ALL_REFINEMENTS, false, 256);
    for (uint32_t lock = 0; lock < 10000; lock++)
        for (unsigned round = 0; round < 2; round++)
            for (unsigned thread = 0; thread < 2; thread++)
                use(&fixture, thread, lock);
    assert_int_equal(use(&fixture, 0, 9999), MOVER_RIGHT); /* the latest are there */
    for (uint32_t lock = 0; lock < 1000; lock++)
        forgotten += use(&fixture, 0, lock) == MOVER_BOTH;
    assert_int_equal(forgotten, 1000);
    mover_counts(&fixture.table, &counts);
    assert_int_equal(counts.locks, 11000);
    assert_int_equal(counts.evicted, 11000 - 256);
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_accesses),
        cmocka_unit_test(test_lock_states),
        cmocka_unit_test(test_ordered_users),
        cmocka_unit_test(test_final_hand_over),
        cmocka_unit_test(test_after_a_group),
        cmocka_unit_test(test_protected_locks),
        cmocka_unit_test(test_reconsider),
        cmocka_unit_test(test_result_after_join),
        cmocka_unit_test(test_open_group),
        cmocka_unit_test(test_usage_states),
        cmocka_unit_test(test_many_users),
        cmocka_unit_test(test_table_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
