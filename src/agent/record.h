/*
 * record: with record=FILE, what the program does goes into a trace (src/trace) instead of to the
 * engine.
 *
 * Rewritten code then leaves nothing out: no word is ever what a thread expects. The word of a
 * variable is its number in the trace. Locks, synchronization objects and threads are told to the
 * engine all the same, which knows what each thread holds.
 *
 * Each thread writes to a stream of its own. Names are given numbers when they are first needed.
 * At the end of the JVM threads may still be running: they find the recording closed.
 */
#ifndef TURNSTILE_AGENT_RECORD_H
#define TURNSTILE_AGENT_RECORD_H

#include "agent/runtime.h"
#include "trace/event.h"

/* Creates the file. False with the problem set. */
bool record_begin(struct text path, struct problem *problem);

/* Writes what there is, closes the file, and says on standard error what is in it. */
void record_end(void);

/* A thread begins; `parent` may be NULL. By the parent, before it runs. */
void record_thread(struct agent_thread *parent, struct agent_thread *thread, struct text name);
/* It does nothing more. By itself. */
void record_thread_end(struct agent_thread *thread);
/* The thread whose number in the trace is that has ended, and this one knows. */
void record_join(struct agent_thread *thread, uint32_t ended);

/* Gives the word to store. */
uint64_t record_access(struct agent_thread *thread, uint64_t word, uint32_t site, bool write);
void record_lock(struct agent_thread *thread, enum trace_kind kind, uint32_t lock);
void record_sync(struct agent_thread *thread, enum trace_kind kind, uint32_t sync);
void record_block(struct agent_thread *thread, enum trace_kind kind, uint32_t site);

#endif
