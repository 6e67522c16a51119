/*
 * The second pass: whether the trace itself has a cycle of transactions. Variables that are not
 * contended are not told of: they have no edges, or such as start, join and the like make anyway.
 *
 * Nor are those that locks guard: where there is an edge from one access to another, there is a way
 * from the first one's release of the guard, which is in its transaction or in what its thread does
 * later, to the second one's acquire of it. So there is a cycle if there would be one with them,
 * too; only, where a third thread had the lock in between, another block on it may be blamed.
 */
#include "trace/analysis_internal.h"

bool analysis_begin_cycles(struct analysis *analysis)
{
    struct transactions_options options;
    transactions_options_default(&options);
    options.report = analysis_note_cycle;
    options.context = analysis;
    for (size_t i = 0; i < analysis->threads.count; i++)
        analysis->threads.items[i].written.thread = 0;
    analysis->transactions = transactions_new(&options);
    return analysis->transactions;
}

static void start_thread(struct analysis *analysis, uint32_t number,
                         struct transactions_thread *parent)
{
    struct analysis_thread *thread = &analysis->threads.items[number];
    if (thread->transactions_begun)
        return;
    thread->transactions_begun = true;
    thread->transactions = transactions_thread_start(analysis->transactions, parent, number,
                                                     thread->start_location, thread->start_stack);
    if (thread->transactions)
        thread->transactions_birth = transactions_thread_birth(thread->transactions);
    else
        analysis->forgotten++;
}

static void perform(struct analysis *analysis, const struct analysis_thread *thread,
                    const struct trace_event *event, enum transactions_kind kind)
{
    transactions_perform(analysis->transactions, thread->transactions, kind, event->target,
                         event->location, event->stack);
}

static void join(struct analysis *analysis, const struct analysis_thread *thread,
                 const struct trace_event *event)
{
    struct analysis_thread *child = &analysis->threads.items[event->target];
    if (!child->transactions)
        return;
    if (!child->transactions_over)
        transactions_thread_end(analysis->transactions, child->transactions);
    child->transactions_over = true;
    transactions_thread_join(analysis->transactions, thread->transactions, child->transactions,
                             child->transactions_birth, event->location, event->stack);
}

/* What one call releases and acquires it does at once: others cannot have come between. */
static void synchronize(struct analysis *analysis, struct analysis_thread *thread,
                        const struct trace_event *event)
{
    if (event->kind == TRACE_SYNC_RELEASE) {
        perform(analysis, thread, event, TRANSACTIONS_SYNC_RELEASE);
        thread->written = *event;
    } else if (!analysis_is_same_call(&thread->written, event)) {
        perform(analysis, thread, event, TRANSACTIONS_SYNC_ACQUIRE);
    }
}

static void tell_other(struct analysis *analysis, struct analysis_thread *thread,
                       const struct trace_event *event)
{
    static const enum transactions_kind kinds[TRACE_KIND_COUNT] = {
        [TRACE_ACQUIRE] = TRANSACTIONS_ACQUIRE,
        [TRACE_RELEASE] = TRANSACTIONS_RELEASE,
        [TRACE_ACQUIRE_SHARED] = TRANSACTIONS_ACQUIRE_SHARED,
        [TRACE_RELEASE_SHARED] = TRANSACTIONS_RELEASE_SHARED,
        [TRACE_WAIT] = TRANSACTIONS_RELEASE,
        [TRACE_WAITED] = TRANSACTIONS_ACQUIRE,
    };
    const bool known = event->target < analysis->threads.count;
    if (!event->target)
        return;
    if (event->kind == TRACE_FORK && known)
        start_thread(analysis, event->target, thread->transactions);
    else if (event->kind == TRACE_JOIN && known)
        join(analysis, thread, event);
    else if (event->kind == TRACE_SYNC_RELEASE || event->kind == TRACE_SYNC_ACQUIRE)
        synchronize(analysis, thread, event);
    else if (event->kind != TRACE_FORK && event->kind != TRACE_JOIN)
        perform(analysis, thread, event, kinds[event->kind]);
    /* What follows the wait is another transaction. */
    if (event->kind == TRACE_WAIT)
        transactions_split(analysis->transactions, thread->transactions);
}

static bool is_looked_at(const struct analysis *analysis, uint32_t variable)
{
    const struct analysis_cell *cell = analysis_shared_cell(analysis, variable);
    return cell && !(cell->stamp & ANALYSIS_CELL_GUARDED);
}

void analysis_tell_cycles(struct analysis *analysis, const struct trace_event *event)
{
    struct analysis_thread *thread = &analysis->threads.items[event->thread];
    if (!thread->transactions_begun)
        start_thread(analysis, event->thread, NULL);
    if (!thread->transactions || thread->transactions_over)
        return;
    switch (event->kind) {
    case TRACE_READ:
    case TRACE_WRITE:
        if (is_looked_at(analysis, event->target))
            perform(analysis, thread, event,
                    event->kind == TRACE_WRITE ? TRANSACTIONS_WRITE : TRANSACTIONS_READ);
        break;
    case TRACE_BEGIN:
        transactions_begin(analysis->transactions, thread->transactions, analysis_block(event),
                           event->location, event->stack);
        break;
    case TRACE_END:
        transactions_end(analysis->transactions, thread->transactions);
        break;
    default:
        tell_other(analysis, thread, event);
        break;
    }
}
