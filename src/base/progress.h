/*
 * progress: how far long work has come, as one line on the user's terminal.
 *
 *     reading 1234/5678 classes  h2.jar
 *
 * The line is drawn through diagnostics, which knows whether there is a terminal, and keeps the
 * line and messages apart. It is redrawn at most ten times a second, not at all during the first
 * tenth, and erased at the end. Where there is no terminal a step costs one atomic addition.
 *
 * progress_step may be called by many threads; init, finish and total by one.
 */
#ifndef TURNSTILE_BASE_PROGRESS_H
#define TURNSTILE_BASE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diagnostics.h"
#include "base/text.h"

struct progress {
    struct diagnostics *diagnostics;
    const char *verb; /* "reading" */
    const char *noun; /* "classes" */
    bool shown;
    atomic_size_t total; /* 0 while nobody knows */
    atomic_size_t done;
    _Atomic uint64_t next_time;     /* in milliseconds: no drawing before */
    uint64_t (*milliseconds)(void); /* the clock; tests have their own */
};

/* The strings must outlive the progress. */
void progress_init(struct progress *progress, struct diagnostics *diagnostics, const char *verb,
                   const char *noun, size_t total);

/* For work whose size is found out while it goes on. */
void progress_set_total(struct progress *progress, size_t total);

/* One more is done; `where` says in what, and may be empty. */
void progress_step(struct progress *progress, struct text where);

/* Erases the line. */
void progress_finish(struct progress *progress);

#endif
