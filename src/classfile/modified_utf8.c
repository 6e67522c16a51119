#include "classfile/modified_utf8.h"

#include <string.h>

/* Most texts are ASCII without zeros: eight bytes at a time show it. A word has neither a zero nor
   a byte above 0x7F if no byte has its high bit set, before and after 1 is taken from each. */
static size_t skip_ascii(const unsigned char *bytes, size_t position, size_t length)
{
    const uint64_t high = 0x8080808080808080u;
    const uint64_t ones = 0x0101010101010101u;
    while (length - position >= 8) {
        uint64_t word;
        memcpy(&word, bytes + position, 8);
        if ((word | (word - ones)) & high)
            break;
        position += 8;
    }
    while (position < length && bytes[position] - 1u < 0x7F)
        position++;
    return position;
}

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

/* The length of the well-formed sequence of several bytes at `bytes`, or 0. */
static size_t sequence_length(const unsigned char *bytes, size_t left, bool any_form)
{
    if ((bytes[0] & 0xE0) == 0xC0 && left >= 2 && is_continuation(bytes[1])) {
        unsigned unit = (bytes[0] & 0x1Fu) << 6 | (bytes[1] & 0x3Fu);
        return any_form || unit == 0 || unit >= 0x80 ? 2 : 0;
    }
    if ((bytes[0] & 0xF0) == 0xE0 && left >= 3 && is_continuation(bytes[1]) &&
        is_continuation(bytes[2])) {
        unsigned unit = (bytes[0] & 0x0Fu) << 12 | (bytes[1] & 0x3Fu) << 6 | (bytes[2] & 0x3Fu);
        return any_form || unit >= 0x800 ? 3 : 0;
    }
    return 0;
}

static size_t first_bad(struct text text, bool any_form)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes;
    size_t position = 0;
    while (position < text.length) {
        position = skip_ascii(bytes, position, text.length);
        if (position == text.length)
            break;
        size_t length = sequence_length(bytes + position, text.length - position, any_form);
        if (!length)
            return position;
        position += length;
    }
    return SIZE_MAX;
}

size_t modified_utf8_first_bad(struct text text)
{
    return first_bad(text, false);
}

size_t modified_utf8_first_bad_any_form(struct text text)
{
    return first_bad(text, true);
}

uint16_t modified_utf8_next(struct text text, size_t *position)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes + *position;
    if (bytes[0] < 0x80) {
        *position += 1;
        return bytes[0];
    }
    if ((bytes[0] & 0xE0) == 0xC0) {
        *position += 2;
        return (uint16_t)((bytes[0] & 0x1Fu) << 6 | (bytes[1] & 0x3Fu));
    }
    *position += 3;
    return (uint16_t)((bytes[0] & 0x0Fu) << 12 | (bytes[1] & 0x3Fu) << 6 | (bytes[2] & 0x3Fu));
}

static bool is_high_surrogate(unsigned unit)
{
    return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_low_surrogate(unsigned unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

/* The next character, surrogates joined; a lone one gives itself. */
static uint32_t next_character(struct text text, size_t *position)
{
    uint32_t unit = modified_utf8_next(text, position);
    if (!is_high_surrogate(unit) || *position == text.length)
        return unit;
    size_t behind = *position;
    uint32_t low = modified_utf8_next(text, &behind);
    if (!is_low_surrogate(low))
        return unit;
    *position = behind;
    return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

static void add_character(struct builder *builder, uint32_t character)
{
    char bytes[4];
    size_t length;
    if (character < 0x80) {
        bytes[0] = (char)character;
        length = 1;
    } else if (character < 0x800) {
        bytes[0] = (char)(0xC0 | character >> 6);
        bytes[1] = (char)(0x80 | (character & 0x3F));
        length = 2;
    } else if (character < 0x10000) {
        bytes[0] = (char)(0xE0 | character >> 12);
        bytes[1] = (char)(0x80 | (character >> 6 & 0x3F));
        bytes[2] = (char)(0x80 | (character & 0x3F));
        length = 3;
    } else {
        bytes[0] = (char)(0xF0 | character >> 18);
        bytes[1] = (char)(0x80 | (character >> 12 & 0x3F));
        bytes[2] = (char)(0x80 | (character >> 6 & 0x3F));
        bytes[3] = (char)(0x80 | (character & 0x3F));
        length = 4;
    }
    builder_add(builder, text_of(bytes, length));
}

static bool is_lone_surrogate(uint32_t character)
{
    return character >= 0xD800 && character <= 0xDFFF;
}

void modified_utf8_add(struct builder *builder, struct text text)
{
    for (size_t position = 0; position < text.length;) {
        uint32_t character = next_character(text, &position);
        add_character(builder, is_lone_surrogate(character) ? 0xFFFD : character);
    }
}

/* Characters that a terminal obeys or that do not show: controls, line and paragraph separators,
   marks that turn the direction of writing, the byte order mark, and halves of pairs. */
static bool needs_escape(uint32_t character)
{
    return character < 0x20 || (character >= 0x7F && character < 0xA0) ||
           (character >= 0x200E && character <= 0x200F) ||
           (character >= 0x2028 && character <= 0x202E) ||
           (character >= 0x2066 && character <= 0x2069) || character == 0xFEFF ||
           is_lone_surrogate(character);
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
    case '\'':
        return "\\'";
    case '\\':
        return "\\\\";
    default:
        return NULL;
    }
}

void modified_utf8_add_escaped(struct builder *builder, struct text text)
{
    for (size_t position = 0; position < text.length;) {
        uint32_t character = next_character(text, &position);
        const char *escape = short_escape(character);
        if (escape)
            builder_add_string(builder, escape);
        else if (needs_escape(character))
            builder_add_format(builder, "\\u%04X", (unsigned)character);
        else
            add_character(builder, character);
    }
}
