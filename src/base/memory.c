#include "base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Of most processors; elsewhere it is only where a block begins. */
#define LARGE_PAGE ((size_t)1 << 21)

static atomic_long requests_left = -1;

void memory_fail_after(long requests)
{
    atomic_store(&requests_left, requests);
}

static bool must_fail(void)
{
    if (atomic_load_explicit(&requests_left, memory_order_relaxed) < 0)
        return false;
    return atomic_fetch_sub(&requests_left, 1) == 0;
}

void *memory_allocate(size_t size)
{
    return must_fail() ? NULL : malloc(size ? size : 1);
}

void *memory_allocate_aligned(size_t size, size_t alignment)
{
    return must_fail() ? NULL : aligned_alloc(alignment, size);
}

void *memory_resize(void *block, size_t size)
{
    return must_fail() ? NULL : realloc(block, size ? size : 1);
}

void memory_release(void *block)
{
    free(block);
}

static void *map(size_t size)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

static void unmap(uint8_t *from, const uint8_t *to)
{
    if (from < to)
        munmap(from, (size_t)(to - from));
}

/* Sizes of both are multiples of a page's, which is all that munmap asks for. */
void *memory_map(size_t size)
{
    if (must_fail() || size > SIZE_MAX - LARGE_PAGE)
        return NULL;
    if (size < LARGE_PAGE || size % LARGE_PAGE)
        return map(size ? size : 1);
    uint8_t *all = map(size + LARGE_PAGE);
    if (!all)
        return NULL;
    uint8_t *block = all + (LARGE_PAGE - (uintptr_t)all % LARGE_PAGE) % LARGE_PAGE;
    unmap(all, block);
    unmap(block + size, all + size + LARGE_PAGE);
    madvise(block, size, MADV_HUGEPAGE); /* it does as well without */
    return block;
}

void memory_unmap(void *block, size_t size)
{
    if (block)
        munmap(block, size ? size : 1);
}
