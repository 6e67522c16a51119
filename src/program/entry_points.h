/*
 * entry_points: the methods in which execution enters the application from outside: the main
 * method, bodies of threads and tasks, what containers, test runners and the JVM itself call.
 *
 * Which those are stands in the table entry_points.def; only the rules for `main` are code, because
 * Java 25 has several.
 */
#ifndef TURNSTILE_PROGRAM_ENTRY_POINTS_H
#define TURNSTILE_PROGRAM_ENTRY_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "program/call_graph.h"

enum entry_kind {
    ENTRY_MAIN,          /* the main thread: main, agents */
    ENTRY_THREAD,        /* a thread or a task that some other thread runs */
    ENTRY_CONTAINER,     /* servlets and such: by many threads at once */
    ENTRY_EVENT,         /* listeners: by the event thread */
    ENTRY_TEST,          /* test methods */
    ENTRY_FINALIZER,     /* by the finalizer thread */
    ENTRY_SERIALIZATION, /* hooks of serialization */
    ENTRY_INITIALIZER,   /* static initializers: by whoever comes first */
    ENTRY_KIND_COUNT
};

struct entry_point {
    uint32_t method;
    uint32_t class_id; /* the class through which it is one: whose instance runs, who declares it;
                          for lambdas the interface */
    enum entry_kind kind;
    const char *why;
};

struct entry_points {
    struct entry_point *items; /* by method, then kind; each pair once */
    uint32_t count;
};

/* False with the problem set when there is no memory. */
bool entry_points_find(struct entry_points *entries, const struct call_graph *graph,
                       struct problem *problem);
void entry_points_release(struct entry_points *entries);

/* The entries of one method: the first, and how many follow it; NULL if there are none. */
const struct entry_point *entry_points_of(const struct entry_points *entries, uint32_t method,
                                          uint32_t *count);

const char *entry_kind_name(enum entry_kind kind);

#endif
