#include "trace/trace_check.h"

#include <stdio.h>

#include "base/memory.h"

/* Why an event is impossible. */
enum fault {
    FAULT_NONE,
    FAULT_NO_MEMORY,
    FAULT_NO_THREAD,
    FAULT_JOINED,
    FAULT_HAS_RUN,
    FAULT_ITSELF,
    FAULT_NOT_HELD,
    FAULT_NOT_WAITING,
    FAULT_HELD,
    FAULT_NOT_BEGUN,
    FAULT_OTHER_BLOCK,
};

void trace_check_init(struct trace_check *check, const struct trace_names *names, bool lenient)
{
    *check = (struct trace_check){.lenient = lenient, .names = names, .any_end = names->plain};
    problem_clear(&check->problem);
}

void trace_check_release(struct trace_check *check)
{
    for (size_t i = 0; i < check->threads.count; i++)
        vector_release(&check->threads.items[i].blocks);
    vector_release(&check->threads);
    vector_release(&check->locks);
    vector_release(&check->fixed);
    trace_held_release(&check->held);
}

static bool is_lock(enum trace_kind kind)
{
    return kind >= TRACE_ACQUIRE && kind <= TRACE_WAITED;
}

/* Entries for all that the event speaks of. */
static bool make_room(struct trace_check *check, const struct trace_event *event)
{
    uint32_t thread = event->thread;
    if ((event->kind == TRACE_FORK || event->kind == TRACE_JOIN) && event->target > thread)
        thread = event->target;
    while (check->threads.count <= thread) {
        const struct trace_check_thread none = {0};
        if (!vector_push(&check->threads, none))
            return false;
    }
    while (is_lock(event->kind) && check->locks.count <= event->target) {
        const struct trace_check_lock none = {0};
        if (!vector_push(&check->locks, none))
            return false;
    }
    return true;
}

static enum fault judge_lock(const struct trace_check *check, const struct trace_event *event)
{
    const struct trace_check_lock *lock = &check->locks.items[event->target];
    const struct trace_held_lock *own = trace_held_find(&check->held, event->thread, event->target);
    const uint32_t other_sharers = lock->sharers - (own && own->shared ? 1 : 0);
    const bool other_owner = lock->owner && lock->owner != event->thread;
    if (event->target == 0)
        return FAULT_NONE;
    switch (event->kind) {
    case TRACE_ACQUIRE:
        return other_owner || other_sharers ? FAULT_HELD : FAULT_NONE;
    case TRACE_ACQUIRE_SHARED:
        return other_owner ? FAULT_HELD : FAULT_NONE;
    case TRACE_RELEASE:
    case TRACE_WAIT:
        return own && own->exclusive ? FAULT_NONE : FAULT_NOT_HELD;
    case TRACE_RELEASE_SHARED:
        return own && own->shared ? FAULT_NONE : FAULT_NOT_HELD;
    default:
        if (!own || !own->waiting)
            return FAULT_NOT_WAITING;
        return other_owner || other_sharers ? FAULT_HELD : FAULT_NONE;
    }
}

static enum fault judge_end(const struct trace_check *check, const struct trace_event *event)
{
    const struct trace_check_thread *thread = &check->threads.items[event->thread];
    if (thread->blocks.count == 0)
        return FAULT_NOT_BEGUN;
    const uint32_t innermost = vector_last(&thread->blocks);
    if (check->any_end || !event->target || !innermost || innermost == event->target)
        return FAULT_NONE;
    for (size_t i = 0; i < thread->blocks.count; i++)
        if (thread->blocks.items[i] == event->target)
            return FAULT_OTHER_BLOCK;
    return FAULT_NOT_BEGUN;
}

static enum fault judge(const struct trace_check *check, const struct trace_event *event)
{
    if (event->thread == 0)
        return FAULT_NO_THREAD;
    if (check->threads.items[event->thread].joined)
        return FAULT_JOINED;
    switch (event->kind) {
    case TRACE_FORK:
        if (event->target == event->thread)
            return FAULT_ITSELF;
        return event->target && check->threads.items[event->target].active ? FAULT_HAS_RUN
                                                                           : FAULT_NONE;
    case TRACE_JOIN:
        return event->target == event->thread ? FAULT_ITSELF : FAULT_NONE;
    case TRACE_END:
        return judge_end(check, event);
    default:
        return is_lock(event->kind) ? judge_lock(check, event) : FAULT_NONE;
    }
}

static bool apply_lock(struct trace_check *check, const struct trace_event *event)
{
    struct trace_check_lock *lock = &check->locks.items[event->target];
    if (event->target == 0)
        return true;
    struct trace_held_lock *own = trace_held_get(&check->held, event->thread, event->target);
    if (!own)
        return false;
    const bool shared = own->shared != 0;
    switch (event->kind) {
    case TRACE_ACQUIRE:
        own->exclusive++;
        break;
    case TRACE_RELEASE:
        own->exclusive--;
        break;
    case TRACE_ACQUIRE_SHARED:
        own->shared++;
        break;
    case TRACE_RELEASE_SHARED:
        own->shared--;
        break;
    case TRACE_WAIT:
        own->waiting = own->exclusive;
        own->exclusive = 0;
        break;
    default:
        own->exclusive = own->waiting;
        own->waiting = 0;
        break;
    }
    if (own->exclusive)
        lock->owner = event->thread;
    else if (lock->owner == event->thread)
        lock->owner = 0;
    lock->sharers += (own->shared != 0) - (uint32_t)shared;
    trace_held_drop(&check->held, event->thread, own);
    return true;
}

/* Nobody waits for a lock of a thread that has ended: such a lock counts as free. */
static void free_locks(struct trace_check *check, uint32_t thread)
{
    if (thread >= check->held.threads.count)
        return;
    struct trace_held_list *list = &check->held.threads.items[thread];
    for (size_t i = 0; i < list->locks.count; i++) {
        const struct trace_held_lock *entry = &list->locks.items[i];
        struct trace_check_lock *lock = &check->locks.items[entry->lock];
        if (lock->owner == thread)
            lock->owner = 0;
        if (entry->shared)
            lock->sharers--;
    }
    vector_clear(&list->locks);
}

/* A possible event happens. */
static bool apply(struct trace_check *check, const struct trace_event *event)
{
    struct trace_check_thread *thread = &check->threads.items[event->thread];
    thread->active = true;
    switch (event->kind) {
    case TRACE_FORK:
        if (event->target)
            check->threads.items[event->target].active = true;
        return true;
    case TRACE_JOIN:
        if (event->target) {
            check->threads.items[event->target].joined = true;
            free_locks(check, event->target);
        }
        return true;
    case TRACE_BEGIN:
        return vector_push(&thread->blocks, event->target);
    case TRACE_END:
        (void)vector_pop(&thread->blocks);
        return true;
    default:
        return !is_lock(event->kind) || apply_lock(check, event);
    }
}

static const char *kind_verb(enum trace_kind kind)
{
    switch (kind) {
    case TRACE_ACQUIRE:
    case TRACE_ACQUIRE_SHARED:
        return "acquires";
    case TRACE_WAIT:
        return "waits on";
    case TRACE_WAITED:
        return "has waited on";
    default:
        return "releases";
    }
}

/* The name, cut and printable, or the number if there is none. */
struct shown {
    char text[40];
};

static struct shown show(struct text name, uint32_t number)
{
    struct shown shown;
    if (name.length == 0) {
        snprintf(shown.text, sizeof shown.text, "%u", number);
        return shown;
    }
    const size_t length = name.length < 36 ? name.length : 36;
    for (size_t i = 0; i < length; i++)
        shown.text[i] = (char)(name.bytes[i] < ' ' || name.bytes[i] > '~' ? '?' : name.bytes[i]);
    shown.text[length] = 0;
    return shown;
}

static struct shown show_thread(const struct trace_check *check, uint32_t thread)
{
    return show(trace_names_thread(check->names, thread), thread);
}

/* Some thread other than that of the event that has its lock. */
static uint32_t find_holder(const struct trace_check *check, const struct trace_event *event)
{
    const uint32_t owner = check->locks.items[event->target].owner;
    if (owner && owner != event->thread)
        return owner;
    for (uint32_t thread = 1; thread < check->held.threads.count; thread++) {
        const struct trace_held_lock *entry = trace_held_find(&check->held, thread, event->target);
        if (thread != event->thread && entry && entry->shared)
            return thread;
    }
    return 0;
}

static void describe(const struct trace_check *check, const struct trace_event *event,
                     enum fault fault, char *to, size_t size)
{
    const struct shown thread = show_thread(check, event->thread);
    const struct shown target = show_thread(check, event->target);
    const struct shown lock = show(trace_names_lock(check->names, event->target), event->target);
    const char *verb = kind_verb(event->kind);
    switch (fault) {
    case FAULT_NO_THREAD:
        snprintf(to, size, "it has no thread");
        break;
    case FAULT_JOINED:
        snprintf(to, size, "thread %s was joined before, so it has ended", thread.text);
        break;
    case FAULT_HAS_RUN:
        snprintf(to, size, "thread %s forks thread %s, which has run already", thread.text,
                 target.text);
        break;
    case FAULT_ITSELF:
        snprintf(to, size, "thread %s %s itself", thread.text,
                 event->kind == TRACE_FORK ? "forks" : "joins");
        break;
    case FAULT_NOT_HELD:
        snprintf(to, size, "thread %s %s lock %s, which it does not hold", thread.text, verb,
                 lock.text);
        break;
    case FAULT_NOT_WAITING:
        snprintf(to, size, "thread %s %s lock %s, but did not wait", thread.text, verb, lock.text);
        break;
    case FAULT_HELD:
        snprintf(to, size, "thread %s %s lock %s, which thread %s holds", thread.text, verb,
                 lock.text, show_thread(check, find_holder(check, event)).text);
        break;
    case FAULT_NOT_BEGUN:
        snprintf(to, size, "thread %s ends a block that it did not begin", thread.text);
        break;
    case FAULT_OTHER_BLOCK:
        snprintf(to, size, "thread %s ends a block before the one that it began last", thread.text);
        break;
    default:
        snprintf(to, size, "there is no memory to check it");
        break;
    }
}

static void set_problem(struct trace_check *check, const struct trace_event *event, uint64_t line,
                        enum fault fault)
{
    char reason[200];
    if (check->problem.set && fault != FAULT_NO_MEMORY)
        return;
    problem_clear(&check->problem);
    describe(check, event, fault, reason, sizeof reason);
    if (line)
        problem_set(&check->problem, PROBLEM_NO_OFFSET, "line %llu: %s", (unsigned long long)line,
                    reason);
    else
        problem_set(&check->problem, PROBLEM_NO_OFFSET, "event %llu: %s",
                    (unsigned long long)check->events, reason);
}

/* The event happens, and goes into `fixed`. */
static bool fix(struct trace_check *check, const struct trace_event *event)
{
    return vector_push(&check->fixed, *event) && apply(check, event);
}

/* All others give back what keeps the event's thread from the lock. */
static bool fix_holders(struct trace_check *check, const struct trace_event *event)
{
    while (judge_lock(check, event) == FAULT_HELD) {
        const uint32_t holder = find_holder(check, event);
        const struct trace_held_lock *entry = trace_held_find(&check->held, holder, event->target);
        struct trace_event release = *event;
        release.thread = holder;
        release.kind = entry && entry->exclusive ? TRACE_RELEASE : TRACE_RELEASE_SHARED;
        release.location = release.stack = 0;
        if (!entry || !fix(check, &release))
            return false;
        check->added++;
    }
    return fix(check, event);
}

static bool fix_blocks(struct trace_check *check, const struct trace_event *event)
{
    const struct trace_check_thread *thread = &check->threads.items[event->thread];
    while (vector_last(&thread->blocks) != event->target) {
        struct trace_event end = *event;
        end.target = vector_last(&thread->blocks);
        if (!fix(check, &end))
            return false;
        check->added++;
    }
    return fix(check, event);
}

/* False when there is no memory. */
static bool repair(struct trace_check *check, const struct trace_event *event, enum fault fault)
{
    struct trace_event changed = *event;
    switch (fault) {
    case FAULT_HELD:
        return fix_holders(check, event);
    case FAULT_OTHER_BLOCK:
        return fix_blocks(check, event);
    case FAULT_NOT_WAITING:
        changed.kind = TRACE_ACQUIRE;
        check->changed++;
        return fix_holders(check, &changed);
    default:
        check->left_out++;
        return true;
    }
}

enum trace_check_result trace_check_event(struct trace_check *check,
                                          const struct trace_event *event, uint64_t line)
{
    check->events++;
    vector_clear(&check->fixed);
    enum fault fault = make_room(check, event) ? judge(check, event) : FAULT_NO_MEMORY;
    if (fault == FAULT_NONE) {
        if (apply(check, event))
            return TRACE_CHECK_FINE;
        fault = FAULT_NO_MEMORY;
    }
    if (fault != FAULT_NO_MEMORY) {
        set_problem(check, event, line, fault);
        if (!check->lenient)
            return TRACE_CHECK_IMPOSSIBLE;
        if (repair(check, event, fault))
            return TRACE_CHECK_FIXED;
    }
    set_problem(check, event, line, FAULT_NO_MEMORY);
    return TRACE_CHECK_NO_MEMORY;
}

/* What a source of checked events works on. */
struct checked {
    struct trace_source *inner;
    struct trace_check *check;
    size_t given; /* of `fixed` */
};

static void take_fixed(struct trace_source *source, struct checked *state)
{
    while (state->given < state->check->fixed.count && source->count < TRACE_BATCH)
        source->events[source->count++] = state->check->fixed.items[state->given++];
}

static void fill_checked(struct trace_source *source)
{
    struct checked *state = source->state;
    struct trace_event event;
    take_fixed(source, state);
    while (source->count < TRACE_BATCH) {
        const enum trace_status status = trace_next(state->inner, &event);
        if (status != TRACE_EVENT) {
            source->after = status;
            source->problem = state->inner->problem;
            return;
        }
        state->given = 0;
        switch (trace_check_event(state->check, &event, trace_line(state->inner))) {
        case TRACE_CHECK_FINE:
            source->events[source->count++] = event;
            break;
        case TRACE_CHECK_FIXED:
            take_fixed(source, state);
            break;
        default:
            trace_source_fail(source, PROBLEM_NO_OFFSET, "%s", state->check->problem.reason);
            return;
        }
    }
}

static void close_checked(struct trace_source *source)
{
    memory_release(source->state);
}

bool trace_check_source(struct trace_source *source, struct trace_source *inner,
                        struct trace_check *check)
{
    struct checked *state = memory_allocate(sizeof *state);
    if (!trace_source_init(source) || !state) {
        trace_source_fail(source, PROBLEM_NO_OFFSET, "there is no memory to check a trace");
        memory_release(source->events);
        source->events = NULL;
        memory_release(state);
        return false;
    }
    *state = (struct checked){inner, check, 0};
    source->names = inner->names;
    source->state = state;
    source->fill = fill_checked;
    source->close = close_checked;
    return true;
}
