/*
 * ways: where jumps in a method lead, to answer two questions: which instructions are in loops, and
 * which accesses are to an array, or another object, that was made in this method and that nobody
 * else can know yet.
 */
#ifndef TURNSTILE_INSTRUMENT_WAYS_H
#define TURNSTILE_INSTRUMENT_WAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "instrument/origins.h"
#include "instrument/targets.h"

struct ways {
    const struct origins *origins;
    struct target_sources sources; /* handlers included */
    uint8_t *depths;               /* by instruction: in how many loops it is, up to 255 */
    uint32_t *loops;  /* by instruction: where the innermost loop that it is in starts, or
                         INSTRUCTION_NONE */
    uint32_t *ends;   /* by instruction where a loop starts: the last one in it */
    uint32_t *stores; /* by local: the only instruction that stores a reference to it that is not
                         the constant null; INSTRUCTION_NONE if there is none, or are several */
    uint32_t work;    /* steps that may still be spent on finding what is private */
    bool subroutines; /* it has jsr: nothing is private */
};

/* In the arena. False if memory ran out. */
bool ways_compute(struct ways *ways, const struct origins *origins, struct arena *arena);

/* Whether nobody but the current thread can have seen the array when this instruction is executed.
   `array`: one of its operands. */
bool ways_is_private(struct ways *ways, uint32_t instruction, struct origin array);

/* The same for any object that `escape` is the first instruction to give away. */
bool ways_is_private_until(struct ways *ways, uint32_t instruction, struct origin object,
                           uint32_t escape);

#endif
