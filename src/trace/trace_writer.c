#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "trace/trace_writer_internal.h"

void trace_writer_options_default(struct trace_writer_options *options)
{
    *options = (struct trace_writer_options){.block_bytes = 1 << 16, .idle_events = 1 << 20};
}

static bool compressor_init(struct trace_compressor *compressor, size_t size)
{
    if (pthread_mutex_init(&compressor->lock, NULL) != 0)
        return false;
    compressor->deflate.zalloc = trace_format_allocate;
    compressor->deflate.zfree = trace_format_release;
    compressor->output = memory_allocate(TRACE_FORMAT_BLOCK_HEADER + size);
    /* The fastest there is: the program waits for it. */
    if (compressor->output && deflateInit2(&compressor->deflate, 1, Z_DEFLATED, -MAX_WBITS, 8,
                                           Z_DEFAULT_STRATEGY) == Z_OK) {
        compressor->ready = true;
        return true;
    }
    memory_release(compressor->output);
    pthread_mutex_destroy(&compressor->lock);
    return false;
}

static void compressor_release(struct trace_compressor *compressor)
{
    if (!compressor->ready)
        return;
    deflateEnd(&compressor->deflate);
    memory_release(compressor->output);
    pthread_mutex_destroy(&compressor->lock);
}

/* To at most `room` bytes of the output: how many they are, or 0. */
static size_t deflate_bytes(struct trace_compressor *compressor, const uint8_t *bytes, size_t size,
                            size_t room)
{
    z_stream *deflater = &compressor->deflate;
    uint8_t *packed = compressor->output + TRACE_FORMAT_BLOCK_HEADER;
    deflater->next_in = (z_const Bytef *)bytes;
    deflater->avail_in = (uInt)size;
    deflater->next_out = packed;
    deflater->avail_out = (uInt)room;
    return deflateReset(deflater) == Z_OK && deflate(deflater, Z_FINISH) == Z_STREAM_END
               ? (size_t)(deflater->next_out - packed)
               : 0;
}

/* Deflating takes several times as long as all the rest, unless the bytes are very much the same
   again and again; then it is worth most. A small part of them tells, and mostly for the blocks
   that follow, too. Events that are long by themselves are deflated in any case. */
static bool is_worth_it(struct trace_compressor *compressor, const uint8_t *bytes, size_t size,
                        const struct trace_block_header *header)
{
    const size_t part = 2048, parts_min = 8, times = 8, long_event = 3;
    const unsigned believed = 15; /* blocks */
    if (header->kind != TRACE_BLOCK_EVENTS || size < part * parts_min ||
        size / long_event > header->count)
        return true;
    if (compressor->believed) {
        compressor->believed--;
        return false;
    }
    if (deflate_bytes(compressor, bytes + size / 2, part, part / times))
        return true;
    compressor->believed = believed;
    return false;
}

void trace_writer_pack(struct trace_compressor *compressor, const uint8_t *bytes, size_t size,
                       struct trace_block_header *header)
{
    uint8_t *packed = compressor->output + TRACE_FORMAT_BLOCK_HEADER;
    const size_t deflated = size && is_worth_it(compressor, bytes, size, header)
                                ? deflate_bytes(compressor, bytes, size, size - 1)
                                : 0;
    header->unpacked = (uint32_t)size;
    if (deflated) {
        header->packing = TRACE_PACKING_DEFLATE;
        header->stored = (uint32_t)deflated;
    } else {
        header->packing = TRACE_PACKING_NONE;
        header->stored = (uint32_t)size;
        if (size)
            memcpy(packed, bytes, size);
    }
    header->checksum = trace_format_checksum(packed, header->stored);
}

static void fail(struct trace_writer *writer, int error)
{
    char text[128];
    writer->failed = true;
    problem_set(&writer->problem, (size_t)writer->offset, "the trace cannot be written: %s",
                strerror_r(error, text, sizeof text));
    /* Half a block is of no use to anybody, and the disk may be full. */
    if (writer->regular && ftruncate(writer->descriptor, (off_t)writer->offset) != 0)
        writer->regular = false;
}

static void write_bytes(struct trace_writer *writer, const uint8_t *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t written = write(writer->descriptor, bytes + done, size - done);
        if (written > 0) {
            done += (size_t)written;
        } else if (written == 0 || errno != EINTR) {
            fail(writer, written == 0 ? EIO : errno);
            return;
        }
    }
    writer->offset += size;
}

void trace_writer_append(struct trace_writer *writer, uint8_t *output,
                         struct trace_block_header *header)
{
    header->horizon = writer->horizon;
    trace_format_store(output, header);
    if (!writer->failed)
        write_bytes(writer, output, TRACE_FORMAT_BLOCK_HEADER + header->stored);
}

void trace_writer_write_definitions(struct trace_writer *writer)
{
    pthread_mutex_lock(&writer->names_lock);
    const struct writer filled = writer->pending;
    const uint32_t count = writer->pending_count;
    writer->pending = writer->written;
    writer->pending_count = 0;
    writer->written = filled;
    pthread_mutex_unlock(&writer->names_lock);
    if (count) {
        struct trace_block_header header = {.kind = TRACE_BLOCK_DEFINITIONS, .count = count};
        trace_writer_pack(&writer->definitions, filled.bytes, filled.size, &header);
        trace_writer_append(writer, writer->definitions.output, &header);
    }
    writer_clear(&writer->written);
}

static bool init_parts(struct trace_writer *writer)
{
    for (size_t i = 0; i < TRACE_WRITER_COMPRESSORS; i++)
        if (!compressor_init(&writer->compressors[i], writer->options.block_bytes))
            return false;
    return compressor_init(&writer->definitions, TRACE_FORMAT_BLOCK_MAX);
}

static void free_writer(struct trace_writer *writer)
{
    for (size_t i = 0; i < TRACE_WRITER_COMPRESSORS; i++)
        compressor_release(&writer->compressors[i]);
    compressor_release(&writer->definitions);
    writer_release(&writer->pending);
    writer_release(&writer->written);
    pthread_mutex_destroy(&writer->file_lock);
    pthread_mutex_destroy(&writer->names_lock);
    memory_release(writer);
}

static struct trace_writer *new_writer(const struct trace_writer_options *options)
{
    struct trace_writer *writer = memory_allocate(sizeof *writer);
    if (!writer)
        return NULL;
    memset(writer, 0, sizeof *writer);
    writer->options = *options;
    if (writer->options.block_bytes < 2 * TRACE_FORMAT_EVENT_MAX)
        writer->options.block_bytes = 2 * TRACE_FORMAT_EVENT_MAX;
    if (writer->options.block_bytes > TRACE_FORMAT_BLOCK_MAX)
        writer->options.block_bytes = TRACE_FORMAT_BLOCK_MAX;
    writer_init(&writer->pending);
    writer_init(&writer->written);
    if (pthread_mutex_init(&writer->file_lock, NULL) != 0) {
        memory_release(writer);
        return NULL;
    }
    if (pthread_mutex_init(&writer->names_lock, NULL) != 0) {
        pthread_mutex_destroy(&writer->file_lock);
        memory_release(writer);
        return NULL;
    }
    if (!init_parts(writer)) {
        free_writer(writer);
        return NULL;
    }
    return writer;
}

struct trace_writer *trace_writer_new(int descriptor, const struct trace_writer_options *options,
                                      struct problem *problem)
{
    struct trace_writer *writer = new_writer(options);
    if (!writer) {
        problem_set(problem, PROBLEM_NO_OFFSET, "there is no memory to record a trace");
        close(descriptor);
        return NULL;
    }
    struct stat status;
    writer->descriptor = descriptor;
    writer->regular = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    writer->horizon = 1;
    uint8_t header[TRACE_FORMAT_FILE_HEADER];
    trace_format_file_header(header);
    write_bytes(writer, header, sizeof header);
    if (writer->failed) {
        problem_set(problem, PROBLEM_NO_OFFSET, "%s", writer->problem.reason);
        close(descriptor);
        free_writer(writer);
        return NULL;
    }
    return writer;
}

bool trace_writer_failed(struct trace_writer *writer, struct problem *problem)
{
    pthread_mutex_lock(&writer->file_lock);
    const bool failed = writer->failed;
    if (failed && problem)
        problem_set(problem, writer->problem.offset, "%s", writer->problem.reason);
    pthread_mutex_unlock(&writer->file_lock);
    return failed;
}

static void write_end(struct trace_writer *writer)
{
    uint8_t output[TRACE_FORMAT_BLOCK_HEADER] = {0};
    struct trace_block_header header = {.kind = TRACE_BLOCK_END, .first = writer->counts.events};
    header.checksum = trace_format_checksum(output, 0);
    writer->horizon = UINT64_MAX;
    trace_writer_append(writer, output, &header);
}

bool trace_writer_close(struct trace_writer *writer, struct trace_writer_counts *counts,
                        struct problem *problem)
{
    while (writer->streams)
        trace_stream_close(writer->streams);
    trace_writer_write_definitions(writer);
    write_end(writer);
    if (close(writer->descriptor) != 0 && errno != EINTR && !writer->failed) {
        writer->regular = false;
        fail(writer, errno);
    }
    if (!writer->failed && writer->counts.dropped)
        problem_set(&writer->problem, PROBLEM_NO_OFFSET,
                    "the sequence numbers of some events do not grow");
    writer->counts.bytes = writer->offset;
    if (counts)
        *counts = writer->counts;
    const bool complete = !writer->problem.set;
    if (!complete)
        problem_set(problem, writer->problem.offset, "%s", writer->problem.reason);
    free_writer(writer);
    return complete;
}
