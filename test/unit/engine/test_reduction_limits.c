/*
 * Reduction when there is too much of something, or too little memory.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "reduction_world.h"
#include "support.h"

enum { BLOCK = 7 };

static void assert_places(const struct reduction_violation *violation, uint32_t entered,
                          uint32_t commits, uint32_t violated)
{
    assert_int_equal(violation->entered.location, entered);
    assert_int_equal(violation->commits.location, commits);
    assert_int_equal(violation->violated.location, violated);
}

static void test_log_is_bounded(void **state)
{
    struct engine_options engine_options;
    struct reduction_options options;
    struct mover_options movers;
    struct reduction_counts counts;
    struct world world;
    (void)state;
    engine_options_default(&engine_options);
    engine_options.variables = 1024;
    reduction_options_default(&options);
    mover_options_default(&movers);
    options.log = 2;
    world_init_with(&world, engine_new(&engine_options), &options, &movers, 3);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned variable = 0; variable < 6; variable++)
            world_read(&world, i, variable, 1);
    world_enter(&world, 0, BLOCK, 10);
    for (unsigned variable = 0; variable < 6; variable++)
        world_read(&world, 0, variable, 11 + variable);
    for (unsigned variable = 0; variable < 4; variable++)
        world_write(&world, 1, variable, 90);
    world_exit(&world, 0);
    assert_int_equal(world.count, 0); /* they have left the log */
    reduction_counts(world.reduction, &counts);
    assert_int_equal(counts.unlogged, 4);
    assert_int_equal(counts.taken_back, 0);
    world_enter(&world, 0, BLOCK, 20);
    world_read(&world, 0, 4, 21);
    world_read(&world, 0, 5, 22);
    world_write(&world, 1, 4, 91);
    world_write(&world, 1, 5, 92);
    world_exit(&world, 0);
    assert_int_equal(world.count, 1);
    assert_places(&world.violations[0], 20, 21, 22);
    world_release(&world);
}

static void test_depth_is_bounded(void **state)
{
    struct engine_options engine_options;
    struct reduction_options options;
    struct mover_options movers;
    struct reduction_counts counts;
    struct world world;
    (void)state;
    engine_options_default(&engine_options);
    engine_options.variables = 1024;
    reduction_options_default(&options);
    mover_options_default(&movers);
    options.depth = 2;
    world_init_with(&world, engine_new(&engine_options), &options, &movers, 2);
    for (uint32_t i = 0; i < 5; i++)
        world_enter(&world, 0, i, 10 + i);
    assert_int_equal(reduction_depth(world.reducers[0]), 5);
    world_step(&world, 0, REDUCTION_SYNC, 20);
    for (uint32_t i = 0; i < 3; i++)
        world_exit(&world, 0);
    world_step(&world, 0, REDUCTION_SYNC, 21);
    assert_int_equal(world.count, 2); /* the outer two */
    assert_int_equal(world.violations[0].block, 0);
    assert_int_equal(world.violations[1].block, 1);
    world_exit(&world, 0);
    world_exit(&world, 0);
    world_exit(&world, 0); /* one too many does no harm */
    reduction_counts(world.reduction, &counts);
    assert_int_equal(counts.blocks, 5);
    assert_int_equal(counts.too_deep, 3);
    assert_int_equal(counts.violations, 2);
    world_release(&world);
}

static void test_no_thread(void **state)
{
    struct world world;
    struct reduction_place place = {.kind = REDUCTION_SYNC};
    struct reduction_variable variable = {.identity = 1};
    (void)state;
    world_init(&world, MOVER_ALL_REFINEMENTS);
    reduction_enter(world.reduction, NULL, 1, &place);
    assert_int_equal(reduction_access(world.reduction, NULL, &place, &variable), MOVER_BOTH);
    assert_int_equal(reduction_acquire(world.reduction, NULL, &place, false), MOVER_BOTH);
    assert_int_equal(reduction_release(world.reduction, NULL, &place, false), MOVER_BOTH);
    reduction_wait_begin(world.reduction, NULL, &place);
    reduction_wait_end(world.reduction, NULL, &place);
    reduction_step(world.reduction, NULL, &place);
    reduction_reclassify(world.reduction, NULL, &place, &variable);
    reduction_exit(world.reduction, NULL);
    reduction_thread_end(world.reduction, NULL);
    assert_int_equal(reduction_depth(NULL), 0);
    assert_false(reduction_is_watching(NULL));
    world_release(&world);
}

/* Whatever request for memory fails, nothing else does; and with enough memory there is a report.
 */
static bool run_with_little_memory(void *context)
{
    struct engine *engine = context;
    struct reduction_options options;
    struct mover_options mover_options;
    struct mover_table movers;
    unsigned reports = 0;
    reduction_options_default(&options);
    options.threads = 4;
    mover_options_default(&mover_options);
    if (!mover_table_init(&movers, &mover_options, engine_locksets(engine)))
        return false;
    struct reduction *reduction = reduction_new(&options, &movers);
    if (reduction) {
        struct thread thread = {.slot = 1, .segment = 1};
        struct reduction_thread *reducer = reduction_thread_start(reduction, &thread, 1);
        struct reduction_place place = {.object = 1};
        struct reduction_variable variable = {.identity = 5};
        variable.facts.state = VARIABLE_READ_SHARED;
        reduction_enter(reduction, reducer, 1, &place);
        reduction_acquire(reduction, reducer, &place, false);
        place.kind = REDUCTION_READ;
        reduction_access(reduction, reducer, &place, &variable);
        variable.facts =
            (struct engine_facts){VARIABLE_SHARED_MODIFIED, 0, LOCKSET_EMPTY, LOCKSET_EMPTY};
        reduction_access(reduction, reducer, &place, &variable);
        struct reduction_counts counts;
        struct mover_counts of_movers;
        reduction_counts(reduction, &counts);
        mover_counts(&movers, &of_movers);
        reports = counts.violations == 1 && of_movers.locks == 1;
        reduction_exit(reduction, reducer);
        reduction_thread_end(reduction, reducer);
    }
    reduction_free(reduction);
    mover_table_release(&movers);
    return reports;
}

static void test_little_memory(void **state)
{
    struct engine_options options;
    (void)state;
    engine_options_default(&options);
    options.variables = 1024;
    struct engine *engine = engine_new(&options);
    assert_non_null(engine);
    assert_true(support_fail_each_request(run_with_little_memory, engine) >= 6);
    engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log_is_bounded),
        cmocka_unit_test(test_depth_is_bounded),
        cmocka_unit_test(test_no_thread),
        cmocka_unit_test(test_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
