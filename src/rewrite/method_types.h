/*
 * method_types: the verifier's types in a method, computed when first asked for: most rewritings
 * can do without.
 */
#ifndef TURNSTILE_REWRITE_METHOD_TYPES_H
#define TURNSTILE_REWRITE_METHOD_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/problem.h"
#include "bytecode/flow.h"
#include "bytecode/frames.h"

struct method_types {
    const struct bytecode *bytecode;
    struct arena *arena; /* scratch */
    struct type_table *table;
    struct type_table own_table; /* used when the caller has none */
    struct flow flow;
    struct frames frames;
    bool computed;
    bool owns_table;
};

void method_types_init(struct method_types *types, struct arena *arena,
                       const struct bytecode *bytecode, struct type_table *table);
void method_types_release(struct method_types *types);

/* The frames; NULL with the problem set. */
const struct frames *method_types_frames(struct method_types *types, struct problem *problem);

/* Whether the method is a constructor whose `this` starts uninitialized. */
bool method_types_is_constructor(const struct bytecode *bytecode);

/* The exit_state of each instruction of a constructor (see exits.h), in the scratch arena; NULL
   with the problem set. */
uint8_t *method_types_exit_states(struct method_types *types, struct problem *problem);

#endif
