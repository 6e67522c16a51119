#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <pthread.h>

#include "engine/lockset.h"
#include "support.h"

#define BITS 12u

/* The set of the locks whose bits are set; lock ids are far apart. */
static uint32_t make(struct lockset_table *table, uint32_t bits)
{
    uint32_t set = LOCKSET_EMPTY;
    for (uint32_t lock = BITS; lock-- > 0;)
        if (bits >> lock & 1)
            set = lockset_union(table, set, lockset_single(lock * 1000));
    return set;
}

static uint32_t bits_of(const struct lockset_table *table, uint32_t set)
{
    uint32_t single, bits = 0;
    const uint32_t *locks;
    uint32_t count = lockset_get(table, set, &single, &locks);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(i == 0 || locks[i - 1] < locks[i]);
        bits |= 1u << locks[i] / 1000;
    }
    return bits;
}

/* Sets are what bit sets are, and equal sets are the same id. */
static void test_like_bit_sets(void **state)
{
    (void)state;
    struct lockset_table table;
    assert_true(lockset_init(&table, 1u << BITS));
    uint64_t random = 1;
    for (unsigned i = 0; i < 200000; i++) {
        uint32_t left_bits = (uint32_t)support_random(&random) & ((1u << BITS) - 1);
        uint32_t right_bits = (uint32_t)support_random(&random) & ((1u << BITS) - 1);
        if (i % 3 == 0) /* few locks are usual */
            left_bits &= left_bits << 1, right_bits &= right_bits >> 1;
        uint32_t left = make(&table, left_bits), right = make(&table, right_bits);
        assert_int_equal(bits_of(&table, left), left_bits);
        assert_int_equal(lockset_union(&table, left, right), make(&table, left_bits | right_bits));
        assert_int_equal(lockset_intersection(&table, left, right),
                         make(&table, left_bits & right_bits));
        assert_int_equal(lockset_disjoint(&table, left, right), !(left_bits & right_bits));
        assert_int_equal(lockset_subset(&table, left, right), !(left_bits & ~right_bits));
    }
    assert_int_equal(table.lost, 0);
    lockset_release(&table);
}

static void test_set_of_all_locks(void **state)
{
    (void)state;
    struct lockset_table table;
    assert_true(lockset_init(&table, 16));
    uint32_t pair = make(&table, 3);
    assert_int_equal(lockset_union(&table, pair, LOCKSET_ALL), LOCKSET_ALL);
    assert_int_equal(lockset_intersection(&table, pair, LOCKSET_ALL), pair);
    assert_int_equal(lockset_intersection(&table, LOCKSET_ALL, LOCKSET_EMPTY), LOCKSET_EMPTY);
    assert_false(lockset_disjoint(&table, LOCKSET_ALL, pair));
    assert_false(lockset_disjoint(&table, LOCKSET_EMPTY, LOCKSET_ALL));
    assert_true(lockset_subset(&table, pair, LOCKSET_ALL));
    assert_false(lockset_subset(&table, LOCKSET_ALL, pair));
    /* The largest lock id is a lock like others. */
    uint32_t last = lockset_single(LOCKSET_LOCK_MAX);
    assert_false(lockset_disjoint(&table, last, lockset_union(&table, last, pair)));
    lockset_release(&table);
}

/* Beyond the limits, a set is the set of all locks: protected against everything. */
static void test_limits(void **state)
{
    (void)state;
    struct lockset_table table;
    assert_true(lockset_init(&table, 3));
    for (uint32_t i = 1; i <= 5; i++) {
        uint32_t set = lockset_union(&table, lockset_single(0), lockset_single(i));
        assert_int_equal(set == LOCKSET_ALL, i > 3);
    }
    assert_int_equal(lockset_count(&table), 3);
    assert_int_equal(table.lost, 2);
    lockset_release(&table);
    assert_true(lockset_init(&table, 1000));
    uint32_t set = LOCKSET_EMPTY;
    for (uint32_t i = 0; i < LOCKSET_MEMBERS_MAX; i++)
        set = lockset_union(&table, set, lockset_single(i));
    assert_int_not_equal(set, LOCKSET_ALL);
    assert_int_equal(lockset_union(&table, set, lockset_single(1000)), LOCKSET_ALL);
    lockset_release(&table);
}

static bool use_table(void *context)
{
    (void)context;
    struct lockset_table table;
    if (!lockset_init(&table, 4096))
        return false;
    for (uint32_t bits = 0; bits < 1u << BITS; bits += 7) {
        uint32_t set = make(&table, bits);
        assert_true(set == LOCKSET_ALL || bits_of(&table, set) == bits);
    }
    bool complete = table.lost == 0;
    lockset_release(&table);
    return complete;
}

static void test_no_memory(void **state)
{
    (void)state;
    assert_true(support_fail_each_request(use_table, NULL) > 5);
}

static void *make_sets(void *context)
{
    struct lockset_table *table = context;
    for (unsigned round = 0; round < 4; round++)
        for (uint32_t bits = 0; bits < 1u << BITS; bits++) {
            uint32_t set = make(table, bits);
            if (bits_of(table, set) != bits ||
                lockset_intersection(table, set, make(table, 0x555)) != make(table, bits & 0x555))
                return table;
        }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    struct lockset_table table;
    assert_true(lockset_init(&table, 1u << BITS));
    pthread_t threads[3];
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, make_sets, &table), 0);
    for (unsigned i = 0; i < 3; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
    /* All sets but the empty one and the single ones, once. */
    assert_int_equal(lockset_count(&table), (1u << BITS) - 1 - BITS);
    lockset_release(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_bit_sets), cmocka_unit_test(test_set_of_all_locks),
        cmocka_unit_test(test_limits),        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
