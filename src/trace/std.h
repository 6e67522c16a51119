/*
 * std: the text format in which the research community exchanges traces.
 *
 *     T1|acq(L1)|105
 *     T1|r(V1)|106
 *     T1|begin|107
 *
 * One event per line: thread, operation, location. Operations are r, w (of a variable), acq, rel
 * (of a lock), fork, join (of a thread), begin and end (of an atomic block; with any name in
 * parentheses or none). Names are any bytes but `|`, `(`, `)` and line ends, and not empty, except
 * those of blocks and locations. Empty lines are passed over, carriage returns before a line end
 * are no part of the line, and the location may be left out with its `|`. Files may be gzipped.
 *
 * Reading: the names are kept as they are (trace_names.plain), a name of one kind becomes one
 * number.
 *
 * Writing: a trace that was read from STD gets the same lines again. Names of other traces are
 * made unique by their numbers (`Account.balance#7`), without spaces and what STD does not allow.
 * What STD has no word for:
 *
 *     wait                       rel of the lock, as often as the thread has it
 *     waited                     acq, as often again
 *     acquire or release shared  acq and then rel of the lock
 *     synchronization            acq and then rel of a lock `sync:NAME`, for release and for
 * acquire
 *     hand over, take over, try, want  nothing
 *
 * All that happened before something still does. The last two add order: two readers of a
 * read-write lock, or two releases of one object, become ordered; and that a lock is held
 * shared cannot be seen. Stacks, and what STD has no field for, are lost.
 */
#ifndef TURNSTILE_TRACE_STD_H
#define TURNSTILE_TRACE_STD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/builder.h"
#include "base/problem.h"
#include "trace/event.h"
#include "trace/trace.h"
#include "trace/trace_held.h"
#include "trace/trace_source.h"

enum { STD_LINE_MAX = 1 << 16 };

/* Through trace_open. The source was initialized; the descriptor belongs to it when this succeeds.
 */
bool std_open(struct trace_source *source, int descriptor);

struct std_writer {
    FILE *file;
    const struct trace_names *names;
    bool numbers; /* T1, V1, L1 instead of names, for programs that want that; set it before the
                     first event */
    struct builder line;
    struct trace_held held;
    uint64_t lines;
    struct problem problem;
};

/* The file stays the caller's, and so do the names. */
void std_writer_init(struct std_writer *writer, FILE *file, const struct trace_names *names);

/* False with a problem when the file cannot be written or there is no memory; then it stays so. */
bool std_writer_event(struct std_writer *writer, const struct trace_event *event);

/* Writes what is left: false if not all could be written. The writer is released. */
bool std_writer_finish(struct std_writer *writer, struct problem *problem);

#endif
