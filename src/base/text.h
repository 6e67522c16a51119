/*
 * text: a string that carries its length and does not own its bytes.
 *
 * The bytes need not end in a zero and may contain one. Whoever made the bytes keeps them alive:
 * usually a class file's buffer or an arena.
 */
#ifndef TURNSTILE_BASE_TEXT_H
#define TURNSTILE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

struct text {
    const char *bytes;
    size_t length;
};

/* A text of a string literal. */
#define TEXT(literal) ((struct text){(literal), sizeof(literal) - 1})

/* For printf: "%.*s", TEXT_ARGUMENTS(name). Longer texts than INT_MAX do not occur. */
#define TEXT_ARGUMENTS(text) (int)(text).length, (text).bytes

static inline struct text text_from(const char *string)
{
    return (struct text){string, strlen(string)};
}

static inline struct text text_of(const void *bytes, size_t length)
{
    return (struct text){bytes, length};
}

static inline bool text_equal(struct text a, struct text b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

static inline bool text_is(struct text a, const char *string)
{
    return text_equal(a, text_from(string));
}

/* Byte order; shorter first among equals. Less than, equal to or greater than 0, as memcmp. */
int text_compare(struct text a, struct text b);

bool text_starts_with(struct text text, struct text prefix);
bool text_ends_with(struct text text, struct text suffix);

/* The position of the first or last `byte`, or -1. */
ptrdiff_t text_find(struct text text, char byte);
ptrdiff_t text_find_last(struct text text, char byte);

/* Where `part` first stands in the text, or -1. */
ptrdiff_t text_find_part(struct text text, struct text part);

/* The part from `start` up to but not including `end`; both are cut to the text's length. */
struct text text_slice(struct text text, size_t start, size_t end);

/* Without blanks (spaces, tabs and line ends) at both ends. */
struct text text_trimmed(struct text text);

/* Takes the next line, trimmed, from the front of the rest; false when nothing is left. */
bool text_next_line(struct text *rest, struct text *line);

/* A copy with a zero behind it, so that `bytes` may also be used as a C string.
   On failure the empty text, with bytes "" and the arena's `failed` set. */
struct text text_copy(struct arena *arena, struct text text);

uint64_t text_hash(struct text text);

#endif
