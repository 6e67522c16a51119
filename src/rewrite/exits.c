#include "rewrite/exits.h"

#include <string.h>

/* ---- constructors ---- */

static void limit(uint32_t *first, uint32_t number)
{
    if (number < *first)
        *first = number;
}

static void limit_by_switch(uint32_t *first, const struct switch_table *table)
{
    limit(first, table->default_target);
    for (uint32_t i = 0; i < table->count; i++)
        limit(first, table->targets[i]);
}

/* The lowest instruction that is reached in another way than from the one before it, or from which
   exceptions lead elsewhere. */
static uint32_t first_target(const struct bytecode *bytecode)
{
    uint32_t first = bytecode->count;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const struct instruction *instruction = &bytecode->instructions[i];
        unsigned operands = opcode_infos[instruction->opcode].operands;
        if (operands == OPERANDS_BRANCH || operands == OPERANDS_BRANCH_WIDE)
            limit(&first, instruction->target);
        else if (operands == OPERANDS_TABLE_SWITCH || operands == OPERANDS_LOOKUP_SWITCH)
            limit_by_switch(&first, &bytecode->switches[instruction->target]);
    }
    for (uint32_t i = 0; i < bytecode->code->handler_count; i++) {
        limit(&first, bytecode->handlers[i].start);
        limit(&first, bytecode->handlers[i].handler);
    }
    return first;
}

uint32_t exits_simple_call(const struct bytecode *bytecode)
{
    uint32_t end = first_target(bytecode);
    for (uint32_t i = 0; i < end; i++) {
        const struct instruction *instruction = &bytecode->instructions[i];
        if (opcode_infos[instruction->opcode].flow != FLOW_NEXT || instruction->opcode == OP_NEW)
            break;
        if (instruction->opcode != OP_INVOKESPECIAL)
            continue;
        struct member_reference called =
            class_member_reference(bytecode->class_file, instruction->operand);
        if (text_equal(called.name, TEXT("<init>")))
            return i;
    }
    return INSTRUCTION_NONE;
}

/* ---- ranges ---- */

enum { CALL_SIZE = 3 }; /* invokespecial */

struct range_list {
    struct exits *exits;
    struct arena *arena;
    uint32_t capacity;
};

static bool add_range(struct range_list *list, uint32_t start, uint32_t end, enum exit_state state)
{
    struct exits *exits = list->exits;
    if (start == end)
        return true;
    exits->used[state] = true;
    if (exits->count) {
        struct exit_range *last = &exits->ranges[exits->count - 1];
        if (last->end == start && last->state == state) {
            last->end = end;
            return true;
        }
    }
    if (exits->count == list->capacity) {
        uint32_t capacity = list->capacity ? list->capacity * 2 : 8;
        struct exit_range *ranges = ARENA_ARRAY(list->arena, struct exit_range, capacity);
        if (!ranges)
            return false;
        if (exits->count)
            memcpy(ranges, exits->ranges, exits->count * sizeof *ranges);
        exits->ranges = ranges;
        list->capacity = capacity;
    }
    exits->ranges[exits->count++] = (struct exit_range){start, end, state};
    return true;
}

static bool cover(struct range_list *list, const struct layout *layout, uint32_t number,
                  enum exit_state state)
{
    const struct instruction *instruction = &layout->bytecode->instructions[number];
    uint32_t start = layout->places[number].label, end = layout->places[number + 1].label;
    if (layout_is_return(instruction))
        return add_range(list, start, layout->places[number].start - layout->plan->returns.length,
                         state);
    if (state != EXIT_CONSTRUCTS)
        return add_range(list, start, end, state);
    uint32_t call = layout_site(layout, number), call_end = call + CALL_SIZE;
    const struct code_image *image = layout_replacement(layout, number);
    if (image && image->bytes[call - layout->places[number].start] != OP_INVOKESPECIAL)
        call = call_end = layout->places[number].start + image->length; /* the call is gone */
    return add_range(list, start, call, EXIT_UNINITIALIZED) &&
           add_range(list, call_end, end, EXIT_INITIALIZED);
}

static bool place_detours(struct exits *exits, struct arena *arena, const struct plan *plan)
{
    if (!plan->detour_count)
        return true;
    exits->detours = ARENA_ARRAY(arena, uint32_t, plan->detour_count);
    if (!exits->detours)
        return false;
    for (uint32_t i = 0; i < plan->detour_count; i++) {
        exits->detours[i] = exits->code_end;
        exits->code_end += plan->detours[i].images.length + 1; /* and athrow */
    }
    return true;
}

bool exits_compute(struct exits *exits, struct arena *arena, const struct layout *layout,
                   const uint8_t *states)
{
    memset(exits, 0, sizeof *exits);
    exits->code_end = layout->body_end;
    if (!layout->plan->throws.count)
        return place_detours(exits, arena, layout->plan);
    struct range_list list = {.exits = exits, .arena = arena};
    for (uint32_t i = 0; i < layout->bytecode->count; i++)
        if (!cover(&list, layout, i, states ? (enum exit_state)states[i] : EXIT_INITIALIZED))
            return false;
    for (int state = 0; state < EXIT_STATE_COUNT; state++)
        if (exits->used[state]) {
            exits->handlers[state] = exits->code_end;
            exits->code_end += layout->plan->throws.length + 1; /* and athrow */
        }
    return place_detours(exits, arena, layout->plan);
}
