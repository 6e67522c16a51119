/*
 * field_facts_internal: the parts of the analysis of fields.
 *
 *   field_scan.c    who assigns and reads what, in all of the program, on several threads
 *   field_static.c  which calls may run code that reads static fields
 *   field_facts.c   runs the constructors of what is left, and decides
 */
#ifndef TURNSTILE_PROGRAM_FIELD_FACTS_INTERNAL_H
#define TURNSTILE_PROGRAM_FIELD_FACTS_INTERNAL_H

#include "base/vector.h"
#include "program/field_facts.h"

enum field_use {
    FIELD_USE_INSIDE = 1,    /* assigned in a constructor, or static initializer, of its class */
    FIELD_USE_ELSEWHERE = 2, /* assigned anywhere else */
    FIELD_USE_NAMED = 4,     /* may be written by name */
    FIELD_USE_BAD_CODE = 8
};

struct static_read {
    uint32_t method;
    uint32_t field;
};

struct field_uses {
    uint8_t *uses;                    /* by field of the application: enum field_use */
    VECTOR(struct static_read) reads; /* of static fields that are not final */
};

bool field_scan(struct field_uses *uses, const struct call_graph *graph, struct problem *problem);
void field_uses_release(struct field_uses *uses);

/* Calls in static initializers: what they may reach. */
struct static_readers {
    const struct call_graph *graph;
    const uint32_t *construction_calls; /* see struct static_reader_input */
    uint8_t *method_reads;              /* by method */
    uint8_t *initializer_reads;         /* by class: its initialization */
};

/* What the platform's constructors may call on a new object of an application class: overriding
   methods of one selector, or these. */
#define CONSTRUCTION_CALLS_NOTHING PROGRAM_NONE
#define CONSTRUCTION_CALLS_ANY (PROGRAM_NONE - 1)

struct static_reader_input {
    const struct field_uses *uses;
    const uint8_t *is_candidate;        /* by field: whether its reads matter */
    const uint32_t *construction_calls; /* by class */
};

bool static_readers_build(struct static_readers *readers, const struct call_graph *graph,
                          const struct static_reader_input *input, struct problem *problem);
void static_readers_release(struct static_readers *readers);

/* Whether the targets of the site may read a candidate. */
bool static_readers_site(const struct static_readers *readers, const struct call_site *site);

#endif
