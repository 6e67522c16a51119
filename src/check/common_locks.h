/*
 * common_locks: what is held at all of several places: a set of entry locks that only gets smaller.
 */
#ifndef TURNSTILE_CHECK_COMMON_LOCKS_H
#define TURNSTILE_CHECK_COMMON_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "check/entry_locks.h"

struct common_locks {
    bool any; /* no place has been looked at yet: everything is held */
    VECTOR(struct entry_lock) locks;
};

void common_locks_release(struct common_locks *locks);

/* In that mode, or a stronger one. */
bool common_locks_has(const struct common_locks *locks, term lock, unsigned mode);

/* Nothing happens for TERM_NONE. False when there is no memory. */
bool common_locks_add(struct common_locks *locks, term lock, unsigned mode);

/* One more place, where `given` is held. *changed is set if there is less than before. False when
   there is no memory. */
bool common_locks_meet(struct common_locks *locks, const struct common_locks *given, bool *changed);

#endif
