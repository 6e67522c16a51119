#include "check/common_locks.h"

void common_locks_release(struct common_locks *locks)
{
    vector_release(&locks->locks);
}

bool common_locks_has(const struct common_locks *locks, term lock, unsigned mode)
{
    for (size_t i = 0; i < locks->locks.count; i++)
        if (locks->locks.items[i].lock == lock && (locks->locks.items[i].mode == LOCK_EXCLUSIVE ||
                                                   locks->locks.items[i].mode == (uint8_t)mode))
            return true;
    return false;
}

bool common_locks_add(struct common_locks *locks, term lock, unsigned mode)
{
    return lock == TERM_NONE || common_locks_has(locks, lock, mode) ||
           vector_push(&locks->locks, ((struct entry_lock){.lock = lock, .mode = (uint8_t)mode}));
}

bool common_locks_meet(struct common_locks *locks, const struct common_locks *given, bool *changed)
{
    if (locks->any) {
        bool added = true;
        locks->any = false;
        *changed = true;
        for (size_t i = 0; i < given->locks.count && added; i++)
            added = common_locks_add(locks, given->locks.items[i].lock, given->locks.items[i].mode);
        return added;
    }
    size_t kept = 0;
    for (size_t i = 0; i < locks->locks.count; i++) {
        struct entry_lock lock = locks->locks.items[i];
        if (!common_locks_has(given, lock.lock, LOCK_SHARED))
            continue;
        if (lock.mode == LOCK_EXCLUSIVE && !common_locks_has(given, lock.lock, LOCK_EXCLUSIVE)) {
            lock.mode = LOCK_SHARED;
            *changed = true;
        }
        locks->locks.items[kept++] = lock;
    }
    *changed = *changed || kept != locks->locks.count;
    locks->locks.count = kept;
    return true;
}
