/*
 * call_graph_internal: how the parts of the call graph's construction work together.
 *
 *   call_scan.c     the instructions of each method -> raw sites, on several threads
 *   call_dynamic.c  invokedynamic and dynamic constants -> raw sites and lambdas
 *   call_targets.c  receiver classes and resolved methods -> shared sets of targets
 *   call_graph.c    puts the parts in order, and answers queries
 *
 * A raw site has in `targets` what its set will be made from: CALL_ONE_TARGET and a method; or,
 * with RAW_DISPATCH in `flags`, the class that the call names; or the class that is initialized;
 * or the number of a lambda of its worker.
 */
#ifndef TURNSTILE_PROGRAM_CALL_GRAPH_INTERNAL_H
#define TURNSTILE_PROGRAM_CALL_GRAPH_INTERNAL_H

#include "base/vector.h"
#include "bytecode/decode.h"
#include "program/call_graph.h"
#include "program/resolve.h"

/* In call_site.flags while the graph is made; a finished site has enum call_site_flag there. */
enum raw_site_flag { RAW_DISPATCH = 1, RAW_INITIALIZER = 2, RAW_LAMBDA = 4 };

/* What a dispatched call may run. */
struct target_set {
    uint32_t targets; /* a set */
    bool open;        /* platform classes that are not loaded may add to it */
    bool too_large;   /* nobody has looked: there are no targets in it */
};

struct raw_lambda {
    struct call_lambda lambda;
    uint32_t dispatch_class; /* what its implementation is dispatched on, or PROGRAM_NONE */
    struct target_set set;   /* of such a one */
};

/* What one worker scans with. */
struct call_scanner {
    const struct program *program;
    const uint8_t *unknown_of; /* by method: enum call_unknown */
    struct diagnostics *diagnostics;
    bool scan_platform;

    struct arena scratch; /* for one method */
    struct arena kept;    /* lists of lambdas */
    VECTOR(struct call_site) sites;
    VECTOR(struct raw_lambda) lambdas;
    VECTOR(uint32_t) initialized; /* classes already noted in this method */
    VECTOR(uint64_t) resolved;    /* by constant of this class: owner << 32 | method, once known */
    uint32_t bad_method_count;
    bool failed;

    /* the method being scanned */
    uint32_t class_id;
    uint32_t method;
    const struct class_file *class_file;
    size_t method_first_site;
};

/* Where the sites of one class are until they are put together. */
struct class_span {
    unsigned worker;
    size_t first_site;
};

/* Scans all methods of the class; stores how many sites each has, by method number. */
void call_scan_class(struct call_scanner *scanner, uint32_t class_id, uint32_t *site_counts);

/* For call_dynamic.c. */
void call_scan_add(struct call_scanner *scanner, struct call_site site);
void call_scan_initializer(struct call_scanner *scanner, uint32_t instruction, uint16_t constant,
                           uint32_t class_id);

/* An invokedynamic, or the loading of a dynamic constant. */
void call_scan_dynamic(struct call_scanner *scanner, uint32_t instruction, uint16_t constant);

/* A method handle that will be called later, by whoever has it. */
void call_scan_handle(struct call_scanner *scanner, uint32_t instruction, uint16_t constant,
                      const struct call_lambda *lambda);

/* ---- targets ---- */

struct target_builder {
    const struct program *program;
    const struct raw_lambda *lambdas;
    uint32_t lambda_count;
    struct problem *problem;

    struct intmap sets; /* class << 32 | method -> SET_IS_OPEN, SET_IS_TOO_LARGE, set code */
    VECTOR(uint32_t) first;
    VECTOR(uint32_t) targets;
    VECTOR(uint32_t) collected; /* the set being made */
    VECTOR(uint32_t) pending;   /* lambdas still to be followed */
    struct intmap lambdas_of;   /* selector -> its first entry in `chain` */
    VECTOR(uint64_t) chain;     /* next entry << 32 | lambda */
    uint32_t *lambda_stamp;     /* by lambda: the last set that it went into */
    uint8_t *is_lambda_interface;
    uint32_t *next_receiver;  /* by place in program->tree: the first there or behind that selects a
                                 method; class_count behind the last */
    uint8_t *default_methods; /* by class: whether it has one, once that is known */
    uint32_t stamp;
    uint64_t steps, most_steps; /* for all sets together */
    bool open;                  /* the set being made: see call_graph_may_run_platform */
    bool too_large;             /* the set being made: see struct target_set */
};

bool target_builder_init(struct target_builder *builder, const struct program *program,
                         const struct raw_lambda *lambdas, uint32_t lambda_count,
                         uint64_t most_steps, struct problem *problem);
void target_builder_release(struct target_builder *builder);

/* What a call of the resolved method on the class may run. False without memory. */
bool target_builder_dispatch(struct target_builder *builder, uint32_t class_id, uint32_t method,
                             struct target_set *set);

/* The static initializers that run with this class's. One that is too large has the first of them.
   False without memory. */
bool target_builder_initializers(struct target_builder *builder, uint32_t class_id,
                                 struct target_set *set);

/* What the platform may call on instances of each class: fills graph->callbacks. */
bool call_callbacks_build(struct call_graph *graph, struct problem *problem);

#endif
