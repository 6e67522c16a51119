#include "base/writer.h"

#include <string.h>

#include "base/memory.h"

void writer_init(struct writer *writer)
{
    memset(writer, 0, sizeof *writer);
}

void writer_release(struct writer *writer)
{
    memory_release(writer->bytes);
    writer_init(writer);
}

void writer_clear(struct writer *writer)
{
    writer->size = 0;
    writer->failed = false;
}

uint8_t *writer_extend_slowly(struct writer *writer, size_t size)
{
    if (writer->failed)
        return NULL;
    if (size > SIZE_MAX / 4 || writer->size > SIZE_MAX / 4) {
        writer->failed = true;
        return NULL;
    }
    if (!writer->bytes || writer->capacity - writer->size < size) {
        size_t wanted = writer->capacity * 2 > 4096 ? writer->capacity * 2 : 4096;
        if (wanted < writer->size + size)
            wanted = writer->size + size;
        uint8_t *grown = memory_resize(writer->bytes, wanted);
        if (!grown) {
            writer->failed = true;
            return NULL;
        }
        writer->bytes = grown;
        writer->capacity = wanted;
    }
    uint8_t *start = writer->bytes + writer->size;
    writer->size += size;
    return start;
}

void writer_u8(struct writer *writer, uint64_t value)
{
    writer_u4(writer, (uint32_t)(value >> 32));
    writer_u4(writer, (uint32_t)value);
}

void writer_bytes(struct writer *writer, const void *bytes, size_t size)
{
    uint8_t *to = writer_extend(writer, size);
    if (to && size)
        memcpy(to, bytes, size);
}

void writer_patch_u4(struct writer *writer, size_t position, uint32_t value)
{
    if (!writer->failed)
        writer_store_u4(writer->bytes + position, value);
}

void writer_patch_u2(struct writer *writer, size_t position, uint16_t value)
{
    if (!writer->failed)
        writer_store_u2(writer->bytes + position, value);
}
