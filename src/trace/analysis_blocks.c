/*
 * The second pass: what happens to contended variables, in the light of the locks around it. The
 * order of everything but locks is kept by an engine that is told of nothing else.
 */
#include "trace/analysis_internal.h"

bool analysis_begin_blocks(struct analysis *analysis)
{
    struct engine_options order;
    struct blocks_options options;
    engine_options_default(&order);
    order.variables = VARIABLE_CHUNK;
    order.locks = 1024;
    analysis->again = engine_new(&order);
    if (!analysis->again)
        return false;
    blocks_options_default(&options);
    options.clocks = engine_clocks(analysis->again);
    options.report = analysis_note_blocks;
    options.context = analysis;
    analysis->blocks = blocks_new(&options);
    return analysis->blocks;
}

static void end_thread(struct analysis *analysis, struct analysis_thread *thread)
{
    if (!thread->blocks || thread->blocks_over)
        return;
    thread->blocks_over = true;
    blocks_thread_end(analysis->blocks, thread->blocks);
    engine_thread_end(analysis->again, thread->again);
    thread->blocks = NULL;
}

void analysis_end_blocks(struct analysis *analysis)
{
    for (size_t i = 0; i < analysis->threads.count; i++)
        end_thread(analysis, &analysis->threads.items[i]);
    if (analysis->blocks)
        blocks_free(analysis->blocks);
    engine_free(analysis->again);
    analysis->blocks = NULL;
    analysis->again = NULL;
}

static void start_thread(struct analysis *analysis, uint32_t number, struct thread *parent)
{
    struct analysis_thread *thread = &analysis->threads.items[number];
    if (thread->again)
        return;
    thread->again = engine_thread_start(analysis->again, parent, number);
    if (!thread->again)
        return;
    const struct clock_view now = thread_ordered(thread->again);
    thread->again_birth = engine_thread_birth(thread->again);
    thread->blocks = blocks_thread_start(analysis->blocks, number, &now);
}

/* What the thread knows or has released has changed. */
static void tell_order(struct analysis *analysis, const struct analysis_thread *thread)
{
    const struct clock_view now = thread_ordered(thread->again);
    blocks_order(analysis->blocks, thread->blocks, &now);
}

static void tell_others(struct analysis *analysis, struct analysis_thread *thread,
                        const struct trace_event *event)
{
    struct analysis_thread *other =
        event->target < analysis->threads.count ? &analysis->threads.items[event->target] : NULL;
    switch (event->kind) {
    case TRACE_SYNC_RELEASE:
        engine_sync_release(analysis->again, thread->again, event->target);
        break;
    case TRACE_SYNC_ACQUIRE:
        engine_sync_acquire(analysis->again, thread->again, event->target);
        break;
    case TRACE_FORK:
        if (other)
            start_thread(analysis, event->target, thread->again);
        break;
    default:
        if (!other || !other->again)
            return;
        end_thread(analysis, other);
        engine_thread_join(analysis->again, thread->again, other->again, other->again_birth);
        break;
    }
    tell_order(analysis, thread);
}

static void end_wait(struct analysis *analysis, struct analysis_thread *thread)
{
    if (thread->blocks_waits)
        blocks_wait_end(analysis->blocks, thread->blocks, thread->blocks_waits,
                        thread->blocks_times);
    thread->blocks_waits = 0;
}

/* What locks hand over nobody can come between, though they do not guard it. */
static bool is_looked_at(const struct analysis *analysis, uint32_t variable)
{
    const struct analysis_cell *cell = analysis_shared_cell(analysis, variable);
    return cell && !(cell->stamp & ANALYSIS_CELL_HANDED);
}

static void tell_lock(struct analysis *analysis, struct analysis_thread *thread,
                      const struct trace_event *event)
{
    switch (event->kind) {
    case TRACE_ACQUIRE:
    case TRACE_ACQUIRE_SHARED:
        blocks_acquire(analysis->blocks, thread->blocks, event->target,
                       event->kind == TRACE_ACQUIRE_SHARED);
        break;
    case TRACE_RELEASE:
    case TRACE_RELEASE_SHARED:
        blocks_release(analysis->blocks, thread->blocks, event->target,
                       event->kind == TRACE_RELEASE_SHARED);
        break;
    case TRACE_WAIT:
        thread->blocks_times = blocks_wait_begin(analysis->blocks, thread->blocks, event->target);
        thread->blocks_waits = event->target;
        break;
    default:
        break;
    }
}

void analysis_tell_blocks(struct analysis *analysis, const struct trace_event *event)
{
    struct analysis_thread *thread = &analysis->threads.items[event->thread];
    const struct blocks_place place = {event->location, event->stack};
    if (!thread->again)
        start_thread(analysis, event->thread, NULL);
    if (!thread->blocks)
        return;
    /* Whoever does something has waited. */
    end_wait(analysis, thread);
    switch (event->kind) {
    case TRACE_READ:
    case TRACE_WRITE:
        if (is_looked_at(analysis, event->target))
            blocks_access(analysis->blocks, thread->blocks, event->target,
                          trace_names_field_of(analysis->names, event->target),
                          event->kind == TRACE_WRITE, place);
        break;
    case TRACE_BEGIN:
        blocks_begin(analysis->blocks, thread->blocks, analysis_block(event), place);
        break;
    case TRACE_END:
        blocks_end(analysis->blocks, thread->blocks);
        break;
    case TRACE_SYNC_RELEASE:
    case TRACE_SYNC_ACQUIRE:
    case TRACE_FORK:
    case TRACE_JOIN:
        if (event->target)
            tell_others(analysis, thread, event);
        break;
    default:
        if (event->target)
            tell_lock(analysis, thread, event);
        break;
    }
}
