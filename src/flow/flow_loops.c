/*
 * The order in which blocks are executed, where loops begin, and what they assign.
 */
#include <stdlib.h>
#include <string.h>

#include "flow/flow_internal.h"

/* Steps that looking for loops may take; then every local counts as assigned. */
enum { MOST_STEPS = 1 << 22 };

enum color { COLOR_NEW, COLOR_OPEN, COLOR_DONE };

struct visit {
    uint32_t block, next; /* edge to follow next */
};

struct loop_search {
    struct flow_run *run;
    uint8_t *colors;
    uint32_t *first_source; /* by block, and one more: where its predecessors stand in `sources` */
    uint32_t *sources;
    uint64_t *stores; /* by block: set of the locals that it assigns */
    uint32_t words;   /* of a set */
    uint32_t *stack;
    uint32_t *seen; /* by block: the header that was looked at last, plus one */
    uint64_t steps;
    struct join_input *back_edges; /* join: header, input: where the edge comes from */
    uint32_t back_edge_count, back_edge_room;
};

bool flow_can_throw(const struct flow_run *run, const struct instruction *instruction)
{
    uint8_t opcode = instruction->opcode;
    switch (opcode) {
    case OP_LDC:
    case OP_LDC_W: {
        uint8_t tag = run->flow->bytecode.class_file->constants[instruction->operand].tag;
        return tag != CONSTANT_INTEGER && tag != CONSTANT_FLOAT && tag != CONSTANT_STRING;
    }
    case OP_LDC2_W:
        return run->flow->bytecode.class_file->constants[instruction->operand].tag ==
               CONSTANT_DYNAMIC;
    case OP_IDIV:
    case OP_LDIV:
    case OP_IREM:
    case OP_LREM:
    case OP_MULTIANEWARRAY:
        return true;
    default:
        /* The compiler's handler of a synchronized block protects its own monitorexit. */
        return (opcode >= OP_IALOAD && opcode <= OP_SALOAD) ||
               (opcode >= OP_IASTORE && opcode <= OP_SASTORE) ||
               (opcode >= OP_GETSTATIC && opcode <= OP_MONITORENTER);
    }
}

static bool block_throws(struct flow_run *run, const struct block *block)
{
    if (!block->handler_count)
        return false;
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct instruction *instruction = &run->flow->bytecode.instructions[i];
        if (!flow_can_throw(run, instruction))
            continue;
        if (instruction->opcode < OP_INVOKEVIRTUAL || instruction->opcode > OP_INVOKEDYNAMIC)
            return true;
        const struct call_use *use = flow_call_use(run, i);
        if (!use || !use->releases)
            return true;
    }
    return false;
}

int32_t flow_assigned_local(const struct instruction *instruction, unsigned *slots)
{
    uint8_t opcode = instruction->opcode;
    *slots = 1;
    if (opcode == OP_IINC)
        return instruction->operand;
    if (opcode < OP_ISTORE || opcode > OP_ASTORE_3)
        return -1;
    const char *pops = opcode_infos[opcode].pops;
    *slots = pops[0] == 'J' || pops[0] == 'D' ? 2 : 1;
    return opcode >= OP_ISTORE_0 ? (opcode - OP_ISTORE_0) % 4 : instruction->operand;
}

/* ---- order ---- */

/* The block that an edge leads to; UINT32_MAX behind the last edge. */
static uint32_t edge_target(const struct flow_run *run, uint32_t number, uint32_t edge)
{
    const struct block *block = &run->blocks.blocks[number];
    if (edge < block->successor_count)
        return block->successors[edge];
    edge -= block->successor_count;
    if (run->throws[number] && edge < block->handler_count)
        return block->handlers[edge];
    return UINT32_MAX;
}

static bool note_back_edge(struct loop_search *search, uint32_t from, uint32_t header)
{
    if (search->back_edge_count == search->back_edge_room) {
        uint32_t room = search->back_edge_room ? search->back_edge_room * 2 : 16;
        struct join_input *edges = ARENA_ARRAY(search->run->scratch, struct join_input, room);
        if (!edges)
            return false;
        if (search->back_edge_count)
            memcpy(edges, search->back_edges, search->back_edge_count * sizeof *edges);
        search->back_edges = edges;
        search->back_edge_room = room;
    }
    search->back_edges[search->back_edge_count++] = (struct join_input){header, from};
    return true;
}

/* Depth first; what is finished last comes first. */
static bool order_blocks(struct loop_search *search)
{
    struct flow_run *run = search->run;
    uint32_t count = run->blocks.count;
    struct visit *stack = ARENA_ARRAY(run->scratch, struct visit, count);
    if (!stack)
        return false;
    uint32_t depth = 0, position = count;
    stack[depth++] = (struct visit){0, 0};
    search->colors[0] = COLOR_OPEN;
    while (depth > 0) {
        struct visit *top = &stack[depth - 1];
        uint32_t target = edge_target(run, top->block, top->next++);
        if (target == UINT32_MAX) {
            search->colors[top->block] = COLOR_DONE;
            run->order[--position] = top->block;
            depth--;
        } else if (search->colors[target] == COLOR_NEW) {
            search->colors[target] = COLOR_OPEN;
            stack[depth++] = (struct visit){target, 0};
        } else if (search->colors[target] == COLOR_OPEN &&
                   !note_back_edge(search, top->block, target)) {
            return false;
        }
    }
    run->order_count = count - position;
    memmove(run->order, run->order + position, run->order_count * sizeof *run->order);
    for (uint32_t i = 0; i < count; i++)
        run->rank[i] = UINT32_MAX;
    for (uint32_t i = 0; i < run->order_count; i++)
        run->rank[run->order[i]] = i;
    return true;
}

/* ---- loops ---- */

static bool list_sources(struct loop_search *search)
{
    struct flow_run *run = search->run;
    uint32_t count = run->blocks.count;
    search->first_source = arena_allocate_zeroed(
        run->scratch, ((size_t)count + 2) * sizeof(uint32_t), alignof(uint32_t));
    if (!search->first_source)
        return false;
    uint32_t *first = search->first_source;
    size_t edges = 0;
    for (uint32_t i = 0; i < run->order_count; i++) {
        uint32_t target, edge = 0;
        while ((target = edge_target(run, run->order[i], edge++)) != UINT32_MAX) {
            first[target + 2]++;
            edges++;
        }
    }
    for (uint32_t i = 2; i < count + 2; i++)
        first[i] += first[i - 1];
    search->sources = ARENA_ARRAY(run->scratch, uint32_t, edges);
    if (!search->sources)
        return false;
    for (uint32_t i = 0; i < run->order_count; i++) {
        uint32_t target, edge = 0;
        while ((target = edge_target(run, run->order[i], edge++)) != UINT32_MAX)
            search->sources[first[target + 1]++] = run->order[i];
    }
    return true;
}

static bool list_stores(struct loop_search *search)
{
    struct flow_run *run = search->run;
    search->words = run->local_count / 64 + 1;
    search->stores =
        arena_allocate_zeroed(run->scratch, (size_t)run->blocks.count * search->words * 8, 8);
    if (!search->stores)
        return false;
    for (uint32_t i = 0; i < run->flow->bytecode.count; i++) {
        unsigned slots;
        int32_t local = flow_assigned_local(&run->flow->bytecode.instructions[i], &slots);
        uint64_t *set = search->stores + (size_t)run->blocks.block_of[i] * search->words;
        for (unsigned slot = 0; local >= 0 && slot < slots; slot++) {
            uint32_t number = (uint32_t)local + slot;
            if (number < run->local_count)
                set[number / 64] |= UINT64_C(1) << number % 64;
        }
    }
    return true;
}

/* Adds everything from which `from` can be reached without passing the header. */
static void collect_loop(struct loop_search *search, uint32_t header, uint32_t from)
{
    struct flow_run *run = search->run;
    uint64_t *assigned = run->loops[header].assigned;
    uint32_t depth = 0;
    if (search->seen[from] != header + 1)
        search->stack[depth++] = from;
    search->seen[from] = header + 1;
    while (depth > 0) {
        uint32_t block = search->stack[--depth];
        run->in_loop[block] = true;
        for (uint32_t i = 0; i < search->words; i++)
            assigned[i] |= search->stores[(size_t)block * search->words + i];
        if (block == header)
            continue;
        search->steps += search->words;
        for (uint32_t i = search->first_source[block]; i < search->first_source[block + 1]; i++) {
            search->steps++;
            if (search->seen[search->sources[i]] == header + 1)
                continue;
            search->seen[search->sources[i]] = header + 1;
            search->stack[depth++] = search->sources[i];
        }
    }
}

static int by_header(const void *left, const void *right)
{
    const struct join_input *a = left, *b = right;
    if (a->join != b->join)
        return a->join < b->join ? -1 : 1;
    return a->input < b->input ? -1 : a->input > b->input;
}

static bool find_loops(struct loop_search *search)
{
    struct flow_run *run = search->run;
    size_t count = run->blocks.count;
    run->loops = arena_allocate_zeroed(run->scratch, count * sizeof *run->loops, 8);
    run->in_loop = arena_allocate_zeroed(run->scratch, count, 1);
    search->seen = arena_allocate_zeroed(run->scratch, count * sizeof(uint32_t), 4);
    search->stack = ARENA_ARRAY(run->scratch, uint32_t, count);
    if (!run->loops || !run->in_loop || !search->seen || !search->stack || !list_sources(search) ||
        !list_stores(search))
        return false;
    qsort(search->back_edges, search->back_edge_count, sizeof *search->back_edges, by_header);
    for (uint32_t i = 0; i < search->back_edge_count; i++) {
        uint32_t header = search->back_edges[i].join;
        struct loop *loop = &run->loops[header];
        if (!loop->assigned)
            loop->assigned = arena_allocate_zeroed(run->scratch, (size_t)search->words * 8, 8);
        if (!loop->assigned)
            return false;
        run->in_loop[header] = true;
        if (search->steps < MOST_STEPS) {
            collect_loop(search, header, search->back_edges[i].input);
        } else {
            memset(loop->assigned, 0xFF, (size_t)search->words * 8);
            memset(run->in_loop, 1, count);
        }
    }
    return true;
}

bool flow_loops_find(struct flow_run *run)
{
    struct loop_search search = {.run = run};
    size_t count = run->blocks.count;
    run->order = ARENA_ARRAY(run->scratch, uint32_t, count);
    run->rank = ARENA_ARRAY(run->scratch, uint32_t, count);
    run->throws = ARENA_ARRAY(run->scratch, bool, count);
    search.colors = arena_allocate_zeroed(run->scratch, count, 1);
    if (!run->order || !run->rank || !run->throws || !search.colors)
        return false;
    for (uint32_t i = 0; i < count; i++)
        run->throws[i] = block_throws(run, &run->blocks.blocks[i]);
    if (run->failed || !order_blocks(&search))
        return false;
    return !search.back_edge_count || find_loops(&search);
}
