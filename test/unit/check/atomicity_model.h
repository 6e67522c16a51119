/*
 * atomicity_model: what atomicities mean, by brute force, for the tests of check/atomicity.h.
 *
 * The meaning of the basic ones is taken from Lipton's theorem, not from a table of operations:
 * code goes through phases. Before the commit right movers may run, behind it left movers; an
 * atomic step is the commit. A basic atomicity is what it makes of each phase:
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
 *
 * A world is a table with locks in it. Random expressions are built as diagrams in a world, and are
 * evaluated for a set of locks by what they mean.
 *
 * A header of inline functions, since each test program is one file.
 */
#ifndef TURNSTILE_TEST_ATOMICITY_MODEL_H
#define TURNSTILE_TEST_ATOMICITY_MODEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "check/atomicity.h"

/* ---- the meaning of basic atomicities ---- */

enum phase { BEFORE, BEHIND, BROKEN, WRONG };

static const uint8_t phases[ATOMICITY_BASIC_COUNT][2] = {
    [ATOMICITY_OF_CONST] = {BEFORE, BEHIND},  [ATOMICITY_OF_MOVER] = {BEFORE, BEHIND},
    [ATOMICITY_OF_RIGHT] = {BEFORE, BROKEN},  [ATOMICITY_OF_LEFT] = {BEHIND, BEHIND},
    [ATOMICITY_OF_ATOMIC] = {BEHIND, BROKEN}, [ATOMICITY_OF_CMPD] = {BROKEN, BROKEN},
    [ATOMICITY_OF_ERROR] = {WRONG, WRONG},
};

static inline uint8_t phase_behind(uint8_t phase, atomicity basic)
{
    if (phase == WRONG || basic == ATOMICITY_OF_ERROR)
        return WRONG;
    return phase == BROKEN ? (uint8_t)BROKEN : phases[basic][phase];
}

static inline atomicity basic_of(uint8_t from_before, uint8_t from_behind, bool is_const)
{
    for (atomicity basic = is_const ? ATOMICITY_OF_CONST : ATOMICITY_OF_MOVER;
         basic < ATOMICITY_BASIC_COUNT; basic++)
        if (phases[basic][0] == from_before && phases[basic][1] == from_behind)
            return basic;
    fail_msg("no atomicity takes the phases to %d and %d", from_before, from_behind);
    return ATOMICITY_OF_ERROR;
}

static inline atomicity meant_sequence(atomicity a, atomicity b)
{
    return basic_of(phase_behind(phases[a][0], b), phase_behind(phases[a][1], b),
                    a == ATOMICITY_OF_CONST && b == ATOMICITY_OF_CONST);
}

static inline uint8_t later(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

static inline atomicity meant_join(atomicity a, atomicity b)
{
    return basic_of(later(phases[a][0], phases[b][0]), later(phases[a][1], phases[b][1]),
                    a == ATOMICITY_OF_CONST && b == ATOMICITY_OF_CONST);
}

static inline bool meant_below(atomicity a, atomicity b)
{
    return phases[a][0] <= phases[b][0] && phases[a][1] <= phases[b][1] &&
           (b != ATOMICITY_OF_CONST || a == ATOMICITY_OF_CONST);
}

/* The join of all powers. */
static inline atomicity meant_closure(atomicity a)
{
    atomicity sum = a;
    for (atomicity power = a, before = ATOMICITY_BASIC_COUNT; sum != before;) {
        before = sum;
        power = meant_sequence(power, a);
        sum = meant_join(sum, power);
    }
    return sum;
}

static inline atomicity meant_plain(atomicity a)
{
    return a == ATOMICITY_OF_RIGHT || a == ATOMICITY_OF_LEFT ? ATOMICITY_OF_ATOMIC : a;
}

/* ---- locks ---- */

enum { MOST_LOCKS = 48, FEW_LOCKS = 5, SET_COUNT = 1 << FEW_LOCKS };

/* Behind the locks that may be held or not. */
enum special { SPECIAL_THIS_THREAD, SPECIAL_UNIQUE, SPECIAL_READONLY, SPECIAL_OTHER, SPECIAL_NONE };
enum { SPECIAL_COUNT = 5 };

struct world {
    struct atomicity_table table;
    term locks[MOST_LOCKS + SPECIAL_COUNT];
    unsigned lock_count;
};

static inline void make_special_locks(struct world *world)
{
    static const enum term_kind kinds[] = {TERM_THIS_THREAD, TERM_UNIQUE, TERM_READONLY,
                                           TERM_OTHER_THREAD};
    for (unsigned i = 0; i < 4; i++)
        world->locks[world->lock_count + i] = term_make(&world->table.locks, kinds[i], 0, 0);
    world->locks[world->lock_count + SPECIAL_NONE] = TERM_NONE;
}

/* this, p, q, owner, owner$p. */
static inline void open_world(struct world *world)
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

static inline void close_world(struct world *world)
{
    assert_false(world->table.failed);
    atomicity_table_release(&world->table);
}

static inline bool is_held(const struct world *world, uint64_t held, unsigned lock)
{
    if (lock < world->lock_count)
        return (held >> lock & 1) != 0;
    return lock - world->lock_count <= SPECIAL_READONLY;
}

struct state {
    const struct world *world;
    uint64_t held;
};

static inline bool state_holds(void *context, term lock)
{
    const struct state *state = context;
    for (unsigned i = 0; i < state->world->lock_count; i++)
        if (state->world->locks[i] == lock)
            return is_held(state->world, state->held, i);
    fail_msg("a diagram asks for a lock that nobody put there");
    return false;
}

static inline atomicity value_at(const struct world *world, atomicity number, uint64_t held)
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

static inline uint32_t random_below(uint32_t limit)
{
    random_state += 0x9E3779B97F4A7C15u;
    uint64_t mixed = (random_state ^ random_state >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((mixed ^ mixed >> 31) % limit);
}

static inline uint64_t random_set(unsigned lock_count)
{
    const uint64_t low = random_below(1u << 24), high = random_below(1u << 24);
    return (high << 24 | low) & ((UINT64_C(1) << lock_count) - 1);
}

static inline unsigned random_lock(unsigned lock_count)
{
    const bool special = random_below(12) == 0;
    return special ? lock_count + random_below(SPECIAL_COUNT) : random_below(lock_count);
}

static inline const struct expression *random_expression(struct arena *arena, unsigned lock_count,
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

static inline uint64_t with_lock(const struct world *world, uint64_t held, unsigned lock,
                                 bool is_so)
{
    if (lock >= world->lock_count)
        return held;
    return is_so ? held | UINT64_C(1) << lock : held & ~(UINT64_C(1) << lock);
}

static inline atomicity meaning(const struct world *world, const struct expression *expression,
                                uint64_t held);

static inline atomicity meaning_renamed(const struct world *world,
                                        const struct expression *expression, uint64_t held)
{
    uint64_t before = 0;
    for (unsigned i = 0; i < world->lock_count; i++)
        if (expression->names[i] == RENAMED_ALWAYS || is_held(world, held, expression->names[i]))
            before |= UINT64_C(1) << i;
    return meaning(world, expression->first, before);
}

static inline atomicity meaning_synchronized(const struct world *world,
                                             const struct expression *expression, uint64_t held)
{
    const unsigned lock = expression->lock;
    const atomicity body = meaning(world, expression->first, with_lock(world, held, lock, true));
    if (is_held(world, held, lock))
        return body;
    return meant_sequence(meant_sequence(ATOMICITY_OF_RIGHT, body), ATOMICITY_OF_LEFT);
}

static inline atomicity meaning(const struct world *world, const struct expression *expression,
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

static inline term new_name(void *context, term lock, bool *always)
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

static inline atomicity renamed_by(struct world *world, atomicity number, const uint8_t *names)
{
    struct naming naming = {world, names, 0};
    const struct atomicity_renaming renaming = {new_name, &naming};
    const atomicity result = atomicity_rename(&world->table, number, &renaming);
    assert_true(naming.calls <= world->lock_count);
    return result;
}

/* The diagram. `backwards`: the second operand is made before the first. */
static inline atomicity built(struct world *world, const struct expression *expression,
                              bool backwards)
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

static inline atomicity random_atomicity(struct world *world, struct arena *arena, unsigned depth)
{
    arena_clear(arena);
    return built(world, random_expression(arena, world->lock_count, depth), false);
}

#endif
