#include "rewrite/emit.h"

#include <assert.h>
#include <string.h>

#include "base/writer.h"

/*
 * Old instructions and most images are a few bytes long, so a whole piece is copied where that is
 * enough: what is too much is overwritten by what follows, and behind the last there is room for
 * it. That needs no call, and no decision that the processor cannot foresee.
 */
enum { PIECE = CODE_IMAGE_PIECE };
static_assert((int)EMIT_MARGIN >= (int)PIECE, "there must be room for what is too much of a piece");

struct emission {
    struct layout *layout;
    const struct plan_item *item; /* the next */
    uint8_t *to, *end;            /* where the next byte goes; the end of the room for all */
    bool overflow;                /* then there is no room for anything */
};

static bool has_room(struct emission *emission, uint32_t length)
{
    if ((size_t)(emission->end - emission->to) >= length)
        return true;
    emission->overflow = true;
    emission->end = emission->to;
    return false;
}

static void emit_image(struct emission *emission, const struct code_image *image)
{
    if (!has_room(emission, image->length))
        return;
    if (image->length > PIECE)
        memcpy(emission->to, image->bytes, image->length);
    else
        memcpy(emission->to, image->bytes, PIECE);
    emission->to += image->length;
}

static void emit_images(struct emission *emission, const struct plan_images *images)
{
    for (uint32_t i = 0; i < images->count; i++)
        emit_image(emission, images->items[i]);
}

/* The next items, up to and with those at `last`. */
static void emit_items(struct emission *emission, uint32_t last)
{
    for (; emission->item->place <= last; emission->item++)
        emit_image(emission, emission->item->image);
}

static uint32_t position(const struct emission *emission)
{
    return (uint32_t)(emission->to - emission->layout->code);
}

static bool is_switch(const struct instruction *instruction)
{
    return instruction->opcode == OP_TABLESWITCH || instruction->opcode == OP_LOOKUPSWITCH;
}

/* The instruction itself or what replaces it; of a switch or widened branch, which emit_finish
   fills, only the room. */
static void emit_itself(struct emission *emission, uint32_t number)
{
    const struct layout *layout = emission->layout;
    const struct bytecode *bytecode = layout->bytecode;
    const struct instruction *instruction = &bytecode->instructions[number];
    if (is_switch(instruction) || layout_is_widened(layout, number)) {
        const uint32_t size = layout_size(layout, number, position(emission));
        if (has_room(emission, size))
            emission->to += size;
    } else if (emission->item->place == plan_place(number, PLAN_REPLACE)) {
        emit_items(emission, plan_place(number, PLAN_REPLACE));
    } else if (has_room(emission, instruction[1].offset - instruction->offset)) {
        for (uint32_t offset = instruction->offset; offset < instruction[1].offset; offset++)
            *emission->to++ = bytecode->code->bytes[offset];
    }
}

/* An instruction with all that is inserted around it. */
static void emit_any(struct emission *emission, uint32_t number)
{
    const struct layout *layout = emission->layout;
    struct layout_place *place = &layout->places[number];
    place->label = position(emission);
    emit_items(emission, plan_place(number, PLAN_BEFORE));
    if (layout_is_return(&layout->bytecode->instructions[number]))
        emit_images(emission, &layout->plan->returns);
    place->start = position(emission);
    emit_itself(emission, number);
    emit_items(emission, plan_place(number, PLAN_AFTER));
}

/* Returns and the two switches. */
static inline bool is_special(const struct instruction *instruction)
{
    static_assert(OP_LOOKUPSWITCH == OP_TABLESWITCH + 1 && OP_IRETURN == OP_LOOKUPSWITCH + 1 &&
                      OP_RETURN == OP_IRETURN + 5,
                  "the opcodes of switches and returns are not neighbours");
    return (uint8_t)(instruction->opcode - OP_TABLESWITCH) <= OP_RETURN - OP_TABLESWITCH;
}

/* The one image that stands before all returns: an empty one if there is none, NULL if there are
   more or it is longer than a piece. */
static const struct code_image *simple_return(const struct plan *plan)
{
    static const uint8_t nothing[PIECE] = {0};
    static const struct code_image empty = {.bytes = nothing};
    if (plan->returns.count == 0)
        return &empty;
    return plan->returns.count == 1 && plan->returns.length <= PIECE ? plan->returns.items[0]
                                                                     : NULL;
}

/* What emit_any does, for instructions from that number on, up to one that needs more than a copy
   of itself and of a short image before it. Gives the number of that. No branch is widened, and a
   piece can be read from every instruction on. What changes stands in locals of its own, so that it
   can stay in registers. */
static uint32_t emit_run(struct emission *emission, uint32_t number)
{
    const struct bytecode *const bytecode = emission->layout->bytecode;
    const struct code_image *const returns = simple_return(emission->layout->plan);
    uint8_t *const code = emission->layout->code;
    const uint8_t *const old = bytecode->code->bytes;
    const struct instruction *instruction = bytecode->instructions + number;
    const struct instruction *const end = bytecode->instructions + bytecode->count;
    struct layout_place *place = emission->layout->places + number;
    const struct plan_item *item = emission->item;
    uint8_t *to = emission->to;
    /* Three pieces at most for each instruction. */
    uint8_t *const to_end = emission->end - to < 3 * PIECE ? to : emission->end - 3 * PIECE;
    uint32_t next_place = plan_place(number + 1, PLAN_BEFORE);
    for (; instruction < end && to < to_end; instruction++, place++, next_place += 4) {
        const bool special = is_special(instruction);
        if (special && !(returns && layout_is_return(instruction)))
            break;
        place->label = (uint32_t)(to - code);
        if (item->place < next_place) {
            if ((item->place & 3) != PLAN_BEFORE || item[1].place < next_place ||
                item->length > PIECE)
                break;
            memcpy(to, item->image->bytes, PIECE);
            to += item->length;
            item++;
        }
        if (special) {
            memcpy(to, returns->bytes, PIECE);
            to += returns->length;
        }
        place->start = (uint32_t)(to - code);
        memcpy(to, old + instruction->offset, PIECE);
        to += instruction[1].offset - instruction->offset;
    }
    emission->item = item;
    emission->to = to;
    return (uint32_t)(instruction - bytecode->instructions);
}

void emit_body(struct layout *layout)
{
    const struct bytecode *bytecode = layout->bytecode;
    struct emission emission;
    emission.layout = layout;
    emission.item = layout->plan->items;
    emission.to = layout->code;
    emission.end = layout->code + layout->room;
    emission.overflow = false;
    emit_images(&emission, &layout->plan->entry);
    const bool runs = !layout->widened && bytecode->code->margin >= PIECE;
    for (uint32_t i = 0; i < bytecode->count;) {
        if (runs)
            i = emit_run(&emission, i);
        if (i < bytecode->count)
            emit_any(&emission, i++);
    }
    layout->places[bytecode->count].label = position(&emission);
    layout->body_end = emission.overflow ? LAYOUT_LARGEST_CODE + 1 : position(&emission);
}

size_t emit_room_behind(const struct plan *plan)
{
    const size_t exit_size = plan->throws.count ? plan->throws.length + 1u : 0;
    size_t room = EXIT_STATE_COUNT * exit_size + EMIT_MARGIN;
    for (uint32_t i = 0; i < plan->detour_count; i++)
        room += plan->detours[i].images.length + 1u;
    return room;
}

/* ---- what depends on distances ---- */

static uint32_t distance(const struct layout *layout, uint32_t from_offset, uint32_t target)
{
    return layout->places[target].label - from_offset;
}

static void emit_switch(uint8_t *to, const struct layout *layout,
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
}

static void emit_wide(uint8_t *to, uint8_t opcode, uint32_t bytes)
{
    to[0] = opcode;
    writer_store_u4(to + 1, bytes);
}

static void emit_widened(uint8_t *to, const struct layout *layout, uint32_t number)
{
    const struct instruction *instruction = &layout->bytecode->instructions[number];
    const uint32_t offset = layout->places[number].start, target = instruction->target;
    if (instruction->opcode == OP_GOTO || instruction->opcode == OP_JSR) {
        emit_wide(to, instruction->opcode == OP_GOTO ? OP_GOTO_W : OP_JSR_W,
                  distance(layout, offset, target));
        return;
    }
    to[0] = (uint8_t)opcode_inverted((enum opcode)instruction->opcode);
    writer_store_u2(to + 1, LAYOUT_WIDENED_CONDITION);
    emit_wide(to + 3, OP_GOTO_W, distance(layout, offset + 3, target));
}

static void finish_branch(const struct layout *layout, uint32_t number)
{
    const struct instruction *instruction = &layout->bytecode->instructions[number];
    const uint32_t offset = layout->places[number].start;
    const uint32_t bytes = distance(layout, offset, instruction->target);
    uint8_t *to = layout->code + offset;
    if (instruction->opcode >= OP_GOTO_W)
        writer_store_u4(to + 1, bytes);
    else if (layout_is_widened(layout, number))
        emit_widened(to, layout, number);
    else
        writer_store_u2(to + 1, (uint16_t)bytes);
}

static uint8_t *emit_exit(uint8_t *to, const struct plan_images *images)
{
    for (uint32_t i = 0; i < images->count; i++) {
        memcpy(to, images->items[i]->bytes, images->items[i]->length);
        to += images->items[i]->length;
    }
    *to = OP_ATHROW;
    return to + 1;
}

void emit_finish(const struct layout *layout, const struct exits *exits)
{
    const struct bytecode *bytecode = layout->bytecode;
    for (uint32_t i = 0; i < bytecode->branch_count; i++)
        finish_branch(layout, bytecode->branches[i]);
    for (uint32_t i = 0; i < bytecode->switch_count; i++) {
        const uint32_t number = bytecode->switches[i].instruction;
        const uint32_t offset = layout->places[number].start;
        emit_switch(layout->code + offset, layout, &bytecode->instructions[number], offset);
    }
    uint8_t *to = layout->code + layout->body_end;
    for (int state = 0; state < EXIT_STATE_COUNT; state++)
        if (exits->used[state])
            to = emit_exit(to, &layout->plan->throws);
    for (uint32_t i = 0; i < layout->plan->detour_count; i++)
        to = emit_exit(to, &layout->plan->detours[i].images);
    memset(to, 0, EMIT_MARGIN);
}
