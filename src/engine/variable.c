#include "engine/variable.h"

#include <string.h>

#include "base/memory.h"
#include "engine/word.h"

#define CHUNK_RECORDS VARIABLE_CHUNK
#define HAND_STEPS 64u

bool variable_pool_init(struct variable_pool *pool, uint32_t limit, uint32_t capacity)
{
    memset(pool, 0, sizeof *pool);
    if (limit < 1)
        limit = 1;
    pool->limit = limit < VARIABLE_LIMIT_MAX ? limit : VARIABLE_LIMIT_MAX;
    while (pool->limit > UINT32_C(1) << pool->index_bits)
        pool->index_bits++;
    history_pool_init(&pool->histories, capacity, pool->limit / 4 + 1);
    size_t chunk_count = (pool->limit - 1) / CHUNK_RECORDS + 1;
    pool->chunks = memory_allocate(chunk_count * sizeof *pool->chunks);
    if (!pool->chunks)
        return false;
    for (size_t i = 0; i < chunk_count; i++)
        atomic_init(&pool->chunks[i], NULL);
    return true;
}

void variable_pool_release(struct variable_pool *pool)
{
    for (size_t i = 0; pool->chunks && i <= (pool->limit - 1) / CHUNK_RECORDS; i++)
        memory_release(atomic_load(&pool->chunks[i]));
    memory_release(pool->chunks);
    history_pool_release(&pool->histories);
    memset(pool, 0, sizeof *pool);
}

static struct variable *record_at(const struct variable_pool *pool, uint32_t index)
{
    struct variable_chunk *chunk =
        atomic_load_explicit(&pool->chunks[index / CHUNK_RECORDS], memory_order_acquire);
    return chunk ? &chunk->records[index % CHUNK_RECORDS] : NULL;
}

static uint32_t generation_mask(const struct variable_pool *pool)
{
    return (UINT32_C(1) << (WORD_HANDLE_BITS - pool->index_bits)) - 1;
}

static uint32_t index_of(const struct variable_pool *pool, uint32_t handle)
{
    return handle & ((UINT32_C(1) << pool->index_bits) - 1);
}

static void forget_seen(struct variable *variable)
{
    for (uint32_t i = 0; i < VARIABLE_SEEN; i++)
        atomic_store_explicit(&variable->seen[i], 0, memory_order_relaxed);
}

/* Empties a locked record; words that refer to it are stale from here on. */
static void retire(struct variable_pool *pool, struct variable *variable)
{
    history_clear(&pool->histories, &variable->history);
    variable->generation = (variable->generation + 1) & generation_mask(pool);
    variable->state = VARIABLE_UNTOUCHED;
    atomic_store_explicit(&variable->guard, 0, memory_order_relaxed);
}

/* One record more, locked; NULL at the limit or when there is no memory. */
static struct variable *extend(struct variable_pool *pool, uint32_t *index)
{
    if (pool->count == pool->limit)
        return NULL;
    uint32_t chunk_index = pool->count / CHUNK_RECORDS;
    if (pool->count % CHUNK_RECORDS == 0) {
        struct variable_chunk *chunk =
            memory_allocate_aligned(sizeof *chunk, _Alignof(struct variable_chunk));
        if (!chunk)
            return NULL;
        memset(chunk, 0, sizeof *chunk);
        atomic_store_explicit(&pool->chunks[chunk_index], chunk, memory_order_release);
    }
    *index = pool->count++;
    struct variable *variable = record_at(pool, *index);
    spin_lock(&variable->lock);
    return variable;
}

static struct variable *take_free(struct variable_pool *pool, uint32_t *index)
{
    if (!pool->free)
        return NULL;
    *index = pool->free - 1;
    struct variable *variable = record_at(pool, *index);
    spin_lock(&variable->lock);
    pool->free = variable->key;
    return variable;
}

/* A record that was not used since the hand came by last; after some steps, any that is not busy.
 */
static struct variable *evict(struct variable_pool *pool, uint32_t *index)
{
    for (uint32_t step = 0; step < 2 * HAND_STEPS && pool->count; step++) {
        *index = pool->hand;
        pool->hand = pool->hand + 1 < pool->count ? pool->hand + 1 : 0;
        struct variable *variable = record_at(pool, *index);
        if (atomic_exchange_explicit(&variable->referenced, 0, memory_order_relaxed) &&
            step < HAND_STEPS)
            continue;
        if (!spin_try(&variable->lock))
            continue;
        if (variable->state != VARIABLE_UNTOUCHED) {
            retire(pool, variable);
            atomic_fetch_add_explicit(&pool->evicted, 1, memory_order_relaxed);
            return variable;
        }
        spin_unlock(&variable->lock);
    }
    return NULL;
}

struct variable *variable_new(struct variable_pool *pool, uint32_t field, uint32_t key,
                              uint32_t *handle)
{
    uint32_t index = 0;
    spin_lock(&pool->lock);
    struct variable *variable = take_free(pool, &index);
    if (!variable)
        variable = extend(pool, &index);
    if (!variable)
        variable = evict(pool, &index);
    if (variable) {
        variable->field = field;
        variable->key = key;
        variable->last = 0;
        variable->owner = 0;
        /* From here on it is not a free record, and the hand may take it when it is unlocked. */
        variable->state = VARIABLE_THREAD_LOCAL_2;
        variable->access_set = variable->write_set = LOCKSET_ALL;
        atomic_store_explicit(&variable->guard, 0, memory_order_release);
        forget_seen(variable);
        /* Not before it is used again: records that are needed once go first. */
        atomic_store_explicit(&variable->referenced, 0, memory_order_relaxed);
        *handle = index | variable->generation << pool->index_bits;
    }
    spin_unlock(&pool->lock);
    return variable;
}

/* In whatever epoch. */
static bool is_seen_writing(const struct variable *variable, uint32_t slot)
{
    const uint32_t seen =
        atomic_load_explicit(&variable->seen[slot % VARIABLE_SEEN], memory_order_relaxed);
    return (seen & (VARIABLE_SEEN_WRITE - 1)) == slot && (seen & VARIABLE_SEEN_WRITE);
}

/* The word tells of an access that the record knows. Words may be stored late or not at all, so it
   need not be the last one. */
static bool fits(const struct variable *variable, uint64_t word)
{
    /* Of these there are words that the record was not told of: see inline.h. */
    const uint32_t slot = word_slot(word);
    if (slot == 0 || (variable->last & WORD_READ_MASK) == (word & WORD_READ_MASK) ||
        variable_guard(variable) || is_seen_writing(variable, slot))
        return true;
    for (uint32_t i = 0; i < variable->history.count; i++) {
        const struct remembered *access = history_at(&variable->history, i);
        if (word_expected(access->slot, access->segment) == (word & WORD_READ_MASK))
            return true;
    }
    return false;
}

struct variable *variable_lock(struct variable_pool *pool, uint64_t word, uint32_t field,
                               uint32_t key)
{
    uint32_t handle = word_handle(word), index = index_of(pool, handle);
    struct variable *variable = index < pool->limit ? record_at(pool, index) : NULL;
    if (!variable)
        return NULL;
    spin_lock(&variable->lock);
    if (variable->generation == handle >> pool->index_bits &&
        variable->state != VARIABLE_UNTOUCHED && variable->field == field && variable->key == key &&
        fits(variable, word)) {
        if (!atomic_load_explicit(&variable->referenced, memory_order_relaxed))
            atomic_store_explicit(&variable->referenced, 1, memory_order_relaxed);
        return variable;
    }
    spin_unlock(&variable->lock);
    return NULL;
}

void variable_discard(struct variable_pool *pool, uint32_t handle)
{
    uint32_t index = index_of(pool, handle);
    struct variable *variable = index < pool->limit ? record_at(pool, index) : NULL;
    if (!variable)
        return;
    spin_lock(&pool->lock);
    spin_lock(&variable->lock);
    if (variable->generation == handle >> pool->index_bits &&
        variable->state != VARIABLE_UNTOUCHED) {
        retire(pool, variable);
        variable->key = pool->free;
        pool->free = index + 1;
    }
    spin_unlock(&variable->lock);
    spin_unlock(&pool->lock);
}

void variable_begin_shared(struct variable *variable, bool modified)
{
    variable->state = modified ? VARIABLE_SHARED_MODIFIED : VARIABLE_READ_SHARED;
    variable->owner = 0;
    variable->access_set = variable->write_set = LOCKSET_ALL;
}

void variable_restrict(struct variable *variable, struct lockset_table *locksets, bool write,
                       uint32_t lockset)
{
    variable->access_set = lockset_intersection(locksets, variable->access_set, lockset);
    if (write)
        variable->write_set = lockset_intersection(locksets, variable->write_set, lockset);
}

void variable_step(struct variable *variable, struct lockset_table *locksets, bool object_rule,
                   uint32_t slot, bool write, uint32_t lockset)
{
    if (variable->state == VARIABLE_THREAD_LOCAL_2) {
        if (slot == variable->owner)
            return;
        variable_begin_shared(variable, write);
    } else if (write) {
        variable->state = VARIABLE_SHARED_MODIFIED;
    }
    if (object_rule || variable->state == VARIABLE_SHARED_MODIFIED)
        variable_restrict(variable, locksets, write, lockset);
}

/* A lock that all remembered accesses hold; 0 if there is none. */
static uint32_t find_guard(const struct variable *variable, struct lockset_table *locksets)
{
    uint32_t common = LOCKSET_ALL, locks[LOCKSET_MEMBERS_MAX];
    for (uint32_t i = 0; i < variable->history.count && common != LOCKSET_EMPTY; i++)
        common = lockset_intersection(locksets, common, history_at(&variable->history, i)->lockset);
    return lockset_copy(locksets, common, locks) ? locks[0] : 0;
}

/* Others are not alone any more. */
static void forget_writers(struct variable *variable, uint32_t seen)
{
    /* Another thread may have the same place. */
    const uint32_t slot = VARIABLE_SEEN_WRITE - 1;
    for (uint32_t i = 0; i < VARIABLE_SEEN; i++)
        if (((atomic_load_explicit(&variable->seen[i], memory_order_relaxed) ^ seen) & slot) != 0)
            atomic_fetch_and_explicit(&variable->seen[i], ~VARIABLE_SEEN_WRITE,
                                      memory_order_relaxed);
}

void variable_note_seen(struct variable *variable, uint32_t seen, bool write)
{
    _Atomic uint32_t *place = &variable->seen[seen % VARIABLE_SEEN];
    uint32_t before = atomic_load_explicit(place, memory_order_relaxed);
    bool wrote = write || before == (seen | VARIABLE_SEEN_WRITE);
    atomic_store_explicit(place, seen | (wrote ? VARIABLE_SEEN_WRITE : 0), memory_order_relaxed);
}

void variable_settle(struct variable *variable, struct lockset_table *locksets, uint32_t handle,
                     uint32_t seen, bool write, uint32_t lockset)
{
    uint32_t lock = variable_guard(variable);
    /* Nobody may rely on what is changed now. */
    atomic_store_explicit(&variable->guard, 0, memory_order_release);
    const bool was_guarded = lock;
    lock = lockset == LOCKSET_EMPTY ? 0 : find_guard(variable, locksets);
    if (lock || was_guarded || write)
        forget_seen(variable);
    else
        forget_writers(variable, seen);
    if (!lock && lockset != LOCKSET_EMPTY)
        seen |= VARIABLE_SEEN_LOCKS;
    variable_note_seen(variable, seen, write);
    atomic_store_explicit(&variable->guard, (uint64_t)lock << 32 | (handle + 1),
                          memory_order_release);
}

const char *variable_state_name(enum variable_state state)
{
    switch (state) {
    case VARIABLE_THREAD_LOCAL:
        return "thread-local";
    case VARIABLE_THREAD_LOCAL_2:
        return "thread-local (2)";
    case VARIABLE_READ_SHARED:
        return "read-shared";
    case VARIABLE_SHARED_MODIFIED:
        return "shared-modified";
    case VARIABLE_UNTOUCHED:
        break;
    }
    return "untouched";
}
