#include <string.h>

#include "base/memory.h"
#include "engine/transactions_internal.h"

bool transactions_pool_init(struct pool *pool, size_t item_size, size_t next_offset, uint32_t limit)
{
    memset(pool, 0, sizeof *pool);
    size_t chunks = limit / CHUNK_ITEMS + 1;
    pool->chunks = memory_allocate(chunks * sizeof *pool->chunks);
    if (!pool->chunks)
        return false;
    memset(pool->chunks, 0, chunks * sizeof *pool->chunks);
    pool->item_size = item_size;
    pool->next_offset = next_offset;
    pool->limit = limit;
    pool->sweep = limit < CHUNK_ITEMS ? limit : CHUNK_ITEMS;
    return true;
}

void transactions_pool_release(struct pool *pool)
{
    if (pool->chunks)
        for (size_t chunk = 0; chunk <= pool->limit / CHUNK_ITEMS; chunk++)
            memory_release(pool->chunks[chunk]);
    memory_release(pool->chunks);
    memset(pool, 0, sizeof *pool);
}

static uint32_t *next_of(const struct pool *pool, uint32_t number)
{
    return (uint32_t *)(void *)((char *)transactions_pool_at(pool, number) + pool->next_offset);
}

static uint32_t take_first_time(struct pool *pool)
{
    if (pool->count >= pool->limit)
        return 0;
    char **chunk = &pool->chunks[pool->count / CHUNK_ITEMS];
    if (!*chunk) {
        *chunk = memory_allocate(CHUNK_ITEMS * pool->item_size);
        if (!*chunk)
            return 0;
        memset(*chunk, 0, CHUNK_ITEMS * pool->item_size);
    }
    return ++pool->count;
}

uint32_t transactions_pool_take(struct pool *pool)
{
    uint32_t number = pool->free;
    if (number) {
        pool->free = *next_of(pool, number);
    } else {
        number = take_first_time(pool);
        if (!number)
            return 0;
    }
    *next_of(pool, number) = 0;
    pool->used++;
    return number;
}

void transactions_pool_give(struct pool *pool, uint32_t number)
{
    *next_of(pool, number) = pool->free;
    pool->free = number;
    pool->used--;
}
