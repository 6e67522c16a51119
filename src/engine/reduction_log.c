/*
 * The log of operations that can be taken back, and how that is done.
 */
#include "engine/reduction_internal.h"

#include <string.h>

#include "base/memory.h"

/* Two of the same kind are enough to violate a block if they are taken back. */
#define ENOUGH 2u

static bool is_lock_kind(enum reduction_kind kind)
{
    return kind == REDUCTION_ACQUIRE || kind == REDUCTION_RELEASE || kind == REDUCTION_WAITED;
}

static uint32_t filter_bit(uint64_t thing, bool lock)
{
    return (uint32_t)(cache_mix(thing ^ (lock ? UINT64_C(1) << 63 : 0)) % (REDUCTION_FILTER * 64));
}

bool reduction_log_may_have(const struct reduction_thread *thread, uint64_t thing, bool lock)
{
    uint32_t bit = filter_bit(thing, lock);
    uint64_t word = atomic_load_explicit(&thread->filter[bit / 64], memory_order_relaxed);
    return word >> bit % 64 & 1;
}

static struct reduction_entry *entry_at(const struct reduction *reduction,
                                        const struct reduction_thread *thread, uint32_t index)
{
    return &thread->log[(thread->log_first + index) % reduction->options.log];
}

static bool is_same(const struct reduction_entry *entry, uint64_t thing, bool lock)
{
    return entry->thing == thing && entry->lock == lock;
}

/* The innermost block has seen as much already as is needed. */
static bool has_enough(const struct reduction *reduction, const struct reduction_thread *thread,
                       const struct reduction_place *place, uint64_t thing, bool lock)
{
    uint32_t found = 0;
    uint64_t begin = vector_last(&thread->blocks).begin;
    for (uint32_t i = thread->log_count; i-- > 0 && found < ENOUGH;) {
        const struct reduction_entry *entry = entry_at(reduction, thread, i);
        if (entry->position < begin)
            break;
        found += is_same(entry, thing, lock) && entry->place.kind == place->kind &&
                 entry->place.lockset == place->lockset && entry->place.mover == place->mover;
    }
    return found >= ENOUGH;
}

static struct reduction_entry *new_entry(struct reduction *reduction,
                                         struct reduction_thread *thread)
{
    const uint32_t capacity = reduction->options.log;
    if (!thread->log && capacity)
        thread->log = memory_allocate(capacity * sizeof *thread->log);
    if (!thread->log)
        return NULL;
    if (thread->log_count < capacity)
        return entry_at(reduction, thread, thread->log_count++);
    reduction_count(&reduction->unlogged);
    thread->log_first = (thread->log_first + 1) % capacity;
    return entry_at(reduction, thread, capacity - 1);
}

void reduction_log_add(struct reduction *reduction, struct reduction_thread *thread,
                       const struct reduction_place *place, uint64_t thing, bool first_owner)
{
    bool lock = is_lock_kind(place->kind);
    if (thing && reduction_log_may_have(thread, thing, lock) &&
        has_enough(reduction, thread, place, thing, lock))
        return;
    struct reduction_entry *entry = new_entry(reduction, thread);
    if (!entry) {
        reduction_count(&reduction->unlogged);
        return;
    }
    *entry = (struct reduction_entry){
        .thing = thing,
        .position = thread->position,
        .segment = thread->thread ? thread_segment(thread->thread) : 0,
        .lock = lock,
        .first_owner = first_owner,
        .place = *place,
    };
    if (!thing)
        return;
    uint32_t bit = filter_bit(thing, lock);
    uint64_t word = atomic_load_explicit(&thread->filter[bit / 64], memory_order_relaxed);
    atomic_store_explicit(&thread->filter[bit / 64], word | UINT64_C(1) << bit % 64,
                          memory_order_relaxed);
    atomic_store_explicit(&thread->open, true, memory_order_release);
}

void reduction_log_clear(struct reduction_thread *thread)
{
    thread->log_first = thread->log_count = 0;
    if (!atomic_load_explicit(&thread->open, memory_order_relaxed))
        return;
    atomic_store_explicit(&thread->open, false, memory_order_relaxed);
    for (unsigned i = 0; i < REDUCTION_FILTER; i++)
        atomic_store_explicit(&thread->filter[i], 0, memory_order_relaxed);
}

/* Judges a block by what the log has now. */
static void judge_again(struct reduction *reduction, struct reduction_thread *thread,
                        uint32_t index, const struct reduction_other *other)
{
    struct reduction_block *block = &thread->blocks.items[index];
    for (uint32_t i = 0; i < thread->log_count; i++) {
        const struct reduction_entry *entry = entry_at(reduction, thread, i);
        if (entry->position < block->begin)
            continue;
        bool committed = index < thread->committed;
        enum mover mover = entry->place.mover;
        if (committed && entry->position > block->commit_position &&
            (mover == MOVER_RIGHT || mover == MOVER_NON)) {
            reduction_violate(reduction, thread, index, &entry->place, other);
            return;
        }
        if ((mover == MOVER_LEFT || mover == MOVER_NON) &&
            (!committed || entry->position < block->commit_position)) {
            block->commits = entry->place;
            block->commit_position = entry->position;
            block->other = *other;
            if (!committed)
                thread->committed = index + 1;
        }
    }
}

/* What the entry is now. */
static enum mover reconsider(const struct reduction *reduction, const struct reduction_entry *entry,
                             const struct reduction_post *post)
{
    const struct mover_rules *rules = &reduction->movers->rules;
    const struct reduction_place *place = &entry->place;
    return entry->lock ? mover_reconsider(rules, &post->verdict, place->lockset,
                                          place->kind != REDUCTION_RELEASE)
                       : mover_of_access(rules, &post->facts, place->lockset,
                                         place->kind == REDUCTION_WRITE);
}

void reduction_take_back(struct reduction *reduction, struct reduction_thread *thread,
                         const struct reduction_post *post)
{
    if (!thread->log_count || !reduction_log_may_have(thread, post->thing, post->lock))
        return;
    uint64_t last = 0;
    bool changed = false;
    for (uint32_t i = 0; i < thread->log_count; i++) {
        struct reduction_entry *entry = entry_at(reduction, thread, i);
        if (!is_same(entry, post->thing, post->lock) || entry->place.mover != MOVER_BOTH ||
            (!post->own && entry->segment <= post->known) ||
            (entry->first_owner && !post->own && !post->concurrent))
            continue;
        entry->first_owner = false;
        entry->place.mover = reconsider(reduction, entry, post);
        if (entry->place.mover == MOVER_BOTH)
            continue;
        reduction_count(&reduction->taken_back);
        changed = true;
        last = entry->position;
    }
    uint32_t depth = (uint32_t)thread->blocks.count;
    for (uint32_t i = thread->reported; changed && i < depth; i++) {
        if (thread->blocks.items[i].begin > last)
            break;
        judge_again(reduction, thread, i, &post->other);
    }
}

static void post_to(struct reduction *reduction, struct reduction_thread *target,
                    const struct reduction_post *post)
{
    spin_lock(&target->mailbox_lock);
    uint32_t count = atomic_load_explicit(&target->posted, memory_order_relaxed);
    if (count < REDUCTION_MAILBOX) {
        target->mailbox[count] = *post;
        atomic_store_explicit(&target->posted, count + 1, memory_order_release);
    }
    spin_unlock(&target->mailbox_lock);
    if (count == REDUCTION_MAILBOX)
        reduction_count(&reduction->unposted);
}

void reduction_post_all(struct reduction *reduction, struct reduction_thread *thread,
                        struct reduction_post *post)
{
    struct mover_user user = mover_user_of(thread->thread);
    uint32_t count = atomic_load_explicit(&reduction->thread_count, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++) {
        struct reduction_thread *target =
            atomic_load_explicit(&reduction->threads[i], memory_order_acquire);
        if (target == thread || !atomic_load_explicit(&target->open, memory_order_acquire) ||
            !reduction_log_may_have(target, post->thing, post->lock))
            continue;
        uint32_t slot = atomic_load_explicit(&target->slot, memory_order_relaxed);
        post->known = clock_view_at(&user.ordered, slot);
        post_to(reduction, target, post);
    }
}

void reduction_read_posts(struct reduction *reduction, struct reduction_thread *thread)
{
    struct reduction_post posts[REDUCTION_MAILBOX];
    spin_lock(&thread->mailbox_lock);
    uint32_t count = atomic_load_explicit(&thread->posted, memory_order_relaxed);
    memcpy(posts, thread->mailbox, count * sizeof posts[0]);
    atomic_store_explicit(&thread->posted, 0, memory_order_relaxed);
    spin_unlock(&thread->mailbox_lock);
    for (uint32_t i = 0; i < count; i++)
        reduction_take_back(reduction, thread, &posts[i]);
}
