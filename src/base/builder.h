/*
 * builder: builds a text piece by piece; owns its bytes, which always end in a zero.
 *
 * When memory runs out `failed` is set and later additions do nothing; check it once at the end.
 */
#ifndef TURNSTILE_BASE_BUILDER_H
#define TURNSTILE_BASE_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct builder {
    char *bytes; /* NULL while nothing was added: use builder_text or builder_string */
    size_t length;
    size_t capacity;
    bool failed;
};

void builder_init(struct builder *builder);
void builder_release(struct builder *builder);

/* Forgets the text, keeps the memory. */
void builder_clear(struct builder *builder);

void builder_add(struct builder *builder, struct text text);
void builder_add_string(struct builder *builder, const char *string);
void builder_add_byte(struct builder *builder, char byte);
void builder_add_format(struct builder *builder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* `byte` until the text is at least `length` long. */
void builder_pad_to(struct builder *builder, size_t length, char byte);

/* Good until the next change. */
struct text builder_text(const struct builder *builder);
const char *builder_string(const struct builder *builder);

#endif
