/*
 * checker: a whole program against its lock types.
 *
 *     methods ──► flows (parallel) ──► entry locks, beliefs ──► rules (parallel) ──► findings
 *
 * Every method of the application is executed symbolically once (flow/method_flow.h). From all
 * flows together follows what callers hold (entry_locks.h) and which guards unannotated fields seem
 * to have (beliefs.h). Then each method is judged by each rule of rules.def.
 *
 * Flows and what they hang in live as long as the checker. Findings are added to the caller's list
 * and sorted by the report, so that the number of workers makes no difference.
 */
#ifndef TURNSTILE_CHECK_CHECKER_H
#define TURNSTILE_CHECK_CHECKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diagnostics.h"
#include "base/finding.h"
#include "check/beliefs.h"
#include "check/captures.h"
#include "check/entry_locks.h"
#include "flow/method_flow.h"
#include "flow/summaries.h"
#include "locktypes/lock_types.h"
#include "program/call_graph.h"
#include "program/entry_points.h"

struct checker_options {
    enum lock_defaults defaults;
    bool constructor_checked; /* constructors do not hold the lock of what they construct */
    bool whole_program;       /* nobody else calls its methods: entry points are main, run, tasks */
    bool silenced[FINDING_RULE_COUNT];
    unsigned workers; /* 0: as many as pay */
};

struct checker_stats {
    uint32_t classes, methods, fields;
    uint32_t methods_executed, methods_failed;
    uint32_t methods_typed; /* executed, and nothing found in them */
    uint32_t fields_final;  /* or effectively so */
    uint32_t fields_volatile;
    uint32_t fields_guarded_this, fields_guarded_other, fields_guarded_class;
    uint32_t fields_write_guarded;
    uint32_t fields_believed;  /* a belief gives them a guard */
    uint32_t fields_unguarded; /* nothing is known of them */
    uint32_t accesses, accesses_checked;
    uint32_t beliefs_silent; /* fields whose accesses agree on no lock */
};

struct checker {
    const struct program *program;
    const struct call_graph *graph;
    const struct field_facts *facts;
    const struct lock_types *types;
    const struct entry_points *entries;
    struct checker_options options;

    struct flow_summaries summaries;
    struct arena arena;
    bool has_owners;            /* somebody declares formals or owners */
    uint8_t *outside;           /* by application method: see checker_is_called_from_outside */
    uint8_t *made;              /* by application field: see made_fields.h */
    uint8_t *shown;             /* by class of the application: the same */
    struct method_flow **flows; /* by application method; NULL: no code, or not executable */
    struct arena *flow_arenas;  /* one for each worker */
    unsigned worker_count;
    struct entry_locks entry;
    struct captures captures; /* nothing if nobody declares owners */
    struct beliefs beliefs;
    struct checker_stats stats;
};

/* What was loaded, bound and linked must outlive the checker. False with the problem set when there
   is no memory. Methods that cannot be executed are told as warnings when verbose, and counted. */
bool checker_init(struct checker *checker, const struct call_graph *graph,
                  const struct lock_types *types, const struct entry_points *entries,
                  const struct checker_options *options, struct diagnostics *diagnostics,
                  struct problem *problem);
void checker_release(struct checker *checker);

/* Adds what the rules and the binding of the lock types found. */
bool checker_run(struct checker *checker, struct finding_list *findings, struct problem *problem);

/* Whether the method may be called without our seeing the call: it is public or protected in a
   library, an entry point, called back by the platform, or made into a function. */
static inline bool checker_is_called_from_outside(const struct checker *checker, uint32_t method)
{
    return checker->outside[method] != 0;
}

/* What the term denotes, said in one way: a final field that is known to hold something else that
   has a name is that (aliases, see flow/summaries.h). Made in the flow's terms. */
term checker_canonical(const struct checker *checker, struct method_flow *flow, term number);

#endif
