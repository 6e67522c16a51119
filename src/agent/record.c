#include "agent/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agent/record_names.h"
#include "trace/trace_writer.h"

enum {
    END_TRIES = 1000, /* of a millisecond each */
    IDLE_EVENTS =
        1 << 16, /* what is so old is written, so that a killed process leaves something */
};

static struct {
    struct trace_writer *writer;
    _Atomic uint64_t sequence;
    _Atomic bool open;
    struct text path;
} record;

bool record_begin(struct text path, struct problem *problem)
{
    struct trace_writer_options options;
    trace_writer_options_default(&options);
    options.idle_events = IDLE_EVENTS;
    char *own = findings_own_path(path.bytes);
    int descriptor = own ? open(own, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (descriptor < 0) {
        problem_set(problem, PROBLEM_NO_OFFSET, "cannot write %s: %s", own ? own : path.bytes,
                    strerror(errno));
        free(own);
        return false;
    }
    record.writer = trace_writer_new(descriptor, &options, problem);
    if (!record.writer)
        return false;
    record.path = text_from(own);
    atomic_store(&record.open, true);
    return true;
}

/* ---- one thread at a time in its stream ---- */

/* False if the recording is closed. */
static bool enter(struct agent_thread *thread)
{
    atomic_store(&thread->recording, true);
    if (atomic_load(&record.open) && thread->stream) {
        trace_stream_resume(thread->stream);
        return true;
    }
    atomic_store(&thread->recording, false);
    return false;
}

/* Between its events a thread may stand still for as long as it likes: it must not hold up what can
   be read of the others if the process is killed. */
static void leave(struct agent_thread *thread)
{
    if (thread->stream)
        trace_stream_pause(thread->stream);
    atomic_store_explicit(&thread->recording, false, memory_order_release);
}

static void put(struct agent_thread *thread, const struct trace_event *event)
{
    trace_stream_event(thread->stream, atomic_fetch_add(&record.sequence, 1) + 1, event);
}

/* An event at the innermost place of a stack of the run time. */
static void put_at(struct agent_thread *thread, enum trace_kind kind, uint32_t target,
                   uint32_t stack)
{
    put(thread, &(struct trace_event){.kind = kind,
                                      .target = target,
                                      .location = record_top(record.writer, stack),
                                      .stack = record_stack(record.writer, stack)});
}

/* An event where the thread is now. */
static void put_here(struct agent_thread *thread, enum trace_kind kind, uint32_t target)
{
    put_at(thread, kind, target, stacks_capture());
}

/* ---- threads ---- */

void record_thread(struct agent_thread *parent, struct agent_thread *thread, struct text name)
{
    if (!atomic_load(&record.open))
        return;
    thread->number = trace_writer_thread(record.writer, name);
    if (parent && enter(parent)) {
        put_here(parent, TRACE_FORK, thread->number);
        leave(parent);
    }
    thread->stream = trace_stream_open(record.writer, thread->number);
    if (thread->stream)
        trace_stream_pause(thread->stream);
}

void record_thread_end(struct agent_thread *thread)
{
    if (!enter(thread))
        return;
    trace_stream_close(thread->stream);
    thread->stream = NULL;
    leave(thread);
}

void record_join(struct agent_thread *thread, uint32_t ended)
{
    if (!ended || !enter(thread))
        return;
    put_here(thread, TRACE_JOIN, ended);
    leave(thread);
}

/* ---- events ---- */

uint64_t record_access(struct agent_thread *thread, uint64_t word, uint32_t site, bool write)
{
    if (!enter(thread))
        return word;
    if (!word)
        word = record_variable(record.writer, site);
    put(thread, &(struct trace_event){
                    .kind = write ? TRACE_WRITE : TRACE_READ,
                    .target = (uint32_t)word,
                    .location = record_location(record.writer, site),
                    .stack = record_stack(record.writer, stacks_of_site(site, false)),
                });
    leave(thread);
    return word;
}

void record_lock(struct agent_thread *thread, enum trace_kind kind, uint32_t lock)
{
    if (!enter(thread))
        return;
    /* That a wait is over is told by the next event of the thread, which is elsewhere. */
    const uint32_t place = kind == TRACE_WAITED ? thread->place : 0;
    if (place)
        thread->place = 0;
    put_at(thread, kind, record_lock_number(record.writer, lock), place ? place : stacks_capture());
    leave(thread);
}

void record_sync(struct agent_thread *thread, enum trace_kind kind, uint32_t sync)
{
    /* A volatile read is told by the next event of the thread, which is elsewhere. */
    const uint32_t place = kind == TRACE_SYNC_ACQUIRE ? thread->place : 0;
    if (place)
        thread->place = 0;
    if (!enter(thread))
        return;
    put_at(thread, kind, record_sync_number(record.writer, sync), place ? place : stacks_capture());
    leave(thread);
}

void record_block(struct agent_thread *thread, enum trace_kind kind, uint32_t site)
{
    if (!enter(thread))
        return;
    const uint32_t block = record_block_number(record.writer, site);
    put(thread,
        &(struct trace_event){
            .kind = kind,
            .target = block,
            .location = record_location(record.writer, site),
            .stack = kind == TRACE_BEGIN ? record_stack(record.writer, stacks_capture()) : 0,
        });
    leave(thread);
}

/* ---- the end ---- */

static bool is_used(void)
{
    for (uint32_t slot = 0; slot <= THREAD_SLOTS_MAX; slot++)
        if (atomic_load(&runtime.threads[slot].recording))
            return true;
    return false;
}

void record_end(void)
{
    if (!record.writer)
        return;
    atomic_store(&record.open, false);
    const struct timespec pause = {.tv_nsec = 1000000};
    for (unsigned i = 0; i < END_TRIES && is_used(); i++)
        nanosleep(&pause, NULL);
    struct trace_writer_counts counts;
    struct problem problem;
    problem_clear(&problem);
    if (is_used()) {
        diagnostics_warning(&runtime.diagnostics,
                            "%.*s: a thread did not stop writing; the end of the trace is missing",
                            TEXT_ARGUMENTS(record.path));
        return; /* what was written can be read */
    }
    if (!trace_writer_close(record.writer, &counts, &problem))
        diagnostics_error(&runtime.diagnostics, "%.*s: %s", TEXT_ARGUMENTS(record.path),
                          problem.reason);
    else
        diagnostics_note(&runtime.diagnostics, "%.*s: %llu events in %llu bytes",
                         TEXT_ARGUMENTS(record.path), (unsigned long long)counts.events,
                         (unsigned long long)counts.bytes);
    record.writer = NULL;
}
