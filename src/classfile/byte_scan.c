#include "classfile/byte_scan.h"

#include <string.h>

enum { STEP = 16, FIRST_STEPS = 2 * STEP };

/* Vectors as gcc and clang have them on every machine. A comparison gives 0xFF where it holds. */
typedef uint8_t block __attribute__((vector_size(STEP)));

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

/* For each of STEP bytes the flags that it raises; one byte more may be looked at. */
typedef block (*classify_function)(const uint8_t *bytes);

static inline block classify_roughly(const uint8_t *bytes)
{
    block here = load(bytes);
    /* Bytes are taken together that differ in few bits: . and /, < and >, ; and [ (with which come
       { and the escape character). */
    block mark = (block)((here | fill('.' ^ '/')) == fill('/')) |
                 (block)((here | fill('<' ^ '>')) == fill('>')) |
                 (block)((here & fill((uint8_t) ~(';' ^ '['))) == fill(';' & '['));
    /* A byte is special if its high bit is set, or gets set when 1 is taken from it. */
    block special = (here | (here - fill(1))) >> 7;
    return special | (mark & fill(SCAN_MARK));
}

static inline block classify_closely(const uint8_t *bytes)
{
    block here = load(bytes);
    block two_slashes = (block)(here == fill('/')) & (block)(load(bytes + 1) == fill('/'));
    return ((block)(here == fill('.')) & fill(SCAN_DOT)) | (two_slashes & fill(SCAN_DOUBLE_SLASH)) |
           ((block)(here == fill(';')) & fill(SCAN_SEMICOLON)) |
           ((block)(here == fill('[')) & fill(SCAN_BRACKET));
}

/* STEP - n bytes into it begins a block whose first n bytes are 0xFF and whose others are 0. */
static const uint8_t masks[2 * STEP] = {
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
};

static inline block first_of(block flags, size_t count)
{
    return flags & load(masks + STEP - count);
}

static inline unsigned union_of(block flags)
{
    uint64_t halves[2];
    memcpy(halves, &flags, sizeof halves);
    uint64_t both = halves[0] | halves[1];
    both |= both >> 32;
    both |= both >> 16;
    return (both | both >> 8) & 0xFF;
}

static inline size_t at_most_step(size_t count)
{
    return count < STEP ? count : STEP;
}

/* Near the end of the input: each step through a copy, so that nothing behind the text is read. */
static unsigned scan_copied(const uint8_t *bytes, size_t length, classify_function classify)
{
    block flags = fill(0);
    for (size_t position = 0; position < length; position += STEP) {
        uint8_t copy[STEP + 1] = {0};
        size_t left = length - position;
        memcpy(copy, bytes + position, left < sizeof copy ? left : sizeof copy);
        flags |= first_of(classify(copy), at_most_step(left));
    }
    return union_of(flags);
}

static inline unsigned scan(const uint8_t *bytes, size_t length, size_t readable,
                            classify_function classify)
{
    if (readable < length + FIRST_STEPS + 1)
        return scan_copied(bytes, length, classify);
    /* Most texts are short: two steps without a branch that depends on the length. */
    size_t first = at_most_step(length);
    block flags = first_of(classify(bytes), first) |
                  first_of(classify(bytes + STEP), at_most_step(length - first));
    for (size_t position = FIRST_STEPS; position < length; position += STEP)
        flags |= first_of(classify(bytes + position), at_most_step(length - position));
    return union_of(flags);
}

unsigned byte_scan_roughly(const void *bytes, size_t length, size_t readable)
{
    return scan(bytes, length, readable, classify_roughly);
}

unsigned byte_scan_closely(const void *bytes, size_t length, size_t readable)
{
    return scan(bytes, length, readable, classify_closely);
}
