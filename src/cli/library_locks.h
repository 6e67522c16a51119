/*
 * library_locks: the lock types that come with the tool, those of share, as they were when it was
 * built.
 */
#ifndef TURNSTILE_CLI_LIBRARY_LOCKS_H
#define TURNSTILE_CLI_LIBRARY_LOCKS_H

#include <stddef.h>

struct library_locks {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

extern const struct library_locks library_locks[];
extern const size_t library_locks_count;

#endif
