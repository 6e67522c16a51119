/*
 * annotation_clauses: what one annotation says.
 *
 * Internal to annotation_reader. annotations.def says which annotations there are. What they say of
 * one class, field or method is collected in a struct syntax_clauses, as if it stood in a comment.
 */
#ifndef TURNSTILE_LOCKTYPES_ANNOTATION_CLAUSES_H
#define TURNSTILE_LOCKTYPES_ANNOTATION_CLAUSES_H

#include "base/builder.h"
#include "classfile/class_file.h"
#include "locktypes/syntax_parser.h"

enum annotation_place {
    ON_CLASS = 1,
    ON_FIELD = 2,
    ON_METHOD = 4,
    ON_FIELD_TYPE = 8,
    ON_TYPE = 16
};

enum annotation_meaning {
    MEANS_GUARDED_BY,
    MEANS_WRITE_GUARDED_BY,
    MEANS_REQUIRES,
    MEANS_THREAD_LOCAL,
    MEANS_IMMUTABLE,
    MEANS_THREAD_SAFE,
    MEANS_UNGUARDED,
    MEANS_ATOMIC,
    MEANS_ATOMICITY,
    MEANS_FORMALS,
    MEANS_OWNERS,
    MEANS_NO_WARN,
    MEANS_LAZY
};

struct annotation_row {
    struct text descriptor;
    struct text name; /* without the package */
    unsigned places;  /* enum annotation_place */
    enum annotation_meaning meaning;
    struct text element; /* empty: it has none that matters */
};

/* What is being read. */
struct annotation_context {
    struct arena *arena;
    struct syntax_errors *errors;
    const struct class_file *class_file;
    const struct member *member; /* NULL: the class itself */
    bool is_method;
    struct syntax_place place;
    bool no_memory; /* sticky */

    /* Scratch. */
    VECTOR(struct text) texts;
    VECTOR(struct syntax_lock) locks;
    struct builder builder;
};

void annotation_context_init(struct annotation_context *context, struct arena *arena,
                             struct syntax_errors *errors);
void annotation_context_release(struct annotation_context *context);

/* NULL: it does not speak of locks. */
const struct annotation_row *annotation_find(const struct class_file *class_file,
                                             const struct annotation *annotation);

/* Adds what the annotation says where it stands; nothing if it has no meaning there. */
void annotation_clauses_add(struct annotation_context *context, const struct annotation_row *row,
                            const struct annotation *annotation, enum annotation_place place,
                            struct syntax_clauses *clauses);

/* The lock expressions of an annotation. False if some cannot be read: then the errors say so. */
bool annotation_locks(struct annotation_context *context, const struct annotation_row *row,
                      const struct annotation *annotation, struct syntax_locks *locks);

/* Adds the error "@Name on p.C.member: MESSAGE". */
void annotation_fail(struct annotation_context *context, const struct annotation_row *row,
                     const char *message);

/* A copy of the items in the arena; NULL if there are none, or no memory. */
const void *annotation_keep(struct annotation_context *context, const void *items, size_t count,
                            size_t size, size_t alignment);

#define ANNOTATION_KEEP(context, vector, type)                                                     \
    ((const type *)annotation_keep((context), (vector)->items, (vector)->count, sizeof(type),      \
                                   alignof(type)))

#endif
