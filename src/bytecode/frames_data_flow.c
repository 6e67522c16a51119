/*
 * Frames by data flow, as the JVM's old verifier computes them (JVMS 4.10.2): blocks are executed
 * until the frames at their starts no longer change.
 */
#include <string.h>

#include "bytecode/frames_calls.h"
#include "bytecode/frames_internal.h"

/* A block that ends in a jsr, and the frame in which it does. */
struct call_site {
    uint32_t block;
    uint32_t entry; /* instruction where the subroutine starts */
    frame_type *locals;
    struct frames_calls calls; /* without the subroutine itself */
    bool reached;
};

struct data_flow {
    struct frames_maker *maker;
    struct frame *at_block;
    uint64_t *pending; /* blocks to execute, as bits */
    frame_type
        *handler_types;   /* by block: what is on the stack of a handler; FRAME_TOP elsewhere */
    struct frame scratch; /* behind a ret: partly the caller's locals */

    /* Only in methods with subroutines; else site_count is 0. */
    struct call_site *sites;
    uint32_t site_count;
    struct frames_calls *calls_at; /* by block */
    struct frames_calls calls;     /* belongs to maker->current */
    struct frames_calls scratch_calls;
    uint32_t *returns_from; /* by block: entry of the subroutine whose ret it ends in, once known */
};

/* ---- merging into the start of a block ---- */

static void set_pending(struct data_flow *flow, uint32_t block)
{
    flow->pending[block / 64] |= UINT64_C(1) << (block % 64);
}

/* True if `to` changed. */
static bool merge_places(struct data_flow *flow, frame_type *to, const frame_type *from,
                         unsigned count)
{
    if (count == 0 || memcmp(to, from, count * sizeof *to) == 0)
        return false;
    bool changed = false;
    for (unsigned i = 0; i < count; i++) {
        const frame_type joined = type_table_join(flow->maker->table, to[i], from[i]);
        changed |= joined != to[i];
        to[i] = joined;
    }
    return changed;
}

/* The first path that reaches a block. */
static bool enter_block(struct data_flow *flow, uint32_t block, const struct frame *from,
                        const struct frames_calls *calls)
{
    struct frames_maker *maker = flow->maker;
    struct frame *to = &flow->at_block[block];
    *to = (struct frame){.locals = frames_new_places(maker, from->local_count),
                         .local_count = from->local_count};
    if (!to->locals)
        return false;
    to->stack = frames_new_places(maker, from->stack_count);
    if (!to->stack)
        return false;
    frames_assign(to, from);
    to->reached = true;
    set_pending(flow, block);
    if (flow->site_count == 0)
        return true;
    if (!frames_calls_init(&flow->calls_at[block], maker, calls->count))
        return false;
    frames_calls_assign(&flow->calls_at[block], calls);
    return true;
}

static bool merge_into(struct data_flow *flow, uint32_t block, const struct frame *from,
                       const struct frames_calls *calls, uint32_t instruction)
{
    struct frame *to = &flow->at_block[block];
    if (!frames_count_work(flow->maker, 1u + from->local_count + from->stack_count))
        return false;
    if (!to->reached)
        return enter_block(flow, block, from, calls);
    if (to->stack_count != from->stack_count)
        return frames_fail(
            flow->maker, instruction,
            "the operand stack is %u deep, but elsewhere %u on the way to offset %u",
            from->stack_count, to->stack_count,
            bytecode_offset(flow->maker->bytecode, flow->maker->flow->blocks[block].first));
    bool changed = merge_places(flow, to->locals, from->locals, from->local_count);
    changed |= merge_places(flow, to->stack, from->stack, from->stack_count);
    if (flow->site_count > 0)
        changed |= frames_calls_merge(&flow->calls_at[block], calls);
    if (changed)
        set_pending(flow, block);
    return !flow->maker->table->arena->failed || frames_fail_memory(flow->maker);
}

/* ---- handlers ---- */

/* A handler starts with the locals that the protected instructions had, and the exception. */
static bool merge_into_handlers(struct data_flow *flow, const struct block *block)
{
    struct frames_maker *maker = flow->maker;
    if (block->handler_count == 0)
        return true;
    if (maker->code->max_stack == 0)
        return frames_fail(maker, block->first, "no room for an exception on the operand stack");
    for (uint32_t i = 0; i < block->handler_count; i++) {
        frame_type exception = flow->handler_types[block->handlers[i]];
        struct frame frame = maker->current;
        frame.stack = &exception;
        frame.stack_count = 1;
        if (!merge_into(flow, block->handlers[i], &frame, &flow->calls, block->first))
            return false;
    }
    return true;
}

/* The locals from `first` up to `end` have changed, and the next instruction is protected too. */
static void merge_locals_into_handlers(struct data_flow *flow, const struct block *block,
                                       unsigned first, unsigned end)
{
    for (uint32_t i = 0; i < block->handler_count; i++) {
        const uint32_t handler = block->handlers[i];
        bool changed = merge_places(flow, flow->at_block[handler].locals + first,
                                    flow->maker->current.locals + first, end - first);
        if (flow->site_count > 0)
            changed |= frames_calls_merge(&flow->calls_at[handler], &flow->calls);
        if (changed)
            set_pending(flow, handler);
    }
}

/* Whatever is not known of the classes that a handler catches, they are throwable. */
static frame_type join_caught(struct type_table *table, frame_type before, frame_type caught)
{
    if (before == FRAME_TOP)
        return caught;
    const frame_type joined = type_table_join(table, before, caught);
    return joined == frame_type_make(VERIFICATION_OBJECT, 0)
               ? type_table_object(table, TEXT("java/lang/Throwable"))
               : joined;
}

static bool find_handler_types(struct data_flow *flow)
{
    struct frames_maker *maker = flow->maker;
    const struct bytecode *bytecode = maker->bytecode;
    flow->handler_types = ARENA_ARRAY(maker->arena, frame_type, maker->flow->count);
    if (!flow->handler_types)
        return frames_fail_memory(maker);
    memset(flow->handler_types, 0, maker->flow->count * sizeof *flow->handler_types);
    for (unsigned i = 0; i < maker->code->handler_count; i++) {
        const struct handler *handler = &bytecode->handlers[i];
        const struct text name = handler->catch_type
                                     ? class_name_at(bytecode->class_file, handler->catch_type)
                                     : TEXT("java/lang/Throwable");
        frame_type *type = &flow->handler_types[maker->flow->block_of[handler->handler]];
        const frame_type caught = type_table_object(maker->table, name);
        *type = join_caught(maker->table, *type, caught);
        if (caught == FRAME_TOP || *type == FRAME_TOP)
            return frames_fail_memory(maker);
    }
    return true;
}

/* ---- inside a block ---- */

/* Locals that an instruction may change: from `first` up to `end`. */
struct span {
    unsigned first, end;
};

static struct span stored_locals(const struct frame *frame, const struct instruction *instruction)
{
    const uint8_t opcode = instruction->opcode;
    unsigned kind, local;
    if (opcode >= OP_ISTORE && opcode <= OP_ASTORE) {
        kind = opcode - OP_ISTORE;
        local = instruction->operand;
    } else if (opcode >= OP_ISTORE_0 && opcode <= OP_ASTORE_3) {
        kind = (opcode - OP_ISTORE_0) / 4u;
        local = (opcode - OP_ISTORE_0) % 4u;
    } else {
        return (struct span){0, 0};
    }
    const bool wide = kind == 1 || kind == 3;
    struct span span = {local, local + (wide ? 2 : 1)};
    if (local > 0 &&
        (frame->locals[local - 1] == FRAME_LONG || frame->locals[local - 1] == FRAME_DOUBLE))
        span.first--;
    return span;
}

/* new forgets, and <init> initialises, in all locals. */
static bool may_change_all(const struct instruction *instruction)
{
    return instruction->opcode == OP_NEW || instruction->opcode == OP_INVOKESPECIAL;
}

/* Executes an instruction that may change any local; says which it did. */
static bool execute_changing_all(struct data_flow *flow, uint32_t number, struct span *changed)
{
    struct frames_maker *maker = flow->maker;
    const struct frame *current = &maker->current;
    if (!frames_count_work(maker, current->local_count))
        return false;
    memcpy(flow->scratch.locals, current->locals, current->local_count * sizeof(frame_type));
    if (!frames_execute(maker, number))
        return false;
    *changed = (struct span){0, 0};
    for (unsigned i = 0; i < current->local_count; i++) {
        if (flow->scratch.locals[i] == current->locals[i])
            continue;
        if (changed->end == 0)
            changed->first = i;
        changed->end = i + 1;
        frames_calls_write(&flow->calls, i);
    }
    return true;
}

static bool execute_instruction(struct data_flow *flow, const struct block *block, uint32_t number)
{
    struct frames_maker *maker = flow->maker;
    const struct instruction *instruction = &maker->bytecode->instructions[number];
    const bool watched = block->handler_count > 0 || flow->site_count > 0;
    if (!watched || maker->current.local_count == 0)
        return frames_execute(maker, number);
    if (may_change_all(instruction)) {
        struct span changed;
        if (!execute_changing_all(flow, number, &changed))
            return false;
        /* Also behind the last one of the block: the JVM looks at an <init> from both sides. */
        if (changed.first < changed.end)
            merge_locals_into_handlers(flow, block, changed.first, changed.end);
        return true;
    }
    const struct span stored = stored_locals(&maker->current, instruction);
    if (!frames_execute(maker, number))
        return false;
    if (stored.first < stored.end && !frames_count_work(maker, block->handler_count))
        return false;
    for (unsigned i = stored.first; i < stored.end; i++)
        frames_calls_write(&flow->calls, i);
    if (stored.first < stored.end && number + 1 < block->end)
        merge_locals_into_handlers(flow, block, stored.first, stored.end);
    return true;
}

/* ---- subroutines ---- */

static bool find_call_sites(struct data_flow *flow)
{
    struct frames_maker *maker = flow->maker;
    const struct flow *blocks = maker->flow;
    for (uint32_t i = 0; i < blocks->count; i++) {
        const struct instruction *last = &maker->bytecode->instructions[blocks->blocks[i].end - 1];
        flow->site_count += opcode_infos[last->opcode].flow == FLOW_CALL;
    }
    if (flow->site_count == 0)
        return true;
    flow->sites = ARENA_ARRAY(maker->arena, struct call_site, flow->site_count);
    flow->calls_at = ARENA_ARRAY(maker->arena, struct frames_calls, blocks->count);
    flow->returns_from = ARENA_ARRAY(maker->arena, uint32_t, blocks->count);
    if (!flow->sites || !flow->calls_at || !flow->returns_from)
        return frames_fail_memory(maker);
    uint32_t count = 0;
    for (uint32_t i = 0; i < blocks->count; i++) {
        const struct instruction *last = &maker->bytecode->instructions[blocks->blocks[i].end - 1];
        flow->returns_from[i] = INSTRUCTION_NONE;
        if (opcode_infos[last->opcode].flow == FLOW_CALL)
            flow->sites[count++] = (struct call_site){.block = i, .entry = last->target};
    }
    return frames_calls_init(&flow->calls, maker, flow->site_count) &&
           frames_calls_init(&flow->scratch_calls, maker, flow->site_count);
}

static struct call_site *site_of(struct data_flow *flow, uint32_t block)
{
    uint32_t low = 0;
    uint32_t high = flow->site_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (flow->sites[middle].block < block)
            low = middle + 1;
        else
            high = middle;
    }
    return &flow->sites[low];
}

/* Remembers the frame at a jsr for when its subroutine returns. True in *changed if it is a new
 * one. */
static bool remember_site(struct data_flow *flow, struct call_site *site, bool *changed)
{
    struct frames_maker *maker = flow->maker;
    const struct frame *current = &maker->current;
    const size_t size = current->local_count * sizeof(frame_type);
    if (!site->reached) {
        site->locals = frames_new_places(maker, current->local_count);
        if (!site->locals || !frames_calls_init(&site->calls, maker, flow->calls.count))
            return false;
        site->reached = true;
    } else if ((size == 0 || memcmp(site->locals, current->locals, size) == 0) &&
               frames_calls_equal(&site->calls, &flow->calls)) {
        *changed = false;
        return true;
    }
    if (size > 0)
        memcpy(site->locals, current->locals, size);
    frames_calls_assign(&site->calls, &flow->calls);
    *changed = true;
    return true;
}

static bool call_subroutine(struct data_flow *flow, uint32_t block)
{
    struct frames_maker *maker = flow->maker;
    struct call_site *site = site_of(flow, block);
    const uint32_t last = maker->flow->blocks[block].end - 1;
    if (frames_calls_find(&flow->calls, site->entry))
        return frames_fail(maker, last, "a subroutine calls itself");
    bool changed;
    if (!remember_site(flow, site, &changed))
        return false;
    for (uint32_t i = 0; changed && i < maker->flow->count; i++) {
        if (flow->returns_from[i] == site->entry)
            set_pending(flow, i);
    }
    frames_calls_push(&flow->calls, site->entry);
    return merge_into(flow, maker->flow->block_of[site->entry], &maker->current, &flow->calls,
                      last);
}

/* Behind the jsr: what the subroutine wrote has the type it left there, the rest is as the caller
 * had it. */
static bool return_to(struct data_flow *flow, const struct call_site *site,
                      const struct frames_call *call, uint32_t ret)
{
    struct frames_maker *maker = flow->maker;
    const uint32_t next = maker->flow->blocks[site->block].end;
    struct frame *frame = &flow->scratch;
    frames_assign(frame, &maker->current);
    for (unsigned i = 0; i < frame->local_count; i++) {
        if (!frames_call_wrote(call, i))
            frame->locals[i] = site->locals[i];
        if (i > 0 && frame->locals[i] != FRAME_TOP &&
            (frame->locals[i - 1] == FRAME_LONG || frame->locals[i - 1] == FRAME_DOUBLE))
            frame->locals[i - 1] = FRAME_TOP;
    }
    frames_calls_assign(&flow->scratch_calls, &site->calls);
    frames_calls_add_written(&flow->scratch_calls, call);
    return merge_into(flow, maker->flow->block_of[next], frame, &flow->scratch_calls, ret);
}

static bool return_from_subroutine(struct data_flow *flow, uint32_t block)
{
    struct frames_maker *maker = flow->maker;
    const uint32_t last = maker->flow->blocks[block].end - 1;
    const unsigned local = maker->bytecode->instructions[last].operand;
    const uint32_t entry = frame_type_value(maker->current.locals[local]);
    const struct frames_call *call = frames_calls_find(&flow->calls, entry);
    if (!call)
        return frames_fail(maker, last, "ret from a subroutine that the code is not inside of");
    flow->returns_from[block] = entry;
    for (uint32_t i = 0; i < flow->site_count; i++) {
        const struct call_site *site = &flow->sites[i];
        if (site->entry == entry && site->reached &&
            maker->flow->blocks[site->block].end < maker->bytecode->count &&
            !return_to(flow, site, call, last))
            return false;
    }
    return true;
}

/* ---- the whole ---- */

static bool execute_block(struct data_flow *flow, uint32_t number)
{
    struct frames_maker *maker = flow->maker;
    const struct block *block = &maker->flow->blocks[number];
    frames_assign(&maker->current, &flow->at_block[number]);
    if (flow->site_count > 0)
        frames_calls_assign(&flow->calls, &flow->calls_at[number]);
    if (!frames_count_work(maker, block->end - block->first + maker->current.local_count) ||
        !merge_into_handlers(flow, block))
        return false;
    const uint32_t last = block->end - 1;
    for (uint32_t i = block->first; i < last; i++) {
        if (!execute_instruction(flow, block, i))
            return false;
    }
    const uint8_t kind = opcode_infos[maker->bytecode->instructions[last].opcode].flow;
    if (!execute_instruction(flow, block, last))
        return false;
    if (kind == FLOW_CALL)
        return call_subroutine(flow, number);
    if (kind == FLOW_RET)
        return return_from_subroutine(flow, number);
    for (uint32_t i = 0; i < block->successor_count; i++) {
        if (!merge_into(flow, block->successors[i], &maker->current, &flow->calls, last))
            return false;
    }
    return true;
}

/* Sweeps through the code until nothing is left to do: in code order most blocks come behind those
   that lead to them. */
static bool run(struct data_flow *flow)
{
    const uint32_t words = (flow->maker->flow->count + 63) / 64;
    bool any = true;
    while (any) {
        any = false;
        for (uint32_t word = 0; word < words; word++) {
            while (flow->pending[word] != 0) {
                const unsigned bit = (unsigned)__builtin_ctzll(flow->pending[word]);
                flow->pending[word] &= flow->pending[word] - 1;
                any = true;
                if (!execute_block(flow, word * 64 + bit))
                    return false;
            }
        }
    }
    return true;
}

bool frames_from_data_flow(struct frames_maker *maker)
{
    const uint32_t words = (maker->flow->count + 63) / 64;
    struct data_flow flow = {.maker = maker,
                             .at_block = maker->frames->at_block,
                             .pending = ARENA_ARRAY(maker->arena, uint64_t, words)};
    if (!flow.pending)
        return frames_fail_memory(maker);
    memset(flow.pending, 0, words * sizeof *flow.pending);
    if (!frames_new_frame(maker, &flow.scratch) || !find_handler_types(&flow) ||
        !find_call_sites(&flow))
        return false;
    return enter_block(&flow, 0, &maker->current, &flow.calls) && run(&flow);
}
