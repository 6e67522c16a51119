/*
 * report: what the writers of findings take.
 *
 * A report is a view: nothing in it is owned. The writers sort the list (finding_list_sort), so
 * that the same findings give the same bytes whatever order they arrived in, and change nothing
 * else.
 *
 * The writers also run inside a JVM that is about to end: they end nothing, use no other library
 * and survive without memory. They add to a builder and return whether all of it got in; if not,
 * the builder holds the beginning of the report.
 *
 * Texts may come from class files and JVMTI (modified UTF-8) or from us (UTF-8), and from programs
 * that wish us ill; report_string.h is where they are made harmless.
 */
#ifndef TURNSTILE_REPORT_REPORT_H
#define TURNSTILE_REPORT_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/finding.h"
#include "base/text.h"

/* A number about the run. The name is lower-case words with underscores between them,
   "classes_changed": a key in JSON; the text report shows blanks instead. */
struct report_stat {
    struct text name;
    uint64_t value;
};

struct report {
    struct finding_list *findings;
    struct text version; /* of the tool */
    struct text command; /* "run", "check" ... */
    const struct report_stat *stats;
    size_t stat_count; /* 0: the report has no part for them */
    size_t not_shown;  /* reports that did not get into the list; several may be of one finding */
    size_t most;       /* findings of a kind that do */
};

/* What a summary says: findings by kind and grade. */
struct report_counts {
    size_t by_kind[FINDING_KIND_COUNT];
    size_t by_grade[FINDING_GRADE_COUNT];
    size_t by_kind_and_grade[FINDING_KIND_COUNT][FINDING_GRADE_COUNT];
    size_t all;
};

/* Counts findings, not how often each was seen. */
struct report_counts report_count(const struct finding_list *list);

#endif
