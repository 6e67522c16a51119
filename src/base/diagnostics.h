/*
 * diagnostics: what the tool tells its user about its own work: bad input, files left out.
 *
 * One line a message, "turnstile: error: PATH: at byte 123: REASON", in colour on a terminal.
 * Several threads may report at once; lines do not mix. Bytes that a terminal would obey, from
 * wherever they come, are shown as \xNN. Findings about the checked program are not diagnostics:
 * see finding.h.
 *
 * On a terminal there may also be a status line below the messages (see progress.h): a message
 * takes its place, and the next status is drawn below the message.
 */
#ifndef TURNSTILE_BASE_DIAGNOSTICS_H
#define TURNSTILE_BASE_DIAGNOSTICS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/problem.h"
#include "base/text.h"

enum diagnostics_color {
    DIAGNOSTICS_COLOR_AUTO,
    DIAGNOSTICS_COLOR_ALWAYS,
    DIAGNOSTICS_COLOR_NEVER
};

enum diagnostics_level { DIAGNOSTICS_NOTE, DIAGNOSTICS_WARNING, DIAGNOSTICS_ERROR };

struct diagnostics {
    FILE *stream;  /* not owned */
    bool terminal; /* the stream is one, and can erase a line */
    bool color;
    bool quiet;   /* errors only */
    bool verbose; /* notes too */
    unsigned errors;
    unsigned warnings;
    bool status_shown;
    pthread_mutex_t mutex;
};

/* Colour in AUTO: on a terminal, unless TERM is "dumb" or NO_COLOR is set and not empty. */
void diagnostics_init(struct diagnostics *diagnostics, FILE *stream, enum diagnostics_color color);

/* Erases the status line, if there is one. */
void diagnostics_release(struct diagnostics *diagnostics);

/* Errors and warnings are counted even where they are not shown. */
void diagnostics_note(struct diagnostics *diagnostics, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void diagnostics_warning(struct diagnostics *diagnostics, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void diagnostics_error(struct diagnostics *diagnostics, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A problem with some input: "WHERE: at byte OFFSET: REASON", without the offset if it has none. */
void diagnostics_problem(struct diagnostics *diagnostics, enum diagnostics_level level,
                         struct text where, const struct problem *problem);

/* Shows the text, cut to the width of the terminal, in place of the status before; an empty text
   erases the line. Nothing happens where the stream is not a terminal, or quiet. */
void diagnostics_status(struct diagnostics *diagnostics, struct text text);

#endif
