#include "instrument/ways.h"

#include <string.h>

/* Steps, for each instruction of the method, that may be spent on finding what is private. */
enum { WORK_PER_INSTRUCTION = 32 };

/* A loop reaches from an instruction to the last one that branches back to it. Loops that overlap
   instead of being inside each other are taken for what comes out. */
static bool find_loops(struct ways *ways, struct arena *arena)
{
    const uint32_t count = ways->origins->bytecode->count;
    uint32_t *open = ARENA_ARRAY(arena, uint32_t, count);
    uint32_t depth = 0;
    if (!open)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        while (depth && ways->ends[open[depth - 1]] < i)
            depth--;
        if (targets_is_loop(&ways->sources, i)) {
            ways->ends[i] = ways->sources.highest[i];
            open[depth++] = i;
        }
        ways->loops[i] = depth ? open[depth - 1] : INSTRUCTION_NONE;
        ways->depths[i] = depth < UINT8_MAX ? (uint8_t)depth : UINT8_MAX;
    }
    return true;
}

static void find_stores(struct ways *ways)
{
    const struct bytecode *bytecode = ways->origins->bytecode;
    const uint32_t several = bytecode->count;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const int32_t local = origins_stored_local(&bytecode->instructions[i]);
        if (opcode_infos[bytecode->instructions[i].opcode].flow == FLOW_CALL)
            ways->subroutines = true;
        if (local < 0 || local >= bytecode->code->max_locals ||
            origins_operand(ways->origins, i, 0).kind == ORIGIN_NULL)
            continue;
        ways->stores[local] = ways->stores[local] == INSTRUCTION_NONE ? i : several;
    }
    for (uint32_t i = 0; i < bytecode->code->max_locals; i++)
        if (ways->stores[i] == several)
            ways->stores[i] = INSTRUCTION_NONE;
}

bool ways_compute(struct ways *ways, const struct origins *origins, struct arena *arena)
{
    const uint32_t count = origins->bytecode->count;
    const uint32_t locals = origins->bytecode->code->max_locals;
    *ways = (struct ways){.origins = origins, .work = count * WORK_PER_INSTRUCTION};
    ways->depths = ARENA_ARRAY(arena, uint8_t, count);
    ways->loops = ARENA_ARRAY(arena, uint32_t, count);
    ways->ends = ARENA_ARRAY(arena, uint32_t, count);
    ways->stores = ARENA_ARRAY(arena, uint32_t, locals);
    if (!ways->depths || !ways->loops || !ways->ends || !ways->stores)
        return false;
    memset(ways->stores, 0xFF, locals * sizeof *ways->stores);
    if (!targets_find_sources(&ways->sources, origins->bytecode, arena) || !find_loops(ways, arena))
        return false;
    targets_add_handlers(&ways->sources, origins->bytecode);
    find_stores(ways);
    return true;
}

/*
 * A value that has been on the stack since it was made, or in a local on a straight way, came here
 * through the instructions in between, and through no other.
 *
 * A local that is stored once, right after the object was made, holds the object that was made
 * last. It is private from that store up to the first instruction that gives it away, if nobody
 * jumps there from outside: whoever comes from elsewhere may have given it away, and has not passed
 * the store since.
 */
bool ways_is_private_until(struct ways *ways, uint32_t instruction, struct origin object,
                           uint32_t escape)
{
    if (object.kind != ORIGIN_NEW || ways->subroutines)
        return false;
    if (instruction <= object.instruction || instruction >= escape)
        return false;
    if (!object.local)
        return true;
    const uint32_t store = ways->stores[object.slot];
    if (store >= instruction)
        return false;
    const struct origin stored = origins_operand(ways->origins, store, 0);
    if (stored.kind != ORIGIN_NEW || stored.local || stored.instruction != object.instruction ||
        stored.instruction >= store || instruction - store > ways->work)
        return false;
    ways->work -= instruction - store;
    for (uint32_t i = store + 1; i <= instruction; i++)
        if (ways->sources.lowest[i] != INSTRUCTION_NONE &&
            (ways->sources.lowest[i] < store || ways->sources.highest[i] >= escape))
            return false;
    return true;
}

bool ways_is_private(struct ways *ways, uint32_t instruction, struct origin array)
{
    return array.kind == ORIGIN_NEW &&
           ways_is_private_until(ways, instruction, array,
                                 origins_escape(ways->origins, array.instruction));
}
