#include "engine/lockset.h"

#include <string.h>

#include "base/memory.h"

#define CHUNK_SETS 1024u
#define FIRST_SLOTS 64u
#define CACHE_PLACES 4096u

enum relation { RELATION_SUBSET = 1, RELATION_DISJOINT = 2 };

struct lockset_chunk {
    const struct lockset_members *sets[CHUNK_SETS];
};

bool lockset_init(struct lockset_table *table, uint32_t limit)
{
    memset(table, 0, sizeof *table);
    arena_init(&table->arena);
    table->limit = limit < LOCKSET_ALL - CHUNK_SETS ? limit : LOCKSET_ALL - CHUNK_SETS;
    size_t chunk_count = table->limit / CHUNK_SETS + 1;
    table->chunks = memory_allocate(chunk_count * sizeof *table->chunks);
    bool ready = table->chunks != NULL;
    for (size_t i = 0; ready && i < chunk_count; i++)
        atomic_init(&table->chunks[i], NULL);
    ready = ready && cache_init(&table->unions, CACHE_PLACES);
    ready = ready && cache_init(&table->intersections, CACHE_PLACES);
    ready = ready && cache_init(&table->relations, CACHE_PLACES);
    if (!ready)
        lockset_release(table);
    return ready;
}

void lockset_release(struct lockset_table *table)
{
    arena_release(&table->arena);
    for (size_t i = 0; table->chunks && i <= table->limit / CHUNK_SETS; i++)
        memory_release(atomic_load(&table->chunks[i]));
    memory_release(table->chunks);
    memory_release(table->slots);
    cache_release(&table->unions);
    cache_release(&table->intersections);
    cache_release(&table->relations);
    memset(table, 0, sizeof *table);
}

static const struct lockset_members *members_of(const struct lockset_table *table, uint32_t set)
{
    struct lockset_chunk *chunk =
        atomic_load_explicit(&table->chunks[set / CHUNK_SETS], memory_order_acquire);
    return chunk->sets[set % CHUNK_SETS];
}

uint32_t lockset_get(const struct lockset_table *table, uint32_t set, uint32_t *single,
                     const uint32_t **locks)
{
    *locks = single;
    if (set == LOCKSET_EMPTY || set == LOCKSET_ALL)
        return 0;
    if (set & LOCKSET_SINGLE) {
        *single = set & ~LOCKSET_SINGLE;
        return 1;
    }
    const struct lockset_members *members = members_of(table, set);
    *locks = members->locks;
    return members->count;
}

uint32_t lockset_count(struct lockset_table *table)
{
    spin_lock(&table->lock);
    uint32_t count = table->count;
    spin_unlock(&table->lock);
    return count;
}

static uint32_t hash_locks(const uint32_t *locks, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = cache_mix(hash + locks[i] + 1);
    return (uint32_t)hash;
}

static bool grow_slots(struct lockset_table *table)
{
    if (table->count + 1 <= table->slot_count / 4 * 3)
        return true;
    uint32_t slot_count = table->slot_count ? table->slot_count * 2 : FIRST_SLOTS;
    uint32_t *slots = memory_allocate(slot_count * sizeof *slots);
    if (!slots)
        return false;
    memset(slots, 0, slot_count * sizeof *slots);
    for (uint32_t set = 1; set <= table->count; set++) {
        uint32_t slot = members_of(table, set)->hash & (slot_count - 1);
        while (slots[slot])
            slot = (slot + 1) & (slot_count - 1);
        slots[slot] = set;
    }
    memory_release(table->slots);
    table->slots = slots;
    table->slot_count = slot_count;
    return true;
}

/* The chunk for one set more, or NULL. */
static struct lockset_chunk *chunk_for(struct lockset_table *table, uint32_t set)
{
    struct lockset_chunk *chunk = atomic_load(&table->chunks[set / CHUNK_SETS]);
    if (chunk)
        return chunk;
    chunk = memory_allocate(sizeof *chunk);
    if (chunk)
        atomic_store_explicit(&table->chunks[set / CHUNK_SETS], chunk, memory_order_release);
    return chunk;
}

static uint32_t add_set(struct lockset_table *table, const uint32_t *locks, uint32_t count,
                        uint32_t hash, uint32_t slot)
{
    uint32_t set = table->count + 1;
    struct lockset_chunk *chunk = set <= table->limit ? chunk_for(table, set) : NULL;
    struct lockset_members *members = NULL;
    if (chunk)
        members = arena_allocate(&table->arena, sizeof *members + count * sizeof *locks,
                                 alignof(struct lockset_members));
    if (!members)
        return LOCKSET_ALL;
    members->count = count;
    members->hash = hash;
    memcpy(members->locks, locks, count * sizeof *locks);
    chunk->sets[set % CHUNK_SETS] = members;
    table->slots[slot] = set;
    table->count = set;
    return set;
}

static uint32_t find_or_add(struct lockset_table *table, const uint32_t *locks, uint32_t count)
{
    if (!grow_slots(table))
        return LOCKSET_ALL;
    uint32_t hash = hash_locks(locks, count);
    uint32_t slot = hash & (table->slot_count - 1);
    for (; table->slots[slot]; slot = (slot + 1) & (table->slot_count - 1)) {
        const struct lockset_members *members = members_of(table, table->slots[slot]);
        if (members->count == count && !memcmp(members->locks, locks, count * sizeof *locks))
            return table->slots[slot];
    }
    return add_set(table, locks, count, hash, slot);
}

static uint32_t intern(struct lockset_table *table, const uint32_t *locks, uint32_t count)
{
    if (count == 0)
        return LOCKSET_EMPTY;
    if (count == 1)
        return lockset_single(locks[0]);
    uint32_t set = LOCKSET_ALL;
    if (count <= LOCKSET_MEMBERS_MAX) {
        spin_lock(&table->lock);
        set = find_or_add(table, locks, count);
        spin_unlock(&table->lock);
    }
    if (set == LOCKSET_ALL)
        atomic_fetch_add_explicit(&table->lost, 1, memory_order_relaxed);
    return set;
}

static uint64_t pair_key(uint32_t left, uint32_t right)
{
    return (uint64_t)left << 32 | right;
}

static uint32_t compute_union(struct lockset_table *table, uint32_t left, uint32_t right)
{
    uint32_t left_single, right_single, merged[2 * LOCKSET_MEMBERS_MAX], count = 0;
    const uint32_t *left_locks, *right_locks;
    uint32_t left_count = lockset_get(table, left, &left_single, &left_locks);
    uint32_t right_count = lockset_get(table, right, &right_single, &right_locks);
    for (uint32_t i = 0, k = 0; i < left_count || k < right_count;) {
        if (k == right_count || (i < left_count && left_locks[i] < right_locks[k])) {
            merged[count++] = left_locks[i++];
        } else {
            if (i < left_count && left_locks[i] == right_locks[k])
                i++;
            merged[count++] = right_locks[k++];
        }
    }
    return intern(table, merged, count);
}

uint32_t lockset_union(struct lockset_table *table, uint32_t left, uint32_t right)
{
    if (left == right || right == LOCKSET_EMPTY)
        return left;
    if (left == LOCKSET_EMPTY)
        return right;
    if (left == LOCKSET_ALL || right == LOCKSET_ALL)
        return LOCKSET_ALL;
    uint64_t key = left < right ? pair_key(left, right) : pair_key(right, left), known;
    if (cache_get(&table->unions, key, &known))
        return (uint32_t)known;
    uint32_t result = compute_union(table, left, right);
    cache_put(&table->unions, key, result);
    return result;
}

static uint32_t compute_intersection(struct lockset_table *table, uint32_t left, uint32_t right)
{
    uint32_t left_single, right_single, common[LOCKSET_MEMBERS_MAX], count = 0;
    const uint32_t *left_locks, *right_locks;
    uint32_t left_count = lockset_get(table, left, &left_single, &left_locks);
    uint32_t right_count = lockset_get(table, right, &right_single, &right_locks);
    for (uint32_t i = 0, k = 0; i < left_count && k < right_count;) {
        if (left_locks[i] < right_locks[k]) {
            i++;
        } else if (left_locks[i] > right_locks[k]) {
            k++;
        } else {
            common[count++] = left_locks[i++];
            k++;
        }
    }
    return intern(table, common, count);
}

uint32_t lockset_intersection(struct lockset_table *table, uint32_t left, uint32_t right)
{
    if (left == right || right == LOCKSET_ALL)
        return left;
    if (left == LOCKSET_ALL)
        return right;
    if (left == LOCKSET_EMPTY || right == LOCKSET_EMPTY || (left & right & LOCKSET_SINGLE))
        return LOCKSET_EMPTY;
    uint64_t key = left < right ? pair_key(left, right) : pair_key(right, left), known;
    if (cache_get(&table->intersections, key, &known))
        return (uint32_t)known;
    uint32_t result = compute_intersection(table, left, right);
    cache_put(&table->intersections, key, result);
    return result;
}

/* Bits of enum relation for two sets of which at least one is interned. */
static unsigned relate(struct lockset_table *table, uint32_t small, uint32_t large)
{
    uint64_t key = pair_key(small, large), known;
    if (cache_get(&table->relations, key, &known))
        return (unsigned)known;
    uint32_t small_single, large_single, common = 0;
    const uint32_t *small_locks, *large_locks;
    uint32_t small_count = lockset_get(table, small, &small_single, &small_locks);
    uint32_t large_count = lockset_get(table, large, &large_single, &large_locks);
    for (uint32_t i = 0, k = 0; i < small_count && k < large_count; k++) {
        while (i < small_count && small_locks[i] < large_locks[k])
            i++;
        common += i < small_count && small_locks[i] == large_locks[k];
    }
    unsigned relation =
        (common == small_count ? RELATION_SUBSET : 0u) | (common == 0 ? RELATION_DISJOINT : 0u);
    cache_put(&table->relations, key, relation);
    return relation;
}

bool lockset_disjoint(struct lockset_table *table, uint32_t left, uint32_t right)
{
    if (left == LOCKSET_ALL || right == LOCKSET_ALL)
        return false;
    if (left == LOCKSET_EMPTY || right == LOCKSET_EMPTY)
        return true;
    if (left == right)
        return false;
    if (left & right & LOCKSET_SINGLE)
        return true;
    return relate(table, left, right) & RELATION_DISJOINT;
}

bool lockset_subset(struct lockset_table *table, uint32_t small, uint32_t large)
{
    if (small == large || small == LOCKSET_EMPTY || large == LOCKSET_ALL)
        return true;
    if (small == LOCKSET_ALL || large == LOCKSET_EMPTY || (large & LOCKSET_SINGLE))
        return false;
    return relate(table, small, large) & RELATION_SUBSET;
}
