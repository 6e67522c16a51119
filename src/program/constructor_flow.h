/*
 * constructor_flow: in which order a constructor or static initializer assigns, reads and reveals.
 *
 * A data-flow analysis of one method. Of each place on the stack and in the locals it knows whether
 * it holds `this`; of each field of the class whether it has been assigned on some path and on
 * every path; and whether other code may have seen the object (or, in a static initializer, may
 * have read the class's static fields). Before `this` is handed out, a value that does not come
 * from local 0 cannot be `this`, so this much is exact where it matters.
 */
#ifndef TURNSTILE_PROGRAM_CONSTRUCTOR_FLOW_H
#define TURNSTILE_PROGRAM_CONSTRUCTOR_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "program/field_facts.h"
#include "program/program.h"

struct constructor_flow {
    const struct program *program;
    struct arena *scratch; /* cleared by whoever calls */
    uint32_t method;
    bool is_static; /* a static initializer: static fields are followed, and there is no `this` */

    /* Whether handing the object under construction to this constructor, by a super(...) or
       this(...) call, shows it to others. */
    bool (*reveals)(void *context, const struct class_file *class_file, uint16_t constant);
    /* Whether this instruction may run code that reads static fields of the class. */
    bool (*runs_readers)(void *context, uint32_t instruction);
    void *context;

    /* Results. */
    uint8_t *verdicts; /* by field of the class: FIELD_UNKNOWN, or the least enum field_fact that
                          counts against it; NULL if only `revealed` is wanted */
    bool revealed;     /* `this` was handed out somewhere */
};

/* False when there is no memory (scratch->failed), or when the code cannot be analysed. */
bool constructor_flow_run(struct constructor_flow *flow);

#endif
