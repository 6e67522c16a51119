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

/* Apart from opcode_infos because this is read for every instruction, and smaller. */
enum role { ROLE_PLAIN, ROLE_BRANCH, ROLE_SPECIAL };
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

/* By how much a special instruction at that offset is longer than it was. */
static uint32_t grown_by(const struct layout *layout, uint32_t number, uint32_t offset)
{
    return layout_size(layout, number, offset) - old_size(layout->bytecode, number);
}

/* One pass over the code with what is widened so far: adds up by how much everything moves (modulo
   2^32, as replacements may be shorter). Stops where the return snippets make the code too large:
   then only body_end means something. The rest cannot overflow: see layout_compute. */
static void place_all(struct layout *layout)
{
    const struct bytecode *bytecode = layout->bytecode;
    const struct plan *plan = layout->plan;
    const struct plan_item *item = plan->items;
    const uint32_t count = bytecode->count;
    uint32_t *const labels = layout->labels, *const starts = layout->starts;
    uint32_t *const branches = layout->branches;
    uint32_t branch_count = 0, special_count = 0;
    uint32_t shift = plan->entry.length;
    for (uint32_t i = 0; i < count; i++) {
        const struct instruction *instruction = &bytecode->instructions[i];
        const uint32_t old = instruction->offset;
        const uint8_t role = roles[instruction->opcode];
        uint32_t growth = 0;
        labels[i] = old + shift;
        for (; item->place == plan_place(i, PLAN_BEFORE); item++)
            shift += item->length;
        /* Where the branches are cannot be foreseen, so this does not decide. */
        branches[branch_count] = i;
        branch_count += role == ROLE_BRANCH;
        if (role == ROLE_SPECIAL || layout_is_widened(layout, i)) {
            layout->specials[special_count++] = i;
            if (layout_is_return(instruction))
                shift += plan->returns.length;
            if (old + shift > LAYOUT_LARGEST_CODE) {
                layout->body_end = LAYOUT_LARGEST_CODE + 1;
                return;
            }
            growth = grown_by(layout, i, old + shift);
        }
        starts[i] = old + shift;
        shift += growth;
        for (; item->place <= plan_place(i, PLAN_AFTER); item++)
            shift += item->length -
                     (item->place == plan_place(i, PLAN_REPLACE) ? old_size(bytecode, i) : 0);
    }
    layout->branch_count = branch_count;
    layout->special_count = special_count;
    layout->body_end = bytecode->code->length + shift;
    layout->labels[count] = layout->body_end;
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
    uint32_t *numbers = ARENA_ARRAY(arena, uint32_t, (size_t)bytecode->count * 4 + 1);
    if (!numbers)
        return false;
    layout->starts = numbers;
    layout->branches = numbers + bytecode->count;
    layout->specials = numbers + (size_t)bytecode->count * 2;
    layout->labels = numbers + (size_t)bytecode->count * 3;
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
        return layout->starts[number];
    return layout->starts[number] + code_image_find(image, &layout->bytecode->instructions[number]);
}
