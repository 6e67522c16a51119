/*
 * intmap: from 64-bit integers to 64-bit integers. Any key but INTMAP_NO_KEY may be used.
 */
#ifndef TURNSTILE_BASE_INTMAP_H
#define TURNSTILE_BASE_INTMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INTMAP_NO_KEY UINT64_MAX

struct intmap_entry {
    uint64_t key;
    uint64_t value;
};

struct intmap {
    struct intmap_entry *slots;
    size_t slot_count; /* 0 or a power of two */
    size_t count;
};

void intmap_init(struct intmap *map);
void intmap_release(struct intmap *map);

/* Forgets the entries, keeps the memory. */
void intmap_clear(struct intmap *map);

/* True, with the value stored through `value` (which may be NULL), when the key is there. */
bool intmap_get(const struct intmap *map, uint64_t key, uint64_t *value);

/* Adds or replaces. False when there is no memory. */
bool intmap_put(struct intmap *map, uint64_t key, uint64_t value);

/* The value of the key; if it is new, it gets `value_if_new`, and *added says so.
   NULL when there is no memory. The pointer is good until the next change. */
uint64_t *intmap_find_or_add(struct intmap *map, uint64_t key, uint64_t value_if_new, bool *added);

#endif
