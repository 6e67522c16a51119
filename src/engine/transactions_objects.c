#include <string.h>

#include "base/memory.h"
#include "engine/cache.h"
#include "engine/transactions_internal.h"

#define BUCKETS_FIRST 1024u
#define SWEEP_EVERY 1024u

static uint32_t *bucket_of(const struct transactions *transactions, uint64_t key)
{
    return &transactions->buckets[cache_mix(key) & (transactions->bucket_count - 1)];
}

uint32_t transactions_object_find(const struct transactions *transactions, uint64_t key)
{
    if (!transactions->bucket_count)
        return 0;
    uint32_t number = *bucket_of(transactions, key);
    while (number) {
        const struct object *object = object_at(transactions, number);
        if (atomic_load_explicit(&object->key, memory_order_relaxed) == key)
            return number;
        number = object->next;
    }
    return 0;
}

/* Without memory for more buckets they just get fuller. */
static bool grow_buckets(struct transactions *transactions)
{
    uint32_t old_count = transactions->bucket_count;
    uint32_t count = old_count ? old_count * 2 : BUCKETS_FIRST;
    uint32_t *old = transactions->buckets;
    uint32_t *buckets = memory_allocate(count * sizeof *buckets);
    if (!buckets)
        return old_count > 0;
    memset(buckets, 0, count * sizeof *buckets);
    transactions->buckets = buckets;
    transactions->bucket_count = count;
    for (uint32_t index = 0; index < old_count; index++) {
        for (uint32_t number = old[index], next; number; number = next) {
            struct object *object = object_at(transactions, number);
            next = object->next;
            uint64_t key = atomic_load_explicit(&object->key, memory_order_relaxed);
            uint32_t *bucket = bucket_of(transactions, key);
            object->next = *bucket;
            *bucket = number;
        }
    }
    memory_release(old);
    return true;
}

uint32_t transactions_object_add(struct transactions *transactions, uint64_t key)
{
    if (transactions->objects.used >= transactions->bucket_count && !grow_buckets(transactions))
        return 0;
    uint32_t number = transactions_pool_take(&transactions->objects);
    if (!number)
        return 0;
    struct object *object = object_at(transactions, number);
    object->last.stamp = 0;
    object->shared = 0;
    atomic_store_explicit(&object->touch, 0, memory_order_release);
    atomic_store_explicit(&object->key, key, memory_order_release);
    uint32_t *bucket = bucket_of(transactions, key);
    object->next = *bucket;
    *bucket = number;
    return number;
}

void transactions_object_drop_shared(struct transactions *transactions, uint32_t *link)
{
    uint32_t number = *link;
    *link = shared_at(transactions, number)->next;
    transactions_pool_give(&transactions->shared, number);
}

void transactions_object_set_last(struct transactions *transactions, struct object *object,
                                  const struct record *record)
{
    object->last = *record;
    while (object->shared)
        transactions_object_drop_shared(transactions, &object->shared);
}

bool transactions_object_add_shared(struct transactions *transactions, struct object *object,
                                    const struct record *record)
{
    uint32_t slot = stamp_slot(record->stamp);
    for (uint32_t *link = &object->shared; *link;) {
        struct shared_record *shared = shared_at(transactions, *link);
        if (stamp_slot(shared->record.stamp) == slot) {
            shared->record = *record;
            return true;
        }
        if (transactions_graph_matters(transactions, shared->record.stamp))
            link = &shared->next;
        else
            transactions_object_drop_shared(transactions, link);
    }
    uint32_t number = transactions_pool_take(&transactions->shared);
    if (!number)
        return false;
    struct shared_record *shared = shared_at(transactions, number);
    shared->record = *record;
    shared->next = object->shared;
    object->shared = number;
    return true;
}

static bool is_old(const struct transactions *transactions, const struct record *record)
{
    return !record->stamp ||
           stamp_position(record->stamp) < transactions->oldest[stamp_slot(record->stamp)];
}

/* Takes out of the object, and of the table, what does not matter. True when nothing is left. */
static bool sweep_object(struct transactions *transactions, struct object *object)
{
    for (uint32_t *link = &object->shared; *link;) {
        struct shared_record *shared = shared_at(transactions, *link);
        if (is_old(transactions, &shared->record))
            transactions_object_drop_shared(transactions, link);
        else
            link = &shared->next;
    }
    return !object->shared && is_old(transactions, &object->last);
}

static void sweep(struct transactions *transactions)
{
    transactions_graph_find_oldest(transactions);
    for (uint32_t index = 0; index < transactions->bucket_count; index++) {
        for (uint32_t *link = &transactions->buckets[index]; *link;) {
            uint32_t number = *link;
            struct object *object = object_at(transactions, number);
            if (!sweep_object(transactions, object)) {
                link = &object->next;
                continue;
            }
            *link = object->next;
            /* First this, so that nobody skips an operation for what is said of another object. */
            atomic_store_explicit(&object->touch, 0, memory_order_release);
            atomic_store_explicit(&object->key, 0, memory_order_release);
            transactions_pool_give(&transactions->objects, number);
        }
    }
    transactions->sweeps++;
}

static void plan_sweep(struct pool *pool)
{
    uint64_t next = (uint64_t)pool->used * 2 + CHUNK_ITEMS;
    pool->sweep = next < pool->limit ? (uint32_t)next : pool->limit;
}

void transactions_make_room(struct transactions *transactions)
{
    struct pool *objects = &transactions->objects, *shared = &transactions->shared;
    if ((objects->used < objects->sweep && shared->used < shared->sweep) ||
        transactions->operations < transactions->sweep_after)
        return;
    sweep(transactions);
    plan_sweep(objects);
    plan_sweep(shared);
    transactions->sweep_after = transactions->operations + SWEEP_EVERY +
                                (objects->used + transactions->bucket_count + shared->used) / 2;
}
