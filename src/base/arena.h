/*
 * arena: memory that is released all at once.
 *
 * An arena belongs to one class, one method or one run of an algorithm. Whatever is allocated from
 * it lives until the arena is cleared or released; nothing is freed one by one. An arena is used by
 * one thread at a time.
 *
 * When memory runs out, allocation returns NULL and `failed` stays set until the arena is cleared,
 * so a caller that makes many allocations may check once at the end, provided that it does not
 * write through the NULL in between.
 */
#ifndef TURNSTILE_BASE_ARENA_H
#define TURNSTILE_BASE_ARENA_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Under the address sanitizer, bytes that are not handed out may not be touched. */
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISONS 1
#endif
#endif

struct arena_chunk;

struct arena {
    struct arena_chunk *current; /* the chunk that is being filled; older ones hang behind it */
    struct arena_chunk *spare;   /* chunks kept by arena_clear for the next round */
    uint8_t *next;               /* first free byte of `current` */
    uint8_t *end;
    size_t used_before; /* bytes handed out from older chunks */
    bool failed;
};

void arena_init(struct arena *arena);
void arena_release(struct arena *arena);

/* Forgets everything that was allocated but keeps the memory for the next use. */
void arena_clear(struct arena *arena);

/* What arena_allocate does, for all cases; to be called through that. */
__attribute__((cold)) void *arena_allocate_slowly(struct arena *arena, size_t size,
                                                  size_t alignment);

/* Not zeroed. `alignment` is a power of two, at most 16. */
static inline void *arena_allocate(struct arena *arena, size_t size, size_t alignment)
{
#ifndef ARENA_POISONS
    size_t room = (size_t)((uintptr_t)arena->end - (uintptr_t)arena->next);
    size_t padding = (size_t)(-(uintptr_t)arena->next & (alignment - 1));
    if (size < room && size + padding < room) {
        uint8_t *block = arena->next + padding;
        arena->next = block + size;
        return block;
    }
#endif
    return arena_allocate_slowly(arena, size, alignment);
}

void *arena_allocate_zeroed(struct arena *arena, size_t size, size_t alignment);

/* count * size with an overflow check; a count of 0 gives a valid pointer that must not be read. */
static inline void *arena_allocate_array(struct arena *arena, size_t count, size_t size,
                                         size_t alignment)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        arena->failed = true;
        return NULL;
    }
    return arena_allocate(arena, bytes, alignment);
}

/* A copy of `size` bytes. */
void *arena_copy(struct arena *arena, const void *bytes, size_t size, size_t alignment);

/* Gives back the end of the block that was allocated last, of which `size` bytes stay; does nothing
   for any other block. For results whose size is known only when they are there. */
void arena_shrink(struct arena *arena, void *block, size_t size, size_t old_size);

/* Bytes handed out since the arena was made or cleared. */
size_t arena_used(const struct arena *arena);

#define ARENA_NEW(arena, type) ((type *)arena_allocate_zeroed((arena), sizeof(type), alignof(type)))
#define ARENA_ARRAY(arena, type, count)                                                            \
    ((type *)arena_allocate_array((arena), (count), sizeof(type), alignof(type)))

#endif
