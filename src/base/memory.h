/*
 * memory: the only place that asks the C library for memory.
 *
 * Everything above goes through these functions, so that tests can make the n-th request
 * fail and watch what happens. A failure is always reported by NULL, never by ending the process:
 * this code also runs inside other people's virtual machines.
 */
#ifndef TURNSTILE_BASE_MEMORY_H
#define TURNSTILE_BASE_MEMORY_H

#include <stddef.h>

/* NULL when there is no memory. A size of 0 is treated as 1. */
void *memory_allocate(size_t size);

/* `alignment` is a power of two, and `size` a multiple of it. */
void *memory_allocate_aligned(size_t size, size_t alignment);

/* Like realloc: on failure NULL is returned and the old block stays valid. */
void *memory_resize(void *block, size_t size);

void memory_release(void *block);

/* Zeroes, for a large table that is used here and there: what is never touched costs nothing. The
   system is asked for large pages, since there is no order in which such a table is used. NULL when
   there is no room. */
void *memory_map(size_t size);
void memory_unmap(void *block, size_t size);

/* For tests: let `requests` more requests succeed, then fail one. A negative number turns this off.
 */
void memory_fail_after(long requests);

#endif
