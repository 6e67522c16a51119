#include "engine/cache.h"

#include "base/memory.h"

bool cache_init(struct cache *cache, size_t places)
{
    cache->entries = NULL;
    cache->mask = 0;
    if (!places)
        return true;
    size_t size = 16;
    while (size < places && size < SIZE_MAX / 4 / sizeof(struct cache_entry))
        size *= 2;
    cache->entries = memory_map(size * sizeof *cache->entries);
    if (!cache->entries)
        return false;
    cache->mask = size - 1;
    return true;
}

void cache_clear(struct cache *cache)
{
    for (uint64_t i = 0; cache->entries && i <= cache->mask; i++) {
        atomic_store_explicit(&cache->entries[i].value, 0, memory_order_relaxed);
        atomic_store_explicit(&cache->entries[i].check, 0, memory_order_relaxed);
    }
}

void cache_release(struct cache *cache)
{
    memory_unmap(cache->entries, (cache->mask + 1) * sizeof *cache->entries);
    cache->entries = NULL;
}
