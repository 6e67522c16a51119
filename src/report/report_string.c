#include "report/report_string.h"

#include <stdbool.h>
#include <stdint.h>

#define REPLACEMENT 0xFFFDu

static bool is_high_surrogate(uint32_t unit)
{
    return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_low_surrogate(uint32_t unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

static bool is_surrogate(uint32_t unit)
{
    return is_high_surrogate(unit) || is_low_surrogate(unit);
}

/* How many bytes follow a first byte; 0 if it cannot be the first of several. */
static size_t bytes_after(unsigned first)
{
    if ((first & 0xE0) == 0xC0)
        return 1;
    if ((first & 0xF0) == 0xE0)
        return 2;
    if ((first & 0xF8) == 0xF0)
        return 3;
    return 0;
}

/* Whether a value may be written with so many bytes: no more than it needs, except for NUL in
   modified UTF-8. */
static bool is_shortest(uint32_t value, size_t after)
{
    switch (after) {
    case 1:
        return value >= 0x80 || value == 0;
    case 2:
        return value >= 0x800;
    default:
        return value >= 0x10000 && value <= 0x10FFFF;
    }
}

/* The character or half of a pair at *position, which moves behind it; the replacement character
   for a byte that begins neither. */
static uint32_t next_unit(struct text text, size_t *position)
{
    size_t start = (*position)++;
    unsigned first = (unsigned char)text.bytes[start];
    if (first < 0x80)
        return first;
    size_t after = bytes_after(first);
    if (after == 0 || text.length - start <= after)
        return REPLACEMENT;
    uint32_t value = first & (0x3Fu >> after);
    for (size_t i = 1; i <= after; i++) {
        unsigned byte = (unsigned char)text.bytes[start + i];
        if ((byte & 0xC0) != 0x80)
            return REPLACEMENT;
        value = value << 6 | (byte & 0x3F);
    }
    if (!is_shortest(value, after))
        return REPLACEMENT;
    *position = start + 1 + after;
    return value;
}

/* The same with the halves of a pair joined; a half without the other half gives itself. */
static uint32_t next_character(struct text text, size_t *position)
{
    uint32_t high = next_unit(text, position);
    if (!is_high_surrogate(high) || *position == text.length)
        return high;
    size_t behind = *position;
    uint32_t low = next_unit(text, &behind);
    if (!is_low_surrogate(low))
        return high;
    *position = behind;
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

/* The character is not half of a pair. */
static void add_character(struct builder *builder, uint32_t character)
{
    char bytes[4];
    size_t length = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    if (length == 1) {
        bytes[0] = (char)character;
    } else {
        for (size_t i = length; i-- > 1; character >>= 6)
            bytes[i] = (char)(0x80 | (character & 0x3F));
        bytes[0] = (char)((0xF0u << (4 - length) & 0xFF) | character);
    }
    builder_add(builder, text_of(bytes, length));
}

static const char *short_escape(uint32_t character)
{
    switch (character) {
    case '\b':
        return "\\b";
    case '\t':
        return "\\t";
    case '\n':
        return "\\n";
    case '\f':
        return "\\f";
    case '\r':
        return "\\r";
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    default:
        return NULL;
    }
}

/* U+2028 and U+2029 are fine in JSON but end a line in older JavaScript. */
static bool needs_json_escape(uint32_t character)
{
    return character < 0x20 || character == 0x7F || character == 0x2028 || character == 0x2029;
}

void report_string_add_json(struct builder *builder, struct text text)
{
    builder_add_byte(builder, '"');
    for (size_t position = 0; position < text.length;) {
        uint32_t character = next_character(text, &position);
        const char *escape = short_escape(character);
        if (escape)
            builder_add_string(builder, escape);
        else if (needs_json_escape(character))
            builder_add_format(builder, "\\u%04x", (unsigned)character);
        else
            add_character(builder, is_surrogate(character) ? REPLACEMENT : character);
    }
    builder_add_byte(builder, '"');
}

static bool needs_plain_escape(uint32_t character)
{
    return character < 0x20 || (character >= 0x7F && character < 0xA0) || character == 0x61C ||
           (character >= 0x200B && character <= 0x200F) ||
           (character >= 0x2028 && character <= 0x202E) ||
           (character >= 0x2060 && character <= 0x2069) || character == 0xFEFF ||
           is_surrogate(character);
}

static void add_visible(struct builder *builder, struct text text, bool quoted)
{
    for (size_t position = 0; position < text.length;) {
        uint32_t character = next_character(text, &position);
        const char *escape = short_escape(character);
        if (escape && (quoted || needs_plain_escape(character)))
            builder_add_string(builder, escape);
        else if (needs_plain_escape(character))
            builder_add_format(builder, "\\u%04X", (unsigned)character);
        else
            add_character(builder, character);
    }
}

void report_string_add_plain(struct builder *builder, struct text text)
{
    add_visible(builder, text, false);
}

void report_string_add_quoted(struct builder *builder, struct text text)
{
    builder_add_byte(builder, '"');
    add_visible(builder, text, true);
    builder_add_byte(builder, '"');
}
