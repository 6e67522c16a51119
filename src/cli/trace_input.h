/*
 * trace_input: a trace, or what may be one, that can be read several times, wherever it comes from.
 *
 * What cannot be read twice (standard input, a pipe) is copied to a temporary file that has no
 * name, in $TMPDIR or /tmp.
 */
#ifndef TURNSTILE_CLI_TRACE_INPUT_H
#define TURNSTILE_CLI_TRACE_INPUT_H

#include <stdbool.h>

#include "base/diagnostics.h"
#include "trace/trace_source.h"

struct trace_input {
    const char *path; /* "-": standard input */
    int copy;         /* of what cannot be read twice; -1: none */
};

/* False after reporting why it cannot be read; then there is nothing to release. */
bool trace_input_init(struct trace_input *input, const char *path, struct diagnostics *diagnostics);
void trace_input_release(struct trace_input *input);

/* From the beginning; for analysis_run. One source at a time. */
bool trace_input_open(void *context, struct trace_source *source);

/* What to call it in messages. */
const char *trace_input_name(const struct trace_input *input);

/* The first bytes: how many, at most `size`; 0 if it cannot be read. */
size_t trace_input_head(const struct trace_input *input, void *bytes, size_t size);

/* A path that leads to it, as often as it is opened; it may stand in `room`. */
enum { TRACE_INPUT_PATH = 40 };
const char *trace_input_path(const struct trace_input *input, char room[TRACE_INPUT_PATH]);

#endif
