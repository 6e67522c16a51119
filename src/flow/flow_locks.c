/*
 * Lock sets.
 *
 * A lock may be in a set several times, with different modes: who holds the write lock may take
 * the read lock too. A lock that the program says the caller holds (`known`) stays held when what
 * this method took of it is released.
 *
 * Where a loop begins, a lock that is reached by a local which the loop assigns gets a second name,
 * by the join that the local becomes. If the local leads to a lock that is held on every way, that
 * name stays when sets meet, while the first may not: so is hand-over-hand locking understood. What
 * releases one of the names releases the other.
 */
#include <string.h>

#include "flow/flow_internal.h"

term flow_lock_of(const struct term_table *terms, term object, uint8_t *mode)
{
    struct term_content content = term_content(terms, object);
    *mode = LOCK_EXCLUSIVE;
    if (content.kind == TERM_READ_VIEW)
        *mode = LOCK_SHARED;
    else if (content.kind != TERM_WRITE_VIEW)
        return object;
    return content.a;
}

bool lock_set_has(const struct lock_set *set, term lock, bool for_writing)
{
    for (uint32_t i = 0; i < set->count && lock != TERM_NONE; i++)
        if (set->items[i].lock == lock && (set->items[i].mode == LOCK_EXCLUSIVE ||
                                           (set->items[i].mode == LOCK_SHARED && !for_writing)))
            return true;
    return false;
}

bool lock_set_is_given_up(const struct lock_set *set, term lock)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->items[i].lock == lock && set->items[i].mode == LOCK_GIVEN_UP)
            return true;
    return false;
}

/* ---- changing the set ---- */

static struct held_lock *find(struct flow_run *run, term lock, uint8_t mode)
{
    for (uint32_t i = 0; i < run->now.lock_count; i++)
        if (run->now.locks[i].lock == lock && run->now.locks[i].mode == mode)
            return &run->now.locks[i];
    return NULL;
}

static void note_change(struct flow_run *run)
{
    run->set_now = UINT32_MAX;
    run->handlers_behind = true;
}

static void remove_lock(struct flow_run *run, const struct held_lock *held)
{
    uint32_t index = (uint32_t)(held - run->now.locks);
    run->now.lock_count--;
    memmove(&run->now.locks[index], &run->now.locks[index + 1],
            (run->now.lock_count - index) * sizeof *held);
}

static bool comes_before(const struct held_lock *a, const struct held_lock *b)
{
    return a->lock != b->lock ? a->lock < b->lock : a->mode < b->mode;
}

static void insert(struct flow_run *run, struct held_lock held)
{
    uint32_t index = run->now.lock_count;
    if (index == MOST_LOCKS) {
        flow_fail(run, "the method takes too many locks");
        return;
    }
    for (; index > 0 && comes_before(&held, &run->now.locks[index - 1]); index--)
        run->now.locks[index] = run->now.locks[index - 1];
    run->now.locks[index] = held;
    run->now.lock_count++;
}

void flow_locks_acquire(struct flow_run *run, term lock, uint8_t mode, uint32_t at)
{
    if (lock == TERM_NONE)
        return;
    note_change(run);
    struct held_lock *held = find(run, lock, LOCK_GIVEN_UP);
    if (held) {
        /* Whoever could give it up had it: after this things are as they were. */
        if (--held->depth == 0)
            remove_lock(run, held);
        return;
    }
    held = find(run, lock, mode);
    if (held)
        held->depth = (uint8_t)(held->depth + (held->depth < UINT8_MAX));
    else
        insert(run, (struct held_lock){.lock = lock, .mode = mode, .depth = 1, .at = at});
}

void flow_locks_assert(struct flow_run *run, term lock, uint8_t mode, uint32_t at)
{
    if (lock == TERM_NONE || find(run, lock, mode))
        return;
    note_change(run);
    struct held_lock *given_up = find(run, lock, LOCK_GIVEN_UP);
    if (given_up)
        remove_lock(run, given_up);
    insert(run, (struct held_lock){.lock = lock, .mode = mode, .known = true, .at = at});
}

/* What was said of the lock by the result of tryLock is no longer so. */
static void forget_results(struct flow_run *run, term lock)
{
    flow_count_work(run, run->local_count);
    for (uint32_t i = 0; i < run->local_count + run->now.stack_count; i++) {
        struct term_content content = term_content(&run->terms, run->now.places[i]);
        if (content.kind == TERM_RESULT && content.a == lock)
            run->now.places[i] = TERM_NONE;
    }
}

bool flow_is_by_call(const struct flow_run *run, const struct held_lock *held)
{
    if (held->at >= run->flow->bytecode.count)
        return false;
    const uint8_t opcode = run->flow->bytecode.instructions[held->at].opcode;
    return opcode != OP_MONITORENTER && opcode != OP_MONITOREXIT;
}

/* It was taken under another name, if at all: so it may be any of those that have no name outside
   the code, and any library lock: two names may be those of one lock. */
static void give_up(struct flow_run *run, term lock)
{
    for (uint32_t i = run->now.lock_count; i-- > 0;) {
        const struct held_lock *held = &run->now.locks[i];
        if (held->lock != lock && held->mode != LOCK_GIVEN_UP &&
            (flow_is_code_value(run, held->lock) || flow_is_by_call(run, held))) {
            forget_results(run, held->lock);
            remove_lock(run, held);
        }
    }
    struct held_lock *held = find(run, lock, LOCK_GIVEN_UP);
    if (held)
        held->depth = (uint8_t)(held->depth + (held->depth < UINT8_MAX));
    else
        insert(run, (struct held_lock){
                        .lock = lock, .mode = LOCK_GIVEN_UP, .depth = 1, .at = run->instruction});
}

/* The same lock by other names: they go with it. */
static void forget_other_names(struct flow_run *run, term lock)
{
    for (size_t i = 0; i < run->other_names.count; i++) {
        const struct join_input *pair = &run->other_names.items[i];
        if (pair->join != lock && pair->input != lock)
            continue;
        term other = pair->join == lock ? pair->input : pair->join;
        for (uint32_t j = run->now.lock_count; j-- > 0;)
            if (run->now.locks[j].lock == other && run->now.locks[j].mode != LOCK_GIVEN_UP)
                remove_lock(run, &run->now.locks[j]);
        forget_results(run, other);
    }
}

void flow_locks_release(struct flow_run *run, term lock, uint8_t mode, bool either)
{
    if (lock == TERM_NONE)
        return;
    note_change(run);
    forget_results(run, lock);
    forget_other_names(run, lock);
    struct held_lock *held = find(run, lock, mode);
    if (!held && either)
        held = find(run, lock, LOCK_SHARED);
    if (!held || held->depth == 0) {
        if (held)
            remove_lock(run, held);
        give_up(run, lock);
    } else if (--held->depth == 0 && !held->known) {
        remove_lock(run, held);
    }
}

/* ---- where loops begin ---- */

/* The term with one that it is a path from replaced. */
static term replaced(struct flow_run *run, term number, term old, term by)
{
    struct term_content content = term_content(&run->terms, number);
    if (number == old)
        return by;
    if (content.kind != TERM_FIELD)
        return number;
    term object = replaced(run, content.a, old, by);
    return object == content.a ? number : flow_make(run, TERM_FIELD, object, content.b);
}

/* The lock by the name of the first local that leads to it and that the loop assigns. */
static term name_in_loop(struct flow_run *run, uint32_t block, term lock)
{
    const struct loop *loop = &run->loops[block];
    flow_count_work(run, run->local_count);
    for (uint32_t i = 0; i < run->local_count; i++) {
        term value = run->now.places[i];
        if (value == TERM_NONE || !(loop->assigned[i / 64] >> i % 64 & 1))
            continue;
        /* Most values have nothing to do with the lock: no term is made for those. */
        if (value != lock && flow_root(run, value) != flow_root(run, lock))
            continue;
        term name = replaced(run, lock, value, flow_make(run, TERM_JOIN, block, i));
        if (name != lock)
            return name;
    }
    return TERM_NONE;
}

/* Whether the name is one of a local that gets another value now. */
static bool loses_name(struct flow_run *run, uint32_t block, term lock)
{
    struct term_content root = term_content(&run->terms, flow_root(run, lock));
    return root.kind == TERM_JOIN && root.a == block &&
           (root.b >= run->local_count + run->now.stack_count ||
            run->now.places[root.b] != flow_root(run, lock));
}

static void note_pair(struct flow_run *run, term name, term lock)
{
    struct join_input pair = {name, lock};
    for (size_t i = 0; i < run->other_names.count; i++)
        if (run->other_names.items[i].join == name && run->other_names.items[i].input == lock)
            return;
    if (!vector_push(&run->other_names, pair))
        flow_fail_memory(run);
}

/* The name stands for the lock, and so for all that the lock stood for. */
static void note_other_name(struct flow_run *run, uint32_t block, term name, term lock)
{
    size_t count = run->other_names.count;
    if (!loses_name(run, block, lock))
        note_pair(run, name, lock);
    for (size_t i = 0; i < count && !run->failed; i++) {
        struct join_input pair = run->other_names.items[i];
        if (pair.join != lock && pair.input != lock)
            continue;
        term other = pair.join == lock ? pair.input : pair.join;
        if (other != name && !loses_name(run, block, other))
            note_pair(run, name, other);
    }
}

void flow_locks_begin_loop(struct flow_run *run, uint32_t block)
{
    struct held_lock before[MOST_LOCKS];
    uint32_t count = run->now.lock_count;
    memcpy(before, run->now.locks, count * sizeof *before);
    run->now.lock_count = 0;
    for (uint32_t i = 0; i < count && !run->failed; i++)
        if (!loses_name(run, block, before[i].lock))
            insert(run, before[i]);
    for (uint32_t i = 0; i < count && !run->failed; i++) {
        struct held_lock held = before[i];
        if (held.mode == LOCK_GIVEN_UP || run->now.lock_count == MOST_LOCKS ||
            run->other_names.count > MOST_NAMES)
            continue;
        term name = name_in_loop(run, block, held.lock);
        if (name == TERM_NONE)
            continue;
        note_other_name(run, block, name, held.lock);
        held.lock = name;
        if (!run->failed && !find(run, name, held.mode))
            insert(run, held);
    }
}

/* ---- meeting ---- */

/* The entries of one lock, by mode; depth 0 and not known: none. */
struct lock_modes {
    struct held_lock by_mode[3];
    bool has[3];
};

static uint32_t take_modes(const struct held_lock *locks, uint32_t count, term lock,
                           struct lock_modes *to)
{
    uint32_t taken = 0;
    memset(to->has, 0, sizeof to->has);
    for (; taken < count && locks[taken].lock == lock; taken++) {
        to->by_mode[locks[taken].mode] = locks[taken];
        to->has[locks[taken].mode] = true;
    }
    return taken;
}

/* Held on both ways; `at` is that of the first. */
static struct held_lock weaker(const struct held_lock *a, const struct held_lock *b, uint8_t mode)
{
    struct held_lock held = *a;
    held.mode = mode;
    if (b->depth < held.depth)
        held.depth = b->depth;
    held.known = held.depth == 0 || (a->known && b->known);
    return held;
}

static uint32_t meet_modes(const struct lock_modes *a, const struct lock_modes *b,
                           struct held_lock *to)
{
    uint32_t count = 0;
    bool exclusive = a->has[LOCK_EXCLUSIVE] && b->has[LOCK_EXCLUSIVE];
    if (exclusive)
        to[count++] =
            weaker(&a->by_mode[LOCK_EXCLUSIVE], &b->by_mode[LOCK_EXCLUSIVE], LOCK_EXCLUSIVE);
    uint8_t left = a->has[LOCK_SHARED] ? LOCK_SHARED : LOCK_EXCLUSIVE;
    uint8_t right = b->has[LOCK_SHARED] ? LOCK_SHARED : LOCK_EXCLUSIVE;
    if (a->has[left] && b->has[right] && (!exclusive || left == right) &&
        (left == LOCK_SHARED || right == LOCK_SHARED))
        to[count++] = weaker(&a->by_mode[left], &b->by_mode[right], LOCK_SHARED);
    const struct held_lock *given_up = a->has[LOCK_GIVEN_UP] ? &a->by_mode[LOCK_GIVEN_UP] : NULL;
    if (b->has[LOCK_GIVEN_UP] && (!given_up || given_up->depth < b->by_mode[LOCK_GIVEN_UP].depth))
        given_up = &b->by_mode[LOCK_GIVEN_UP];
    if (given_up)
        to[count++] = *given_up;
    return count;
}

static bool same_locks(const struct held_lock *a, const struct held_lock *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i].lock != b[i].lock || a[i].mode != b[i].mode || a[i].depth != b[i].depth ||
            a[i].known != b[i].known)
            return false;
    return true;
}

bool flow_locks_meet(struct flow_run *run, struct flow_state *to, const struct flow_state *from)
{
    if (to->lock_count == from->lock_count && same_locks(to->locks, from->locks, to->lock_count))
        return false;
    struct held_lock met[2 * MOST_LOCKS + 2];
    uint32_t count = 0, i = 0, j = 0;
    while (i < to->lock_count || j < from->lock_count) {
        struct lock_modes a, b;
        term lock = i < to->lock_count ? to->locks[i].lock : from->locks[j].lock;
        if (j < from->lock_count && from->locks[j].lock < lock)
            lock = from->locks[j].lock;
        i += take_modes(to->locks + i, to->lock_count - i, lock, &a);
        j += take_modes(from->locks + j, from->lock_count - j, lock, &b);
        count += meet_modes(&a, &b, met + count);
    }
    if (count == to->lock_count && same_locks(to->locks, met, count))
        return false;
    if (count > MOST_LOCKS) {
        flow_fail(run, "the method takes too many locks");
        return false;
    }
    if (count > to->lock_room) {
        to->locks = ARENA_ARRAY(run->scratch, struct held_lock, count);
        to->lock_room = count;
        if (!to->locks) {
            flow_fail_memory(run);
            return false;
        }
    }
    memcpy(to->locks, met, count * sizeof *met);
    to->lock_count = count;
    return true;
}

/* ---- numbers of sets ---- */

static uint64_t hash_locks(const struct held_lock *locks, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        hash ^= (uint64_t)locks[i].lock << 24 ^ (uint64_t)locks[i].at << 4 ^
                (uint64_t)locks[i].mode << 56 ^ (uint64_t)locks[i].depth << 60;
        hash *= 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash >> 1; /* never INTMAP_NO_KEY, nor near it */
}

static bool is_set(const struct lock_set *set, const struct flow_state *state)
{
    if (set->count != state->lock_count || !same_locks(set->items, state->locks, set->count))
        return false;
    for (uint32_t i = 0; i < set->count; i++)
        if (set->items[i].at != state->locks[i].at)
            return false;
    return true;
}

uint32_t flow_locks_number(struct flow_run *run)
{
    const struct flow_state *state = &run->now;
    if (run->set_now != UINT32_MAX)
        return run->set_now;
    for (uint64_t key = hash_locks(state->locks, state->lock_count);; key++) {
        bool added;
        uint64_t *number = intmap_find_or_add(&run->set_numbers, key, run->sets.count, &added);
        if (!number) {
            flow_fail_memory(run);
            return 0;
        }
        if (!added && is_set(&run->sets.items[*number], state))
            return run->set_now = (uint32_t)*number;
        if (!added)
            continue;
        struct lock_set set = {.count = state->lock_count};
        set.items = arena_copy(run->scratch, state->locks, set.count * sizeof *set.items,
                               alignof(struct held_lock));
        if (!set.items || !vector_push(&run->sets, set)) {
            flow_fail_memory(run);
            return 0;
        }
        return run->set_now = (uint32_t)*number;
    }
}
