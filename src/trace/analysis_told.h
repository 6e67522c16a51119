/*
 * analysis_told: uses of a variable or lock that change nothing, because the same thread has told
 * of one like it.
 *
 * How a thing is used (mover_usage, phases) depends on which uses start, join and the like order,
 * and on the locks that all of them have in common. A thread's age is a time in which it neither
 * learns nor releases anything but locks: its uses in that time are all in the same order with
 * those of others. So a further one adds nothing, if the common locks cannot become fewer by it:
 * there are none, or there is one, the guard, and the thread has it. This is so for nearly all uses
 * of what is shared, and then one line of the cache is looked at instead of seven.
 *
 * Who has told is forgotten when the guard becomes another one: what changed nothing before may do
 * so now. Nobody else makes it untrue: a thread after whose uses others come, so that another group
 * of users begins, has released something, and is in another age.
 *
 * What locks hand over begins no age: as soon as one does, no use of a variable is left out any
 * more.
 *
 * What is shown beside a violation is the first use of an age, not the last one. When a fifth user
 * comes at once with four others (MOVER_USERS), the one whose first use is the longest ago has to
 * go, not the one whose last use is; from then on nothing is left out.
 */
#ifndef TURNSTILE_TRACE_ANALYSIS_TOLD_H
#define TURNSTILE_TRACE_ANALYSIS_TOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/lockset.h"
#include "engine/thread.h"

#define ANALYSIS_TOLD 4u                   /* threads, by the last bits of their numbers */
#define ANALYSIS_NO_GUARD UINT32_MAX       /* none is needed */
#define ANALYSIS_AGE_MAX (UINT32_MAX >> 2) /* who is older is never taken for the same */

enum analysis_told_kind {
    ANALYSIS_TOLD_READ = 1,
    ANALYSIS_TOLD_WRITE = 2,
    /* of locks */
    ANALYSIS_TOLD_RELEASE = 1,
    ANALYSIS_TOLD_ACQUIRE = 2,
};

/* All zero: nobody has. */
struct analysis_told {
    uint32_t guard;               /* 0: there is none yet, and nothing can be left out */
    uint32_t ages[ANALYSIS_TOLD]; /* << 2 | the kinds */
};

/* A lock that is all that is left of the set, ANALYSIS_NO_GUARD if nothing is, else 0. */
static inline uint32_t analysis_guard_in(uint32_t lockset)
{
    if (lockset == LOCKSET_EMPTY)
        return ANALYSIS_NO_GUARD;
    return lockset & LOCKSET_SINGLE ? lockset & ~LOCKSET_SINGLE : 0;
}

/* `alone`: what it shares with others does not count. */
static inline bool analysis_holds(const struct thread *thread, uint32_t guard, bool alone)
{
    if (guard == ANALYSIS_NO_GUARD)
        return true;
    const struct thread_held *held = guard ? thread_find_held(thread, guard) : NULL;
    return held && (held->exclusive || (held->shared && !alone));
}

/* `age` is that of the thread of that number, `thread` has its locks. `alone`: of these, only those
   that it has for itself count for such a use. */
static inline bool analysis_was_told(const struct analysis_told *told, const struct thread *thread,
                                     uint32_t number, uint32_t age, enum analysis_told_kind kind,
                                     bool alone)
{
    const uint32_t noted = told->ages[number % ANALYSIS_TOLD];
    return age && noted >> 2 == age && (noted & kind) && analysis_holds(thread, told->guard, alone);
}

/* After a use was added that has left these sets, the second one for writes; `crowded` as in struct
   mover_usage. */
static inline void analysis_note_told(struct analysis_told *told, uint32_t number, uint32_t age,
                                      enum analysis_told_kind kind, uint32_t access_set,
                                      uint32_t write_set, bool crowded)
{
    const uint32_t guard = crowded ? 0 : analysis_guard_in(access_set);
    uint32_t *const noted = &told->ages[number % ANALYSIS_TOLD];
    if (told->guard != guard)
        *told = (struct analysis_told){.guard = guard};
    if (guard && (kind == ANALYSIS_TOLD_READ || write_set == access_set))
        *noted = *noted >> 2 == age ? *noted | kind : age << 2 | kind;
}

#endif
