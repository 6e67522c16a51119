/*
 * Accesses of objects that no other thread knows yet: nothing can come between them, and they come
 * between nothing, so blocks need not be told. Locks have no part in this: they order them before
 * what others do later, but would not if the object were known.
 *
 * Where the program does so to make an object, the trace says so by the location. What the same
 * thread does to these variables afterwards counts as well, until it releases something: before
 * that nobody can have got to know the object, but by a race, which is told as one.
 */
#include "trace/analysis_internal.h"

/* Since which release of which thread: what is kept of a variable that is being made. */
static uint64_t maker(const struct analysis_thread *thread, const struct trace_event *event)
{
    return (uint64_t)event->thread << 32 | thread->releases;
}

bool analysis_makes(struct analysis *analysis, struct analysis_thread *thread,
                    const struct trace_event *event)
{
    uint64_t *made = analysis_page_item(&analysis->makers, event->target, sizeof *made);
    if (!made)
        return true; /* the accesses that follow are taken for more than they are */
    *made = maker(thread, event);
    thread->makes = true;
    return true;
}

bool analysis_has_made(const struct analysis *analysis, const struct analysis_thread *thread,
                       const struct trace_event *event)
{
    const uint64_t *made = analysis_page_at(&analysis->makers, event->target, sizeof *made);
    return made && *made == maker(thread, event);
}

void analysis_note_release(struct analysis_thread *thread, enum trace_kind kind)
{
    switch (kind) {
    case TRACE_RELEASE:
    case TRACE_RELEASE_SHARED:
    case TRACE_WAIT:
    case TRACE_SYNC_RELEASE:
    case TRACE_FORK:
    case TRACE_HAND_OVER:
        thread->releases++;
        thread->makes = false;
        break;
    default:
        break;
    }
}

void analysis_forget_makers(struct analysis *analysis)
{
    analysis_pages_release(&analysis->makers);
    for (size_t i = 0; i < analysis->threads.count; i++) {
        analysis->threads.items[i].releases = 0;
        analysis->threads.items[i].makes = false;
    }
}
