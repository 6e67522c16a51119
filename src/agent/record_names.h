/*
 * record_names: what sites, stacks, variables and locks of the run time are called in the trace,
 * each told to the trace when it is first asked for. Any thread, any time.
 */
#ifndef TURNSTILE_AGENT_RECORD_NAMES_H
#define TURNSTILE_AGENT_RECORD_NAMES_H

#include <stdint.h>

#include "trace/trace_writer.h"

/* Numbers in the trace; 0 if memory ran out. */
uint32_t record_location(struct trace_writer *writer, uint32_t site);
/* One of its own, though the site may share its line with others. `block` is the site of the block
   whose lock is taken or given up there, or 0; always the same for the site. */
uint32_t record_call(struct trace_writer *writer, uint32_t site, uint32_t block);
/* Begins at the program's innermost frame: what the JDK calls beyond that is left out. */
uint32_t record_stack(struct trace_writer *writer, uint32_t stack);
/* The location of its innermost frame: that of one call, though there may be others in the line. */
uint32_t record_top(struct trace_writer *writer, uint32_t stack);
uint32_t record_block_number(struct trace_writer *writer, uint32_t site);
uint32_t record_lock_number(struct trace_writer *writer, uint32_t lock);
/* `stack` is where it is used, or 0: if it has no name, it is called by the class that is called.
 */
uint32_t record_sync_number(struct trace_writer *writer, uint32_t sync, uint32_t stack);
/* A new variable of what is accessed at the site. */
uint32_t record_variable(struct trace_writer *writer, uint32_t site);

#endif
