/*
 * flow: basic blocks of one method and the edges between them.
 *
 * A block starts at the method's entry, at a branch target, at a handler, at the start or end of a
 * handler's range, and behind an instruction that does not just go on to the next. So all
 * instructions of a block are protected by the same handlers.
 */
#ifndef TURNSTILE_BYTECODE_FLOW_H
#define TURNSTILE_BYTECODE_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/problem.h"
#include "bytecode/decode.h"

struct block {
    uint32_t first, end;        /* instruction numbers, end excluded */
    const uint32_t *successors; /* block numbers, without exception edges, each once */
    const uint32_t *handlers;   /* handler blocks that an exception in this block may reach, in the
                                   order of the table, each once */
    uint32_t successor_count;
    uint32_t handler_count;
    bool reachable; /* from the entry, over both kinds of edges */
};

struct flow {
    const struct bytecode *bytecode;
    struct block *blocks; /* in code order; block 0 is the entry */
    uint32_t count;
    const uint32_t *block_of; /* by instruction number */
};

/* A `ret` has as successors the blocks behind every jsr that can be executed and whose subroutine
   can reach it. False if memory ran out, or the method has millions of edges, which only files that
   are made to exhaust their reader have. */
bool flow_build(struct flow *flow, struct arena *arena, const struct bytecode *bytecode);

/* Sets the problem to why flow_build with that arena returned false. */
void flow_explain(const struct arena *arena, struct problem *problem);

#endif
