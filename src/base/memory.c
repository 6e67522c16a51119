#include "base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

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
