#include "classfile/byte_scan.h"

#include <string.h>

enum { STEP = 16, FIRST_STEPS = 2 * STEP };

/* Vectors as gcc and clang have them on every machine. A comparison gives 0xFF where it holds. */
typedef uint8_t block __attribute__((vector_size(STEP)));

struct state {
    block flags;
    uint64_t hash;
};

static inline block load(const uint8_t *bytes)
{
    block loaded;
    memcpy(&loaded, bytes, sizeof loaded);
    return loaded;
}

static inline block fill(uint8_t byte)
{
    return (block){byte, byte, byte, byte, byte, byte, byte, byte,
                   byte, byte, byte, byte, byte, byte, byte, byte};
}

/* For each byte the flags that it raises; `next` holds the bytes one further. */
static inline block classify(block here, block next)
{
    block slash = (block)(here == fill('/'));
    /* A byte is special if its high bit is set, or gets set when 1 is taken from it. */
    block special = (here | (here - fill(1))) >> 7;
    return special | ((block)(here == fill('.')) & fill(SCAN_DOT)) | (slash & fill(SCAN_SLASH)) |
           (slash & (block)(next == fill('/')) & fill(SCAN_DOUBLE_SLASH)) |
           ((block)(here == fill(';')) & fill(SCAN_SEMICOLON)) |
           ((block)(here == fill('[')) & fill(SCAN_BRACKET)) |
           /* < and > differ in one bit. */
           ((block)((here | fill('<' ^ '>')) == fill('>')) & fill(SCAN_ANGLE));
}

/* STEP - n bytes into it begins a block whose first n bytes are 0xFF and whose others are 0. */
static const uint8_t masks[2 * STEP] = {
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
};

/* Takes in the first `count` bytes, at most STEP, of a block; reads STEP + 1 of them. */
static inline void take(struct state *state, const uint8_t *bytes, size_t count)
{
    block mask = load(masks + STEP - count);
    block here = load(bytes);
    state->flags |= classify(here, load(bytes + 1)) & mask;
    here &= mask;
    uint64_t halves[2];
    memcpy(halves, &here, sizeof halves);
    uint64_t mixed = (state->hash ^ halves[0]) * 0x9E3779B97F4A7C15u + halves[1];
    state->hash = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93u;
}

static inline struct byte_scan finish(const struct state *state)
{
    uint64_t halves[2];
    memcpy(halves, &state->flags, sizeof halves);
    uint64_t flags = halves[0] | halves[1];
    flags |= flags >> 32;
    flags |= flags >> 16;
    flags |= flags >> 8;
    return (struct byte_scan){.flags = (uint8_t)flags,
                              .hash = (uint32_t)(state->hash ^ state->hash >> 32)};
}

static inline size_t at_most_step(size_t count)
{
    return count < STEP ? count : STEP;
}

/* Near the end of the input: the same steps, each through a copy, so that nothing behind the text
   is read. */
static struct byte_scan scan_copied(const uint8_t *bytes, size_t length)
{
    struct state state = {.hash = length};
    for (size_t position = 0; position < length || position < FIRST_STEPS; position += STEP) {
        uint8_t copy[STEP + 1] = {0};
        size_t left = position < length ? length - position : 0;
        if (left)
            memcpy(copy, bytes + position, left < sizeof copy ? left : sizeof copy);
        take(&state, copy, at_most_step(left));
    }
    return finish(&state);
}

struct byte_scan byte_scan(const void *bytes, size_t length, size_t readable)
{
    const uint8_t *from = bytes;
    if (readable < length + FIRST_STEPS + 1)
        return scan_copied(from, length);
    /* Most texts are short: two steps without a branch that depends on the length. */
    struct state state = {.hash = length};
    size_t first = at_most_step(length);
    take(&state, from, first);
    take(&state, from + STEP, at_most_step(length - first));
    for (size_t position = FIRST_STEPS; position < length; position += STEP)
        take(&state, from + position, at_most_step(length - position));
    return finish(&state);
}
