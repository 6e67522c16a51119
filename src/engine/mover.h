/*
 * mover: which way an operation can be moved past operations of other threads.
 *
 *     both   right and left
 *     right  behind an operation of another thread that follows it
 *     left   before an operation of another thread that precedes it
 *     non    neither
 *
 * Accesses. Nothing moves past an access that is made at the same time and conflicts with it, so an
 * access is a both-mover if no conflicting one can stand beside it: the variable is used by one
 * thread, or only read since it is shared, or a lock keeps the others away. With lockset pairs
 * (write-protected data) a read needs a lock that is held at every write, a write needs one that is
 * held at every access; without, both need the latter. All other accesses are non-movers. Volatile
 * and atomic accesses are not classified here: those that others can notice are non-movers.
 *
 * Locks. An acquire is a right-mover, a release a left-mover, and both are both-movers if they do
 * nothing to other threads:
 *
 *     re-entrant          the thread has the lock already
 *     thread-local        one thread uses the lock
 *     thread-local (2)    so does a second one, and the first no more
 *     protected           another lock is held exclusively at every acquire and release
 *
 * Waiting is a release, then an acquire. Starting a thread is a left-mover, joining it a
 * right-mover. Each of the four refinements and that for data can be switched off.
 *
 * Two modes.
 *
 * While a program runs what is known of a lock is what was seen up to now, as in the Atomizer: when
 * a second thread comes, the lock is its own now, and what the first did is forgotten. When
 * protection is lost the caller is told, so that it can take back what it has said.
 *
 * With the whole trace at hand (`final`), uses are looked at in one pass and classified in a second
 * one, after mover_freeze, by what was true of all of them. Then nothing may be forgotten that can
 * happen at the same time as something else: a lock (or variable) passes from a group of users to
 * the next only when all of the uses of the group are ordered before by start, join and the like,
 * without the help of locks. Uses of different groups never stand beside each other, and so each
 * group needs a protection of its own only. This is the escape and start-join analysis. For
 * variables the caller keeps a `struct mover_usage` each and gets facts from it; facts from
 * elsewhere will do if they say shared-modified, with the locks held at all accesses and at all
 * writes, of every variable that has two conflicting accesses of different threads that are not
 * ordered by start and join. (Facts of the race engine are not such: it forgets a first owner whose
 * accesses were ordered before the second's by locks alone, and its sets begin with the first
 * write since the variable is shared.)
 *
 * Where something is forgotten for want of room or memory, operations count as both-movers:
 * warnings are lost, and none is invented.
 */
#ifndef TURNSTILE_ENGINE_MOVER_H
#define TURNSTILE_ENGINE_MOVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "engine/clock.h"
#include "engine/engine.h"
#include "engine/lockset.h"
#include "engine/spin.h"
#include "engine/thread.h"

enum mover { MOVER_BOTH, MOVER_RIGHT, MOVER_LEFT, MOVER_NON };

/* "both-mover", ... */
const char *mover_name(enum mover mover);

/* The refinements; a set of them is the sum of bits. */
enum mover_refinement {
    MOVER_REENTRANT_LOCKS = 1,
    MOVER_THREAD_LOCAL_LOCKS = 2,
    MOVER_THREAD_LOCAL_2_LOCKS = 4,
    MOVER_PROTECTED_LOCKS = 8,
    MOVER_WRITE_PROTECTED_DATA = 16,
    MOVER_ALL_REFINEMENTS = 31,
};

#define MOVER_REFINEMENTS 5u

/* The names, in the order of the bits: "reentrant-locks", ... */
extern const char *const mover_refinement_names[MOVER_REFINEMENTS];

/* The bit of a name, or 0. */
uint32_t mover_refinement_from(struct text name);

/* Who does something, and what it knows to have happened before without the help of locks. */
struct mover_user {
    uint32_t slot; /* 0: a thread without a slot, at which nobody looks */
    uint64_t segment;
    struct clock_view ordered;
};

static inline struct mover_user mover_user_of(const struct thread *thread)
{
    if (!thread)
        return (struct mover_user){.slot = 0};
    return (struct mover_user){thread->slot, thread_segment(thread), thread_ordered(thread)};
}

/* Everything that the thread in `slot` did up to `segment` is ordered before. */
static inline bool mover_is_after(const struct mover_user *user, uint32_t slot, uint64_t segment)
{
    return clock_view_at(&user->ordered, slot) >= segment;
}

struct mover_rules {
    struct lockset_table *locksets;
    uint32_t refinements;
    bool final;
};

/* An access of a variable with these facts, in which it counts already. `lockset` has the locks
   that count: for a read all that are held, for a write those held exclusively. */
enum mover mover_of_access(const struct mover_rules *rules, const struct engine_facts *facts,
                           uint32_t lockset, bool write);

/*
 * How a lock or a variable is used. All zero bytes: not at all. Using a lock counts as writing.
 */

#define MOVER_USERS 4u

enum mover_state {
    MOVER_UNUSED,
    MOVER_LOCAL,   /* by one thread from the start */
    MOVER_LOCAL_2, /* by one thread since it was handed over */
    MOVER_SHARED,
};

enum mover_thing { MOVER_VARIABLE, MOVER_LOCK };

struct mover_usage {
    /* Slot << 50 | segment of last uses in the present group of users. One that is ordered before
       another use of the group is left out; when there is no room, the oldest. */
    uint64_t users[MOVER_USERS];
    /* Those of the group before. Who is ordered after them is after all groups before. */
    uint64_t past_users[MOVER_USERS];
    uint32_t access_set; /* locks held at all uses in the present group */
    uint32_t write_set;  /* ... at all writes */
    uint32_t past_access_set;
    uint32_t past_write_set;
    uint32_t open_write_set; /* of all groups that were not protected */
    uint8_t state;           /* enum mover_state */
    bool written;
    bool past_written;
    bool handed_over; /* there were groups before */
    bool open;        /* ... and one of them was not protected */
    /* There was no room for some user. If there always is, a user who has learned and released
       nothing but locks since it was added last changes nothing that matters by further uses, but
       for the two sets. */
    bool crowded;
};

/* True if the user has taken over: with this use another group begins, in MOVER_LOCAL_2. */
bool mover_usage_add(struct mover_usage *usage, const struct mover_rules *rules,
                     enum mover_thing thing, const struct mover_user *user, uint32_t lockset,
                     bool write);

/* Facts that hold for all uses that were added. Where all are protected, but not by one set of
   locks, both sets are LOCKSET_ALL. */
void mover_usage_facts(const struct mover_usage *usage, const struct mover_rules *rules,
                       struct engine_facts *facts);

/*
 * The locks of a program, with their usage. Bounded. Any number of threads use one table.
 */

struct mover_options {
    uint32_t refinements;
    bool final;
    uint32_t locks; /* how many are remembered; rounded up to a power of two */
};

/* What is to be said of an operation on a lock. */
struct mover_verdict {
    enum mover mover;
    enum mover_state state;
    bool taken_over;     /* with this use another group of users begins */
    bool losable;        /* a both-mover, as long as the lock is used as it was up to now */
    bool lost;           /* this use took protection from the lock */
    uint32_t protecting; /* locks held at all uses */
    bool crowded;        /* as in struct mover_usage */
};

struct mover_counts {
    uint64_t locks;     /* that came into the table */
    uint64_t evicted;   /* that had to leave it */
    uint64_t forgotten; /* operations that could not be noted as there was no memory */
};

struct mover_chunk;

struct mover_table {
    struct mover_rules rules;
    bool frozen;
    uint32_t set_mask;
    _Atomic(struct mover_chunk *) *chunks;
    _Atomic uint64_t locks;
    _Atomic uint64_t evicted;
    _Atomic uint64_t forgotten;
};

void mover_options_default(struct mover_options *options);

/* False when there is no memory. The locksets must outlive the table. */
bool mover_table_init(struct mover_table *table, const struct mover_options *options,
                      struct lockset_table *locksets);
void mover_table_release(struct mover_table *table);

/*
 * An operation on a lock. `held` has the locks that the thread holds exclusively but for this one:
 * those before an acquire, those after a release. `reentrant`: it has, or still has, the lock.
 */
struct mover_verdict mover_acquire(struct mover_table *table, uint32_t lock,
                                   const struct mover_user *user, uint32_t held, bool reentrant);
struct mover_verdict mover_release(struct mover_table *table, uint32_t lock,
                                   const struct mover_user *user, uint32_t held, bool reentrant);

/* What an earlier operation with the locks `held` is now, that was losable. */
enum mover mover_reconsider(const struct mover_rules *rules, const struct mover_verdict *verdict,
                            uint32_t held, bool acquire);

/* The lock is gone, and another may get its number. */
void mover_forget(struct mover_table *table, uint32_t lock);

/* From now on operations are classified by what is there, and change nothing. No other thread may
   be using the table. */
void mover_freeze(struct mover_table *table);

void mover_counts(struct mover_table *table, struct mover_counts *counts);

#endif
