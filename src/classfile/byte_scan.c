#include "classfile/byte_scan.h"

#include <string.h>

enum { STEP = 16, TWO_STEPS = 2 * STEP };

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

/* For each of STEP bytes the flags that it raises; looks at one byte more. */
static inline block classify(const uint8_t *bytes)
{
    block here = load(bytes);
    block slash = (block)(here == fill('/'));
    block slash_next = (block)(load(bytes + 1) == fill('/'));
    /* < and > differ in one bit. */
    block angle = (block)((here | fill('<' ^ '>')) == fill('>'));
    /* A byte is special if its high bit is set, or gets set when 1 is taken from it. */
    block special = (here | (here - fill(1))) & fill(SCAN_SPECIAL);
    return special | ((slash | angle) & fill(SCAN_SLASH_OR_ANGLE)) |
           (slash & slash_next & fill(SCAN_DOUBLE_SLASH)) |
           ((block)(here == fill('.')) & fill(SCAN_DOT)) |
           ((block)(here == fill(';')) & fill(SCAN_SEMICOLON)) |
           ((block)(here == fill('[')) & fill(SCAN_BRACKET));
}

/* TWO_STEPS - n bytes into it begin two blocks whose first n bytes are 0xFF; the others are 0. */
static const uint8_t masks[2 * TWO_STEPS] = {
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
};

/* The flags of the first `length` bytes, or of two steps if they are fewer; looks at two steps and
   one byte more. There is no branch that depends on the length, as it could not be guessed. */
static inline block classify_two(const uint8_t *bytes, size_t length)
{
    const uint8_t *mask = masks + TWO_STEPS - (length < TWO_STEPS ? length : TWO_STEPS);
    return (classify(bytes) & load(mask)) | (classify(bytes + STEP) & load(mask + STEP));
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

/* Near the end of the input: through a copy, so that nothing behind the text is read. */
static unsigned scan_copied(const uint8_t *bytes, size_t length)
{
    block flags = fill(0);
    for (size_t position = 0; position < length; position += TWO_STEPS) {
        uint8_t copy[TWO_STEPS + 1] = {0};
        size_t left = length - position;
        memcpy(copy, bytes + position, left < sizeof copy ? left : sizeof copy);
        flags |= classify_two(copy, left);
    }
    return union_of(flags);
}

unsigned byte_scan(const void *text, size_t length, size_t readable)
{
    const uint8_t *bytes = text;
    if (readable < length + TWO_STEPS + 1)
        return scan_copied(bytes, length);
    /* Most texts are short. */
    block flags = classify_two(bytes, length);
    for (size_t position = TWO_STEPS; position < length; position += TWO_STEPS)
        flags |= classify_two(bytes + position, length - position);
    return union_of(flags);
}
