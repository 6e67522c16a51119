/*
 * belief_internal: how the parts of the search for beliefs work together.
 *
 *   belief_callers.c   what the callers that we see hold
 *   belief_census.c    the accesses that count, and what is held at each
 *   beliefs.c          which lock is believed in
 *   belief_surety.c    how much an access that goes without it looks like a mistake
 */
#ifndef TURNSTILE_CHECK_BELIEF_INTERNAL_H
#define TURNSTILE_CHECK_BELIEF_INTERNAL_H

#include "base/vector.h"
#include "check/belief_callers.h"
#include "check/beliefs.h"
#include "check/checker.h"

enum { BELIEF_CANDIDATES = 64 }; /* locks of one field; with more there is no discipline */

/* One access. The sets are of candidates. */
struct belief_access {
    uint32_t method, event;
    term object; /* whose field it is, or the object whose content is accessed */
    uint64_t held;
    uint64_t in_block; /* held, and taken in the method by a block or a call */
    uint64_t likely;   /* not held for certain, but by all callers that we see */
    uint64_t mixed;    /* held by some callers, and not by others */
    bool write;
    bool lonely; /* nobody else has the object, as far as we see, but users might call */
};

/* The accesses of one field, in the order of their methods. */
struct belief_tally {
    uint32_t field;
    VECTOR(struct belief_access) accesses;
    VECTOR(term) candidates; /* in beliefs->terms */
};

/* What speaks for one candidate. */
struct belief_evidence {
    uint32_t held_reads, held_writes;
    uint32_t bare_reads, bare_writes;
    uint32_t mixed_reads, mixed_writes;
    uint32_t held_methods, bare_methods;
    uint32_t held_weight, bare_weight; /* accesses of one method count only so much */
    bool in_block;                     /* somewhere it is taken for a part of a method */
    bool late_writes;                  /* not only where objects are set up */
};

struct belief_finding {
    struct belief_break at;
    uint32_t surety;
};

struct belief_search {
    struct beliefs *beliefs;
    const struct checker *checker;
    struct belief_callers callers;
    struct belief_tally **by_field;
    VECTOR(struct belief_finding) findings;
    uint8_t *contents; /* by field: it is final, and what it refers to needs a lock */
    bool *lenders;     /* by class: it has a method that takes a lock and keeps it */
    struct arena scratch;
    bool failed;
};

/* Fills by_field and lenders. */
void belief_census(struct belief_search *search);

/* Whether the access goes without the candidate of that number, and what its callers hold does not
   excuse it. */
bool belief_is_bare(const struct belief_search *search, const struct belief_access *access,
                    uint32_t candidate);

/* Methods that set objects up, or end them, by their names. */
bool belief_is_setup(const struct belief_search *search, uint32_t method);

/* How sure it is that the access is a mistake, 1 to 1000. */
uint32_t belief_surety(const struct belief_search *search, const struct belief_tally *tally,
                       const struct belief_evidence *evidence, const struct belief_access *access,
                       uint32_t candidate);

#endif
