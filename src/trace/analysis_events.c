/*
 * The first pass: races, the order of locks, and how locks and variables are used.
 */
#include "engine/inline.h"
#include "trace/analysis_internal.h"

static inline uint64_t *word_of(struct analysis *analysis, uint32_t variable)
{
    uint64_t *word = analysis_page_at(&analysis->words, variable, sizeof *word);
    return word ? word : analysis_page_item(&analysis->words, variable, sizeof *word);
}

/* True if the engine had been told the same before, by the same thread in the same segment. */
static bool look_for_races(struct analysis *analysis, struct analysis_thread *thread,
                           const struct trace_event *event, bool write)
{
    uint64_t *word = word_of(analysis, event->target);
    if (!word) {
        analysis->no_memory = true;
        return true;
    }
    if (engine_is_repeated(thread->race, *word, write))
        return true;
    if (engine_is_seen_holding(analysis->racer, thread->race, *word, write))
        return false;
    const struct engine_access access = {
        .field = trace_names_field_of(analysis->names, event->target),
        .key = event->target,
        .location = event->location,
        .stack = event->stack,
        .write = write,
    };
    *word = engine_access(analysis->racer, thread->race, &access, *word, NULL);
    return false;
}

static void access_variable(struct analysis *analysis, struct analysis_thread *thread,
                            const struct trace_event *event)
{
    const bool write = event->kind == TRACE_WRITE;
    bool repeated = false;
    if (!event->target)
        return;
    if (thread->race && analysis->options.races)
        repeated = look_for_races(analysis, thread, event, write);
    if (!thread->order || !analysis->uses)
        return;
    if (analysis_is_unshared(analysis, thread, event))
        return;
    /* Whenever a segment begins for `order`, one does for `race`, if that has clocks. But if the
       thread has learned something in it, it may be alone with the variable since. */
    repeated &= analysis->options.mode != ENGINE_LOCKSET &&
                thread->learned != thread_segment(thread->order);
    if (!repeated)
        analysis_use_variable(analysis, thread, event);
}

static struct clock_view now_of(const struct analysis_thread *thread)
{
    return thread_ordered(thread->order);
}

/* How often the thread has the lock in that mode. */
static uint32_t times_held(const struct analysis_thread *thread, uint32_t lock, bool shared)
{
    const struct thread_held *held = thread->order ? thread_find_held(thread->order, lock) : NULL;
    if (!held)
        return 0;
    return shared ? held->shared : held->exclusive;
}

/* Nobody else notices: who has a lock for itself may share it with itself. */
static bool is_reentrant(const struct analysis_thread *thread, uint32_t lock, bool shared)
{
    return times_held(thread, lock, false) || (shared && times_held(thread, lock, true));
}

/* Whether it matters how the thread uses the lock now, as far as reduction is concerned. */
static bool is_use(const struct analysis *analysis, const struct analysis_thread *thread,
                   const struct trace_event *event, bool acquire)
{
    return analysis->options.reduction && thread->order &&
           !analysis_is_lock_told(analysis, thread, event, acquire);
}

/* The locks that the thread has for itself count. */
static struct analysis_held held_by(struct analysis *analysis, const struct analysis_thread *thread)
{
    return (struct analysis_held){engine_lockset(analysis->order, thread->order, true),
                                  engine_shared(analysis->order, thread->order)};
}

/* After the lock was given up. */
static void use_released(struct analysis *analysis, struct analysis_thread *thread,
                         const struct trace_event *event)
{
    if (is_use(analysis, thread, event, false))
        analysis_use_lock(analysis, thread, event, held_by(analysis, thread), false);
}

static void order_locks(struct analysis *analysis, struct analysis_thread *thread,
                        const struct trace_event *event, bool shared)
{
    const struct lock_order_acquire acquire = {event->target, event->location, event->stack,
                                               shared ? LOCK_ORDER_SHARED : LOCK_ORDER_EXCLUSIVE};
    if (!thread->lock_order)
        return;
    const struct clock_view now = now_of(thread);
    lock_order_acquired(analysis->lock_order, thread->lock_order, &acquire,
                        thread->tried != event->target, &now);
}

/* What a thread waits for at the end of the trace. */
static void want(struct analysis *analysis, struct analysis_thread *thread,
                 const struct trace_event *event)
{
    const struct lock_order_acquire acquire = {event->target, event->location, event->stack,
                                               LOCK_ORDER_EXCLUSIVE};
    if (!thread->lock_order)
        return;
    const struct clock_view now = now_of(thread);
    lock_order_wanted(analysis->lock_order, thread->lock_order, &acquire, &now);
}

static void acquire(struct analysis *analysis, struct analysis_thread *thread,
                    const struct trace_event *event)
{
    const bool shared = event->kind == TRACE_ACQUIRE_SHARED;
    const enum thread_lock_mode mode = shared ? THREAD_SHARED : THREAD_EXCLUSIVE;
    const bool use =
        !is_reentrant(thread, event->target, shared) && is_use(analysis, thread, event, true);
    const struct analysis_held held =
        use ? held_by(analysis, thread) : (struct analysis_held){LOCKSET_ALL, LOCKSET_EMPTY};
    if (analysis->racer)
        engine_lock_acquire(analysis->racer, thread->race, event->target, mode);
    if (analysis->order != analysis->racer)
        engine_lock_acquire(analysis->order, thread->order, event->target, mode);
    order_locks(analysis, thread, event, shared);
    thread->tried = 0;
    if (use)
        analysis_use_lock(analysis, thread, event, held, true);
}

static void release(struct analysis *analysis, struct analysis_thread *thread,
                    const struct trace_event *event)
{
    const bool shared = event->kind == TRACE_RELEASE_SHARED;
    const enum thread_lock_mode mode = shared ? THREAD_SHARED : THREAD_EXCLUSIVE;
    if (thread->lock_order)
        lock_order_released(analysis->lock_order, thread->lock_order, event->target,
                            shared ? LOCK_ORDER_SHARED : LOCK_ORDER_EXCLUSIVE);
    if (analysis->racer)
        engine_lock_release(analysis->racer, thread->race, event->target, mode);
    if (analysis->order != analysis->racer)
        engine_lock_release(analysis->order, thread->order, event->target, mode);
    if (!is_reentrant(thread, event->target, shared))
        use_released(analysis, thread, event);
}

static void begin_wait(struct analysis *analysis, struct analysis_thread *thread,
                       const struct trace_event *event)
{
    if (thread->lock_order)
        thread->lock_order_times =
            lock_order_wait_begin(analysis->lock_order, thread->lock_order, event->target);
    if (analysis->racer)
        thread->race_times = engine_wait_begin(analysis->racer, thread->race, event->target);
    if (analysis->order != analysis->racer)
        thread->order_times = engine_wait_begin(analysis->order, thread->order, event->target);
    use_released(analysis, thread, event);
}

static void end_wait(struct analysis *analysis, struct analysis_thread *thread,
                     const struct trace_event *event)
{
    const bool use = is_use(analysis, thread, event, true);
    const struct analysis_held held =
        use ? held_by(analysis, thread) : (struct analysis_held){LOCKSET_ALL, LOCKSET_EMPTY};
    if (analysis->racer)
        engine_wait_end(analysis->racer, thread->race, event->target, thread->race_times);
    if (analysis->order != analysis->racer)
        engine_wait_end(analysis->order, thread->order, event->target, thread->order_times);
    if (thread->lock_order) {
        const struct lock_order_acquire acquire = {event->target, event->location, event->stack,
                                                   LOCK_ORDER_EXCLUSIVE};
        const struct clock_view now = now_of(thread);
        lock_order_wait_end(analysis->lock_order, thread->lock_order, &acquire,
                            thread->lock_order_times, &now);
    }
    if (use)
        analysis_use_lock(analysis, thread, event, held, true);
}

static void tell_lock(struct analysis *analysis, struct analysis_thread *thread,
                      const struct trace_event *event)
{
    if (!event->target)
        return;
    switch (event->kind) {
    case TRACE_ACQUIRE:
    case TRACE_ACQUIRE_SHARED:
        acquire(analysis, thread, event);
        break;
    case TRACE_RELEASE:
    case TRACE_RELEASE_SHARED:
        release(analysis, thread, event);
        break;
    case TRACE_WAIT:
        begin_wait(analysis, thread, event);
        break;
    default:
        end_wait(analysis, thread, event);
        break;
    }
}

static void add_user(struct analysis_sync *sync, uint32_t thread)
{
    for (uint32_t i = 0; i < sync->user_count && i < ANALYSIS_SYNC_USERS; i++)
        if (sync->users[i] == thread)
            return;
    if (sync->user_count < ANALYSIS_SYNC_USERS)
        sync->users[sync->user_count] = thread;
    if (sync->user_count <= ANALYSIS_SYNC_USERS)
        sync->user_count++;
}

/* Whether the thread has joined all others that have used it. */
static bool is_left(const struct analysis *analysis, const struct analysis_sync *sync,
                    uint32_t thread)
{
    for (uint32_t i = 0; i < sync->user_count && i < ANALYSIS_SYNC_USERS; i++)
        if (sync->users[i] != thread && analysis->threads.items[sync->users[i]].joined_by != thread)
            return false;
    return sync->user_count <= ANALYSIS_SYNC_USERS;
}

/* Before the event itself has ordered anything. */
static void use_sync(struct analysis *analysis, const struct analysis_thread *thread,
                     const struct trace_event *event)
{
    const struct mover_user user = mover_user_of(thread->order);
    while (analysis->sync_uses.count <= event->target) {
        const struct analysis_sync unused = {.last_release = 0};
        if (!vector_push(&analysis->sync_uses, unused))
            return; /* then it counts as noticed */
    }
    struct analysis_sync *sync = &analysis->sync_uses.items[event->target];
    analysis_note_phase(analysis, &sync->phases, event, &user, MOVER_LOCAL_2, false);
    add_user(sync, event->thread);
    if (!is_left(analysis, sync, event->thread))
        sync->phases.last_from = 0;
    else if (!sync->phases.last_from)
        sync->phases.last_from = analysis->check.events;
    if (event->kind == TRACE_SYNC_RELEASE)
        sync->last_release = analysis->check.events;
}

/* What the second pass is going to make of the two: see analysis_cycles.c. */
static void look_for_one_step(struct analysis *analysis, struct analysis_thread *thread,
                              const struct trace_event *event)
{
    if (event->kind == TRACE_SYNC_RELEASE)
        thread->written = *event;
    else
        analysis->at_once |= analysis_is_same_call(&thread->written, event);
}

bool analysis_is_noticed(const struct analysis *analysis, const struct trace_event *event)
{
    if (event->target >= analysis->sync_uses.count)
        return true;
    const struct analysis_sync *sync = &analysis->sync_uses.items[event->target];
    return sync->phases.first_until && sync->last_release >= sync->phases.first_until &&
           !analysis_is_alone(&sync->phases, analysis->check.events);
}

static void synchronize(struct analysis *analysis, struct analysis_thread *thread,
                        const struct trace_event *event)
{
    const bool release = event->kind == TRACE_SYNC_RELEASE;
    if (!event->target)
        return;
    if (analysis->uses) {
        use_sync(analysis, thread, event);
        look_for_one_step(analysis, thread, event);
    }
    if (analysis->racer && release)
        engine_sync_release(analysis->racer, thread->race, event->target);
    else if (analysis->racer)
        engine_sync_acquire(analysis->racer, thread->race, event->target);
    if (analysis->order != analysis->racer && release)
        engine_sync_release(analysis->order, thread->order, event->target);
    else if (analysis->order != analysis->racer)
        engine_sync_acquire(analysis->order, thread->order, event->target);
    if (thread->order && !release)
        thread->learned = thread_segment(thread->order);
    analysis_begin_age(analysis, thread);
}

/* A monitor whose every section hands over and takes over would be in perfect order for those who
   look at how it is used, itself and what it guards. So `order` is not told, but that the segment
   ends. */
static void hand_over(struct analysis *analysis, struct analysis_thread *thread,
                      const struct trace_event *event)
{
    const uint32_t sync = event->target | ANALYSIS_HANDED_OVER;
    if (event->target && analysis_must_begin_again(analysis))
        analysis->begin_again = true;
    if (!event->target || !analysis->racer || analysis->begin_again)
        return;
    if (event->kind == TRACE_TAKE_OVER) {
        engine_sync_acquire(analysis->racer, thread->race, sync);
        return;
    }
    analysis_begin_hand_over(analysis);
    engine_sync_release(analysis->racer, thread->race, sync);
    if (analysis->order != analysis->racer)
        engine_sync_release(analysis->order, thread->order, sync);
}

/* Threads move when others come. */
static void fork(struct analysis *analysis, const struct trace_event *event)
{
    if (event->target)
        analysis_start_thread(analysis, event->target, event);
    analysis_begin_age(analysis, &analysis->threads.items[event->thread]);
}

/* What the thread does now may be alone with what it used before, too: it must be told again. */
static void begin_segment(struct analysis *analysis, struct analysis_thread *thread)
{
    if (thread->order)
        thread_new_segment(thread->order, false);
    if (thread->race && analysis->order != analysis->racer)
        thread_new_segment(thread->race, false);
}

static void join(struct analysis *analysis, struct analysis_thread *thread,
                 const struct trace_event *event)
{
    if (event->target >= analysis->threads.count)
        return;
    struct analysis_thread *child = &analysis->threads.items[event->target];
    if (!child->started)
        return;
    analysis_end_thread(analysis, child);
    if (!child->joined_by)
        child->joined_by = event->thread;
    if (analysis->racer)
        engine_thread_join(analysis->racer, thread->race, child->race, child->race_birth);
    if (analysis->order != analysis->racer)
        engine_thread_join(analysis->order, thread->order, child->order, child->order_birth);
    if (analysis->uses)
        begin_segment(analysis, thread);
    analysis_begin_age(analysis, thread);
}

void analysis_first(struct analysis *analysis, const struct trace_event *event)
{
    struct analysis_thread *thread = analysis_thread(analysis, event->thread);
    if (!thread)
        return;
    analysis_note_release(thread, event->kind);
    switch (event->kind) {
    case TRACE_READ:
    case TRACE_WRITE:
        analysis->result->counts.accesses++;
        access_variable(analysis, thread, event);
        break;
    case TRACE_SYNC_RELEASE:
    case TRACE_SYNC_ACQUIRE:
        synchronize(analysis, thread, event);
        break;
    case TRACE_FORK:
        fork(analysis, event);
        break;
    case TRACE_JOIN:
        join(analysis, thread, event);
        break;
    case TRACE_BEGIN:
        analysis->result->counts.blocks++;
        break;
    case TRACE_END:
        break;
    case TRACE_TRY:
        thread->tried = event->target;
        break;
    case TRACE_HAND_OVER:
    case TRACE_TAKE_OVER:
        hand_over(analysis, thread, event);
        break;
    case TRACE_WANT:
        want(analysis, thread, event);
        break;
    default:
        tell_lock(analysis, thread, event);
        break;
    }
}

/* ---- what is going to be needed ---- */

/* The memory of a variable is nowhere near that of the one before, and there are many. It is asked
   for while other events are looked at: first its word and cell, then what they refer to. */
void analysis_first_ahead(struct analysis *analysis, const struct trace_source *source)
{
    const struct trace_event *far = trace_peek(source, 2 * ANALYSIS_AHEAD);
    const struct trace_event *near = trace_peek(source, ANALYSIS_AHEAD);
    if (far && far->kind <= TRACE_WRITE) {
        analysis_prefetch(&analysis->words, far->target, sizeof(uint64_t));
        if (analysis->uses)
            analysis_prefetch(&analysis->cells, far->target, sizeof(struct analysis_cell));
    }
    if (near && near->kind <= TRACE_WRITE && analysis->options.races) {
        const uint64_t *word = analysis_page_at(&analysis->words, near->target, sizeof *word);
        if (word)
            engine_prefetch(analysis->racer, *word);
    }
}
