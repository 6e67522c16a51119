/*
 * entry_points_internal: what the files that look for entry points share. entry_points.c goes by
 * what methods are called, override and are annotated with, entry_passed.c by what functions are
 * passed to.
 */
#ifndef TURNSTILE_PROGRAM_ENTRY_POINTS_INTERNAL_H
#define TURNSTILE_PROGRAM_ENTRY_POINTS_INTERNAL_H

#include <stddef.h>

#include "base/vector.h"
#include "program/entry_points.h"

struct found_entry {
    struct entry_point entry;
    size_t order; /* in which it was found: rules that say more come first */
};

struct entry_finder {
    const struct program *program;
    const struct call_graph *graph;
    VECTOR(struct found_entry) found;
    bool failed;
};

/* Unless it is not the application's, or abstract. */
void entry_finder_add(struct entry_finder *finder, uint32_t method, uint32_t class_id,
                      enum entry_kind kind, const char *why);

/* What the lambda runs. */
void entry_finder_add_lambda(struct entry_finder *finder, const struct call_lambda *lambda,
                             enum entry_kind kind, const char *why);

/* What a virtual call by name finds on an instance of the class. Works also where the overridden
   method's class is missing. */
uint32_t entry_virtual_method(const struct program *program, uint32_t class_id, uint32_t selector);

/* By ENTRY_PASSED and ENTRY_NEARBY of entry_points.def. */
void entry_passed_find(struct entry_finder *finder);

#endif
