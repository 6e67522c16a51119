#include "engine/lockset.h"

#include <string.h>

#include "base/memory.h"

#define FIRST_SLOTS 64u
#define CACHE_PLACES 4096u

/* An interned set's id: its generation, and its index there. Neither all bits 0 nor all 1. */
enum {
    INDEX_BITS = 15,
    INDEX_MASK = (1 << INDEX_BITS) - 1,
    INDEX_MAX = INDEX_MASK - 1,
    GENERATION_MASK = 0xFFFF,
};

enum relation { RELATION_SUBSET = 1, RELATION_DISJOINT = 2 };

struct lockset_members {
    uint32_t count;
    uint32_t hash;
    uint32_t locks[]; /* ascending */
};

bool lockset_init(struct lockset_table *table, uint32_t limit)
{
    memset(table, 0, sizeof *table);
    table->capacity = limit / 2 < 2 ? 2 : limit / 2 > INDEX_MAX ? INDEX_MAX : limit / 2;
    for (unsigned i = 0; i < 2; i++)
        arena_init(&table->generations[i].arena);
    bool ready = cache_init(&table->unions, CACHE_PLACES);
    ready = ready && cache_init(&table->intersections, CACHE_PLACES);
    ready = ready && cache_init(&table->relations, CACHE_PLACES);
    if (!ready)
        lockset_release(table);
    return ready;
}

void lockset_release(struct lockset_table *table)
{
    for (unsigned i = 0; i < 2; i++) {
        arena_release(&table->generations[i].arena);
        memory_release(table->generations[i].sets);
        memory_release(table->generations[i].slots);
    }
    cache_release(&table->unions);
    cache_release(&table->intersections);
    cache_release(&table->relations);
    memset(table, 0, sizeof *table);
}

/* ---- generations ---- */

static bool is_interned(uint32_t set)
{
    return !(set & LOCKSET_SINGLE) && set != LOCKSET_EMPTY && set != LOCKSET_ALL;
}

/* How many generations ago the set was interned. */
static uint32_t age_of(const struct lockset_table *table, uint32_t set)
{
    const uint32_t current = atomic_load_explicit(&table->current, memory_order_relaxed);
    return (current - (set >> INDEX_BITS)) & GENERATION_MASK;
}

/* The set, or what it has become. */
static uint32_t living(const struct lockset_table *table, uint32_t set)
{
    return is_interned(set) && age_of(table, set) > 1 ? LOCKSET_ALL : set;
}

/* It will not be forgotten for as long as it takes to fill a generation. */
static bool is_lasting(const struct lockset_table *table, uint32_t set)
{
    return !is_interned(set) || age_of(table, set) == 0;
}

/* With the lock. `single` is room for the lock of a set of one. LOCKSET_ALL has none to show. */
static uint32_t find_locks(const struct lockset_table *table, uint32_t set, uint32_t *single,
                           const uint32_t **locks)
{
    const struct lockset_generation *generation = &table->generations[set >> INDEX_BITS & 1];
    const uint32_t index = set & INDEX_MASK;
    *locks = single;
    if (set & LOCKSET_SINGLE) {
        *single = set & ~LOCKSET_SINGLE;
        return 1;
    }
    /* A very old set's number may have begun again. */
    if (set == LOCKSET_EMPTY || living(table, set) == LOCKSET_ALL || index > generation->count)
        return 0;
    *locks = generation->sets[index]->locks;
    return generation->sets[index]->count;
}

bool lockset_is_known(const struct lockset_table *table, uint32_t set)
{
    return living(table, set) != LOCKSET_ALL;
}

uint32_t lockset_copy(struct lockset_table *table, uint32_t set,
                      uint32_t locks[LOCKSET_MEMBERS_MAX])
{
    uint32_t single;
    const uint32_t *found;
    spin_lock(&table->lock);
    const uint32_t count = find_locks(table, set, &single, &found);
    memcpy(locks, found, count * sizeof *locks);
    spin_unlock(&table->lock);
    return count;
}

static bool contains(const uint32_t *locks, uint32_t count, uint32_t lock)
{
    for (uint32_t i = 0; i < count; i++)
        if (locks[i] == lock)
            return true;
    return false;
}

uint32_t lockset_show(struct lockset_table *table, uint32_t set, uint32_t shared,
                      struct lockset_shown shown[LOCKSET_SHOWN_MAX])
{
    uint32_t all[LOCKSET_MEMBERS_MAX], marked[LOCKSET_MEMBERS_MAX], count = 0;
    const uint32_t all_count = lockset_copy(table, set, all);
    const uint32_t marked_count = lockset_copy(table, shared, marked);
    for (uint32_t i = 0; i < all_count; i++)
        if (!contains(marked, marked_count, all[i]))
            shown[count++] = (struct lockset_shown){all[i], false};
    for (uint32_t i = 0; i < marked_count; i++)
        shown[count++] = (struct lockset_shown){marked[i], true};
    return count;
}

uint32_t lockset_count(struct lockset_table *table)
{
    spin_lock(&table->lock);
    uint32_t count = table->generations[0].count + table->generations[1].count;
    spin_unlock(&table->lock);
    return count;
}

/* ---- interning: with the lock ---- */

static uint32_t hash_locks(const uint32_t *locks, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = cache_mix(hash + locks[i] + 1);
    return (uint32_t)hash;
}

static struct lockset_generation *present(struct lockset_table *table)
{
    return &table->generations[atomic_load_explicit(&table->current, memory_order_relaxed) & 1];
}

/* The one before the present one is forgotten, and its room used. */
static void begin_generation(struct lockset_table *table)
{
    const uint32_t number = atomic_load_explicit(&table->current, memory_order_relaxed) + 1;
    struct lockset_generation *generation = &table->generations[number & 1];
    generation->count = 0;
    if (generation->slots)
        memset(generation->slots, 0, generation->slot_count * sizeof *generation->slots);
    arena_clear(&generation->arena);
    /* Before numbers begin again, which then mean other sets. */
    if ((number & GENERATION_MASK / 2) == 0) {
        cache_clear(&table->unions);
        cache_clear(&table->intersections);
        cache_clear(&table->relations);
    }
    atomic_store_explicit(&table->current, number, memory_order_relaxed);
}

static bool grow(struct lockset_generation *generation)
{
    if (generation->count + 1 <= generation->slot_count / 4 * 3)
        return true;
    uint32_t slot_count = generation->slot_count ? generation->slot_count * 2 : FIRST_SLOTS;
    uint32_t *slots = memory_allocate(slot_count * sizeof *slots);
    struct lockset_members **sets = memory_allocate(slot_count * sizeof(struct lockset_members *));
    if (!slots || !sets) {
        memory_release(slots);
        memory_release(sets);
        return false;
    }
    memset(slots, 0, slot_count * sizeof *slots);
    for (uint32_t index = 1; index <= generation->count; index++) {
        sets[index] = generation->sets[index];
        uint32_t slot = sets[index]->hash & (slot_count - 1);
        while (slots[slot])
            slot = (slot + 1) & (slot_count - 1);
        slots[slot] = index;
    }
    memory_release(generation->slots);
    memory_release(generation->sets);
    generation->slots = slots;
    generation->sets = sets;
    generation->slot_count = slot_count;
    return true;
}

/* The slot that has the set's index, or a free one; there are some. */
static uint32_t find_slot(const struct lockset_generation *generation, const uint32_t *locks,
                          uint32_t count, uint32_t hash)
{
    const uint32_t mask = generation->slot_count - 1;
    uint32_t slot = hash & mask;
    for (; generation->slots[slot]; slot = (slot + 1) & mask) {
        const struct lockset_members *members = generation->sets[generation->slots[slot]];
        if (members->count == count && !memcmp(members->locks, locks, count * sizeof *locks))
            break;
    }
    return slot;
}

/* The index of the new set; 0 without memory. */
static uint32_t add_set(struct lockset_table *table, const uint32_t *locks, uint32_t count,
                        uint32_t hash)
{
    if (present(table)->count == table->capacity)
        begin_generation(table);
    struct lockset_generation *generation = present(table);
    if (!grow(generation))
        return 0;
    struct lockset_members *members =
        arena_allocate(&generation->arena, sizeof *members + count * sizeof *locks,
                       alignof(struct lockset_members));
    if (!members)
        return 0;
    members->count = count;
    members->hash = hash;
    memcpy(members->locks, locks, count * sizeof *locks);
    generation->sets[++generation->count] = members;
    generation->slots[find_slot(generation, locks, count, hash)] = generation->count;
    return generation->count;
}

static uint32_t find_or_add(struct lockset_table *table, const uint32_t *locks, uint32_t count)
{
    const struct lockset_generation *generation = present(table);
    const uint32_t hash = hash_locks(locks, count);
    const uint32_t known =
        generation->slots ? generation->slots[find_slot(generation, locks, count, hash)] : 0;
    return known ? known : add_set(table, locks, count, hash);
}

static uint32_t intern(struct lockset_table *table, const uint32_t *locks, uint32_t count)
{
    if (count == 0)
        return LOCKSET_EMPTY;
    if (count == 1)
        return lockset_single(locks[0]);
    const uint32_t index = count <= LOCKSET_MEMBERS_MAX ? find_or_add(table, locks, count) : 0;
    if (!index) {
        atomic_fetch_add_explicit(&table->lost, 1, memory_order_relaxed);
        return LOCKSET_ALL;
    }
    const uint32_t number = atomic_load_explicit(&table->current, memory_order_relaxed);
    return (number & GENERATION_MASK) << INDEX_BITS | index;
}

/* ---- operations ---- */

static uint64_t pair_key(uint32_t left, uint32_t right)
{
    return (uint64_t)left << 32 | right;
}

/* With the lock. */
static uint32_t compute_union(struct lockset_table *table, uint32_t left, uint32_t right)
{
    uint32_t left_single, right_single, merged[2 * LOCKSET_MEMBERS_MAX], count = 0;
    const uint32_t *left_locks, *right_locks;
    if (living(table, left) == LOCKSET_ALL || living(table, right) == LOCKSET_ALL)
        return LOCKSET_ALL;
    uint32_t left_count = find_locks(table, left, &left_single, &left_locks);
    uint32_t right_count = find_locks(table, right, &right_single, &right_locks);
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

/* With the lock. */
static uint32_t compute_intersection(struct lockset_table *table, uint32_t left, uint32_t right)
{
    uint32_t left_single, right_single, common[LOCKSET_MEMBERS_MAX], count = 0;
    const uint32_t *left_locks, *right_locks;
    if (living(table, left) == LOCKSET_ALL)
        return living(table, right);
    if (living(table, right) == LOCKSET_ALL)
        return left;
    uint32_t left_count = find_locks(table, left, &left_single, &left_locks);
    uint32_t right_count = find_locks(table, right, &right_single, &right_locks);
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

typedef uint32_t operation(struct lockset_table *table, uint32_t left, uint32_t right);

/* What was computed before counts if it will last; else it is brought into this generation. */
static uint32_t look_up(struct lockset_table *table, struct cache *cache, uint32_t left,
                        uint32_t right, operation *compute)
{
    const uint64_t key = left < right ? pair_key(left, right) : pair_key(right, left);
    uint64_t known;
    if (cache_get(cache, key, &known) && is_lasting(table, (uint32_t)known))
        return (uint32_t)known;
    spin_lock(&table->lock);
    const uint32_t result = compute(table, left, right);
    spin_unlock(&table->lock);
    cache_put(cache, key, result);
    return result;
}

uint32_t lockset_union(struct lockset_table *table, uint32_t left, uint32_t right)
{
    left = living(table, left);
    right = living(table, right);
    if (left == right || right == LOCKSET_EMPTY)
        return left;
    if (left == LOCKSET_EMPTY)
        return right;
    if (left == LOCKSET_ALL || right == LOCKSET_ALL)
        return LOCKSET_ALL;
    return look_up(table, &table->unions, left, right, compute_union);
}

uint32_t lockset_intersection(struct lockset_table *table, uint32_t left, uint32_t right)
{
    left = living(table, left);
    right = living(table, right);
    if (left == right || right == LOCKSET_ALL)
        return left;
    if (left == LOCKSET_ALL)
        return right;
    if (left == LOCKSET_EMPTY || right == LOCKSET_EMPTY || (left & right & LOCKSET_SINGLE))
        return LOCKSET_EMPTY;
    return look_up(table, &table->intersections, left, right, compute_intersection);
}

/* With the lock: bits of enum relation. */
static unsigned compute_relation(const struct lockset_table *table, uint32_t small, uint32_t large)
{
    uint32_t small_single, large_single, common = 0;
    const uint32_t *small_locks, *large_locks;
    if (living(table, large) == LOCKSET_ALL)
        return RELATION_SUBSET;
    if (living(table, small) == LOCKSET_ALL)
        return 0;
    uint32_t small_count = find_locks(table, small, &small_single, &small_locks);
    uint32_t large_count = find_locks(table, large, &large_single, &large_locks);
    for (uint32_t i = 0, k = 0; i < small_count && k < large_count; k++) {
        while (i < small_count && small_locks[i] < large_locks[k])
            i++;
        common += i < small_count && small_locks[i] == large_locks[k];
    }
    return (common == small_count ? RELATION_SUBSET : 0u) | (common == 0 ? RELATION_DISJOINT : 0u);
}

/* Of two sets of which at least one is interned. */
static unsigned relate(struct lockset_table *table, uint32_t small, uint32_t large)
{
    uint64_t key = pair_key(small, large), known;
    if (cache_get(&table->relations, key, &known))
        return (unsigned)known;
    spin_lock(&table->lock);
    const unsigned relation = compute_relation(table, small, large);
    spin_unlock(&table->lock);
    cache_put(&table->relations, key, relation);
    return relation;
}

bool lockset_disjoint(struct lockset_table *table, uint32_t left, uint32_t right)
{
    left = living(table, left);
    right = living(table, right);
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
    small = living(table, small);
    large = living(table, large);
    if (small == large || small == LOCKSET_EMPTY || large == LOCKSET_ALL)
        return true;
    if (small == LOCKSET_ALL || large == LOCKSET_EMPTY || (large & LOCKSET_SINGLE))
        return false;
    return relate(table, small, large) & RELATION_SUBSET;
}
