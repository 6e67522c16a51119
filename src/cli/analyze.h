/*
 * analyze: traces analyzed and reported, for the commands that do so.
 */
#ifndef TURNSTILE_CLI_ANALYZE_H
#define TURNSTILE_CLI_ANALYZE_H

#include "base/finding.h"
#include "cli/command.h"
#include "trace/analysis.h"

struct analyze_request {
    struct diagnostics *diagnostics;
    const struct common_options *common; /* where the report goes, and in which colours */
    FILE *stream;                        /* and where, if they do not say */
    struct text command;                 /* whose report it is */
    struct analysis_options options;
    const struct finding_list *found; /* what else is to be reported; may be NULL */
    const char *name;                 /* of traces that nobody keeps; NULL: their paths */
    size_t max_reports;               /* 0: all */
    bool json, stats;
};

/* Options of all commands that look for races and atomicity violations. */
#define ANALYZE_DISCIPLINE_OPTION(discipline)                                                      \
    {                                                                                              \
        .name = "discipline", .kind = OPTION_FLAG,                                                 \
        .help = "Also report variables that no lock protects but other ordering (start and join, " \
                "queues, volatile fields, ...) explains.",                                         \
        .target = &(discipline)                                                                    \
    }

#define ANALYZE_WITHOUT_OPTION(without)                                                            \
    {                                                                                              \
        .name = "without", .kind = OPTION_LIST, .argument = "NAME",                                \
        .help = "Leave out a refinement of reduction: reentrant-locks, thread-local-locks, "       \
                "thread-local-2-locks, protected-locks or write-protected-data. May be given "     \
                "several times.",                                                                  \
        .target = &(without)                                                                       \
    }

#define ANALYZE_MAX_REPORTS_OPTION(max_reports, unless_told)                                       \
    {                                                                                              \
        .name = "max-reports", .kind = OPTION_NUMBER, .argument = "N",                             \
        .help = "Report at most N races, N broken blocks and N lock orders, " unless_told          \
                " unless told: observed ones first, and of one grade those that were found "       \
                "first. The last line says if there are more.",                                    \
        .target = &(max_reports), .least = 1, .most = 1000000                                      \
    }

/* The choices of an option --atomicity, in the order of enum analysis_atomicity. */
extern const char *const analyze_atomicity_choices[];

/* Switches refinements of reduction off. False after reporting a name that is none. */
bool analyze_without(struct analysis_options *options, const options_words *names,
                     struct diagnostics *diagnostics);

/* Analyzes the traces and writes one report of all. Gives the exit status of `turnstile analyze`,
   and the number of findings. */
int analyze_traces(struct analyze_request *request, const options_words *paths, size_t *findings);

#endif
