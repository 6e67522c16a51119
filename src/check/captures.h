/*
 * captures: the owners of what the bodies of lambdas and the methods of local and anonymous classes
 * (and of those inside them) have from the variables around them.
 *
 * A compiler hands captured values on in ways that nobody can declare owners for: as parameters of
 * the lambda's body, and as parameters of the constructor, which stores them in fields (`val$x`).
 * They have the owners of the captured values in the method that makes the function or object, said
 * in the body's terms. If another thread may run the body, then thisThread of the maker is
 * otherThread there (the papers' rule for fork). An outer instance has the formals of its class as
 * owners: they are not known in the inner class, but always the same.
 *
 * Where a body is made in several places that differ, nothing is known.
 *
 * Found by one thread before the rules; constant from then on. The flows are not changed.
 */
#ifndef TURNSTILE_CHECK_CAPTURES_H
#define TURNSTILE_CHECK_CAPTURES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/intmap.h"
#include "base/problem.h"
#include "locktypes/lock_types.h"
#include "locktypes/terms.h"

struct checker;

/* Owners of the type of a parameter or field, in terms of the method's parameters, or of the
   field's object (parameter 0). */
struct captured {
    struct term_list owners;
    bool declared; /* somebody wrote them */
    bool disputed; /* they are not the same wherever the body is made */
    struct captured *next;
};

struct captures {
    struct arena arena;
    struct term_table terms;
    struct intmap by_parameter; /* method << 32 | parameter to a struct captured * */
    struct intmap by_field;     /* field_key to the same */
    struct intmap numbers;      /* of owners that have no name where they are used */
    struct captured *all;
};

/* The checker's flows and entry locks must be there. False with the problem set when there is no
   memory. */
bool captures_find(struct captures *captures, const struct checker *checker,
                   struct problem *problem);
void captures_release(struct captures *captures);

/* NULL: it is not captured, or nothing is known of its owners. */
const struct captured *captures_parameter(const struct captures *captures, uint32_t method,
                                          uint32_t number);
/* `constructing`: for the constructors of the field's class, which the maker's thread runs. */
const struct captured *captures_field(const struct captures *captures, uint32_t field,
                                      bool constructing);

/* The owners as terms of another table, in the arena. `object` is what parameter 0 stands for;
   TERM_NONE: parameters stand for themselves. */
struct term_list captures_bring(const struct captures *captures, const struct captured *captured,
                                term object, struct term_table *to, struct arena *arena);

#endif
