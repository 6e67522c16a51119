/*
 * Atomicities against a semantics by brute force: random expressions are built as diagrams, and
 * evaluated for every set of locks by what they mean.
 *
 * The meaning of the basic ones is taken from Lipton's theorem, not from a table: code goes through
 * phases. Before the commit right movers may run, behind it left movers; an atomic step is the
 * commit. A basic atomicity is what it makes of each phase:
 *
 *                 before    behind
 *     mover       before    behind
 *     right       before    broken
 *     left        behind    behind
 *     atomic      behind    broken
 *     cmpd        broken    broken
 *     error       error     error
 *
 * so that one after the other is composition, either is the later phase, and the order is that of
 * the phases at each place. const does as a mover does, and stands below it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "check/atomicity.h"
#include "locktypes/syntax_parser.h"

/* ---- the meaning of basic atomicities ---- */

enum phase { BEFORE, BEHIND, BROKEN, WRONG };

static const uint8_t phases[ATOMICITY_BASIC_COUNT][2] = {
    [ATOMICITY_OF_CONST] = {BEFORE, BEHIND},  [ATOMICITY_OF_MOVER] = {BEFORE, BEHIND},
    [ATOMICITY_OF_RIGHT] = {BEFORE, BROKEN},  [ATOMICITY_OF_LEFT] = {BEHIND, BEHIND},
    [ATOMICITY_OF_ATOMIC] = {BEHIND, BROKEN}, [ATOMICITY_OF_CMPD] = {BROKEN, BROKEN},
    [ATOMICITY_OF_ERROR] = {WRONG, WRONG},
};

static uint8_t phase_behind(uint8_t phase, atomicity basic)
{
    if (phase == WRONG || basic == ATOMICITY_OF_ERROR)
        return WRONG;
    return phase == BROKEN ? (uint8_t)BROKEN : phases[basic][phase];
}

static atomicity basic_of(uint8_t from_before, uint8_t from_behind, bool is_const)
{
    for (atomicity basic = is_const ? ATOMICITY_OF_CONST : ATOMICITY_OF_MOVER;
         basic < ATOMICITY_BASIC_COUNT; basic++)
        if (phases[basic][0] == from_before && phases[basic][1] == from_behind)
            return basic;
    fail_msg("no atomicity takes the phases to %d and %d", from_before, from_behind);
    return ATOMICITY_OF_ERROR;
}

static atomicity meant_sequence(atomicity a, atomicity b)
{
    return basic_of(phase_behind(phases[a][0], b), phase_behind(phases[a][1], b),
                    a == ATOMICITY_OF_CONST && b == ATOMICITY_OF_CONST);
}

static uint8_t later(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

static atomicity meant_join(atomicity a, atomicity b)
{
    return basic_of(later(phases[a][0], phases[b][0]), later(phases[a][1], phases[b][1]),
                    a == ATOMICITY_OF_CONST && b == ATOMICITY_OF_CONST);
}

static bool meant_below(atomicity a, atomicity b)
{
    return phases[a][0] <= phases[b][0] && phases[a][1] <= phases[b][1] &&
           (b != ATOMICITY_OF_CONST || a == ATOMICITY_OF_CONST);
}

/* The join of all powers. */
static atomicity meant_closure(atomicity a)
{
    atomicity sum = a;
    for (atomicity power = a, before = ATOMICITY_BASIC_COUNT; sum != before;) {
        before = sum;
        power = meant_sequence(power, a);
        sum = meant_join(sum, power);
    }
    return sum;
}

static atomicity meant_plain(atomicity a)
{
    return a == ATOMICITY_OF_RIGHT || a == ATOMICITY_OF_LEFT ? ATOMICITY_OF_ATOMIC : a;
}

/* ---- locks ---- */

enum { MOST_LOCKS = 48, FEW_LOCKS = 5 };

/* Behind the locks that may be held or not. */
enum special { SPECIAL_THIS_THREAD, SPECIAL_UNIQUE, SPECIAL_READONLY, SPECIAL_OTHER, SPECIAL_NONE };
enum { SPECIAL_COUNT = 5 };

struct world {
    struct atomicity_table table;
    term locks[MOST_LOCKS + SPECIAL_COUNT];
    unsigned lock_count;
};

static void make_special_locks(struct world *world)
{
    static const enum term_kind kinds[] = {TERM_THIS_THREAD, TERM_UNIQUE, TERM_READONLY,
                                           TERM_OTHER_THREAD};
    for (unsigned i = 0; i < 4; i++)
        world->locks[world->lock_count + i] = term_make(&world->table.locks, kinds[i], 0, 0);
    world->locks[world->lock_count + SPECIAL_NONE] = TERM_NONE;
}

/* this, p, q, owner, owner$p. */
static void open_world(struct world *world)
{
    struct problem problem = {0};
    assert_true(atomicity_table_init(&world->table, &problem));
    struct term_table *terms = &world->table.locks;
    world->lock_count = FEW_LOCKS;
    world->locks[3] = term_make(terms, TERM_FORMAL, 0, TERM_NONE);
    for (unsigned i = 0; i < 3; i++)
        world->locks[i] = term_make(terms, TERM_PARAMETER, i, 0);
    world->locks[4] = term_make(terms, TERM_FORMAL, 0, world->locks[1]);
    make_special_locks(world);
}

static void close_world(struct world *world)
{
    assert_false(world->table.failed);
    atomicity_table_release(&world->table);
}

static bool is_held(const struct world *world, uint64_t held, unsigned lock)
{
    if (lock < world->lock_count)
        return (held >> lock & 1) != 0;
    return lock - world->lock_count <= SPECIAL_READONLY;
}

struct state {
    const struct world *world;
    uint64_t held;
};

static bool state_holds(void *context, term lock)
{
    const struct state *state = context;
    for (unsigned i = 0; i < state->world->lock_count; i++)
        if (state->world->locks[i] == lock)
            return is_held(state->world, state->held, i);
    fail_msg("a diagram asks for a lock that nobody put there");
    return false;
}

static atomicity value_at(const struct world *world, atomicity number, uint64_t held)
{
    struct state state = {world, held};
    return atomicity_at(&world->table, number, state_holds, &state);
}

/* ---- expressions ---- */

enum shape {
    BASIC,
    CONDITIONAL,
    SEQUENCE,
    JOIN,
    CLOSURE,
    SYNCHRONIZED,
    GIVEN,
    PLAIN,
    RENAME,
    SHAPE_COUNT
};

enum { RENAMED_ALWAYS = 255 };

struct expression {
    enum shape shape;
    unsigned lock;
    bool held;
    atomicity basic;
    const struct expression *first, *second;
    uint8_t names[MOST_LOCKS]; /* numbers of locks, or RENAMED_ALWAYS */
};

static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state += 0x9E3779B97F4A7C15u;
    uint64_t mixed = (random_state ^ random_state >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((mixed ^ mixed >> 31) % limit);
}

static uint64_t random_set(unsigned lock_count)
{
    const uint64_t low = random_below(1u << 24), high = random_below(1u << 24);
    return (high << 24 | low) & ((UINT64_C(1) << lock_count) - 1);
}

static unsigned random_lock(unsigned lock_count)
{
    const bool special = random_below(12) == 0;
    return special ? lock_count + random_below(SPECIAL_COUNT) : random_below(lock_count);
}

static const struct expression *random_expression(struct arena *arena, unsigned lock_count,
                                                  unsigned depth)
{
    struct expression *expression = ARENA_NEW(arena, struct expression);
    assert_non_null(expression);
    expression->basic = random_below(ATOMICITY_BASIC_COUNT);
    if (depth == 0 || random_below(8) == 0)
        return expression;
    /* Conditionals most often: without them everything is basic soon. */
    expression->shape = random_below(2) ? CONDITIONAL : 1 + random_below(SHAPE_COUNT - 1);
    expression->lock = random_lock(lock_count);
    expression->held = random_below(2);
    expression->first = random_expression(arena, lock_count, depth - 1);
    expression->second = random_expression(arena, lock_count, depth - 1);
    for (unsigned i = 0; i < lock_count; i++)
        expression->names[i] =
            random_below(8) ? (uint8_t)random_lock(lock_count) : (uint8_t)RENAMED_ALWAYS;
    return expression;
}

static uint64_t with_lock(const struct world *world, uint64_t held, unsigned lock, bool is_so)
{
    if (lock >= world->lock_count)
        return held;
    return is_so ? held | UINT64_C(1) << lock : held & ~(UINT64_C(1) << lock);
}

static atomicity meaning(const struct world *world, const struct expression *expression,
                         uint64_t held);

static atomicity meaning_renamed(const struct world *world, const struct expression *expression,
                                 uint64_t held)
{
    uint64_t before = 0;
    for (unsigned i = 0; i < world->lock_count; i++)
        if (expression->names[i] == RENAMED_ALWAYS || is_held(world, held, expression->names[i]))
            before |= UINT64_C(1) << i;
    return meaning(world, expression->first, before);
}

static atomicity meaning_synchronized(const struct world *world,
                                      const struct expression *expression, uint64_t held)
{
    const unsigned lock = expression->lock;
    const atomicity body = meaning(world, expression->first, with_lock(world, held, lock, true));
    if (is_held(world, held, lock))
        return body;
    return meant_sequence(meant_sequence(ATOMICITY_OF_RIGHT, body), ATOMICITY_OF_LEFT);
}

static atomicity meaning(const struct world *world, const struct expression *expression,
                         uint64_t held)
{
    const struct expression *first = expression->first, *second = expression->second;
    switch (expression->shape) {
    case BASIC:
    case SHAPE_COUNT:
        break;
    case CONDITIONAL:
        return meaning(world, is_held(world, held, expression->lock) ? first : second, held);
    case SEQUENCE:
        return meant_sequence(meaning(world, first, held), meaning(world, second, held));
    case JOIN:
        return meant_join(meaning(world, first, held), meaning(world, second, held));
    case CLOSURE:
        return meant_closure(meaning(world, first, held));
    case SYNCHRONIZED:
        return meaning_synchronized(world, expression, held);
    case GIVEN:
        return meaning(world, first, with_lock(world, held, expression->lock, expression->held));
    case PLAIN:
        return meant_plain(meaning(world, first, held));
    case RENAME:
        return meaning_renamed(world, expression, held);
    }
    return expression->basic;
}

struct naming {
    struct world *world;
    const uint8_t *names;
    unsigned calls;
};

static term new_name(void *context, term lock, bool *always)
{
    struct naming *naming = context;
    const struct world *world = naming->world;
    naming->calls++;
    for (unsigned i = 0; i < world->lock_count; i++) {
        if (world->locks[i] != lock)
            continue;
        *always = naming->names[i] == RENAMED_ALWAYS;
        return *always ? (term)TERM_NONE : world->locks[naming->names[i]];
    }
    fail_msg("a lock to be renamed that nobody put there");
    return TERM_NONE;
}

static atomicity renamed_by(struct world *world, atomicity number, const uint8_t *names)
{
    struct naming naming = {world, names, 0};
    const struct atomicity_renaming renaming = {new_name, &naming};
    const atomicity result = atomicity_rename(&world->table, number, &renaming);
    assert_true(naming.calls <= world->lock_count);
    return result;
}

/* The diagram. `backwards`: the second operand is made before the first. */
static atomicity built(struct world *world, const struct expression *expression, bool backwards)
{
    struct atomicity_table *table = &world->table;
    atomicity first = 0, second = 0;
    if (expression->shape == BASIC)
        return expression->basic;
    const bool two = expression->shape == CONDITIONAL || expression->shape == SEQUENCE ||
                     expression->shape == JOIN;
    if (two && backwards)
        second = built(world, expression->second, backwards);
    first = built(world, expression->first, backwards);
    if (two && !backwards)
        second = built(world, expression->second, backwards);
    const term lock = world->locks[expression->lock];
    switch (expression->shape) {
    case BASIC:
    case SHAPE_COUNT:
        break;
    case CONDITIONAL:
        return atomicity_conditional(table, lock, first, second);
    case SEQUENCE:
        return atomicity_sequence(table, first, second);
    case JOIN:
        return atomicity_join(table, first, second);
    case CLOSURE:
        return atomicity_closure(table, first);
    case SYNCHRONIZED:
        return atomicity_synchronized(table, lock, first);
    case GIVEN:
        return atomicity_given(table, first, lock, expression->held);
    case PLAIN:
        return atomicity_plain(table, first);
    case RENAME:
        return renamed_by(world, first, expression->names);
    }
    return expression->basic;
}

static atomicity random_atomicity(struct world *world, struct arena *arena, unsigned depth)
{
    arena_clear(arena);
    return built(world, random_expression(arena, world->lock_count, depth), false);
}

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

enum { SET_COUNT = 1 << FEW_LOCKS };

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

/* ---- printing ---- */

static const char *const lock_names[FEW_LOCKS] = {"this", "p", "q", "owner", "owner$p"};

static void print(const struct world *world, atomicity number, struct builder *to)
{
    static const struct text parameters[] = {{"", 0}, {"p", 1}, {"q", 1}};
    static const struct text formals[] = {{"owner", 5}};
    const struct term_printer printer = {
        .table = &world->table.locks,
        .parameter_names = parameters,
        .parameter_count = 3,
        .formals = formals,
        .formal_count = 1,
    };
    builder_clear(to);
    atomicity_print(&world->table, number, &printer, to);
    assert_false(to->failed);
}

static term lock_called(const struct world *world, const struct syntax_lock *lock)
{
    term result = TERM_NONE;
    struct builder name;
    builder_init(&name);
    syntax_print_lock(lock, &name);
    for (unsigned i = 0; i < FEW_LOCKS; i++)
        if (text_is(builder_text(&name), lock_names[i]))
            result = world->locks[i];
    assert_int_not_equal(result, TERM_NONE);
    builder_release(&name);
    return result;
}

static atomicity bound(struct world *world, const struct syntax_atomicity *syntax)
{
    static const atomicity basics[] = {
        [ATOMICITY_CONST] = ATOMICITY_OF_CONST,   [ATOMICITY_MOVER] = ATOMICITY_OF_MOVER,
        [ATOMICITY_ATOMIC] = ATOMICITY_OF_ATOMIC, [ATOMICITY_CMPD] = ATOMICITY_OF_CMPD,
        [ATOMICITY_ERROR] = ATOMICITY_OF_ERROR,
    };
    if (!syntax->lock)
        return basics[syntax->basic];
    return atomicity_conditional(&world->table, lock_called(world, syntax->lock),
                                 bound(world, syntax->then), bound(world, syntax->otherwise));
}

static atomicity read_back(struct world *world, struct text text)
{
    struct arena arena;
    struct syntax_clauses clauses;
    struct builder clause;
    arena_init(&arena);
    builder_init(&clause);
    struct syntax_errors errors = {.arena = &arena};
    builder_add_string(&clause, "atomicity ");
    builder_add(&clause, text);
    const bool good = syntax_parse_clauses(&clauses, &arena, builder_text(&clause),
                                           (struct syntax_place){.line = 1, .column = 1}, &errors);
    if (!good || errors.items.count)
        fail_msg("cannot be read: %s", builder_string(&clause));
    assert_non_null(clauses.atomicity);
    const atomicity result = bound(world, clauses.atomicity);
    vector_release(&errors.items);
    builder_release(&clause);
    arena_release(&arena);
    return result;
}

static void what_is_printed_reads_back(void **unused)
{
    (void)unused;
    struct world world;
    struct arena arena;
    struct builder text, plain_text;
    open_world(&world);
    arena_init(&arena);
    builder_init(&text);
    builder_init(&plain_text);
    random_state = 8;
    for (unsigned round = 0; round < 20000; round++) {
        const atomicity number = random_atomicity(&world, &arena, 1 + random_below(5));
        const atomicity plain = atomicity_plain(&world.table, number);
        print(&world, number, &text);
        print(&world, plain, &plain_text);
        assert_string_equal(builder_string(&text), builder_string(&plain_text));
        assert_int_equal(read_back(&world, builder_text(&text)), plain);
    }
    builder_release(&text);
    builder_release(&plain_text);
    arena_release(&arena);
    close_world(&world);
}

static void assert_prints(const struct world *world, atomicity number, const char *expected)
{
    struct builder text;
    builder_init(&text);
    print(world, number, &text);
    assert_string_equal(builder_string(&text), expected);
    builder_release(&text);
}

static void atomicities_print_as_in_a_locks_file(void **unused)
{
    (void)unused;
    struct world world;
    open_world(&world);
    struct atomicity_table *t = &world.table;
    const term self = world.locks[0], p = world.locks[1], owner = world.locks[3];
    const atomicity mover = ATOMICITY_OF_MOVER, atomic = ATOMICITY_OF_ATOMIC,
                    error = ATOMICITY_OF_ERROR;
    static const char *const names[] = {"const",  "mover", "right", "left",
                                        "atomic", "cmpd",  "error"};
    for (atomicity basic = 0; basic < ATOMICITY_BASIC_COUNT; basic++) {
        assert_string_equal(atomicity_basic_name(basic), names[basic]);
        assert_prints(&world, basic, names[meant_plain(basic)]);
    }
    const atomicity with_owner = atomicity_conditional(t, owner, mover, error);
    const atomicity with_p = atomicity_conditional(t, p, mover, atomic);
    assert_prints(&world, with_owner, "owner ? mover");
    assert_prints(&world, with_p, "p ? mover : atomic");
    assert_prints(&world, atomicity_conditional(t, self, with_p, error),
                  "this ? (p ? mover : atomic)");
    assert_prints(&world, atomicity_conditional(t, self, with_owner, with_p),
                  "this ? (owner ? mover) : p ? mover : atomic");
    /* The lock that was put around it last stands where the order has it. */
    assert_prints(&world, atomicity_conditional(t, owner, with_p, atomic),
                  "p ? (owner ? mover : atomic) : atomic");
    /* Only one-sided movers depend on p. */
    const atomicity one_sided = atomicity_conditional(t, p, ATOMICITY_OF_RIGHT, ATOMICITY_OF_LEFT);
    assert_prints(&world, one_sided, "atomic");
    assert_prints(&world, atomicity_conditional(t, self, mover, one_sided),
                  "this ? mover : atomic");
    close_world(&world);
}

/* ---- whatever was made first ---- */

enum { MANY_LOCKS = 40 };

/* Lock i, and before it what it is made of. */
static term make_lock(struct world *world, unsigned i)
{
    struct term_table *terms = &world->table.locks;
    if (i < 4)
        return term_make(terms, TERM_PARAMETER, i, 0);
    switch (i % 6) {
    case 0:
        return term_make(terms, TERM_CLASS, i, 0);
    case 1:
        return term_make(terms, TERM_STATIC, 100 - i, 0);
    case 2:
        return term_make(terms, TERM_FIELD, make_lock(world, i / 2), i % 4);
    case 3:
        return term_make(terms, TERM_FORMAL, i % 5, make_lock(world, i / 3));
    case 4:
        return term_make(terms, TERM_NEW, i, 0);
    default:
        return term_make(terms, TERM_READ_VIEW, make_lock(world, i - 1), 0);
    }
}

static void open_large_world(struct world *world, bool backwards)
{
    struct problem problem = {0};
    assert_true(atomicity_table_init(&world->table, &problem));
    world->lock_count = MANY_LOCKS;
    for (unsigned i = 0; i < MANY_LOCKS; i++) {
        const unsigned lock = backwards ? MANY_LOCKS - 1 - i : i;
        world->locks[lock] = make_lock(world, lock);
        if (backwards)
            term_make(&world->table.locks, TERM_OPAQUE, i, 0);
    }
    for (unsigned i = 0; i < MANY_LOCKS; i++)
        for (unsigned j = 0; j < i; j++)
            assert_int_not_equal(world->locks[i], world->locks[j]);
    make_special_locks(world);
}

static uint32_t line_of(void *unused, uint32_t instruction)
{
    (void)unused;
    return instruction + 1;
}

static void print_anyhow(const struct world *world, atomicity number, struct builder *to)
{
    const struct term_printer printer = {.table = &world->table.locks, .line_of = line_of};
    builder_clear(to);
    atomicity_print(&world->table, number, &printer, to);
    assert_false(to->failed);
}

/* The same expressions in two tables: terms, expressions and operands made in opposite orders, some
   of them too large. What is too large is so in both, and is still an upper bound. */
static void order_of_construction_does_not_matter(void **unused)
{
    (void)unused;
    enum { EXPRESSIONS = 400 };
    static const struct expression *expressions[EXPRESSIONS];
    static atomicity forwards[EXPRESSIONS], backwards[EXPRESSIONS];
    static struct world first, second;
    struct arena arena;
    struct builder text, other_text;
    arena_init(&arena);
    builder_init(&text);
    builder_init(&other_text);
    open_large_world(&first, false);
    open_large_world(&second, true);
    random_state = 9;
    for (unsigned i = 0; i < EXPRESSIONS; i++)
        expressions[i] = random_expression(&arena, MANY_LOCKS, 2 + i % 11);
    for (unsigned i = 0; i < EXPRESSIONS; i++)
        forwards[i] = built(&first, expressions[i], false);
    for (unsigned i = EXPRESSIONS; i-- > 0;)
        backwards[i] = built(&second, expressions[i], true);
    for (unsigned i = 0; i < EXPRESSIONS; i++) {
        print_anyhow(&first, forwards[i], &text);
        print_anyhow(&second, backwards[i], &other_text);
        assert_string_equal(builder_string(&text), builder_string(&other_text));
        for (unsigned sample = 0; sample < 64; sample++) {
            const uint64_t held = random_set(MANY_LOCKS);
            const atomicity value = value_at(&first, forwards[i], held);
            assert_true(meant_below(meaning(&first, expressions[i], held), value));
            assert_int_equal(value, value_at(&second, backwards[i], held));
        }
    }
    assert_true(first.table.widened > 0);
    assert_int_equal(first.table.widened, second.table.widened);
    builder_release(&text);
    builder_release(&other_text);
    arena_release(&arena);
    close_world(&first);
    close_world(&second);
}

/* ---- limits ---- */

/* mover or atomic as the number of held locks is even or odd: that has 2^n paths. */
static atomicity parity(struct world *world, unsigned lock_count)
{
    atomicity even = ATOMICITY_OF_MOVER, odd = ATOMICITY_OF_ATOMIC;
    for (unsigned i = 0; i < lock_count; i++) {
        const atomicity before = even;
        even = atomicity_conditional(&world->table, world->locks[i], odd, even);
        odd = atomicity_conditional(&world->table, world->locks[i], before, odd);
    }
    return even;
}

/* All locks are required: that has a path more than locks. */
static atomicity all_of(struct world *world, unsigned lock_count)
{
    atomicity all = ATOMICITY_OF_CONST;
    for (unsigned i = 0; i < lock_count; i++)
        all = atomicity_sequence(
            &world->table, all,
            atomicity_conditional(&world->table, term_make(&world->table.locks, TERM_STATIC, i, 0),
                                  ATOMICITY_OF_MOVER, ATOMICITY_OF_ERROR));
    return all;
}

static void diagrams_do_not_grow_without_bound(void **unused)
{
    (void)unused;
    static struct world world;
    open_large_world(&world, false);
    const atomicity nine = parity(&world, 9); /* 512 paths */
    assert_int_equal(world.table.widened, 0);
    for (uint64_t held = 0; held < 512; held++)
        assert_int_equal(value_at(&world, nine, held),
                         __builtin_parityll(held) ? ATOMICITY_OF_ATOMIC : ATOMICITY_OF_MOVER);
    assert_int_equal(parity(&world, 10), ATOMICITY_OF_ATOMIC);
    assert_true(world.table.widened > 0);
    world.table.widened = 0;
    /* The bound is that of the worst cases: two atomic ones in a row, here. */
    const atomicity tenth = atomicity_conditional(&world.table, world.locks[9], ATOMICITY_OF_MOVER,
                                                  ATOMICITY_OF_ATOMIC);
    assert_int_equal(atomicity_sequence(&world.table, nine, tenth), ATOMICITY_OF_CMPD);
    assert_int_equal(atomicity_join(&world.table, nine, tenth), ATOMICITY_OF_ATOMIC);
    assert_int_equal(world.table.widened, 2);
    assert_int_equal(atomicity_join(&world.table, nine, tenth), ATOMICITY_OF_ATOMIC);
    assert_int_equal(world.table.widened, 3);
    /* The same things again are the same, and nothing is broken by what was too large. */
    assert_int_equal(parity(&world, 9), nine);

    world.table.widened = 0;
    assert_false(atomicity_is_basic(all_of(&world, ATOMICITY_MOST_DEPTH)));
    assert_int_equal(world.table.widened, 0);
    assert_int_equal(all_of(&world, ATOMICITY_MOST_DEPTH + 1), ATOMICITY_OF_ERROR);
    assert_int_equal(world.table.widened, 1);
    close_world(&world);
}

/* What is the deepest that there can be is still read by the parser. */
static void deepest_diagram_reads_back(void **unused)
{
    (void)unused;
    enum { DEPTH = ATOMICITY_MOST_DEPTH };
    struct problem problem = {0};
    struct atomicity_table table;
    struct arena arena;
    struct syntax_clauses clauses;
    struct builder clause;
    struct text names[DEPTH];
    arena_init(&arena);
    builder_init(&clause);
    assert_true(atomicity_table_init(&table, &problem));
    atomicity number = ATOMICITY_OF_MOVER;
    for (unsigned i = DEPTH; i-- > 0;) {
        char name[8] = {'p', (char)('a' + i / 26), (char)('a' + i % 26)};
        names[i] = text_copy(&arena, text_from(name));
        number = atomicity_conditional(&table, term_make(&table.locks, TERM_PARAMETER, i, 0),
                                       number, ATOMICITY_OF_ERROR);
    }
    assert_int_equal(table.widened, 0);
    const struct term_printer printer = {
        .table = &table.locks,
        .parameter_names = names,
        .parameter_count = DEPTH,
        .is_static = true,
    };
    struct syntax_errors errors = {.arena = &arena};
    builder_add_string(&clause, "atomicity ");
    atomicity_print(&table, number, &printer, &clause);
    assert_true(syntax_parse_clauses(&clauses, &arena, builder_text(&clause),
                                     (struct syntax_place){.line = 1, .column = 1}, &errors));
    unsigned depth = 0;
    for (const struct syntax_atomicity *at = clauses.atomicity; at->lock; at = at->then)
        depth++;
    assert_int_equal(depth, DEPTH);
    vector_release(&errors.items);
    builder_release(&clause);
    atomicity_table_release(&table);
    arena_release(&arena);
}

/* ---- memory ---- */

/* Everything once. False if the table could not even be made. */
static bool run_with_memory_for(long requests, const struct expression *const *expressions,
                                unsigned count, bool *failed)
{
    static struct world world;
    struct problem problem = {0};
    memory_fail_after(requests);
    if (!atomicity_table_init(&world.table, &problem)) {
        memory_fail_after(-1);
        assert_true(problem.set);
        return false;
    }
    world.lock_count = FEW_LOCKS;
    for (unsigned i = 0; i < FEW_LOCKS; i++)
        world.locks[i] = term_make(&world.table.locks, TERM_CLASS, i, 0);
    make_special_locks(&world);
    for (unsigned i = 0; i < count && !world.table.failed; i++) {
        const atomicity number = built(&world, expressions[i], false);
        if (world.table.failed)
            break;
        for (uint64_t held = 0; held < SET_COUNT; held++)
            assert_int_equal(value_at(&world, number, held), meaning(&world, expressions[i], held));
    }
    memory_fail_after(-1);
    *failed = world.table.failed;
    if (*failed) {
        struct atomicity_table *t = &world.table;
        const term lock = world.locks[0];
        assert_int_equal(atomicity_join(t, ATOMICITY_OF_CONST, ATOMICITY_OF_CONST),
                         ATOMICITY_OF_ERROR);
        assert_int_equal(atomicity_conditional(t, lock, ATOMICITY_OF_CONST, ATOMICITY_OF_MOVER),
                         ATOMICITY_OF_ERROR);
        assert_int_equal(atomicity_synchronized(t, lock, ATOMICITY_OF_CONST), ATOMICITY_OF_ERROR);
        /* So that a search for a fixed point comes to its end. */
        assert_true(atomicity_is_below(t, ATOMICITY_OF_ERROR, ATOMICITY_OF_ERROR));
    }
    atomicity_table_release(&world.table);
    return true;
}

static void memory_may_run_out(void **unused)
{
    (void)unused;
    enum { COUNT = 60 };
    static const struct expression *expressions[COUNT];
    struct arena arena;
    arena_init(&arena);
    random_state = 10;
    for (unsigned i = 0; i < COUNT; i++)
        expressions[i] = random_expression(&arena, FEW_LOCKS, 5);
    bool failed = true, opened = false;
    long requests = 0;
    for (; !opened || failed; requests++)
        opened = run_with_memory_for(requests, expressions, COUNT, &failed);
    assert_true(requests > 5);
    arena_release(&arena);
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
        cmocka_unit_test(what_is_printed_reads_back),
        cmocka_unit_test(atomicities_print_as_in_a_locks_file),
        cmocka_unit_test(order_of_construction_does_not_matter),
        cmocka_unit_test(diagrams_do_not_grow_without_bound),
        cmocka_unit_test(deepest_diagram_reads_back),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
