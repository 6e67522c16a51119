/*
 * trace_support: traces that the tests of src/trace record and read again.
 */
#ifndef TURNSTILE_TEST_TRACE_SUPPORT_H
#define TURNSTILE_TEST_TRACE_SUPPORT_H

#include <fcntl.h>
#include <stdlib.h>

#include "support.h"
#include "trace/trace_source.h"
#include "trace/trace_writer.h"

enum { SUPPORT_NUMBERS = 40 }; /* of each kind of thing but threads */

struct support_trace {
    struct trace_event *events;
    uint64_t *sequences;
    size_t count;
};

static inline void support_trace_make(struct support_trace *trace, size_t count)
{
    trace->events = calloc(count + 1, sizeof *trace->events); /* there may be none */
    trace->sequences = calloc(count + 1, sizeof *trace->sequences);
    trace->count = count;
    assert_non_null(trace->events);
    assert_non_null(trace->sequences);
}

static inline void support_trace_free(struct support_trace *trace)
{
    free(trace->events);
    free(trace->sequences);
}

/* Any events at all, with gaps in the sequence numbers, some of them great. */
static inline void support_trace_random(struct support_trace *trace, size_t count, uint32_t threads,
                                        uint64_t *random)
{
    support_trace_make(trace, count);
    uint64_t sequence = 0;
    for (size_t i = 0; i < count; i++) {
        struct trace_event *event = &trace->events[i];
        event->thread = 1 + (uint32_t)(support_random(random) % threads);
        event->kind = (enum trace_kind)(support_random(random) % TRACE_KIND_COUNT);
        event->target = (uint32_t)(support_random(random) % (SUPPORT_NUMBERS + 1));
        if (event->kind == TRACE_FORK || event->kind == TRACE_JOIN)
            event->target %= threads + 1;
        event->location = (uint32_t)(support_random(random) % (SUPPORT_NUMBERS + 1));
        event->stack = (uint32_t)(support_random(random) % (SUPPORT_NUMBERS + 1));
        const uint64_t chance = support_random(random) % 100;
        sequence += chance == 0 ? support_random(random) >> 24 : 1 + (chance < 30 ? chance : 0);
        trace->sequences[i] = sequence + 1;
        sequence++;
    }
}

/* Names for all numbers that random events have. */
static inline void support_trace_names(struct trace_writer *writer, uint32_t threads)
{
    char name[32];
    for (uint32_t i = 1; i <= threads; i++) {
        snprintf(name, sizeof name, "thread %u", i);
        assert_int_equal(trace_writer_thread(writer, text_from(name)), i);
    }
    for (uint32_t i = 1; i <= SUPPORT_NUMBERS; i++) {
        snprintf(name, sizeof name, "name %u", i);
        const struct trace_field field = {TEXT("com.example.Account"), text_from(name), TEXT("I")};
        /* All but the first are monitors of the block before; that one is where objects are made.
         */
        const struct trace_location location = {TEXT("com.example.Account"),
                                                text_from(name),
                                                TEXT("Account.java"),
                                                i * 100,
                                                i - 1,
                                                i == 1};
        const struct trace_block block = {TEXT("com.example.Account"), text_from(name), i};
        assert_int_equal(trace_writer_lock(writer, text_from(name)), i);
        assert_int_equal(trace_writer_sync(writer, text_from(name)), i);
        assert_int_equal(trace_writer_field(writer, &field), i);
        assert_int_equal(trace_writer_variables(writer, i, 1), i);
        assert_int_equal(trace_writer_location(writer, &location), i);
        assert_int_equal(trace_writer_stack(writer, i - 1, i), i);
        assert_int_equal(trace_writer_block(writer, &block), i);
    }
}

static inline struct trace_writer *support_trace_writer(const char *path, size_t block_bytes)
{
    struct trace_writer_options options;
    trace_writer_options_default(&options);
    options.block_bytes = block_bytes;
    struct problem problem;
    problem_clear(&problem);
    const int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(descriptor >= 0);
    struct trace_writer *writer = trace_writer_new(descriptor, &options, &problem);
    assert_non_null(writer);
    return writer;
}

/* Records the events, all by this one thread. */
static inline struct trace_writer_counts support_trace_record(const char *path, size_t block_bytes,
                                                              const struct support_trace *trace,
                                                              uint32_t threads)
{
    struct trace_writer *writer = support_trace_writer(path, block_bytes);
    support_trace_names(writer, threads);
    struct trace_stream **streams = calloc(threads + 1, sizeof *streams);
    assert_non_null(streams);
    for (uint32_t i = 1; i <= threads; i++)
        assert_non_null(streams[i] = trace_stream_open(writer, i));
    for (size_t i = 0; i < trace->count; i++)
        trace_stream_event(streams[trace->events[i].thread], trace->sequences[i],
                           &trace->events[i]);
    free(streams);
    struct trace_writer_counts counts;
    struct problem problem;
    problem_clear(&problem);
    assert_true(trace_writer_close(writer, &counts, &problem));
    assert_false(problem.set);
    return counts;
}

static inline bool support_same_event(const struct trace_event *a, const struct trace_event *b)
{
    return a->thread == b->thread && a->target == b->target && a->location == b->location &&
           a->stack == b->stack && a->kind == b->kind;
}

/* The source delivers the first events of the trace, and then `status`: how many. */
static inline size_t support_trace_compare(struct trace_source *source,
                                           const struct support_trace *trace,
                                           enum trace_status status)
{
    struct trace_event event = {0};
    enum trace_status got;
    size_t count = 0;
    while ((got = trace_next(source, &event)) == TRACE_EVENT) {
        assert_true(count < trace->count);
        assert_true(support_same_event(&event, &trace->events[count]));
        count++;
    }
    if (got != status)
        print_error("%s\n", source->problem.reason);
    assert_int_equal(got, status);
    assert_int_equal(trace_next(source, &event), status);
    assert_int_equal(trace_delivered(source), count);
    assert_int_equal(source->problem.set, status == TRACE_FAILED);
    return count;
}

/* A whole file in memory; to be freed. */
static inline uint8_t *support_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size ? *size : 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

#endif
