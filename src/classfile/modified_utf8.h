/*
 * modified_utf8: the text encoding of class files (JVMS 4.4.7).
 */
#ifndef TURNSTILE_CLASSFILE_MODIFIED_UTF8_H
#define TURNSTILE_CLASSFILE_MODIFIED_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/builder.h"
#include "base/text.h"

/* SIZE_MAX if every byte is part of a well-formed sequence, else the offset of the first bad. */
size_t modified_utf8_first_bad(struct text text);

/* The same, but a character may be written with more bytes than it needs, as the JVM allows in
   class files up to major version 47. */
size_t modified_utf8_first_bad_any_form(struct text text);

/* The next UTF-16 code unit at *position, which moves behind it. The text must be well-formed. */
uint16_t modified_utf8_next(struct text text, size_t *position);

/* Adds the text as standard UTF-8: surrogate pairs joined, lone surrogates as U+FFFD. */
void modified_utf8_add(struct builder *builder, struct text text);

/* The same for showing on a line: control characters, quotes and backslash as Java escapes. */
void modified_utf8_add_escaped(struct builder *builder, struct text text);

#endif
