/*
 * cache: a lossy map from 64-bit keys to 64-bit values that many threads use without locks.
 *
 * Each key has one place, by a hash of its own or one that the caller chooses so that keys that are
 * used together lie together; a newer key takes the place of an older one. A reader gets the value
 * that was put for its key, or nothing: an entry holds the value and the key mixed with the value,
 * so a mixture of two writers' halves is not taken for an entry. What was written before a put can
 * be read after a get that finds it. Keys are not 0.
 */
#ifndef TURNSTILE_ENGINE_CACHE_H
#define TURNSTILE_ENGINE_CACHE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache_entry {
    _Atomic uint64_t check;
    _Atomic uint64_t value;
};

struct cache {
    struct cache_entry *entries; /* NULL: a cache without places */
    uint64_t mask;
};

/* `places` is rounded up to a power of two; 0 makes a cache that keeps nothing. False when there is
   no memory; the cache can be used then, and keeps nothing. */
bool cache_init(struct cache *cache, size_t places);
void cache_release(struct cache *cache);

/* Forgets what was put before; what is being put meanwhile may stay. */
void cache_clear(struct cache *cache);

static inline uint64_t cache_mix(uint64_t value)
{
    value = (value ^ value >> 32) * 0x9E3779B97F4A7C15u;
    return value ^ value >> 29;
}

static inline bool cache_get_at(const struct cache *cache, uint64_t place, uint64_t key,
                                uint64_t *value)
{
    if (!cache->entries)
        return false;
    struct cache_entry *entry = &cache->entries[place & cache->mask];
    uint64_t found = atomic_load_explicit(&entry->value, memory_order_acquire);
    uint64_t check = atomic_load_explicit(&entry->check, memory_order_acquire);
    *value = found;
    return (check ^ cache_mix(found)) == key;
}

static inline void cache_put_at(struct cache *cache, uint64_t place, uint64_t key, uint64_t value)
{
    if (!cache->entries)
        return;
    struct cache_entry *entry = &cache->entries[place & cache->mask];
    atomic_store_explicit(&entry->value, value, memory_order_release);
    atomic_store_explicit(&entry->check, key ^ cache_mix(value), memory_order_release);
}

static inline bool cache_get(const struct cache *cache, uint64_t key, uint64_t *value)
{
    return cache_get_at(cache, cache_mix(key), key, value);
}

static inline void cache_put(struct cache *cache, uint64_t key, uint64_t value)
{
    cache_put_at(cache, cache_mix(key), key, value);
}

#endif
