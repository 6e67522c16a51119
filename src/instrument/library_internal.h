/*
 * What the library's files share: the rows of library.def as data.
 */
#ifndef TURNSTILE_INSTRUMENT_LIBRARY_INTERNAL_H
#define TURNSTILE_INSTRUMENT_LIBRARY_INTERNAL_H

#include "classfile/class_file.h"
#include "instrument/library.h"

enum { LIBRARY_QUIET = 1, LIBRARY_TWINS = 2, LIBRARY_MONITORS = 4 };

enum library_action {
#define ACTION(name, class, method, descriptor) LIBRARY_ACTION_##name,
#include "instrument/library.def"
    LIBRARY_ACTION_COUNT
};

/* The static method that is called. */
struct library_call {
    const char *class_name;
    const char *method;
    const char *descriptor;
};

enum library_place {
    PLACE_ENTRY,
    PLACE_RETURN,
    PLACE_RETURN_OBJECT,
    PLACE_RETURN_TRUE,
    PLACE_RETURN_FALSE,
    PLACE_RETURN_NONZERO,
    PLACE_THROW,
    PLACE_REPLACE,
    PLACE_STORE,
    PLACE_BEFORE_CALL,
    PLACE_AFTER_CALL,
    PLACE_BEFORE_GET,
    PLACE_AFTER_FIRST_GET,
    PLACE_KEEP, /* no hook: the field's value is kept */
};

struct library_row {
    enum library_place place;
    enum library_action action;
    const char *methods;    /* names with spaces between, or "*" */
    const char *descriptor; /* or "*" */
    const char *what;       /* the inner call or field; of KEEP and STORE the field */
    const char *owner;      /* of STORE: the field's class */
    const char *operands;
};

struct library_field {
    const char *name;
    const char *descriptor;
    uint16_t access;
};

struct library_class {
    struct text name;
    unsigned flags;
    const struct library_row *rows;
    size_t row_count;
    const struct library_field *fields;
    size_t field_count;
    bool word; /* it counts as one variable: see collections.h */
};

extern const struct library_call library_calls[LIBRARY_ACTION_COUNT];

/* Whether the row is about a method of that name and descriptor. */
bool library_row_names(const struct library_row *row, struct text name, struct text descriptor);

/* Whether the row is about this method: not a bridge, not static if it needs `this`, and so on. */
bool library_row_fits(const struct library_row *row, const struct class_file *class_file,
                      const struct member *method);

/* Whether the member is the one that `what` names. */
bool library_is_what(const char *what, const struct member_reference *member);

/* Whether the class has a twin of the method, if it has the method. */
bool library_has_twin(const struct library_class *class, struct text name, struct text descriptor);

#endif
