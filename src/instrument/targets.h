/*
 * targets: where the instructions of a method may branch to, and from where.
 */
#ifndef TURNSTILE_INSTRUMENT_TARGETS_H
#define TURNSTILE_INSTRUMENT_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "bytecode/decode.h"

/* How many an instruction may branch to; not the next one, nor handlers. */
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

/* By instruction: the lowest and the highest one that branches to it. The lowest is
   INSTRUCTION_NONE if none does. */
struct target_sources {
    uint32_t *lowest, *highest;
};

/* In the arena. False if memory ran out. */
bool targets_find_sources(struct target_sources *sources, const struct bytecode *bytecode,
                          struct arena *arena);

/* Adds that all instructions of a handler's range may go to the handler. */
void targets_add_handlers(struct target_sources *sources, const struct bytecode *bytecode);

static inline bool targets_is_loop(const struct target_sources *sources, uint32_t instruction)
{
    return sources->lowest[instruction] != INSTRUCTION_NONE &&
           sources->highest[instruction] >= instruction;
}

#endif
