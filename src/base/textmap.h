/*
 * textmap: from texts to small integers, usually the index of something in a vector.
 *
 * Keys are not copied: their bytes must outlive the map. Entries are never removed one by one.
 */
#ifndef TURNSTILE_BASE_TEXTMAP_H
#define TURNSTILE_BASE_TEXTMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct textmap_entry {
    struct text key; /* bytes are NULL in a free slot */
    uint32_t hash;
    uint32_t value;
};

struct textmap {
    struct textmap_entry *slots;
    size_t slot_count; /* 0 or a power of two */
    size_t count;
};

void textmap_init(struct textmap *map);
void textmap_release(struct textmap *map);

/* Forgets the entries, keeps the memory. */
void textmap_clear(struct textmap *map);

/* True, with the value stored through `value` (which may be NULL), when the key is there. */
bool textmap_get(const struct textmap *map, struct text key, uint32_t *value);

/* Adds or replaces. False when there is no memory. */
bool textmap_put(struct textmap *map, struct text key, uint32_t value);

/* The value of the key; if it is new, it gets `value_if_new`, and *added says so.
   NULL when there is no memory. The pointer is good until the next change. */
uint32_t *textmap_find_or_add(struct textmap *map, struct text key, uint32_t value_if_new,
                              bool *added);

#endif
