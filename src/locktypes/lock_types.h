/*
 * lock_types: what is declared about the locks of one program.
 *
 * Declarations of all sources are added, then bound: names become classes, fields, parameters and
 * formals of the program, contradictions are decided by the strength of the source, and what makes
 * no sense becomes a problem at its place (`bad-annotation`, `lock-not-final`) and counts as not
 * said. After binding nothing changes any more; all queries may run on several threads.
 *
 * Declared terms live in `terms`: `this` is parameter 0; class formals are TERM_FORMAL with their
 * number; a formal that has no qualifier in a guard or requires clause is qualified by `this`.
 */
#ifndef TURNSTILE_LOCKTYPES_LOCK_TYPES_H
#define TURNSTILE_LOCKTYPES_LOCK_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/finding.h"
#include "base/intmap.h"
#include "base/problem.h"
#include "base/text.h"
#include "base/textmap.h"
#include "base/vector.h"
#include "locktypes/syntax.h"
#include "locktypes/terms.h"
#include "program/field_facts.h"
#include "program/program.h"

/* A list of terms that belongs to the lock types. */
struct term_list {
    const term *items;
    uint32_t count;
};

struct class_locks {
    struct text *formals; /* names */
    uint32_t formal_count;
    const bool *ghosts;            /* by formal: it is a ghost parameter of Race Free Java */
    struct term_list super_owners; /* arguments of the superclass, in terms of its own formals;
                                      count 0: as the formals of the same number */
    uint8_t nature;                /* enum class_nature */
    uint8_t nature_source;         /* enum syntax_source */
    bool declared;                 /* some source other than the defaults speaks of it */
    bool shared;                   /* the defaults say that it is not thread-local, whatever its
                                      superclass is */
    struct syntax_no_warn no_warn;
    struct syntax_place place;
};

struct field_locks {
    uint8_t guard; /* enum guard_kind */
    uint8_t basis; /* enum finding_basis: DECLARED, INFERRED, DEFAULT */
    struct term_list locks;
    const struct text *written; /* for each lock, as the user wrote it */
    struct term_list owners;    /* arguments of its type; count 0: not given */
    struct syntax_no_warn no_warn;
    struct syntax_place place;
};

struct bound_effect {
    uint8_t kind; /* enum effect_kind */
    term lock;    /* of CALLS and STARTS usually a parameter */
};

struct method_locks {
    bool has_requires;
    uint8_t basis; /* enum finding_basis, of the requires clause */
    struct term_list requires;
    const struct text *written;
    struct term_list *parameter_owners; /* NULL, or one list for each parameter (`this` first) */
    struct term_list result_owners;
    const struct text *method_formals; /* owners that only its parameter types name */
    uint32_t method_formal_count;
    const struct bound_effect *effects;
    uint32_t effect_count;
    const struct syntax_atomicity *atomicity; /* NULL: not declared */
    uint32_t atomicity_method; /* whose declaration it is: names in it are that one's */
    bool inherited;            /* nothing of it is the method's own declaration */
    struct syntax_no_warn no_warn;
    struct syntax_place place;
};

/* A declaration that makes no sense, or a lock expression that is not final. */
struct lock_problem {
    enum finding_rule rule; /* BAD_ANNOTATION, LOCK_NOT_FINAL */
    enum finding_basis basis;
    uint32_t class_id;     /* PROGRAM_NONE: not known */
    struct text member;    /* field or method that it is about, or empty */
    struct text signature; /* its descriptor, or empty */
    struct syntax_place place;
    struct text message;
};

/* Line declarations of one source file ("p/q/Name.java"), in the order of their first lines. */
struct file_lines {
    const struct syntax_line *const *items;
    uint32_t count;
};

enum lock_defaults { DEFAULTS_BELIEF, DEFAULTS_RFJ };

struct lock_types {
    const struct program *program;
    const struct field_facts *facts;
    struct arena arena;
    struct term_table terms;

    /* Sparse: most classes, fields and methods have nothing declared. */
    struct intmap classes; /* class number to a struct class_locks * */
    struct intmap fields;
    struct intmap methods;
    struct textmap lines; /* file to its number in line_lists */
    struct file_lines *line_lists;
    struct intmap allocations; /* method << 32 | byte offset of `new` to a struct term_list * */

    /* Classes by the last part of their names: the first one, and from each to the next. */
    struct textmap simple_names;
    uint32_t *next_of_name;

    VECTOR(struct lock_problem) problems; /* in the order of their places */
    VECTOR(const struct declarations *) added;
    bool failed; /* memory ran out */
};

/* The program, the facts and everything that is added must outlive the lock types. False with the
   problem set when there is no memory. */
bool lock_types_init(struct lock_types *types, const struct program *program,
                     const struct field_facts *facts, struct problem *problem);
void lock_types_release(struct lock_types *types);

bool lock_types_add(struct lock_types *types, const struct declarations *declarations);

/* Ends adding. With DEFAULTS_RFJ, what nobody declared gets the default rules of Race Free Java.
   False with the problem set when there is no memory. */
bool lock_types_bind(struct lock_types *types, enum lock_defaults defaults,
                     struct problem *problem);

/* ---- queries; what nobody speaks of gives an empty struct, never NULL ---- */

const struct class_locks *lock_types_class(const struct lock_types *types, uint32_t class_id);
const struct field_locks *lock_types_field(const struct lock_types *types, uint32_t field);

/* What a method's own declaration does not say (requires, owners, effects, atomicity) is as in the
   method that it overrides: that of the closest superclass which says it, then of an interface. A
   bridge method is as the method that it calls, and the other way round. `requires nothing` says
   something. Terms are in formals of the method's own class. */
const struct method_locks *lock_types_method(const struct lock_types *types, uint32_t method);

/* Whether it is the method's own declaration. */
bool lock_types_declares_method(const struct lock_types *types, uint32_t method);

/* A formal of the class as a term of its own: TERM_GHOST, or TERM_FORMAL without a qualifier. */
term lock_types_formal(const struct lock_types *types, uint32_t class_id, uint32_t number,
                       struct term_table *to);

/* Its own nature, or that of the closest superclass that has one. */
enum class_nature lock_types_nature(const struct lock_types *types, uint32_t class_id);

/* NULL if no line of the file has a declaration. */
const struct file_lines *lock_types_lines(const struct lock_types *types, struct text file);

/* Owners that an annotation or comment gives the object made by that instruction; NULL: none. */
const struct term_list *lock_types_allocation(const struct lock_types *types, uint32_t method,
                                              uint32_t offset);

/* A field that keeps its first value: declared final, or effectively so, or never assigned; the
   outer instance and captured variables of inner classes are. */
bool lock_types_is_final(const struct lock_types *types, uint32_t field);

/* Whether warnings of that rule are switched off by this clause. */
bool no_warn_covers(const struct syntax_no_warn *no_warn, enum finding_rule rule);

/* The names of a method's parameters, `this` first if it is not static; those that the class file
   does not tell are empty. `names` has room for `count`. */
void lock_types_parameter_names(const struct program *program, uint32_t method, struct text *names,
                                uint32_t count);

/* How many parameters a method has; `this` counts. */
uint32_t lock_types_parameter_count(const struct program *program, uint32_t method);

/* Binds one lock expression as it would be read in the class (and method, or PROGRAM_NONE): for
   `holds` lines. TERM_NONE with the message set if it has no meaning; with a term, the message is
   empty or says which part of it is not final. Terms are made in `to`. */
term lock_types_bind_expression(const struct lock_types *types, const struct syntax_lock *lock,
                                uint32_t class_id, uint32_t method, struct term_table *to,
                                struct arena *arena, struct text *message);

#endif
