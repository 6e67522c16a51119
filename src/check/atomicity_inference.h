/*
 * atomicity_inference: the atomicity of every method, as the least consistent assignment.
 *
 * Methods start as const; those that call each other are looked at together, callees first, and
 * again whenever something that they call has changed, until nothing does. All steps are monotonic,
 * so that the order makes no difference to the result.
 *
 * requires clauses are not used: what a method needs becomes a condition of its atomicity.
 */
#ifndef TURNSTILE_CHECK_ATOMICITY_INFERENCE_H
#define TURNSTILE_CHECK_ATOMICITY_INFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/builder.h"
#include "base/finding.h"
#include "base/problem.h"
#include "check/atomicity.h"
#include "check/atomicity_code.h"

struct atomicity_inference {
    const struct checker *checker;
    struct arena arena;
    struct arena scratch;
    struct atomicity_table table;
    struct atomicity_facts facts;
    struct atomic_code **codes; /* by application method; NULL: no code */
    atomicity *of;              /* by application method */

    /* Who calls whom among the application's methods: by method, callers and callees. */
    uint32_t *first_caller, *callers; /* callers[i]: a method, with its atom in caller_atoms[i] */
    uint32_t *caller_atoms;

    uint64_t evaluations; /* of methods */
    uint32_t components;  /* sets of methods that call each other */
    uint32_t largest;
};

/* The checker's flows, entry locks and beliefs must be there, and its rules not yet have run. False
   with the problem set when there is no memory. */
bool atomicity_inference_run(struct atomicity_inference *inference, const struct checker *checker,
                             struct problem *problem);
void atomicity_inference_release(struct atomicity_inference *inference);

/* The worst basic atomicity at any call site that is known, or with nothing held if the method may
   be called from elsewhere. `worst_site`: the caller's atom, for explanations, or UINT32_MAX. */
atomicity atomicity_inference_worst(struct atomicity_inference *inference, uint32_t method,
                                    uint32_t *caller, uint32_t *worst_atom);

/* All methods of the application's classes in .locks syntax, as declarations. */
bool atomicity_inference_print(struct atomicity_inference *inference, struct builder *to);

/* What the parameter is called (`this` counts as one, where there is one): as the class file has
   it, or "#2". */
struct text atomicity_inference_parameter(const struct atomicity_inference *inference,
                                          uint32_t method, uint32_t number);

/* Any atomicity in terms of the method's parameters. */
void atomicity_inference_print_one(struct atomicity_inference *inference, uint32_t method,
                                   atomicity number, struct builder *to);

/* The method's atomicity as text, in the inference's arena. */
struct text atomicity_inference_text(struct atomicity_inference *inference, uint32_t method);

#endif
