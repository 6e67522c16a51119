#include "classfile/byte_scan.h"

enum { BLOCK = BYTE_SCAN_BLOCK, STEP = BYTE_SCAN_STEP };

typedef byte_scan_block block;

/* Where the block has the byte. */
static inline block is(block bytes, uint8_t byte)
{
    return (block)(bytes == byte_scan_fill(byte));
}

/* Where the block has ; or [ (or a brace or an escape, which differ from these in two bits only and
   hardly occur in names). */
static inline block is_semicolon_or_bracket(block bytes)
{
    return is(bytes & byte_scan_fill(0x9F), ';' & '[');
}

/* Where a block has what no plain name has. */
static inline block is_not_plain(block bytes)
{
    /* The dot and the slash differ in one bit, and so do the angle brackets. */
    return is(bytes | byte_scan_fill('.' ^ '/'), '/') | is(bytes | byte_scan_fill('<' ^ '>'), '>') |
           is_semicolon_or_bracket(bytes);
}

/* One bit for each byte of a step. */
static inline uint32_t bits_of(block first, block second)
{
    return byte_scan_high_bits(first) | byte_scan_high_bits(second) << BLOCK;
}

static inline uint32_t not_plain(const uint8_t *bytes)
{
    return bits_of(is_not_plain(byte_scan_load(bytes)),
                   is_not_plain(byte_scan_load(bytes + BLOCK)));
}

bool byte_scan_is_plain_name(const void *text, size_t length, size_t readable)
{
    const uint8_t *bytes = text;
    if (readable < length + STEP || !length)
        return false;
    for (; length > STEP; length -= STEP, bytes += STEP)
        if (not_plain(bytes))
            return false;
    return !(not_plain(bytes) & byte_scan_lowest(length));
}

/* Both functions below see a name as if slashes stood before and behind it: then two in a row are
   all that is wrong with slashes. `before` is 1 if the byte before the step is one. */

bool byte_scan_is_internal_name(const void *text, size_t length, size_t readable)
{
    const uint8_t *bytes = text;
    uint32_t before = 1;
    if (readable < length + STEP || !length)
        return false;
    for (;; length -= STEP, bytes += STEP) {
        block first = byte_scan_load(bytes), second = byte_scan_load(bytes + BLOCK);
        uint32_t slashes = bits_of(is(first, '/'), is(second, '/'));
        uint32_t bad = bits_of(is(first, '.') | is_semicolon_or_bracket(first),
                               is(second, '.') | is_semicolon_or_bracket(second)) |
                       (slashes & (slashes << 1 | before));
        if (length <= STEP)
            return !(bad & byte_scan_lowest(length)) && !(slashes >> (length - 1) & 1);
        if (bad)
            return false;
        before = slashes >> (STEP - 1);
    }
}

size_t byte_scan_name_before_semicolon(const void *text, size_t length, size_t readable)
{
    const uint8_t *bytes = text;
    uint32_t before = 1;
    if (readable < length + STEP)
        return 0;
    for (size_t position = 0; position < length; position += STEP) {
        block first = byte_scan_load(bytes + position);
        block second = byte_scan_load(bytes + position + BLOCK);
        uint32_t semicolons = bits_of(is(first, ';'), is(second, ';'));
        uint32_t slashes = bits_of(is(first, '/'), is(second, '/'));
        uint32_t behind_slash = slashes << 1 | before;
        uint32_t bad = bits_of(is(first, '.') | is(first, '['), is(second, '.') | is(second, '[')) |
                       (slashes & behind_slash);
        if (semicolons) {
            uint32_t end_bit = semicolons & (0u - semicolons);
            size_t end = position + (size_t)__builtin_ctz(semicolons);
            bool good = !((bad & (end_bit - 1)) | (behind_slash & end_bit)) && end < length;
            return good ? end : 0;
        }
        if (bad)
            return 0;
        before = slashes >> (STEP - 1);
    }
    return 0;
}
