/*
 * dump_trace: traces for `turnstile dump`, as lines for people or in the STD format.
 */
#ifndef TURNSTILE_CLI_DUMP_TRACE_H
#define TURNSTILE_CLI_DUMP_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diagnostics.h"
#include "cli/trace_input.h"

enum dump_trace_form {
    DUMP_TRACE_TEXT,
    DUMP_TRACE_STD,
    DUMP_TRACE_STD_NUMBERS, /* T1, V1, L1 in place of names */
};

/* Whether what is in it looks like a trace. */
bool dump_trace_is(const struct trace_input *input);

/* What is wrong with it is reported, behind what could be read. Returns the number of events. */
uint64_t dump_trace(struct trace_input *input, enum dump_trace_form form, FILE *output,
                    struct diagnostics *diagnostics);

#endif
