/*
 * trace_writer_internal: what the files of the trace writer share.
 *
 * Locks, in the order in which they may be taken: a compressor's, the file's, the names'. Under the
 * names' lock nothing is done but to add bytes to a buffer.
 */
#ifndef TURNSTILE_TRACE_TRACE_WRITER_INTERNAL_H
#define TURNSTILE_TRACE_TRACE_WRITER_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <zlib.h>

#include "base/writer.h"
#include "trace/trace_coder.h"
#include "trace/trace_format.h"
#include "trace/trace_writer.h"

enum {
    TRACE_WRITER_COMPRESSORS = 4,
    TRACE_WRITER_DEFINITIONS = 1 << 18, /* bytes that make a block of definitions */
};

/* A quarter of a megabyte each: so there are a few for all threads. */
struct trace_compressor {
    pthread_mutex_t lock;
    z_stream deflate;
    uint8_t *output; /* a block's header and bytes */
    bool ready;
    unsigned believed; /* so many blocks of events are taken for not worth it */
};

enum trace_stream_state {
    TRACE_STREAM_ACTIVE,
    TRACE_STREAM_EMPTY,   /* paused, with nothing in its buffer */
    TRACE_STREAM_PENDING, /* paused, with events in its buffer or, with a collector, elsewhere */
    TRACE_STREAM_TAKEN,   /* paused, and another thread writes what is in its buffer */
};

struct trace_stream {
    struct trace_writer *writer;
    struct trace_stream *next; /* with the file's lock */
    struct trace_stream **link;
    uint64_t written_below; /* with the file's lock: smaller numbers are in the file */
    uint32_t thread;
    _Atomic uint32_t state;
    /* Of the thread itself, or of the one that has taken the stream. */
    uint32_t count;
    uint64_t first;
    uint64_t last;
    uint64_t dropped;
    struct trace_compressor *taken_with; /* by the one that has taken it, with the file's lock */
    trace_stream_collect *collect;       /* NULL: nothing is kept elsewhere */
    void *context;
    uint8_t *end; /* behind the last event */
    uint8_t *full;
    struct trace_coder coder;
    uint8_t buffer[];
};

struct trace_writer {
    struct trace_writer_options options;
    struct trace_compressor compressors[TRACE_WRITER_COMPRESSORS];

    pthread_mutex_t file_lock;
    int descriptor;
    bool failed;
    bool regular;
    struct problem problem;
    uint64_t offset;  /* where the next block begins */
    uint64_t highest; /* sequence number in the file */
    uint64_t horizon;
    struct trace_writer_counts counts;
    struct trace_stream *streams;
    struct writer written; /* the definitions that are being written */
    struct trace_compressor definitions;

    pthread_mutex_t names_lock;
    struct writer pending; /* definitions */
    uint32_t pending_count;
    uint32_t numbers[TRACE_DEFINE_BLOCK + 1]; /* the last of each kind */
};

/* Packs the bytes into the compressor's output and sets what depends on them in the header. */
void trace_writer_pack(struct trace_compressor *compressor, const uint8_t *bytes, size_t size,
                       struct trace_block_header *header);

/* With the file's lock: appends the block in `output`. */
void trace_writer_append(struct trace_writer *writer, uint8_t *output,
                         struct trace_block_header *header);

/* With the file's lock: the definitions of all numbers that were given out so far. */
void trace_writer_write_definitions(struct trace_writer *writer);

/* With the file's lock: the smallest number of which it is not sure that it is in the file. */
uint64_t trace_writer_find_horizon(struct trace_writer *writer);

#endif
