/*
 * locks_file: .locks files, read for the commands that take them.
 */
#ifndef TURNSTILE_CLI_LOCKS_FILE_H
#define TURNSTILE_CLI_LOCKS_FILE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "locktypes/syntax.h"

/* Whether the path says that it is one. */
bool locks_file_is(const char *path);

/* Everything hangs in the arena. False after telling why: the file cannot be read or not be
   understood in full. What could be understood of it is not used: its user would trust the rest. */
bool locks_file_read(struct declarations *result, struct arena *arena, const char *path,
                     struct diagnostics *diagnostics);

/* The same for bytes that are there already, which must outlive the result. */
bool locks_file_parse(struct declarations *result, struct arena *arena, struct text name,
                      struct text bytes, enum syntax_source source,
                      struct diagnostics *diagnostics);

#endif
