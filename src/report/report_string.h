/*
 * report_string: texts of any origin as part of a report.
 *
 * What comes in is modified UTF-8 as JVMs write it (halves of surrogate pairs in three bytes each,
 * NUL as C0 80), or UTF-8, or bytes that are neither: nothing is taken for granted. What goes out
 * is always valid UTF-8: pairs are joined, and each byte that is part of no character becomes
 * U+FFFD.
 */
#ifndef TURNSTILE_REPORT_REPORT_STRING_H
#define TURNSTILE_REPORT_REPORT_STRING_H

#include "base/builder.h"
#include "base/text.h"

/* As a JSON string with its quotes. Halves of pairs without the other half become U+FFFD: most
   readers of JSON refuse them. */
void report_string_add_json(struct builder *builder, struct text text);

/* For a line of text: what a terminal would obey or not show (control characters, line separators,
   marks that turn the direction of writing, lone halves of pairs) as Java escapes. So a line stays
   one line, whatever a thread is called. */
void report_string_add_plain(struct builder *builder, struct text text);

/* The same in quotes, with quotes and backslashes in it escaped. */
void report_string_add_quoted(struct builder *builder, struct text text);

#endif
