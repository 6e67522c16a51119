/*
 * targets: the instructions that one instruction may branch to; not the next one, nor handlers.
 */
#ifndef TURNSTILE_INSTRUMENT_TARGETS_H
#define TURNSTILE_INSTRUMENT_TARGETS_H

#include <stdint.h>

#include "bytecode/decode.h"

static inline uint32_t targets_count(const struct bytecode *bytecode, uint32_t number)
{
    const struct instruction *instruction = &bytecode->instructions[number];
    switch (opcode_infos[instruction->opcode].flow) {
    case FLOW_BRANCH:
    case FLOW_GOTO:
    case FLOW_CALL:
        return 1;
    case FLOW_SWITCH:
        return bytecode->switches[instruction->target].count + 1;
    default:
        return 0;
    }
}

/* `which`: below the count. */
static inline uint32_t targets_at(const struct bytecode *bytecode, uint32_t number, uint32_t which)
{
    const struct instruction *instruction = &bytecode->instructions[number];
    if (opcode_infos[instruction->opcode].flow != FLOW_SWITCH)
        return instruction->target;
    const struct switch_table *table = &bytecode->switches[instruction->target];
    return which ? table->targets[which - 1] : table->default_target;
}

#endif
