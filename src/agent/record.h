/*
 * record: with record=FILE, what the program does goes into a trace (src/trace) instead of to the
 * engine.
 *
 * Rewritten code then tells of every access. Those that repeat others need not be in the trace:
 * TurnstileRecorder says which, and how it knows. Accesses, the program's monitors and atomic
 * blocks are noted by it, as entries of 64 bits in memory of the thread; from time to time, and
 * before any other event of the thread, they are taken over into its stream of the trace. The upper
 * half of a variable's word says who had it last, the lower half is its number in the trace. All
 * other events come here at once. Locks, synchronization objects and threads are told to the engine
 * all the same, which knows what each thread holds.
 *
 * Order. A thread's events stand in groups. Groups have numbers, from one counter, and the sequence
 * number of an event in the trace is that of its group with its place in the group behind it. A
 * thread takes the number of a new group when something happens that must come behind events of
 * other threads: then all those are in groups with smaller numbers, which were taken before. So it
 * does at an acquire, and before an access that conflicts with the last one of another thread,
 * unless it is in a later group already: as much of the order as anything can depend on.
 * TurnstileRecorder says how it knows.
 *
 * Each thread writes to a stream of its own. Names are given numbers when they are first needed.
 * At the end of the JVM threads may still be running. What they do then is in groups that began
 * after the end, or after what was taken of them and before the end: nothing in the trace depends
 * on it.
 */
#ifndef TURNSTILE_AGENT_RECORD_H
#define TURNSTILE_AGENT_RECORD_H

#include "agent/runtime.h"
#include "trace/trace_writer.h"

/* The low four bits of an entry; TurnstileRecorder has the same. Of events, 28 bits with the site
   follow, and the number of the variable or lock: see trace_stream_packed. */
enum record_entry {
    RECORD_READ = TRACE_READ,
    RECORD_WRITE = TRACE_WRITE,
    RECORD_ACQUIRE = TRACE_ACQUIRE,
    RECORD_RELEASE = TRACE_RELEASE,
    RECORD_UPDATE = TRACE_PACKED_UPDATE,
    RECORD_ENTER = TRACE_PACKED_ENTER, /* RECORD_BEGIN and RECORD_ACQUIRE */
    RECORD_LEAVE = TRACE_PACKED_LEAVE, /* RECORD_RELEASE and RECORD_END */
    RECORD_BEGIN = TRACE_BEGIN,
    RECORD_END = TRACE_END,
    RECORD_STACK = 14,                /* of the next event; above it: its number in the trace */
    RECORD_GROUP = TRACE_PACKED_JUMP, /* one begins; above it: its number */
};

enum {
    RECORD_LOCKS = 1 << 16,
    RECORD_MARKS = 1 << 15,
    RECORD_LEARNED = 1 << 13,
    RECORD_ENTRIES = 2048, /* of a thread; with those of other threads they fit into a cache */
    RECORD_ROOM = RECORD_ENTRIES / 2,
};

/* What TurnstileRecorder knows of a lock: see its LOCKS. */
struct record_lock_entry {
    _Atomic uint64_t number, released;
};

/* Numbers of stretches are multiples of it: odd, and such that they look random. */
extern const uint64_t record_stretch_factor;

/* Creates the file. False with the problem set. */
bool record_begin(struct text path, struct problem *problem);

/* Writes what there is, closes the file, and says on standard error what is in it, or why that is
   not all. The name of the file is good for ever. */
void record_end(struct text *path);

/* A thread begins; `parent` may be NULL. By the parent, before it runs. */
void record_thread(struct agent_thread *parent, struct agent_thread *thread, struct text name);
/* It does nothing more. By itself. */
void record_thread_end(struct agent_thread *thread);
/* The thread whose number in the trace is that has ended, and this one knows. */
void record_join(struct agent_thread *thread, uint32_t ended);

void record_lock(struct agent_thread *thread, enum trace_kind kind, uint32_t lock);
/* The thread waits for the lock, since then, at the innermost place of the stack. By any thread. */
void record_want(struct agent_thread *thread, uint32_t lock, uint32_t stack);
/* `placed`: it is told where that was. */
void record_sync(struct agent_thread *thread, enum trace_kind kind, uint32_t sync, bool placed);
/* An access or the end of a block, told at once; `target` as in an entry. */
void record_at_site(struct agent_thread *thread, enum record_entry what, uint32_t target,
                    uint32_t site);

/*
 * For TurnstileRecorder. All are NULL unless a trace is recorded.
 */

/* By site: not 0 if an event there needs no record_place. */
const uint8_t *record_quick_sites(void);
/* The number of the last group. */
const _Atomic uint64_t *record_groups(void);
/* At (lock ^ lock >> 16) % RECORD_LOCKS: see TurnstileRecorder. */
const struct record_lock_entry *record_locks(void);

/* Takes over the thread's entries, and begins a group. */
void record_flush(struct agent_thread *thread);
/* Sees to it that all that the trace has to say about the site is known, and takes the stack there:
   its number. 0: that of another event will do. `block` is the site of the block that begins or
   ends there with a lock, or 0. */
uint32_t record_place(struct agent_thread *thread, uint32_t site, enum record_entry what,
                      uint32_t block);
uint32_t record_new_variable(struct agent_thread *thread, uint32_t site);
/* Puts it into record_locks, too. */
uint32_t record_number_lock(struct agent_thread *thread, uint32_t lock);

#endif
