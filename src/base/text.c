#include "base/text.h"

int text_compare(struct text a, struct text b)
{
    size_t common = a.length < b.length ? a.length : b.length;
    int order = common ? memcmp(a.bytes, b.bytes, common) : 0;
    if (order)
        return order;
    return (a.length > b.length) - (a.length < b.length);
}

bool text_starts_with(struct text text, struct text prefix)
{
    return text.length >= prefix.length && text_equal(text_slice(text, 0, prefix.length), prefix);
}

bool text_ends_with(struct text text, struct text suffix)
{
    return text.length >= suffix.length &&
           text_equal(text_slice(text, text.length - suffix.length, text.length), suffix);
}

ptrdiff_t text_find(struct text text, char byte)
{
    const char *found = text.length ? memchr(text.bytes, byte, text.length) : NULL;
    return found ? found - text.bytes : -1;
}

ptrdiff_t text_find_last(struct text text, char byte)
{
    for (size_t i = text.length; i > 0; i--)
        if (text.bytes[i - 1] == byte)
            return (ptrdiff_t)(i - 1);
    return -1;
}

ptrdiff_t text_find_part(struct text text, struct text part)
{
    for (size_t i = 0; i + part.length <= text.length; i++)
        if (text_equal(text_slice(text, i, i + part.length), part))
            return (ptrdiff_t)i;
    return -1;
}

struct text text_slice(struct text text, size_t start, size_t end)
{
    if (end > text.length)
        end = text.length;
    if (start > end)
        start = end;
    return (struct text){text.bytes ? text.bytes + start : "", end - start};
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

struct text text_trimmed(struct text text)
{
    while (text.length && is_blank(text.bytes[text.length - 1]))
        text.length--;
    while (text.length && is_blank(text.bytes[0]))
        text = text_slice(text, 1, text.length);
    return text;
}

bool text_next_line(struct text *rest, struct text *line)
{
    if (!rest->length)
        return false;
    const ptrdiff_t end = text_find(*rest, '\n');
    const size_t length = end < 0 ? rest->length : (size_t)end;
    *line = text_trimmed(text_slice(*rest, 0, length));
    *rest = text_slice(*rest, length + 1, rest->length);
    return true;
}

struct text text_copy(struct arena *arena, struct text text)
{
    char *copy = arena_allocate(arena, text.length + 1, 1);
    if (!copy)
        return TEXT("");
    if (text.length)
        memcpy(copy, text.bytes, text.length);
    copy[text.length] = '\0';
    return (struct text){copy, text.length};
}

/* Eight bytes a step, multiplied and folded: names are short, and hashing them is on the way of
   every class that is read. */
uint64_t text_hash(struct text text)
{
    const uint64_t multiplier = 0x9E3779B97F4A7C15u;
    const char *bytes = text.bytes;
    size_t left = text.length;
    uint64_t hash = text.length * multiplier;
    while (left >= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = (hash ^ word) * multiplier;
        hash ^= hash >> 32;
        bytes += 8;
        left -= 8;
    }
    if (left) {
        uint64_t word = 0;
        memcpy(&word, bytes, left);
        hash = (hash ^ word) * multiplier;
        hash ^= hash >> 32;
    }
    hash *= multiplier;
    return hash ^ (hash >> 29);
}
