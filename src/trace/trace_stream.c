/* The streams of a trace writer: what the recorded threads do. */
#include <stddef.h>

#include "base/memory.h"
#include "trace/trace_writer_internal.h"

struct trace_stream *trace_stream_open(struct trace_writer *writer, uint32_t thread)
{
    const size_t room = writer->options.block_bytes;
    const size_t alignment = _Alignof(struct trace_stream);
    const size_t size = offsetof(struct trace_stream, buffer) + room + alignment - 1;
    struct trace_stream *stream = memory_allocate_aligned(size - size % alignment, alignment);
    if (!stream)
        return NULL;
    memset(stream, 0, sizeof *stream);
    stream->writer = writer;
    stream->thread = thread;
    stream->end = stream->buffer;
    stream->full = stream->buffer + room - TRACE_FORMAT_EVENT_MAX;
    pthread_mutex_lock(&writer->file_lock);
    /* The numbers of its events are taken after this, and so are greater than all in the file. */
    stream->written_below = writer->highest + 1;
    stream->next = writer->streams;
    stream->link = &writer->streams;
    if (stream->next)
        stream->next->link = &stream->next;
    writer->streams = stream;
    pthread_mutex_unlock(&writer->file_lock);
    return stream;
}

/*
 * A stream that was seen paused and empty here has no event with a number up to `highest` that is
 * not in the file: its thread will resume after this, and then take a number that is greater than
 * all that were taken before. This needs one order of all numbers taken and all changes of states,
 * hence the sequentially consistent operations.
 */
uint64_t trace_writer_find_horizon(struct trace_writer *writer)
{
    uint64_t horizon = writer->highest + 1;
    for (struct trace_stream *stream = writer->streams; stream; stream = stream->next) {
        if (atomic_load(&stream->state) == TRACE_STREAM_EMPTY)
            stream->written_below = writer->highest + 1;
        else if (stream->written_below < horizon)
            horizon = stream->written_below;
    }
    return horizon > writer->horizon ? horizon : writer->horizon;
}

/* With the file's lock: what is packed in the compressor. */
static void append_events(struct trace_stream *stream, struct trace_compressor *compressor,
                          struct trace_block_header *header)
{
    struct trace_writer *writer = stream->writer;
    writer->counts.dropped += stream->dropped;
    if (!writer->failed) {
        const uint64_t highest = writer->highest;
        const uint64_t below = stream->written_below;
        writer->highest = header->last > highest ? header->last : highest;
        stream->written_below = header->last + 1;
        writer->horizon = trace_writer_find_horizon(writer);
        trace_writer_append(writer, compressor->output, header);
        if (writer->failed) {
            writer->highest = highest;
            stream->written_below = below;
        }
    }
    if (writer->failed)
        writer->counts.dropped += header->count;
    else
        writer->counts.events += header->count;
    stream->dropped = 0;
    stream->count = 0;
    stream->end = stream->buffer;
}

static void pack_events(struct trace_stream *stream, struct trace_compressor *compressor,
                        struct trace_block_header *header)
{
    *header = (struct trace_block_header){.kind = TRACE_BLOCK_EVENTS,
                                          .thread = stream->thread,
                                          .count = stream->count,
                                          .first = stream->first,
                                          .last = stream->last};
    trace_writer_pack(compressor, stream->buffer, (size_t)(stream->end - stream->buffer), header);
}

/* With the file's lock, of a stream that is taken. */
static void append_taken(struct trace_stream *stream)
{
    struct trace_block_header header;
    pack_events(stream, stream->taken_with, &header);
    /* Its thread may have made names and paused since they were written last. */
    trace_writer_write_definitions(stream->writer);
    append_events(stream, stream->taken_with, &header);
}

/* Whether what the stream holds, or may not have been told yet, is old. */
static bool is_old(const struct trace_stream *stream)
{
    const struct trace_writer *writer = stream->writer;
    const uint64_t first = stream->count ? stream->first : stream->written_below;
    return first <= writer->highest && writer->highest - first >= writer->options.idle_events;
}

/* With the file's lock: appends what paused streams hold since long ago. */
static void append_idle(struct trace_writer *writer, struct trace_compressor *compressor)
{
    for (struct trace_stream *stream = writer->streams; stream; stream = stream->next) {
        uint32_t state = TRACE_STREAM_PENDING;
        if (!atomic_compare_exchange_strong(&stream->state, &state, TRACE_STREAM_TAKEN))
            continue;
        bool all = false;
        if (is_old(stream)) {
            stream->taken_with = compressor;
            all = !stream->collect || stream->collect(stream->context);
            if (stream->count)
                append_taken(stream);
            stream->taken_with = NULL;
        }
        atomic_store(&stream->state, all ? TRACE_STREAM_EMPTY : TRACE_STREAM_PENDING);
    }
}

static struct trace_compressor *take_compressor(struct trace_stream *stream)
{
    struct trace_compressor *compressors = stream->writer->compressors;
    const uint32_t start = stream->thread % TRACE_WRITER_COMPRESSORS;
    for (uint32_t i = 0; i < TRACE_WRITER_COMPRESSORS; i++) {
        struct trace_compressor *compressor = &compressors[(start + i) % TRACE_WRITER_COMPRESSORS];
        if (pthread_mutex_trylock(&compressor->lock) == 0)
            return compressor;
    }
    pthread_mutex_lock(&compressors[start].lock);
    return &compressors[start];
}

void trace_stream_flush(struct trace_stream *stream)
{
    struct trace_writer *writer = stream->writer;
    if (stream->count == 0)
        return;
    if (stream->taken_with) {
        append_taken(stream);
        return;
    }
    struct trace_block_header header;
    struct trace_compressor *compressor = take_compressor(stream);
    pack_events(stream, compressor, &header);
    pthread_mutex_lock(&writer->file_lock);
    trace_writer_write_definitions(writer);
    append_events(stream, compressor, &header);
    append_idle(writer, compressor);
    pthread_mutex_unlock(&writer->file_lock);
    pthread_mutex_unlock(&compressor->lock);
}

void trace_stream_event(struct trace_stream *stream, uint64_t sequence,
                        const struct trace_event *event)
{
    if (sequence <= stream->last || sequence == UINT64_MAX) {
        stream->dropped++;
        return;
    }
    if (stream->count == 0) {
        stream->first = sequence;
        trace_coder_start(&stream->coder, sequence);
        for (size_t i = 0; i < TRACE_CODER_CONTEXTS; i++)
            stream->coder.contexts[i].link.stack = TRACE_LINK_NONE;
    }
    stream->coder.contexts[stream->coder.place].link.stack = TRACE_LINK_NONE;
    stream->end = trace_coder_encode(&stream->coder, stream->end, sequence, event);
    stream->last = stream->coder.sequence;
    stream->count += trace_kind_events(event->kind);
    if (stream->end > stream->full)
        trace_stream_flush(stream);
}

void trace_stream_set_collector(struct trace_stream *stream, trace_stream_collect *collect,
                                void *context)
{
    stream->collect = collect;
    stream->context = context;
}

void trace_stream_pause(struct trace_stream *stream)
{
    atomic_store(&stream->state,
                 stream->count || stream->collect ? TRACE_STREAM_PENDING : TRACE_STREAM_EMPTY);
}

void trace_stream_resume(struct trace_stream *stream)
{
    for (;;) {
        uint32_t state = atomic_load(&stream->state);
        if (state == TRACE_STREAM_ACTIVE)
            return;
        if (state != TRACE_STREAM_TAKEN) {
            if (atomic_compare_exchange_strong(&stream->state, &state, TRACE_STREAM_ACTIVE))
                return;
            continue;
        }
        /* Whoever has taken it does so under this lock. */
        pthread_mutex_lock(&stream->writer->file_lock);
        pthread_mutex_unlock(&stream->writer->file_lock);
    }
}

void trace_stream_close(struct trace_stream *stream)
{
    struct trace_writer *writer = stream->writer;
    trace_stream_resume(stream);
    trace_stream_flush(stream);
    pthread_mutex_lock(&writer->file_lock);
    writer->counts.dropped += stream->dropped;
    *stream->link = stream->next;
    if (stream->next)
        stream->next->link = stream->link;
    pthread_mutex_unlock(&writer->file_lock);
    memory_release(stream);
}
