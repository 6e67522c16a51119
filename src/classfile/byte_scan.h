/*
 * byte_scan: quick tests of texts, 32 bytes a step.
 *
 * Each settles for nearly all texts what the exact checks of modified_utf8.h, names.h and
 * descriptor.h would say about them. A positive answer is certain; a negative one says nothing, and
 * the exact check decides. Each is given how many bytes from the start of the text on may be looked
 * at, so that steps may reach beyond the text but not beyond the input.
 */
#ifndef TURNSTILE_CLASSFILE_BYTE_SCAN_H
#define TURNSTILE_CLASSFILE_BYTE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Most texts are shorter than a step: then no branch depends on the length, which could not be
   guessed. */
enum { BYTE_SCAN_BLOCK = 16, BYTE_SCAN_STEP = 2 * BYTE_SCAN_BLOCK };

/* Vectors as gcc and clang have them on every machine. A comparison gives 0xFF where it holds. */
typedef uint8_t byte_scan_block __attribute__((vector_size(BYTE_SCAN_BLOCK)));

static inline byte_scan_block byte_scan_load(const uint8_t *bytes)
{
    byte_scan_block loaded;
    memcpy(&loaded, bytes, sizeof loaded);
    return loaded;
}

static inline byte_scan_block byte_scan_fill(uint8_t byte)
{
    return (byte_scan_block){byte, byte, byte, byte, byte, byte, byte, byte,
                             byte, byte, byte, byte, byte, byte, byte, byte};
}

/* The highest bit of each byte, that of the first as bit 0. */
static inline uint32_t byte_scan_high_bits(byte_scan_block block)
{
#ifdef __SSE2__
    return (uint32_t)_mm_movemask_epi8((__m128i)block);
#else
    uint32_t bits = 0;
    for (unsigned i = 0; i < BYTE_SCAN_BLOCK; i++)
        bits |= (uint32_t)(block[i] >> 7) << i;
    return bits;
#endif
}

/* The lowest bits, up to all 32. */
static inline uint32_t byte_scan_lowest(size_t count)
{
    return (uint32_t) ~(~UINT64_C(0) << count);
}

/* A zero or a byte above 0x7F: the high bit is set, or gets set when 1 is taken away. */
static inline uint32_t byte_scan_special_in_block(const uint8_t *bytes)
{
    byte_scan_block block = byte_scan_load(bytes);
    return byte_scan_high_bits(block | (block - byte_scan_fill(1)));
}

static inline uint32_t byte_scan_special(const uint8_t *bytes)
{
    return byte_scan_special_in_block(bytes) | byte_scan_special_in_block(bytes + BYTE_SCAN_BLOCK)
                                                   << BYTE_SCAN_BLOCK;
}

/* Whether there are only bytes from 1 to 0x7F, which is modified UTF-8 in any case. */
static inline bool byte_scan_is_ascii(const uint8_t *bytes, size_t length, size_t readable)
{
    if (readable < length + BYTE_SCAN_STEP)
        return false;
    for (; length > BYTE_SCAN_STEP; length -= BYTE_SCAN_STEP, bytes += BYTE_SCAN_STEP)
        if (byte_scan_special(bytes))
            return false;
    return !(byte_scan_special(bytes) & byte_scan_lowest(length));
}

/* Whether the text may be the name of a field, a method or a class alike: it is not empty and has
   none of . ; [ / < > in it. */
bool byte_scan_is_plain_name(const void *text, size_t length, size_t readable);

/* Whether the text is an internal name, "java/util/Map$Entry". */
bool byte_scan_is_internal_name(const void *text, size_t length, size_t readable);

/* If the text starts with an internal name and a semicolon: the length of the name. Else 0. */
size_t byte_scan_name_before_semicolon(const void *text, size_t length, size_t readable);

#endif
