/*
 * call_graph: who may call whom, by class hierarchy.
 *
 * Each method of an application class has a list of call sites; each site has a set of methods
 * that may run. Sites with the same possible targets share one set, so that ten thousand calls of
 * toString cost ten thousand sites and one set.
 *
 *   virtual, interface  every method that selection finds for some instantiable subtype of the
 *                       class that the call names, among all loaded classes, and the bodies of
 *                       lambdas that implement the interface
 *   special, static     the one method
 *   lambda              an invokedynamic (or method handle constant) that makes a function object:
 *                       the targets are what it will run when it is called later
 *   dynamic             any other invokedynamic or dynamic constant: the bootstrap method, if it is
 *                       the application's, and what known bootstraps call (toString of the operands
 *                       of a string concatenation; equals, hashCode, toString of record components)
 *   initializer         the instruction may start the initialization of a class: its static
 *                       initializer and those of its superclasses and of superinterfaces with
 *                       default methods. The literal of an enum counts, too: EnumSet and others
 *                       initialize it. One site for each class in each method, at its first use;
 *                       platform classes are left out unless they are scanned
 *
 * The platform's own code is not scanned unless asked for (scan_platform). What it may call back is
 * known by class instead: call_graph_callbacks.
 *
 * Targets among the application's methods are complete, but for marked calls and classes whose
 * supertypes are missing. Those among the platform's are not, with or without scan_platform: of the
 * platform only the classes that the application names are loaded, and their supertypes. A call on
 * ExecutorService has no target in ThreadPoolExecutor if no class names that; scanning looks into
 * loaded classes and loads no more. Where this matters, call_graph_may_run_platform is true.
 *
 * Calls whose targets cannot be known (reflection, method handles, unresolved names) are marked. So
 * are those with too many targets: all sets together may take a certain amount of work and memory,
 * far more than any program written by people. Such a call has no targets.
 */
#ifndef TURNSTILE_PROGRAM_CALL_GRAPH_H
#define TURNSTILE_PROGRAM_CALL_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "program/program.h"

enum call_kind {
    CALL_VIRTUAL,
    CALL_INTERFACE,
    CALL_SPECIAL,
    CALL_STATIC,
    CALL_LAMBDA,
    CALL_DYNAMIC,
    CALL_INITIALIZER,
    CALL_KIND_COUNT
};

/* Why a site may also call what is not in its targets. */
enum call_unknown {
    CALL_KNOWN,
    CALL_UNRESOLVED, /* no such class or method, or a class where an interface belongs */
    CALL_TOO_MANY,   /* all sets together would be too large */
#define UNKNOWN_CALL_REASON(id, text) CALL_UNKNOWN_##id,
#include "program/unknown_calls.def"
#undef UNKNOWN_CALL_REASON
    CALL_UNKNOWN_COUNT
};

/* A set: either the number of one method with CALL_ONE_TARGET added, or a number in the sets. */
#define CALL_ONE_TARGET UINT32_C(0x80000000)
#define CALL_NO_TARGETS UINT32_MAX

enum call_site_flag {
    CALL_MAY_RUN_PLATFORM = 1 /* see call_graph_may_run_platform */
};

struct call_site {
    uint16_t instruction; /* its number in the method's code */
    uint16_t constant;    /* what the instruction names: method, invoke dynamic, class, field */
    uint8_t kind;         /* enum call_kind */
    uint8_t unknown;      /* enum call_unknown */
    uint16_t flags;       /* enum call_site_flag */
    uint32_t method;      /* the resolved method; for a lambda the one it implements it with;
                             PROGRAM_NONE for initializers and unresolved ones */
    uint32_t targets;     /* see call_graph_targets */
};

/* A function object made by the application's code. */
struct call_lambda {
    uint32_t maker;             /* the method that makes it */
    uint32_t site;              /* number of the call site there, in call_graph->sites */
    uint32_t interface;         /* what it implements; PROGRAM_NONE for a method handle constant */
    struct program_ids markers; /* more interfaces, of altMetafactory */
    struct program_ids selectors; /* the methods it implements: one, and bridges */
    uint32_t implementation;      /* resolved method, or PROGRAM_NONE */
    uint32_t targets;             /* what runs */
};

struct call_graph_options {
    unsigned workers;           /* 0: the program's */
    bool scan_platform;         /* code of loaded platform classes too */
    uint64_t most_target_steps; /* for tests: what all sets may take; 0: as much as is good */
};

struct call_graph {
    const struct program *program;
    struct arena arena;
    uint32_t scanned_method_count; /* methods 0 .. scanned-1 have been looked into */
    uint32_t *first_site;          /* by method: scanned + 1 entries */
    struct call_site *sites;
    uint32_t site_count;

    uint32_t *first_target; /* by set: set_count + 1 entries */
    uint32_t *targets;      /* ascending in each set */
    uint32_t set_count;
    uint32_t target_count;

    struct call_lambda *lambdas; /* in the order of their sites */
    uint32_t lambda_count;

    uint32_t *first_callback; /* by class: program->class_count + 1 entries */
    uint32_t *callbacks;

    uint32_t *initializers; /* by class: a set, or CALL_NO_TARGETS; see call_graph_initializers */
    uint32_t bad_method_count; /* methods whose code could not be decoded: reported, no sites */
};

/* False with the problem set when there is no memory. The program must be linked and outlive the
   graph. */
bool call_graph_build(struct call_graph *graph, const struct program *program,
                      const struct call_graph_options *options, struct diagnostics *diagnostics,
                      struct problem *problem);
void call_graph_release(struct call_graph *graph);

struct call_sites {
    const struct call_site *items;
    uint32_t count;
};

/* The sites of a method, in the order of its code. None for methods that were not scanned. */
struct call_sites call_graph_sites(const struct call_graph *graph, uint32_t method);

/* The site of a call instruction (special, static, virtual or interface), or, with `lambda`, of one
   that makes a function; NULL if it has none. */
const struct call_site *call_graph_site_at(const struct call_graph *graph, uint32_t method,
                                           uint32_t instruction, bool lambda);

/* The methods of a set. `one` is room for a set of one method. */
struct program_ids call_graph_targets(const struct call_graph *graph, uint32_t set, uint32_t *one);

/* Whether the site may run methods of platform classes besides, or instead of, the platform methods
   in its targets: it is dispatched, directly or through a method reference, on a platform class or
   interface that may have subtypes which are not loaded. */
static inline bool call_graph_may_run_platform(const struct call_site *site)
{
    return (site->flags & CALL_MAY_RUN_PLATFORM) != 0;
}

/* The function object that a site of kind CALL_LAMBDA makes. */
const struct call_lambda *call_graph_lambda(const struct call_graph *graph,
                                            const struct call_site *site);

/* Application methods that the platform, or code that is missing, may call on an instance of the
   class because they override its methods: compare of a Comparator, run of a Thread. Of the
   interface of a function object: default methods that do so. */
struct program_ids call_graph_callbacks(const struct call_graph *graph, uint32_t class_id);

/* The static initializers that run when the class is initialized: a set. */
static inline uint32_t call_graph_initializers(const struct call_graph *graph, uint32_t class_id)
{
    return graph->initializers[class_id];
}

const char *call_kind_name(enum call_kind kind);

/* "reflection", "unresolved", ...; NULL for CALL_KNOWN. */
const char *call_unknown_name(enum call_unknown unknown);

#endif
