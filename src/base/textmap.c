#include "base/textmap.h"

#include <string.h>

#include "base/memory.h"

#define FIRST_SLOTS 16u

void textmap_init(struct textmap *map)
{
    memset(map, 0, sizeof *map);
}

void textmap_release(struct textmap *map)
{
    memory_release(map->slots);
    textmap_init(map);
}

void textmap_clear(struct textmap *map)
{
    if (map->slots)
        memset(map->slots, 0, map->slot_count * sizeof *map->slots);
    map->count = 0;
}

/* The slot that holds the key, or the free slot where it belongs. */
static struct textmap_entry *find_slot(const struct textmap *map, struct text key, uint32_t hash)
{
    size_t mask = map->slot_count - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct textmap_entry *slot = &map->slots[i];
        if (!slot->key.bytes || (slot->hash == hash && text_equal(slot->key, key)))
            return slot;
    }
}

static bool grow(struct textmap *map)
{
    size_t slot_count = map->slot_count ? map->slot_count * 2 : FIRST_SLOTS;
    if (slot_count > SIZE_MAX / 2 / sizeof(struct textmap_entry))
        return false;
    struct textmap bigger = {.slot_count = slot_count, .count = map->count};
    bigger.slots = memory_allocate(slot_count * sizeof *bigger.slots);
    if (!bigger.slots)
        return false;
    memset(bigger.slots, 0, slot_count * sizeof *bigger.slots);
    for (size_t i = 0; i < map->slot_count; i++)
        if (map->slots[i].key.bytes)
            *find_slot(&bigger, map->slots[i].key, map->slots[i].hash) = map->slots[i];
    memory_release(map->slots);
    *map = bigger;
    return true;
}

bool textmap_get(const struct textmap *map, struct text key, uint32_t *value)
{
    if (!map->count)
        return false;
    const struct textmap_entry *slot = find_slot(map, key, (uint32_t)text_hash(key));
    if (!slot->key.bytes)
        return false;
    if (value)
        *value = slot->value;
    return true;
}

uint32_t *textmap_find_or_add(struct textmap *map, struct text key, uint32_t value_if_new,
                              bool *added)
{
    /* At most three quarters full, so that a search always ends at a free slot. */
    if (map->count + 1 > map->slot_count / 4 * 3 && !grow(map))
        return NULL;
    uint32_t hash = (uint32_t)text_hash(key);
    struct textmap_entry *slot = find_slot(map, key, hash);
    *added = !slot->key.bytes;
    if (*added) {
        if (!key.bytes)
            key.bytes = "";
        *slot = (struct textmap_entry){key, hash, value_if_new};
        map->count++;
    }
    return &slot->value;
}

bool textmap_put(struct textmap *map, struct text key, uint32_t value)
{
    bool added;
    uint32_t *stored = textmap_find_or_add(map, key, value, &added);
    if (!stored)
        return false;
    *stored = value;
    return true;
}
