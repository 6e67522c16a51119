/*
 * Frames from the StackMapTable, in one pass over its entries and one over the code.
 */
#include <string.h>

#include "bytecode/frames_internal.h"

/* ---- the entries ---- */

/* The locals that the last entry has declared; the next one builds on them. */
struct declared {
    struct frames_maker *maker;
    frame_type *locals; /* max_locals of them */
    frame_type
        *snapshot; /* the same as a block's frame has them; NULL if they have changed since */
    unsigned used; /* places in use */
    uint32_t instruction; /* of the entry that is being read */
};

static bool is_wide(frame_type type)
{
    return type == FRAME_LONG || type == FRAME_DOUBLE;
}

static bool read_type(struct declared *declared, const struct verification_type *from,
                      frame_type *type)
{
    struct frames_maker *maker = declared->maker;
    const struct bytecode *bytecode = maker->bytecode;
    switch (from->tag) {
    case VERIFICATION_OBJECT:
        *type = type_table_object(maker->table, class_name_at(bytecode->class_file, from->value));
        return *type != FRAME_TOP || frames_fail_memory(maker);
    case VERIFICATION_UNINITIALIZED: {
        const uint32_t number = bytecode_number_at(bytecode, from->value);
        if (number >= bytecode->count || bytecode->instructions[number].opcode != OP_NEW)
            return frames_fail(maker, declared->instruction,
                               "the stack map refers to a `new` at %u, where there is none",
                               from->value);
        *type = frame_type_make(VERIFICATION_UNINITIALIZED, number);
        return true;
    }
    default:
        *type = from->tag;
        return true;
    }
}

/* Reads types into places; *used is the first free one. */
static bool read_places(struct declared *declared, const struct verification_type *types,
                        unsigned count, frame_type *places, unsigned *used, unsigned limit)
{
    for (unsigned i = 0; i < count; i++) {
        frame_type type = FRAME_TOP;
        if (!read_type(declared, &types[i], &type))
            return false;
        const unsigned size = is_wide(type) ? 2 : 1;
        if (*used + size > limit)
            return frames_fail(declared->maker, declared->instruction,
                               "a stack map frame is larger than the method's frame");
        places[(*used)++] = type;
        if (size == 2)
            places[(*used)++] = FRAME_TOP;
    }
    return true;
}

static bool chop(struct declared *declared, unsigned count)
{
    frame_type *locals = declared->locals;
    for (; count > 0; count--) {
        if (declared->used == 0)
            return frames_fail(declared->maker, declared->instruction,
                               "a stack map frame removes more locals than there are");
        declared->used--;
        locals[declared->used] = FRAME_TOP;
        if (declared->used > 0 && is_wide(locals[declared->used - 1]))
            locals[--declared->used] = FRAME_TOP;
    }
    return true;
}

static bool replace_locals(struct declared *declared, const struct stack_map_frame *entry)
{
    const unsigned before = declared->used;
    declared->used = 0;
    if (!read_places(declared, entry->locals, entry->local_count, declared->locals, &declared->used,
                     declared->maker->code->max_locals))
        return false;
    for (unsigned i = declared->used; i < before; i++)
        declared->locals[i] = FRAME_TOP;
    return true;
}

static bool change_locals(struct declared *declared, const struct stack_map_frame *entry)
{
    const uint8_t type = entry->type;
    if (type < FRAME_CHOP_FIRST || type == FRAME_SAME_EXTENDED)
        return true;
    declared->snapshot = NULL;
    if (type < FRAME_SAME_EXTENDED)
        return chop(declared, (unsigned)FRAME_SAME_EXTENDED - type);
    if (type == FRAME_FULL)
        return replace_locals(declared, entry);
    return read_places(declared, entry->locals, entry->local_count, declared->locals,
                       &declared->used, declared->maker->code->max_locals);
}

/* Blocks whose locals are the same share them. */
static bool take_snapshot(struct declared *declared)
{
    if (declared->snapshot)
        return true;
    const uint16_t count = declared->maker->code->max_locals;
    declared->snapshot = frames_new_places(declared->maker, count);
    if (!declared->snapshot)
        return false;
    if (count > 0)
        memcpy(declared->snapshot, declared->locals, count * sizeof *declared->snapshot);
    return true;
}

static bool declare_block(struct declared *declared, const struct stack_map_frame *entry,
                          struct frame *frame)
{
    struct frames_maker *maker = declared->maker;
    /* A declared type takes at most two places. */
    const uint32_t room = 2u * entry->stack_count < maker->code->max_stack ? 2u * entry->stack_count
                                                                           : maker->code->max_stack;
    if (!take_snapshot(declared))
        return false;
    *frame = (struct frame){.locals = declared->snapshot,
                            .stack = frames_new_places(maker, room),
                            .local_count = maker->code->max_locals,
                            .reached = true};
    if (!frame->stack)
        return false;
    unsigned used = 0;
    if (!read_places(declared, entry->stack, entry->stack_count, frame->stack, &used, room))
        return false;
    frame->stack_count = (uint16_t)used;
    return true;
}

/* A frame inside a block only repeats, or forgets part of, what the instructions before it say. */
static bool declare(struct declared *declared, const struct stack_map_frame *entry)
{
    const struct flow *flow = declared->maker->flow;
    if (!change_locals(declared, entry))
        return false;
    const uint32_t block = flow->block_of[declared->instruction];
    if (flow->blocks[block].first != declared->instruction)
        return true;
    return declare_block(declared, entry, &declared->maker->frames->at_block[block]);
}

static bool read_entries(struct frames_maker *maker, const struct stack_map *map)
{
    const uint16_t count = maker->code->max_locals;
    struct declared declared = {.maker = maker, .locals = frames_new_places(maker, count)};
    if (!declared.locals)
        return false;
    if (count > 0)
        memcpy(declared.locals, maker->current.locals, count * sizeof *declared.locals);
    for (unsigned i = 0; i < count; i++) {
        if (declared.locals[i] != FRAME_TOP)
            declared.used = i + (is_wide(declared.locals[i]) ? 2 : 1);
    }
    uint32_t offset = 0;
    for (unsigned i = 0; i < map->count; i++) {
        offset += map->frames[i].offset_delta + (i > 0 ? 1u : 0u);
        declared.instruction = bytecode_number_at(maker->bytecode, offset);
        if (declared.instruction >= maker->bytecode->count)
            return frames_fail(maker, 0,
                               "a stack map frame is for offset %u, where no "
                               "instruction starts",
                               offset);
        if (!declare(&declared, &map->frames[i]))
            return false;
    }
    return true;
}

/* ---- the code ---- */

static bool place_fits(frame_type from, frame_type to)
{
    return from == to || to == FRAME_TOP ||
           (frame_type_tag(to) == VERIFICATION_OBJECT &&
            (frame_type_tag(from) == VERIFICATION_OBJECT || from == FRAME_NULL));
}

static bool places_fit(const frame_type *from, const frame_type *to, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (!place_fits(from[i], to[i]))
            return false;
    }
    return true;
}

/* Whether the current frame may go on as that of a block with a declared one. */
static bool check_edge(struct frames_maker *maker, const bool *declared, uint32_t instruction,
                       uint32_t block)
{
    const struct frame *from = &maker->current;
    const struct frame *to = &maker->frames->at_block[block];
    const uint32_t offset = bytecode_offset(maker->bytecode, maker->flow->blocks[block].first);
    if (!declared[block])
        return frames_fail(maker, instruction, "there is no stack map frame for offset %u", offset);
    if (!frames_count_work(maker, 1u + from->local_count + from->stack_count))
        return false;
    if (from->stack_count == to->stack_count &&
        places_fit(from->stack, to->stack, from->stack_count) &&
        places_fit(from->locals, to->locals, from->local_count))
        return true;
    return frames_fail(maker, instruction, "the stack map frame for offset %u does not fit",
                       offset);
}

static bool check_handlers(struct frames_maker *maker, const bool *declared, uint32_t number)
{
    const struct block *block = &maker->flow->blocks[number];
    const frame_type *locals = maker->frames->at_block[number].locals;
    for (uint32_t i = 0; i < block->handler_count; i++) {
        const uint32_t handler = block->handlers[i];
        const struct frame *to = &maker->frames->at_block[handler];
        const uint32_t offset =
            bytecode_offset(maker->bytecode, maker->flow->blocks[handler].first);
        if (!declared[handler])
            return frames_fail(maker, block->first, "there is no stack map frame for offset %u",
                               offset);
        /* Blocks share their locals where no entry of the table says otherwise. */
        const unsigned count = to->locals == locals ? 0 : to->local_count;
        if (!frames_count_work(maker, 1u + count))
            return false;
        if (to->stack_count != 1 || frame_type_tag(to->stack[0]) != VERIFICATION_OBJECT ||
            !places_fit(locals, to->locals, count))
            return frames_fail(maker, block->first,
                               "the stack map frame for offset %u does not fit", offset);
    }
    return true;
}

/* The frame of a block that is entered from the one before only. */
static bool keep_current(struct frames_maker *maker, uint32_t block)
{
    const struct frame *current = &maker->current;
    struct frame *frame = &maker->frames->at_block[block];
    *frame = (struct frame){.local_count = current->local_count, .reached = true};
    const size_t locals_size = current->local_count * sizeof *frame->locals;
    if (block > 0 && locals_size > 0) {
        const struct frame *before = &maker->frames->at_block[block - 1];
        if (before->reached && memcmp(before->locals, current->locals, locals_size) == 0)
            frame->locals = before->locals;
    }
    if (!frame->locals)
        frame->locals = frames_new_places(maker, current->local_count);
    frame->stack = frames_new_places(maker, current->stack_count);
    if (!frame->locals || !frame->stack)
        return false;
    frames_assign(frame, current);
    return true;
}

static bool execute_block(struct frames_maker *maker, const bool *declared, uint32_t number)
{
    const struct block *block = &maker->flow->blocks[number];
    if (!frames_count_work(maker, block->end - block->first + maker->current.local_count) ||
        !check_handlers(maker, declared, number))
        return false;
    for (uint32_t i = block->first; i < block->end; i++) {
        if (!frames_execute(maker, i))
            return false;
    }
    const uint32_t last = block->end - 1;
    const uint8_t flow = opcode_infos[maker->bytecode->instructions[last].opcode].flow;
    if (flow == FLOW_CALL || flow == FLOW_RET)
        return frames_fail(maker, last, "a stack map cannot describe subroutines");
    /* The next block needs a declared frame only if somebody jumps to it. */
    const uint32_t next =
        frames_goes_on(maker->bytecode, last) && block->end < maker->bytecode->count
            ? maker->flow->block_of[block->end]
            : UINT32_MAX;
    for (uint32_t i = 0; i < block->successor_count; i++) {
        const uint32_t successor = block->successors[i];
        if ((successor != next || declared[successor]) &&
            !check_edge(maker, declared, last, successor))
            return false;
    }
    return true;
}

bool frames_from_stack_map(struct frames_maker *maker)
{
    const struct flow *flow = maker->flow;
    const struct attribute *attribute =
        attributes_find(&maker->code->attributes, ATTRIBUTE_STACK_MAP_TABLE);
    if (attribute && !read_entries(maker, attribute->as.stack_map))
        return false;
    bool *declared = ARENA_ARRAY(maker->arena, bool, flow->count);
    if (!declared)
        return frames_fail_memory(maker);
    for (uint32_t i = 0; i < flow->count; i++)
        declared[i] = maker->frames->at_block[i].reached;
    bool live = true;
    for (uint32_t i = 0; i < flow->count; i++) {
        if (declared[i])
            frames_assign(&maker->current, &maker->frames->at_block[i]);
        else if (!live)
            continue;
        else if (!keep_current(maker, i))
            return false;
        if (!execute_block(maker, declared, i))
            return false;
        live = frames_goes_on(maker->bytecode, flow->blocks[i].end - 1);
    }
    return true;
}
