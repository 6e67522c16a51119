#include "agent/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "agent/record_names.h"
#include "base/memory.h"
#include "base/moment.h"
#include "trace/trace_writer.h"

enum {
    END_TRIES = 1000,                    /* of a millisecond each */
    STILL_FOR = 200,                     /* milliseconds */
    ENTRIES_SPARE = 4,                   /* that one event may need */
    GROUP_BITS = TRACE_PACKED_JUMP_BITS, /* of sequence numbers: enough for a thread's entries */
    GROUPS_OF_FLUSH = 64, /* for many entries, which may all be in one, so that numbers tell age */
    SITES = SITES_CHUNK * SITES_CHUNKS,
    EXACT_FIRST = 64, /* so many events of a site have stacks of their own */
    SITE_SHIFT = 4,
    SITE_MASK = (1 << 28) - 1,
    STRETCH_BITS = 48, /* of a thread's stretches */
    LOCK_TAG_SHIFT = 48,
    MARKS_SIZE = (RECORD_MARKS + RECORD_LEARNED) * sizeof(uint64_t),
};

_Static_assert(RECORD_ENTRIES * 2 <= 1 << GROUP_BITS, "an entry may be two events");
_Static_assert(sizeof(struct record_lock_entry) == 16 &&
                   offsetof(struct record_lock_entry, released) == 8,
               "TurnstileRecorder has these numbers, too");

const uint64_t record_stretch_factor = UINT64_C(0x9E3779B97F4A7C15);

#define LOCK_NOT_KNOWN ((UINT64_C(1) << LOCK_TAG_SHIFT) - 1)

/* What is so old is written, so that a killed process leaves something. */
static const uint64_t idle_events = UINT64_C(4096) << GROUP_BITS;

/* In the numbers of groups that begin when the trace has ended. */
static const uint64_t group_late = UINT64_C(1) << 58;

/* Stamps are compared as if no thread were so many groups behind. */
static const uint64_t group_window = UINT64_C(1) << 28;

static struct {
    struct trace_writer *writer;
    alignas(128) _Atomic uint64_t groups;
    alignas(128) _Atomic bool open;
    _Atomic uint64_t window;
    struct text path;
    struct trace_site *places; /* by site */
    _Atomic uint32_t *counts;  /* by site: of stacks taken there */
    _Atomic uint8_t *quick;    /* by site */
    struct record_lock_entry *locks;
    uint64_t *late_entries; /* of all threads, when nobody wants them any more */
    uint64_t *common_marks; /* of threads for whose own there is no memory */
} record;

/* Pages that are never touched cost nothing. */
static void *reserve(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static bool reserve_tables(struct problem *problem)
{
    record.places = reserve((SITE_MASK + 1) * sizeof *record.places);
    record.counts = reserve(SITES * sizeof *record.counts);
    record.quick = reserve(SITES * sizeof *record.quick);
    record.locks = reserve(RECORD_LOCKS * sizeof *record.locks);
    record.late_entries = reserve(RECORD_ENTRIES * sizeof *record.late_entries);
    record.common_marks = reserve(MARKS_SIZE);
    if (record.places && record.counts && record.quick && record.locks && record.late_entries &&
        record.common_marks)
        return true;
    problem_set(problem, PROBLEM_NO_OFFSET, "there is no memory to record a trace");
    return false;
}

bool record_begin(struct text path, struct problem *problem)
{
    struct trace_writer_options options;
    trace_writer_options_default(&options);
    options.idle_events = idle_events;
    if (!reserve_tables(problem))
        return false;
    char *own = findings_own_path(path.bytes);
    int descriptor = own ? open(own, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (descriptor < 0) {
        problem_set(problem, PROBLEM_NO_OFFSET, "cannot write %s: %s", own ? own : path.bytes,
                    strerror(errno));
        free(own);
        return false;
    }
    record.writer = trace_writer_new(descriptor, &options, problem);
    if (!record.writer) {
        const struct problem reason = *problem;
        problem_clear(problem);
        problem_set(problem, PROBLEM_NO_OFFSET, "%s: %s", own, reason.reason);
        free(own);
        return false;
    }
    record.path = text_from(own);
    atomic_store(&record.open, true);
    return true;
}

const uint8_t *record_quick_sites(void)
{
    return (const uint8_t *)record.quick;
}

const _Atomic uint64_t *record_groups(void)
{
    return &record.groups;
}

const struct record_lock_entry *record_locks(void)
{
    return record.locks;
}

/* From now on it has the number, and anybody may have had it last. */
static void place_lock(uint32_t lock, uint32_t number)
{
    const uint64_t tag = lock >> 16;
    struct record_lock_entry *entry = &record.locks[(lock ^ tag) % RECORD_LOCKS];
    atomic_store(&entry->released, tag << LOCK_TAG_SHIFT | LOCK_NOT_KNOWN);
    atomic_store(&entry->number, tag << LOCK_TAG_SHIFT | number);
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

/* ---- groups ---- */

/* So that no thread stays in a group until its stamp means another. */
static void end_all_groups(void)
{
    for (uint32_t slot = 0; slot <= THREAD_SLOTS_MAX; slot++) {
        atomic_store(&runtime.threads[slot].wanted, 1);
        atomic_store(&runtime.threads[slot].limit, NULL);
    }
}

/* With the thread's stream. Numbers may be left out. False when the trace has ended. */
static bool begin_group_after(struct agent_thread *thread, uint64_t more)
{
    const uint64_t group = atomic_fetch_add(&record.groups, more) + more;
    uint64_t window = atomic_load_explicit(&record.window, memory_order_relaxed);
    if (group - window >= group_window &&
        atomic_compare_exchange_strong(&record.window, &window, group))
        end_all_groups();
    atomic_store(&thread->stamp, (uint32_t)group);
    atomic_store(&thread->group, group);
    thread->sequence = group << GROUP_BITS;
    return !(group & group_late);
}

static bool begin_group(struct agent_thread *thread)
{
    return begin_group_after(thread, 1);
}

/* ---- entries ---- */

static void put(struct agent_thread *thread, const struct trace_event *event)
{
    trace_stream_event(thread->stream, thread->sequence, event);
    thread->sequence += trace_kind_events(event->kind);
}

/* An entry that may have a stack of its own. */
static void put_entry(struct agent_thread *thread, uint64_t entry, uint32_t stack)
{
    struct trace_event event = trace_packed_event(entry, record.places);
    if (stack && event.kind != TRACE_END)
        event.stack = stack;
    put(thread, &event);
}

/* Behind the last entry. */
static const uint64_t *entries_end(const struct agent_thread *thread)
{
    const uint64_t *const kept = atomic_load(&thread->kept);
    return kept ? kept : atomic_load_explicit(&thread->next, memory_order_acquire);
}

/* With the thread's stream: takes over what it has noted. Asks for no names: it may be done with
   the file's lock. */
static void take_entries(struct agent_thread *thread)
{
    const uint64_t *const end = entries_end(thread);
    const uint64_t *entry = thread->entries;
    while (entry < end) {
        const unsigned what = *entry & 15;
        if (what == RECORD_STACK) {
            if (end - entry > 1)
                put_entry(thread, entry[1], (uint32_t)(*entry >> SITE_SHIFT));
            entry += end - entry > 1 ? 2 : 1;
        } else if (what == RECORD_GROUP && thread->eager) {
            entry++; /* it has begun one for what it notes */
        } else {
            const size_t done =
                trace_stream_packed(thread->stream, &thread->sequence, entry,
                                    thread->eager ? 1 : (size_t)(end - entry), record.places);
            if (!done)
                break; /* a group that began when the trace had ended */
            entry += done;
        }
    }
}

static void clear_entries(struct agent_thread *thread)
{
    atomic_store(&thread->next, thread->entries);
}

/* Now and then the stacks of all sites are taken again. */
static void forget_stacks(const struct agent_thread *thread)
{
    const uint64_t *const end = atomic_load(&thread->next);
    for (const uint64_t *entry = thread->entries; entry < end; entry++)
        if ((*entry & 15) < RECORD_STACK)
            atomic_store_explicit(&record.quick[(*entry >> SITE_SHIFT & SITE_MASK) % SITES], 0,
                                  memory_order_relaxed);
}

/* Another thread has taken the stream: gives what the thread has noted, unless it may just be
   noting more. It will find that it has to begin a group. That it runs need not mean that it notes
   something: the JVM's own threads never do. But if it has not looked for so long, it is not
   between its look and what it notes, which is some instructions. */
static bool collect(void *context)
{
    struct agent_thread *thread = context;
    const uint64_t now = moment_milliseconds();
    if (!atomic_exchange(&thread->wanted, 1) || !thread->asked)
        thread->asked = now;
    if (atomic_exchange(&thread->limit, NULL))
        thread->asked = now;
    if (!threads_is_still(thread) && now - thread->asked < STILL_FOR)
        return false;
    if (atomic_load(&thread->limit))
        return false;
    take_entries(thread);
    clear_entries(thread);
    return true;
}

/* What it notes from now on is lost; what it has noted stays where it is, for record_end. */
static void note_elsewhere(struct agent_thread *thread)
{
    if (thread->stream && !atomic_load(&thread->kept))
        atomic_store(&thread->kept, atomic_load(&thread->next));
    atomic_store(&thread->end, record.late_entries + RECORD_ENTRIES - ENTRIES_SPARE);
    atomic_store(&thread->next, record.late_entries);
    atomic_store(&thread->limit, NULL);
    atomic_store(&thread->wanted, 0);
}

void record_flush(struct agent_thread *thread)
{
    if (!enter(thread)) {
        note_elsewhere(thread);
        return;
    }
    thread->flushes++;
    if (!thread->eager && !(thread->flushes & (thread->flushes - 1)))
        forget_stacks(thread);
    if (thread->eager && !begin_group(thread))
        clear_entries(thread);
    take_entries(thread);
    clear_entries(thread);
    if (atomic_exchange(&thread->wanted, 0))
        trace_stream_flush(thread->stream);
    if (!thread->eager)
        begin_group_after(thread, GROUPS_OF_FLUSH);
    leave(thread);
}

static uint32_t locate(uint32_t site, enum record_entry what, uint32_t block)
{
    switch (what) {
    case RECORD_ACQUIRE:
    case RECORD_RELEASE:
    case RECORD_ENTER:
    case RECORD_LEAVE:
        return record_call(record.writer, site, block);
    default:
        return record_location(record.writer, site);
    }
}

uint32_t record_place(struct agent_thread *thread, uint32_t number, enum record_entry what,
                      uint32_t block)
{
    if (!enter(thread))
        return 0;
    struct trace_site *place = &record.places[number & SITE_MASK];
    uint32_t stack = 0;
    atomic_store(&place->location, locate(number, what, block));
    if (what >= RECORD_BEGIN)
        atomic_store(&place->block, record_block_number(record.writer, number));
    if (what != RECORD_END) {
        stack = record_stack(record.writer, stacks_capture());
        atomic_store(&place->stack, stack);
        if (atomic_fetch_add(&record.counts[number % SITES], 1) >= EXACT_FIRST)
            atomic_store(&record.quick[number % SITES], 1);
    }
    leave(thread);
    return stack;
}

uint32_t record_new_variable(struct agent_thread *thread, uint32_t site)
{
    if (!enter(thread))
        return 0;
    const uint32_t number = record_variable(record.writer, site);
    leave(thread);
    return number;
}

uint32_t record_number_lock(struct agent_thread *thread, uint32_t lock)
{
    if (!enter(thread))
        return 0;
    const uint32_t number = record_lock_number(record.writer, lock);
    place_lock(lock, number);
    leave(thread);
    return number;
}

/* ---- repetitions ---- */

static void begin_stretch(struct agent_thread *thread)
{
    thread->stretch += record_stretch_factor;
}

/* No two threads have the same stretches, so that they can have the same marks. */
static void find_marks(struct agent_thread *thread)
{
    const uint64_t slot = (uint64_t)(thread - runtime.threads);
    if (!thread->marks)
        thread->marks = memory_map(MARKS_SIZE);
    if (!thread->marks)
        thread->marks = record.common_marks;
    if (!thread->stretch)
        thread->stretch = ((slot + 1) << STRETCH_BITS) * record_stretch_factor;
    begin_stretch(thread);
}

/* ---- events that are told at once ---- */

/* An event at the innermost place of a stack of the run time. */
static void put_at(struct agent_thread *thread, enum trace_kind kind, uint32_t target,
                   uint32_t stack)
{
    const struct trace_event event = {.kind = kind,
                                      .target = target,
                                      .location = record_top(record.writer, stack),
                                      .stack = record_stack(record.writer, stack)};
    take_entries(thread);
    clear_entries(thread);
    if (begin_group(thread))
        put(thread, &event);
    begin_stretch(thread);
}

/* An event where the thread is now. */
static void put_here(struct agent_thread *thread, enum trace_kind kind, uint32_t target)
{
    put_at(thread, kind, target, stacks_capture());
}

static bool find_entries(struct agent_thread *thread)
{
    if (!thread->entries)
        thread->entries = memory_allocate(RECORD_ENTRIES * sizeof *thread->entries);
    if (!thread->entries)
        return false;
    atomic_store(&thread->end, thread->entries + RECORD_ENTRIES - ENTRIES_SPARE);
    clear_entries(thread);
    return true;
}

void record_thread(struct agent_thread *parent, struct agent_thread *thread, struct text name)
{
    note_elsewhere(thread);
    find_marks(thread);
    thread->owner = ((uint32_t)(thread - runtime.threads) + 1) << 1 | 1;
    if (!atomic_load(&record.open))
        return;
    thread->number = trace_writer_thread(record.writer, name);
    if (parent && enter(parent)) {
        put_here(parent, TRACE_FORK, thread->number);
        leave(parent);
    }
    if (!find_entries(thread))
        return;
    thread->stream = trace_stream_open(record.writer, thread->number);
    if (!thread->stream) {
        note_elsewhere(thread);
        return;
    }
    /* Whether a virtual thread waits cannot be told: it keeps nothing. */
    if (!thread->eager)
        trace_stream_set_collector(thread->stream, collect, thread);
    begin_group(thread);
    trace_stream_pause(thread->stream);
}

void record_thread_end(struct agent_thread *thread)
{
    if (!enter(thread))
        return;
    take_entries(thread);
    clear_entries(thread);
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

void record_lock(struct agent_thread *thread, enum trace_kind kind, uint32_t lock)
{
    if (!enter(thread))
        return;
    /* That a wait is over is told by the next event of the thread, which is elsewhere. */
    const uint32_t place = kind == TRACE_WAITED ? thread->place : 0;
    if (place)
        thread->place = 0;
    /* Nobody is shown where something was handed over. */
    const bool shown = kind < TRACE_HAND_OVER;
    const uint32_t number = record_lock_number(record.writer, lock);
    put_at(thread, kind, number, place || !shown ? place : stacks_capture());
    place_lock(lock, number);
    leave(thread);
}

void record_want(struct agent_thread *thread, uint32_t lock, uint32_t stack)
{
    if (!enter(thread))
        return;
    put_at(thread, TRACE_WANT, record_lock_number(record.writer, lock), stack);
    leave(thread);
}

void record_sync(struct agent_thread *thread, enum trace_kind kind, uint32_t sync, bool placed)
{
    /* A volatile read is told by the next event of the thread, which is elsewhere. */
    const uint32_t place = kind == TRACE_SYNC_ACQUIRE ? thread->place : 0;
    if (place)
        thread->place = 0;
    if (!enter(thread))
        return;
    const uint32_t stack = place ? place : placed ? stacks_capture() : 0;
    put_at(thread, kind, record_sync_number(record.writer, sync, stack), stack);
    leave(thread);
}

void record_at_site(struct agent_thread *thread, enum record_entry what, uint32_t target,
                    uint32_t site)
{
    const bool quick = atomic_load_explicit(&record.quick[site % SITES], memory_order_relaxed);
    const uint32_t stack = quick ? 0 : record_place(thread, site, what, 0);
    if (!enter(thread))
        return;
    if (begin_group(thread))
        put_entry(thread, (uint64_t)target << 32 | (uint64_t)site << SITE_SHIFT | what, stack);
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

/* Nobody is in a stream, or comes into one: what threads have noted can be taken, though they may
   be noting more. */
static void take_all_entries(void)
{
    for (uint32_t slot = 0; slot <= THREAD_SLOTS_MAX; slot++) {
        struct agent_thread *thread = &runtime.threads[slot];
        if (thread->stream && thread->entries)
            take_entries(thread);
    }
}

void record_end(struct text *path)
{
    if (!record.writer)
        return;
    *path = record.path;
    atomic_fetch_or(&record.groups, group_late);
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
    take_all_entries();
    const bool closed = trace_writer_close(record.writer, &counts, &problem);
    if (!closed)
        diagnostics_error(&runtime.diagnostics, "%.*s: %s", TEXT_ARGUMENTS(record.path),
                          problem.reason);
    else
        diagnostics_note(&runtime.diagnostics, "%.*s: %llu events in %llu bytes",
                         TEXT_ARGUMENTS(record.path), (unsigned long long)counts.events,
                         (unsigned long long)counts.bytes);
    record.writer = NULL;
}
