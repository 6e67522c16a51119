/*
 * Transactions against the definition, on random small traces.
 *
 * The reference has the whole trace. It compares all pairs of events, builds the graph of the
 * transactions and closes it under transitivity. At each event it says whether that event closes a
 * cycle; for the first one also which block is the innermost violated one, and whether what is
 * reported is a cycle at all. The next operations of a transaction that is on a cycle may or may
 * not be said to close one again.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <string.h>

#include "engine/transactions.h"
#include "support.h"

#define TRACES 250000u
#define EVENTS_MAX 30u
#define THREADS_MAX 4u
#define VARIABLES_MAX 3u
#define LOCKS_MAX 2u
#define DEPTH_MAX 3u

enum { EVENT_BEGIN = 100, EVENT_END };

struct event {
    unsigned thread;
    unsigned kind; /* enum transactions_kind, or one of the above */
    unsigned object;
};

struct trace {
    unsigned threads, variables, locks;
    bool forks;
    unsigned count;
    struct event events[EVENTS_MAX];
};

/* What a thread may do next. */
struct schedule {
    bool started[THREADS_MAX], ended[THREADS_MAX];
    unsigned depth[THREADS_MAX];
    unsigned exclusive[THREADS_MAX][LOCKS_MAX], shared[THREADS_MAX][LOCKS_MAX];
};

static bool others_have(const struct schedule *schedule, unsigned thread, unsigned lock,
                        bool exclusively)
{
    for (unsigned other = 0; other < THREADS_MAX; other++)
        if (other != thread &&
            (schedule->exclusive[other][lock] || (!exclusively && schedule->shared[other][lock])))
            return true;
    return false;
}

static bool has_lock(const struct schedule *schedule, unsigned thread)
{
    for (unsigned lock = 0; lock < LOCKS_MAX; lock++)
        if (schedule->exclusive[thread][lock] || schedule->shared[thread][lock])
            return true;
    return false;
}

static bool is_possible(const struct schedule *schedule, const struct event *event)
{
    unsigned thread = event->thread, object = event->object;
    if (!schedule->started[thread] || schedule->ended[thread])
        return false;
    switch (event->kind) {
    case TRANSACTIONS_ACQUIRE:
        return !others_have(schedule, thread, object, false);
    case TRANSACTIONS_ACQUIRE_SHARED:
        return !others_have(schedule, thread, object, true);
    case TRANSACTIONS_RELEASE:
        return schedule->exclusive[thread][object];
    case TRANSACTIONS_RELEASE_SHARED:
        return schedule->shared[thread][object];
    case TRANSACTIONS_START:
        return !schedule->started[object];
    case TRANSACTIONS_JOIN:
        return schedule->ended[object];
    case TRANSACTIONS_EXIT:
        return thread && !has_lock(schedule, thread);
    case EVENT_BEGIN:
        return schedule->depth[thread] < DEPTH_MAX;
    case EVENT_END:
        return schedule->depth[thread];
    default:
        return true;
    }
}

static void perform(struct schedule *schedule, const struct event *event)
{
    unsigned thread = event->thread, object = event->object;
    switch (event->kind) {
    case TRANSACTIONS_ACQUIRE:
        schedule->exclusive[thread][object]++;
        break;
    case TRANSACTIONS_ACQUIRE_SHARED:
        schedule->shared[thread][object]++;
        break;
    case TRANSACTIONS_RELEASE:
        schedule->exclusive[thread][object]--;
        break;
    case TRANSACTIONS_RELEASE_SHARED:
        schedule->shared[thread][object]--;
        break;
    case TRANSACTIONS_START:
        schedule->started[object] = true;
        break;
    case TRANSACTIONS_EXIT:
        schedule->ended[thread] = true;
        break;
    case EVENT_BEGIN:
        schedule->depth[thread]++;
        break;
    case EVENT_END:
        schedule->depth[thread]--;
        break;
    default:
        break;
    }
}

static struct event random_event(const struct trace *trace, uint64_t *random)
{
    static const unsigned ACCESSES[] = {TRANSACTIONS_READ, TRANSACTIONS_WRITE};
    static const unsigned LOCKING[] = {TRANSACTIONS_ACQUIRE, TRANSACTIONS_RELEASE,
                                       TRANSACTIONS_ACQUIRE_SHARED, TRANSACTIONS_RELEASE_SHARED};
    static const unsigned SYNCING[] = {TRANSACTIONS_SYNC_ACQUIRE, TRANSACTIONS_SYNC_RELEASE};
    static const unsigned THREADING[] = {TRANSACTIONS_START, TRANSACTIONS_EXIT, TRANSACTIONS_JOIN};
    struct event event = {.thread = (unsigned)(support_random(random) % trace->threads)};
    unsigned choice = (unsigned)(support_random(random) % 100);
    uint64_t which = support_random(random), object = support_random(random);
    if (choice < 45) {
        event.kind = ACCESSES[which % 2];
        event.object = (unsigned)(object % trace->variables);
    } else if (choice < 60 && trace->locks) {
        event.kind = LOCKING[which % 4];
        event.object = (unsigned)(object % trace->locks);
    } else if (choice < 66) {
        event.kind = SYNCING[which % 2];
    } else if (choice < 72 || (choice < 80 && trace->forks)) {
        event.kind = THREADING[which % 3];
        event.object = (unsigned)(object % trace->threads);
    } else {
        event.kind = which % 5 < 3 ? EVENT_BEGIN : EVENT_END;
    }
    return event;
}

static void random_trace(struct trace *trace, uint64_t *random)
{
    memset(trace, 0, sizeof *trace);
    trace->threads = 2 + (unsigned)(support_random(random) % (THREADS_MAX - 1));
    trace->variables = 2 + (unsigned)(support_random(random) % (VARIABLES_MAX - 1));
    trace->locks = (unsigned)(support_random(random) % (LOCKS_MAX + 1));
    trace->forks = support_random(random) % 3 == 0;
    unsigned most = support_random(random) % 4 ? 20 : EVENTS_MAX;
    unsigned length = 4 + (unsigned)(support_random(random) % (most - 3));
    struct schedule schedule = {0};
    for (unsigned thread = 0; thread < trace->threads; thread++)
        schedule.started[thread] = !thread || !trace->forks;
    for (unsigned attempt = 0; trace->count < length && attempt < 400; attempt++) {
        struct event event = random_event(trace, random);
        if (!is_possible(&schedule, &event))
            continue;
        perform(&schedule, &event);
        trace->events[trace->count++] = event;
    }
}

/*
 * The definition.
 */

struct reference {
    const struct trace *trace;
    unsigned transaction[EVENTS_MAX];
    unsigned transactions;
    uint32_t after[EVENTS_MAX]; /* by transaction: those that can be reached over edges */
    uint32_t direct[EVENTS_MAX];
    uint32_t ordered[EVENTS_MAX]; /* by event: those before it, were there no blocks */
    unsigned depth[THREADS_MAX];
    unsigned open[THREADS_MAX][DEPTH_MAX]; /* the events that began the blocks a thread is in */
};

/* Whether the later of two events of different threads has an edge from the earlier one. */
static bool conflict(const struct event *earlier, const struct event *later)
{
    if (earlier->kind == TRANSACTIONS_START && earlier->object == later->thread)
        return true;
    if (later->kind == TRANSACTIONS_JOIN && later->object == earlier->thread)
        return true;
    if (earlier->object != later->object)
        return false;
    switch (earlier->kind) {
    case TRANSACTIONS_READ:
        return later->kind == TRANSACTIONS_WRITE;
    case TRANSACTIONS_WRITE:
        return later->kind == TRANSACTIONS_WRITE || later->kind == TRANSACTIONS_READ;
    case TRANSACTIONS_RELEASE:
        return later->kind == TRANSACTIONS_ACQUIRE || later->kind == TRANSACTIONS_ACQUIRE_SHARED;
    case TRANSACTIONS_RELEASE_SHARED:
        return later->kind == TRANSACTIONS_ACQUIRE;
    case TRANSACTIONS_SYNC_RELEASE:
        return later->kind == TRANSACTIONS_SYNC_ACQUIRE;
    default:
        return false;
    }
}

static void close_graph(struct reference *reference)
{
    memcpy(reference->after, reference->direct, sizeof reference->after);
    for (unsigned middle = 0; middle < reference->transactions; middle++)
        for (unsigned from = 0; from < reference->transactions; from++)
            if (reference->after[from] >> middle & 1)
                reference->after[from] |= reference->after[middle];
}

/* The transactions that come after the events [first, now) of one transaction, as it is now. */
static uint32_t after_block(const struct reference *reference, unsigned first, unsigned now)
{
    const struct event *events = reference->trace->events;
    unsigned own = reference->transaction[now];
    uint32_t result = 0;
    for (unsigned event = first; event < now; event++) {
        if (reference->transaction[event] != own)
            continue;
        for (unsigned other = event + 1; other < now; other++) {
            unsigned transaction = reference->transaction[other];
            if (events[other].thread != events[event].thread &&
                conflict(&events[event], &events[other]))
                result |= 1u << transaction | reference->after[transaction];
        }
    }
    return result;
}

/* What the event does by the definition. */
struct verdict {
    bool closes;
    bool closes_newly; /* the transaction was on no cycle before */
    unsigned block;    /* the event that began the innermost violated block */
};

static void enter(struct reference *reference, unsigned now)
{
    const struct event *event = &reference->trace->events[now];
    unsigned previous = now;
    while (previous > 0 && reference->trace->events[previous - 1].thread != event->thread)
        previous--;
    bool inside = reference->depth[event->thread] > 0;
    reference->transaction[now] =
        inside ? reference->transaction[previous - 1] : reference->transactions++;
    if (event->kind == EVENT_BEGIN)
        reference->open[event->thread][reference->depth[event->thread]++] = now;
}

static struct verdict judge(struct reference *reference, unsigned now)
{
    const struct event *events = reference->trace->events;
    struct verdict verdict = {0};
    enter(reference, now);
    unsigned own = reference->transaction[now];
    unsigned thread = events[now].thread;
    reference->ordered[now] = 1u << now;
    uint32_t sources = 0;
    for (unsigned earlier = 0; earlier < now; earlier++) {
        bool same = events[earlier].thread == thread;
        if (!same && !conflict(&events[earlier], &events[now]))
            continue;
        reference->ordered[now] |= reference->ordered[earlier];
        unsigned source = reference->transaction[earlier];
        if (!same)
            sources |= 1u << source;
        if (source != own)
            reference->direct[source] |= 1u << own;
    }
    verdict.closes = reference->after[own] & sources;
    verdict.closes_newly = verdict.closes && !(reference->after[own] >> own & 1);
    for (unsigned level = reference->depth[thread]; verdict.closes && level-- > 0;) {
        verdict.block = reference->open[thread][level];
        if (after_block(reference, verdict.block, now) & sources)
            break;
    }
    close_graph(reference);
    if (events[now].kind == EVENT_END)
        reference->depth[thread]--;
    if (events[now].kind == TRANSACTIONS_EXIT)
        reference->depth[thread] = 0;
    return verdict;
}

/*
 * The engine. Events are their own locations.
 */

/* What the caller may remember of a variable to leave out accesses: the latest one, and the latest
   write if the same thread has made it with the same stamp. */
struct touch {
    unsigned thread;
    uint64_t stamp; /* 0: none */
    bool wrote;
};

struct checked {
    struct reference *reference;
    bool skips; /* what the header says may be left out is left out */
    struct touch touches[VARIABLES_MAX];
    struct transactions *transactions;
    struct transactions_thread *threads[THREADS_MAX];
    uint64_t births[THREADS_MAX];
    unsigned reports;
    struct transactions_violation violation;
};

static void note_report(void *context, const struct transactions_violation *violation)
{
    struct checked *checked = context;
    checked->reports++;
    checked->violation = *violation;
}

/* The access is one that may be left out. */
static bool may_skip(struct checked *checked, const struct event *event)
{
    struct touch *touch = &checked->touches[event->object];
    uint64_t stamp = transactions_stamp(checked->threads[event->thread]);
    bool write = event->kind == TRANSACTIONS_WRITE;
    return touch->stamp == stamp && touch->thread == event->thread && (touch->wrote || !write);
}

static void note_access(struct checked *checked, const struct event *event)
{
    struct touch *touch = &checked->touches[event->object];
    uint64_t stamp = transactions_stamp(checked->threads[event->thread]);
    bool same = touch->stamp == stamp && touch->thread == event->thread;
    *touch = (struct touch){.thread = event->thread,
                            .stamp = stamp,
                            .wrote = event->kind == TRANSACTIONS_WRITE || (same && touch->wrote)};
}

static bool tell_access(struct checked *checked, const struct event *event, uint32_t location)
{
    if (checked->skips && may_skip(checked, event))
        return false;
    bool closes =
        transactions_perform(checked->transactions, checked->threads[event->thread],
                             (enum transactions_kind)event->kind, event->object, location, 0);
    note_access(checked, event);
    return closes;
}

static bool tell(struct checked *checked, unsigned now)
{
    const struct event *event = &checked->reference->trace->events[now];
    struct transactions *transactions = checked->transactions;
    struct transactions_thread *thread = checked->threads[event->thread];
    uint32_t location = now + 1;
    unsigned object = event->object;
    switch (event->kind) {
    case TRANSACTIONS_START:
        checked->threads[object] =
            transactions_thread_start(transactions, thread, object + 1, location, 0);
        checked->births[object] = transactions_thread_birth(checked->threads[object]);
        return false;
    case TRANSACTIONS_EXIT:
        transactions_thread_end(transactions, thread);
        return false;
    case TRANSACTIONS_JOIN:
        return transactions_thread_join(transactions, thread, checked->threads[object],
                                        checked->births[object], location, 0);
    case TRANSACTIONS_READ:
    case TRANSACTIONS_WRITE:
        return tell_access(checked, event, location);
    case EVENT_BEGIN:
        transactions_begin(transactions, thread, location, location, 0);
        return false;
    case EVENT_END:
        transactions_end(transactions, thread);
        return false;
    default:
        return transactions_perform(transactions, thread, (enum transactions_kind)event->kind,
                                    object, location, 0);
    }
}

/* The event of an operation in a report; for the first and last moments of a thread, which have no
   location, the event that they are told by. */
static const struct event *event_of(const struct reference *reference,
                                    const struct transactions_operation *operation)
{
    if (operation->kind == TRANSACTIONS_RUN || operation->kind == TRANSACTIONS_EXIT)
        return NULL;
    assert_in_range(operation->location, 1, reference->trace->count);
    const struct event *event = &reference->trace->events[operation->location - 1];
    assert_int_equal(event->kind, operation->kind);
    assert_int_equal(event->thread + 1, operation->thread);
    return event;
}

static void check_path(const struct checked *checked, unsigned now, unsigned block)
{
    const struct reference *reference = checked->reference;
    const struct transactions_violation *violation = &checked->violation;
    assert_true(violation->whole);
    assert_int_equal(violation->thread, reference->trace->events[now].thread + 1);
    const struct transactions_operation *commits = &violation->path[0].earlier;
    assert_int_equal(commits->thread, violation->thread);
    assert_in_range(commits->location, block + 2, now);
    for (unsigned index = 0; index < violation->path_count; index++) {
        const struct transactions_conflict *step = &violation->path[index];
        const struct event *earlier = event_of(reference, &step->earlier);
        const struct event *later = event_of(reference, &step->later);
        if (earlier && later) {
            assert_true(earlier < later);
            assert_true(conflict(earlier, later));
            assert_int_not_equal(earlier->thread, later->thread);
        }
        if (index + 1 == violation->path_count) {
            assert_int_equal(step->later.location, now + 1);
            break;
        }
        const struct transactions_operation *next = &violation->path[index + 1].earlier;
        assert_int_equal(step->later.thread, next->thread);
        const struct event *out = event_of(reference, next);
        if (!later || !out)
            continue;
        /* Out of the transaction that it came into, or a later one. */
        assert_true(reference->transaction[later - reference->trace->events] <=
                    reference->transaction[out - reference->trace->events]);
    }
}

/* Whether the block is violated even if all others had no blocks. */
static bool is_alone(const struct reference *reference, unsigned now, unsigned block)
{
    const struct event *events = reference->trace->events;
    for (unsigned source = 0; source < now; source++) {
        if (events[source].thread == events[now].thread || !conflict(&events[source], &events[now]))
            continue;
        for (unsigned event = block; event < source; event++)
            if (events[event].thread == events[now].thread &&
                reference->ordered[source] >> event & 1)
                return true;
    }
    return false;
}

struct totals {
    unsigned violated, nested, alone, known_alone, three;
};

static void check_report(const struct checked *checked, unsigned now, const struct verdict *verdict,
                         struct totals *totals)
{
    const struct transactions_violation *violation = &checked->violation;
    const struct reference *reference = checked->reference;
    assert_int_equal(checked->reports, 1);
    assert_int_equal(violation->blocks[0].block, verdict->block + 1);
    unsigned thread = reference->trace->events[now].thread;
    unsigned outermost = violation->blocks[violation->block_count - 1].block;
    assert_int_equal(outermost, reference->open[thread][0] + 1);
    check_path(checked, now, verdict->block);
    bool alone = is_alone(reference, now, verdict->block);
    if (violation->alone)
        assert_true(alone);
    totals->violated++;
    totals->nested += violation->block_count > 1;
    totals->alone += alone;
    totals->known_alone += violation->alone;
    totals->three += violation->path_count > 2;
}

static void check_trace(const struct trace *trace, bool skips, struct totals *totals)
{
    struct reference reference = {.trace = trace};
    struct checked checked = {.reference = &reference, .skips = skips};
    struct transactions_options options;
    transactions_options_default(&options);
    options.threads = THREADS_MAX;
    options.objects = options.accesses = options.steps = 256;
    options.report = note_report;
    options.context = &checked;
    checked.transactions = transactions_new(&options);
    assert_non_null(checked.transactions);
    for (unsigned thread = 0; thread < trace->threads && (!thread || !trace->forks); thread++) {
        checked.threads[thread] =
            transactions_thread_start(checked.transactions, NULL, thread + 1, 0, 0);
        checked.births[thread] = transactions_thread_birth(checked.threads[thread]);
    }
    bool violated = false;
    for (unsigned now = 0; now < trace->count; now++) {
        struct verdict verdict = judge(&reference, now);
        bool closes = tell(&checked, now);
        if (!violated)
            assert_int_equal(closes, verdict.closes);
        assert_true(closes ? verdict.closes : !verdict.closes_newly);
        if (closes && !violated)
            check_report(&checked, now, &verdict, totals);
        violated |= closes;
    }
    uint32_t cyclic = 0;
    for (unsigned transaction = 0; transaction < reference.transactions; transaction++)
        cyclic |= reference.after[transaction] & 1u << transaction;
    assert_int_equal(violated, cyclic != 0);
    for (unsigned thread = 0; thread < trace->threads; thread++)
        for (unsigned depth = 0; depth < DEPTH_MAX; depth++)
            transactions_end(checked.transactions, checked.threads[thread]);
    struct transactions_counts counts;
    transactions_counts(checked.transactions, &counts);
    assert_int_equal(counts.steps, 0);
    assert_int_equal(counts.lost, 0);
    assert_int_equal(counts.refused, 0);
    transactions_free(checked.transactions);
}

static void test_random_traces(void **state)
{
    (void)state;
    uint64_t random = 20240611;
    struct totals totals = {0};
    for (unsigned number = 0; number < TRACES; number++) {
        struct trace trace;
        random_trace(&trace, &random);
        check_trace(&trace, number % 2, &totals);
    }
    print_message("%u traces, %u with a cycle; first report: %u with an inner block, %u by more "
                  "than two conflicts, %u of %u known to be alone\n",
                  TRACES, totals.violated, totals.nested, totals.three, totals.known_alone,
                  totals.alone);
    /* The traces are worth something. */
    assert_true(totals.violated > TRACES / 20);
    assert_true(totals.violated < TRACES / 2);
    assert_true(totals.nested > TRACES / 100);
    assert_true(totals.three > TRACES / 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_traces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
