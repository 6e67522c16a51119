#include "base/intmap.h"

#include <string.h>

#include "base/memory.h"

#define FIRST_SLOTS 16u

void intmap_init(struct intmap *map)
{
    memset(map, 0, sizeof *map);
}

void intmap_release(struct intmap *map)
{
    memory_release(map->slots);
    intmap_init(map);
}

static void mark_free(struct intmap_entry *slots, size_t count)
{
    for (size_t i = 0; i < count; i++)
        slots[i].key = INTMAP_NO_KEY;
}

void intmap_clear(struct intmap *map)
{
    mark_free(map->slots, map->slot_count);
    map->count = 0;
}

static size_t home_of(uint64_t key, size_t mask)
{
    uint64_t hash = key * 0x9E3779B97F4A7C15u;
    return (size_t)(hash >> 32 ^ hash) & mask;
}

/* The slot that holds the key, or the free slot where it belongs. */
static struct intmap_entry *find_slot(const struct intmap *map, uint64_t key)
{
    size_t mask = map->slot_count - 1;
    for (size_t i = home_of(key, mask);; i = (i + 1) & mask) {
        struct intmap_entry *slot = &map->slots[i];
        if (slot->key == key || slot->key == INTMAP_NO_KEY)
            return slot;
    }
}

static bool grow(struct intmap *map)
{
    size_t slot_count = map->slot_count ? map->slot_count * 2 : FIRST_SLOTS;
    if (slot_count > SIZE_MAX / 2 / sizeof(struct intmap_entry))
        return false;
    struct intmap bigger = {.slot_count = slot_count, .count = map->count};
    bigger.slots = memory_allocate(slot_count * sizeof *bigger.slots);
    if (!bigger.slots)
        return false;
    mark_free(bigger.slots, slot_count);
    for (size_t i = 0; i < map->slot_count; i++)
        if (map->slots[i].key != INTMAP_NO_KEY)
            *find_slot(&bigger, map->slots[i].key) = map->slots[i];
    memory_release(map->slots);
    *map = bigger;
    return true;
}

bool intmap_get(const struct intmap *map, uint64_t key, uint64_t *value)
{
    if (!map->count || key == INTMAP_NO_KEY)
        return false;
    const struct intmap_entry *slot = find_slot(map, key);
    if (slot->key == INTMAP_NO_KEY)
        return false;
    if (value)
        *value = slot->value;
    return true;
}

uint64_t *intmap_find_or_add(struct intmap *map, uint64_t key, uint64_t value_if_new, bool *added)
{
    if (key == INTMAP_NO_KEY)
        return NULL;
    /* At most three quarters full, so that a search always ends at a free slot. */
    if (map->count + 1 > map->slot_count / 4 * 3 && !grow(map))
        return NULL;
    struct intmap_entry *slot = find_slot(map, key);
    *added = slot->key == INTMAP_NO_KEY;
    if (*added) {
        *slot = (struct intmap_entry){key, value_if_new};
        map->count++;
    }
    return &slot->value;
}

bool intmap_put(struct intmap *map, uint64_t key, uint64_t value)
{
    bool added;
    uint64_t *stored = intmap_find_or_add(map, key, value, &added);
    if (!stored)
        return false;
    *stored = value;
    return true;
}
