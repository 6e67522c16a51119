/*
 * States of blocks: how they meet; places, and objects that nobody else knows.
 */
#include <string.h>

#include "flow/flow_internal.h"

bool flow_states_init(struct flow_run *run)
{
    size_t places = (size_t)run->local_count + run->stack_limit;
    size_t count = run->blocks.count;
    run->at = arena_allocate_zeroed(run->scratch, count * sizeof *run->at, 8);
    run->pending = arena_allocate_zeroed(run->scratch, count, 1);
    run->now = (struct flow_state){.lock_room = MOST_LOCKS};
    run->now.places = ARENA_ARRAY(run->scratch, term, places + 1);
    run->now.locks = ARENA_ARRAY(run->scratch, struct held_lock, MOST_LOCKS);
    run->now.fresh = ARENA_ARRAY(run->scratch, term, MOST_FRESH);
    run->now.parts = ARENA_ARRAY(run->scratch, struct fresh_part, MOST_PARTS);
    run->now.part_room = MOST_PARTS;
    return run->at && run->pending && run->now.places && run->now.locks && run->now.fresh &&
           run->now.parts;
}

void flow_states_clear(struct flow_run *run)
{
    for (uint32_t i = 0; i < run->blocks.count; i++)
        run->at[i].reached = false;
}

void flow_state_load(struct flow_run *run, uint32_t block)
{
    const struct flow_state *from = &run->at[block];
    struct flow_state *now = &run->now;
    memcpy(now->places, from->places,
           ((size_t)run->local_count + from->stack_count) * sizeof *now->places);
    if (from->lock_count)
        memcpy(now->locks, from->locks, from->lock_count * sizeof *now->locks);
    if (from->fresh_count)
        memcpy(now->fresh, from->fresh, from->fresh_count * sizeof *now->fresh);
    if (from->part_count)
        memcpy(now->parts, from->parts, from->part_count * sizeof *now->parts);
    now->stack_count = from->stack_count;
    now->lock_count = from->lock_count;
    now->fresh_count = from->fresh_count;
    now->part_count = from->part_count;
    run->set_now = UINT32_MAX;
    run->handlers_behind = true;
}

/* ---- fresh objects ---- */

static bool is_in(const term *terms, uint32_t count, term value)
{
    for (uint32_t i = 0; i < count; i++)
        if (terms[i] == value)
            return true;
    return false;
}

bool flow_state_is_fresh(const struct flow_state *state, term object)
{
    return is_in(state->fresh, state->fresh_count, object);
}

bool flow_state_drop_fresh(struct flow_state *state, term object)
{
    for (uint32_t i = 0; i < state->fresh_count; i++)
        if (state->fresh[i] == object) {
            state->fresh_count--;
            memmove(&state->fresh[i], &state->fresh[i + 1],
                    (state->fresh_count - i) * sizeof *state->fresh);
            flow_parts_forget(state, object);
            return true;
        }
    return false;
}

/* Others know the value, or it can no longer be followed. */
static bool drop(struct flow_state *state, const struct flow_state *known, term value)
{
    const bool was_part = flow_parts_escape(state, known, value);
    return flow_state_drop_fresh(state, value) || was_part;
}

bool flow_is_fresh(const struct flow_run *run, term value)
{
    return flow_state_is_fresh(&run->now, value);
}

void flow_add_fresh(struct flow_run *run, term value)
{
    flow_state_drop_fresh(&run->now, value);
    flow_parts_escape(&run->now, &run->now, value);
    if (run->now.fresh_count == MOST_FRESH)
        flow_state_drop_fresh(&run->now, run->now.fresh[0]);
    run->now.fresh[run->now.fresh_count++] = value;
    run->handlers_behind = true;
}

void flow_escape(struct flow_run *run, term value)
{
    if (drop(&run->now, &run->now, value))
        run->handlers_behind = run->escaped = true;
}

/* ---- meeting ---- */

static void mark_pending(struct flow_run *run, uint32_t block)
{
    uint32_t rank = run->rank[block];
    run->pending[rank] = true;
    if (rank < run->lowest)
        run->lowest = rank;
}

/* A value of the state `of` that goes into a join can no longer be followed: so it is not known to
   be fresh. */
static term join_value(struct flow_run *run, struct flow_state *to, const struct flow_state *of,
                       uint32_t block, uint32_t place, term value)
{
    term join = flow_make(run, TERM_JOIN, block, place);
    flow_note_join(run, join, value);
    run->escaped |= drop(to, of, value);
    return join;
}

static bool is_assigned(const struct loop *loop, uint32_t local)
{
    return loop->assigned[local / 64] >> local % 64 & 1;
}

/* The first state of a block where a loop begins: what the loop changes is not what it was. */
static void begin_loop(struct flow_run *run, struct flow_state *to, uint32_t block, bool handler)
{
    const struct loop *loop = &run->loops[block];
    for (uint32_t i = 0; i < run->local_count; i++)
        if (to->places[i] != TERM_NONE && is_assigned(loop, i))
            to->places[i] = join_value(run, to, to, block, i, to->places[i]);
    for (uint32_t i = 0; i < to->stack_count && !handler; i++) {
        uint32_t place = run->local_count + i;
        if (to->places[place] != TERM_NONE)
            to->places[place] = join_value(run, to, to, block, place, to->places[place]);
    }
}

static bool make_room(struct flow_run *run, struct flow_state *to, uint32_t places)
{
    const struct flow_state *from = &run->now;
    const uint32_t part_room = from->fresh_count ? from->part_count + MORE_PARTS : 0;
    size_t bytes = places * sizeof(term) + from->lock_count * sizeof(struct held_lock) +
                   from->fresh_count * sizeof(term) + part_room * sizeof(struct fresh_part) +
                   sizeof *to;
    run->state_bytes += bytes;
    if (run->state_bytes > MOST_STATE_BYTES) {
        flow_fail(run, "the method is too large to be executed");
        return false;
    }
    to->places = ARENA_ARRAY(run->scratch, term, places);
    to->locks = ARENA_ARRAY(run->scratch, struct held_lock, from->lock_count);
    to->fresh = ARENA_ARRAY(run->scratch, term, from->fresh_count);
    to->parts = ARENA_ARRAY(run->scratch, struct fresh_part, part_room);
    to->lock_room = from->lock_count;
    to->part_room = part_room < MOST_PARTS ? part_room : MOST_PARTS;
    if (to->places && to->locks && to->fresh && to->parts)
        return true;
    flow_fail_memory(run);
    return false;
}

/* `places` of run->now go on to the block. */
static void first_state(struct flow_run *run, uint32_t block, uint32_t places, uint32_t stack_count)
{
    struct flow_state *to = &run->at[block];
    const struct flow_state *from = &run->now;
    if (!make_room(run, to, run->local_count + stack_count))
        return;
    memcpy(to->places, from->places, places * sizeof *to->places);
    memcpy(to->locks, from->locks, from->lock_count * sizeof *to->locks);
    memcpy(to->fresh, from->fresh, from->fresh_count * sizeof *to->fresh);
    flow_parts_begin(to, from, places);
    to->stack_count = stack_count;
    to->lock_count = from->lock_count;
    to->fresh_count = from->fresh_count;
    to->reached = true;
    mark_pending(run, block);
}

static bool meet_places(struct flow_run *run, struct flow_state *to, uint32_t block,
                        uint32_t places)
{
    const struct flow_state *from = &run->now;
    bool changed = false;
    for (uint32_t i = 0; i < places; i++) {
        term old = to->places[i], value = from->places[i];
        if (old == value || old == TERM_NONE)
            continue;
        if (value == TERM_NONE) {
            to->places[i] = TERM_NONE;
            changed = true;
            continue;
        }
        term join = join_value(run, to, from, block, i, value);
        if (old != join) {
            join_value(run, to, to, block, i, old);
            to->places[i] = join;
            changed = true;
        }
    }
    return changed;
}

static bool meet_fresh(struct flow_state *to, const struct flow_state *from, uint32_t places)
{
    bool changed = false;
    for (uint32_t i = to->fresh_count; i-- > 0;)
        if (!flow_state_is_fresh(from, to->fresh[i]))
            changed |= flow_state_drop_fresh(to, to->fresh[i]);
    return flow_parts_meet(to, from, places) || changed;
}

static void meet_state(struct flow_run *run, uint32_t block, uint32_t places)
{
    struct flow_state *to = &run->at[block];
    run->escaped = false;
    bool changed = meet_places(run, to, block, places);
    changed |= run->escaped;
    changed |= meet_fresh(to, &run->now, places);
    changed |= flow_locks_meet(run, to, &run->now);
    if (changed)
        mark_pending(run, block);
}

/* It goes through so many places, and for each part through them and the other parts. */
static void count_join(struct flow_run *run, uint32_t places)
{
    flow_count_work(run, places);
    if (run->now.part_count)
        flow_count_work(run, run->now.part_count * (run->now.part_count + places));
}

static void join_block(struct flow_run *run, uint32_t block)
{
    struct flow_state *to = &run->at[block];
    uint32_t stack_count = run->now.stack_count;
    uint32_t places = run->local_count + stack_count;
    count_join(run, places);
    if (run->failed)
        return;
    if (!to->reached) {
        first_state(run, block, places, stack_count);
        if (!run->failed && run->loops && run->loops[block].assigned)
            begin_loop(run, to, block, false);
    } else if (to->stack_count != stack_count) {
        flow_fail(run, "stacks of different depths meet");
    } else {
        meet_state(run, block, places);
    }
}

/* Joins with the locks by the names that they have where a loop begins. */
static void join_renamed(struct flow_run *run, uint32_t block,
                         void (*join)(struct flow_run *run, uint32_t block))
{
    if (!run->now.lock_count || !run->loops || !run->loops[block].assigned) {
        join(run, block);
        return;
    }
    struct held_lock locks[MOST_LOCKS];
    uint32_t count = run->now.lock_count;
    memcpy(locks, run->now.locks, count * sizeof *locks);
    flow_locks_begin_loop(run, block);
    if (!run->failed)
        join(run, block);
    memcpy(run->now.locks, locks, count * sizeof *locks);
    run->now.lock_count = count;
}

void flow_state_join(struct flow_run *run, uint32_t block)
{
    join_renamed(run, block, join_block);
}

/* What a handler finds on the stack. */
static term thrown_value(struct flow_run *run, uint32_t block)
{
    uint32_t first = run->blocks.blocks[block].first;
    unsigned slots;
    const struct instruction *instruction = &run->flow->bytecode.instructions[first];
    /* Not if that instruction makes a value of its own. */
    if (instruction->opcode == OP_POP || instruction->opcode == OP_ATHROW ||
        instruction->opcode == OP_DUP || flow_assigned_local(instruction, &slots) >= 0)
        return flow_made(first);
    return flow_make(run, TERM_JOIN, block, run->local_count);
}

/* Code may also go on to a handler without an exception. */
static void meet_thrown(struct flow_run *run, uint32_t block)
{
    term *top = &run->at[block].places[run->local_count];
    term thrown = thrown_value(run, block);
    term join = *top == thrown ? thrown : flow_make(run, TERM_JOIN, block, run->local_count);
    if (*top == thrown || *top == join)
        return;
    drop(&run->at[block], &run->at[block], *top);
    *top = join;
    mark_pending(run, block);
}

static void join_handler(struct flow_run *run, uint32_t block)
{
    struct flow_state *to = &run->at[block];
    count_join(run, run->local_count);
    if (run->failed)
        return;
    if (!to->reached) {
        first_state(run, block, run->local_count, 1);
        if (run->failed)
            return;
        to->places[run->local_count] = thrown_value(run, block);
        if (run->loops && run->loops[block].assigned)
            begin_loop(run, to, block, true);
    } else if (to->stack_count != 1) {
        flow_fail(run, "stacks of different depths meet");
    } else {
        meet_thrown(run, block);
        meet_state(run, block, run->local_count);
    }
}

void flow_state_join_handlers(struct flow_run *run, const struct block *block)
{
    for (uint32_t i = 0; i < block->handler_count && !run->failed; i++)
        join_renamed(run, block->handlers[i], join_handler);
    run->handlers_behind = false;
}

void flow_state_escape_in_handlers(struct flow_run *run, const struct block *block)
{
    for (uint32_t i = 0; i < block->handler_count; i++) {
        struct flow_state *to = &run->at[block->handlers[i]];
        if (to->reached && meet_fresh(to, &run->now, run->local_count))
            mark_pending(run, block->handlers[i]);
    }
}

/* ---- places ---- */

term flow_pop(struct flow_run *run)
{
    if (run->now.stack_count == 0) {
        flow_fail(run, "the stack is empty");
        return TERM_NONE;
    }
    return run->now.places[run->local_count + --run->now.stack_count];
}

term flow_pop_wide(struct flow_run *run, unsigned slots)
{
    if (slots == 2)
        flow_pop(run);
    return flow_pop(run);
}

void flow_push(struct flow_run *run, term value)
{
    if (run->now.stack_count >= run->stack_limit)
        flow_fail(run, "the stack is full");
    else
        run->now.places[run->local_count + run->now.stack_count++] = value;
}

void flow_push_wide(struct flow_run *run, term value, unsigned slots)
{
    if (slots)
        flow_push(run, value);
    if (slots == 2)
        flow_push(run, TERM_NONE);
}

void flow_store(struct flow_run *run, uint32_t local, term value)
{
    if (local >= run->local_count) {
        flow_fail(run, "a local is out of range");
        return;
    }
    run->now.places[local] = value;
    run->handlers_behind = true;
}

term flow_load(struct flow_run *run, uint32_t local)
{
    if (local < run->local_count)
        return run->now.places[local];
    flow_fail(run, "a local is out of range");
    return TERM_NONE;
}
