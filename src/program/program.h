/*
 * program: the classes of one program by name.
 *
 * A program is made in two steps. Loading reads the application's classes (program_add_path,
 * program_add_class); linking (program_link) then numbers everything, finds the classes that the
 * application names in the JDK, and computes the hierarchy. After linking a program never changes:
 * all queries are read-only and may run on several threads.
 *
 * Classes, methods and fields have dense numbers. Application classes come first, in the order of
 * their names; behind them the platform's (JDK's) in the order in which they were needed. So the
 * numbers do not depend on the number of workers or on the order inside an archive.
 *
 * Of the platform those classes are loaded that application classes name in their constant pools,
 * and all supertypes of loaded classes. A class that is nowhere to be found, or cannot be read, is
 * there too, with `missing` set and no class file, so that code which names it can be described.
 *
 * As in the JVM, the first definition of a class on the class path wins; the others are counted.
 * Unlike there, a class that the platform has too is taken from the inputs, so that the platform's
 * own classes can be looked at as a program.
 */
#ifndef TURNSTILE_PROGRAM_PROGRAM_H
#define TURNSTILE_PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/intmap.h"
#include "base/problem.h"
#include "base/text.h"
#include "base/textmap.h"
#include "classfile/class_file.h"
#include "program/declarers.h"

#define PROGRAM_NONE UINT32_MAX

struct input_root;
struct program_loader;

/* A list of numbers that belongs to the program. */
struct program_ids {
    const uint32_t *items;
    uint32_t count;
};

struct program_class {
    struct text name; /* internal: "java/util/Map$Entry" */
    struct text path; /* where it was read, for messages; empty for platform classes */
    const struct class_file *class_file; /* NULL when missing */
    uint32_t superclass;                 /* PROGRAM_NONE: java/lang/Object, or unknown */
    struct program_ids interfaces;       /* the direct ones, as the class file has them */
    struct program_ids all_interfaces;   /* ascending, without itself; none that are classes */
    uint32_t first_method, first_field;  /* numbers of its members: in a row, in class file order */
    uint32_t tree_first, tree_end;       /* its subclasses (and itself) in program->tree */
    uint16_t method_count, field_count;
    uint16_t access;
    uint16_t package_length; /* of the name's part before the last slash */
    bool application;        /* from the inputs, not from the platform */
    bool missing;
    bool incomplete; /* it or some supertype is missing, or a class where an interface belongs:
                        members may be inherited from there */
    bool circular;   /* it was its own supertype; that link has been cut */
};

struct program_member {
    uint32_t class_id;
    uint32_t selector; /* number of its name and descriptor */
    uint16_t access;
    uint16_t index; /* in class_file->methods or ->fields */
};

struct program_selector {
    uint32_t name, descriptor; /* numbers in program->symbols */
};

struct program_options {
    unsigned workers;     /* 0: as many as pay */
    const char *platform; /* home of the JDK; NULL: the one that input_find_jdk gives; "": none */
    unsigned release;     /* as which multi-release jars are read; 0: that of the JDK */
};

struct program {
    struct arena arena;
    struct program_loader *loader; /* the application's bytes and models */
    struct input_root *platform;
    struct text platform_home;
    unsigned release; /* as which multi-release jars are read */
    unsigned workers;
    bool linked;

    struct program_class *classes;
    uint32_t class_count;
    uint32_t application_count; /* classes 0 .. application_count-1 */
    struct program_member *methods;
    uint32_t method_count;
    uint32_t application_method_count; /* those of application classes come first */
    struct program_member *fields;
    uint32_t field_count;
    uint32_t application_field_count;
    struct program_selector *selectors;
    uint32_t selector_count;
    struct text *symbols;
    uint32_t symbol_count;

    uint32_t missing_count;
    uint32_t duplicate_count;
    uint32_t object; /* java/lang/Object */

    /* For hierarchy.c: superclasses before subclasses, each class's subtree in a row. */
    uint32_t *tree;
    /* For hierarchy.c: all subtypes of each interface; sub_first has class_count + 1 entries. */
    uint32_t *sub_first;
    uint32_t *sub_items;
    /* For declarers.c: which classes declare what. */
    struct declarers method_declarers;
    struct declarers field_declarers;

    struct textmap class_ids;
    struct textmap symbol_ids;
    struct intmap selector_ids; /* name << 32 | descriptor */
    struct intmap method_ids;   /* class << 32 | selector */
    struct intmap field_ids;
};

/* False with the problem set when there is no memory. A platform that cannot be opened is reported
   and done without. */
bool program_init(struct program *program, const struct program_options *options,
                  struct diagnostics *diagnostics, struct problem *problem);
void program_release(struct program *program);

/* ---- loading: one thread at a time ---- */

/* Everything that input_walk finds under the path. Later paths come later on the class path.
   Classes that cannot be read are reported and left out. False if the path could not be used at
   all (reported), or with the problem set if memory ran out. */
bool program_add_path(struct program *program, const char *path, struct diagnostics *diagnostics,
                      struct problem *problem);

/* One class; the bytes are copied. False with the problem set if it cannot be read. */
bool program_add_class(struct program *program, struct text path, const void *bytes, size_t size,
                       struct problem *problem);

/* Ends loading. False with the problem set when there is no memory. */
bool program_link(struct program *program, struct diagnostics *diagnostics,
                  struct problem *problem);

/* ---- queries ---- */

/* The number of a class, or PROGRAM_NONE. An array class is not a class of its own here: it is
   java/lang/Object, whose methods it has. */
uint32_t program_find_class(const struct program *program, struct text name);

/* The number of a name with a descriptor; PROGRAM_NONE if no loaded member has both. */
uint32_t program_find_selector(const struct program *program, struct text name,
                               struct text descriptor);

/* A member that the class itself declares, or PROGRAM_NONE. */
uint32_t program_declared_method(const struct program *program, uint32_t class_id,
                                 uint32_t selector);
uint32_t program_declared_field(const struct program *program, uint32_t class_id,
                                uint32_t selector);

/* The same by names, for tables and tests. */
uint32_t program_find_method(const struct program *program, const char *class_name,
                             const char *name, const char *descriptor);
uint32_t program_find_field(const struct program *program, const char *class_name, const char *name,
                            const char *descriptor);

static inline const struct program_class *program_class_of_method(const struct program *program,
                                                                  uint32_t method)
{
    return &program->classes[program->methods[method].class_id];
}

static inline struct text program_selector_name(const struct program *program, uint32_t selector)
{
    return program->symbols[program->selectors[selector].name];
}

static inline struct text program_selector_descriptor(const struct program *program,
                                                      uint32_t selector)
{
    return program->symbols[program->selectors[selector].descriptor];
}

static inline struct text program_method_name(const struct program *program, uint32_t method)
{
    return program_selector_name(program, program->methods[method].selector);
}

static inline struct text program_method_descriptor(const struct program *program, uint32_t method)
{
    return program_selector_descriptor(program, program->methods[method].selector);
}

static inline struct text program_field_name(const struct program *program, uint32_t field)
{
    return program_selector_name(program, program->fields[field].selector);
}

static inline struct text program_field_descriptor(const struct program *program, uint32_t field)
{
    return program_selector_descriptor(program, program->fields[field].selector);
}

/* The member in its class file; NULL only for numbers out of range. */
const struct member *program_method_member(const struct program *program, uint32_t method);
const struct member *program_field_member(const struct program *program, uint32_t field);

static inline bool program_is_application_method(const struct program *program, uint32_t method)
{
    return method < program->application_method_count;
}

/* Whether instances of exactly this class can exist. */
static inline bool program_is_instantiable(const struct program_class *class)
{
    return !class->missing && !(class->access & (ACCESS_INTERFACE | ACCESS_ABSTRACT));
}

bool program_same_package(const struct program *program, uint32_t class_a, uint32_t class_b);

#endif
