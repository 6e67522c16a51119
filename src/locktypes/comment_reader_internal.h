/*
 * comment_reader_internal: how the parts of the comment reader work together.
 *
 *   comment_reader.c          finds the source files; puts the parts in order
 *   comment_reader_attach.c   one comment -> what it belongs to
 *   comment_reader_code.c     owners of what stands in code: allocations and locals
 *   comment_reader_drafts.c   what is said of each class, field and method, in the end as syntax.h
 *   comment_reader_classes.c  the binary names of local and anonymous classes
 */
#ifndef TURNSTILE_LOCKTYPES_COMMENT_READER_INTERNAL_H
#define TURNSTILE_LOCKTYPES_COMMENT_READER_INTERNAL_H

#include "locktypes/comment_reader.h"
#include "source/java_source.h"

struct class_draft {
    bool declared;    /* it, or a member, has a comment */
    struct text name; /* binary; empty: not known */
    struct syntax_class class;
};

struct field_draft {
    bool declared;
    bool guard_is_shared; /* it was given to the whole declaration; one of its own may replace it */
    struct syntax_field field;
};

struct method_draft {
    bool declared;
    struct syntax_method method;
    struct syntax_parameter *parameters; /* those of the method, still to be changed */
};

struct line_draft {
    struct syntax_line line;
    uint32_t made_at; /* the token `new` of an allocation; JAVA_NONE: it is about something else */
};

/* All files. */
struct comment_reader {
    struct arena *arena;           /* of the result */
    const struct program *program; /* NULL: source is all that is known */
    struct syntax_errors *errors;
    VECTOR(struct syntax_class) classes;
    VECTOR(struct syntax_line) lines;
    bool failed; /* memory ran out */
};

/* One source file. Drafts are by the numbers of the index, and live as long as that. */
struct comment_file {
    struct comment_reader *reader;
    struct java_source source;
    struct text path; /* as the user can open it; in the result's arena */
    struct text key;  /* "p/q/Name.java"; in the result's arena */
    struct class_draft *classes;
    struct field_draft *fields;
    struct method_draft *methods;
    VECTOR(struct line_draft) lines; /* in the order of their comments */
};

/* ---- comment_reader_attach.c ---- */

void comment_attach(struct comment_file *file, const struct java_comment *comment);

/* ---- comment_reader_code.c ---- */

/* Owners behind a type in code, whose last token this is. False if it is no type. */
bool comment_own_line(struct comment_file *file, uint32_t last_token,
                      const struct syntax_locks *owners, uint32_t offset);

/* Adds the lines to the reader's. */
void comment_lines_finish(struct comment_file *file);

/* ---- comment_reader_drafts.c ---- */

bool comment_drafts_init(struct comment_file *file);

struct syntax_place comment_place(const struct comment_file *file, uint32_t offset);

/* An error at a byte of the file. */
void comment_error(struct comment_file *file, uint32_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The draft, which is declared from now on. */
struct class_draft *comment_class(struct comment_file *file, uint32_t number, uint32_t offset);
struct field_draft *comment_field(struct comment_file *file, uint32_t number, uint32_t offset);
/* NULL without memory. */
struct method_draft *comment_method(struct comment_file *file, uint32_t number, uint32_t offset);

/* Adds the line, whose file and place are filled in. */
void comment_line(struct comment_file *file, struct line_draft *draft, uint32_t offset);

struct syntax_type comment_type(struct comment_file *file, const struct java_type *type,
                                const struct syntax_locks *owners, uint32_t offset);

/* Adds the drafts of classes that are declared to the reader's. */
void comment_drafts_finish(struct comment_file *file);

/* ---- comment_reader_classes.c ---- */

/* Fills in the names in the drafts of classes. */
void comment_classes_name(struct comment_file *file);

#endif
