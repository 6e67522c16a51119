/*
 * library_locks: share/jdk.locks, the description of the JDK, as it was when the tool was built.
 */
#ifndef TURNSTILE_CLI_LIBRARY_LOCKS_H
#define TURNSTILE_CLI_LIBRARY_LOCKS_H

#include <stddef.h>

extern const unsigned char library_locks[];
extern const size_t library_locks_size;

#endif
