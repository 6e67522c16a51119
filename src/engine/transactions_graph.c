/*
 * What comes after the transactions that are going on.
 *
 * The row of a transaction B gives, for each thread, the first position from which on the thread's
 * operations come after B; as a thread's transactions come after each other, so do all later ones.
 * With an edge from an operation X to the operation that happens now, in transaction C:
 *
 *   - it closes a cycle exactly when X is in the row of C;
 *   - for each B that X belongs to, or in whose row X is, C and all that is in the row of C comes
 *     after B from now on.
 *
 * That keeps rows exact: if C was in the row of B already, so was everything in the row of C, and
 * what is added to the row of C later is added to that of B by the same rule. A transaction that
 * has ended gets no more edges into it; if it is in no row then, it never will be, and edges out
 * of it can be on no cycle. An operation outside of blocks has nothing after it when it happens, so
 * it needs no row, and for the same reason closes no cycle.
 *
 * Operations outside of blocks that follow each other without a new edge into them share a
 * position: whatever comes before the last of them comes before the first.
 *
 * An edge from X to a thread need not be looked at if there was one from the same or a later
 * position of the thread of X: what comes after X comes after it on that way already, and should
 * the way back come to be, the cycle is closed where that happens. For the same reason the cycle is
 * not told again with each operation of a transaction behind the one that closed it.
 *
 * Nested blocks have rows as well, which say what comes after operations inside the block. They
 * only serve to name the innermost block that is violated. A block has everything in its row that
 * the blocks in it have.
 */
#include <string.h>

#include "base/memory.h"
#include "engine/transactions_internal.h"

#define ROW_SLOTS_FIRST 16u
#define SLOT_BYTES (sizeof(uint64_t) + sizeof(uint32_t) + sizeof(uint16_t))

static inline uint64_t reach(const struct row *row, uint32_t slot)
{
    return row && slot < row->capacity ? row->positions[slot] : POSITION_NONE;
}

/* Makes room for `slots` slots. */
static bool row_grow(struct transactions *transactions, struct row *row, uint32_t slots)
{
    if (slots <= row->capacity)
        return true;
    uint32_t capacity = row->capacity ? row->capacity : ROW_SLOTS_FIRST;
    while (capacity < slots)
        capacity *= 2;
    size_t more = (capacity - row->capacity) * SLOT_BYTES;
    if (more > transactions->options.row_bytes - transactions->row_bytes)
        return false;
    char *memory = memory_allocate(capacity * SLOT_BYTES);
    if (!memory)
        return false;
    uint64_t *positions = (uint64_t *)(void *)memory;
    uint32_t *steps = (uint32_t *)(void *)(positions + capacity);
    uint16_t *list = (uint16_t *)(void *)(steps + capacity);
    if (row->capacity) {
        memcpy(positions, row->positions, row->capacity * sizeof *positions);
        memcpy(steps, row->steps, row->capacity * sizeof *steps);
        memcpy(list, row->slots, row->count * sizeof *list);
    }
    memset(positions + row->capacity, 0xFF, (capacity - row->capacity) * sizeof *positions);
    memory_release(row->positions);
    row->positions = positions;
    row->steps = steps;
    row->slots = list;
    row->capacity = capacity;
    transactions->row_bytes += more;
    return true;
}

static struct row *row_new(struct transactions *transactions)
{
    struct row *row = transactions->free_rows;
    if (row) {
        transactions->free_rows = row->next_free;
        return row;
    }
    if (sizeof *row > transactions->options.row_bytes - transactions->row_bytes)
        return NULL;
    row = memory_allocate(sizeof *row);
    if (!row)
        return NULL;
    memset(row, 0, sizeof *row);
    transactions->row_bytes += sizeof *row;
    return row;
}

static void row_drop(struct transactions *transactions, struct row *row, bool outermost)
{
    if (!row)
        return;
    for (uint32_t index = 0; index < row->count; index++) {
        uint32_t slot = row->slots[index];
        row->positions[slot] = POSITION_NONE;
        transactions_step_drop(transactions, row->steps[slot]);
        if (outermost)
            transactions->slots[slot]->reached--;
    }
    row->count = 0;
    row->next_free = transactions->free_rows;
    transactions->free_rows = row;
}

/* Takes over the reference of `step`. There is room for the slot. */
static void row_set(struct transactions *transactions, struct row *row, bool outermost,
                    uint32_t slot, uint64_t position, uint32_t step)
{
    if (row->positions[slot] == POSITION_NONE) {
        row->slots[row->count++] = (uint16_t)slot;
        if (outermost)
            transactions->slots[slot]->reached++;
    } else {
        transactions_step_drop(transactions, row->steps[slot]);
    }
    row->positions[slot] = position;
    row->steps[slot] = step;
}

/* The row with room for all slots that the target, or its row, needs. */
static struct row *row_for(struct transactions *transactions, struct level *level,
                           const struct transactions_thread *target)
{
    uint32_t slots = target->slot + 1;
    if (target->published && target->levels[0].row && target->levels[0].row->capacity > slots)
        slots = target->levels[0].row->capacity;
    struct row *row = level->row ? level->row : row_new(transactions);
    if (!row)
        return NULL;
    level->row = row;
    return row_grow(transactions, row, slots) ? row : NULL;
}

/* The operation gets a position of its own. What the thread did before in the same transaction is
   then told from what it does after the edge. */
static void move(struct event *event)
{
    if (event->moved)
        return;
    event->moved = true;
    event->thread->position++;
    event->conflict.later.stamp = stamp_of(event->thread->slot, event->thread->position);
}

/* The event's thread comes after the level: by the conflict, to which `before` leads. */
static void level_extend(struct transactions *transactions, struct level *level, bool outermost,
                         uint32_t before, struct event *event)
{
    struct transactions_thread *target = event->thread;
    uint64_t goal = target->published ? thread_start_position(target) : target->position;
    if (reach(level->row, target->slot) <= goal)
        return;
    move(event);
    if (!target->published)
        goal = target->position;
    struct row *row = row_for(transactions, level, target);
    if (!row) {
        transactions->lost += outermost;
        return;
    }
    uint32_t step = transactions_step_new(transactions, before, &event->conflict);
    /* One more reference: in a cycle the target may come after itself, and earlier. */
    transactions_step_keep(transactions, step);
    row_set(transactions, row, outermost, target->slot, goal, step);
    const struct row *more = target->published ? target->levels[0].row : NULL;
    for (uint32_t index = 0; more && index < more->count; index++) {
        uint32_t slot = more->slots[index];
        if (row->positions[slot] <= more->positions[slot])
            continue;
        uint32_t way = transactions_step_join(transactions, step, more->steps[slot]);
        row_set(transactions, row, outermost, slot, more->positions[slot], way);
    }
    transactions_step_drop(transactions, step);
}

/* Adds the event to all blocks of `thread` that the conflict's earlier operation is in, or is
   after. */
static void thread_extend(struct transactions *transactions, struct transactions_thread *thread,
                          struct event *event)
{
    uint32_t slot = stamp_slot(event->conflict.earlier.stamp);
    uint64_t position = stamp_position(event->conflict.earlier.stamp);
    for (uint32_t index = 0; index < thread->published; index++) {
        struct level *level = &thread->levels[index];
        uint32_t before = STEP_HERE;
        if (slot != thread->slot || position < level->entered) {
            if (reach(level->row, slot) > position)
                break;
            before = level->row->steps[slot];
        }
        level_extend(transactions, level, index == 0, before, event);
    }
}

/* The conflict closes a cycle of the event's own transaction. */
static void note_cycle(struct event *event)
{
    const struct transactions_thread *thread = event->thread;
    uint32_t slot = stamp_slot(event->conflict.earlier.stamp);
    uint64_t position = stamp_position(event->conflict.earlier.stamp);
    uint32_t level = thread->published - 1;
    while (level && reach(thread->levels[level].row, slot) > position)
        level--;
    if (event->closes && level <= event->level)
        return;
    event->closes = true;
    event->level = level;
    event->closing = event->conflict;
}

/* True when edges from there have been added already; if not, they are from now on. Without memory
   they are looked at each time. */
static bool is_known(struct transactions *transactions, struct transactions_thread *thread,
                     uint32_t slot, uint64_t position)
{
    if (slot >= thread->known_capacity) {
        uint32_t capacity = thread->known_capacity ? thread->known_capacity : ROW_SLOTS_FIRST;
        while (capacity <= slot)
            capacity *= 2;
        size_t more = (capacity - thread->known_capacity) * sizeof *thread->known;
        if (more > transactions->options.row_bytes - transactions->row_bytes)
            return false;
        uint64_t *known = memory_resize(thread->known, capacity * sizeof *known);
        if (!known)
            return false;
        memset(known + thread->known_capacity, 0, more);
        thread->known = known;
        thread->known_capacity = capacity;
        transactions->row_bytes += more;
    }
    if (thread->known[slot] >= position)
        return true;
    thread->known[slot] = position;
    return false;
}

bool transactions_graph_add(struct transactions *transactions, struct event *event)
{
    uint32_t slot = stamp_slot(event->conflict.earlier.stamp);
    uint64_t position = stamp_position(event->conflict.earlier.stamp);
    if (is_known(transactions, event->thread, slot, position))
        return true;
    struct transactions_thread *source = transactions->slots[slot];
    bool inside = source->published && position >= thread_start_position(source);
    bool matters = inside;
    if (inside)
        thread_extend(transactions, source, event);
    uint32_t count = source->reached
                         ? atomic_load_explicit(&transactions->active_count, memory_order_relaxed)
                         : 0;
    for (uint32_t index = 0; index < count; index++) {
        struct transactions_thread *thread = transactions->active[index];
        if (reach(thread->levels[0].row, slot) > position)
            continue;
        matters = true;
        if (thread == event->thread)
            note_cycle(event);
        else if (thread != source || !inside)
            thread_extend(transactions, thread, event);
    }
    return matters;
}

bool transactions_graph_matters(const struct transactions *transactions, uint64_t stamp)
{
    uint32_t slot = stamp_slot(stamp);
    uint64_t position = stamp_position(stamp);
    const struct transactions_thread *source = transactions->slots[slot];
    if (source->published && position >= thread_start_position(source))
        return true;
    uint32_t count = source->reached
                         ? atomic_load_explicit(&transactions->active_count, memory_order_relaxed)
                         : 0;
    for (uint32_t index = 0; index < count; index++)
        if (reach(transactions->active[index]->levels[0].row, slot) <= position)
            return true;
    return false;
}

void transactions_graph_find_oldest(struct transactions *transactions)
{
    uint64_t *oldest = transactions->oldest;
    for (uint32_t slot = 0; slot <= transactions->slot_count; slot++)
        oldest[slot] = POSITION_NONE;
    uint32_t count = atomic_load_explicit(&transactions->active_count, memory_order_relaxed);
    for (uint32_t index = 0; index < count; index++) {
        const struct transactions_thread *thread = transactions->active[index];
        if (thread_start_position(thread) < oldest[thread->slot])
            oldest[thread->slot] = thread_start_position(thread);
        const struct row *row = thread->levels[0].row;
        for (uint32_t place = 0; row && place < row->count; place++) {
            uint32_t slot = row->slots[place];
            if (row->positions[slot] < oldest[slot])
                oldest[slot] = row->positions[slot];
        }
    }
}

void transactions_graph_leave(struct transactions *transactions, struct transactions_thread *thread,
                              uint32_t depth)
{
    if (thread->published <= depth)
        return;
    for (uint32_t index = depth; index < thread->published; index++) {
        row_drop(transactions, thread->levels[index].row, index == 0);
        thread->levels[index].row = NULL;
    }
    thread->published = depth;
    if (depth)
        return;
    uint32_t last = atomic_load_explicit(&transactions->active_count, memory_order_relaxed) - 1;
    struct transactions_thread *moved = transactions->active[last];
    transactions->active[thread->active_index] = moved;
    moved->active_index = thread->active_index;
    atomic_store_explicit(&transactions->active_count, last, memory_order_relaxed);
}

void transactions_graph_release(struct transactions *transactions)
{
    for (uint32_t slot = 1; slot <= transactions->slot_count; slot++)
        transactions_graph_leave(transactions, transactions->slots[slot], 0);
    for (struct row *row = transactions->free_rows, *next; row; row = next) {
        next = row->next_free;
        memory_release(row->positions);
        memory_release(row);
    }
    transactions->free_rows = NULL;
}
