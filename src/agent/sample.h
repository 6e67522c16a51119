/*
 * sample: with events=sampled, races are looked for as always, and parts of the run go into a trace
 * besides. When the program has ended, broken atomicity and cycles of locks are looked for in it.
 *
 * What is told. TurnstileSampler decides: the first executions of each block on each thread, later
 * ones now and then, and what a thread does outside of blocks when it is new. A thread that tells
 * is one whose words never cover an access (threads_fresh gives 0), so that all it does comes to
 * the run time. That is slow; therefore a thread may tell only so much at a time, and so much per
 * second. What orders threads without locks is told always.
 *
 * What can be concluded. The trace has gaps, but what is in it happened in that order: a lock that
 * a thread has when it begins to tell is told as if it were taken there, and one that was told is
 * told to be given up when it is, whether the thread tells then or not. Gaps in a block take
 * operations away, which can hide that it is not atomic and cannot make it so; fewer uses of a
 * variable or a lock can make it look better protected than it is, and not worse. So findings can
 * be missing, and none is invented.
 *
 * Variables get numbers by object and offset; objects are told apart by tags of the JVM.
 */
#ifndef TURNSTILE_AGENT_SAMPLE_H
#define TURNSTILE_AGENT_SAMPLE_H

#include "agent/runtime.h"

/* Entries of a thread's table: of blocks, and behind them of accesses. See TurnstileSampler. */
enum { SAMPLE_BLOCKS = 1 << 16, SAMPLE_ACCESSES = 1 << 12 };

/* The engine knows the thread. Whether it tells from the start. */
void sample_thread(struct agent_thread *thread, bool for_program);

/* A block begins that is to be told, in none that is, or in one of which enough was told. False if
   the thread has told enough of late. */
bool sample_begin(struct agent_thread *thread);

/* `telling` has changed, or the outermost block that was told is left. */
void sample_changed(struct agent_thread *thread);

void sample_block(struct agent_thread *thread, uint32_t site, bool begins);

/* An access by a thread that tells. False if it should not tell more. */
bool sample_access(struct agent_thread *thread, jobject object, uint64_t offset, uint32_t site,
                   bool write);

/* The locks of the thread have changed. `at_once`: it did not wait for the one that is new. */
void sample_locks(struct agent_thread *thread, bool at_once);

/* The thread has given up the lock to wait, and has it again. */
void sample_wait(struct agent_thread *thread, uint32_t lock);
void sample_waited(struct agent_thread *thread, uint32_t lock);

/* The trace is complete: analyzes and removes it. */
void sample_end(struct text path, struct finding_list *findings);

#endif
