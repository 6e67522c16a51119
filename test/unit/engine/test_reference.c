/*
 * The engine against the definitions, on random small traces.
 *
 * The reference knows no clocks, segments, words or histories. It has the whole trace, the graph of
 * its happens-before edges with and without those of locks, closed under transitivity, and the
 * locks held at each access, and it looks at all pairs of accesses.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <string.h>

#include "engine/engine.h"
#include "support.h"
#include "trace_events.h"

#define EVENTS_MAX 20u
#define THREADS_MAX 4u
#define LOCKS_MAX 3u
#define SYNCS_MAX 2u
#define VARIABLES_MAX 3u
#define TRACES_PER_ENGINE 2000u
#define ALL_LOCKS UINT32_MAX

struct trace {
    unsigned threads, locks, syncs, variables;
    unsigned count;
    struct event events[EVENTS_MAX];
};

/* What a schedule has to respect. */
struct schedule {
    bool started[THREADS_MAX], ended[THREADS_MAX];
    int waiting[THREADS_MAX]; /* lock + 1 */
    unsigned waiting_times[THREADS_MAX];
    unsigned exclusive[THREADS_MAX][LOCKS_MAX];
    unsigned shared[THREADS_MAX][LOCKS_MAX];
};

static bool others_hold(const struct schedule *schedule, unsigned thread, unsigned lock,
                        bool exclusively)
{
    for (unsigned other = 0; other < THREADS_MAX; other++)
        if (other != thread &&
            (schedule->exclusive[other][lock] || (!exclusively && schedule->shared[other][lock])))
            return true;
    return false;
}

static bool holds_anything(const struct schedule *schedule, unsigned thread)
{
    for (unsigned lock = 0; lock < LOCKS_MAX; lock++)
        if (schedule->exclusive[thread][lock] || schedule->shared[thread][lock])
            return true;
    return false;
}

static bool is_lock_event_possible(const struct schedule *schedule, const struct event *event)
{
    unsigned exclusive = schedule->exclusive[event->thread][event->object];
    unsigned shared = schedule->shared[event->thread][event->object];
    switch (event->kind) {
    case EVENT_ACQUIRE: /* also by the only reader, as some locks can */
        return !others_hold(schedule, event->thread, event->object, false);
    case EVENT_ACQUIRE_SHARED:
        return !others_hold(schedule, event->thread, event->object, true);
    case EVENT_RELEASE:
        return exclusive;
    case EVENT_RELEASE_SHARED:
        return shared;
    case EVENT_WAIT_BEGIN:
        return exclusive && !shared;
    default:
        return false;
    }
}

static bool is_possible(const struct schedule *schedule, const struct event *event)
{
    unsigned thread = event->thread;
    if (!schedule->started[thread] || schedule->ended[thread])
        return false;
    if (schedule->waiting[thread])
        return event->kind == EVENT_WAIT_END &&
               (int)event->object + 1 == schedule->waiting[thread] &&
               !others_hold(schedule, thread, event->object, false);
    switch (event->kind) {
    case EVENT_READ:
    case EVENT_WRITE:
    case EVENT_SYNC_RELEASE:
    case EVENT_SYNC_ACQUIRE:
        return true;
    case EVENT_START:
        return !schedule->started[event->object];
    case EVENT_END:
        return event->object == thread && thread && !holds_anything(schedule, thread);
    case EVENT_JOIN:
        return event->object != thread && schedule->ended[event->object];
    default:
        return is_lock_event_possible(schedule, event);
    }
}

static void perform(struct schedule *schedule, const struct event *event)
{
    unsigned thread = event->thread, object = event->object;
    switch (event->kind) {
    case EVENT_ACQUIRE:
        schedule->exclusive[thread][object]++;
        break;
    case EVENT_ACQUIRE_SHARED:
        schedule->shared[thread][object]++;
        break;
    case EVENT_RELEASE:
        schedule->exclusive[thread][object]--;
        break;
    case EVENT_RELEASE_SHARED:
        schedule->shared[thread][object]--;
        break;
    case EVENT_WAIT_BEGIN:
        schedule->waiting[thread] = (int)object + 1;
        schedule->waiting_times[thread] = schedule->exclusive[thread][object];
        schedule->exclusive[thread][object] = 0;
        break;
    case EVENT_WAIT_END:
        schedule->waiting[thread] = 0;
        schedule->exclusive[thread][object] = schedule->waiting_times[thread];
        break;
    case EVENT_START:
        schedule->started[object] = true;
        break;
    case EVENT_END:
        schedule->ended[thread] = true;
        break;
    default:
        break;
    }
}

static unsigned below(uint64_t *random, unsigned limit)
{
    return (unsigned)(support_random(random) % limit);
}

static struct event choose(uint64_t *random, const struct trace *trace)
{
    /* Accesses are a third, and there must be releases for acquires. */
    static const enum event_kind kinds[] = {
        EVENT_READ,           EVENT_READ,     EVENT_READ,         EVENT_WRITE,
        EVENT_WRITE,          EVENT_WRITE,    EVENT_ACQUIRE,      EVENT_ACQUIRE,
        EVENT_ACQUIRE_SHARED, EVENT_RELEASE,  EVENT_RELEASE,      EVENT_RELEASE_SHARED,
        EVENT_WAIT_BEGIN,     EVENT_WAIT_END, EVENT_SYNC_RELEASE, EVENT_SYNC_ACQUIRE,
        EVENT_START,          EVENT_START,    EVENT_END,          EVENT_JOIN,
    };
    struct event event = {.kind = kinds[below(random, sizeof kinds / sizeof kinds[0])],
                          .thread = below(random, trace->threads)};
    switch (event.kind) {
    case EVENT_READ:
    case EVENT_WRITE:
        event.object = below(random, trace->variables);
        break;
    case EVENT_SYNC_RELEASE:
    case EVENT_SYNC_ACQUIRE:
        event.object = below(random, trace->syncs);
        break;
    case EVENT_START:
    case EVENT_JOIN:
        event.object = below(random, trace->threads);
        break;
    case EVENT_END:
        event.object = event.thread;
        break;
    default:
        event.object = below(random, trace->locks);
        break;
    }
    return event;
}

static void make_trace(uint64_t *random, struct trace *trace)
{
    struct schedule schedule = {.started = {true}};
    trace->threads = 2 + below(random, THREADS_MAX - 1);
    trace->locks = 1 + below(random, LOCKS_MAX);
    trace->syncs = 1 + below(random, SYNCS_MAX);
    trace->variables = 1 + below(random, VARIABLES_MAX);
    trace->count = 0;
    unsigned length = 6 + below(random, EVENTS_MAX - 5);
    for (unsigned attempt = 0; trace->count < length && attempt < 400; attempt++) {
        struct event event = choose(random, trace);
        if (!is_possible(&schedule, &event))
            continue;
        perform(&schedule, &event);
        trace->events[trace->count++] = event;
    }
}

/* The reference's view: bit i of before[k] means that event i is ordered before event k. */
struct reference {
    const struct trace *trace;
    uint32_t full[EVENTS_MAX];
    uint32_t ordered[EVENTS_MAX];
    uint32_t locks[EVENTS_MAX]; /* of an access: those that count for it */
};

static bool is_access(const struct event *event)
{
    return event->kind == EVENT_READ || event->kind == EVENT_WRITE;
}

/* Which lock releases and acquires are the outermost ones: filled while the trace is walked. */
struct outermost {
    bool exclusive_release, shared_release, exclusive_acquire, shared_acquire;
};

static struct outermost classify(const struct schedule *before, const struct event *event)
{
    unsigned exclusive = 0, shared = 0;
    if (event->kind >= EVENT_ACQUIRE && event->kind <= EVENT_WAIT_END) {
        exclusive = before->exclusive[event->thread][event->object];
        shared = before->shared[event->thread][event->object];
    }
    return (struct outermost){
        .exclusive_release =
            (event->kind == EVENT_RELEASE && exclusive == 1) || event->kind == EVENT_WAIT_BEGIN,
        .shared_release = event->kind == EVENT_RELEASE_SHARED && shared == 1,
        .exclusive_acquire =
            (event->kind == EVENT_ACQUIRE && !exclusive) || event->kind == EVENT_WAIT_END,
        .shared_acquire = event->kind == EVENT_ACQUIRE_SHARED && !shared && !exclusive,
    };
}

static void close_transitively(uint32_t *before, unsigned count)
{
    for (unsigned middle = 0; middle < count; middle++)
        for (unsigned later = 0; later < count; later++)
            if (before[later] >> middle & 1)
                before[later] |= before[middle];
}

/* Is there an edge that is not one of locks? */
static bool has_ordered_edge(const struct event *earlier, const struct event *later)
{
    return earlier->thread == later->thread ||
           (earlier->kind == EVENT_START && earlier->object == later->thread) ||
           (earlier->kind == EVENT_END && later->kind == EVENT_JOIN &&
            earlier->thread == later->object) ||
           (earlier->kind == EVENT_SYNC_RELEASE && later->kind == EVENT_SYNC_ACQUIRE &&
            earlier->object == later->object);
}

static void build_reference(struct reference *reference, const struct trace *trace)
{
    struct schedule schedule = {.started = {true}};
    struct outermost outermost[EVENTS_MAX];
    memset(reference, 0, sizeof *reference);
    reference->trace = trace;
    for (unsigned k = 0; k < trace->count; k++) {
        const struct event *later = &trace->events[k];
        outermost[k] = classify(&schedule, later);
        perform(&schedule, later);
        for (unsigned lock = 0; is_access(later) && lock < LOCKS_MAX; lock++)
            if (schedule.exclusive[later->thread][lock] ||
                (later->kind == EVENT_READ && schedule.shared[later->thread][lock]))
                reference->locks[k] |= 1u << lock;
        for (unsigned i = 0; i < k; i++) {
            const struct event *earlier = &trace->events[i];
            if (has_ordered_edge(earlier, later))
                reference->ordered[k] |= 1u << i;
            bool acquires = outermost[k].exclusive_acquire || outermost[k].shared_acquire;
            bool same_lock = earlier->object == later->object;
            if ((outermost[i].exclusive_release && acquires && same_lock) ||
                (outermost[i].shared_release && outermost[k].exclusive_acquire && same_lock))
                reference->full[k] |= 1u << i;
        }
        reference->full[k] |= reference->ordered[k];
    }
    close_transitively(reference->full, trace->count);
    close_transitively(reference->ordered, trace->count);
}

static bool is_of(const struct reference *reference, unsigned event, unsigned variable)
{
    return is_access(&reference->trace->events[event]) &&
           reference->trace->events[event].object == variable;
}

static unsigned thread_of(const struct reference *reference, unsigned event)
{
    return reference->trace->events[event].thread;
}

static bool is_write(const struct reference *reference, unsigned event)
{
    return reference->trace->events[event].kind == EVENT_WRITE;
}

static enum race_grade grade_of(const struct reference *reference, unsigned earlier, unsigned later,
                                const struct engine_options *options)
{
    if (thread_of(reference, earlier) == thread_of(reference, later) ||
        (!is_write(reference, earlier) && !is_write(reference, later)))
        return RACE_NONE;
    if (!(reference->full[later] >> earlier & 1))
        return RACE_OBSERVED;
    if (options->mode == ENGINE_ORDER || (reference->locks[earlier] & reference->locks[later]))
        return RACE_NONE;
    if (!(reference->ordered[later] >> earlier & 1))
        return RACE_PREDICTED;
    return options->discipline ? RACE_DISCIPLINE : RACE_NONE;
}

/* How a variable came to be shared. */
struct sharing {
    unsigned begin;   /* the second thread's first access; the trace's length: none */
    uint32_t counted; /* accesses before it that still count: none after hand-over, else the owner's
                         last access and last write */
    bool handed_over;
};

static struct sharing find_sharing(const struct reference *reference, unsigned variable,
                                   const struct engine_options *options)
{
    struct sharing sharing = {.begin = reference->trace->count};
    int last = -1, last_write = -1;
    for (unsigned i = 0; i < reference->trace->count; i++) {
        if (!is_of(reference, i, variable))
            continue;
        if (last >= 0 && thread_of(reference, i) != thread_of(reference, (unsigned)last)) {
            sharing.begin = i;
            break;
        }
        last = (int)i;
        if (is_write(reference, i))
            last_write = (int)i;
    }
    if (sharing.begin == reference->trace->count)
        return sharing;
    sharing.handed_over = !options->object_rule && (options->mode == ENGINE_LOCKSET ||
                                                    (reference->full[sharing.begin] >> last & 1));
    if (!sharing.handed_over)
        sharing.counted = 1u << last | (last_write >= 0 ? 1u << last_write : 0);
    return sharing;
}

struct states {
    enum variable_state state;
    uint32_t access_set;
    uint32_t write_set;
};

static void restrict_by(const struct reference *reference, unsigned event, struct states *states)
{
    states->access_set &= reference->locks[event];
    if (is_write(reference, event))
        states->write_set &= reference->locks[event];
}

/* From where the Atomizer counts accesses as those of a shared variable. */
static unsigned find_shared_from(const struct reference *reference, unsigned variable,
                                 const struct sharing *sharing, unsigned event)
{
    if (!sharing->handed_over)
        return sharing->begin;
    for (unsigned i = sharing->begin; i <= event; i++)
        if (is_of(reference, i, variable) &&
            thread_of(reference, i) != thread_of(reference, sharing->begin))
            return i;
    return EVENTS_MAX;
}

/* The Atomizer's state of the variable after the event. */
static struct states find_states(const struct reference *reference, unsigned variable,
                                 const struct sharing *sharing,
                                 const struct engine_options *options, unsigned event)
{
    struct states states = {VARIABLE_THREAD_LOCAL, ALL_LOCKS, ALL_LOCKS};
    if (event < sharing->begin)
        return states;
    states.state = VARIABLE_THREAD_LOCAL_2;
    unsigned from = find_shared_from(reference, variable, sharing, event);
    if (from == EVENTS_MAX)
        return states;
    states.state = VARIABLE_READ_SHARED;
    unsigned modified_from = EVENTS_MAX;
    uint32_t concurrent =
        options->object_rule ? 0 : sharing->counted & ~reference->full[sharing->begin];
    for (unsigned i = 0; i < sharing->begin; i++)
        if ((concurrent >> i & 1) && is_write(reference, i))
            modified_from = sharing->begin;
    for (unsigned i = from; i <= event && modified_from == EVENTS_MAX; i++)
        if (is_of(reference, i, variable) && is_write(reference, i))
            modified_from = i;
    if (modified_from == EVENTS_MAX)
        return states;
    states.state = VARIABLE_SHARED_MODIFIED;
    for (unsigned i = 0; i < sharing->begin && modified_from == sharing->begin; i++)
        if (concurrent >> i & 1)
            restrict_by(reference, i, &states);
    for (unsigned i = options->object_rule ? from : modified_from; i <= event; i++)
        if (is_of(reference, i, variable))
            restrict_by(reference, i, &states);
    return states;
}

/* The strongest race of the access with any that counts. */
static enum race_grade find_strongest(const struct reference *reference, unsigned event,
                                      const struct sharing *sharing,
                                      const struct engine_options *options)
{
    unsigned variable = reference->trace->events[event].object;
    enum race_grade strongest = RACE_NONE;
    for (unsigned i = 0; i < event && event >= sharing->begin; i++) {
        if (!is_of(reference, i, variable) || (i < sharing->begin && !(sharing->counted >> i & 1)))
            continue;
        enum race_grade grade = grade_of(reference, i, event, options);
        if (grade > strongest)
            strongest = grade;
    }
    return strongest;
}

/* What the engine said about the present event. */
struct run {
    const struct reference *reference;
    const struct engine_options *options;
    unsigned event;
    enum race_grade strongest;
    unsigned unknown_places;
    bool wrong;
};

static void note_race(void *context, const struct race *race)
{
    struct run *run = *(struct run **)context;
    if (race->grade > run->strongest)
        run->strongest = race->grade;
    run->wrong |= race->later.location != run->event + 1;
    run->wrong |= race->later.thread != thread_of(run->reference, run->event) + 1;
    run->wrong |= race->field != run->reference->trace->events[run->event].object;
    /* Locations are event numbers + 1: the pair itself must be what it is said to be. With locksets
       alone it is only an example. */
    if (run->options->mode == ENGINE_LOCKSET)
        return;
    if (!race->earlier.location) { /* places of the first phase are kept in a lossy cache */
        run->unknown_places++;
        return;
    }
    unsigned earlier = race->earlier.location - 1;
    run->wrong |= race->earlier.thread != thread_of(run->reference, earlier) + 1;
    run->wrong |= grade_of(run->reference, earlier, run->event, run->options) != race->grade;
}

/* The locks of a set as bits. */
static uint32_t bits_of(struct engine *engine, uint32_t set)
{
    uint32_t locks[LOCKSET_MEMBERS_MAX], bits = 0;
    if (set == LOCKSET_ALL)
        return ALL_LOCKS;
    for (uint32_t i = lockset_copy(engine_locksets(engine), set, locks); i-- > 0;)
        bits |= 1u << locks[i];
    return bits;
}

static void print_trace(const struct trace *trace, unsigned at, const char *what)
{
    print_error("%s at event %u of\n", what, at);
    events_print(trace->events, trace->count);
}

struct player {
    struct engine *engine;
    struct event_thread threads[THREADS_MAX];
    uint64_t words[VARIABLES_MAX];
};

static const char *check_facts(struct player *player, const struct run *run,
                               const struct engine_facts *facts, const struct states *states)
{
    (void)run;
    if (facts->state != states->state)
        return "wrong state";
    if (bits_of(player->engine, facts->access_set) != states->access_set)
        return "wrong access-protecting locks";
    if (bits_of(player->engine, facts->write_set) != states->write_set)
        return "wrong write-protecting locks";
    return NULL;
}

/* Plays an access; a text says what is wrong. `reported` is the strongest grade at the variable
 * yet. */
static const char *play_access(struct player *player, struct run *run, bool split,
                               enum race_grade *reported)
{
    const struct reference *reference = run->reference;
    const struct event *event = &reference->trace->events[run->event];
    struct thread *thread = player->threads[event->thread].thread;
    struct engine_access access = {
        .field = event->object, .location = run->event + 1, .write = event->kind == EVENT_WRITE};
    struct sharing sharing = find_sharing(reference, event->object, run->options);
    struct states states =
        find_states(reference, event->object, &sharing, run->options, run->event);
    enum race_grade expected = find_strongest(reference, run->event, &sharing, run->options);
    if (run->options->mode == ENGINE_LOCKSET)
        expected = states.state == VARIABLE_SHARED_MODIFIED && !states.access_set ? RACE_PREDICTED
                                                                                  : RACE_NONE;
    if (split)
        thread_new_segment(thread, false);
    uint64_t *word = &player->words[event->object];
    bool skipped = engine_is_repeated(thread, *word, access.write);
    struct engine_facts facts;
    run->strongest = RACE_NONE;
    *word = engine_access(player->engine, thread, &access, *word, &facts);
    if (run->wrong)
        return "wrong report";
    if (skipped ? run->strongest != RACE_NONE || expected > *reported : run->strongest != expected)
        return "wrong grade";
    if (expected > *reported)
        *reported = expected;
    return check_facts(player, run, &facts, &states);
}

static bool play(struct engine *engine, struct run *run, bool split)
{
    const struct trace *trace = run->reference->trace;
    struct player player = {.engine = engine};
    enum race_grade reported[VARIABLES_MAX] = {RACE_NONE};
    const char *wrong = NULL;
    event_start_thread(engine, player.threads, 0, NULL);
    for (unsigned i = 0; i < trace->count && !wrong; i++) {
        run->event = i;
        if (is_access(&trace->events[i]))
            wrong = play_access(&player, run, split, &reported[trace->events[i].object]);
        else
            event_tell(engine, player.threads, &trace->events[i]);
    }
    if (wrong)
        print_trace(trace, run->event, wrong);
    for (unsigned thread = 0; thread < THREADS_MAX; thread++)
        engine_thread_end(engine, player.threads[thread].thread);
    /* Locks may be held at the end of a trace; the threads are gone then, and so are the locks. */
    return !wrong;
}

static void check_traces(unsigned traces, enum engine_mode mode, bool discipline, bool object_rule,
                         bool split, uint64_t seed)
{
    struct run *current = NULL;
    struct engine_options options;
    engine_options_default(&options);
    options.mode = mode;
    options.discipline = discipline;
    options.object_rule = object_rule;
    options.dead_threads = 8;
    options.history = HISTORY_MAX;
    options.report = note_race;
    options.context = &current;
    struct engine *engine = NULL;
    unsigned races[RACE_OBSERVED + 1] = {0}, unknown_places = 0;
    for (unsigned i = 0; i < traces; i++) {
        if (i % TRACES_PER_ENGINE == 0) {
            engine_free(engine);
            engine = engine_new(&options);
            assert_non_null(engine);
        }
        struct trace trace;
        struct reference reference;
        make_trace(&seed, &trace);
        build_reference(&reference, &trace);
        struct run run = {.reference = &reference, .options = &options};
        current = &run;
        if (!play(engine, &run, split))
            fail_msg("trace %u", i);
        unknown_places += run.unknown_places;
        struct engine_counts counts;
        engine_counts(engine, &counts);
        assert_int_equal(counts.dropped, 0);
        for (unsigned grade = 0; grade <= RACE_OBSERVED; grade++)
            races[grade] += counts.races[grade] != 0;
    }
    /* The traces are worth something: they show the grades that the mode can give. */
    assert_true(mode == ENGINE_LOCKSET || races[RACE_OBSERVED] > 0);
    assert_true(mode == ENGINE_ORDER || races[RACE_PREDICTED] > 0);
    assert_true((races[RACE_DISCIPLINE] > 0) == discipline);
    assert_true(unknown_places <= traces / 1000);
    engine_free(engine);
}

static void test_hybrid(void **state)
{
    (void)state;
    check_traces(100000, ENGINE_HYBRID, false, false, false, 1);
}

static void test_hybrid_without_skipping(void **state)
{
    (void)state;
    check_traces(20000, ENGINE_HYBRID, false, false, true, 2);
}

static void test_discipline(void **state)
{
    (void)state;
    check_traces(20000, ENGINE_HYBRID, true, false, false, 3);
}

static void test_order(void **state)
{
    (void)state;
    check_traces(20000, ENGINE_ORDER, false, false, false, 4);
}

static void test_lockset(void **state)
{
    (void)state;
    check_traces(20000, ENGINE_LOCKSET, false, false, false, 5);
}

static void test_lockset_object_rule(void **state)
{
    (void)state;
    check_traces(20000, ENGINE_LOCKSET, false, true, false, 6);
}

static void test_hybrid_object_rule(void **state)
{
    (void)state;
    check_traces(20000, ENGINE_HYBRID, true, true, false, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hybrid),
        cmocka_unit_test(test_hybrid_without_skipping),
        cmocka_unit_test(test_discipline),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_lockset),
        cmocka_unit_test(test_lockset_object_rule),
        cmocka_unit_test(test_hybrid_object_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
