/*
 * origins: where the values on the operand stack come from, as far as the code shows.
 *
 * It is for names in reports, for telling `this`, and for knowing that two instructions use the
 * same array; nothing that must be right for the program depends on it: who loads a value again
 * from its local must make sure of its type there. One pass over the method,
 * in the order of the code. Stacks are followed along the code and over branches ahead; where a
 * branch comes back, and at handlers, nothing is known. A local holds what was stored last, as long
 * as the ways that meet do not differ in that; else it has an origin if all stores of references to
 * it in the method agree. A null that is stored agrees with everything, and a cast changes nothing.
 */
#ifndef TURNSTILE_INSTRUMENT_ORIGINS_H
#define TURNSTILE_INSTRUMENT_ORIGINS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "bytecode/decode.h"
#include "classfile/class_file.h"

enum origin_kind {
    ORIGIN_UNKNOWN,
    ORIGIN_THIS,    /* the method's own object */
    ORIGIN_FIELD,   /* getfield: `constant` */
    ORIGIN_STATIC,  /* getstatic: `constant` */
    ORIGIN_ELEMENT, /* an element, at any depth, of an array that came from a field or static:
                       `constant` */
    ORIGIN_NEW,     /* made here: `instruction` is the new, newarray, anewarray, multianewarray */
    ORIGIN_RESULT,  /* of a call: `instruction` */
    ORIGIN_NULL,    /* the constant */
};

struct origin {
    uint8_t kind; /* enum origin_kind */
    bool local;   /* it was loaded from `slot`, whatever is known beyond that */
    uint16_t slot;
    uint16_t constant;    /* field constant: of FIELD, STATIC and ELEMENT */
    uint32_t loaded;      /* the instruction that loaded it from `slot`, if it is the same on all
                             ways; else INSTRUCTION_NONE */
    uint32_t instruction; /* NEW, RESULT: that made it; FIELD, STATIC, ELEMENT: one that got it from
                             there; else that pushed it, or INSTRUCTION_NONE */
};

struct origins {
    const struct bytecode *bytecode;
    struct origin *operands; /* of the instructions that matter: all slots that they take, the top
                                first, as far down as anything is known */
    uint32_t *first;         /* by instruction, the end included: where its operands start */
    uint32_t *escapes;       /* see origins_escape; NULL if that was not asked for */
    uint32_t this_lost;      /* the first instruction after which `this` is lost from sight among
                                others; INSTRUCTION_NONE: there is none, or it was not asked for */
};

/* Whether the operands of such an instruction are kept: those that use a reference for more than
   moving or comparing it. They are loads and stores of elements, accesses of fields, calls,
   arraylength, monitorenter and -exit, areturn, athrow, and stores of references to locals. */
bool origins_keeps(enum opcode opcode);

/* The local that the instruction stores a reference to, or -1. */
int32_t origins_stored_local(const struct instruction *instruction);

/* In the arena. `objects`: also where objects are lost from sight, and `this`. False if memory ran
   out. */
bool origins_compute(struct origins *origins, const struct bytecode *bytecode, bool is_static,
                     bool objects, struct arena *arena);

/* Of an instruction that makes an array: the first one behind it, in the order of the code, that
   passes, stores, returns or throws an array made there, or after which it is lost from sight among
   others. As long as none of that was executed nobody else can know the array. INSTRUCTION_NONE if
   there is none. Of one that makes another object, if it was asked for: only where that is lost. */
uint32_t origins_escape(const struct origins *origins, uint32_t maker);

/* Of the value `depth` slots below the top of the stack before the instruction (0: the top; for a
   long or double either slot). Unknown if the instruction does not take it or does not matter. */
struct origin origins_operand(const struct origins *origins, uint32_t instruction, unsigned depth);

#endif
