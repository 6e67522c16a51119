/*
 * owners: the owner arguments of the types of a method's values.
 *
 * Declared types have owners (`TNode<thisOwner$this, TOwner> head`); locals, temporaries and
 * allocations mostly do not, so theirs are inferred inside the method: every value of a class with
 * formals has a list of owners, unknown ones are variables, and wherever a value goes to a declared
 * place (field, parameter, result) its owners and the declared ones must be equal. Solved by
 * union-find; what contradicts is an owner mismatch. What nothing speaks of is taken to stay with
 * the thread. What a body captures has the owners that it has outside (captures.h).
 *
 * A value of a class without formals may have one special owner: self, thisThread, unique or
 * readonly.
 */
#ifndef TURNSTILE_CHECK_OWNERS_H
#define TURNSTILE_CHECK_OWNERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vector.h"
#include "flow/method_flow.h"
#include "locktypes/lock_types.h"

struct checker;
struct method_check;

/* Two lists that should be equal and are not. */
struct owner_mismatch {
    uint32_t event;    /* number */
    uint32_t argument; /* of a call: number of the parameter; else UINT32_MAX */
    term wanted, found;
    uint32_t position; /* in the lists */
};

/* The owners of one value's type. */
struct owner_list {
    struct term_list owners; /* in the flow's terms */
    uint32_t class_id;       /* whose formals they are for */
    bool known;              /* has been looked for */
    bool declared;           /* somebody wrote them */
};

struct owners {
    struct owner_list *by_term; /* by_count entries */
    uint32_t by_count;
    struct term_list *by_call; /* by event: owners_of_call; NULL before the first */
    bool inert;                /* the program declares no owners at all */
    term local;      /* thisThread, once what stays unknown is settled; TERM_NONE before */
    term *variables; /* what each TERM_OWNER is bound to; TERM_NONE: free */
    uint32_t variable_count, variable_capacity;
    VECTOR(struct owner_mismatch) mismatches;
};

/* Infers for all values of check->flow. Cheap when the program declares no formals and no owners.
   False when there is no memory. */
bool owners_infer(struct method_check *check);
void owners_release(struct owners *owners);

/* The owners of a value's type, seen as the given class (its own or a superclass); unknown ones are
   thisThread. Count 0: the class has no formals and no owner is known. */
struct term_list owners_of(struct method_check *check, term value, uint32_t class_id);

/* Whether the value's owners were written somewhere, and not inferred or taken for granted. */
bool owners_is_declared(const struct owners *owners, term value);

/* What the callee's own formals (those that only its parameter types name) are at a call, which
   must be one of the flow's events; none otherwise. */
struct term_list owners_of_call(struct method_check *check, const struct flow_event *call);

/* The class that a descriptor names, and that of a method's parameter (`this` does not count);
   PROGRAM_NONE: none. */
uint32_t owners_class_of(const struct program *program, struct text descriptor);
uint32_t owners_parameter_class(const struct program *program, uint32_t method, uint32_t number);

/* What a term that is an owner variable stands for; others as they are. */
term owners_resolve(const struct owners *owners, struct term_table *terms, term owner);

#endif
