/*
 * The second pass: blocks are judged by how locks and variables were used in the first one. Only
 * what happens in a block is told, and of that only what can be other than a both-mover.
 */
#include "trace/analysis_internal.h"

bool analysis_begin_reduction(struct analysis *analysis)
{
    struct reduction_options options;
    reduction_options_default(&options);
    options.report = analysis_note_violation;
    options.context = analysis;
    mover_freeze(&analysis->movers);
    /* Who it was does not matter any more, only that there was somebody. */
    analysis->stand_in = engine_thread_start(analysis->order, NULL, UINT32_MAX);
    analysis->reduction = reduction_new(&options, &analysis->movers);
    return analysis->reduction;
}

/* The locks of a thread, as sets. */
static void find_locksets(struct analysis *analysis, struct analysis_thread *thread,
                          uint32_t number)
{
    struct lockset_table *locksets = analysis->rules.locksets;
    const struct trace_held *held = &analysis->check.held;
    thread->any = thread->exclusive = thread->shared = LOCKSET_EMPTY;
    thread->locks_known = true;
    if (number >= held->threads.count)
        return;
    const struct trace_held_list *list = &held->threads.items[number];
    for (size_t i = 0; i < list->locks.count; i++) {
        const struct trace_held_lock *lock = &list->locks.items[i];
        const uint32_t single = lockset_single(lock->lock);
        if (lock->exclusive)
            thread->exclusive = lockset_union(locksets, thread->exclusive, single);
        else if (lock->shared)
            thread->shared = lockset_union(locksets, thread->shared, single);
        if (lock->exclusive || lock->shared)
            thread->any = lockset_union(locksets, thread->any, single);
    }
}

static uint32_t lockset_of(struct analysis *analysis, struct analysis_thread *thread,
                           uint32_t number, bool write)
{
    if (!thread->locks_known)
        find_locksets(analysis, thread, number);
    return write ? thread->exclusive : thread->any;
}

static uint32_t shared_of(struct analysis *analysis, struct analysis_thread *thread,
                          uint32_t number)
{
    if (!thread->locks_known)
        find_locksets(analysis, thread, number);
    return thread->shared;
}

/* The event is of a time when one thread had the variable for itself. */
static bool is_alone_with(const struct analysis *analysis, const struct analysis_cell *cell)
{
    const struct analysis_settled *settled = &cell->settled;
    return analysis_is_in_phase(settled->first_until, settled->last_from, analysis->check.events);
}

static void access_variable(struct analysis *analysis, struct analysis_thread *thread,
                            const struct trace_event *event)
{
    const struct analysis_cell *cell = analysis_shared_cell(analysis, event->target);
    if (!cell || !(cell->stamp & ANALYSIS_CELL_OPEN) || is_alone_with(analysis, cell))
        return;
    const bool write = event->kind == TRACE_WRITE;
    const struct reduction_variable variable = {
        .facts = {VARIABLE_SHARED_MODIFIED, 0, cell->settled.access_set, cell->settled.write_set}};
    const struct reduction_place place = {
        .kind = write ? REDUCTION_WRITE : REDUCTION_READ,
        .object = trace_names_field_of(analysis->names, event->target),
        .key = event->target,
        .location = event->location,
        .stack = event->stack,
        .lockset = lockset_of(analysis, thread, event->thread, write),
        .shared = shared_of(analysis, thread, event->thread),
    };
    reduction_access(analysis->reduction, thread->reduction, &place, &variable);
}

/* The check has the lock counted already. */
static bool is_reentrant(const struct analysis *analysis, const struct trace_event *event)
{
    const struct trace_held_lock *held =
        trace_held_find(&analysis->check.held, event->thread, event->target);
    if (!held)
        return false;
    switch (event->kind) {
    case TRACE_ACQUIRE:
        return held->exclusive > 1;
    case TRACE_ACQUIRE_SHARED:
        return held->exclusive || held->shared > 1;
    case TRACE_RELEASE_SHARED:
        return held->exclusive || held->shared;
    default:
        return held->exclusive;
    }
}

/* The locks that the thread has beside the one of the event. For reports only: how locks are used
   is settled. */
static struct analysis_held other_locks(const struct analysis *analysis,
                                        const struct trace_event *event)
{
    const struct trace_held *held = &analysis->check.held;
    struct analysis_held others = {LOCKSET_EMPTY, LOCKSET_EMPTY};
    if (event->thread >= held->threads.count)
        return others;
    const struct trace_held_list *list = &held->threads.items[event->thread];
    for (size_t i = 0; i < list->locks.count; i++) {
        const struct trace_held_lock *lock = &list->locks.items[i];
        const uint32_t single = lockset_single(lock->lock);
        if (lock->lock == event->target || lock->waiting)
            continue;
        others.lockset = lockset_union(analysis->rules.locksets, others.lockset, single);
        if (!lock->exclusive)
            others.shared = lockset_union(analysis->rules.locksets, others.shared, single);
    }
    return others;
}

/* The same of a lock: it is thread-local, as far as anybody can tell. */
static bool is_local_lock(const struct analysis *analysis, uint32_t lock)
{
    const uint32_t needed = MOVER_THREAD_LOCAL_LOCKS | MOVER_THREAD_LOCAL_2_LOCKS;
    return lock < analysis->lock_uses.count && (analysis->rules.refinements & needed) == needed &&
           analysis_is_alone(&analysis->lock_uses.items[lock].phases, analysis->check.events);
}

static void use_lock(struct analysis *analysis, struct analysis_thread *thread,
                     const struct trace_event *event)
{
    const bool waits = event->kind == TRACE_WAIT || event->kind == TRACE_WAITED;
    if (!waits && is_local_lock(analysis, event->target))
        return;
    const struct analysis_held others = other_locks(analysis, event);
    const struct reduction_place place = {.object = event->target,
                                          .location = event->location,
                                          .stack = event->stack,
                                          .lockset = others.lockset,
                                          .shared = others.shared};
    switch (event->kind) {
    case TRACE_ACQUIRE:
    case TRACE_ACQUIRE_SHARED:
        reduction_acquire(analysis->reduction, thread->reduction, &place,
                          is_reentrant(analysis, event));
        break;
    case TRACE_RELEASE:
    case TRACE_RELEASE_SHARED:
        reduction_release(analysis->reduction, thread->reduction, &place,
                          is_reentrant(analysis, event));
        break;
    case TRACE_WAIT:
        reduction_wait_begin(analysis->reduction, thread->reduction, &place);
        break;
    default:
        reduction_wait_end(analysis->reduction, thread->reduction, &place);
        break;
    }
}

static void tell_step(struct analysis *analysis, struct analysis_thread *thread,
                      const struct trace_event *event, enum reduction_kind kind)
{
    const struct reduction_place place = {
        .kind = kind,
        .object = event->target,
        .location = event->location,
        .stack = event->stack,
        .lockset = lockset_of(analysis, thread, event->thread, false),
        .shared = shared_of(analysis, thread, event->thread),
    };
    reduction_step(analysis->reduction, thread->reduction, &place);
}

/* ---- calls of the library ---- */

/*
 * One call of a class that orders threads, such as a concurrent map, an atomic number or a Vector,
 * may be several events, one behind the other, at one place. It counts as one step: none of the
 * events says more than that the call does something that others see. If the class has a lock of
 * its own, what the call does to that lock is all that counts. So a step is told when the call is
 * known to be over.
 *
 * What was released first, then acquired, and is released again, is so by another call: a loop came
 * round.
 */
bool analysis_is_same_call(const struct trace_event *first, const struct trace_event *event)
{
    return first->thread && first->stack == event->stack && first->location == event->location &&
           (first->location || first->target == event->target);
}

/* The call has called the program back, and this is something that the program does there. */
static bool is_in_call(const struct analysis *analysis, const struct trace_event *call,
                       const struct trace_event *event)
{
    uint32_t stack = event->stack;
    if (!call->thread || !call->stack || stack == call->stack)
        return false;
    /* A caller has a smaller number. */
    while (stack > call->stack)
        stack = trace_names_stack(analysis->names, stack).parent;
    return stack == call->stack;
}

static void finish_call(struct analysis *analysis, struct analysis_thread *thread)
{
    if (thread->synced.thread && thread->reduction)
        tell_step(analysis, thread, &thread->synced, REDUCTION_SYNC);
    thread->synced.thread = 0;
    thread->locked_at = 0;
}

static void synchronize(struct analysis *analysis, struct analysis_thread *thread,
                        const struct trace_event *event)
{
    if (thread->locked_at && thread->locked_at == event->location)
        return;
    const bool first =
        event->target == thread->synced.target && thread->synced.kind == TRACE_SYNC_RELEASE;
    if (analysis_is_same_call(&thread->synced, event) &&
        !(first && thread->synced_back && event->kind == TRACE_SYNC_RELEASE)) {
        thread->synced_back |= first && event->kind == TRACE_SYNC_ACQUIRE;
        return;
    }
    finish_call(analysis, thread);
    thread->synced = *event;
    thread->synced_back = false;
}

static void lock(struct analysis *analysis, struct analysis_thread *thread,
                 const struct trace_event *event)
{
    if (thread->synced.location && analysis_is_same_call(&thread->synced, event))
        thread->synced.thread = 0;
    finish_call(analysis, thread);
    thread->locked_at = event->location;
    thread->locks_known = false;
    if (event->target)
        use_lock(analysis, thread, event);
}

static void enter(struct analysis *analysis, struct analysis_thread *thread,
                  const struct trace_event *event)
{
    const struct reduction_place place = {
        .location = event->location,
        .stack = event->stack,
        .lockset = lockset_of(analysis, thread, event->thread, false),
        .shared = shared_of(analysis, thread, event->thread),
    };
    if (!thread->reduction && thread->order)
        thread->reduction =
            reduction_thread_start(analysis->reduction, analysis->stand_in, event->thread);
    reduction_enter(analysis->reduction, thread->reduction, analysis_block(event), &place);
}

static void leave(struct analysis *analysis, struct analysis_thread *thread)
{
    reduction_exit(analysis->reduction, thread->reduction);
    if (reduction_depth(thread->reduction))
        return;
    reduction_thread_end(analysis->reduction, thread->reduction);
    thread->reduction = NULL;
}

static void other_event(struct analysis *analysis, struct analysis_thread *thread,
                        const struct trace_event *event)
{
    switch (event->kind) {
    case TRACE_BEGIN:
        finish_call(analysis, thread);
        enter(analysis, thread, event);
        break;
    case TRACE_END:
        finish_call(analysis, thread);
        leave(analysis, thread);
        break;
    case TRACE_FORK:
    case TRACE_JOIN:
        finish_call(analysis, thread);
        if (thread->reduction)
            tell_step(analysis, thread, event,
                      event->kind == TRACE_FORK ? REDUCTION_START : REDUCTION_JOIN);
        break;
    case TRACE_SYNC_RELEASE:
    case TRACE_SYNC_ACQUIRE:
        if (analysis_is_noticed(analysis, event) && thread->reduction)
            synchronize(analysis, thread, event);
        break;
    default:
        if (thread->reduction)
            lock(analysis, thread, event);
        else
            thread->locks_known = false;
        break;
    }
}

void analysis_second(struct analysis *analysis, const struct trace_event *event)
{
    /* All threads are there from the first pass. */
    if (event->thread >= analysis->threads.count)
        return;
    struct analysis_thread *thread = &analysis->threads.items[event->thread];
    analysis_note_release(thread, event->kind);
    if (event->kind >= TRACE_TRY)
        return; /* says something about the order of locks, or about that of accesses, only */
    if (event->kind <= TRACE_WRITE && analysis_is_unshared(analysis, thread, event))
        return;
    if (analysis->blocks)
        analysis_tell_blocks(analysis, event);
    if (analysis->transactions)
        analysis_tell_cycles(analysis, event);
    if (!analysis->reduction)
        return;
    if (event->kind > TRACE_WRITE) {
        other_event(analysis, thread, event);
    } else if (thread->reduction) {
        if (!is_in_call(analysis, &thread->synced, event))
            finish_call(analysis, thread);
        access_variable(analysis, thread, event);
    }
}

void analysis_second_ahead(struct analysis *analysis, const struct trace_source *source)
{
    const struct trace_event *far = trace_peek(source, ANALYSIS_AHEAD);
    if (far && far->kind <= TRACE_WRITE)
        analysis_prefetch(&analysis->cells, far->target, sizeof(struct analysis_cell));
}
