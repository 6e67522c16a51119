/*
 * What a caller may leave out (engine/inline.h), against an engine that is told everything.
 *
 * Random small traces run through two engines. The driver of the second one leaves out the accesses
 * that it may, and replaces words as it may. It must not report a race of a variable that has none
 * in the first, and, where no thread ever holds two locks, no variable may lose all its races, nor
 * an access that was told: variable.h says why. In busy code races may be lost, and none invented.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <string.h>

#include "inline_driver.h"
#include "support.h"
#include "trace_events.h"

#define EVENTS_MAX 32u
#define SYNCS_MAX 2u

struct trace {
    bool one_lock;    /* nobody holds two locks at once */
    bool keeps_words; /* how it is driven */
    bool busy;
    bool spread; /* the slots of the threads have the same place in `seen` */
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
        [EVENT_READ] = VARIABLES_MAX,     [EVENT_WRITE] = VARIABLES_MAX,
        [EVENT_ACQUIRE] = LOCKS_MAX,      [EVENT_ACQUIRE_SHARED] = LOCKS_MAX,
        [EVENT_RELEASE] = LOCKS_MAX,      [EVENT_RELEASE_SHARED] = LOCKS_MAX,
        [EVENT_SYNC_RELEASE] = SYNCS_MAX, [EVENT_SYNC_ACQUIRE] = SYNCS_MAX,
        [EVENT_START] = THREADS_MAX,      [EVENT_END] = 1,
        [EVENT_JOIN] = THREADS_MAX,
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
    print_error("threads in %s places:\n", trace->spread ? "the same" : "different");
    events_print(trace->events, trace->count);
}

/* ---- playing them ---- */

static bool is_of_lock(enum event_kind kind)
{
    return kind >= EVENT_ACQUIRE && kind <= EVENT_RELEASE_SHARED;
}

static void synchronize(struct driver *driver, struct event event)
{
    if (event.kind == EVENT_START) {
        driver_start_thread(driver, event.object, driver->threads[event.thread].thread);
        return;
    }
    if (is_of_lock(event.kind))
        event.object++; /* as a guard, 0 is none */
    event_tell(driver->engine, driver->threads, &event);
}

static void play(struct driver *driver, const struct trace *trace)
{
    for (unsigned i = 0; i < trace->count; i++) {
        const struct event *event = &trace->events[i];
        driver->event = i;
        if (event->kind == EVENT_READ || event->kind == EVENT_WRITE)
            driver_access(driver, driver->threads[event->thread].thread, event->object,
                          event->kind == EVENT_WRITE);
        else
            synchronize(driver, *event);
    }
}

/* ---- comparing ---- */

struct totals {
    struct left_out left_out;
    unsigned races;
};

/* What is wrong, or NULL. */
static const char *compare(const struct trace *trace, struct totals *totals)
{
    struct driver told, leaving;
    struct engine_counts counts;
    const char *wrong = NULL;
    const bool keeps_races = trace->one_lock && !trace->busy;
    driver_start(&told, false, trace->spread);
    driver_start(&leaving, true, trace->spread);
    leaving.keeps_words = trace->keeps_words;
    leaving.busy = trace->busy;
    play(&told, trace);
    play(&leaving, trace);
    for (unsigned i = 0; i < VARIABLES_MAX; i++) {
        totals->races += told.races[i];
        if (leaving.races[i] && !told.races[i])
            wrong = "a race is invented";
        if (keeps_races && told.races[i] && !leaving.races[i])
            wrong = "a race is lost";
    }
    /* What stands in for an access that was left out races with whatever that would. */
    if (keeps_races && (told.raced & leaving.told & ~leaving.raced))
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
static void shrink(struct trace *trace)
{
    struct totals totals = {0};
    for (unsigned i = trace->count; i-- > 0;) {
        struct trace less = *trace;
        less.count--;
        memmove(&less.events[i], &less.events[i + 1], (less.count - i) * sizeof less.events[0]);
        if (is_trace(&less) && compare(&less, &totals)) {
            *trace = less;
            i = trace->count;
        }
    }
}

static void check_traces(unsigned count, struct trace kind, uint64_t seed)
{
    struct totals totals = {0};
    for (unsigned i = 0; i < count; i++) {
        struct trace trace = kind;
        make_trace(&seed, &trace);
        if (!compare(&trace, &totals))
            continue;
        shrink(&trace);
        print_trace(&trace);
        fail_msg("trace %u: %s", i, compare(&trace, &totals));
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
    check_traces(8000, (struct trace){.one_lock = true}, 1);
}

static void test_one_lock_words_kept(void **state)
{
    (void)state;
    check_traces(6000, (struct trace){.one_lock = true, .keeps_words = true}, 2);
}

static void test_several_locks(void **state)
{
    (void)state;
    check_traces(6000, (struct trace){0}, 3);
}

static void test_several_locks_words_kept(void **state)
{
    (void)state;
    check_traces(4000, (struct trace){.keeps_words = true}, 4);
}

static void test_busy(void **state)
{
    (void)state;
    check_traces(8000, (struct trace){.busy = true}, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_lock_at_a_time),
        cmocka_unit_test(test_one_lock_words_kept),
        cmocka_unit_test(test_several_locks),
        cmocka_unit_test(test_several_locks_words_kept),
        cmocka_unit_test(test_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
