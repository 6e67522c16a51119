/*
 * Reduction against all interleavings of random small programs.
 *
 * One run of each program is looked at in two passes, as a recorded trace would be. Blocks that
 * reduction says nothing about must be atomic in every interleaving of the program: with these
 * blocks and all other operations as transactions, no interleaving may have a cycle of conflicts,
 * those of locks counted. This is more than asking for a warning wherever a block is not
 * serializable: a warning about the wrong block would not help.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "interleavings.h"
#include "random_programs.h"
#include "reduction_world.h"
#include "support.h"

#define TRACES 60000u
#define TRACES_PER_ENGINE 2000u
/*
 * Two passes.
 */

/* What the first pass notes of each operation. */
struct note {
    uint32_t lockset;
    bool reentrant;
};

struct trial {
    struct world world;
    const struct interleavings_program *program;
    struct note notes[INTERLEAVINGS_THREADS][INTERLEAVINGS_LENGTH];
    struct mover_usage usages[INTERLEAVINGS_VARIABLES];
    struct engine_facts facts[INTERLEAVINGS_VARIABLES];
    enum mover movers[INTERLEAVINGS_THREADS][INTERLEAVINGS_LENGTH];
    uint32_t violated; /* blocks, as bits */
    bool forgot;       /* the race engine counts from a later access of a variable on */
};

static void collect_access(struct trial *trial, unsigned thread, unsigned variable, bool write,
                           struct note *note, bool by_engine)
{
    struct world *world = &trial->world;
    struct thread *teller = world->threads[thread];
    struct engine_access access = {.field = variable, .key = variable, .write = write};
    struct mover_user user = mover_user_of(teller);
    note->lockset = engine_lockset(world->engine, teller, write);
    mover_usage_add(&trial->usages[variable], &world->movers.rules, MOVER_VARIABLE, &user,
                    note->lockset, write);
    struct engine_facts facts;
    world->words[variable] =
        engine_access(world->engine, teller, &access, world->words[variable], &facts);
    trial->forgot |= facts.state == VARIABLE_THREAD_LOCAL_2 || facts.state == VARIABLE_READ_SHARED;
    if (by_engine)
        trial->facts[variable] = facts;
}

static void collect_lock(struct trial *trial, unsigned thread, uint32_t lock, bool acquire,
                         struct note *note)
{
    struct world *world = &trial->world;
    struct thread *teller = world->threads[thread];
    if (acquire) {
        note->reentrant = thread_find_held(teller, lock);
        note->lockset = engine_lockset(world->engine, teller, true);
        engine_lock_acquire(world->engine, teller, lock, THREAD_EXCLUSIVE);
    } else {
        engine_lock_release(world->engine, teller, lock, THREAD_EXCLUSIVE);
        note->reentrant = thread_find_held(teller, lock);
        note->lockset = engine_lockset(world->engine, teller, true);
    }
    struct mover_user user = mover_user_of(teller);
    if (acquire)
        mover_acquire(&world->movers, lock, &user, note->lockset, note->reentrant);
    else
        mover_release(&world->movers, lock, &user, note->lockset, note->reentrant);
}

static void collect(struct trial *trial, struct interleavings_step step, bool by_engine)
{
    struct world *world = &trial->world;
    const struct interleavings_operation *operation = interleavings_at(trial->program, step);
    struct note *note = &trial->notes[step.thread][step.index];
    unsigned object = operation->object;
    switch (operation->kind) {
    case INTERLEAVINGS_READ:
    case INTERLEAVINGS_WRITE:
        collect_access(trial, step.thread, object, operation->kind == INTERLEAVINGS_WRITE, note,
                       by_engine);
        break;
    case INTERLEAVINGS_ACQUIRE:
    case INTERLEAVINGS_RELEASE:
        collect_lock(trial, step.thread, object, operation->kind == INTERLEAVINGS_ACQUIRE, note);
        break;
    case INTERLEAVINGS_FORK:
        world_thread(world, object, world->threads[step.thread]);
        break;
    case INTERLEAVINGS_JOIN:
        engine_thread_end(world->engine, world->threads[object]);
        engine_thread_join(world->engine, world->threads[step.thread], world->threads[object],
                           world->births[object]);
        break;
    case INTERLEAVINGS_BEGIN:
    case INTERLEAVINGS_END:
        break;
    }
}

static enum mover reduce(struct trial *trial, struct interleavings_step step)
{
    struct world *world = &trial->world;
    const struct interleavings_operation *operation = interleavings_at(trial->program, step);
    const struct note *note = &trial->notes[step.thread][step.index];
    struct reduction_thread *reducer = world->reducers[step.thread];
    struct reduction_place place = {.object = operation->object,
                                    .location = step.thread * 100 + step.index,
                                    .lockset = note->lockset};
    struct reduction_variable variable = {.identity = operation->object + 1};
    switch (operation->kind) {
    case INTERLEAVINGS_READ:
    case INTERLEAVINGS_WRITE:
        place.kind = operation->kind == INTERLEAVINGS_WRITE ? REDUCTION_WRITE : REDUCTION_READ;
        variable.facts = trial->facts[operation->object];
        return reduction_access(world->reduction, reducer, &place, &variable);
    case INTERLEAVINGS_ACQUIRE:
        return reduction_acquire(world->reduction, reducer, &place, note->reentrant);
    case INTERLEAVINGS_RELEASE:
        return reduction_release(world->reduction, reducer, &place, note->reentrant);
    case INTERLEAVINGS_FORK:
        place.kind = REDUCTION_START;
        reduction_step(world->reduction, reducer, &place);
        return MOVER_LEFT;
    case INTERLEAVINGS_JOIN:
        place.kind = REDUCTION_JOIN;
        reduction_step(world->reduction, reducer, &place);
        return MOVER_RIGHT;
    case INTERLEAVINGS_BEGIN:
        reduction_enter(world->reduction, reducer, operation->object, &place);
        break;
    case INTERLEAVINGS_END:
        reduction_exit(world->reduction, reducer);
        break;
    }
    return MOVER_BOTH;
}

static void run_trial(struct trial *trial, struct engine *engine,
                      const struct interleavings_program *program, const struct programs_run *run,
                      uint32_t refinements, bool by_engine)
{
    struct reduction_options options;
    struct mover_options movers;
    memset(trial, 0, sizeof *trial);
    reduction_options_default(&options);
    options.threads = INTERLEAVINGS_THREADS;
    options.posts = 0;
    mover_options_default(&movers);
    movers.refinements = refinements;
    movers.final = true;
    movers.locks = 1;
    world_init_with(&trial->world, engine, &options, &movers, 1);
    trial->program = program;
    for (unsigned i = 0; i < run->count; i++)
        collect(trial, run->steps[i], by_engine);
    mover_freeze(&trial->world.movers);
    for (unsigned i = 0; i < INTERLEAVINGS_VARIABLES && !by_engine; i++)
        mover_usage_facts(&trial->usages[i], &trial->world.movers.rules, &trial->facts[i]);
    for (unsigned i = 0; i < run->count; i++)
        trial->movers[run->steps[i].thread][run->steps[i].index] = reduce(trial, run->steps[i]);
    for (unsigned i = 0; i < trial->world.count; i++)
        trial->violated |= 1u << trial->world.violations[i].block;
    world_close(&trial->world);
}

/*
 * Movers by their definition: an operation that is said to be a both-mover never meets one that it
 * conflicts with. Which operations are ordered by fork and join, and which locks they hold, is the
 * same in all runs.
 */

struct facts_of_program {
    unsigned count;
    struct interleavings_step steps[INTERLEAVINGS_TOTAL];
    uint32_t before[INTERLEAVINGS_TOTAL];
    uint32_t locks[INTERLEAVINGS_TOTAL]; /* held before and after the operation */
};

static void find_facts(const struct interleavings_program *program, const struct programs_run *run,
                       struct facts_of_program *facts)
{
    unsigned times[INTERLEAVINGS_THREADS][INTERLEAVINGS_LOCKS] = {{0}};
    memset(facts, 0, sizeof *facts);
    for (unsigned i = 0; i < run->count; i++) {
        const struct interleavings_operation *operation = interleavings_at(program, run->steps[i]);
        unsigned thread = run->steps[i].thread, k = facts->count, object = operation->object;
        if (interleavings_is_marker(operation))
            continue;
        if (operation->kind == INTERLEAVINGS_RELEASE)
            times[thread][object]--;
        for (unsigned lock = 0; lock < INTERLEAVINGS_LOCKS; lock++)
            facts->locks[k] |= times[thread][lock] ? 1u << lock : 0;
        if (operation->kind == INTERLEAVINGS_ACQUIRE)
            times[thread][object]++;
        for (unsigned j = 0; j < k; j++) {
            const struct interleavings_operation *earlier =
                interleavings_at(program, facts->steps[j]);
            unsigned other = facts->steps[j].thread;
            if (other == thread ||
                (earlier->kind == INTERLEAVINGS_FORK && earlier->object == thread) ||
                (operation->kind == INTERLEAVINGS_JOIN && object == other))
                facts->before[k] |= facts->before[j] | 1u << j;
        }
        facts->steps[facts->count++] = run->steps[i];
    }
}

static bool can_meet(const struct interleavings_program *program,
                     const struct facts_of_program *facts, unsigned j, unsigned k)
{
    bool ordered = (facts->before[k] >> j & 1) || (facts->before[j] >> k & 1);
    return facts->steps[j].thread != facts->steps[k].thread && !ordered &&
           !(facts->locks[j] & facts->locks[k]) &&
           interleavings_conflict(program, facts->steps[j], facts->steps[k]);
}

static void check_movers(const struct trial *trial, const struct programs_run *run)
{
    struct facts_of_program facts;
    find_facts(trial->program, run, &facts);
    for (unsigned k = 0; k < facts.count; k++) {
        const struct interleavings_operation *operation =
            interleavings_at(trial->program, facts.steps[k]);
        bool lock =
            operation->kind == INTERLEAVINGS_ACQUIRE || operation->kind == INTERLEAVINGS_RELEASE;
        /* A lock that the thread has already meets nobody. */
        if (lock && (facts.locks[k] >> operation->object & 1))
            continue;
        if (trial->movers[facts.steps[k].thread][facts.steps[k].index] != MOVER_BOTH)
            continue;
        for (unsigned j = 0; j < facts.count; j++)
            if (can_meet(trial->program, &facts, j, k))
                fail_msg("thread %u operation %u is no both-mover", facts.steps[k].thread,
                         facts.steps[k].index);
    }
}

static void print_program(const struct interleavings_program *program, uint32_t violated)
{
    static const char *const names[] = {"read", "write", "acquire", "release",
                                        "fork", "join",  "begin",   "end"};
    for (unsigned t = 0; t < program->threads; t++)
        for (unsigned i = 0; i < program->thread[t].count; i++)
            print_error("  thread %u: %s %u\n", t, names[program->thread[t].operations[i].kind],
                        program->thread[t].operations[i].object);
    print_error("  violated: %x\n", violated);
}

static void print_path(const struct interleavings_memory *memory)
{
    for (unsigned i = 0; i < memory->path.count; i++)
        print_error("  then thread %u operation %u\n", memory->path.steps[i].thread,
                    memory->path.steps[i].index);
}

struct tally {
    unsigned traces, warned, serializable_and_warned, wrong, unserializable;
};

/* Runs until so many programs with blocks have been looked at. */
static void check(unsigned traces, uint64_t seed, uint32_t refinements, bool by_engine,
                  struct tally *tally)
{
    struct interleavings_memory *memory = calloc(1, sizeof *memory);
    struct engine *engine = NULL;
    struct engine_options options;
    assert_non_null(memory);
    memset(tally, 0, sizeof *tally);
    engine_options_default(&options);
    options.dead_threads = 8;
    options.variables = 1 << 14;
    while (tally->traces < traces) {
        struct interleavings_program program;
        struct programs_run run;
        static struct trial trial;
        programs_make(&seed, &program);
        if (!programs_blocks(&program) || !programs_run(&seed, &program, &run))
            continue;
        if (tally->traces++ % TRACES_PER_ENGINE == 0) {
            engine_free(engine);
            engine = engine_new(&options);
            assert_non_null(engine);
        }
        run_trial(&trial, engine, &program, &run, refinements, by_engine);
        if (!by_engine)
            check_movers(&trial, &run);
        interleavings_split(&program, programs_blocks(&program) & ~trial.violated);
        bool wrong = interleavings_search(memory, &program);
        tally->wrong += wrong;
        tally->warned += trial.violated != 0;
        if (wrong && !(by_engine && trial.forgot)) {
            print_program(&program, trial.violated);
            print_path(memory);
            fail_msg("trace %u: a block that is not atomic was not reported", tally->traces);
        }
        if (trial.violated) {
            interleavings_split(&program, programs_blocks(&program));
            bool cycle = interleavings_search(memory, &program);
            tally->unserializable += cycle;
            tally->serializable_and_warned += !cycle;
        }
    }
    engine_free(engine);
    free(memory);
}

static void test_all_refinements(void **state)
{
    struct tally tally;
    (void)state;
    check(TRACES, 1, MOVER_ALL_REFINEMENTS, false, &tally);
    print_message("%u traces: %u warned about, %u of them without an interleaving that is wrong\n",
                  tally.traces, tally.warned, tally.serializable_and_warned);
    /* It does not find everything wrong, nor everything right. */
    assert_true(tally.warned > tally.traces / 20 && tally.warned < tally.traces / 2);
    assert_true(tally.serializable_and_warned < tally.warned / 2);
}

static void test_each_refinement_off(void **state)
{
    struct tally all;
    (void)state;
    check(2000, 2, MOVER_ALL_REFINEMENTS, false, &all);
    for (unsigned i = 0; i < MOVER_REFINEMENTS; i++) {
        struct tally tally;
        check(2000, 2, MOVER_ALL_REFINEMENTS & ~(1u << i), false, &tally);
        assert_true(tally.warned >= all.warned);
    }
}

/* What the race engine says of variables in the end is not enough: it forgets a first owner that is
   before the second by locks alone, and reads before the first write. Nothing else is missed. */
static void test_facts_of_the_race_engine(void **state)
{
    struct tally tally;
    (void)state;
    check(5000, 3, MOVER_ALL_REFINEMENTS, true, &tally);
    print_message("%u of %u traces missed with the facts of the race engine\n", tally.wrong,
                  tally.traces);
    assert_true(tally.wrong > 0 && tally.wrong < tally.traces / 20);
}

/*
 * While the program runs.
 */

struct online {
    uint32_t violated;
    uint64_t taken_back;
    unsigned skipped;
};

static void tell(struct world *world, const struct interleavings_program *program,
                 struct interleavings_step step)
{
    const struct interleavings_operation *operation = interleavings_at(program, step);
    unsigned thread = step.thread, object = operation->object, location = step.index + 1;
    switch (operation->kind) {
    case INTERLEAVINGS_READ:
    case INTERLEAVINGS_WRITE:
        world_access(world, thread, object, operation->kind == INTERLEAVINGS_WRITE, location);
        break;
    case INTERLEAVINGS_ACQUIRE:
        world_acquire(world, thread, object, location);
        break;
    case INTERLEAVINGS_RELEASE:
        world_release_lock(world, thread, object, location);
        break;
    case INTERLEAVINGS_FORK:
        world_start(world, thread, object, location);
        break;
    case INTERLEAVINGS_JOIN:
        world_end(world, object);
        world_join(world, thread, object, location);
        break;
    case INTERLEAVINGS_BEGIN:
        world_enter(world, thread, object, location);
        break;
    case INTERLEAVINGS_END:
        world_exit(world, thread);
        break;
    }
}

static struct online run_online(struct engine *engine, const struct interleavings_program *program,
                                const struct programs_run *run, bool skips, uint32_t log)
{
    static struct world world;
    struct reduction_options options;
    struct mover_options movers;
    struct reduction_counts counts;
    struct online online = {0};
    reduction_options_default(&options);
    options.threads = INTERLEAVINGS_THREADS;
    options.posts = 16;
    options.log = log;
    mover_options_default(&movers);
    movers.locks = 1;
    world_init_with(&world, engine, &options, &movers, 1);
    world.skips = skips;
    for (unsigned i = 0; i < run->count; i++)
        tell(&world, program, run->steps[i]);
    reduction_counts(world.reduction, &counts);
    for (unsigned i = 0; i < world.count; i++)
        online.violated |= 1u << world.violations[i].block;
    online.taken_back = counts.taken_back;
    online.skipped = world.skipped;
    world_close(&world);
    return online;
}

/* Accesses that need not be told: the blocks that are reported are the same without them, unless
   something was taken back; then there may be fewer, but no others. */
static void test_skipping(void **state)
{
    struct engine *engine = NULL;
    struct engine_options options;
    unsigned skipped = 0, warned = 0, taken_back = 0, fewer = 0;
    uint64_t seed = 4;
    (void)state;
    engine_options_default(&options);
    options.dead_threads = 8;
    options.variables = 1 << 14;
    for (unsigned i = 0; i < 20000; i++) {
        struct interleavings_program program;
        struct programs_run run;
        if (i % TRACES_PER_ENGINE == 0) {
            engine_free(engine);
            engine = engine_new(&options);
            assert_non_null(engine);
        }
        programs_make(&seed, &program);
        if (!programs_run(&seed, &program, &run))
            continue;
        struct online all = run_online(engine, &program, &run, false, 64);
        struct online some = run_online(engine, &program, &run, true, 64);
        if ((some.violated & ~all.violated) || (!all.taken_back && some.violated != all.violated)) {
            print_program(&program, all.violated);
            fail_msg("trace %u: %x with skipping", i, some.violated);
        }
        skipped += some.skipped > 0;
        warned += all.violated != 0;
        taken_back += all.taken_back != 0;
        fewer += some.violated != all.violated;
    }
    engine_free(engine);
    print_message("%u traces warned about, %u with skipped accesses, %u with some taken back, "
                  "%u with fewer warnings\n",
                  warned, skipped, taken_back, fewer);
    assert_true(skipped > 500 && warned > 500 && taken_back > 500);
}

/* Some block that is not reported is not atomic. */
static bool is_missed(struct interleavings_memory *memory, struct interleavings_program *program,
                      uint32_t reported)
{
    interleavings_split(program, programs_blocks(program) & ~reported);
    return interleavings_search(memory, program);
}

/* In one pass, what is known when an operation happens need not be what is true in the end. Taking
   back makes up for that as long as the block is open, and hardly ever without a reason. */
static void test_taking_back(void **state)
{
    struct interleavings_memory *memory = calloc(1, sizeof *memory);
    struct engine_options options;
    unsigned missed = 0, missed_without = 0, more = 0, right = 0;
    uint64_t seed = 6;
    (void)state;
    assert_non_null(memory);
    engine_options_default(&options);
    options.dead_threads = 8;
    options.variables = 1 << 14;
    struct engine *engine = engine_new(&options);
    assert_non_null(engine);
    for (unsigned i = 0; i < 5000; i++) {
        struct interleavings_program program;
        struct programs_run run;
        programs_make(&seed, &program);
        if (!programs_run(&seed, &program, &run))
            continue;
        struct online with = run_online(engine, &program, &run, false, 64);
        struct online without = run_online(engine, &program, &run, false, 0);
        assert_int_equal(without.violated & ~with.violated, 0);
        missed += is_missed(memory, &program, with.violated);
        missed_without += is_missed(memory, &program, without.violated);
        if (with.violated == without.violated)
            continue;
        more++;
        right += is_missed(memory, &program, without.violated);
    }
    engine_free(engine);
    free(memory);
    print_message("%u traces missed in one pass, %u without taking back; %u with more warnings, %u "
                  "of them right\n",
                  missed, missed_without, more, right);
    assert_true(missed < missed_without && more > 100 && right > more * 3 / 4);
}

/*
 * The reference itself.
 */

struct verdicts {
    bool conflict, view; /* all interleavings are serializable */
};

static bool judge_order(void *context, const struct interleavings_program *program,
                        const struct interleavings_order *order)
{
    struct verdicts *verdicts = context;
    bool conflict = interleavings_is_conflict_serializable(program, order);
    bool view = interleavings_is_view_serializable(program, order);
    verdicts->conflict &= conflict;
    verdicts->view &= view;
    if (conflict && !view)
        fail_msg("a serial order with the same conflicts has the same views");
    return true;
}

/* The search finds what is found by trying all interleavings. A deadlock is the end of an
   interleaving for the search alone, so there are no such programs here. */
static void test_search(void **state)
{
    struct interleavings_memory *memory = calloc(1, sizeof *memory);
    uint64_t seed = 5;
    unsigned cycles = 0, views = 0;
    (void)state;
    assert_non_null(memory);
    for (unsigned i = 0; i < 400; i++) {
        struct interleavings_program program;
        programs_make(&seed, &program);
        for (unsigned t = 0; t < program.threads; t++)
            for (unsigned k = 0; k < program.thread[t].count; k++)
                if (program.thread[t].operations[k].kind == INTERLEAVINGS_ACQUIRE ||
                    program.thread[t].operations[k].kind == INTERLEAVINGS_RELEASE)
                    program.thread[t].operations[k].kind = INTERLEAVINGS_WRITE;
        interleavings_split(&program, programs_blocks(&program));
        struct verdicts verdicts = {true, true};
        interleavings_each(&program, judge_order, &verdicts);
        assert_int_equal(interleavings_search(memory, &program), !verdicts.conflict);
        cycles += !verdicts.conflict;
        views += verdicts.view && !verdicts.conflict;
    }
    assert_true(cycles > 50 && cycles < 350);
    assert_true(views > 0); /* blind writes */
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_refinements),
        cmocka_unit_test(test_each_refinement_off),
        cmocka_unit_test(test_facts_of_the_race_engine),
        cmocka_unit_test(test_skipping),
        cmocka_unit_test(test_taking_back),
        cmocka_unit_test(test_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
