#include "bytecode/flow.h"

#include <string.h>

/* No compiler makes methods that come near these; files that are made to waste memory or time do.
 */
enum { MOST_EDGES = 1 << 22, MOST_STEPS = 1 << 27 };

/* What an instruction is the start of. */
enum { STARTS_BLOCK = 1, CHANGES_HANDLERS = 2 };

/* All jsr instructions with the same target. */
struct subroutine {
    uint32_t start;  /* block */
    uint32_t *calls; /* blocks that end in such a jsr */
    uint32_t *rets;  /* blocks that end in a ret which may come back from here */
    uint32_t call_count, ret_count;
    bool returns; /* one of the rets can be executed */
};

struct flow_builder {
    struct flow *flow;
    struct arena *arena;
    const struct bytecode *bytecode;
    uint8_t *marks; /* by instruction number, and one more for the end */
    uint32_t *seen; /* by block number: the stamp of whoever saw it last */
    uint32_t stamp;
    uint32_t *pending; /* blocks of a walk; room for all of them */
    uint32_t pending_count;
    struct subroutine *subroutines;
    uint32_t subroutine_count;
    uint32_t *subroutine_at; /* by block number: the subroutine that starts there, plus one */
    uint64_t edges, steps;
};

static const struct instruction *last_of(const struct flow_builder *state, uint32_t block)
{
    return &state->bytecode->instructions[state->flow->blocks[block].end - 1];
}

static uint8_t flow_of(const struct instruction *instruction)
{
    return opcode_infos[instruction->opcode].flow;
}

/* True, once for each block and stamp. */
static bool first_sight(struct flow_builder *state, uint32_t block)
{
    if (state->seen[block] == state->stamp)
        return false;
    state->seen[block] = state->stamp;
    return true;
}

/* ---- blocks ---- */

static void mark_switch(struct flow_builder *state, const struct switch_table *table)
{
    state->marks[table->default_target] |= STARTS_BLOCK;
    for (uint32_t i = 0; i < table->count; i++)
        state->marks[table->targets[i]] |= STARTS_BLOCK;
}

static void mark_starts(struct flow_builder *state)
{
    const struct bytecode *bytecode = state->bytecode;
    uint8_t *marks = state->marks;
    marks[0] = STARTS_BLOCK | CHANGES_HANDLERS;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const struct instruction *instruction = &bytecode->instructions[i];
        const uint8_t flow = flow_of(instruction);
        if (flow == FLOW_NEXT)
            continue;
        marks[i + 1] |= STARTS_BLOCK;
        if (flow == FLOW_BRANCH || flow == FLOW_GOTO || flow == FLOW_CALL)
            marks[instruction->target] |= STARTS_BLOCK;
        else if (flow == FLOW_SWITCH)
            mark_switch(state, &bytecode->switches[instruction->target]);
    }
    for (uint32_t i = 0; i < bytecode->code->handler_count; i++) {
        const struct handler *handler = &bytecode->handlers[i];
        marks[handler->start] |= STARTS_BLOCK | CHANGES_HANDLERS;
        marks[handler->end] |= STARTS_BLOCK | CHANGES_HANDLERS;
        marks[handler->handler] |= STARTS_BLOCK;
    }
}

static bool make_blocks(struct flow_builder *state)
{
    struct flow *flow = state->flow;
    const uint32_t count = state->bytecode->count;
    uint32_t *block_of = ARENA_ARRAY(state->arena, uint32_t, count);
    if (!block_of)
        return false;
    uint32_t blocks = 0;
    for (uint32_t i = 0; i < count; i++) {
        blocks += state->marks[i] & STARTS_BLOCK;
        block_of[i] = blocks - 1;
    }
    flow->block_of = block_of;
    flow->count = blocks;
    flow->blocks =
        arena_allocate_zeroed(state->arena, blocks * sizeof *flow->blocks, alignof(struct block));
    state->seen =
        arena_allocate_zeroed(state->arena, blocks * sizeof *state->seen, alignof(uint32_t));
    state->pending = ARENA_ARRAY(state->arena, uint32_t, blocks);
    if (!flow->blocks || !state->seen || !state->pending)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct block *block = &flow->blocks[block_of[i]];
        if (state->marks[i] & STARTS_BLOCK)
            block->first = i;
        block->end = i + 1;
    }
    return true;
}

/* ---- edges ---- */

/* The most successors that a block may have, without those of ret. */
static uint32_t successor_room(const struct flow_builder *state, uint32_t block)
{
    const struct instruction *last = last_of(state, block);
    if (flow_of(last) == FLOW_SWITCH)
        return state->bytecode->switches[last->target].count + 1;
    return 2;
}

static uint32_t add_target(struct flow_builder *state, uint32_t *to, uint32_t count,
                           uint32_t instruction)
{
    const uint32_t block = state->flow->block_of[instruction];
    if (first_sight(state, block))
        to[count++] = block;
    return count;
}

/* Stores a block's successors and says how many; a ret's are found later. */
static uint32_t list_successors(struct flow_builder *state, uint32_t block, uint32_t *to)
{
    const struct bytecode *bytecode = state->bytecode;
    const struct instruction *last = last_of(state, block);
    const uint32_t next = state->flow->blocks[block].end;
    const uint8_t flow = flow_of(last);
    uint32_t count = 0;
    state->stamp++;
    /* Only dead code can have no next instruction here. */
    if ((flow == FLOW_NEXT || flow == FLOW_BRANCH) && next < bytecode->count)
        count = add_target(state, to, count, next);
    if (flow == FLOW_BRANCH || flow == FLOW_GOTO || flow == FLOW_CALL)
        count = add_target(state, to, count, last->target);
    if (flow == FLOW_SWITCH) {
        const struct switch_table *table = &bytecode->switches[last->target];
        count = add_target(state, to, count, table->default_target);
        for (uint32_t i = 0; i < table->count; i++)
            count = add_target(state, to, count, table->targets[i]);
    }
    return count;
}

static bool make_successors(struct flow_builder *state)
{
    struct flow *flow = state->flow;
    size_t room = 0;
    for (uint32_t i = 0; i < flow->count; i++)
        room += successor_room(state, i);
    uint32_t *pool = ARENA_ARRAY(state->arena, uint32_t, room);
    if (!pool)
        return false;
    for (uint32_t i = 0; i < flow->count; i++) {
        struct block *block = &flow->blocks[i];
        block->successors = pool;
        block->successor_count = list_successors(state, i, pool);
        pool += block->successor_count;
    }
    return true;
}

/* Which handlers are in force can change only where a range starts or ends: blocks in between
   share one list. */
static bool list_handlers(struct flow_builder *state, struct block *block)
{
    const struct bytecode *bytecode = state->bytecode;
    uint32_t *list = state->pending;
    uint32_t count = 0;
    state->stamp++;
    state->steps += bytecode->code->handler_count;
    for (uint32_t i = 0; i < bytecode->code->handler_count; i++) {
        const struct handler *handler = &bytecode->handlers[i];
        if (block->first < handler->start || block->first >= handler->end)
            continue;
        const uint32_t target = state->flow->block_of[handler->handler];
        if (first_sight(state, target))
            list[count++] = target;
    }
    state->edges += count;
    if (state->edges > MOST_EDGES || state->steps > MOST_STEPS)
        return false;
    block->handlers = arena_copy(state->arena, list, count * sizeof *list, alignof(uint32_t));
    block->handler_count = count;
    return block->handlers;
}

static bool make_handlers(struct flow_builder *state)
{
    struct flow *flow = state->flow;
    if (state->bytecode->code->handler_count == 0)
        return true;
    for (uint32_t i = 0; i < flow->count; i++) {
        struct block *block = &flow->blocks[i];
        if (state->marks[block->first] & CHANGES_HANDLERS) {
            if (!list_handlers(state, block))
                return false;
        } else {
            block->handlers = flow->blocks[i - 1].handlers;
            block->handler_count = flow->blocks[i - 1].handler_count;
        }
    }
    return true;
}

/* ---- subroutines ---- */

static void push(struct flow_builder *state, uint32_t block)
{
    if (first_sight(state, block))
        state->pending[state->pending_count++] = block;
}

static void push_edges(struct flow_builder *state, const struct block *block)
{
    for (uint32_t i = 0; i < block->successor_count; i++)
        push(state, block->successors[i]);
    for (uint32_t i = 0; i < block->handler_count; i++)
        push(state, block->handlers[i]);
    state->steps += block->successor_count + block->handler_count + 1;
}

static bool is_call(const struct flow_builder *state, uint32_t block)
{
    return flow_of(last_of(state, block)) == FLOW_CALL;
}

/* Where the call comes back to; a dead jsr may be the last instruction. */
static void push_behind(struct flow_builder *state, uint32_t call)
{
    if (call + 1 < state->flow->count)
        push(state, call + 1);
}

/* The local that a subroutine keeps its return address in, if it starts by storing it. */
static bool return_local(const struct flow_builder *state, const struct subroutine *subroutine,
                         uint16_t *local)
{
    const struct instruction *first =
        &state->bytecode->instructions[state->flow->blocks[subroutine->start].first];
    if (first->opcode == OP_ASTORE)
        *local = first->operand;
    else if (first->opcode >= OP_ASTORE_0 && first->opcode <= OP_ASTORE_3)
        *local = (uint16_t)(first->opcode - OP_ASTORE_0);
    else
        return false;
    return true;
}

/* A subroutine may call others and may return from inside them, so all that can be reached counts,
   but only rets that use its own return address. */
static bool find_rets(struct flow_builder *state, struct subroutine *subroutine)
{
    const struct flow *flow = state->flow;
    uint16_t local = 0;
    const bool known = return_local(state, subroutine, &local);
    uint32_t *rets = ARENA_ARRAY(state->arena, uint32_t, flow->count);
    if (!rets)
        return false;
    state->stamp++;
    push(state, subroutine->start);
    while (state->pending_count > 0) {
        const uint32_t block = state->pending[--state->pending_count];
        const struct instruction *last = last_of(state, block);
        if (flow_of(last) == FLOW_RET && (!known || last->operand == local))
            rets[subroutine->ret_count++] = block;
        push_edges(state, &flow->blocks[block]);
        if (is_call(state, block))
            push_behind(state, block);
    }
    subroutine->rets = rets;
    state->edges += flow->count;
    return state->steps <= MOST_STEPS && state->edges <= MOST_EDGES;
}

static bool count_calls(struct flow_builder *state, uint32_t *calls)
{
    struct flow *flow = state->flow;
    *calls = 0;
    for (uint32_t i = 0; i < flow->count; i++)
        *calls += is_call(state, i);
    if (*calls == 0)
        return true;
    state->subroutine_at =
        arena_allocate_zeroed(state->arena, flow->count * sizeof(uint32_t), alignof(uint32_t));
    state->subroutines = arena_allocate_zeroed(state->arena, *calls * sizeof *state->subroutines,
                                               alignof(struct subroutine));
    return state->subroutine_at && state->subroutines;
}

static struct subroutine *called_by(const struct flow_builder *state, uint32_t block)
{
    const uint32_t start = state->flow->block_of[last_of(state, block)->target];
    return &state->subroutines[state->subroutine_at[start] - 1];
}

/* The subroutines, each with its calls: counted first, then listed in one array cut to size. */
static bool group_calls(struct flow_builder *state, uint32_t calls)
{
    struct flow *flow = state->flow;
    for (uint32_t i = 0; i < flow->count; i++) {
        if (!is_call(state, i))
            continue;
        const uint32_t start = flow->block_of[last_of(state, i)->target];
        if (state->subroutine_at[start] == 0) {
            state->subroutines[state->subroutine_count++].start = start;
            state->subroutine_at[start] = state->subroutine_count;
        }
        called_by(state, i)->call_count++;
    }
    uint32_t *pool = ARENA_ARRAY(state->arena, uint32_t, calls);
    if (!pool)
        return false;
    for (uint32_t i = 0; i < state->subroutine_count; i++) {
        state->subroutines[i].calls = pool;
        pool += state->subroutines[i].call_count;
        state->subroutines[i].call_count = 0;
    }
    for (uint32_t i = 0; i < flow->count; i++) {
        if (is_call(state, i)) {
            struct subroutine *subroutine = called_by(state, i);
            subroutine->calls[subroutine->call_count++] = i;
        }
    }
    return true;
}

static bool find_subroutines(struct flow_builder *state)
{
    uint32_t calls;
    if (!count_calls(state, &calls))
        return false;
    if (calls == 0)
        return true;
    if (!group_calls(state, calls))
        return false;
    for (uint32_t i = 0; i < state->subroutine_count; i++) {
        if (!find_rets(state, &state->subroutines[i]))
            return false;
    }
    return true;
}

/* ---- what can be executed ---- */

static bool ends_in(struct flow_builder *state, const struct subroutine *subroutine, uint32_t ret)
{
    state->steps += subroutine->ret_count + 1;
    for (uint32_t i = 0; i < subroutine->ret_count; i++) {
        if (subroutine->rets[i] == ret)
            return true;
    }
    return false;
}

/* A ret was reached: the subroutines that it ends come back to their reached calls. */
static void reach_ret(struct flow_builder *state, uint32_t block)
{
    for (uint32_t i = 0; i < state->subroutine_count; i++) {
        struct subroutine *subroutine = &state->subroutines[i];
        if (subroutine->returns || !ends_in(state, subroutine, block))
            continue;
        subroutine->returns = true;
        for (uint32_t j = 0; j < subroutine->call_count; j++) {
            if (state->flow->blocks[subroutine->calls[j]].reachable)
                push_behind(state, subroutine->calls[j]);
        }
    }
}

static bool find_reachable(struct flow_builder *state)
{
    struct flow *flow = state->flow;
    state->stamp++;
    push(state, 0);
    while (state->pending_count > 0) {
        const uint32_t number = state->pending[--state->pending_count];
        struct block *block = &flow->blocks[number];
        block->reachable = true;
        push_edges(state, block);
        if (state->subroutine_count == 0)
            continue;
        if (is_call(state, number) && called_by(state, number)->returns)
            push_behind(state, number);
        if (flow_of(last_of(state, number)) == FLOW_RET)
            reach_ret(state, number);
        if (state->steps > MOST_STEPS)
            return false;
    }
    return true;
}

/* Where subroutine calls that can be executed go on. */
static bool list_ret_successors(struct flow_builder *state, uint32_t number)
{
    struct flow *flow = state->flow;
    uint32_t *list = state->pending;
    uint32_t count = 0;
    state->stamp++;
    for (uint32_t i = 0; i < state->subroutine_count; i++) {
        const struct subroutine *subroutine = &state->subroutines[i];
        const bool ends = ends_in(state, subroutine, number);
        for (uint32_t j = 0; ends && j < subroutine->call_count; j++) {
            const uint32_t call = subroutine->calls[j];
            if (flow->blocks[call].reachable && call + 1 < flow->count &&
                first_sight(state, call + 1))
                list[count++] = call + 1;
        }
        state->steps += subroutine->call_count;
    }
    state->edges += count;
    if (state->edges > MOST_EDGES || state->steps > MOST_STEPS)
        return false;
    struct block *block = &flow->blocks[number];
    block->successors = arena_copy(state->arena, list, count * sizeof *list, alignof(uint32_t));
    block->successor_count = count;
    return block->successors;
}

static bool make_ret_successors(struct flow_builder *state)
{
    for (uint32_t i = 0; state->subroutine_count > 0 && i < state->flow->count; i++) {
        if (flow_of(last_of(state, i)) == FLOW_RET && !list_ret_successors(state, i))
            return false;
    }
    return true;
}

bool flow_build(struct flow *flow, struct arena *arena, const struct bytecode *bytecode)
{
    *flow = (struct flow){.bytecode = bytecode};
    struct flow_builder state = {.flow = flow, .arena = arena, .bytecode = bytecode};
    state.marks = arena_allocate_zeroed(arena, bytecode->count + (size_t)1, 1);
    if (!state.marks)
        return false;
    mark_starts(&state);
    if (!make_blocks(&state) || !make_successors(&state) || !make_handlers(&state) ||
        !find_subroutines(&state))
        return false;
    return find_reachable(&state) && make_ret_successors(&state);
}

void flow_explain(const struct arena *arena, struct problem *problem)
{
    problem_set(problem, PROBLEM_NO_OFFSET, "%s",
                arena->failed ? "out of memory"
                              : "the code has more branches and handlers than can be followed");
}
