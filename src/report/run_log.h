/*
 * run_log: what the JVMs of one `turnstile run` tell it, in a file to which all of them append.
 *
 * A JVM says that it has begun, and where its report will go; each finding, as soon as it is made;
 * and that it has ended, after its report. One that has begun, has not ended, and does not run any
 * more was killed or has crashed: what it had found is here.
 *
 * Each entry is one write at the end of the file, so that those of several JVMs do not mix: a line
 * `WORD PROCESS NUMBER` and, but for `marked` and `ended`, so many bytes as the number says.
 * Nothing is kept open: the file is gone when the command has ended, and then nobody wants to know.
 */
#ifndef TURNSTILE_REPORT_RUN_LOG_H
#define TURNSTILE_REPORT_RUN_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/finding.h"
#include "base/problem.h"

/*
 * By a JVM. False if that could not be written.
 */

/* `report`: the file that the report will be in; empty for standard error. */
bool run_log_began(const char *path, struct text report);
bool run_log_found(const char *path, const struct finding *finding);
/* How many blocks that should be atomic there are in what it has loaded; before the end. */
bool run_log_marked(const char *path, uint64_t blocks);
/* Whether a pattern of the user was of use; `message` says which, and what is wrong if it was not.
   Before the end. */
bool run_log_pattern(const char *path, struct text message, bool matched);
bool run_log_ended(const char *path, size_t findings);

/*
 * By the command.
 */

/* A JVM that has not ended, and is gone. */
struct run_log_lost {
    long process;
    struct text report;
};

struct run_log {
    unsigned ended;
    uint64_t findings; /* of those that have ended */
    uint64_t marked;   /* blocks, in all of them */
    VECTOR(struct run_log_lost) lost;
    VECTOR(struct text) unmatched; /* messages of patterns that were of use to none of them */
    struct finding_list found;     /* by those that are lost */
    struct arena arena;
};

void run_log_init(struct run_log *log);
void run_log_release(struct run_log *log);

/* Reads what there is; entries that are damaged are left out. False with the problem set if the
   file cannot be read, or memory ran out. */
bool run_log_read(struct run_log *log, const char *path, struct problem *problem);

#endif
