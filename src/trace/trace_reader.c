#include <errno.h>
#include <unistd.h>

#include "base/memory.h"
#include "trace/trace_reader_internal.h"

bool trace_reader_read(struct trace_reader *reader, uint64_t offset, uint8_t *to, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t got =
            pread(reader->descriptor, to + done, size - done, (off_t)(offset + done));
        if (got > 0)
            done += (size_t)got;
        else if (got == 0 || errno != EINTR)
            return false;
    }
    return true;
}

bool trace_room_make(struct trace_room *room, size_t size)
{
    if (room->size < size) {
        memory_release(room->bytes);
        room->bytes = memory_allocate(size);
        room->size = room->bytes ? size : 0;
    }
    return room->bytes != NULL;
}

const char *trace_reader_unpack(struct trace_reader *reader, uint64_t offset,
                                const struct trace_indexed *block, uint8_t *to)
{
    const bool packed = block->packing != TRACE_PACKING_NONE;
    if (packed && !trace_room_make(&reader->stored, block->stored))
        return "there is no memory to read a block";
    uint8_t *stored = packed ? reader->stored.bytes : to;
    if (!trace_reader_read(reader, offset + TRACE_FORMAT_BLOCK_HEADER, stored, block->stored))
        return "the file ends inside a block";
    if (trace_format_checksum(stored, block->stored) != block->checksum)
        return "a block is damaged (its checksum is wrong)";
    if (!packed)
        return NULL;
    z_stream *inflater = &reader->inflate;
    inflater->next_in = stored;
    inflater->avail_in = block->stored;
    inflater->next_out = to;
    inflater->avail_out = block->unpacked;
    if (inflateReset(inflater) != Z_OK || inflate(inflater, Z_FINISH) != Z_STREAM_END ||
        inflater->avail_in != 0 || inflater->avail_out != 0)
        return "a block cannot be unpacked";
    return NULL;
}

/* The first pass ends here; what follows cannot be used. */
static void set_damage(struct trace_reader *reader, const char *reason)
{
    problem_set(&reader->damage, (size_t)reader->position, "%s", reason);
}

static const char *add_events(struct trace_reader *reader, const struct trace_block_header *header)
{
    if (header->thread > reader->names.threads.count)
        return "a block of events is of an unknown thread";
    while (reader->chains.count <= header->thread) {
        const struct trace_chain none = {TRACE_READER_NONE, TRACE_READER_NONE};
        if (!vector_push(&reader->chains, none))
            return "there is no memory for the index of the trace";
    }
    struct trace_chain *chain = &reader->chains.items[header->thread];
    if (chain->last != TRACE_READER_NONE && reader->index.items[chain->last].last >= header->first)
        return "the blocks of a thread are not in order";
    const struct trace_indexed block = {.offset = reader->position,
                                        .first = header->first,
                                        .last = header->last,
                                        .count = header->count,
                                        .stored = header->stored,
                                        .unpacked = header->unpacked,
                                        .checksum = header->checksum,
                                        .next = TRACE_READER_NONE,
                                        .packing = (uint32_t)header->packing};
    if (reader->index.count >= TRACE_READER_NONE || !vector_push(&reader->index, block))
        return "there is no memory for the index of the trace";
    const uint32_t number = (uint32_t)(reader->index.count - 1);
    if (chain->last == TRACE_READER_NONE)
        chain->first = number;
    else
        reader->index.items[chain->last].next = number;
    chain->last = number;
    return NULL;
}

static const char *add_definitions(struct trace_reader *reader,
                                   const struct trace_block_header *header)
{
    const struct trace_indexed block = {.stored = header->stored,
                                        .unpacked = header->unpacked,
                                        .checksum = header->checksum,
                                        .packing = (uint32_t)header->packing};
    if (!trace_room_make(&reader->unpacked, header->unpacked))
        return "there is no memory to read a block";
    uint8_t *bytes = reader->unpacked.bytes;
    const char *wrong = trace_reader_unpack(reader, reader->position, &block, bytes);
    return wrong ? wrong
                 : trace_reader_define(&reader->names, bytes, header->unpacked, header->count);
}

/* False at the end of the first pass. */
static bool add_block(struct trace_reader *reader, uint64_t size)
{
    const uint64_t left = size - reader->position;
    uint8_t bytes[TRACE_FORMAT_BLOCK_HEADER];
    struct trace_block_header header;
    const char *wrong = NULL;
    if (left == 0) {
        set_damage(reader, "the trace was not finished (the end block is missing)");
        return false;
    }
    if (left < sizeof bytes || !trace_reader_read(reader, reader->position, bytes, sizeof bytes))
        wrong = "the file ends inside the header of a block";
    else if (!(wrong = trace_format_load(bytes, &header)) && header.stored > left - sizeof bytes)
        wrong = "the file ends inside a block";
    else if (!wrong && header.kind == TRACE_BLOCK_EVENTS)
        wrong = add_events(reader, &header);
    else if (!wrong && header.kind == TRACE_BLOCK_DEFINITIONS)
        wrong = add_definitions(reader, &header);
    if (wrong) {
        set_damage(reader, wrong);
        return false;
    }
    reader->position += sizeof bytes + header.stored;
    if (header.horizon > reader->horizon)
        reader->horizon = header.horizon;
    if (header.kind != TRACE_BLOCK_END)
        return true;
    reader->horizon = UINT64_MAX;
    reader->total = header.first;
    if (reader->position != size)
        set_damage(reader, "there are bytes behind the end of the trace");
    return false;
}

static void set_limits(struct trace_reader *reader)
{
    const struct trace_names *names = &reader->names;
    const uint32_t sorts[TRACE_CODER_SORTS] = {
        names->variables.count, (uint32_t)names->locks.count, (uint32_t)names->syncs.count,
        (uint32_t)names->threads.count, (uint32_t)names->blocks.count};
    for (unsigned kind = 0; kind < TRACE_CODER_KINDS; kind++)
        reader->limits[kind] = sorts[trace_coder_sort((enum trace_kind)kind)];
}

/* False, with the source's problem, if it is no trace at all. */
static bool read_file_header(struct trace_source *source, struct trace_reader *reader)
{
    uint8_t header[TRACE_FORMAT_FILE_HEADER];
    if (!trace_reader_read(reader, 0, header, sizeof header)) {
        trace_source_fail(source, 0, "the file ends inside its header");
        return false;
    }
    if (memcmp(header, TRACE_FORMAT_MAGIC, TRACE_FORMAT_MAGIC_SIZE) != 0) {
        trace_source_fail(source, 0, "is no recorded trace");
        return false;
    }
    const uint32_t version = trace_format_version(header);
    if (!trace_format_is_known(version)) {
        trace_source_fail(source, TRACE_FORMAT_MAGIC_SIZE,
                          "is a trace of a version that this program does not know");
        return false;
    }
    reader->position = sizeof header;
    return true;
}

static bool prepare(struct trace_reader *reader)
{
    reader->inflate.zalloc = trace_format_allocate;
    reader->inflate.zfree = trace_format_release;
    reader->inflate_ready = inflateInit2(&reader->inflate, -MAX_WBITS) == Z_OK;
    return reader->inflate_ready;
}

static void free_reader(struct trace_reader *reader)
{
    trace_merge_release(reader);
    if (reader->inflate_ready)
        inflateEnd(&reader->inflate);
    memory_release(reader->stored.bytes);
    memory_release(reader->unpacked.bytes);
    vector_release(&reader->index);
    vector_release(&reader->chains);
    vector_release(&reader->heap);
    trace_names_release(&reader->names);
    memory_release(reader);
}

static void close_reader(struct trace_source *source)
{
    struct trace_reader *reader = source->state;
    close(reader->descriptor);
    free_reader(reader);
}

/* Where the file ends is found once: it may still be growing. */
static bool read_index(struct trace_source *source, struct trace_reader *reader)
{
    const off_t size = lseek(reader->descriptor, 0, SEEK_END);
    if (size < 0) {
        trace_source_fail(source, PROBLEM_NO_OFFSET,
                          "is a recorded trace, which can be read from a file only");
        return false;
    }
    if (!read_file_header(source, reader))
        return false;
    while (add_block(reader, (uint64_t)size))
        ;
    set_limits(reader);
    return true;
}

bool trace_reader_open(struct trace_source *source, int descriptor)
{
    struct trace_reader *reader = memory_allocate(sizeof *reader);
    if (!reader) {
        trace_source_fail(source, PROBLEM_NO_OFFSET, "there is no memory to read a trace");
        return false;
    }
    memset(reader, 0, sizeof *reader);
    trace_names_init(&reader->names);
    reader->descriptor = descriptor;
    reader->horizon = 1;
    if (!prepare(reader))
        trace_source_fail(source, PROBLEM_NO_OFFSET, "there is no memory to read a trace");
    else if (read_index(source, reader) && !trace_merge_start(reader))
        trace_source_fail(source, PROBLEM_NO_OFFSET, "there is no memory to read a trace");
    if (source->problem.set) {
        free_reader(reader);
        return false;
    }
    source->names = &reader->names;
    source->state = reader;
    source->fill = trace_merge_fill;
    source->close = close_reader;
    return true;
}
