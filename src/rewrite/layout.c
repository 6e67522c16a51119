#include "rewrite/layout.h"

#include <string.h>

/* Distances in code of at most this length fit into a branch, whatever they are. */
#define SAFE_LENGTH ((uint32_t)INT16_MAX)

static uint32_t switch_size(const struct layout *layout, const struct instruction *instruction,
                            uint32_t offset)
{
    const struct switch_table *table = &layout->bytecode->switches[instruction->target];
    uint32_t padding = 3 - offset % 4;
    return instruction->opcode == OP_TABLESWITCH ? 1 + padding + 12 + 4 * table->count
                                                 : 1 + padding + 8 + 8 * table->count;
}

uint32_t layout_size(const struct layout *layout, uint32_t number, uint32_t offset)
{
    const struct instruction *instruction = &layout->bytecode->instructions[number];
    uint8_t opcode = instruction->opcode;
    if (opcode == OP_TABLESWITCH || opcode == OP_LOOKUPSWITCH)
        return switch_size(layout, instruction, offset);
    if (layout_is_widened(layout, number))
        return opcode == OP_GOTO || opcode == OP_JSR ? LAYOUT_WIDENED_GOTO
                                                     : LAYOUT_WIDENED_CONDITION;
    return bytecode_offset(layout->bytecode, number + 1) - instruction->offset;
}

/* One pass over the code with what is widened so far. Stops where the code has become too large:
   then only body_end means something. */
static void place_all(struct layout *layout)
{
    const struct bytecode *bytecode = layout->bytecode;
    const struct plan *plan = layout->plan;
    const struct plan_item *item = plan->items;
    const struct plan_item *end = item ? item + plan->item_count : NULL;
    uint32_t offset = plan->entry.length;
    for (uint32_t i = 0; i < bytecode->count && offset <= LAYOUT_LARGEST_CODE; i++) {
        layout->labels[i] = offset;
        for (; item != end && item->place == plan_place(i, PLAN_BEFORE); item++)
            offset += item->image->length;
        if (layout_is_return(&bytecode->instructions[i]))
            offset += plan->returns.length;
        layout->starts[i] = offset;
        if (item != end && item->place == plan_place(i, PLAN_REPLACE))
            offset += item++->image->length;
        else
            offset += layout_size(layout, i, offset);
        for (; item != end && item->place == plan_place(i, PLAN_AFTER); item++)
            offset += item->image->length;
    }
    layout->labels[bytecode->count] = offset;
    layout->body_end = offset;
}

static bool is_short_branch(const struct instruction *instruction)
{
    return opcode_infos[instruction->opcode].operands == OPERANDS_BRANCH;
}

static bool is_too_far(const struct layout *layout, uint32_t number)
{
    uint32_t target = layout->bytecode->instructions[number].target;
    int64_t distance = (int64_t)layout->labels[target] - layout->starts[number];
    return distance < INT16_MIN || distance > INT16_MAX;
}

/* Widens what does not fit. True if there was something. (A replaced instruction is no branch.) */
static bool widen(struct layout *layout)
{
    bool any = false;
    for (uint32_t i = 0; i < layout->bytecode->count; i++) {
        const struct instruction *instruction = &layout->bytecode->instructions[i];
        if (!is_short_branch(instruction) || layout->widened[i] || !is_too_far(layout, i))
            continue;
        layout->widened[i] = true;
        any = true;
        if (opcode_infos[instruction->opcode].flow == FLOW_BRANCH)
            layout->conditions_widened = true;
    }
    return any;
}

bool layout_compute(struct layout *layout, struct arena *arena, const struct bytecode *bytecode,
                    const struct plan *plan)
{
    *layout = (struct layout){.bytecode = bytecode, .plan = plan};
    layout->labels = ARENA_ARRAY(arena, uint32_t, (size_t)bytecode->count + 1);
    layout->starts = ARENA_ARRAY(arena, uint32_t, bytecode->count);
    if (!layout->labels || !layout->starts)
        return false;
    if (plan->length > LAYOUT_LARGEST_CODE) {
        layout->body_end = LAYOUT_LARGEST_CODE + 1;
        return true;
    }
    place_all(layout);
    if (layout->body_end <= SAFE_LENGTH || layout->body_end > LAYOUT_LARGEST_CODE)
        return true;
    layout->widened = arena_allocate_zeroed(arena, bytecode->count, alignof(bool));
    if (!layout->widened)
        return false;
    while (layout->body_end <= LAYOUT_LARGEST_CODE && widen(layout))
        place_all(layout);
    return true;
}

const struct code_image *layout_replacement(const struct layout *layout, uint32_t number)
{
    const struct plan *plan = layout->plan;
    const uint32_t place = plan_place(number, PLAN_REPLACE);
    uint32_t low = 0, high = plan->item_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (plan->items[middle].place < place)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < plan->item_count && plan->items[low].place == place;
    return found ? plan->items[low].image : NULL;
}

uint32_t layout_site(const struct layout *layout, uint32_t number)
{
    const struct code_image *image = layout_replacement(layout, number);
    if (!image)
        return layout->starts[number];
    return layout->starts[number] + code_image_find(image, &layout->bytecode->instructions[number]);
}
