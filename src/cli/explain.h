/*
 * explain: what a rule means, with an example, for `turnstile check --explain RULE`.
 */
#ifndef TURNSTILE_CLI_EXPLAIN_H
#define TURNSTILE_CLI_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diagnostics.h"

/* False after reporting that there is no such rule, with the names of all, or that the stream
   cannot be written. */
bool explain_rule(const char *id, FILE *stream, struct diagnostics *diagnostics);

#endif
