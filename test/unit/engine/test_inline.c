/*
 * What a caller may leave out (engine/inline.h), against an engine that is told everything.
 *
 * Random small traces run through two engines. The driver of the second one leaves out the accesses
 * that it may, and replaces words as it may. It must not report a race of a variable that has none
 * in the first, and, where no thread ever holds two locks, no variable may lose all its races, nor
 * an access that was told: variable.h says why.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <string.h>

#include "engine/engine_internal.h"
#include "engine/inline.h"
#include "support.h"

#define EVENTS_MAX 32u
#define THREADS_MAX 4u
#define LOCKS_MAX 2u
#define SYNCS_MAX 2u
#define VARIABLES_MAX 2u

enum event_kind {
    EVENT_READ,
    EVENT_WRITE,
    EVENT_ACQUIRE,
    EVENT_ACQUIRE_SHARED,
    EVENT_RELEASE,
    EVENT_RELEASE_SHARED,
    EVENT_SYNC_RELEASE,
    EVENT_SYNC_ACQUIRE,
    EVENT_START,
    EVENT_END,
    EVENT_JOIN,
    EVENT_KINDS,
};

struct event {
    enum event_kind kind;
    unsigned thread;
    unsigned object; /* variable, lock, synchronization object or thread */
};

struct trace {
    bool one_lock; /* nobody holds two locks at once */
    bool spread;   /* the slots of the threads have the same place in `seen` */
    unsigned count;
    struct event events[EVENTS_MAX];
};

/* ---- what a schedule has to respect ---- */

struct schedule {
    bool started[THREADS_MAX], ended[THREADS_MAX];
    unsigned exclusive[THREADS_MAX][LOCKS_MAX];
    unsigned shared[THREADS_MAX][LOCKS_MAX];
};

static bool holds(const struct schedule *schedule, unsigned thread, unsigned lock)
{
    return schedule->exclusive[thread][lock] || schedule->shared[thread][lock];
}

static bool holds_other(const struct schedule *schedule, unsigned thread, unsigned but)
{
    for (unsigned lock = 0; lock < LOCKS_MAX; lock++)
        if (lock != but && holds(schedule, thread, lock))
            return true;
    return false;
}

static bool may_acquire(const struct schedule *schedule, const struct event *event, bool one_lock)
{
    for (unsigned other = 0; other < THREADS_MAX; other++)
        if (other != event->thread &&
            (event->kind == EVENT_ACQUIRE ? holds(schedule, other, event->object)
                                          : schedule->exclusive[other][event->object] != 0))
            return false;
    return !one_lock || !holds_other(schedule, event->thread, event->object);
}

static bool is_possible(const struct schedule *schedule, const struct event *event, bool one_lock)
{
    unsigned thread = event->thread;
    if (!schedule->started[thread] || schedule->ended[thread])
        return false;
    switch (event->kind) {
    case EVENT_ACQUIRE:
    case EVENT_ACQUIRE_SHARED:
        return may_acquire(schedule, event, one_lock);
    case EVENT_RELEASE:
        return schedule->exclusive[thread][event->object];
    case EVENT_RELEASE_SHARED:
        return schedule->shared[thread][event->object];
    case EVENT_START:
        return !schedule->started[event->object];
    case EVENT_END:
        return thread && !holds_other(schedule, thread, LOCKS_MAX);
    case EVENT_JOIN:
        return schedule->ended[event->object];
    default:
        return true;
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

/* ---- traces ---- */

static unsigned below(uint64_t *random, unsigned limit)
{
    return (unsigned)(support_random(random) % limit);
}

static struct event choose(uint64_t *random, unsigned threads)
{
    /* Mostly accesses and locks: a variable must be shared before anything can be left out. */
    static const enum event_kind kinds[] = {
        EVENT_READ,         EVENT_READ,         EVENT_READ,
        EVENT_WRITE,        EVENT_WRITE,        EVENT_WRITE,
        EVENT_ACQUIRE,      EVENT_ACQUIRE,      EVENT_ACQUIRE_SHARED,
        EVENT_RELEASE,      EVENT_RELEASE,      EVENT_RELEASE_SHARED,
        EVENT_SYNC_RELEASE, EVENT_SYNC_ACQUIRE, EVENT_START,
        EVENT_START,        EVENT_END,          EVENT_JOIN,
    };
    static const unsigned objects[EVENT_KINDS] = {
        VARIABLES_MAX, VARIABLES_MAX, LOCKS_MAX,   LOCKS_MAX, LOCKS_MAX,   LOCKS_MAX,
        SYNCS_MAX,     SYNCS_MAX,     THREADS_MAX, 1,         THREADS_MAX,
    };
    struct event event = {.kind = kinds[below(random, sizeof kinds / sizeof kinds[0])],
                          .thread = below(random, threads)};
    event.object = below(random, objects[event.kind]);
    return event;
}

static bool append(struct trace *trace, struct schedule *schedule, struct event event)
{
    if (trace->count == EVENTS_MAX || !is_possible(schedule, &event, trace->one_lock))
        return false;
    perform(schedule, &event);
    trace->events[trace->count++] = event;
    return true;
}

/* Most programs access most variables with their locks. */
static void append_block(uint64_t *random, struct trace *trace, struct schedule *schedule,
                         struct event event)
{
    const unsigned lock = event.object % LOCKS_MAX;
    const bool shared = event.kind == EVENT_READ && below(random, 4) == 0;
    struct event enter = {shared ? EVENT_ACQUIRE_SHARED : EVENT_ACQUIRE, event.thread, lock};
    struct event leave = {shared ? EVENT_RELEASE_SHARED : EVENT_RELEASE, event.thread, lock};
    if (!append(trace, schedule, enter))
        return;
    append(trace, schedule, event);
    if (below(random, 8))
        append(trace, schedule, leave);
}

static void make_trace(uint64_t *random, struct trace *trace)
{
    struct schedule schedule = {.started = {true}};
    const bool usual = below(random, 2);
    unsigned threads = 2 + below(random, THREADS_MAX - 1);
    unsigned length = 8 + below(random, EVENTS_MAX - 7);
    trace->count = 0;
    trace->spread = below(random, 2);
    for (unsigned attempt = 0; trace->count < length && attempt < 400; attempt++) {
        struct event event = choose(random, threads);
        if (usual && event.kind <= EVENT_WRITE && below(random, 16))
            append_block(random, trace, &schedule, event);
        else
            append(trace, &schedule, event);
    }
}

static bool is_trace(const struct trace *trace)
{
    struct schedule schedule = {.started = {true}};
    for (unsigned i = 0; i < trace->count; i++) {
        if (!is_possible(&schedule, &trace->events[i], trace->one_lock))
            return false;
        perform(&schedule, &trace->events[i]);
    }
    return true;
}

static void print_trace(const struct trace *trace)
{
    static const char *const names[EVENT_KINDS] = {
        "read",           "write",        "acquire",      "acquire shared", "release",
        "release shared", "sync release", "sync acquire", "start",          "end",
        "join",
    };
    print_error("threads in %s places:\n", trace->spread ? "the same" : "different");
    for (unsigned i = 0; i < trace->count; i++)
        print_error("  %2u: thread %u %s %u\n", i, trace->events[i].thread,
                    names[trace->events[i].kind], trace->events[i].object);
}

/* ---- one engine and its driver ---- */

/* How often something was left out. */
struct left_out {
    unsigned owned, settled, busy, guarded, alone, reads;
};

struct driver {
    struct engine *engine;
    bool leaves_out;
    bool busy;        /* all code has run often */
    bool keeps_words; /* when something is left out the word stays */
    bool spread;
    struct thread *threads[THREADS_MAX];
    uint64_t births[THREADS_MAX];
    uint64_t words[VARIABLES_MAX];
    bool races[VARIABLES_MAX];
    unsigned event;
    uint64_t raced; /* by event: a race was reported */
    uint64_t told;  /* by event: it is an access that the engine was told */
    struct left_out left_out;
};

static void note_race(void *context, const struct race *race)
{
    struct driver *driver = context;
    driver->races[race->field] = true;
    driver->raced |= UINT64_C(1) << driver->event;
}

static void start_thread(struct driver *driver, unsigned number, struct thread *parent)
{
    for (unsigned i = 1; driver->spread && number && i < VARIABLE_SEEN; i++)
        engine_thread_end(driver->engine, engine_thread_start(driver->engine, NULL, 100));
    driver->threads[number] = engine_thread_start(driver->engine, parent, number + 1);
    assert_non_null(driver->threads[number]);
    driver->births[number] = engine_thread_birth(driver->threads[number]);
}

static void driver_start(struct driver *driver, bool leaves_out, bool spread)
{
    struct engine_options options;
    *driver = (struct driver){.leaves_out = leaves_out, .spread = spread};
    engine_options_default(&options);
    options.threads = options.dead_threads = 64;
    options.variables = 16;
    options.history = HISTORY_MAX;
    options.locksets = options.locks = options.syncs = options.sites = 64;
    options.report = note_race;
    options.context = driver;
    driver->engine = engine_new(&options);
    assert_non_null(driver->engine);
    start_thread(driver, 0, NULL);
}

static void driver_end(struct driver *driver)
{
    engine_free(driver->engine);
}

/* Lock numbers: 0 is none. */
static uint32_t lock_number(unsigned lock)
{
    return lock + 1;
}

static void synchronize(struct driver *driver, const struct event *event)
{
    struct engine *engine = driver->engine;
    struct thread *thread = driver->threads[event->thread];
    switch (event->kind) {
    case EVENT_ACQUIRE:
        engine_lock_acquire(engine, thread, lock_number(event->object), THREAD_EXCLUSIVE);
        break;
    case EVENT_ACQUIRE_SHARED:
        engine_lock_acquire(engine, thread, lock_number(event->object), THREAD_SHARED);
        break;
    case EVENT_RELEASE:
        engine_lock_release(engine, thread, lock_number(event->object), THREAD_EXCLUSIVE);
        break;
    case EVENT_RELEASE_SHARED:
        engine_lock_release(engine, thread, lock_number(event->object), THREAD_SHARED);
        break;
    case EVENT_SYNC_RELEASE:
        engine_sync_release(engine, thread, event->object);
        break;
    case EVENT_SYNC_ACQUIRE:
        engine_sync_acquire(engine, thread, event->object);
        break;
    case EVENT_START:
        start_thread(driver, event->object, thread);
        break;
    case EVENT_END:
        engine_thread_end(engine, thread);
        break;
    case EVENT_JOIN:
        engine_thread_join(engine, thread, driver->threads[event->object],
                           driver->births[event->object]);
        break;
    default:
        break;
    }
}

/* The owner's access: the word says when it was, and how long ago the last write. */
static bool own_alone(struct driver *driver, struct thread *thread, uint64_t *word, bool write)
{
    const uint64_t segment = thread_segment(thread);
    uint64_t distance = 0;
    if (word_is_shared(*word) || (*word && word_slot(*word) != thread->slot))
        return false;
    if (word_settled_covers(*word, thread_expected(thread), write)) {
        driver->left_out.settled++;
        return true;
    }
    if (driver->busy && word_busy_covers(*word, thread->slot, segment, write)) {
        driver->left_out.busy++;
        return true;
    }
    const uint64_t last = word_owned_segment(*word, segment);
    if (!write && *word && (word_is_written(*word) || word_distance(*word)))
        distance = segment - last + (word_is_written(*word) ? 0 : word_distance(*word));
    assert_true(distance < WORD_DISTANCE_MAX);
    thread_note_segment(thread);
    *word = word_of_owner(thread->slot, segment, write, (uint32_t)distance,
                          word_next_age(*word, last, segment));
    driver->left_out.owned++;
    return true;
}

static uint32_t exclusive_lock(const struct thread *thread, unsigned which)
{
    return which < thread->held_count && thread->held[which].exclusive ? thread->held[which].lock
                                                                       : 0;
}

/* The access of a shared variable that need not be told. */
static bool leave_out(struct driver *driver, struct thread *thread, uint64_t *word, bool write)
{
    uint32_t lock = 0;
    bool seen = engine_is_seen(driver->engine, thread, *word, 0, write);
    for (unsigned i = 0; !seen && i < LOCKS_MAX; i++) {
        lock = exclusive_lock(thread, i);
        seen = lock && engine_is_seen(driver->engine, thread, *word, lock, write);
    }
    if (!seen)
        return false;
    const bool wrote = engine_is_seen(driver->engine, thread, *word, lock, true);
    const uint32_t handle = word_handle(*word);
    if (!lock && !wrote) {
        driver->left_out.reads++;
        if (!driver->keeps_words)
            *word = word_of_record(5, false, handle); /* slot 0, and something of the caller's */
        return true;
    }
    if (lock)
        driver->left_out.guarded++;
    else
        driver->left_out.alone++;
    if (!driver->keeps_words)
        *word = word_of_record(thread_expected(thread), wrote, handle);
    return true;
}

static void access_variable(struct driver *driver, struct thread *thread, unsigned variable,
                            bool write)
{
    uint64_t *word = &driver->words[variable];
    if (engine_is_repeated(thread, *word, write))
        return;
    if (driver->leaves_out &&
        (own_alone(driver, thread, word, write) || leave_out(driver, thread, word, write)))
        return;
    driver->told |= UINT64_C(1) << driver->event;
    struct engine_access access = {.field = variable, .location = 1, .write = write};
    *word = engine_access(driver->engine, thread, &access, *word, NULL);
}

static void play(struct driver *driver, const struct trace *trace)
{
    for (unsigned i = 0; i < trace->count; i++) {
        const struct event *event = &trace->events[i];
        driver->event = i;
        if (event->kind == EVENT_READ || event->kind == EVENT_WRITE)
            access_variable(driver, driver->threads[event->thread], event->object,
                            event->kind == EVENT_WRITE);
        else
            synchronize(driver, event);
    }
}

/* ---- comparing ---- */

struct totals {
    struct left_out left_out;
    unsigned races;
};

/* What is wrong, or NULL. */
static const char *compare(const struct trace *trace, bool keeps_words, struct totals *totals)
{
    struct driver told, leaving;
    struct engine_counts counts;
    const char *wrong = NULL;
    driver_start(&told, false, trace->spread);
    driver_start(&leaving, true, trace->spread);
    leaving.keeps_words = keeps_words;
    play(&told, trace);
    play(&leaving, trace);
    for (unsigned i = 0; i < VARIABLES_MAX; i++) {
        totals->races += told.races[i];
        if (leaving.races[i] && !told.races[i])
            wrong = "a race is invented";
        if (trace->one_lock && told.races[i] && !leaving.races[i])
            wrong = "a race is lost";
    }
    /* What stands in for an access that was left out races with whatever that would. */
    if (trace->one_lock && (told.raced & leaving.told & ~leaving.raced))
        wrong = "a race of an access that was told is lost";
    engine_counts(leaving.engine, &counts);
    if (counts.stale)
        wrong = "a word is taken for a stale one";
    totals->left_out.owned += leaving.left_out.owned;
    totals->left_out.guarded += leaving.left_out.guarded;
    totals->left_out.alone += leaving.left_out.alone;
    totals->left_out.reads += leaving.left_out.reads;
    driver_end(&told);
    driver_end(&leaving);
    return wrong;
}

/* Leaves out of a trace that shows something wrong what is not needed for that. */
static void shrink(struct trace *trace, bool keeps_words)
{
    struct totals totals = {0};
    for (unsigned i = trace->count; i-- > 0;) {
        struct trace less = *trace;
        less.count--;
        memmove(&less.events[i], &less.events[i + 1], (less.count - i) * sizeof less.events[0]);
        if (is_trace(&less) && compare(&less, keeps_words, &totals)) {
            *trace = less;
            i = trace->count;
        }
    }
}

static void check_traces(unsigned count, bool one_lock, bool keeps_words, uint64_t seed)
{
    struct totals totals = {0};
    for (unsigned i = 0; i < count; i++) {
        struct trace trace = {.one_lock = one_lock};
        make_trace(&seed, &trace);
        if (!compare(&trace, keeps_words, &totals))
            continue;
        shrink(&trace, keeps_words);
        print_trace(&trace);
        fail_msg("trace %u: %s", i, compare(&trace, keeps_words, &totals));
    }
    /* The traces are worth something. */
    assert_true(totals.races > count / 10);
    assert_true(totals.left_out.owned > count / 10);
    assert_true(totals.left_out.guarded > count / 100);
    assert_true(totals.left_out.alone > count / 100);
    assert_true(totals.left_out.reads > count / 100);
}

static void test_one_lock_at_a_time(void **state)
{
    (void)state;
    check_traces(8000, true, false, 1);
}

static void test_one_lock_words_kept(void **state)
{
    (void)state;
    check_traces(6000, true, true, 2);
}

static void test_several_locks(void **state)
{
    (void)state;
    check_traces(6000, false, false, 3);
}

static void test_several_locks_words_kept(void **state)
{
    (void)state;
    check_traces(4000, false, true, 4);
}

/* ---- one thing at a time ---- */

enum { LOCK = 1, OTHER_LOCK = 2, VARIABLE = 0 };

/* Threads 0, 1 and 2, none ordered after another. */
static void start_three(struct driver *driver, bool spread)
{
    driver_start(driver, false, spread);
    start_thread(driver, 1, NULL);
    start_thread(driver, 2, NULL);
}

static void tell(struct driver *driver, unsigned thread, bool write)
{
    access_variable(driver, driver->threads[thread], VARIABLE, write);
}

static void tell_with(struct driver *driver, unsigned thread, uint32_t lock, bool write)
{
    engine_lock_acquire(driver->engine, driver->threads[thread], lock, THREAD_EXCLUSIVE);
    tell(driver, thread, write);
    engine_lock_release(driver->engine, driver->threads[thread], lock, THREAD_EXCLUSIVE);
}

static bool is_seen(struct driver *driver, unsigned thread, uint32_t lock, bool write)
{
    return engine_is_seen(driver->engine, driver->threads[thread], driver->words[VARIABLE], lock,
                          write);
}

static void test_owned(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    assert_false(is_seen(&driver, 0, 0, false));
    tell(&driver, 0, true);
    assert_false(is_seen(&driver, 0, 0, false));
    assert_false(is_seen(&driver, 0, 0, true));
    driver_end(&driver);
}

static void test_guard_found(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 1, LOCK, true);
    assert_true(is_seen(&driver, 1, LOCK, true));
    assert_true(is_seen(&driver, 1, LOCK, false));
    assert_false(is_seen(&driver, 1, 0, false));
    assert_false(is_seen(&driver, 1, OTHER_LOCK, false));
    /* Thread 0 has not been seen since the variable is shared; then reading only. */
    assert_false(is_seen(&driver, 0, LOCK, false));
    tell_with(&driver, 0, LOCK, false);
    assert_true(is_seen(&driver, 0, LOCK, false));
    assert_false(is_seen(&driver, 0, LOCK, true));
    assert_true(is_seen(&driver, 1, LOCK, true));
    /* A read after a write does not make it less. */
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 0, LOCK, false);
    assert_true(is_seen(&driver, 0, LOCK, true));
    assert_false(driver.races[VARIABLE]);
    driver_end(&driver);
}

static void test_guard_lost(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 1, LOCK, true);
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 1, OTHER_LOCK, false);
    for (unsigned thread = 0; thread < 2; thread++)
        for (uint32_t lock = 0; lock <= OTHER_LOCK; lock++)
            assert_false(is_seen(&driver, thread, lock, false));
    assert_true(driver.races[VARIABLE]);
    /* What has no guard is not guarded by the lock of its last accesses. */
    tell_with(&driver, 1, OTHER_LOCK, true);
    assert_false(is_seen(&driver, 1, OTHER_LOCK, true));
    driver_end(&driver);
}

/* A lock that is held for reading only guards reads, and no writes. */
static void test_guard_held_shared(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 1, LOCK, true);
    engine_lock_acquire(driver.engine, driver.threads[2], LOCK, THREAD_SHARED);
    tell(&driver, 2, false);
    assert_true(is_seen(&driver, 1, LOCK, true));
    tell(&driver, 2, true);
    assert_false(is_seen(&driver, 1, LOCK, false));
    assert_true(driver.races[VARIABLE]);
    driver_end(&driver);
}

static void test_readers(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    tell(&driver, 0, false);
    tell(&driver, 1, false);
    tell(&driver, 2, false);
    assert_true(is_seen(&driver, 1, 0, false));
    assert_true(is_seen(&driver, 1, LOCK, false));
    assert_true(is_seen(&driver, 2, 0, false));
    assert_false(is_seen(&driver, 2, 0, true));
    /* Reads with locks neither count nor harm. */
    tell_with(&driver, 0, LOCK, false);
    assert_false(is_seen(&driver, 0, 0, false));
    assert_true(is_seen(&driver, 1, 0, false));
    /* A write must be told of all that read later. */
    tell(&driver, 0, true);
    assert_false(is_seen(&driver, 1, 0, false));
    assert_false(is_seen(&driver, 2, 0, false));
    assert_true(is_seen(&driver, 0, 0, true));
    /* A read ends that the writer is alone; what it wrote still covers its reads. */
    tell_with(&driver, 1, LOCK, false);
    assert_false(is_seen(&driver, 0, 0, true));
    assert_true(is_seen(&driver, 0, 0, false));
    driver_end(&driver);
}

/* The threads' notes have the same place: none is taken for another's, and one that reads with a
   lock, which leaves no note, ends that the other is alone all the same. */
static void test_same_place(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, true);
    assert_int_equal(driver.threads[1]->slot % VARIABLE_SEEN,
                     driver.threads[2]->slot % VARIABLE_SEEN);
    tell(&driver, 0, true);
    tell(&driver, 1, true);
    assert_true(is_seen(&driver, 1, 0, true));
    assert_false(is_seen(&driver, 2, 0, false));
    tell_with(&driver, 2, LOCK, false);
    assert_false(is_seen(&driver, 1, 0, true));
    driver_end(&driver);
}

static void test_epochs(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    struct thread *thread = driver.threads[1];
    tell(&driver, 0, false);
    tell(&driver, 1, false);
    engine_lock_acquire(driver.engine, thread, LOCK, THREAD_EXCLUSIVE);
    engine_lock_release(driver.engine, thread, LOCK, THREAD_EXCLUSIVE);
    engine_sync_acquire(driver.engine, thread, 0);
    assert_true(is_seen(&driver, 1, 0, false));
    engine_sync_release(driver.engine, thread, 0);
    assert_false(is_seen(&driver, 1, 0, false));
    tell(&driver, 1, false);
    assert_true(is_seen(&driver, 1, 0, false));
    /* A start is a release, too. */
    start_thread(&driver, 3, thread);
    assert_false(is_seen(&driver, 1, 0, false));
    driver_end(&driver);
}

static bool was_seen(struct driver *driver, unsigned thread, uint32_t lock, bool write)
{
    return engine_was_seen(driver->engine, driver->threads[thread], driver->words[VARIABLE], lock,
                           write);
}

/* In whatever epoch, with whatever locks; but not when somebody else wrote since. */
static void test_seen_earlier(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    tell(&driver, 0, false);
    assert_false(was_seen(&driver, 0, 0, false)); /* has no record */
    tell_with(&driver, 1, LOCK, false);
    tell(&driver, 2, false);
    assert_true(was_seen(&driver, 1, 0, false));
    assert_false(is_seen(&driver, 1, LOCK, false));
    assert_false(was_seen(&driver, 1, 0, true));
    assert_true(was_seen(&driver, 2, 0, false));
    engine_sync_release(driver.engine, driver.threads[1], 0);
    engine_sync_release(driver.engine, driver.threads[2], 0);
    assert_true(was_seen(&driver, 1, 0, false));
    assert_true(was_seen(&driver, 2, 0, false));
    tell_with(&driver, 1, OTHER_LOCK, true);
    assert_true(was_seen(&driver, 1, 0, true));
    assert_false(was_seen(&driver, 2, 0, false));
    tell(&driver, 2, false);
    assert_false(was_seen(&driver, 1, 0, true));
    assert_true(was_seen(&driver, 1, 0, false));
    driver_end(&driver);
}

/* It is not the next thread of the slot that was there. */
static void test_seen_slot_passed_on(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    struct thread *thread = driver.threads[1];
    tell(&driver, 0, false);
    tell(&driver, 1, false);
    engine_sync_release(driver.engine, thread, 0);
    assert_true(was_seen(&driver, 1, 0, false));
    engine_thread_end(driver.engine, thread);
    driver.engine->threads.keep_dead = 0;
    assert_ptr_equal(engine_thread_start(driver.engine, driver.threads[0], 9), thread);
    assert_false(was_seen(&driver, 1, 0, false));
    engine_sync_release(driver.engine, thread, 0);
    assert_false(was_seen(&driver, 1, 0, false));
    tell(&driver, 1, false);
    engine_sync_release(driver.engine, thread, 0);
    assert_true(was_seen(&driver, 1, 0, false));
    driver_end(&driver);
}

/* Of what is guarded only with the guard. */
static void test_guarded_seen_earlier(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 1, LOCK, true);
    engine_sync_release(driver.engine, driver.threads[1], 0);
    assert_false(is_seen(&driver, 1, LOCK, true));
    assert_true(was_seen(&driver, 1, LOCK, true));
    assert_false(was_seen(&driver, 1, 0, false));
    assert_false(was_seen(&driver, 1, OTHER_LOCK, false));
    assert_false(was_seen(&driver, 2, LOCK, false));
    tell(&driver, 2, true);
    assert_false(was_seen(&driver, 1, LOCK, false));
    driver_end(&driver);
}

/* The writer's word is of a segment that the record does not know. */
static void test_word_of_one_alone(void **state)
{
    (void)state;
    struct driver driver;
    struct engine_counts counts;
    start_three(&driver, false);
    tell(&driver, 0, true);
    tell(&driver, 1, true);
    engine_lock_acquire(driver.engine, driver.threads[1], LOCK, THREAD_EXCLUSIVE);
    assert_true(leave_out(&driver, driver.threads[1], &driver.words[VARIABLE], true));
    assert_true(engine_is_repeated(driver.threads[1], driver.words[VARIABLE], true));
    driver.races[VARIABLE] = false;
    tell(&driver, 2, true);
    assert_true(driver.races[VARIABLE]);
    engine_counts(driver.engine, &counts);
    assert_int_equal(counts.stale, 0);
    driver_end(&driver);
}

/* A record that had another variable does not know who accessed that. */
static void test_record_used_again(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    tell(&driver, 0, false);
    tell(&driver, 1, false);
    assert_true(is_seen(&driver, 1, 0, false));
    const uint32_t index = driver.engine->variables.index_bits;
    const uint64_t before = driver.words[VARIABLE];
    variable_discard(&driver.engine->variables, word_handle(before));
    assert_false(is_seen(&driver, 1, 0, false));
    driver.words[VARIABLE] = 0;
    tell(&driver, 0, false);
    tell(&driver, 2, false);
    assert_int_equal(word_handle(before) & ((1u << index) - 1),
                     word_handle(driver.words[VARIABLE]) & ((1u << index) - 1));
    assert_true(is_seen(&driver, 2, 0, false));
    assert_false(is_seen(&driver, 1, 0, false));
    driver_end(&driver);
}

static void pass(struct driver *driver, unsigned thread, unsigned lock)
{
    engine_lock_acquire(driver->engine, driver->threads[thread], lock, THREAD_EXCLUSIVE);
    engine_lock_release(driver->engine, driver->threads[thread], lock, THREAD_EXCLUSIVE);
}

/* A thread that is long alone with a variable need not tell every segment: seven stretches of 16
   segments, then once in a window of 64. Locks nobody else takes only end its segments. */
static void test_settled(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    driver.leaves_out = true;
    struct thread *thread = driver.threads[1];
    unsigned settled_at = 0;
    for (unsigned i = 0; i < 500; i++) {
        access_variable(&driver, thread, VARIABLE, true);
        if (!settled_at && driver.left_out.settled)
            settled_at = i;
        pass(&driver, 1, LOCK); /* two segments */
    }
    assert_true(settled_at >= 6 * 16 / 2);
    assert_true(settled_at <= 8 * 16 / 2 + 1);
    /* 436 accesses or so, of which one in 32 is told. */
    assert_true(driver.left_out.settled > 400 && driver.left_out.settled < 500 - 64);
    /* Another thread that knows nothing of it. */
    tell(&driver, 2, true);
    assert_true(driver.races[VARIABLE]);
    driver_end(&driver);
}

/* What the last thread of a slot had settled is not the next one's. */
static void test_settled_slot_passed_on(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    driver.leaves_out = true;
    struct thread *thread = driver.threads[1];
    for (unsigned i = 0; i < 200; i++) {
        access_variable(&driver, thread, VARIABLE, true);
        pass(&driver, 1, LOCK);
    }
    assert_true(driver.left_out.settled > 0);
    engine_thread_end(driver.engine, thread);
    driver.engine->threads.keep_dead = 0;
    assert_ptr_equal(engine_thread_start(driver.engine, driver.threads[0], 9), thread);
    assert_false(word_settled_covers(driver.words[VARIABLE], thread_expected(thread), false));
    driver_end(&driver);
}

/* In busy code one access in 256 segments is told, however young the variable is; a write also when
   only a read was. */
static void test_busy(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    driver.leaves_out = driver.busy = true;
    for (unsigned i = 0; i < 512; i++) { /* four windows: none of them settles it */
        access_variable(&driver, driver.threads[1], VARIABLE, false);
        pass(&driver, 1, LOCK); /* two segments */
    }
    assert_true(driver.left_out.owned >= 4 && driver.left_out.owned <= 5);
    assert_int_equal(driver.left_out.settled, 0);
    assert_int_equal(driver.left_out.busy + driver.left_out.owned, 512);
    const unsigned before = driver.left_out.owned;
    access_variable(&driver, driver.threads[1], VARIABLE, true);
    assert_int_equal(driver.left_out.owned, before + 1);
    pass(&driver, 1, LOCK);
    access_variable(&driver, driver.threads[1], VARIABLE, false);
    access_variable(&driver, driver.threads[1], VARIABLE, true);
    assert_int_equal(driver.left_out.owned, before + 1);
    /* Another thread that knows nothing of it. */
    tell(&driver, 2, false);
    assert_true(driver.races[VARIABLE]);
    assert_false(word_busy_covers(driver.words[VARIABLE], driver.threads[2]->slot,
                                  thread_segment(driver.threads[2]), false));
    driver_end(&driver);
}

/* And what the last thread of a slot did is not the next one's. */
static void test_busy_slot_passed_on(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    struct thread *thread = driver.threads[1];
    tell(&driver, 1, true);
    engine_thread_end(driver.engine, thread);
    driver.engine->threads.keep_dead = 0;
    assert_ptr_equal(engine_thread_start(driver.engine, driver.threads[0], 9), thread);
    assert_false(
        word_busy_covers(driver.words[VARIABLE], thread->slot, thread_segment(thread), false));
    driver_end(&driver);
}

/* A thread that comes to a guarded variable with other locks each time, after having released
   something each time, is remembered once: the last time. */
static void test_guarded_with_other_locks(void **state)
{
    (void)state;
    struct driver driver;
    start_three(&driver, false);
    struct engine *engine = driver.engine;
    struct thread *thread = driver.threads[1];
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 1, LOCK, true);
    for (uint32_t other = 10; other < 60; other++) {
        engine_lock_acquire(engine, thread, other, THREAD_EXCLUSIVE);
        tell_with(&driver, 1, LOCK, true);
        engine_lock_release(engine, thread, other, THREAD_EXCLUSIVE);
        if (other == 58)
            engine_sync_release(engine, thread, 7);
        else
            engine_sync_release(engine, thread, 8);
    }
    assert_false(driver.races[VARIABLE]);
    const uint32_t handle = word_handle(driver.words[VARIABLE]);
    const struct variable *variable =
        &engine->variables.chunks[0]->records[handle & ((1u << engine->variables.index_bits) - 1)];
    unsigned own = 0;
    for (uint32_t i = 0; i < variable->history.count; i++)
        own += history_at(&variable->history, i)->slot == thread->slot;
    assert_int_equal(own, 1);
    /* Who knows of all but the last time, and does not take the guard. */
    engine_sync_acquire(engine, driver.threads[2], 7);
    tell(&driver, 2, false);
    assert_true(driver.races[VARIABLE]);
    driver_end(&driver);
}

/* Where every access must be seen nothing may be left out. */
static void test_modes(void **state)
{
    (void)state;
    for (unsigned mode = 0; mode < 4; mode++) {
        struct driver driver;
        start_three(&driver, false);
        driver.engine->options.mode = mode == 0   ? ENGINE_ORDER
                                      : mode == 1 ? ENGINE_LOCKSET
                                                  : ENGINE_HYBRID;
        driver.engine->options.discipline = mode == 2;
        driver.engine->options.object_rule = mode == 3;
        tell_with(&driver, 0, LOCK, true);
        tell_with(&driver, 1, LOCK, true);
        assert_false(is_seen(&driver, 1, LOCK, false));
        tell(&driver, 2, false);
        assert_false(is_seen(&driver, 2, 0, false));
        driver_end(&driver);
    }
}

/* What a caller reads by offsets is what is there. */
static void test_layout(void **state)
{
    (void)state;
    struct driver driver;
    struct engine_layout layout;
    start_three(&driver, false);
    tell_with(&driver, 0, LOCK, true);
    tell_with(&driver, 1, LOCK, true);
    engine_layout(driver.engine, &layout);
    const uint32_t handle = word_handle(driver.words[VARIABLE]);
    const uint32_t number = handle & layout.index_mask;
    const char *chunk;
    memcpy(&chunk, (const char *)layout.chunks + number / layout.chunk_records * sizeof chunk,
           sizeof chunk);
    const char *record = chunk + (size_t)(number % layout.chunk_records) * layout.record_size;
    const struct thread *thread = driver.threads[1];
    uint64_t guard;
    uint32_t seen, held;
    memcpy(&guard, record + layout.guard, sizeof guard);
    memcpy(&seen, record + layout.seen + thread->slot % VARIABLE_SEEN * sizeof seen, sizeof seen);
    assert_true(guard == ((uint64_t)LOCK << 32 | (handle + 1)));
    assert_int_equal(seen, thread_seen(thread) | VARIABLE_SEEN_WRITE);
    engine_lock_acquire(driver.engine, driver.threads[1], LOCK, THREAD_EXCLUSIVE);
    memcpy(&held, (const char *)thread + layout.held_count, sizeof held);
    assert_int_equal(held, 1);
    driver_end(&driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_owned),
        cmocka_unit_test(test_guard_found),
        cmocka_unit_test(test_guard_lost),
        cmocka_unit_test(test_guard_held_shared),
        cmocka_unit_test(test_readers),
        cmocka_unit_test(test_same_place),
        cmocka_unit_test(test_epochs),
        cmocka_unit_test(test_seen_earlier),
        cmocka_unit_test(test_seen_slot_passed_on),
        cmocka_unit_test(test_guarded_seen_earlier),
        cmocka_unit_test(test_word_of_one_alone),
        cmocka_unit_test(test_record_used_again),
        cmocka_unit_test(test_settled),
        cmocka_unit_test(test_settled_slot_passed_on),
        cmocka_unit_test(test_busy),
        cmocka_unit_test(test_busy_slot_passed_on),
        cmocka_unit_test(test_guarded_with_other_locks),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_one_lock_at_a_time),
        cmocka_unit_test(test_one_lock_words_kept),
        cmocka_unit_test(test_several_locks),
        cmocka_unit_test(test_several_locks_words_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
