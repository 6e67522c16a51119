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

static uint32_t bits_of(struct lockset_table *table, uint32_t set)
{
    uint32_t locks[LOCKSET_MEMBERS_MAX], bits = 0;
    uint32_t count = lockset_copy(table, set, locks);
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
    assert_true(lockset_init(&table, 2u << BITS)); /* so all fit into one generation */
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

/* Those that count, and those that are shared, which may count, too: each once. */
static void test_what_is_shown(void **state)
{
    (void)state;
    struct lockset_table table;
    struct lockset_shown shown[LOCKSET_SHOWN_MAX];
    assert_true(lockset_init(&table, 16));
    assert_int_equal(lockset_show(&table, make(&table, 7), make(&table, 10), shown), 4);
    static const struct lockset_shown expected[] = {
        {0, false}, {2000, false}, {1000, true}, {3000, true}};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(shown[i].lock, expected[i].lock);
        assert_int_equal(shown[i].shared, expected[i].shared);
    }
    assert_int_equal(lockset_show(&table, LOCKSET_ALL, LOCKSET_EMPTY, shown), 0);
    lockset_release(&table);
}

/* Too many locks: the set of all, protected against everything. */
static void test_limits(void **state)
{
    (void)state;
    struct lockset_table table;
    assert_true(lockset_init(&table, 1000));
    uint32_t set = LOCKSET_EMPTY;
    for (uint32_t i = 0; i < LOCKSET_MEMBERS_MAX; i++)
        set = lockset_union(&table, set, lockset_single(i));
    assert_int_not_equal(set, LOCKSET_ALL);
    assert_int_equal(table.lost, 0);
    assert_int_equal(lockset_union(&table, set, lockset_single(1000)), LOCKSET_ALL);
    assert_int_equal(table.lost, 1);
    lockset_release(&table);
}

static uint32_t pair_of(struct lockset_table *table, uint32_t lock)
{
    return lockset_union(table, lockset_single(0), lockset_single(lock));
}

/* Of the sets that nobody uses any more the last ones are kept, as many as a generation has at
   least and two have at most. */
static void test_old_sets_are_forgotten(void **state)
{
    (void)state;
    enum { LIMIT = 20, ALL = 300 };
    struct lockset_table table;
    uint32_t sets[ALL + 1];
    assert_true(lockset_init(&table, LIMIT));
    for (uint32_t last = 1; last <= ALL; last++) {
        sets[last] = pair_of(&table, last);
        assert_int_not_equal(sets[last], LOCKSET_ALL);
        assert_true(lockset_count(&table) <= LIMIT);
        for (uint32_t i = 1; i <= last; i++) {
            uint32_t locks[LOCKSET_MEMBERS_MAX];
            const uint32_t count = lockset_copy(&table, sets[i], locks);
            assert_true(count == 2 || (count == 0 && last - i >= LIMIT / 2));
            assert_true(count == 0 || last - i < LIMIT);
            if (count)
                assert_int_equal(locks[1], i);
            /* Forgotten, it is protected against everything, and begins anew. */
            assert_int_equal(lockset_disjoint(&table, sets[i], lockset_single(ALL + 1)), count > 0);
            assert_int_equal(lockset_disjoint(&table, sets[i], LOCKSET_EMPTY), count > 0);
            assert_int_equal(lockset_subset(&table, sets[i], lockset_single(0)), false);
            assert_int_equal(lockset_subset(&table, lockset_single(ALL + 1), sets[i]), !count);
            assert_int_equal(lockset_intersection(&table, sets[i], lockset_single(ALL + 1)),
                             count ? LOCKSET_EMPTY : lockset_single(ALL + 1));
        }
    }
    assert_int_equal(table.lost, 0);
    lockset_release(&table);
}

/* Whatever else comes: what is computed again and again is there, and means the same. */
static void test_what_is_used_stays(void **state)
{
    (void)state;
    struct lockset_table table;
    assert_true(lockset_init(&table, 20));
    uint32_t used = LOCKSET_ALL, common = LOCKSET_ALL;
    for (uint32_t i = 0; i < 500000; i++) {
        pair_of(&table, 100 + i);
        used = make(&table, 7);
        assert_int_equal(bits_of(&table, used), 7);
        common = lockset_intersection(&table, common, i % 2 ? make(&table, 11) : used);
        assert_int_equal(bits_of(&table, common), i ? 3 : 7);
    }
    /* So many generations that their numbers began again. */
    assert_true(atomic_load(&table.current) > 1u << 16);
    lockset_release(&table);
}

static bool use_table(void *context)
{
    (void)context;
    struct lockset_table table;
    if (!lockset_init(&table, 8192))
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
    assert_true(lockset_init(&table, 2u << BITS));
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

/* While others make generations pass, a set is what it was made as, or the set of all locks. */
static void *make_and_forget(void *context)
{
    struct lockset_table *table = context;
    for (uint32_t i = 0; i < 100000; i++) {
        const uint32_t bits = i * 2654435761u >> (32 - BITS);
        const uint32_t set = make(table, bits), other = make(table, 0x555);
        uint32_t locks[LOCKSET_MEMBERS_MAX];
        if (lockset_copy(table, set, locks) && bits_of(table, set) != bits &&
            lockset_copy(table, set, locks))
            return table;
        const uint32_t common = lockset_intersection(table, set, other);
        const uint32_t seen = bits_of(table, common);
        if (seen & ~bits & ~0x555u ||
            (seen && seen != (bits & 0x555) && seen != bits && seen != 0x555))
            return table;
    }
    return NULL;
}

static void test_threads_that_forget(void **state)
{
    (void)state;
    struct lockset_table table;
    assert_true(lockset_init(&table, 64));
    pthread_t threads[3];
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, make_and_forget, &table), 0);
    for (unsigned i = 0; i < 3; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
    assert_true(atomic_load(&table.current) > 100);
    assert_int_equal(table.lost, 0);
    lockset_release(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_bit_sets),
        cmocka_unit_test(test_set_of_all_locks),
        cmocka_unit_test(test_what_is_shown),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_old_sets_are_forgotten),
        cmocka_unit_test(test_what_is_used_stays),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_threads_that_forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
