/*
 * Why a superfluous access is one.
 *
 * Let a be remembered and b be a later access of the same variable, with
 *     (1) a ordered before b in `ordered`, hence also in `full`, which has more edges;
 *     (2) locks(b) a subset of locks(a);
 *     (3) b a write, or a a read.
 * Let c be any access after b such that (a, c) is a race, observed or predicted. Then (b, c) is a
 * race of at least the same grade, so nothing is lost when a is forgotten:
 *
 *   - c is not of b's thread. If it were, b would be ordered before c by the program, and by (1) a
 *     before c in both orders; then (a, c) is neither observed nor predicted.
 *   - (b, c) conflict: if c is a write, any b does. If c is a read, a is a write, and by (3) so is
 * b.
 *   - If a is not before c in `full`, neither is b, or by (1) a would be. So (b, c) is observed.
 *   - If a is not before c in `ordered` and locks(a), locks(c) are disjoint, then b is not before c
 * in `ordered` by (1), and locks(b), locks(c) are disjoint by (2). So (b, c) is at least predicted.
 *
 * And as b is remembered until another access makes it superfluous in turn, this holds along the
 * chain. (b, c) shows up at the same event c as (a, c) would have.
 *
 * The grade `discipline` is different in the first step only: (a, c) can be one although c is of
 * b's thread. So when it is asked for, (4) a and b must be of the same thread.
 *
 * With happens-before alone (HISTORY_ORDER) the same proof without locks allows `full` in (1), and
 * needs no (2).
 *
 * An access b that is in the same thread and segment as a remembered a of the same or stronger kind
 * is ordered before the same later events as a, and locks(a) is a subset of locks(b): the exclusive
 * locks are among all locks. So every race of b with a later access is one of a, and b need not be
 * remembered. If nobody else came between the two, b need not even be looked at: an earlier access
 * that races with b was there when a was judged, and races with a at least as strongly, as a was
 * ordered after no more than b is. This is what the fast path relies on.
 */
#include "engine/history.h"

#include <string.h>

#include "base/memory.h"

struct history_block {
    struct history_block *next_free;
    struct history_block *next; /* of all blocks */
    struct remembered entries[];
};

void history_pool_init(struct history_pool *pool, uint32_t capacity, uint32_t block_limit)
{
    memset(pool, 0, sizeof *pool);
    if (capacity < 2)
        capacity = 2;
    pool->capacity = capacity < HISTORY_MAX ? capacity : HISTORY_MAX;
    pool->block_limit = block_limit;
}

void history_pool_release(struct history_pool *pool)
{
    for (struct history_block *block = pool->all, *next; block; block = next) {
        next = block->next;
        memory_release(block);
    }
    memset(pool, 0, sizeof *pool);
}

static struct history_block *take_block(struct history_pool *pool)
{
    spin_lock(&pool->lock);
    struct history_block *block = pool->free;
    if (block) {
        pool->free = block->next_free;
    } else if (pool->block_count < pool->block_limit) {
        block = memory_allocate(sizeof *block +
                                (pool->capacity - HISTORY_INLINE) * sizeof block->entries[0]);
        if (block) {
            block->next = pool->all;
            pool->all = block;
            pool->block_count++;
        }
    }
    spin_unlock(&pool->lock);
    return block;
}

static void give_block_back(struct history_pool *pool, struct history *history)
{
    if (!history->more)
        return;
    spin_lock(&pool->lock);
    history->more->next_free = pool->free;
    pool->free = history->more;
    spin_unlock(&pool->lock);
    history->more = NULL;
}

void history_clear(struct history_pool *pool, struct history *history)
{
    history->count = 0;
    give_block_back(pool, history);
}

static struct remembered *entry_at(struct history *history, uint32_t index)
{
    return index < HISTORY_INLINE ? &history->first[index]
                                  : &history->more->entries[index - HISTORY_INLINE];
}

const struct remembered *history_at(const struct history *history, uint32_t index)
{
    return entry_at((struct history *)history, index);
}

static bool conflict(const struct remembered *left, const struct remembered *right)
{
    return left->slot != right->slot && (left->write || right->write);
}

enum race_grade history_grade(const struct history_rules *rules, const struct remembered *earlier,
                              const struct history_now *now)
{
    if (!conflict(earlier, &now->access))
        return RACE_NONE;
    if (clock_view_at(&now->full, earlier->slot) < earlier->segment)
        return RACE_OBSERVED;
    if (rules->mode == HISTORY_ORDER || now->guarded)
        return RACE_NONE;
    bool ordered = clock_view_at(&now->ordered, earlier->slot) >= earlier->segment;
    if (ordered && !rules->discipline)
        return RACE_NONE;
    if (!lockset_disjoint(rules->locksets, earlier->lockset, now->access.lockset))
        return RACE_NONE;
    return ordered ? RACE_DISCIPLINE : RACE_PREDICTED;
}

uint32_t history_judge(const struct history_rules *rules, const struct history *history,
                       const struct history_now *now, struct history_finding *findings)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < history->count; i++) {
        const struct remembered *earlier = history_at(history, i);
        enum race_grade grade = history_grade(rules, earlier, now);
        if (grade != RACE_NONE)
            findings[count++] = (struct history_finding){grade, *earlier};
    }
    return count;
}

/* The new access makes the old one superfluous. */
static bool replaces(const struct history_rules *rules, const struct history_now *now,
                     const struct remembered *old)
{
    const struct remembered *access = &now->access;
    if (!access->write && old->write)
        return false;
    switch (rules->mode) {
    case HISTORY_LOCKSET:
        /* Only reports look at these: the last access of each thread and kind. */
        return access->slot == old->slot && access->write == old->write;
    case HISTORY_ORDER:
        return clock_view_at(&now->full, old->slot) >= old->segment;
    case HISTORY_HYBRID:
        break;
    }
    return clock_view_at(&now->ordered, old->slot) >= old->segment &&
           (!rules->discipline || access->slot == old->slot) &&
           lockset_subset(rules->locksets, access->lockset, old->lockset);
}

/* The same of a variable that is guarded, by an access with the guard: see history_now. */
static bool outdates(const struct remembered *access, const struct remembered *old)
{
    return access->slot == old->slot && (access->write || !old->write);
}

static bool repeats(const struct remembered *access, const struct remembered *old)
{
    return access->slot == old->slot && access->segment == old->segment &&
           (old->write || !access->write);
}

static void drop_oldest(struct history_pool *pool, struct history *history)
{
    for (uint32_t i = 1; i < history->count; i++)
        *entry_at(history, i - 1) = *entry_at(history, i);
    history->count--;
    atomic_fetch_add_explicit(&pool->dropped, 1, memory_order_relaxed);
}

void history_append(struct history_pool *pool, struct history *history,
                    const struct remembered *access)
{
    if (history->count >= pool->capacity)
        drop_oldest(pool, history);
    if (history->count >= HISTORY_INLINE && !history->more) {
        history->more = take_block(pool);
        if (!history->more)
            drop_oldest(pool, history);
    }
    *entry_at(history, history->count++) = *access;
}

void history_remember(struct history_pool *pool, const struct history_rules *rules,
                      struct history *history, const struct history_now *now)
{
    uint32_t kept = 0;
    bool known = false;
    for (uint32_t i = 0; i < history->count; i++) {
        const struct remembered *old = history_at(history, i);
        if (repeats(&now->access, old))
            known = true;
        else if (now->guarded ? outdates(&now->access, old) : replaces(rules, now, old))
            continue;
        if (kept != i)
            *entry_at(history, kept) = *old;
        kept++;
    }
    history->count = kept;
    if (kept < HISTORY_INLINE)
        give_block_back(pool, history);
    if (!known)
        history_append(pool, history, &now->access);
}

const struct remembered *history_opponent(const struct history_rules *rules,
                                          const struct history *history,
                                          const struct remembered *access)
{
    const struct remembered *best = NULL;
    for (uint32_t i = history->count; i-- > 0;) {
        const struct remembered *earlier = history_at(history, i);
        if (!conflict(earlier, access))
            continue;
        if (lockset_disjoint(rules->locksets, earlier->lockset, access->lockset))
            return earlier;
        if (!best)
            best = earlier;
    }
    return best;
}
