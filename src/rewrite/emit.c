#include "rewrite/emit.h"

#include <string.h>

#include "base/writer.h"

/*
 * The old bytes are copied in runs from one insertion to the next, and the distances in branches
 * are put right at the end. Most runs and images are a few bytes long, so a whole piece is copied
 * where that is enough: what is too much is overwritten by what follows, and behind the last there
 * is room for it. That needs no call, and no decision that the processor cannot foresee.
 */
enum { PIECE = CODE_IMAGE_PIECE };

struct emission {
    const struct layout *layout;
    uint8_t *to;         /* where the next byte goes */
    const uint8_t *old;  /* the old code */
    uint32_t copied;     /* bytes of it that are done */
    uint32_t tail_start; /* from here on a piece is read from the tail instead */
    const uint8_t *tail; /* the last bytes of the old code, with room behind them */
};

/* Fills the tail, which has room for two pieces. */
static struct emission start(const struct layout *layout, uint8_t *tail, uint8_t *to)
{
    const struct code *code = layout->bytecode->code;
    uint32_t tail_length = code->length > PIECE ? PIECE : code->length;
    uint32_t tail_start = code->length - tail_length;
    memset(tail, 0, 2 * PIECE);
    memcpy(tail, code->bytes + tail_start, tail_length);
    return (struct emission){
        .layout = layout, .to = to, .old = code->bytes, .tail_start = tail_start, .tail = tail};
}

/* The old code up to that offset. */
static inline void emit_old(struct emission *emission, uint32_t end)
{
    uint32_t from = emission->copied, length = end - from;
    if (length > PIECE)
        memcpy(emission->to, emission->old + from, length);
    else if (from < emission->tail_start)
        memcpy(emission->to, emission->old + from, PIECE);
    else
        memcpy(emission->to, emission->tail + (from - emission->tail_start), PIECE);
    emission->to += length;
    emission->copied = end;
}

static inline void emit_image(struct emission *emission, const uint8_t *bytes, uint32_t length)
{
    if (length > PIECE)
        memcpy(emission->to, bytes, length);
    else
        memcpy(emission->to, bytes, PIECE);
    emission->to += length;
}

static void emit_images(struct emission *emission, const struct plan_images *images)
{
    for (uint32_t i = 0; i < images->count; i++)
        emit_image(emission, images->items[i]->bytes, images->items[i]->length);
}

static uint32_t distance(const struct layout *layout, uint32_t from_offset, uint32_t target)
{
    return layout->places[target].label - from_offset;
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

static uint8_t *emit_widened(uint8_t *to, const struct layout *layout, uint32_t number)
{
    const struct instruction *instruction = &layout->bytecode->instructions[number];
    uint32_t offset = layout->places[number].start;
    uint32_t target = instruction->target;
    if (instruction->opcode == OP_GOTO)
        return emit_wide(to, OP_GOTO_W, distance(layout, offset, target));
    if (instruction->opcode == OP_JSR)
        return emit_wide(to, OP_JSR_W, distance(layout, offset, target));
    *to = (uint8_t)opcode_inverted((enum opcode)instruction->opcode);
    writer_store_u2(to + 1, LAYOUT_WIDENED_CONDITION);
    return emit_wide(to + 3, OP_GOTO_W, distance(layout, offset + 3, target));
}

/* The return snippets before a return; a switch or a widened branch itself. */
static void emit_special(struct emission *emission, uint32_t number)
{
    const struct layout *layout = emission->layout;
    const struct instruction *instruction = &layout->bytecode->instructions[number];
    emit_old(emission, instruction->offset);
    if (layout_is_return(instruction)) {
        emit_images(emission, &layout->plan->returns);
        return;
    }
    emission->to =
        layout_is_widened(layout, number)
            ? emit_widened(emission->to, layout, number)
            : emit_switch(emission->to, layout, instruction, layout->places[number].start);
    emission->copied = bytecode_offset(layout->bytecode, number + 1);
}

/* The items that stand before that place, and the old code up to the last of them. Returns the next
   item. */
static const struct plan_item *emit_items(struct emission *emission, const struct plan_item *item,
                                          uint32_t end)
{
    const struct bytecode *bytecode = emission->layout->bytecode;
    struct emission own = *emission; /* can stay in registers: no pointer leads to it */
    for (; item->place < end; item++) {
        uint32_t number = item->place >> 2, kind = item->place & 3;
        if (kind == PLAN_BEFORE) {
            emit_old(&own, bytecode->instructions[number].offset);
            emit_image(&own, item->image->bytes, item->length);
        } else {
            emit_old(&own, bytecode_offset(bytecode, kind == PLAN_AFTER ? number + 1 : number));
            emit_image(&own, item->image->bytes, item->length);
            own.copied = bytecode_offset(bytecode, number + 1);
        }
    }
    *emission = own;
    return item;
}

static void set_distances(uint8_t *code, const struct layout *layout)
{
    for (uint32_t i = 0; i < layout->branch_count; i++) {
        uint32_t number = layout->branches[i];
        const struct instruction *instruction = &layout->bytecode->instructions[number];
        uint32_t offset = layout->places[number].start;
        uint32_t bytes = distance(layout, offset, instruction->target);
        if (instruction->opcode >= OP_GOTO_W)
            writer_store_u4(code + offset + 1, bytes);
        else if (!layout_is_widened(layout, number))
            writer_store_u2(code + offset + 1, (uint16_t)bytes);
    }
}

const uint8_t *emit_code(struct arena *arena, const struct layout *layout,
                         const struct exits *exits)
{
    const struct bytecode *bytecode = layout->bytecode;
    const struct plan *plan = layout->plan;
    uint8_t *code = ARENA_ARRAY(arena, uint8_t, (size_t)exits->code_end + PIECE);
    if (!code)
        return NULL;
    uint8_t tail[2 * PIECE];
    struct emission emission = start(layout, tail, code);
    emit_images(&emission, &plan->entry);
    const struct plan_item *item = plan->items;
    for (uint32_t i = 0; i < layout->special_count; i++) {
        item = emit_items(&emission, item, plan_place(layout->specials[i], PLAN_REPLACE));
        emit_special(&emission, layout->specials[i]);
    }
    emit_items(&emission, item, PLAN_NOWHERE);
    emit_old(&emission, bytecode->code->length);
    for (int state = 0; state < EXIT_STATE_COUNT; state++)
        if (exits->used[state]) {
            emit_images(&emission, &plan->throws);
            *emission.to++ = OP_ATHROW;
        }
    for (uint32_t i = 0; i < plan->detour_count; i++) {
        emit_images(&emission, &plan->detours[i].images);
        *emission.to++ = OP_ATHROW;
    }
    set_distances(code, layout);
    arena_shrink(arena, code, exits->code_end, (size_t)exits->code_end + PIECE);
    return code;
}
