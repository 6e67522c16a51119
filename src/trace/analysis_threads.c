#include "trace/analysis_internal.h"

/* Entries up to that number; NULL when there is no memory. */
static struct analysis_thread *make_room(struct analysis *analysis, uint32_t number)
{
    while (analysis->threads.count <= number) {
        const struct analysis_thread none = {0};
        if (!vector_push(&analysis->threads, none)) {
            analysis->no_memory = true;
            return NULL;
        }
    }
    return &analysis->threads.items[number];
}

static void start_in_engines(struct analysis *analysis, struct analysis_thread *thread,
                             struct analysis_thread *parent, uint32_t number)
{
    if (analysis->racer) {
        thread->race = engine_thread_start(analysis->racer, parent ? parent->race : NULL, number);
        thread->race_birth = engine_thread_birth(thread->race);
    }
    if (analysis->order != analysis->racer)
        thread->order = engine_thread_start(analysis->order, parent ? parent->order : NULL, number);
    else
        thread->order = thread->race;
    thread->order_birth = engine_thread_birth(thread->order);
    if (!thread->order) {
        analysis->forgotten++;
        return; /* there is no clock for it */
    }
    analysis->in_slot[thread->order->slot] = number;
    if (analysis->lock_order)
        thread->lock_order = lock_order_thread_new(analysis->lock_order, number);
}

struct analysis_thread *analysis_start_thread(struct analysis *analysis, uint32_t number,
                                              const struct trace_event *fork)
{
    struct analysis_thread *thread = make_room(analysis, number);
    if (!thread || thread->started)
        return thread;
    struct analysis_thread *parent = NULL;
    if (fork) {
        parent = &analysis->threads.items[fork->thread];
        thread->parent = fork->thread;
        thread->start_number = analysis->check.events;
        thread->start_location = fork->location;
        thread->start_stack = fork->stack;
    }
    thread->started = true;
    analysis_begin_age(analysis, thread);
    start_in_engines(analysis, thread, parent, number);
    return thread;
}

void analysis_end_thread(struct analysis *analysis, struct analysis_thread *thread)
{
    if (!thread->started || thread->ended)
        return;
    thread->ended = true;
    if (analysis->lock_order)
        lock_order_thread_free(analysis->lock_order, thread->lock_order);
    thread->lock_order = NULL;
    if (analysis->racer)
        engine_thread_end(analysis->racer, thread->race);
    if (analysis->order != analysis->racer)
        engine_thread_end(analysis->order, thread->order);
}
