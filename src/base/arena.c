#include "base/arena.h"

#include <string.h>

#include "base/memory.h"

#ifdef ARENA_POISONS
#include <sanitizer/asan_interface.h>
#define POISON(address, size) ASAN_POISON_MEMORY_REGION((address), (size))
#define UNPOISON(address, size) ASAN_UNPOISON_MEMORY_REGION((address), (size))
#define RED_ZONE 16u /* a gap behind each allocation, so that an overrun is seen */
#else
#define POISON(address, size) ((void)0)
#define UNPOISON(address, size) ((void)0)
#define RED_ZONE 0u
#endif

#define SMALLEST_CHUNK ((size_t)16 * 1024)
#define LARGEST_GROWTH ((size_t)1024 * 1024)

struct arena_chunk {
    struct arena_chunk *older;
    size_t size;
    alignas(16) uint8_t bytes[];
};

void arena_init(struct arena *arena)
{
    memset(arena, 0, sizeof *arena);
}

static void release_list(struct arena_chunk *chunk)
{
    while (chunk) {
        struct arena_chunk *older = chunk->older;
        UNPOISON(chunk->bytes, chunk->size);
        memory_release(chunk);
        chunk = older;
    }
}

void arena_release(struct arena *arena)
{
    release_list(arena->current);
    release_list(arena->spare);
    arena_init(arena);
}

void arena_clear(struct arena *arena)
{
    while (arena->current) {
        struct arena_chunk *older = arena->current->older;
        POISON(arena->current->bytes, arena->current->size);
        arena->current->older = arena->spare;
        arena->spare = arena->current;
        arena->current = older;
    }
    arena->next = arena->end = NULL;
    arena->used_before = 0;
    arena->failed = false;
}

static struct arena_chunk *take_spare(struct arena *arena, size_t size)
{
    for (struct arena_chunk **link = &arena->spare; *link; link = &(*link)->older) {
        struct arena_chunk *chunk = *link;
        if (chunk->size >= size) {
            *link = chunk->older;
            return chunk;
        }
    }
    return NULL;
}

static struct arena_chunk *new_chunk(const struct arena *arena, size_t size)
{
    size_t wanted = SMALLEST_CHUNK;
    if (arena->current)
        wanted =
            arena->current->size * 2 < LARGEST_GROWTH ? arena->current->size * 2 : LARGEST_GROWTH;
    if (wanted < size)
        wanted = size;
    if (wanted > SIZE_MAX / 2 - sizeof(struct arena_chunk))
        return NULL;
    struct arena_chunk *chunk = memory_allocate(sizeof *chunk + wanted);
    if (chunk) {
        chunk->size = wanted;
        POISON(chunk->bytes, wanted);
    }
    return chunk;
}

static bool start_chunk(struct arena *arena, size_t size)
{
    struct arena_chunk *chunk = take_spare(arena, size);
    if (!chunk)
        chunk = new_chunk(arena, size);
    if (!chunk)
        return false;
    if (arena->current)
        arena->used_before += (size_t)(arena->next - arena->current->bytes);
    chunk->older = arena->current;
    arena->current = chunk;
    arena->next = chunk->bytes;
    arena->end = chunk->bytes + chunk->size;
    return true;
}

static size_t padding_for(const struct arena *arena, size_t alignment)
{
    return (size_t)(-(uintptr_t)arena->next & (alignment - 1));
}

void *arena_allocate_slowly(struct arena *arena, size_t size, size_t alignment)
{
    if (size > SIZE_MAX / 4) {
        arena->failed = true;
        return NULL;
    }
    size_t padding = padding_for(arena, alignment);
    if (!arena->current || (size_t)(arena->end - arena->next) < padding + size + RED_ZONE) {
        if (!start_chunk(arena, size + RED_ZONE)) {
            arena->failed = true;
            return NULL;
        }
        padding = 0;
    }
    uint8_t *block = arena->next + padding;
    UNPOISON(block, size);
    arena->next = block + size + RED_ZONE;
    return block;
}

void *arena_allocate_zeroed(struct arena *arena, size_t size, size_t alignment)
{
    void *block = arena_allocate(arena, size, alignment);
    if (block)
        memset(block, 0, size);
    return block;
}

void *arena_copy(struct arena *arena, const void *bytes, size_t size, size_t alignment)
{
    void *copy = arena_allocate(arena, size, alignment);
    if (copy && size)
        memcpy(copy, bytes, size);
    return copy;
}

void arena_shrink(struct arena *arena, void *block, size_t size, size_t old_size)
{
    uint8_t *start = block;
    if (arena->next != start + old_size + RED_ZONE || size > old_size)
        return;
    POISON(start + size, old_size - size);
    arena->next = start + size + RED_ZONE;
}

size_t arena_used(const struct arena *arena)
{
    return arena->current ? arena->used_before + (size_t)(arena->next - arena->current->bytes) : 0;
}
