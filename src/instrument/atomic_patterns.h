/*
 * atomic_patterns: the file of patterns that says which more methods should be atomic, and which
 * need not be.
 *
 * A pattern on each line: `Class.method` or `Class.method(types)`, as in pattern.h and
 * written_type.h, with a `!` before it for methods that need not be. Empty lines and those that
 * begin with `#` do not count. The agent reads the file; the command reads it too, before the
 * program starts, so that whoever wrote it is told of mistakes.
 */
#ifndef TURNSTILE_INSTRUMENT_ATOMIC_PATTERNS_H
#define TURNSTILE_INSTRUMENT_ATOMIC_PATTERNS_H

#include "base/arena.h"
#include "base/pattern.h"
#include "base/problem.h"
#include "base/text.h"

/* Adds the patterns, each with its `!` but without blanks; their texts live in the arena. False
   with the problem set, which says why the line *line (from 1) is none, or that memory ran out;
   then *line is 0. */
bool atomic_patterns_read(struct pattern_list *list, struct arena *arena, struct text content,
                          unsigned *line, struct problem *problem);

#endif
