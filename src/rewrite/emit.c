#include "rewrite/emit.h"

#include <string.h>

#include "base/writer.h"

/* Most pieces are a few bytes long: a call of memcpy would cost more than the copy. */
static inline uint8_t *copy(uint8_t *to, const uint8_t *from, uint32_t length)
{
    if (length > 16) {
        memcpy(to, from, length);
        return to + length;
    }
    for (uint32_t i = 0; i < length; i++)
        to[i] = from[i];
    return to + length;
}

static uint8_t *emit_images(uint8_t *to, const struct plan_images *images)
{
    for (uint32_t i = 0; i < images->count; i++)
        to = copy(to, images->items[i]->bytes, images->items[i]->length);
    return to;
}

static uint32_t distance(const struct layout *layout, uint32_t from_offset, uint32_t target)
{
    return layout->labels[target] - from_offset;
}

static uint8_t *emit_switch(uint8_t *to, const struct layout *layout,
                            const struct instruction *instruction, uint32_t offset)
{
    const struct switch_table *table = &layout->bytecode->switches[instruction->target];
    uint32_t padding = 3 - offset % 4;
    *to++ = instruction->opcode;
    memset(to, 0, padding);
    to += padding;
    writer_store_u4(to, distance(layout, offset, table->default_target));
    to += 4;
    if (instruction->opcode == OP_TABLESWITCH) {
        writer_store_u4(to, (uint32_t)table->low);
        writer_store_u4(to + 4, (uint32_t)table->low + table->count - 1);
        to += 8;
    } else {
        writer_store_u4(to, table->count);
        to += 4;
    }
    for (uint32_t i = 0; i < table->count; i++) {
        if (table->keys) {
            writer_store_u4(to, (uint32_t)table->keys[i]);
            to += 4;
        }
        writer_store_u4(to, distance(layout, offset, table->targets[i]));
        to += 4;
    }
    return to;
}

static uint8_t *emit_wide(uint8_t *to, uint8_t opcode, uint32_t bytes)
{
    *to++ = opcode;
    writer_store_u4(to, bytes);
    return to + 4;
}

static uint8_t *emit_branch(uint8_t *to, const struct layout *layout, uint32_t number)
{
    const struct instruction *instruction = &layout->bytecode->instructions[number];
    uint32_t offset = layout->starts[number];
    uint32_t target = instruction->target;
    if (!layout_is_widened(layout, number)) {
        *to = instruction->opcode;
        writer_store_u2(to + 1, (uint16_t)distance(layout, offset, target));
        return to + 3;
    }
    if (instruction->opcode == OP_GOTO)
        return emit_wide(to, OP_GOTO_W, distance(layout, offset, target));
    if (instruction->opcode == OP_JSR)
        return emit_wide(to, OP_JSR_W, distance(layout, offset, target));
    *to = (uint8_t)opcode_inverted((enum opcode)instruction->opcode);
    writer_store_u2(to + 1, LAYOUT_WIDENED_CONDITION);
    return emit_wide(to + 3, OP_GOTO_W, distance(layout, offset + 3, target));
}

static uint8_t *emit_instruction(uint8_t *to, const struct layout *layout, uint32_t number)
{
    const struct bytecode *bytecode = layout->bytecode;
    const struct instruction *instruction = &bytecode->instructions[number];
    switch (opcode_infos[instruction->opcode].operands) {
    case OPERANDS_BRANCH:
        return emit_branch(to, layout, number);
    case OPERANDS_BRANCH_WIDE:
        return emit_wide(to, instruction->opcode,
                         distance(layout, layout->starts[number], instruction->target));
    case OPERANDS_TABLE_SWITCH:
    case OPERANDS_LOOKUP_SWITCH:
        return emit_switch(to, layout, instruction, layout->starts[number]);
    default:
        return copy(to, bytecode->code->bytes + instruction->offset,
                    bytecode_offset(bytecode, number + 1) - instruction->offset);
    }
}

void emit_code(uint8_t *to, const struct layout *layout, const struct exits *exits)
{
    const struct bytecode *bytecode = layout->bytecode;
    const struct plan *plan = layout->plan;
    const struct plan_item *item = plan->items;
    const struct plan_item *end = item ? item + plan->item_count : NULL;
    to = emit_images(to, &plan->entry);
    for (uint32_t i = 0; i < bytecode->count; i++) {
        for (; item != end && item->place == plan_place(i, PLAN_BEFORE); item++)
            to = copy(to, item->image->bytes, item->image->length);
        if (plan->returns.count && layout_is_return(&bytecode->instructions[i]))
            to = emit_images(to, &plan->returns);
        if (item != end && item->place == plan_place(i, PLAN_REPLACE)) {
            to = copy(to, item->image->bytes, item->image->length);
            item++;
        } else {
            to = emit_instruction(to, layout, i);
        }
        for (; item != end && item->place == plan_place(i, PLAN_AFTER); item++)
            to = copy(to, item->image->bytes, item->image->length);
    }
    for (int state = 0; state < EXIT_STATE_COUNT; state++)
        if (exits->used[state]) {
            to = emit_images(to, &plan->throws);
            *to++ = OP_ATHROW;
        }
}
