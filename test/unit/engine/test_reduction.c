/*
 * Reduction, by small scripts. Locations are line numbers, in the scripts as in the reports.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "reduction_world.h"

enum { X, Y, Z };
enum { M = 1, N, G };
enum { BLOCK = 7, INNER = 8 };

static void assert_places(const struct reduction_violation *violation, uint32_t entered,
                          uint32_t commits, uint32_t violated)
{
    assert_int_equal(violation->entered.location, entered);
    assert_int_equal(violation->commits.location, commits);
    assert_int_equal(violation->violated.location, violated);
}

/*
 * The refinements: each script is silent with all of them, and warns without one.
 */

static void reentrant_locks(struct world *world)
{
    world_share(world, M);
    world_enter(world, 0, BLOCK, 10);
    world_acquire(world, 0, M, 11);
    world_acquire(world, 0, M, 12);
    world_release_lock(world, 0, M, 13);
    world_acquire(world, 0, M, 14);
    world_release_lock(world, 0, M, 15);
    world_release_lock(world, 0, M, 16);
    world_exit(world, 0);
}

static void twice(struct world *world, unsigned thread)
{
    world_enter(world, thread, BLOCK, 10);
    world_acquire(world, thread, M, 12);
    world_release_lock(world, thread, M, 13);
    world_acquire(world, thread, M, 14);
    world_release_lock(world, thread, M, 15);
    world_exit(world, thread);
}

static void thread_local_locks(struct world *world)
{
    world_use(world, 0, M);
    twice(world, 0);
}

static void thread_local_2_locks(struct world *world)
{
    world_use(world, 0, M);
    twice(world, 1);
}

static void protected_locks(struct world *world)
{
    world_share(world, G);
    for (unsigned thread = 0; thread < 3; thread++) {
        world_acquire(world, thread, G, 1);
        world_use(world, thread, M);
        world_release_lock(world, thread, G, 2);
    }
    world_acquire(world, 0, G, 3);
    twice(world, 0);
    world_release_lock(world, 0, G, 4);
}

static void write_protected_data(struct world *world)
{
    world_share(world, M);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned thread = 0; thread < 2; thread++) {
            world_enter(world, thread, BLOCK, 10);
            world_acquire(world, thread, M, 12);
            world_read(world, thread, X, 13);
            world_write(world, thread, X, 14);
            world_release_lock(world, thread, M, 15);
            world_exit(world, thread);
        }
        world_enter(world, 2, INNER, 20);
        world_read(world, 2, X, 21);
        world_exit(world, 2);
    }
}

static unsigned violations_of(void (*script)(struct world *), uint32_t refinements,
                              struct reduction_violation *first)
{
    struct world world;
    world_init(&world, refinements);
    script(&world);
    *first = world.violations[0];
    unsigned count = world.count;
    world_release(&world);
    return count;
}

static void test_refinements(void **state)
{
    static const struct {
        void (*script)(struct world *);
        uint32_t refinement;
        uint32_t commits, violated;
    } cases[] = {
        {reentrant_locks, MOVER_REENTRANT_LOCKS, 13, 14},
        {thread_local_locks, MOVER_THREAD_LOCAL_LOCKS, 13, 14},
        {thread_local_2_locks, MOVER_THREAD_LOCAL_2_LOCKS, 13, 14},
        {protected_locks, MOVER_PROTECTED_LOCKS, 13, 14},
        {write_protected_data, MOVER_WRITE_PROTECTED_DATA, 13, 14},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct reduction_violation first;
        assert_int_equal(violations_of(cases[i].script, MOVER_ALL_REFINEMENTS, &first), 0);
        assert_true(violations_of(cases[i].script, MOVER_ALL_REFINEMENTS & ~cases[i].refinement,
                                  &first) > 0);
        assert_places(&first, 10, cases[i].commits, cases[i].violated);
    }
}

/* The lock is not protected any more when one thread takes it without the other one. */
static void test_protection_needs_all(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    protected_locks(&world);
    world_use(&world, 2, M);
    twice(&world, 0);
    assert_int_equal(world.count, 1);
    assert_places(&world.violations[0], 10, 13, 14);
    world_release(&world);
}

/* ... or keeps it longer: the other thread may be waiting for it, with the protecting lock. */
static void test_protection_at_release(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    protected_locks(&world);
    world_acquire(&world, 2, G, 1);
    world_acquire(&world, 2, M, 2);
    world_release_lock(&world, 2, G, 3);
    world_release_lock(&world, 2, M, 4);
    twice(&world, 0);
    assert_int_equal(world.count, 1);
    world_release(&world);
}

/*
 * The buffer's append: the length of another buffer is asked for, then its characters.
 */

enum { THIS = 1, OTHER = 2 };
enum { COUNT_OF_THIS, COUNT_OF_OTHER };

static void append(struct world *world, unsigned thread)
{
    world_enter(world, thread, BLOCK, 445);
    world_acquire(world, thread, THIS, 445);
    world_acquire(world, thread, OTHER, 143);
    world_read(world, thread, COUNT_OF_OTHER, 143);
    world_release_lock(world, thread, OTHER, 144);
    world_acquire(world, thread, OTHER, 326);
    world_read(world, thread, COUNT_OF_OTHER, 327);
    world_release_lock(world, thread, OTHER, 328);
    world_write(world, thread, COUNT_OF_THIS, 456);
    world_release_lock(world, thread, THIS, 457);
    world_exit(world, thread);
}

static void set_length(struct world *world, unsigned thread, uint32_t lock, unsigned variable)
{
    world_acquire(world, thread, lock, 200);
    world_write(world, thread, variable, 201);
    world_release_lock(world, thread, lock, 202);
}

static void assert_append(const struct reduction_violation *violation)
{
    assert_int_equal(violation->block, BLOCK);
    assert_int_equal(violation->thread, 1);
    assert_places(violation, 445, 144, 326);
    assert_int_equal(violation->entered.kind, REDUCTION_ENTER);
    assert_int_equal(violation->entered.stack, 1445);
    assert_int_equal(violation->commits.kind, REDUCTION_RELEASE);
    assert_int_equal(violation->commits.mover, MOVER_LEFT);
    assert_int_equal(violation->commits.object, OTHER);
    assert_int_equal(violation->commits.lockset, lockset_single(THIS));
    assert_int_equal(violation->violated.kind, REDUCTION_ACQUIRE);
    assert_int_equal(violation->violated.mover, MOVER_RIGHT);
    assert_int_equal(violation->violated.object, OTHER);
    assert_int_equal(violation->violated.lockset, lockset_single(THIS));
}

static void test_append(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    set_length(&world, 0, OTHER, COUNT_OF_OTHER);
    set_length(&world, 1, OTHER, COUNT_OF_OTHER);
    set_length(&world, 0, OTHER, COUNT_OF_OTHER);
    append(&world, 0);
    assert_int_equal(world.count, 1);
    assert_append(&world.violations[0]);
    assert_int_equal(world.violations[0].commits.stack, 1144);
    assert_int_equal(world.violations[0].violated.stack, 1326);
    assert_int_equal(world.violations[0].other.thread, 0);
    append(&world, 0);
    assert_int_equal(world.count, 2); /* each execution has its own report */
    world_release(&world);
}

/* The other thread comes when both calls are over; up to then the lock was the first thread's. */
static void test_append_taken_back(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    set_length(&world, 1, OTHER, COUNT_OF_OTHER);
    world_enter(&world, 0, INNER, 440);
    append(&world, 0);
    assert_int_equal(world.count, 0);
    set_length(&world, 1, OTHER, COUNT_OF_OTHER);
    assert_int_equal(world.count, 0); /* the block's thread says so, at its next step */
    world_exit(&world, 0);
    assert_int_equal(world.count, 1);
    assert_int_equal(world.violations[0].block, INNER);
    assert_places(&world.violations[0], 440, 144, 326);
    assert_int_equal(world.violations[0].other.thread, 2);
    assert_int_equal(world.violations[0].other.place.location, 200);
    world_release(&world);
}

/*
 * Blocks.
 */

static void test_one_lock_is_atomic(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    world_share(&world, M);
    world_share(&world, N);
    world_enter(&world, 0, BLOCK, 10);
    world_acquire(&world, 0, M, 11);
    world_acquire(&world, 0, N, 12);
    world_write(&world, 0, X, 13);
    world_release_lock(&world, 0, N, 14);
    world_release_lock(&world, 0, M, 15);
    world_exit(&world, 0);
    assert_int_equal(world.count, 0);
    world_release(&world);
}

static void test_nested_blocks(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    world_share(&world, M);
    world_enter(&world, 0, BLOCK, 10);
    for (uint32_t line = 20; line <= 30; line += 10) {
        world_enter(&world, 0, INNER, line);
        world_acquire(&world, 0, M, line + 1);
        world_release_lock(&world, 0, M, line + 2);
        world_exit(&world, 0);
    }
    assert_int_equal(world.count, 1); /* the inner blocks are atomic, the outer is not */
    assert_int_equal(world.violations[0].block, BLOCK);
    assert_places(&world.violations[0], 10, 22, 31);
    /* Two non-movers in an inner block violate all blocks that could still be violated. */
    world_enter(&world, 0, INNER, 40);
    world_step(&world, 0, REDUCTION_SYNC, 41);
    world_step(&world, 0, REDUCTION_SYNC, 42);
    world_step(&world, 0, REDUCTION_SYNC, 43);
    assert_int_equal(world.count, 2);
    assert_int_equal(world.violations[1].block, INNER);
    assert_places(&world.violations[1], 40, 41, 42);
    assert_int_equal(reduction_depth(world.reducers[0]), 2);
    assert_false(reduction_is_watching(world.reducers[0]));
    world_exit(&world, 0);
    world_exit(&world, 0);
    assert_int_equal(reduction_depth(world.reducers[0]), 0);
    world_release(&world);
}

static void test_both_blocks_at_once(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    world_enter(&world, 0, BLOCK, 10);
    world_step(&world, 0, REDUCTION_SYNC, 11);
    world_enter(&world, 0, INNER, 12);
    world_step(&world, 0, REDUCTION_START, 13);
    world_step(&world, 0, REDUCTION_JOIN, 14);
    assert_int_equal(world.count, 2);
    assert_places(&world.violations[0], 10, 11, 14);
    assert_places(&world.violations[1], 12, 13, 14);
    assert_int_equal(world.violations[0].block, BLOCK);
    assert_int_equal(world.violations[1].block, INNER);
    world_release(&world);
}

static void test_start_and_join(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    world_enter(&world, 0, BLOCK, 10);
    world_step(&world, 0, REDUCTION_JOIN, 11); /* right, non, left */
    world_step(&world, 0, REDUCTION_SYNC, 12);
    world_step(&world, 0, REDUCTION_START, 13);
    world_exit(&world, 0);
    assert_int_equal(world.count, 0);
    world_enter(&world, 0, BLOCK, 20);
    world_step(&world, 0, REDUCTION_START, 21);
    world_step(&world, 0, REDUCTION_SYNC, 22);
    world_exit(&world, 0);
    assert_int_equal(world.count, 1);
    assert_places(&world.violations[0], 20, 21, 22);
    assert_int_equal(world.stacks, 3); /* two commits and the violation */
    world_release(&world);
}

static void test_wait_splits(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    world_share(&world, M);
    world_share(&world, N);
    world_enter(&world, 0, BLOCK, 10);
    world_enter(&world, 0, INNER, 11);
    world_acquire(&world, 0, M, 12);
    world_step(&world, 0, REDUCTION_SYNC, 13);
    world_wait_begin(&world, 0, M);
    world_use(&world, 1, M);
    world_wait_end(&world, 0, M);
    world_step(&world, 0, REDUCTION_SYNC, 14);
    world_release_lock(&world, 0, M, 15);
    world_exit(&world, 0);
    assert_int_equal(world.count, 0); /* both halves are atomic, in both blocks */
    world_acquire(&world, 0, N, 16);
    assert_int_equal(world.count, 1);
    assert_int_equal(world.violations[0].block, BLOCK);
    assert_true(world.violations[0].after_wait);
    assert_places(&world.violations[0], 10, 14, 16);
    world_release_lock(&world, 0, N, 17);
    world_exit(&world, 0);
    world_release(&world);
}

/* A wait while another lock is taken twice: what was violated before stays reported once. */
static void test_violated_before_wait(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    world_enter(&world, 0, BLOCK, 10);
    world_step(&world, 0, REDUCTION_SYNC, 11);
    world_step(&world, 0, REDUCTION_SYNC, 12);
    assert_int_equal(world.count, 1);
    world_acquire(&world, 0, M, 13);
    world_wait_begin(&world, 0, M);
    world_wait_end(&world, 0, M);
    world_step(&world, 0, REDUCTION_SYNC, 14);
    world_step(&world, 0, REDUCTION_SYNC, 15);
    world_enter(&world, 0, INNER, 16);
    world_step(&world, 0, REDUCTION_SYNC, 17);
    world_exit(&world, 0);
    assert_int_equal(world.count, 1);
    world_release(&world);
}

/*
 * Taking back.
 */

/* double() of section 3.3: another thread reads the variable without the lock, or writes it, after
   the first access of the block. */
static void double_with(struct world *world, bool write, bool middle)
{
    world_share(world, M);
    for (unsigned thread = 0; thread < 2; thread++)
        set_length(world, thread, M, X);
    world_enter(world, 0, BLOCK, 10);
    world_acquire(world, 0, M, 11);
    world_read(world, 0, X, 12);
    if (middle)
        world_access(world, 2, X, write, 99);
    world_write(world, 0, X, 13);
    if (!middle)
        world_access(world, 2, X, write, 99);
    world_release_lock(world, 0, M, 14);
    world_exit(world, 0);
}

static void test_double(void **state)
{
    (void)state;
    for (unsigned middle = 0; middle < 2; middle++) {
        for (unsigned write = 0; write < 2; write++) {
            struct world world;
            world_init(&world, MOVER_ALL_REFINEMENTS);
            set_length(&world, 0, M, X);
            set_length(&world, 1, M, X);
            double_with(&world, write, middle);
            /* An unlocked read leaves writes protected: only the write of the block is a non-mover.
             */
            assert_int_equal(world.count, write);
            if (write) {
                const struct reduction_violation *violation = &world.violations[0];
                assert_places(violation, 10, 12, 13);
                assert_int_equal(violation->commits.kind, REDUCTION_READ);
                assert_int_equal(violation->commits.mover, MOVER_NON);
                assert_int_equal(violation->commits.object, X);
                assert_int_equal(violation->commits.lockset, lockset_single(M));
                assert_int_equal(violation->violated.kind, REDUCTION_WRITE);
                assert_int_equal(violation->other.thread, 3);
                assert_int_equal(violation->other.place.location, 99);
                assert_int_equal(violation->other.place.kind, REDUCTION_WRITE);
            }
            world_release(&world);
        }
    }
}

/* With lockset pairs off the read without the lock is enough. */
static void test_double_without_pairs(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS & ~(uint32_t)MOVER_WRITE_PROTECTED_DATA);
    set_length(&world, 0, M, X);
    set_length(&world, 1, M, X);
    double_with(&world, false, true);
    assert_int_equal(world.count, 1);
    assert_places(&world.violations[0], 10, 12, 13);
    world_release(&world);
}

/* What is taken back commits the block before the acquire that was a right-mover up to then. */
static void test_commit_moves_back(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    world_share(&world, M);
    for (unsigned i = 0; i < 3; i++)
        world_read(&world, i, X, 1); /* read-shared */
    world_enter(&world, 0, BLOCK, 10);
    world_read(&world, 0, X, 11);
    world_enter(&world, 0, INNER, 12);
    world_acquire(&world, 0, M, 13);
    world_release_lock(&world, 0, M, 14);
    world_write(&world, 1, X, 99);
    world_exit(&world, 0);
    assert_int_equal(world.count, 1); /* the inner block has not read it */
    assert_int_equal(world.violations[0].block, BLOCK);
    assert_places(&world.violations[0], 10, 11, 13);
    world_exit(&world, 0);
    world_release(&world);
}

/* Each block is judged by its own operations. */
static void test_inner_block_is_judged_alone(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    for (unsigned i = 0; i < 3; i++) {
        world_read(&world, i, X, 1);
        world_read(&world, i, Y, 2);
    }
    world_enter(&world, 0, BLOCK, 10);
    world_read(&world, 0, X, 11);
    world_enter(&world, 0, INNER, 12);
    world_read(&world, 0, Y, 13);
    world_write(&world, 1, X, 98);
    world_write(&world, 1, Y, 99);
    world_exit(&world, 0);
    world_exit(&world, 0);
    assert_int_equal(world.count, 1);
    assert_int_equal(world.violations[0].block, BLOCK);
    assert_places(&world.violations[0], 10, 11, 13);
    world_release(&world);
}

/* The block is over: nothing is taken back. */
static void test_closed_blocks_stay(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    for (unsigned i = 0; i < 3; i++)
        world_read(&world, i, X, 1);
    world_enter(&world, 0, BLOCK, 10);
    world_read(&world, 0, X, 11);
    world_step(&world, 0, REDUCTION_SYNC, 12);
    world_exit(&world, 0);
    world_enter(&world, 0, INNER, 20);
    world_write(&world, 1, X, 99);
    world_step(&world, 0, REDUCTION_SYNC, 21);
    world_exit(&world, 0);
    assert_int_equal(world.count, 0);
    world_release(&world);
}

/* An object is made and handed to two threads that share it with a lock, all in one block. */
static void test_initialization_is_not_taken_back(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    world_share(&world, G);
    world_enter(&world, 0, BLOCK, 10);
    world_acquire(&world, 0, G, 11);
    world_write(&world, 0, X, 12);
    world_write(&world, 0, Y, 13);
    world_release_lock(&world, 0, G, 14);
    for (unsigned thread = 1; thread < 3; thread++) {
        world_use(&world, thread, G); /* ordered by locks alone */
        set_length(&world, thread, M, X);
        set_length(&world, thread, M, Y);
    }
    world_exit(&world, 0);
    assert_int_equal(world.count, 0);
    world_release(&world);
}

/* The second thread comes while the first is still at it. */
static void test_concurrent_first_uses_are_taken_back(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    world_enter(&world, 0, BLOCK, 10);
    world_write(&world, 0, X, 11);
    world_write(&world, 0, Y, 12);
    world_write(&world, 1, X, 98);
    world_write(&world, 1, Y, 99);
    world_exit(&world, 0);
    assert_int_equal(world.count, 1);
    assert_places(&world.violations[0], 10, 11, 12);
    assert_int_equal(world.violations[0].other.thread, 2);
    assert_int_equal(world.violations[0].other.place.location, 99);
    world_release(&world);
}

/* Uses that a start orders before those of the others cannot meet them. */
static void test_ordered_uses_are_not_taken_back(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    world_write(&world, 1, X, 1); /* thread-local (2) in the block */
    world_write(&world, 1, Y, 2);
    engine_sync_release(world.engine, world.threads[1], 1);
    engine_sync_acquire(world.engine, world.threads[0], 1);
    world_enter(&world, 0, BLOCK, 10);
    world_write(&world, 0, X, 11);
    world_write(&world, 0, Y, 12);
    world_acquire(&world, 0, M, 13);
    world_release_lock(&world, 0, M, 14);
    world_start(&world, 0, 3, 15);
    world_write(&world, 3, X, 97);
    world_write(&world, 3, Y, 98);
    world_use(&world, 3, M);
    world_exit(&world, 0);
    assert_int_equal(world.count, 0);
    /* One that does not know of the start takes them back. */
    world_release(&world);
    world_init(&world, MOVER_ALL_REFINEMENTS);
    world_write(&world, 1, X, 1);
    world_write(&world, 1, Y, 2);
    engine_sync_release(world.engine, world.threads[1], 1);
    engine_sync_acquire(world.engine, world.threads[0], 1);
    world_enter(&world, 0, BLOCK, 10);
    world_write(&world, 0, X, 11);
    world_write(&world, 0, Y, 12);
    world_write(&world, 2, X, 97);
    world_write(&world, 2, Y, 98);
    world_exit(&world, 0);
    assert_int_equal(world.count, 1);
    assert_places(&world.violations[0], 10, 11, 12);
    world_release(&world);
}

/* The owner comes back to what it has given away. */
static void test_owner_comes_back(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    world_enter(&world, 0, BLOCK, 10);
    world_acquire(&world, 0, M, 11);
    world_release_lock(&world, 0, M, 12);
    world_use(&world, 1, M);
    assert_int_equal(world.count, 0);
    world_acquire(&world, 0, M, 13);
    assert_int_equal(world.count, 1);
    assert_places(&world.violations[0], 10, 12, 13);
    world_release_lock(&world, 0, M, 14);
    world_exit(&world, 0);
    assert_int_equal(world.count, 1);
    world_release(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refinements),
        cmocka_unit_test(test_protection_needs_all),
        cmocka_unit_test(test_protection_at_release),
        cmocka_unit_test(test_append),
        cmocka_unit_test(test_append_taken_back),
        cmocka_unit_test(test_one_lock_is_atomic),
        cmocka_unit_test(test_nested_blocks),
        cmocka_unit_test(test_both_blocks_at_once),
        cmocka_unit_test(test_start_and_join),
        cmocka_unit_test(test_wait_splits),
        cmocka_unit_test(test_violated_before_wait),
        cmocka_unit_test(test_double),
        cmocka_unit_test(test_double_without_pairs),
        cmocka_unit_test(test_commit_moves_back),
        cmocka_unit_test(test_inner_block_is_judged_alone),
        cmocka_unit_test(test_closed_blocks_stay),
        cmocka_unit_test(test_initialization_is_not_taken_back),
        cmocka_unit_test(test_concurrent_first_uses_are_taken_back),
        cmocka_unit_test(test_ordered_uses_are_not_taken_back),
        cmocka_unit_test(test_owner_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
