/*
 * trace_source: the events of a trace one by one, wherever they come from.
 *
 *     struct trace_source source;
 *     if (trace_open(&source, path)) {
 *         struct trace_event event;
 *         while ((status = trace_next(&source, &event)) == TRACE_EVENT)
 *             use(&event);
 *         if (status == TRACE_FAILED)
 *             print(trace_explain(...));     what was delivered before is still good
 *     } else
 *         print(source.problem.reason);
 *     trace_close(&source);
 *
 * A source of events is a recorded trace (trace_format.h), an STD file (std.h), plain or
 * gzipped, or a function that makes them up. All numbers in the events that it delivers are 0 or
 * known to `names` by then, and no event has the thread 0. The names of a recorded trace are all
 * there from the beginning, those of an STD file come with the events.
 *
 * The status of the end stays: asking again gives it again.
 */
#ifndef TURNSTILE_TRACE_TRACE_SOURCE_H
#define TURNSTILE_TRACE_TRACE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/builder.h"
#include "base/problem.h"
#include "trace/event.h"
#include "trace/trace.h"

enum trace_status {
    TRACE_EVENT,
    TRACE_FINISHED, /* there are no more */
    TRACE_FAILED,   /* there should be more; `problem` says why they cannot be had */
};

enum { TRACE_BATCH = 512 };

/* Made by one of the functions below. All but `names` and `problem` is for them. */
struct trace_source {
    const struct trace_names *names;
    struct problem problem; /* the offset is that in the file, if there is one */
    struct trace_event *events;
    const uint64_t *lines; /* of the events, or NULL */
    size_t position;
    size_t count;
    uint64_t before;         /* events of earlier batches */
    enum trace_status after; /* TRACE_EVENT, or what follows the last event of this batch */
    void (*fill)(struct trace_source *source);
    void (*close)(struct trace_source *source);
    void *state;
};

/* Recognizes the format by what is in the file. False with a problem; the source may then be closed
   or not. Recorded traces cannot be read from pipes, STD can. */
bool trace_open(struct trace_source *source, const char *path);

/* The same for an open descriptor, which belongs to the source from now on, also on failure. */
bool trace_open_descriptor(struct trace_source *source, int descriptor);

/* Fills in events and gives their number, 0 at the end. The capacity is at least 1. */
typedef size_t (*trace_generator)(void *context, struct trace_event *events, size_t capacity);

/* `names` stays the caller's. False when there is no memory. */
bool trace_generate(struct trace_source *source, const struct trace_names *names,
                    trace_generator generator, void *context);

void trace_close(struct trace_source *source);

/* For trace_next: the next batch. */
enum trace_status trace_refill(struct trace_source *source);

static inline enum trace_status trace_next(struct trace_source *source, struct trace_event *event)
{
    if (source->position == source->count) {
        enum trace_status status = trace_refill(source);
        if (status != TRACE_EVENT)
            return status;
    }
    *event = source->events[source->position++];
    return TRACE_EVENT;
}

/* An event that is going to be delivered when `distance` others have been, or NULL: then nothing is
   known of it yet. */
static inline const struct trace_event *trace_peek(const struct trace_source *source,
                                                   size_t distance)
{
    return source->count - source->position > distance
               ? &source->events[source->position + distance]
               : NULL;
}

/* How many events were delivered: also the number of the last one. */
static inline uint64_t trace_delivered(const struct trace_source *source)
{
    return source->before + source->position;
}

/* The line of the last event delivered; 0 where there are no lines. */
uint64_t trace_line(const struct trace_source *source);

/* After TRACE_FAILED, one line: where, why, and how many events could be used. Also after
   trace_close. */
void trace_explain(const struct trace_source *source, struct builder *to);

/* For those who write sources: `events` gets room for TRACE_BATCH, the rest is nothing. False, with
   a problem, when there is no memory. */
bool trace_source_init(struct trace_source *source);

/* For `fill`, which sets `count` and may fill in nothing: nothing follows what was filled in. The
   first problem is kept. */
void trace_source_finish(struct trace_source *source);
void trace_source_fail(struct trace_source *source, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
