/*
 * program_internal: what program.c, program_load.c and program_link.c share.
 */
#ifndef TURNSTILE_PROGRAM_PROGRAM_INTERNAL_H
#define TURNSTILE_PROGRAM_PROGRAM_INTERNAL_H

#include "base/vector.h"
#include "program/program.h"

/* A class that was read from the inputs, before it has a number. */
struct loaded_class {
    const struct class_file *class_file;
    struct text path;
    uint32_t position; /* of its input on the class path */
    bool in_place;     /* it is called there as the JVM looks for it */
};

/* What one of the walk's threads has read. */
struct loader_worker {
    struct arena arena; /* bytes and models, kept */
    VECTOR(struct loaded_class) loaded;
    bool failed;
};

struct program_loader {
    struct loader_worker *workers;
    unsigned worker_count;
    uint32_t position; /* of the next input on the class path */
};

struct program_loader *program_loader_new(unsigned workers);
void program_loader_free(struct program_loader *loader);

static inline void program_no_memory(struct problem *problem)
{
    problem_set(problem, PROBLEM_NO_OFFSET, "not enough memory");
}

#endif
