/*
 * The block engine against all interleavings: random pairs of transactions, every order of their
 * steps that respects locks, start and join and comes to its end, and view serializability of each
 * (who reads from whom, and who writes last). The engine must report those pairs, and only those,
 * that have an order which is equivalent to neither serial one.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/blocks.h"

#define OPERATIONS_MAX 40
#define LOCKS 4
#define VARIABLES 3

enum kind { READ, WRITE, ACQUIRE, RELEASE, ACQUIRE_SHARED, RELEASE_SHARED, GIVE, TAKE };

struct operation {
    enum kind kind;
    unsigned subject; /* variable, lock; of GIVE and TAKE: which edge */
};

/* What two threads do. The transactions begin at `begin` and last to the end. */
struct program {
    struct operation operations[2][OPERATIONS_MAX];
    unsigned counts[2];
    unsigned begin[2];
    unsigned body; /* the first thread is a loop over that many operations; 0: it is not */
};

/*
 * The reference.
 */

struct view {
    int reads[2][OPERATIONS_MAX]; /* which write each read sees, -1: none */
    int last[VARIABLES];
};

struct execution {
    const struct program *program;
    const struct view *serial; /* two */
    unsigned taken[2];
    int exclusive[LOCKS][2];
    int shared[LOCKS][2];
    bool given[4];
    struct view view;
    bool found;
    bool serializable; /* some order was */
    bool to_the_end;   /* do not stop when one is found */
    uint64_t completed;
    /* If not empty: accesses that must come in this order. */
    unsigned event_count;
    unsigned events_done;
    struct {
        unsigned thread;
        unsigned index;
    } events[4];
};

static int write_number(unsigned thread, unsigned index)
{
    return (int)(thread * OPERATIONS_MAX + index);
}

static bool same_view(const struct program *program, const struct view *left,
                      const struct view *right)
{
    for (unsigned thread = 0; thread < 2; thread++)
        for (unsigned i = 0; i < program->counts[thread]; i++)
            if (program->operations[thread][i].kind == READ &&
                left->reads[thread][i] != right->reads[thread][i])
                return false;
    return memcmp(left->last, right->last, sizeof left->last) == 0;
}

static void serial_view(const struct program *program, unsigned first, struct view *view)
{
    memset(view, 0, sizeof *view);
    for (unsigned i = 0; i < VARIABLES; i++)
        view->last[i] = -1;
    for (unsigned turn = 0; turn < 2; turn++) {
        unsigned thread = turn ? 1 - first : first;
        for (unsigned i = 0; i < program->counts[thread]; i++) {
            struct operation operation = program->operations[thread][i];
            if (operation.kind == READ)
                view->reads[thread][i] = view->last[operation.subject];
            else if (operation.kind == WRITE)
                view->last[operation.subject] = write_number(thread, i);
        }
    }
}

static void run_on(struct execution *execution);

static void run_operation(struct execution *execution, unsigned thread)
{
    unsigned index = execution->taken[thread];
    struct operation operation = execution->program->operations[thread][index];
    unsigned subject = operation.subject;
    unsigned other = 1 - thread;
    int old = -1;
    execution->taken[thread]++;
    switch (operation.kind) {
    case READ:
        execution->view.reads[thread][index] = execution->view.last[subject];
        run_on(execution);
        break;
    case WRITE:
        old = execution->view.last[subject];
        execution->view.last[subject] = write_number(thread, index);
        run_on(execution);
        execution->view.last[subject] = old;
        break;
    case ACQUIRE:
        if (execution->exclusive[subject][other] || execution->shared[subject][other])
            break;
        execution->exclusive[subject][thread]++;
        run_on(execution);
        execution->exclusive[subject][thread]--;
        break;
    case RELEASE:
        execution->exclusive[subject][thread]--;
        run_on(execution);
        execution->exclusive[subject][thread]++;
        break;
    case ACQUIRE_SHARED:
        if (execution->exclusive[subject][other])
            break;
        execution->shared[subject][thread]++;
        run_on(execution);
        execution->shared[subject][thread]--;
        break;
    case RELEASE_SHARED:
        execution->shared[subject][thread]--;
        run_on(execution);
        execution->shared[subject][thread]++;
        break;
    case GIVE:
        execution->given[subject] = true;
        run_on(execution);
        execution->given[subject] = false;
        break;
    case TAKE:
        if (execution->given[subject])
            run_on(execution);
        break;
    }
    execution->taken[thread]--;
}

static void run_step(struct execution *execution, unsigned thread)
{
    unsigned event = 0;
    while (event < execution->event_count &&
           (execution->events[event].thread != thread ||
            execution->events[event].index != execution->taken[thread]))
        event++;
    if (event == execution->event_count) {
        run_operation(execution, thread);
    } else if (event == execution->events_done) {
        execution->events_done++;
        run_operation(execution, thread);
        execution->events_done--;
    }
}

static void run_on(struct execution *execution)
{
    const struct program *program = execution->program;
    bool ended = true;
    for (unsigned thread = 0; thread < 2; thread++) {
        if (execution->found && !execution->to_the_end)
            return;
        if (execution->taken[thread] == program->counts[thread])
            continue;
        ended = false;
        run_step(execution, thread);
    }
    if (!ended)
        return;
    execution->completed++;
    if (same_view(program, &execution->view, &execution->serial[0]) ||
        same_view(program, &execution->view, &execution->serial[1]))
        execution->serializable = true;
    else
        execution->found = true;
}

static void start_execution(struct execution *execution, const struct program *program,
                            struct view serial[2])
{
    memset(execution, 0, sizeof *execution);
    serial_view(program, 0, &serial[0]);
    serial_view(program, 1, &serial[1]);
    execution->program = program;
    execution->serial = serial;
    for (unsigned i = 0; i < VARIABLES; i++)
        execution->view.last[i] = -1;
}

/* An order exists that comes to its end and is not serializable. */
static bool reference(const struct program *program, uint64_t *completed)
{
    struct view serial[2];
    struct execution execution;
    start_execution(&execution, program, serial);
    run_on(&execution);
    *completed += execution.completed;
    return execution.found;
}

/*
 * The engine.
 */

struct reports {
    const struct program *program;
    unsigned count;
    unsigned by_pattern[BLOCKS_TWO_VARIABLES + 1];
};

static unsigned location_of(const struct program *program, unsigned thread, unsigned index)
{
    if (thread == 0 && program->body)
        index %= program->body;
    return thread * 100 + index + 1;
}

/* The accesses of a violation can come in the order that it shows, and whenever they do the order
   of everything is not serializable. */
static void check_violation(const struct program *program, const struct blocks_violation *violation)
{
    struct view serial[2];
    struct execution execution;
    start_execution(&execution, program, serial);
    execution.to_the_end = true;
    execution.event_count = violation->event_count;
    for (unsigned i = 0; i < violation->event_count; i++) {
        const struct blocks_event *event = &violation->events[i];
        unsigned thread = event->place.location / 100;
        unsigned index = event->place.location % 100 - 1;
        execution.events[i].thread = thread;
        execution.events[i].index = index;
        assert_int_equal(violation->transactions[event->transaction].thread, thread + 1);
        assert_int_equal(violation->transactions[event->transaction].block, thread + 1);
        assert_int_equal(program->operations[thread][index].kind, event->write ? WRITE : READ);
        assert_int_equal(program->operations[thread][index].subject, event->variable);
    }
    run_on(&execution);
    assert_true(execution.found);
    assert_false(execution.serializable);
}

static void note(void *context, const struct blocks_violation *violation)
{
    struct reports *reports = context;
    reports->count++;
    reports->by_pattern[violation->pattern]++;
    /* All orders have to be looked at for this; a part of the violations will do. */
    if (!reports->program->body && reports->count % 4 == 0)
        check_violation(reports->program, violation);
}

struct side {
    struct blocks_thread *thread;
    struct clock *clock;
    uint64_t segment;
    unsigned next;
};

/* What a release published. */
struct edge {
    bool given;
    struct clock *clock;
    uint64_t segment;
    unsigned slot;
};

struct driver {
    struct blocks *blocks;
    struct clock_pool *pool;
    struct side sides[2];
    struct edge edges[4];
};

static struct clock_view view_of(const struct driver *driver, unsigned slot)
{
    return (struct clock_view){
        .base = driver->sides[slot].clock, .slot = slot, .segment = driver->sides[slot].segment};
}

static void drive_order(struct driver *driver, unsigned slot, struct operation operation)
{
    struct side *side = &driver->sides[slot];
    struct edge *edge = &driver->edges[operation.subject];
    if (operation.kind == GIVE) {
        edge->given = true;
        edge->clock = clock_keep(side->clock);
        edge->segment = side->segment++;
        edge->slot = slot;
    } else {
        clock_join(driver->pool, &side->clock, edge->clock, edge->slot, edge->segment);
    }
    struct clock_view view = view_of(driver, slot);
    blocks_order(driver->blocks, side->thread, &view);
}

/* False when the thread must wait for the other. */
static bool drive_step(struct driver *driver, const struct program *program, unsigned slot)
{
    struct side *side = &driver->sides[slot];
    struct operation operation = program->operations[slot][side->next];
    struct blocks_place place = {.location = location_of(program, slot, side->next)};
    if (operation.kind == TAKE && !driver->edges[operation.subject].given)
        return false;
    if (side->next == program->begin[slot])
        blocks_begin(driver->blocks, side->thread, slot + 1, place);
    side->next++;
    bool shared = operation.kind == ACQUIRE_SHARED || operation.kind == RELEASE_SHARED;
    switch (operation.kind) {
    case READ:
    case WRITE:
        blocks_access(driver->blocks, side->thread, operation.subject, operation.subject,
                      operation.kind == WRITE, place);
        break;
    case ACQUIRE:
    case ACQUIRE_SHARED:
        blocks_acquire(driver->blocks, side->thread, operation.subject, shared);
        break;
    case RELEASE:
    case RELEASE_SHARED:
        blocks_release(driver->blocks, side->thread, operation.subject, shared);
        break;
    case GIVE:
    case TAKE:
        drive_order(driver, slot, operation);
        break;
    }
    if (side->next == program->counts[slot])
        blocks_end(driver->blocks, side->thread);
    return true;
}

/* The order in which the threads' calls come must not matter, as long as edges are respected. */
static unsigned engine_says(const struct program *program, unsigned first, struct reports *reports)
{
    struct clock_pool pool;
    assert_true(clock_pool_init(&pool));
    struct blocks_options options;
    blocks_options_default(&options);
    options.shapes = 8;
    options.steps = 64;
    options.clocks = &pool;
    options.report = note;
    options.context = reports;
    struct driver driver = {.blocks = blocks_new(&options), .pool = &pool};
    assert_non_null(driver.blocks);
    unsigned before = reports->count;
    reports->program = program;
    for (unsigned slot = 0; slot < 2; slot++) {
        driver.sides[slot].segment = 1;
        struct clock_view view = view_of(&driver, slot);
        driver.sides[slot].thread = blocks_thread_start(driver.blocks, slot + 1, &view);
        assert_non_null(driver.sides[slot].thread);
    }
    unsigned turn = first;
    while (driver.sides[0].next < program->counts[0] || driver.sides[1].next < program->counts[1]) {
        if (driver.sides[turn].next == program->counts[turn] || !drive_step(&driver, program, turn))
            turn = 1 - turn;
    }
    for (unsigned slot = 0; slot < 2; slot++)
        blocks_thread_end(driver.blocks, driver.sides[slot].thread);
    blocks_free(driver.blocks);
    for (unsigned i = 0; i < 4; i++)
        clock_drop(&pool, driver.edges[i].clock);
    for (unsigned slot = 0; slot < 2; slot++)
        clock_drop(&pool, driver.sides[slot].clock);
    clock_pool_release(&pool);
    return reports->count - before;
}

/*
 * Random programs.
 */

static uint64_t random_state;

static unsigned roll(unsigned sides)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)((random_state >> 11) % sides);
}

struct recipe {
    unsigned traces;
    unsigned accesses; /* at most */
    unsigned acquires; /* at most */
    unsigned variables;
    unsigned locks;
    bool always;     /* that many acquires, not fewer */
    bool nested;     /* locks are released in reverse */
    bool shared;     /* locks for reading */
    bool outside;    /* transactions begin with locks */
    bool meanwhile;  /* those were taken after others had been given back */
    unsigned passes; /* the first thread is a loop */
    unsigned edges;  /* orders but for locks */
    bool exact;      /* else the engine may miss some */
};

struct holding {
    unsigned count;
    struct operation locks[8];
};

static void emit(struct program *program, unsigned thread, enum kind kind, unsigned subject)
{
    assert_true(program->counts[thread] < OPERATIONS_MAX);
    program->operations[thread][program->counts[thread]++] = (struct operation){kind, subject};
}

static void random_acquire(struct program *program, unsigned thread, const struct recipe *recipe,
                           struct holding *holding)
{
    bool shared = recipe->shared && roll(2);
    unsigned lock = roll(recipe->locks);
    /* A thread that has a lock for reading and wants it for writing waits for itself. */
    for (unsigned i = 0; i < holding->count; i++)
        if (holding->locks[i].subject == lock)
            shared = holding->locks[i].kind == RELEASE_SHARED;
    emit(program, thread, shared ? ACQUIRE_SHARED : ACQUIRE, lock);
    holding->locks[holding->count++] = (struct operation){shared ? RELEASE_SHARED : RELEASE, lock};
}

static void random_release(struct program *program, unsigned thread, const struct recipe *recipe,
                           struct holding *holding)
{
    unsigned which = recipe->nested ? holding->count - 1 : roll(holding->count);
    emit(program, thread, holding->locks[which].kind, holding->locks[which].subject);
    memmove(&holding->locks[which], &holding->locks[which + 1],
            (holding->count - which - 1) * sizeof holding->locks[0]);
    holding->count--;
}

static void random_body(struct program *program, unsigned thread, const struct recipe *recipe,
                        unsigned accesses, unsigned acquires, struct holding *holding)
{
    while (accesses || acquires) {
        unsigned choice = roll(accesses + acquires + holding->count);
        if (choice < accesses) {
            emit(program, thread, roll(2) ? WRITE : READ, roll(recipe->variables));
            accesses--;
        } else if (choice < accesses + acquires) {
            random_acquire(program, thread, recipe, holding);
            acquires--;
        } else {
            random_release(program, thread, recipe, holding);
        }
    }
    while (holding->count)
        random_release(program, thread, recipe, holding);
}

static void random_thread(struct program *program, unsigned thread, const struct recipe *recipe)
{
    struct holding holding = {0};
    unsigned acquires = recipe->always ? recipe->acquires : roll(recipe->acquires + 1);
    if (recipe->outside && acquires) {
        random_acquire(program, thread, recipe, &holding);
        acquires--;
        if (recipe->meanwhile && acquires) {
            random_acquire(program, thread, recipe, &holding);
            random_release(program, thread, recipe, &holding);
            acquires--;
        }
        program->begin[thread] = program->counts[thread];
    }
    if (recipe->passes && thread == 0) {
        random_body(program, thread, recipe, 1 + roll(recipe->accesses), acquires, &holding);
        unsigned body = program->body = program->counts[thread];
        unsigned passes = 3 + roll(recipe->passes - 2);
        for (unsigned pass = 1; pass < passes; pass++)
            for (unsigned i = 0; i < body; i++)
                emit(program, thread, program->operations[0][i].kind,
                     program->operations[0][i].subject);
        return;
    }
    random_body(program, thread, recipe, 1 + roll(recipe->accesses), acquires, &holding);
}

static void insert(struct program *program, unsigned thread, unsigned at,
                   struct operation operation)
{
    struct operation *operations = program->operations[thread];
    assert_true(program->counts[thread] < OPERATIONS_MAX);
    memmove(&operations[at + 1], &operations[at],
            (program->counts[thread]++ - at) * sizeof operation);
    operations[at] = operation;
}

/* The first edge is a start, the second a join, or both are edges between random places such that
   the calls can be made in some order. */
static void random_edges(struct program *program, unsigned edges, bool start_join)
{
    if (start_join) {
        unsigned at = roll(program->counts[0] + 1);
        insert(program, 0, at, (struct operation){GIVE, 0});
        insert(program, 1, 0, (struct operation){TAKE, 0});
        if (roll(2)) {
            insert(program, 1, program->counts[1], (struct operation){GIVE, 1});
            unsigned join = at + 1 + roll(program->counts[0] - at);
            insert(program, 0, join, (struct operation){TAKE, 1});
        }
        return;
    }
    /* Edges in the order of the run: each lies behind the one before in both threads. */
    unsigned from[2] = {0, 0};
    for (unsigned edge = 0; edge < edges; edge++) {
        unsigned giver = roll(2);
        for (unsigned turn = 0; turn < 2; turn++) {
            unsigned thread = turn ? 1 - giver : giver;
            unsigned at = from[thread] + roll(program->counts[thread] - from[thread] + 1);
            insert(program, thread, at, (struct operation){turn ? TAKE : GIVE, edge});
            from[thread] = at + 1;
        }
    }
}

static void print_program(const struct program *program)
{
    static const char *const names[] = {"r", "w", "acq", "rel", "racq", "rrel", "give", "take"};
    for (unsigned thread = 0; thread < 2; thread++) {
        print_message("T%u (begins at %u):", thread, program->begin[thread]);
        for (unsigned i = 0; i < program->counts[thread]; i++)
            print_message(" %s(%u)", names[program->operations[thread][i].kind],
                          program->operations[thread][i].subject);
        print_message("\n");
    }
}

static void check(const struct recipe *recipe, uint64_t seed, bool start_join)
{
    random_state = seed;
    unsigned unserializable = 0;
    unsigned missed = 0;
    uint64_t completed = 0;
    struct reports reports = {0};
    for (unsigned i = 0; i < recipe->traces; i++) {
        struct program program = {0};
        random_thread(&program, 0, recipe);
        random_thread(&program, 1, recipe);
        if (start_join || recipe->edges)
            random_edges(&program, recipe->edges, start_join);
        bool expected = reference(&program, &completed);
        bool found = engine_says(&program, roll(2), &reports) > 0;
        if (found && !expected)
            print_message("invented, trace %u:\n", i);
        else if (!found && expected && recipe->exact)
            print_message("missed, trace %u:\n", i);
        if (found != expected && (found || recipe->exact)) {
            print_program(&program);
            fail();
        }
        unserializable += expected;
        missed += expected && !found;
    }
    print_message("%u traces, %llu orders, %u unserializable, %u missed; patterns %u %u %u %u %u\n",
                  recipe->traces, (unsigned long long)completed, unserializable, missed,
                  reports.by_pattern[0], reports.by_pattern[1], reports.by_pattern[2],
                  reports.by_pattern[3], reports.by_pattern[4]);
    /* Neither answer is rare, so neither is right by chance. */
    assert_true(unserializable > recipe->traces / 20);
    assert_true(unserializable < recipe->traces - recipe->traces / 20);
    assert_true(missed * 50 <= unserializable);
}

static void test_one_variable(void **state)
{
    (void)state;
    struct recipe recipe = {.traces = 15000,
                            .accesses = 5,
                            .acquires = 2,
                            .variables = 1,
                            .locks = 2,
                            .nested = true,
                            .exact = true};
    check(&recipe, 1001, false);
    recipe.locks = 1;
    recipe.always = true;
    recipe.acquires = 3;
    recipe.accesses = 4;
    check(&recipe, 1013, false);
}

static void test_two_variables(void **state)
{
    (void)state;
    struct recipe recipe = {.traces = 30000,
                            .accesses = 5,
                            .acquires = 2,
                            .variables = 2,
                            .locks = 2,
                            .nested = true,
                            .exact = true};
    check(&recipe, 1002, false);
    recipe.traces = 10000;
    recipe.accesses = 3;
    recipe.acquires = 3;
    recipe.locks = 3;
    check(&recipe, 1003, false);
}

static void test_three_variables(void **state)
{
    (void)state;
    struct recipe recipe = {.traces = 5000,
                            .accesses = 5,
                            .acquires = 2,
                            .variables = 3,
                            .locks = 2,
                            .nested = true,
                            .exact = true};
    check(&recipe, 1004, false);
}

static void test_locks_not_nested(void **state)
{
    (void)state;
    struct recipe recipe = {
        .traces = 10000, .accesses = 3, .acquires = 3, .variables = 2, .locks = 3, .exact = true};
    check(&recipe, 1005, false);
}

static void test_shared_locks(void **state)
{
    (void)state;
    struct recipe recipe = {.traces = 10000,
                            .accesses = 4,
                            .acquires = 2,
                            .variables = 2,
                            .locks = 2,
                            .shared = true,
                            .exact = true};
    check(&recipe, 1006, false);
}

static void test_locks_outside(void **state)
{
    (void)state;
    struct recipe recipe = {.traces = 10000,
                            .accesses = 3,
                            .acquires = 3,
                            .variables = 2,
                            .locks = 2,
                            .nested = true,
                            .outside = true,
                            .exact = true};
    check(&recipe, 1007, false);
    recipe.meanwhile = true;
    recipe.exact = false;
    recipe.nested = false;
    check(&recipe, 1008, false);
}

static void test_loops(void **state)
{
    (void)state;
    struct recipe recipe = {.traces = 3000,
                            .accesses = 2,
                            .acquires = 1,
                            .variables = 2,
                            .locks = 1,
                            .nested = true,
                            .passes = 7};
    check(&recipe, 1009, false);
    recipe.acquires = 2;
    recipe.locks = 2;
    recipe.nested = false;
    recipe.passes = 5;
    recipe.traces = 300;
    check(&recipe, 1010, false);
}

static void test_start_and_join(void **state)
{
    (void)state;
    struct recipe recipe = {.traces = 10000,
                            .accesses = 5,
                            .acquires = 2,
                            .variables = 2,
                            .locks = 2,
                            .nested = true,
                            .exact = true};
    check(&recipe, 1011, true);
}

static void test_edges(void **state)
{
    (void)state;
    struct recipe recipe = {.traces = 10000,
                            .accesses = 5,
                            .acquires = 2,
                            .variables = 2,
                            .locks = 2,
                            .nested = true,
                            .edges = 1,
                            .exact = true};
    check(&recipe, 1012, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_variable),    cmocka_unit_test(test_two_variables),
        cmocka_unit_test(test_three_variables), cmocka_unit_test(test_locks_not_nested),
        cmocka_unit_test(test_shared_locks),    cmocka_unit_test(test_locks_outside),
        cmocka_unit_test(test_loops),           cmocka_unit_test(test_start_and_join),
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
