/*
 * trace_writer: records the events of a running program, of many threads at once.
 *
 * Each thread of the program has a stream, which it alone uses: events go into the stream's buffer
 * without a lock, and a full buffer is packed and appended to the file with one write. The
 * order of events of different threads comes from their sequence numbers, which the
 * caller takes from a counter of its own (a sequentially consistent fetch-and-add; the numbers need
 * not be dense). An event's number is taken after the stream was opened or resumed, and stored in
 * the stream before the next of the same thread is taken. Or a thread keeps events elsewhere and
 * stores them later; then it says how they are got (trace_stream_set_collector).
 *
 * Names are given numbers here and written to the file before any event that can use them; the
 * writer does not keep them. Numbers may be used by any thread as soon as they are returned. To
 * avoid a call per variable, ask for more than one at a time: numbers that are never used do no
 * harm.
 *
 * When the process dies, what is in the file can be read up to the first event that is missing. So
 * a thread that is about to stand still for long should say so (trace_stream_pause): then others
 * append what it left behind, once it is old, and nobody need fear that it has more. A thread that
 * does neither holds up what can be used after a crash, but nothing else.
 *
 * Memory is asked for when a writer, a stream or a name is made. When the file cannot be written,
 * the first reason is kept, and from then on all events are counted as dropped.
 */
#ifndef TURNSTILE_TRACE_TRACE_WRITER_H
#define TURNSTILE_TRACE_TRACE_WRITER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"
#include "base/text.h"
#include "trace/event.h"
#include "trace/trace.h"

struct trace_writer;
struct trace_stream;

struct trace_writer_options {
    size_t block_bytes;   /* of a stream's buffer, before compression */
    uint64_t idle_events; /* what a paused stream holds is written when it is so many numbers old */
};

struct trace_writer_counts {
    uint64_t events;  /* in the file */
    uint64_t dropped; /* and those that are not */
    uint64_t bytes;   /* of the file */
};

void trace_writer_options_default(struct trace_writer_options *options);

/* Writes to the descriptor, which belongs to the writer from now on, also on failure. NULL with a
   problem when there is no memory or the header cannot be written. */
struct trace_writer *trace_writer_new(int descriptor, const struct trace_writer_options *options,
                                      struct problem *problem);

/* Writes what the streams still hold, closes them, ends the file and frees the writer. No other
   thread may be using it or its streams. False with a problem when events are missing in the file;
   `counts` may be NULL. */
bool trace_writer_close(struct trace_writer *writer, struct trace_writer_counts *counts,
                        struct problem *problem);

/* True, with the reason, once the file could not be written. */
bool trace_writer_failed(struct trace_writer *writer, struct problem *problem);

/*
 * Names, as in trace.h: any thread, any time. 0 when there is no memory or no number left; events
 * may have the number 0.
 */
uint32_t trace_writer_thread(struct trace_writer *writer, struct text name);
uint32_t trace_writer_lock(struct trace_writer *writer, struct text name);
uint32_t trace_writer_sync(struct trace_writer *writer, struct text name);
uint32_t trace_writer_field(struct trace_writer *writer, const struct trace_field *field);
uint32_t trace_writer_variables(struct trace_writer *writer, uint32_t field, uint32_t count);
uint32_t trace_writer_location(struct trace_writer *writer, const struct trace_location *location);
uint32_t trace_writer_stack(struct trace_writer *writer, uint32_t parent, uint32_t location);
uint32_t trace_writer_block(struct trace_writer *writer, const struct trace_block *block);

/*
 * Streams.
 */

/* The thread has a number and no other open stream. NULL when there is no memory. */
struct trace_stream *trace_stream_open(struct trace_writer *writer, uint32_t thread);

/* Writes what is left, and frees the stream. */
void trace_stream_close(struct trace_stream *stream);

/* The event's thread is that of the stream, whatever it says. An event whose sequence number is not
   greater than that of the one before is dropped. A kind that is two events
   (trace_kind_events) has the next number, too. */
void trace_stream_event(struct trace_stream *stream, uint64_t sequence,
                        const struct trace_event *event);

/*
 * The same for many events that follow each other closely, each as a number of 64 bits: the kind in
 * the low 4 bits (those that are two events begin at TRACE_PACKED_UPDATE), 28 bits that say where
 * it was, as an index of `sites`, and the target. Only accesses, locks that are taken and given up,
 * and blocks, whose target is with the site unless they are those of the locks. A jump (the number
 * in all bits but the low 4, times 1 << TRACE_PACKED_JUMP_BITS) is no event, but the sequence
 * number of the next one. `*sequence` is that of the first, and becomes that behind the last. Stops
 * at anything else, and at a jump too far, and gives how many numbers came before that.
 */
enum {
    TRACE_PACKED_UPDATE = 4,
    TRACE_PACKED_ENTER,
    TRACE_PACKED_LEAVE,
    TRACE_PACKED_JUMP = 15,
    TRACE_PACKED_JUMP_BITS = 12
};

struct trace_site {
    _Atomic uint32_t location, stack, block;
};

static inline enum trace_kind trace_packed_kind(uint64_t packed)
{
    const unsigned code = packed & 15;
    const bool two = code >= TRACE_PACKED_UPDATE && code <= TRACE_PACKED_LEAVE;
    return (enum trace_kind)(two ? code + TRACE_UPDATE - TRACE_PACKED_UPDATE : code);
}

static inline bool trace_packed_is_block(enum trace_kind kind)
{
    return kind == TRACE_BEGIN || kind == TRACE_END;
}

/* Which event that is, but for its thread. */
static inline struct trace_event trace_packed_event(uint64_t packed, const struct trace_site *sites)
{
    const struct trace_site *site = &sites[packed >> 4 & 0x0FFFFFFF];
    const enum trace_kind kind = trace_packed_kind(packed);
    return (struct trace_event){
        .kind = kind,
        .target = trace_packed_is_block(kind)
                      ? atomic_load_explicit(&site->block, memory_order_relaxed)
                      : (uint32_t)(packed >> 32),
        .location = atomic_load_explicit(&site->location, memory_order_relaxed),
        .stack = kind == TRACE_END ? 0 : atomic_load_explicit(&site->stack, memory_order_relaxed),
    };
}

size_t trace_stream_packed(struct trace_stream *stream, uint64_t *sequence, const uint64_t *packed,
                           size_t count, const struct trace_site *sites);

/* Writes what the buffer holds now. */
void trace_stream_flush(struct trace_stream *stream);

/* For a thread that keeps events elsewhere and tells them later. Then what it was not told of may
   be as old as the last that is in the stream, also while it is paused, until another thread has
   taken the stream, called this function, and got true: it has put into the stream what there was,
   and the thread will resume before it takes the number of another event. False: that cannot be
   said now. It is called with locks of the writer held, and may use nothing of it but
   trace_stream_event on this stream. */
typedef bool trace_stream_collect(void *context);
void trace_stream_set_collector(struct trace_stream *stream, trace_stream_collect *collect,
                                void *context);

/* Between pause and resume the thread has no events. Both are a few instructions. */
void trace_stream_pause(struct trace_stream *stream);
void trace_stream_resume(struct trace_stream *stream);

#endif
