/*
 * analysis: all engines over the events of one trace.
 *
 * A trace is gone through once for races and lock order, and to find out how locks and variables
 * are used; from the beginning again when it turns out that locks hand something over, which takes
 * two clocks for each thread. If any of its code should be atomic, it is gone through a second time
 * for reduction, blocks and cycles of transactions: then all operations are judged by all uses
 * (mover.h, `final`), and variables on which nothing conflicts, but for what start, join and the
 * like order, are left out. A source must therefore be able to begin again.
 *
 * Traces are checked as they are read (trace_check.h, lenient): what is impossible is put right, so
 * that engines are told of possible events only.
 *
 * Findings are made at the end, from what the engines have reported, while the names of the trace
 * are there; they own what they show. There is one finding for each block and pair of source lines,
 * each pair of lines that race on a field, and each cycle of locks with its lines. An atomicity
 * finding is `observed` if the trace itself has a cycle of transactions through that block; a cycle
 * in whose blocks nothing was predicted becomes a finding by itself.
 *
 * Memory: 8 bytes for each variable that is accessed, 32 more for atomicity; records for variables
 * that are shared, a bounded number of them; and the tables of the engines, which are bounded.
 * Nothing grows with the number of events.
 */
#ifndef TURNSTILE_TRACE_ANALYSIS_H
#define TURNSTILE_TRACE_ANALYSIS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/builder.h"
#include "base/finding.h"
#include "base/problem.h"
#include "engine/engine.h"
#include "trace/trace_source.h"

struct analysis_options {
    bool races;
    enum engine_mode mode; /* of the races */
    bool discipline;
    bool reduction;
    bool blocks;
    bool observed;        /* look for cycles of transactions */
    uint32_t refinements; /* of reduction: bits of enum mover_refinement */
    bool lock_order;
    bool thorough; /* for tests: tell the engines what cannot matter, too */
    /* May be NULL: called now and then with the number of events read so far, and the pass. */
    void (*progress)(void *context, uint64_t events, unsigned pass);
    void *context; /* of that */
};

struct analysis_counts {
    uint64_t events; /* that the engines were told of, once each */
    uint64_t read;   /* from the trace, in all passes */
    uint64_t accesses;
    uint64_t blocks; /* begun */
    uint64_t races;  /* pairs of accesses */
    uint32_t threads;
    uint32_t locks;
    uint32_t variables;
    uint32_t shared_variables; /* by more than one thread, as far as reduction knows */
    uint64_t forgotten;        /* variables, locks, threads, ... that there was no room for */
    uint64_t left_out;         /* impossible events that were left out, */
    uint64_t changed;          /* became something else, */
    uint64_t added;            /* and were added to make the others possible */
    unsigned passes;
};

struct analysis_result {
    struct analysis_counts counts;
    /* The trace could not be opened or begun again, or there was no memory: there are no findings.
     */
    struct problem failure;
    bool no_memory; /* the failure is the latter */
    /* Not all of the trace could be read: one line that says where, why, and what could be used. */
    struct builder damage;
    /* The first impossible event; not set if there was none. */
    struct problem impossible;
};

/* All engines, everything else as it is for a run. */
void analysis_options_default(struct analysis_options *options);

/* How blocks are judged, in the order of the choices of --atomicity. */
enum analysis_atomicity {
    ANALYSIS_ATOMICITY_BOTH,
    ANALYSIS_ATOMICITY_REDUCTION,
    ANALYSIS_ATOMICITY_BLOCKS,
    ANALYSIS_ATOMICITY_OFF
};

void analysis_choose_atomicity(struct analysis_options *options, enum analysis_atomicity choice);

/* Opens the trace at its beginning; called once for each pass, after the source of the pass before
   was closed. False with the problem in the source, which may then be closed or not. */
typedef bool (*analysis_open)(void *context, struct trace_source *source);

/* Adds what is found to `findings`. False with a failure; the result is to be released always. */
bool analysis_run(const struct analysis_options *options, analysis_open open, void *context,
                  struct finding_list *findings, struct analysis_result *result);

void analysis_result_release(struct analysis_result *result);

#endif
