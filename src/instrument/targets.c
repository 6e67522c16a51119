#include "instrument/targets.h"

#include <string.h>

static void add(struct target_sources *sources, const struct bytecode *bytecode, uint32_t first,
                uint32_t last, uint32_t target)
{
    if (target >= bytecode->count)
        return;
    if (first < sources->lowest[target])
        sources->lowest[target] = first;
    if (last > sources->highest[target])
        sources->highest[target] = last;
}

bool targets_find_sources(struct target_sources *sources, const struct bytecode *bytecode,
                          struct arena *arena)
{
    const size_t size = (size_t)bytecode->count * sizeof(uint32_t);
    sources->lowest = ARENA_ARRAY(arena, uint32_t, bytecode->count);
    sources->highest = arena_allocate_zeroed(arena, size, alignof(uint32_t));
    if (!sources->lowest || !sources->highest)
        return false;
    memset(sources->lowest, 0xFF, size); /* INSTRUCTION_NONE */
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const uint32_t count = targets_count(bytecode, i);
        for (uint32_t j = 0; j < count; j++)
            add(sources, bytecode, i, i, targets_at(bytecode, i, j));
    }
    return true;
}

void targets_add_handlers(struct target_sources *sources, const struct bytecode *bytecode)
{
    for (uint32_t i = 0; i < bytecode->code->handler_count; i++) {
        const struct handler *handler = &bytecode->handlers[i];
        if (handler->end > handler->start)
            add(sources, bytecode, handler->start, handler->end - 1, handler->handler);
    }
}
