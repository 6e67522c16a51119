#include "rewrite/layout.h"

#include "rewrite/emit.h"

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
    return bytecode->instructions[number + 1].offset - bytecode->instructions[number].offset;
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
    const struct bytecode *bytecode = layout->bytecode;
    for (uint32_t i = 0; i < bytecode->branch_count; i++) {
        uint32_t number = bytecode->branches[i];
        const struct instruction *instruction = &bytecode->instructions[number];
        if (!is_short_branch(instruction) || layout->widened[number] || !is_too_far(layout, number))
            continue;
        layout->widened[number] = true;
        any = true;
        if (opcode_infos[instruction->opcode].flow == FLOW_BRANCH)
            layout->conditions_widened = true;
    }
    return any;
}

/* No body that fits is longer than this. */
static uint32_t most_room(const struct bytecode *bytecode, const struct plan *plan)
{
    enum { MOST_PADDING = 3, MOST_WIDENING = LAYOUT_WIDENED_CONDITION - 3 };
    /* A little more than that, so that emit_body need not be careful before the last bytes. */
    enum { MARGIN = 4 * CODE_IMAGE_PIECE };
    uint64_t most = MARGIN + plan->entry.length + (uint64_t)plan->longest * plan->item_count +
                    bytecode->code->length + (uint64_t)plan->returns.length * bytecode->count +
                    MOST_PADDING * (uint64_t)bytecode->switch_count;
    if (most > SAFE_LENGTH)
        most += MOST_WIDENING * (uint64_t)bytecode->branch_count;
    return most < LAYOUT_LARGEST_CODE ? (uint32_t)most : LAYOUT_LARGEST_CODE;
}

/* Writes the body, again and again until no branch must be widened any more. False if memory ran
   out. */
static bool place_all(struct layout *layout, struct arena *arena)
{
    emit_body(layout);
    if (layout->body_end <= SAFE_LENGTH || layout->body_end > LAYOUT_LARGEST_CODE)
        return true;
    layout->widened = arena_allocate_zeroed(arena, layout->bytecode->count, alignof(bool));
    if (!layout->widened)
        return false;
    while (layout->body_end <= LAYOUT_LARGEST_CODE && widen(layout))
        emit_body(layout);
    return true;
}

bool layout_compute(struct layout *layout, struct arena *arena, const struct bytecode *bytecode,
                    const struct plan *plan)
{
    *layout = (struct layout){.bytecode = bytecode, .plan = plan};
    if (plan->length > LAYOUT_LARGEST_CODE) {
        layout->body_end = LAYOUT_LARGEST_CODE + 1;
        return true;
    }
    struct arena *class_arena = bytecode->class_file->arena;
    const size_t room = most_room(bytecode, plan);
    const size_t behind = emit_room_behind(plan);
    layout->room = (uint32_t)room;
    layout->places =
        ARENA_ARRAY(arena, struct layout_place, (size_t)bytecode->count + 1); /* at most 65,536 */
    layout->code = ARENA_ARRAY(class_arena, uint8_t, room + behind);
    if (!layout->places || !layout->code || !place_all(layout, arena))
        return false;
    const size_t used = layout->body_end <= LAYOUT_LARGEST_CODE ? layout->body_end + behind : 0;
    arena_shrink(class_arena, layout->code, used, room + behind);
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
