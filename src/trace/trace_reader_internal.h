/*
 * trace_reader_internal: what the files of the trace reader share.
 */
#ifndef TURNSTILE_TRACE_TRACE_READER_INTERNAL_H
#define TURNSTILE_TRACE_TRACE_READER_INTERNAL_H

#include <zlib.h>

#include "base/vector.h"
#include "trace/trace_coder.h"
#include "trace/trace_format.h"
#include "trace/trace_reader.h"

#define TRACE_READER_NONE UINT32_MAX

/* Bytes that grow. */
struct trace_room {
    uint8_t *bytes;
    size_t size;
};

/* Makes room for so many bytes, which may lose those that are there; false when there is no memory.
 */
bool trace_room_make(struct trace_room *room, size_t size);

/* A block of events in the file. */
struct trace_indexed {
    uint64_t offset;
    uint64_t first;
    uint64_t last;
    uint32_t count;
    uint32_t stored;
    uint32_t unpacked;
    uint32_t checksum;
    uint32_t next; /* of the same thread, in the index */
    uint32_t packing;
};

/* The blocks of one thread. */
struct trace_chain {
    uint32_t first;
    uint32_t last;
};

/* An open block, with its next event. */
struct trace_decoder {
    struct trace_decoder *next_free;
    struct trace_event event;
    uint64_t sequence;
    uint64_t last; /* sequence number */
    uint32_t left; /* events, with the next one */
    bool doubled;  /* that is the first of two that are one in the file, and the other comes next */
    struct trace_event second; /* then: that */
    const uint8_t *position;
    const uint8_t *end;
    struct trace_room room;
    struct trace_coder coder;
};

/* A thread that has more events. */
struct trace_cursor {
    uint64_t sequence; /* of the next */
    uint32_t thread;
    uint32_t block;                /* in the index */
    struct trace_decoder *decoder; /* NULL while the block is not open */
};

struct trace_reader {
    struct trace_names names;
    int descriptor;
    uint64_t position; /* in the first pass */
    VECTOR(struct trace_indexed) index;
    VECTOR(struct trace_chain) chains; /* by thread, from 1 */
    VECTOR(struct trace_cursor) heap;  /* the smallest sequence number first */
    struct trace_decoder *free_decoders;
    struct trace_room stored;   /* for the bytes of a block */
    struct trace_room unpacked; /* for definitions */
    z_stream inflate;
    bool inflate_ready;
    uint64_t total;                     /* events, says the end block */
    uint64_t horizon;                   /* events from this number on are not delivered */
    uint32_t limits[TRACE_CODER_KINDS]; /* the greatest target of each kind */
    struct problem damage;              /* what the delivered events end with */
};

/* False at the end of the file, or when it cannot be read. */
bool trace_reader_read(struct trace_reader *reader, uint64_t offset, uint8_t *to, size_t size);

/* NULL, or what is wrong. `to` has room for `unpacked` bytes. */
const char *trace_reader_unpack(struct trace_reader *reader, uint64_t offset,
                                const struct trace_indexed *block, uint8_t *to);

/* Definitions into the names: NULL, or what is wrong. */
const char *trace_reader_define(struct trace_names *names, const uint8_t *bytes, size_t size,
                                uint32_t count);

/* All threads into the heap; false when there is no memory. */
bool trace_merge_start(struct trace_reader *reader);

/* For the source. */
void trace_merge_fill(struct trace_source *source);
void trace_merge_release(struct trace_reader *reader);

#endif
