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

static uint32_t old_size(const struct bytecode *bytecode, uint32_t number)
{
    return bytecode_offset(bytecode, number + 1) - bytecode->instructions[number].offset;
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
    return old_size(layout->bytecode, number);
}

/* What layout does with an instruction; ROLE_BRANCH is a bit of its own, so that it can be counted
   without a decision. Apart from opcode_infos because this is read for every instruction. */
enum role { ROLE_PLAIN = 0, ROLE_BRANCH = 1, ROLE_SPECIAL = 2 };
static const uint8_t roles[256] = {
#define OPCODE(value, id, name, operands, pops, pushes, flow)                                      \
    [value] =                                                                                      \
        FLOW_##flow == FLOW_SWITCH || FLOW_##flow == FLOW_RETURN ? ROLE_SPECIAL                    \
        : OPERANDS_##operands == OPERANDS_BRANCH || OPERANDS_##operands == OPERANDS_BRANCH_WIDE    \
            ? ROLE_BRANCH                                                                          \
            : ROLE_PLAIN,
#include "bytecode/opcodes.def"
#undef OPCODE
};

/* Gives a return, a switch or a widened branch its start, and moves the shift on behind it. False
   if the code becomes too large. */
static bool place_special(struct layout *layout, uint32_t number, uint64_t *shift)
{
    const struct instruction *instruction = &layout->bytecode->instructions[number];
    if (layout_is_return(instruction))
        *shift += layout->plan->returns.length;
    const uint64_t start = instruction->offset + *shift;
    if (start > LAYOUT_LARGEST_CODE)
        return false;
    layout->places[number].start = (uint32_t)start;
    *shift += layout_size(layout, number, (uint32_t)start);
    *shift -= old_size(layout->bytecode, number);
    return true;
}

/* Moves the shift on by the items that replace an instruction or stand after it. Returns the next
   item. */
__attribute__((noinline)) static const struct plan_item *
pass_behind(const struct bytecode *bytecode, uint32_t number, const struct plan_item *item,
            uint64_t *shift)
{
    for (; item->place <= plan_place(number, PLAN_AFTER); item++) {
        *shift += item->length;
        if (item->place == plan_place(number, PLAN_REPLACE))
            *shift -= old_size(bytecode, number);
    }
    return item;
}

/* One pass over the code: adds up by how much everything moves (modulo 2^64, as replacements may be
   shorter). Stops where the return snippets make the code too large: then only body_end means
   something, as it does when it is too large at the end. `widened`: whether some branch is. */
static inline void place_all(struct layout *layout, bool widened)
{
    const struct bytecode *bytecode = layout->bytecode;
    const struct plan *plan = layout->plan;
    const struct plan_item *item = plan->items;
    const struct instruction *instruction = bytecode->instructions;
    const uint32_t count = bytecode->count;
    struct layout_place *place = layout->places;
    uint32_t *branch = layout->branches, *special = layout->specials;
    uint64_t shift = plan->entry.length;
    layout->body_end = LAYOUT_LARGEST_CODE + 1;
    for (uint32_t i = 0; i < count; i++, instruction++, place++) {
        const uint32_t old = instruction->offset;
        const uint8_t role = roles[instruction->opcode];
        place->label = (uint32_t)(old + shift);
        for (; item->place == plan_place(i, PLAN_BEFORE); item++)
            shift += item->length;
        place->start = (uint32_t)(old + shift);
        /* Where the branches are cannot be foreseen, so this does not decide. */
        *branch = i;
        branch += role & ROLE_BRANCH;
        if (role == ROLE_SPECIAL || (widened && layout->widened[i])) {
            *special++ = i;
            if (!place_special(layout, i, &shift))
                return;
        }
        if (item->place <= plan_place(i, PLAN_AFTER))
            item = pass_behind(bytecode, i, item, &shift);
    }
    if (bytecode->code->length + shift > LAYOUT_LARGEST_CODE)
        return;
    layout->branch_count = (uint32_t)(branch - layout->branches);
    layout->special_count = (uint32_t)(special - layout->specials);
    layout->body_end = (uint32_t)(bytecode->code->length + shift);
    place->label = layout->body_end;
}

static bool is_short_branch(const struct instruction *instruction)
{
    return opcode_infos[instruction->opcode].operands == OPERANDS_BRANCH;
}

static bool is_too_far(const struct layout *layout, uint32_t number)
{
    uint32_t target = layout->bytecode->instructions[number].target;
    int64_t distance = (int64_t)layout->places[target].label - layout->places[number].start;
    return distance < INT16_MIN || distance > INT16_MAX;
}

/* Widens what does not fit. True if there was something. (A replaced instruction is no branch.) */
static bool widen(struct layout *layout)
{
    bool any = false;
    for (uint32_t i = 0; i < layout->branch_count; i++) {
        uint32_t number = layout->branches[i];
        const struct instruction *instruction = &layout->bytecode->instructions[number];
        if (!is_short_branch(instruction) || layout->widened[number] || !is_too_far(layout, number))
            continue;
        layout->widened[number] = true;
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
    const size_t count = bytecode->count; /* at most 65,535 */
    layout->places =
        arena_allocate(arena, (count + 1) * sizeof *layout->places, alignof(struct layout_place));
    /* One more: see place_all, which writes before it knows. */
    uint32_t *numbers = arena_allocate(arena, (2 * count + 1) * sizeof *numbers, alignof(uint32_t));
    if (!layout->places || !numbers)
        return false;
    layout->specials = numbers;
    layout->branches = numbers + count;
    if (plan->length > LAYOUT_LARGEST_CODE) {
        layout->body_end = LAYOUT_LARGEST_CODE + 1;
        return true;
    }
    place_all(layout, false);
    if (layout->body_end <= SAFE_LENGTH || layout->body_end > LAYOUT_LARGEST_CODE)
        return true;
    layout->widened = arena_allocate_zeroed(arena, bytecode->count, alignof(bool));
    if (!layout->widened)
        return false;
    while (layout->body_end <= LAYOUT_LARGEST_CODE && widen(layout))
        place_all(layout, true);
    return true;
}

const struct code_image *layout_replacement(const struct layout *layout, uint32_t number)
{
    const struct plan *plan = layout->plan;
    const uint32_t place = plan_place(number, PLAN_REPLACE);
    if (!plan->replaces)
        return NULL;
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
        return layout->places[number].start;
    return layout->places[number].start +
           code_image_find(image, &layout->bytecode->instructions[number]);
}
