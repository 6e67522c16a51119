/*
 * declared: what .locks files, comments in Java source and files of patterns say of atomicity, for
 * the agent.
 */
#ifndef TURNSTILE_CLI_DECLARED_H
#define TURNSTILE_CLI_DECLARED_H

#include "base/builder.h"
#include "base/diagnostics.h"
#include "cli/options.h"

/* Adds the lines of declared_methods.h to the text, those that count more before the others: .locks
   files in their order, then comments. Comments that cannot be understood are told as warnings and
   left out. False after telling why: a file cannot be read, or a .locks file not be understood. */
bool declared_read(struct builder *lines, const options_words *locks, const options_words *sources,
                   struct diagnostics *diagnostics);

/* False after telling what is wrong with a file of patterns (atomic_patterns.h), which the agent
   will read. A pipe is not looked into: only one can read it. */
bool declared_check_patterns(const char *path, struct diagnostics *diagnostics);

#endif
