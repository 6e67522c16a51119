/*
 * writer: big-endian bytes into a growing buffer that it owns.
 *
 * When memory runs out `failed` is set and later writes do nothing; check it once at the end.
 */
#ifndef TURNSTILE_BASE_WRITER_H
#define TURNSTILE_BASE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct writer {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    bool failed;
};

void writer_init(struct writer *writer);
void writer_release(struct writer *writer);

/* Forgets the bytes, keeps the memory. */
void writer_clear(struct writer *writer);

/* Room for `size` more bytes: their start, already counted in `size`, or NULL. */
__attribute__((cold)) uint8_t *writer_extend_slowly(struct writer *writer, size_t size);

static inline uint8_t *writer_extend(struct writer *writer, size_t size)
{
    /* An exact fit goes the slow way too: so does, then, writing nothing into no memory. */
    if (writer->failed || writer->capacity - writer->size <= size)
        return writer_extend_slowly(writer, size);
    uint8_t *start = writer->bytes + writer->size;
    writer->size += size;
    return start;
}

static inline void writer_u1(struct writer *writer, uint8_t value)
{
    uint8_t *to = writer_extend(writer, 1);
    if (to)
        to[0] = value;
}

static inline void writer_store_u2(uint8_t *to, uint16_t value)
{
    to[0] = (uint8_t)(value >> 8);
    to[1] = (uint8_t)value;
}

static inline void writer_store_u4(uint8_t *to, uint32_t value)
{
    to[0] = (uint8_t)(value >> 24);
    to[1] = (uint8_t)(value >> 16);
    to[2] = (uint8_t)(value >> 8);
    to[3] = (uint8_t)value;
}

static inline void writer_u2(struct writer *writer, uint16_t value)
{
    uint8_t *to = writer_extend(writer, 2);
    if (to)
        writer_store_u2(to, value);
}

static inline void writer_u4(struct writer *writer, uint32_t value)
{
    uint8_t *to = writer_extend(writer, 4);
    if (to)
        writer_store_u4(to, value);
}

void writer_u8(struct writer *writer, uint64_t value);
void writer_bytes(struct writer *writer, const void *bytes, size_t size);

/* Overwrites four bytes written before; nothing if the writer has failed. */
void writer_patch_u4(struct writer *writer, size_t position, uint32_t value);
void writer_patch_u2(struct writer *writer, size_t position, uint16_t value);

#endif
