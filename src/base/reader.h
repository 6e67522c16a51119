/*
 * reader: bounds-checked reading of big-endian bytes, with a sticky error.
 *
 * After the first bad read (or reader_fail) every read returns zero and the position stays where
 * it is, so a parser may read a whole structure and look at the error once. Loops over counts must
 * still stop: use reader_count, which refuses a count that cannot fit into what is left.
 */
#ifndef TURNSTILE_BASE_READER_H
#define TURNSTILE_BASE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"

struct reader {
    const uint8_t *bytes;
    size_t size;
    size_t position;
    size_t origin; /* where byte 0 stands in the whole input: added to offsets in problems */
    struct problem *problem;
};

/* The problem is not cleared: readers of parts share the one of the whole. */
void reader_init(struct reader *reader, const void *bytes, size_t size, struct problem *problem);

static inline bool reader_ok(const struct reader *reader)
{
    return !reader->problem->set;
}

static inline size_t reader_left(const struct reader *reader)
{
    return reader->size - reader->position;
}

/* Sets the problem at the current position. */
void reader_fail(struct reader *reader, const char *format, ...)
    __attribute__((cold, format(printf, 2, 3)));

/* Sets "ends inside ..."; for the inline functions below. */
__attribute__((cold)) void reader_fail_short(struct reader *reader, size_t wanted);

static inline const uint8_t *reader_bytes(struct reader *reader, size_t size)
{
    if (!reader_ok(reader) || reader_left(reader) < size) {
        reader_fail_short(reader, size);
        return NULL;
    }
    const uint8_t *bytes = reader->bytes + reader->position;
    reader->position += size;
    return bytes;
}

static inline uint8_t reader_u1(struct reader *reader)
{
    const uint8_t *bytes = reader_bytes(reader, 1);
    return bytes ? bytes[0] : 0;
}

static inline uint16_t reader_u2(struct reader *reader)
{
    const uint8_t *bytes = reader_bytes(reader, 2);
    return (uint16_t)(bytes ? bytes[0] << 8 | bytes[1] : 0);
}

static inline uint32_t reader_u4(struct reader *reader)
{
    const uint8_t *bytes = reader_bytes(reader, 4);
    return bytes ? (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
                       bytes[3]
                 : 0;
}

static inline uint64_t reader_u8(struct reader *reader)
{
    const uint8_t *bytes = reader_bytes(reader, 8);
    uint64_t value = 0;
    for (int i = 0; bytes && i < 8; i++)
        value = value << 8 | bytes[i];
    return value;
}

/* `count` if that many items of at least `item_size` bytes can still follow; else the reader fails,
   naming `what`, and 0. */
uint32_t reader_count(struct reader *reader, uint32_t count, size_t item_size, const char *what);

/* A reader over the next `size` bytes, which this one skips. It shares the problem; its offsets
   count in the whole input. Empty after a failure. */
struct reader reader_part(struct reader *reader, size_t size);

#endif
