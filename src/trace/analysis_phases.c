#include "trace/analysis_internal.h"

/* The event with which `first` started the thread, or one that did; 0 if it did not. Who was
   started by very long chains counts as not started. */
static uint64_t start_of(const struct analysis *analysis, uint32_t first, uint32_t thread)
{
    enum { CHAIN_MAX = 64 };
    for (unsigned i = 0; i < CHAIN_MAX && thread && thread < analysis->threads.count; i++) {
        const struct analysis_thread *started = &analysis->threads.items[thread];
        if (started->parent == first)
            return started->start_number;
        thread = started->parent;
    }
    return 0;
}

static void note_other(const struct analysis *analysis, struct analysis_phases *phases,
                       const struct trace_event *event, const struct mover_user *user)
{
    phases->apart |=
        !user->slot || !phases->slot || !mover_is_after(user, phases->slot, phases->last_use);
    if (phases->other == event->thread)
        return;
    const uint64_t start = start_of(analysis, phases->thread, event->thread);
    if (!phases->other || start < phases->started)
        phases->started = start;
    if (!phases->other)
        phases->first_until = analysis->check.events;
    phases->other = event->thread;
}

void analysis_note_phase(struct analysis *analysis, struct analysis_phases *phases,
                         const struct trace_event *event, const struct mover_user *user,
                         enum mover_state state, bool taken_over)
{
    if (!phases->thread) {
        phases->thread = event->thread;
        phases->slot = user->slot;
    }
    if (phases->thread != event->thread)
        note_other(analysis, phases, event, user);
    else if (!phases->first_until)
        phases->last_use = user->segment;
    if (taken_over)
        phases->last_from = analysis->check.events;
    if (state != MOVER_LOCAL_2)
        phases->last_from = 0;
}

static void settle(struct analysis_phases *phases)
{
    if (phases->apart)
        phases->first_until = phases->started + 1; /* what is numbered 0 is no event */
}

void analysis_settle_phases(struct analysis *analysis)
{
    for (size_t i = 0; i < analysis->records.count; i++)
        settle(&analysis->records.items[i].phases);
    for (size_t i = 0; i < analysis->lock_uses.count; i++)
        settle(&analysis->lock_uses.items[i].phases);
    for (size_t i = 0; i < analysis->sync_uses.count; i++)
        settle(&analysis->sync_uses.items[i].phases);
}
