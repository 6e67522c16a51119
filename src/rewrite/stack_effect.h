/*
 * stack_effect: how many operand-stack slots an instruction takes and leaves, without types.
 */
#ifndef TURNSTILE_REWRITE_STACK_EFFECT_H
#define TURNSTILE_REWRITE_STACK_EFFECT_H

#include "bytecode/decode.h"
#include "classfile/class_file.h"

struct stack_effect {
    unsigned pops;   /* slots that must be there, and are gone or moved */
    unsigned pushes; /* slots that are there instead */
};

/* Of an instruction whose constants are in the class's pool and of the right kinds. */
struct stack_effect stack_effect_of(const struct class_file *class_file,
                                    const struct instruction *instruction);

#endif
