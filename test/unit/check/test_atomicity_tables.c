/*
 * Tables of atomicities: printing, the same diagrams whatever was made first, limits, and memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "check/atomicity_model.h"
#include "locktypes/syntax_parser.h"

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
    atomicity before = ATOMICITY_OF_CONST;
    for (unsigned i = 0; i < count && !world.table.failed; i++) {
        const atomicity number = built(&world, expressions[i], false);
        const bool below = atomicity_is_below(&world.table, before, number);
        if (world.table.failed)
            break;
        assert_int_equal(below, atomicity_join(&world.table, before, number) == number);
        if (world.table.failed)
            break;
        before = number;
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
        cmocka_unit_test(what_is_printed_reads_back),
        cmocka_unit_test(atomicities_print_as_in_a_locks_file),
        cmocka_unit_test(order_of_construction_does_not_matter),
        cmocka_unit_test(diagrams_do_not_grow_without_bound),
        cmocka_unit_test(deepest_diagram_reads_back),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
