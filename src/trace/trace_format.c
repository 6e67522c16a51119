#include "trace/trace_format.h"

#include <zlib.h>

#include "base/memory.h"
#include "base/writer.h"
#include "trace/trace.h"

static void store_u8(uint8_t *to, uint64_t value)
{
    writer_store_u4(to, (uint32_t)(value >> 32));
    writer_store_u4(to + 4, (uint32_t)value);
}

uint32_t trace_format_checksum(const uint8_t *bytes, size_t size)
{
    return (uint32_t)crc32_z(0, bytes, size);
}

void trace_format_file_header(uint8_t to[TRACE_FORMAT_FILE_HEADER])
{
    memcpy(to, TRACE_FORMAT_MAGIC, TRACE_FORMAT_MAGIC_SIZE);
    writer_store_u4(to + 8, TRACE_FORMAT_VERSION);
}

uint32_t trace_format_version(const uint8_t from[TRACE_FORMAT_FILE_HEADER])
{
    struct problem problem;
    problem_clear(&problem);
    struct reader reader;
    reader_init(&reader, from + TRACE_FORMAT_MAGIC_SIZE, sizeof(uint32_t), &problem);
    return reader_u4(&reader);
}

bool trace_format_is_known(uint32_t version)
{
    return version == 1 || version == 2 || version == 4 || version == 8 || version == 16 ||
           version == TRACE_FORMAT_VERSION;
}

void trace_format_store(uint8_t to[TRACE_FORMAT_BLOCK_HEADER],
                        const struct trace_block_header *header)
{
    writer_store_u4(to, TRACE_FORMAT_MARKER);
    to[4] = (uint8_t)header->kind;
    to[5] = (uint8_t)header->packing;
    writer_store_u2(to + 6, 0);
    writer_store_u4(to + 8, header->stored);
    writer_store_u4(to + 12, header->unpacked);
    writer_store_u4(to + 16, header->thread);
    writer_store_u4(to + 20, header->count);
    store_u8(to + 24, header->first);
    store_u8(to + 32, header->last);
    store_u8(to + 40, header->horizon);
    writer_store_u4(to + 48, header->checksum);
    writer_store_u4(to + 52, trace_format_checksum(to, 52));
}

static const char *check_events(const struct trace_block_header *header)
{
    if (header->thread == 0 || header->count == 0)
        return "a block of events has no thread or no events";
    /* Each event takes a sequence number, and each byte has at most two events. */
    if (header->count > (uint64_t)header->unpacked * 2 || header->first == 0 ||
        header->first > header->last || header->last - header->first < header->count - 1)
        return "a block of events has impossible sequence numbers";
    return NULL;
}

static const char *check_header(const struct trace_block_header *header)
{
    if (header->unpacked > TRACE_FORMAT_BLOCK_MAX || header->stored > header->unpacked ||
        (header->packing == TRACE_PACKING_NONE && header->stored != header->unpacked))
        return "a block has an impossible size";
    switch (header->kind) {
    case TRACE_BLOCK_DEFINITIONS:
        return header->count <= header->unpacked ? NULL : "a block has an impossible size";
    case TRACE_BLOCK_EVENTS:
        return check_events(header);
    case TRACE_BLOCK_END:
        return header->unpacked == 0 ? NULL : "the end block has an impossible size";
    }
    return "a block is of an unknown kind";
}

const char *trace_format_load(const uint8_t from[TRACE_FORMAT_BLOCK_HEADER],
                              struct trace_block_header *header)
{
    struct problem problem;
    problem_clear(&problem);
    struct reader reader;
    reader_init(&reader, from, TRACE_FORMAT_BLOCK_HEADER, &problem);
    if (reader_u4(&reader) != TRACE_FORMAT_MARKER)
        return "no block begins here";
    const uint8_t kind = reader_u1(&reader);
    const uint8_t packing = reader_u1(&reader);
    const uint16_t zero = reader_u2(&reader);
    header->stored = reader_u4(&reader);
    header->unpacked = reader_u4(&reader);
    header->thread = reader_u4(&reader);
    header->count = reader_u4(&reader);
    header->first = reader_u8(&reader);
    header->last = reader_u8(&reader);
    header->horizon = reader_u8(&reader);
    header->checksum = reader_u4(&reader);
    if (reader_u4(&reader) != trace_format_checksum(from, 52))
        return "the header of a block is damaged (its checksum is wrong)";
    if (kind < TRACE_BLOCK_DEFINITIONS || kind > TRACE_BLOCK_END || zero)
        return "a block is of an unknown kind";
    if (packing > TRACE_PACKING_DEFLATE)
        return "a block is packed in an unknown way";
    header->kind = (enum trace_block_kind)kind;
    header->packing = (enum trace_packing)packing;
    return check_header(header);
}

void *trace_format_allocate(void *context, unsigned count, unsigned size)
{
    (void)context;
    size_t bytes;
    return __builtin_mul_overflow((size_t)count, (size_t)size, &bytes) ? NULL
                                                                       : memory_allocate(bytes);
}

void trace_format_release(void *context, void *block)
{
    (void)context;
    memory_release(block);
}

uint64_t trace_format_read_varint(struct reader *reader)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const uint8_t byte = reader_u1(reader);
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (!(byte & 0x80))
            return value;
    }
    reader_fail(reader, "a number is too long");
    return 0;
}

struct text trace_format_read_text(struct reader *reader)
{
    const uint64_t length = trace_format_read_varint(reader);
    if (length > TRACE_TEXT_MAX) {
        reader_fail(reader, "a name is too long");
        return TEXT("");
    }
    const uint8_t *bytes = reader_bytes(reader, (size_t)length);
    return bytes ? text_of(bytes, (size_t)length) : TEXT("");
}
