#include "engine/transactions.h"

#include <string.h>

#include "base/memory.h"
#include "engine/cache.h"
#include "engine/transactions_internal.h"

#define DEAD_LOOKED_AT 4u

/* What an operation does to its object: after which earlier ones it comes, and how it is
   remembered. */
struct rule {
    uint8_t object;      /* kind of object, the upper two bits of the key */
    bool after_last;     /* comes after the last write or exclusive release */
    bool after_shared;   /* comes after those in the list */
    bool becomes_last;   /* is remembered as the last */
    bool joins_shared;   /* is remembered in the list */
    bool repeats_shared; /* changes nothing if touched by the same, not alone */
    uint8_t last_kind;   /* what the last one was */
    uint8_t shared_kind; /* what those in the list are */
};

enum { OBJECT_NONE, OBJECT_VARIABLE, OBJECT_LOCK, OBJECT_SYNC };

static const struct rule RULES[] = {
    [TRANSACTIONS_READ] = {.object = OBJECT_VARIABLE,
                           .after_last = true,
                           .joins_shared = true,
                           .repeats_shared = true,
                           .last_kind = TRANSACTIONS_WRITE,
                           .shared_kind = TRANSACTIONS_READ},
    [TRANSACTIONS_WRITE] = {.object = OBJECT_VARIABLE,
                            .after_last = true,
                            .after_shared = true,
                            .becomes_last = true,
                            .last_kind = TRANSACTIONS_WRITE,
                            .shared_kind = TRANSACTIONS_READ},
    [TRANSACTIONS_ACQUIRE] = {.object = OBJECT_LOCK,
                              .after_last = true,
                              .after_shared = true,
                              .last_kind = TRANSACTIONS_RELEASE,
                              .shared_kind = TRANSACTIONS_RELEASE_SHARED},
    [TRANSACTIONS_RELEASE] = {.object = OBJECT_LOCK, .becomes_last = true},
    [TRANSACTIONS_ACQUIRE_SHARED] = {.object = OBJECT_LOCK,
                                     .after_last = true,
                                     .repeats_shared = true,
                                     .last_kind = TRANSACTIONS_RELEASE},
    [TRANSACTIONS_RELEASE_SHARED] = {.object = OBJECT_LOCK,
                                     .joins_shared = true,
                                     .repeats_shared = true},
    [TRANSACTIONS_SYNC_ACQUIRE] = {.object = OBJECT_SYNC,
                                   .after_shared = true,
                                   .shared_kind = TRANSACTIONS_SYNC_RELEASE},
    [TRANSACTIONS_SYNC_RELEASE] = {.object = OBJECT_SYNC,
                                   .joins_shared = true,
                                   .repeats_shared = true},
};

void transactions_options_default(struct transactions_options *options)
{
    *options = (struct transactions_options){
        .threads = 4095,
        .objects = 1u << 20,
        .accesses = 1u << 20,
        .steps = 1u << 16,
        .row_bytes = (size_t)64 << 20,
        .reports = 1u << 14,
    };
}

static void *allocate_zeroed(size_t count, size_t size)
{
    void *block = memory_allocate(count * size);
    if (block)
        memset(block, 0, count * size);
    return block;
}

static bool init(struct transactions *transactions)
{
    struct transactions_options *options = &transactions->options;
    if (options->threads > TRANSACTIONS_THREADS_MAX)
        options->threads = TRANSACTIONS_THREADS_MAX;
    size_t slots = (size_t)options->threads + 1;
    intmap_init(&transactions->reported);
    transactions->active = allocate_zeroed(slots, sizeof(struct transactions_thread *));
    transactions->slots = allocate_zeroed(slots, sizeof(struct transactions_thread *));
    transactions->oldest = allocate_zeroed(slots, sizeof(uint64_t));
    return transactions->active && transactions->slots && transactions->oldest &&
           transactions_pool_init(&transactions->objects, sizeof(struct object),
                                  offsetof(struct object, next), options->objects) &&
           transactions_pool_init(&transactions->shared, sizeof(struct shared_record),
                                  offsetof(struct shared_record, next), options->accesses) &&
           transactions_pool_init(&transactions->steps, sizeof(struct step),
                                  offsetof(struct step, behind), options->steps);
}

struct transactions *transactions_new(const struct transactions_options *options)
{
    struct transactions *transactions = allocate_zeroed(1, sizeof *transactions);
    if (!transactions)
        return NULL;
    transactions->options = *options;
    if (init(transactions))
        return transactions;
    transactions_free(transactions);
    return NULL;
}

void transactions_free(struct transactions *transactions)
{
    if (!transactions)
        return;
    transactions_graph_release(transactions);
    for (uint32_t slot = 1; slot <= transactions->slot_count; slot++) {
        struct transactions_thread *thread = transactions->slots[slot];
        if (thread->levels != thread->levels_inline)
            memory_release(thread->levels);
        memory_release(thread->known);
        memory_release(thread);
    }
    transactions_pool_release(&transactions->objects);
    transactions_pool_release(&transactions->shared);
    transactions_pool_release(&transactions->steps);
    intmap_release(&transactions->reported);
    memory_release(transactions->buckets);
    memory_release(transactions->active);
    memory_release(transactions->slots);
    memory_release(transactions->oldest);
    memory_release(transactions);
}

/* Under the lock: others may look at the thread's blocks from now on. */
static void publish(struct transactions *transactions, struct transactions_thread *thread)
{
    if (thread->published == thread->depth)
        return;
    if (!thread->published) {
        uint32_t count = atomic_load_explicit(&transactions->active_count, memory_order_relaxed);
        thread->active_index = count;
        transactions->active[count] = thread;
        atomic_store_explicit(&transactions->active_count, count + 1, memory_order_relaxed);
    }
    thread->published = thread->depth;
}

static struct record record_now(const struct transactions_thread *thread, uint32_t location,
                                uint32_t stack)
{
    return (struct record){.stamp = transactions_stamp(thread),
                           .location = location,
                           .stack = stack,
                           .block = thread->depth ? thread->levels[0].block : 0};
}

/* After the edges of an event, still under the lock; gives it back, and reports. */
static bool finish(struct transactions *transactions, struct event *event)
{
    bool closes = event->closes, is_new = false;
    struct transactions_violation violation;
    if (closes) {
        transactions->cycles++;
        is_new = transactions_violation_fill(transactions, event, &violation);
    }
    spin_unlock(&transactions->lock);
    if (is_new && transactions->options.report)
        transactions->options.report(transactions->options.context, &violation);
    return closes;
}

/*
 * Threads.
 */

/* A thread that has ended and that nothing is known of any more; some are looked at. */
static struct transactions_thread *reuse(struct transactions *transactions)
{
    for (unsigned turn = 0; turn < DEAD_LOOKED_AT && transactions->first_dead; turn++) {
        struct transactions_thread *thread = transactions->first_dead;
        transactions->first_dead = thread->next_dead;
        if (!transactions->first_dead)
            transactions->last_dead = NULL;
        thread->next_dead = NULL;
        if (!thread->reached)
            return thread;
        if (transactions->last_dead)
            transactions->last_dead->next_dead = thread;
        else
            transactions->first_dead = thread;
        transactions->last_dead = thread;
    }
    return NULL;
}

static struct transactions_thread *take_thread(struct transactions *transactions)
{
    struct transactions_thread *thread = reuse(transactions);
    if (thread)
        return thread;
    if (transactions->slot_count >= transactions->options.threads)
        return NULL;
    thread = allocate_zeroed(1, sizeof *thread);
    if (!thread)
        return NULL;
    thread->slot = ++transactions->slot_count;
    thread->levels = thread->levels_inline;
    thread->level_capacity = LEVELS_INLINE;
    transactions->slots[thread->slot] = thread;
    return thread;
}

struct transactions_thread *transactions_thread_start(struct transactions *transactions,
                                                      struct transactions_thread *parent,
                                                      uint64_t name, uint32_t location,
                                                      uint32_t stack)
{
    spin_lock(&transactions->lock);
    struct transactions_thread *thread = take_thread(transactions);
    if (!thread) {
        transactions->refused++;
        spin_unlock(&transactions->lock);
        return NULL;
    }
    thread->name = name;
    thread->live = true;
    /* Behind all that others did who had the slot, which nobody's operations come after any more.
       Of what they are known to come after, nothing matters any more: if it did, the slot would be
       reached. */
    thread->birth = ++thread->position;
    if (parent) {
        publish(transactions, parent);
        struct event event = {.thread = thread};
        event.conflict.earlier = record_now(parent, location, stack);
        event.conflict.later = record_now(thread, 0, 0);
        event.conflict.earlier_kind = TRANSACTIONS_START;
        event.conflict.later_kind = TRANSACTIONS_RUN;
        transactions_graph_add(transactions, &event);
    }
    spin_unlock(&transactions->lock);
    return thread;
}

uint64_t transactions_thread_birth(const struct transactions_thread *thread)
{
    return thread ? thread->birth : 0;
}

void transactions_thread_end(struct transactions *transactions, struct transactions_thread *thread)
{
    if (!thread)
        return;
    spin_lock(&transactions->lock);
    transactions_graph_leave(transactions, thread, 0);
    thread->depth = thread->unnoted = 0;
    thread->live = false;
    if (transactions->last_dead)
        transactions->last_dead->next_dead = thread;
    else
        transactions->first_dead = thread;
    transactions->last_dead = thread;
    spin_unlock(&transactions->lock);
}

bool transactions_thread_join(struct transactions *transactions, struct transactions_thread *thread,
                              struct transactions_thread *child, uint64_t birth, uint32_t location,
                              uint32_t stack)
{
    if (!thread || !child || child == thread)
        return false;
    spin_lock(&transactions->lock);
    struct event event = {.thread = thread};
    if (!child->live && child->birth == birth) {
        publish(transactions, thread);
        event.conflict.earlier = record_now(child, 0, 0);
        event.conflict.later = record_now(thread, location, stack);
        event.conflict.earlier_kind = TRANSACTIONS_EXIT;
        event.conflict.later_kind = TRANSACTIONS_JOIN;
        transactions_graph_add(transactions, &event);
    }
    return finish(transactions, &event);
}

/*
 * Blocks. A block in which nothing happens that must be looked at costs no lock.
 */

static bool grow_levels(struct transactions *transactions, struct transactions_thread *thread)
{
    uint32_t capacity = thread->level_capacity * 2;
    struct level *levels = memory_allocate(capacity * sizeof *levels);
    if (!levels)
        return false;
    struct level *old = thread->levels;
    spin_lock(&transactions->lock);
    memcpy(levels, old, thread->depth * sizeof *levels);
    thread->levels = levels;
    thread->level_capacity = capacity;
    spin_unlock(&transactions->lock);
    if (old != thread->levels_inline)
        memory_release(old);
    return true;
}

void transactions_begin(struct transactions *transactions, struct transactions_thread *thread,
                        uint32_t block, uint32_t location, uint32_t stack)
{
    if (!thread)
        return;
    if (thread->unnoted ||
        (thread->depth == thread->level_capacity && !grow_levels(transactions, thread))) {
        thread->unnoted++;
        return;
    }
    struct level *level = &thread->levels[thread->depth++];
    level->entered = ++thread->position;
    level->block = block;
    level->location = location;
    level->stack = stack;
    level->row = NULL;
}

void transactions_end(struct transactions *transactions, struct transactions_thread *thread)
{
    if (!thread)
        return;
    if (thread->unnoted) {
        thread->unnoted--;
        return;
    }
    if (!thread->depth)
        return;
    thread->depth--;
    if (thread->published <= thread->depth)
        return;
    spin_lock(&transactions->lock);
    transactions_graph_leave(transactions, thread, thread->depth);
    spin_unlock(&transactions->lock);
}

void transactions_split(struct transactions *transactions, struct transactions_thread *thread)
{
    if (!thread || !thread->depth)
        return;
    if (thread->published) {
        spin_lock(&transactions->lock);
        transactions_graph_leave(transactions, thread, 0);
        spin_unlock(&transactions->lock);
    }
    for (uint32_t index = 0; index < thread->depth; index++)
        thread->levels[index].entered = ++thread->position;
}

/*
 * Operations.
 */

uint64_t transactions_stamp(const struct transactions_thread *thread)
{
    return stamp_of(thread->slot, thread->position);
}

/* The thread has done the same already, and nobody else anything since. `recent` may refer to an
   object that has been forgotten, or is another one by now: then its touch is not this thread's. */
static bool is_repeated(const struct transactions *transactions,
                        const struct transactions_thread *thread, const struct rule *rule,
                        uint64_t key)
{
    uint32_t number = thread->recent[cache_mix(key) % RECENT_OBJECTS];
    if (!number)
        return false;
    struct object *object = object_at(transactions, number);
    if (atomic_load_explicit(&object->key, memory_order_acquire) != key)
        return false;
    uint64_t touch = atomic_load_explicit(&object->touch, memory_order_acquire);
    uint64_t stamp = transactions_stamp(thread);
    return touch == touch_of(stamp, true) ||
           (rule->repeats_shared && touch == touch_of(stamp, false));
}

static void add_edges(struct transactions *transactions, const struct rule *rule,
                      struct object *object, struct event *event)
{
    uint32_t slot = event->thread->slot;
    if (rule->after_last && object->last.stamp && stamp_slot(object->last.stamp) != slot) {
        event->conflict.earlier = object->last;
        event->conflict.earlier_kind = rule->last_kind;
        if (!transactions_graph_add(transactions, event))
            object->last.stamp = 0;
    }
    if (!rule->after_shared)
        return;
    for (uint32_t *link = &object->shared; *link;) {
        struct shared_record *shared = shared_at(transactions, *link);
        bool matters = true;
        if (stamp_slot(shared->record.stamp) != slot) {
            event->conflict.earlier = shared->record;
            event->conflict.earlier_kind = rule->shared_kind;
            matters = transactions_graph_add(transactions, event);
        }
        if (matters)
            link = &shared->next;
        else
            transactions_object_drop_shared(transactions, link);
    }
}

static void remember(struct transactions *transactions, const struct rule *rule, uint32_t number,
                     const struct event *event)
{
    struct transactions_thread *thread = event->thread;
    uint64_t key = event->conflict.key;
    if (!number)
        number = transactions_object_add(transactions, key);
    if (!number) {
        transactions->lost++;
        return;
    }
    struct object *object = object_at(transactions, number);
    struct record record = event->conflict.later;
    record.stamp = transactions_stamp(thread);
    if (rule->becomes_last) {
        transactions_object_set_last(transactions, object, &record);
    } else if (!transactions_object_add_shared(transactions, object, &record)) {
        transactions->lost++;
        return;
    }
    atomic_store_explicit(&object->touch, touch_of(record.stamp, rule->becomes_last),
                          memory_order_release);
    thread->recent[cache_mix(key) % RECENT_OBJECTS] = number;
}

bool transactions_perform(struct transactions *transactions, struct transactions_thread *thread,
                          enum transactions_kind kind, uint64_t object, uint32_t location,
                          uint32_t stack)
{
    if (!thread || (size_t)kind >= sizeof RULES / sizeof *RULES)
        return false;
    /* Outside of blocks, and nobody is in one: nothing can come after a block. */
    if (!thread->depth && !atomic_load_explicit(&transactions->active_count, memory_order_relaxed))
        return false;
    const struct rule *rule = &RULES[kind];
    uint64_t key = (uint64_t)rule->object << 62 | (object & TRANSACTIONS_OBJECT_MAX);
    if (is_repeated(transactions, thread, rule, key))
        return false;
    spin_lock(&transactions->lock);
    transactions->operations++;
    transactions_make_room(transactions);
    publish(transactions, thread);
    struct event event = {.thread = thread};
    event.conflict.key = key;
    event.conflict.later = record_now(thread, location, stack);
    event.conflict.later_kind = (uint8_t)kind;
    uint32_t number = transactions_object_find(transactions, key);
    if (number)
        add_edges(transactions, rule, object_at(transactions, number), &event);
    if ((rule->becomes_last || rule->joins_shared) && (thread->published || thread->reached))
        remember(transactions, rule, number, &event);
    return finish(transactions, &event);
}

void transactions_counts(struct transactions *transactions, struct transactions_counts *counts)
{
    spin_lock(&transactions->lock);
    *counts = (struct transactions_counts){
        .operations = transactions->operations,
        .cycles = transactions->cycles,
        .reports = transactions->reports,
        .lost = transactions->lost,
        .cut = transactions->cut,
        .refused = transactions->refused,
        .sweeps = transactions->sweeps,
        .objects = transactions->objects.used,
        .accesses = transactions->shared.used,
        .steps = transactions->steps.used,
        .threads = transactions->slot_count,
        .row_bytes = transactions->row_bytes,
    };
    spin_unlock(&transactions->lock);
}
