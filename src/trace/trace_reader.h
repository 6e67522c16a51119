/*
 * trace_reader: recorded traces as a source of events.
 *
 * A first pass goes over the headers of the blocks, reads the definitions and notes where the
 * blocks of each thread are. Then blocks are read when their first event is due, and let go when
 * their last one was delivered: what is in memory is the index (48 bytes per block), the names, and
 * one block of each thread whose events are interleaved at that point.
 *
 * A file that ends too early or has a damaged block is delivered up to the first event that is, or
 * may be, missing.
 */
#ifndef TURNSTILE_TRACE_TRACE_READER_H
#define TURNSTILE_TRACE_TRACE_READER_H

#include "trace/trace_source.h"

/* Through trace_open. The source was initialized; the descriptor belongs to it when this succeeds.
 */
bool trace_reader_open(struct trace_source *source, int descriptor);

#endif
