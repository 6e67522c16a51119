/*
 * Operations on atomicities, against the meaning that atomicity_model.h gives them: pointwise for
 * every set of locks, the laws of paper 000, and the order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/atomicity_model.h"

/* ---- basic ones ---- */

static void basic_operations_are_those_of_lipton(void **unused)
{
    (void)unused;
    struct world world;
    open_world(&world);
    struct atomicity_table *table = &world.table;
    for (atomicity a = 0; a < ATOMICITY_BASIC_COUNT; a++) {
        assert_int_equal(atomicity_closure(table, a), meant_closure(a));
        assert_int_equal(atomicity_plain(table, a), meant_plain(a));
        assert_int_equal(atomicity_worst(table, a), a);
        assert_int_equal(atomicity_best(table, a), a);
        for (atomicity b = 0; b < ATOMICITY_BASIC_COUNT; b++) {
            assert_int_equal(atomicity_sequence(table, a, b), meant_sequence(a, b));
            assert_int_equal(atomicity_join(table, a, b), meant_join(a, b));
            assert_int_equal(atomicity_is_below(table, a, b), meant_below(a, b));
        }
    }
    close_world(&world);
}

/* Paper 000, section 2.3: a;b is cmpd if both are atomic, else the join; a* is cmpd if a is atomic,
   else a; and the order is a chain. Between its own five there is nothing else. */
static void basic_operations_are_those_of_the_paper(void **unused)
{
    (void)unused;
    static const atomicity chain[] = {ATOMICITY_OF_CONST, ATOMICITY_OF_MOVER, ATOMICITY_OF_ATOMIC,
                                      ATOMICITY_OF_CMPD, ATOMICITY_OF_ERROR};
    struct world world;
    open_world(&world);
    struct atomicity_table *table = &world.table;
    for (unsigned i = 0; i < 5; i++) {
        const bool atomic = chain[i] == ATOMICITY_OF_ATOMIC;
        assert_int_equal(atomicity_closure(table, chain[i]),
                         atomic ? (atomicity)ATOMICITY_OF_CMPD : chain[i]);
        for (unsigned j = 0; j < 5; j++) {
            const atomicity join = chain[i > j ? i : j];
            const bool both = atomic && i == j;
            assert_int_equal(atomicity_join(table, chain[i], chain[j]), join);
            assert_int_equal(atomicity_sequence(table, chain[i], chain[j]),
                             both ? (atomicity)ATOMICITY_OF_CMPD : join);
            assert_int_equal(atomicity_is_below(table, chain[i], chain[j]), i <= j);
        }
    }
    close_world(&world);
}

/* Figure 5, on what the paper can write. */
static void synchronized_is_that_of_the_paper(void **unused)
{
    (void)unused;
    struct world world;
    struct arena arena;
    open_world(&world);
    arena_init(&arena);
    struct atomicity_table *table = &world.table;
    random_state = 5;
    for (unsigned lock = 0; lock < world.lock_count; lock++) {
        const term l = world.locks[lock];
        assert_int_equal(atomicity_synchronized(table, l, ATOMICITY_OF_CONST),
                         atomicity_conditional(table, l, ATOMICITY_OF_CONST, ATOMICITY_OF_ATOMIC));
        assert_int_equal(atomicity_synchronized(table, l, ATOMICITY_OF_MOVER),
                         atomicity_conditional(table, l, ATOMICITY_OF_MOVER, ATOMICITY_OF_ATOMIC));
        for (atomicity basic = ATOMICITY_OF_ATOMIC; basic < ATOMICITY_BASIC_COUNT; basic++)
            assert_int_equal(atomicity_synchronized(table, l, basic), basic);
    }
    for (unsigned round = 0; round < 5000; round++) {
        const atomicity a = atomicity_plain(table, random_atomicity(&world, &arena, 4));
        const atomicity b = atomicity_plain(table, random_atomicity(&world, &arena, 4));
        const unsigned lock = random_below(world.lock_count), other = random_below(FEW_LOCKS);
        const term l = world.locks[lock], l1 = world.locks[other];
        const atomicity all =
            atomicity_synchronized(table, l, atomicity_conditional(table, l1, a, b));
        const atomicity s_a = atomicity_synchronized(table, l, a);
        const atomicity s_b = atomicity_synchronized(table, l, b);
        assert_int_equal(all, l == l1 ? s_a : atomicity_conditional(table, l1, s_a, s_b));
        assert_int_equal(all, atomicity_plain(table, all));
    }
    arena_release(&arena);
    close_world(&world);
}

/* ---- diagrams ---- */

struct graph {
    uint8_t values[SET_COUNT];
    atomicity number;
};

static int compare_graphs(const void *a, const void *b)
{
    return memcmp(((const struct graph *)a)->values, ((const struct graph *)b)->values, SET_COUNT);
}

static void check_bounds(const struct world *world, const struct graph *graph)
{
    atomicity worst = ATOMICITY_OF_CONST;
    const atomicity best = atomicity_best(&world->table, graph->number);
    for (unsigned held = 0; held < SET_COUNT; held++)
        worst = meant_join(worst, graph->values[held]);
    assert_int_equal(atomicity_worst(&world->table, graph->number), worst);
    for (atomicity bound = 0; bound < ATOMICITY_BASIC_COUNT; bound++) {
        bool is_bound = true;
        for (unsigned held = 0; held < SET_COUNT; held++)
            is_bound = is_bound && meant_below(bound, graph->values[held]);
        assert_int_equal(is_bound, meant_below(bound, best));
    }
}

/* Every operation does at every set of locks what it means; equal functions are equal numbers. */
static void random_expressions_mean_what_they_say(void **unused)
{
    (void)unused;
    enum { ROUNDS = 30000 };
    struct graph *graphs = calloc(ROUNDS, sizeof *graphs);
    struct world world;
    struct arena arena;
    assert_non_null(graphs);
    open_world(&world);
    arena_init(&arena);
    random_state = 1;
    unsigned with_locks = 0, classes = 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        arena_clear(&arena);
        const struct expression *expression =
            random_expression(&arena, world.lock_count, 1 + random_below(6));
        struct graph *graph = &graphs[round];
        graph->number = built(&world, expression, false);
        with_locks += !atomicity_is_basic(graph->number);
        for (unsigned held = 0; held < SET_COUNT; held++) {
            graph->values[held] = (uint8_t)meaning(&world, expression, held);
            assert_int_equal(value_at(&world, graph->number, held), graph->values[held]);
        }
        check_bounds(&world, graph);
    }
    qsort(graphs, ROUNDS, sizeof *graphs, compare_graphs);
    for (unsigned i = 1; i < ROUNDS; i++) {
        const bool equal = compare_graphs(&graphs[i - 1], &graphs[i]) == 0;
        assert_int_equal(equal, graphs[i - 1].number == graphs[i].number);
        classes += !equal;
    }
    assert_true(with_locks > ROUNDS / 3 && classes > ROUNDS / 20);
    assert_int_equal(world.table.widened, 0);
    free(graphs);
    arena_release(&arena);
    close_world(&world);
}

static void laws_hold(void **unused)
{
    (void)unused;
    struct world world;
    struct arena arena;
    open_world(&world);
    arena_init(&arena);
    struct atomicity_table *t = &world.table;
    random_state = 2;
    for (unsigned round = 0; round < 20000; round++) {
        const atomicity a = random_atomicity(&world, &arena, 4);
        const atomicity b = random_atomicity(&world, &arena, 4);
        const atomicity c = random_atomicity(&world, &arena, 4);
        const atomicity join = atomicity_join(t, a, b);
        assert_int_equal(atomicity_sequence(t, atomicity_sequence(t, a, b), c),
                         atomicity_sequence(t, a, atomicity_sequence(t, b, c)));
        assert_int_equal(atomicity_join(t, join, c), atomicity_join(t, a, atomicity_join(t, b, c)));
        assert_int_equal(join, atomicity_join(t, b, a));
        assert_int_equal(atomicity_join(t, a, a), a);
        assert_int_equal(
            atomicity_sequence(t, join, c),
            atomicity_join(t, atomicity_sequence(t, a, c), atomicity_sequence(t, b, c)));
        assert_int_equal(
            atomicity_sequence(t, c, join),
            atomicity_join(t, atomicity_sequence(t, c, a), atomicity_sequence(t, c, b)));
        const atomicity closure = atomicity_closure(t, a);
        assert_true(atomicity_is_below(t, a, closure));
        assert_int_equal(atomicity_closure(t, closure), closure);
        assert_int_equal(atomicity_sequence(t, closure, closure), closure);
        assert_int_equal(closure, atomicity_join(t, a, atomicity_sequence(t, a, a)));
        const atomicity plain = atomicity_plain(t, a);
        assert_true(atomicity_is_below(t, a, plain));
        assert_int_equal(atomicity_plain(t, plain), plain);
    }
    arena_release(&arena);
    close_world(&world);
}

/* Two that are often ordered, and their order is that at every set of locks. */
static void order_is_pointwise(void **unused)
{
    (void)unused;
    struct world world;
    struct arena arena;
    open_world(&world);
    arena_init(&arena);
    random_state = 3;
    unsigned ordered = 0, unordered = 0;
    for (unsigned round = 0; round < 20000; round++) {
        const atomicity a = random_atomicity(&world, &arena, 4);
        const atomicity other = random_atomicity(&world, &arena, 4);
        const atomicity b = random_below(2) ? other : atomicity_join(&world.table, a, other);
        bool below = true;
        for (unsigned held = 0; held < SET_COUNT; held++)
            below = below && meant_below(value_at(&world, a, held), value_at(&world, b, held));
        assert_int_equal(atomicity_is_below(&world.table, a, b), below);
        assert_true(b == other || below);
        if (atomicity_is_below(&world.table, a, b) && atomicity_is_below(&world.table, b, a))
            assert_int_equal(a, b);
        *(below ? &ordered : &unordered) += !atomicity_is_basic(a) && !atomicity_is_basic(b);
    }
    assert_true(ordered > 1000 && unordered > 1000);
    arena_release(&arena);
    close_world(&world);
}

static void operations_are_monotonic(void **unused)
{
    (void)unused;
    struct world world;
    struct arena arena;
    open_world(&world);
    arena_init(&arena);
    struct atomicity_table *t = &world.table;
    random_state = 4;
    for (unsigned round = 0; round < 20000; round++) {
        const atomicity low = random_atomicity(&world, &arena, 4);
        const atomicity high = atomicity_join(t, low, random_atomicity(&world, &arena, 4));
        const atomicity x = random_atomicity(&world, &arena, 4);
        const term lock = world.locks[random_lock(world.lock_count)];
        uint8_t names[FEW_LOCKS];
        for (unsigned i = 0; i < FEW_LOCKS; i++)
            names[i] = (uint8_t)random_lock(FEW_LOCKS);
        const atomicity pairs[][2] = {
            {atomicity_sequence(t, low, x), atomicity_sequence(t, high, x)},
            {atomicity_sequence(t, x, low), atomicity_sequence(t, x, high)},
            {atomicity_join(t, low, x), atomicity_join(t, high, x)},
            {atomicity_conditional(t, lock, low, x), atomicity_conditional(t, lock, high, x)},
            {atomicity_conditional(t, lock, x, low), atomicity_conditional(t, lock, x, high)},
            {atomicity_closure(t, low), atomicity_closure(t, high)},
            {atomicity_plain(t, low), atomicity_plain(t, high)},
            {atomicity_synchronized(t, lock, low), atomicity_synchronized(t, lock, high)},
            {atomicity_given(t, low, lock, true), atomicity_given(t, high, lock, true)},
            {atomicity_given(t, low, lock, false), atomicity_given(t, high, lock, false)},
            {renamed_by(&world, low, names), renamed_by(&world, high, names)},
        };
        for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
            assert_true(atomicity_is_below(t, pairs[i][0], pairs[i][1]));
    }
    arena_release(&arena);
    close_world(&world);
}

/* ---- locks ---- */

/* Simplifying is done when a conditional is made: what is always held is never asked for. Once more
   it changes nothing. */
static void special_locks_are_never_asked_for(void **unused)
{
    (void)unused;
    struct world world;
    struct arena arena;
    open_world(&world);
    arena_init(&arena);
    struct atomicity_table *t = &world.table;
    const atomicity a =
        atomicity_conditional(t, world.locks[0], ATOMICITY_OF_MOVER, ATOMICITY_OF_ERROR);
    for (unsigned i = 0; i < SPECIAL_COUNT; i++) {
        const term lock = world.locks[world.lock_count + i];
        const bool held = i <= SPECIAL_READONLY;
        assert_int_equal(atomicity_conditional(t, lock, a, ATOMICITY_OF_ATOMIC),
                         held ? a : (atomicity)ATOMICITY_OF_ATOMIC);
        assert_int_equal(atomicity_given(t, a, lock, false), a);
        assert_int_equal(atomicity_given(t, a, lock, true), a);
        assert_int_equal(atomicity_synchronized(t, lock, ATOMICITY_OF_MOVER),
                         held ? ATOMICITY_OF_MOVER : ATOMICITY_OF_ATOMIC);
    }
    /* Its own locks by their own names, put together anew. */
    static const uint8_t same[FEW_LOCKS] = {0, 1, 2, 3, 4};
    static const uint8_t turned[FEW_LOCKS] = {4, 3, 2, 1, 0};
    random_state = 6;
    for (unsigned round = 0; round < 5000; round++) {
        const atomicity number = random_atomicity(&world, &arena, 5);
        assert_int_equal(renamed_by(&world, number, same), number);
        assert_int_equal(renamed_by(&world, renamed_by(&world, number, turned), turned), number);
    }
    arena_release(&arena);
    close_world(&world);
}

struct seen {
    const struct world *world;
    term locks[FEW_LOCKS];
    unsigned count;
};

static void see(void *context, term lock)
{
    struct seen *seen = context;
    assert_true(seen->count < FEW_LOCKS);
    seen->locks[seen->count++] = lock;
}

/* Exactly those are visited that matter for some set of locks, once, and `this` first. */
static void each_lock_is_visited_once_in_order(void **unused)
{
    (void)unused;
    struct world world;
    struct arena arena;
    open_world(&world);
    arena_init(&arena);
    random_state = 7;
    /* By kind, then number: parameters before formals, the bare formal before the qualified. */
    static const unsigned order[FEW_LOCKS] = {0, 1, 2, 3, 4};
    for (unsigned round = 0; round < 5000; round++) {
        const atomicity number = random_atomicity(&world, &arena, 5);
        struct seen seen = {&world, {0}, 0};
        atomicity_each_lock(&world.table, number, see, &seen);
        unsigned expected = 0;
        for (unsigned i = 0; i < FEW_LOCKS; i++) {
            bool matters = false;
            const uint64_t bit = UINT64_C(1) << order[i];
            for (uint64_t held = 0; held < SET_COUNT; held++)
                matters = matters ||
                          value_at(&world, number, held) != value_at(&world, number, held ^ bit);
            if (!matters)
                continue;
            assert_true(expected < seen.count);
            assert_int_equal(seen.locks[expected], world.locks[order[i]]);
            expected++;
        }
        assert_int_equal(seen.count, expected);
    }
    arena_release(&arena);
    close_world(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(basic_operations_are_those_of_lipton),
        cmocka_unit_test(basic_operations_are_those_of_the_paper),
        cmocka_unit_test(synchronized_is_that_of_the_paper),
        cmocka_unit_test(random_expressions_mean_what_they_say),
        cmocka_unit_test(laws_hold),
        cmocka_unit_test(order_is_pointwise),
        cmocka_unit_test(operations_are_monotonic),
        cmocka_unit_test(special_locks_are_never_asked_for),
        cmocka_unit_test(each_lock_is_visited_once_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
