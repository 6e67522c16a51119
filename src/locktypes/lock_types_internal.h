/*
 * lock_types_internal: what the parts of lock_types share.
 *
 *   lock_types.c                  adding, the order of binding, queries
 *   lock_types_names.c            classes, members and parameters by the names that users write
 *   lock_types_scope.c            what a name means in a class: fields, outer instances, getters
 *   lock_types_bind_expression.c  lock expressions -> terms
 *   lock_types_bind.c             classes and fields: owners, guards, which source counts
 *   lock_types_bind_methods.c     methods
 *   lock_types_bind_lines.c       lines of source files, and owners of allocations
 *   lock_types_inherit.c          overriding methods, bridges
 *   lock_types_defaults.c         the default rules of Race Free Java
 */
#ifndef TURNSTILE_LOCKTYPES_LOCK_TYPES_INTERNAL_H
#define TURNSTILE_LOCKTYPES_LOCK_TYPES_INTERNAL_H

#include "locktypes/lock_types.h"

/* ---- what binding keeps beside the public part, which stands first ---- */

/* How strong the source of an item is: 0 if nobody has said it. What is said of one method is
   stronger than what is said of all that have its name. */
typedef uint8_t item_rank;

static inline item_rank rank_of(enum syntax_source source, bool specific)
{
    return (item_rank)(1 + 2 * (unsigned)source + specific);
}

struct class_entry {
    struct class_locks locks;
    const struct syntax_formal *formals; /* as declared, with their types */
    struct field_locks guard;            /* of its fields that have none of their own */
    item_rank formals_rank, super_rank, guard_rank, nature_rank;
};

struct field_entry {
    struct field_locks locks;
    item_rank guard_rank, owners_rank;
};

struct method_entry {
    struct method_locks locks;
    item_rank requires_rank, owners_rank, effects_rank, atomicity_rank;
};

/* The entry, or NULL. */
const struct class_entry *lock_types_class_entry(const struct lock_types *types, uint32_t class_id);

/* The entry, made if it is not there; NULL when there is no memory (`failed` is set). */
struct class_entry *lock_types_make_class(struct lock_types *types, uint32_t class_id);
struct field_entry *lock_types_make_field(struct lock_types *types, uint32_t field);
struct method_entry *lock_types_make_method(struct lock_types *types, uint32_t method);

/* ---- names ---- */

bool lock_names_index(struct lock_types *types);

/* The class that somebody means who writes the name in `context` (a class, or PROGRAM_NONE):
   member classes of it and of those around it, classes of its package, full names, java.lang.
   With `anywhere` also a class of any package, if only one has the name. */
uint32_t lock_names_find_class(const struct lock_types *types, struct text written,
                               uint32_t context, bool anywhere);

/* "Entry" of "java/util/Map$Entry", "Local" of "A$1Local". */
struct text lock_names_simple(struct text internal_name);

/* "p.Outer$Inner", in the arena. */
struct text lock_names_of_class(const struct lock_types *types, struct arena *arena,
                                uint32_t class_id);

/* The class around an inner or local one, or PROGRAM_NONE. */
uint32_t lock_names_enclosing(const struct program *program, uint32_t class_id);

/* The class of what a field or return descriptor says, of an array's elements if `elements`;
   PROGRAM_NONE for primitive types and classes that the program does not have. */
uint32_t lock_names_type_class(const struct program *program, struct text descriptor,
                               bool elements);

/* How many parameters the compiler has put before those that the source has: the outer instance,
   name and number of an enum constant. */
uint32_t lock_names_hidden_parameters(const struct program *program, uint32_t method);

/* The method of the class that a declaration means, behind `after` (PROGRAM_NONE: from the first);
   PROGRAM_NONE if there is no more. */
uint32_t lock_names_next_method(const struct lock_types *types, uint32_t class_id,
                                const struct syntax_method *method, uint32_t after);

/* The descriptor of the parameter (`this` counts and has none: empty). */
struct text lock_names_parameter_type(const struct program *program, uint32_t method,
                                      uint32_t number);

/* Collects the name that is closest to one that was not found. */
struct near_name {
    struct text wanted, best;
    unsigned distance;
};

void near_name_init(struct near_name *near, struct text wanted);
void near_name_try(struct near_name *near, struct text candidate);

/* Near enough to be what was meant? */
bool near_name_found(const struct near_name *near);

/* ---- lock expressions ---- */

struct expression_context {
    const struct lock_types *types;
    struct term_table *to;
    struct arena *arena; /* of messages and names */
    uint32_t class_id;
    uint32_t method; /* or PROGRAM_NONE */
    uint32_t field;  /* whose guard it is, or PROGRAM_NONE */
    bool is_static;  /* there is no `this` */
    bool is_owner;   /* an owner in a type: formals stay bare */
    bool declares;   /* names without any meaning become formals of the method */

    const struct text *parameter_names; /* `this` first */
    uint32_t parameter_count;
    uint32_t hidden;                   /* lock_names_hidden_parameters */
    struct method_entry *method_entry; /* for method formals, or NULL */

    struct text message;   /* why there is no term */
    struct text not_final; /* why the term is not final, or empty */
};

/* Fills names and numbers of the method's parameters. Names that the declaration gives (NULL: no
   declaration) come before those of the class file. */
void expression_context_parameters(struct expression_context *context,
                                   const struct syntax_method *declaration);

/* TERM_NONE with the message set. No message means that memory ran out. */
term expression_bind(struct expression_context *context, const struct syntax_lock *lock);

/* For messages; the first one is kept. */
void expression_fail(struct expression_context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- what names mean: an object on the way along a path ---- */

struct path_object {
    term object;      /* TERM_NONE: there is nothing (yet) */
    uint32_t type;    /* its class, or PROGRAM_NONE: none that the program has */
    bool is_class;    /* not an object: the name of class `type` */
    struct text name; /* descriptor of its type, for messages; may be empty */
};

/* A field by name: of the class, its superclasses and its interfaces, or PROGRAM_NONE. */
uint32_t scope_find_field(const struct program *program, uint32_t class_id, struct text name);

/* What the field holds; `object` is what it is a field of, not looked at if it is static. */
struct path_object scope_field_of(struct expression_context *context, term object, uint32_t field);

/* The innermost variable of that name: a field of the class or of those around it, or one that is
   captured. False if there is none; true with TERM_NONE and the message set if it cannot be
   reached. */
bool scope_find_variable(struct expression_context *context, struct text name,
                         struct path_object *result);

/* `this` of the class or of one around it. TERM_NONE with the message set. */
struct path_object scope_outer_this(struct expression_context *context, uint32_t class_id);

/* What name() of the object (or of the class, for static ones) gives. TERM_NONE with the message
   set. */
struct path_object scope_call(struct expression_context *context, struct path_object from,
                              struct text name);

/* The same for a name() that nothing stands before: of this class, or of those around it. */
struct path_object scope_bare_call(struct expression_context *context, struct text name);

/* Offers all names that could stand at the start of an expression. */
void scope_near_names(const struct expression_context *context, struct near_name *near);

/* ---- binding ---- */

/* Who is being bound, for problems and ranks. */
struct bind_source {
    struct lock_types *types;
    enum syntax_source source;
    enum finding_basis basis;
    uint32_t class_id;
    struct text member, signature;
    struct syntax_place place; /* of the member, where a part of it has none */
};

void bind_problem(const struct bind_source *from, enum finding_rule rule,
                  const struct syntax_place *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Locks of a guard or requires clause; those without meaning are reported and left out. `written`
   gets the texts. */
struct term_list bind_locks(const struct bind_source *from, struct expression_context *context,
                            const struct syntax_locks *locks, const struct text **written);

/* One lock; what is wrong is reported. `quiet`: it is not. */
term bind_lock(const struct bind_source *from, struct expression_context *context,
               const struct syntax_lock *lock, bool quiet);

/* Owners of something with that descriptor; an empty list, with the problem reported, if they do
   not fit. */
struct term_list bind_owners(const struct bind_source *from, struct expression_context *context,
                             const struct syntax_locks *owners, struct text descriptor);

/* The same for the formals of a class. */
struct term_list bind_class_owners(const struct bind_source *from,
                                   struct expression_context *context,
                                   const struct syntax_locks *owners, uint32_t class_id,
                                   bool is_array);

bool term_lists_equal(const struct term_list *a, const struct term_list *b);

/* Whether an item of this rank is to be taken: nobody stronger has said it. If somebody equally
   strong has, `*again` is set: the values must agree. */
bool bind_takes(item_rank *rank, item_rank rank_of_new, bool *again);

/* That two of the same strength disagree. */
void bind_contradiction(const struct bind_source *from, const struct syntax_place *place,
                        const char *what, const struct syntax_place *other);

/* Adds the rules of `more`; unknown ones are reported. */
void bind_no_warn(const struct bind_source *from, struct syntax_no_warn *no_warn,
                  const struct syntax_no_warn *more, const struct syntax_place *place);

/* The passes, in this order. */
void bind_class_heads(struct lock_types *types, const struct declarations *declarations,
                      uint32_t *class_ids);
void bind_class_bodies(struct lock_types *types, const struct declarations *declarations,
                       const uint32_t *class_ids);
void bind_methods_of(const struct bind_source *from, const struct syntax_class *class);
void bind_class_guards(struct lock_types *types);
void bind_reject_cycles(struct lock_types *types);
void bind_lines(struct lock_types *types);
void bind_inherited(struct lock_types *types);
void bind_defaults(struct lock_types *types);

#endif
