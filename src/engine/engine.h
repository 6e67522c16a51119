/*
 * engine: finds races in a stream of events. It knows no JVM.
 *
 * The caller numbers things as it likes, densely where tables are meant to stay small: locks,
 * synchronization objects, fields (which kind of variable), locations and stacks (0: not known). It
 * tells the engine what each thread does, in the thread's own order, and keeps one 64-bit word per
 * variable (word.h). Events of different threads may come at the same time; what orders them in the
 * program must order the calls:
 *
 *   - a release is told before it happens, an acquire after it has happened;
 *   - a start is told by the parent before the child runs, an end before anyone can see it, a join
 *     after it has returned.
 *
 * Races are reported by a call back on the thread that made the later access, with no lock of the
 * engine held. The grades, for two accesses of different threads, at least one of them a write:
 *
 *     observed    not ordered by happens-before
 *     predicted   ordered only with the help of lock hand-over, and no common lock: another run may
 *                 have them in the other order, or at once
 *     discipline  ordered otherwise, and no common lock (only if asked for)
 *
 * For a read all locks count that the thread holds, for a write those that it holds exclusively.
 *
 * The first thread to access a variable owns it. When a second thread comes and everything the
 * owner did to the variable happened before (lock hand-over included), ownership is handed over and
 * the first phase is forgotten: this is how objects are initialized. If not, the owner's last
 * access and last write are compared with the new access and remembered; older ones of the first
 * phase are not. (No observed race is lost by that: if an older access is not before the new one,
 * neither is the last one.) From then on every access counts until a later one makes it superfluous
 * (history.h).
 *
 * Modes:
 *     ENGINE_HYBRID   all of this.
 *     ENGINE_ORDER    happens-before alone: grade observed only.
 *     ENGINE_LOCKSET  locksets alone: no clocks, so starts, joins and synchronization objects count
 * for nothing, and a second thread always takes over. A race is `predicted` at each access that
 * leaves a shared-modified variable without an access-protecting lock.
 *
 * Granularity: for one state per object the caller gives all fields of an object the same word and
 * the same field id. With `object_rule` the lockset states are those meant for whole objects: no
 * thread-local (2), no hand-over; the set of candidate locks starts with the second thread's first
 * access; a race when it is empty and the object was written since.
 *
 * Nothing is allocated once tables have their size. All tables are bounded. Where memory or room is
 * missing something is forgotten such that races may be missed and none is invented; engine_counts
 * says how often. The engine never ends the process.
 */
#ifndef TURNSTILE_ENGINE_ENGINE_H
#define TURNSTILE_ENGINE_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/lockset.h"
#include "engine/race.h"
#include "engine/thread.h"
#include "engine/variable.h"
#include "engine/word.h"

enum engine_mode {
    ENGINE_HYBRID = HISTORY_HYBRID,
    ENGINE_ORDER = HISTORY_ORDER,
    ENGINE_LOCKSET = HISTORY_LOCKSET,
};

/* `race` is good during the call only. Other events of the same thread must not be told from
 * within. */
typedef void (*engine_report)(void *context, const struct race *race);

struct engine_options {
    enum engine_mode mode;
    bool discipline;
    bool object_rule;
    uint32_t threads;      /* slots, at most THREAD_SLOTS_MAX */
    uint32_t dead_threads; /* ended threads that keep their slots as long as there are others */
    uint32_t variables;    /* records of shared variables, at most VARIABLE_LIMIT_MAX */
    uint32_t history;      /* accesses remembered per variable, 2 .. HISTORY_MAX */
    uint32_t locksets;     /* interned sets of two and more locks */
    uint32_t locks;        /* locks with a clock of their own */
    uint32_t syncs;        /* synchronization objects with clocks of their own */
    uint32_t sites;        /* locations of first-phase accesses */
    size_t clock_bytes;    /* above this, locks and synchronization objects share clocks */
    engine_report report;  /* may be NULL */
    void *context;
};

/* One access of a variable. */
struct engine_access {
    uint32_t field;
    uint32_t key; /* what tells variables of one field apart and does not change while they live: an
                     array index, an identity hash; 0 if nothing is at hand. See variable.h. */
    uint32_t identity; /* tells objects apart in reports of first accesses: an identity hash. 0: not
                          at hand; then the place that is reported may be that of another object of
                          the same field, in the same segment */
    uint32_t location;
    uint32_t stack;
    bool write;
};

/* What the Atomizer knows of a variable. */
struct engine_facts {
    enum variable_state state;
    uint32_t owner;      /* slot, while the variable is thread-local */
    uint32_t access_set; /* shared-modified: locks held on every access; else LOCKSET_ALL */
    uint32_t write_set;  /* shared-modified: locks held on every write; else LOCKSET_ALL */
};

struct engine_counts {
    uint64_t slow_accesses;
    uint64_t races[RACE_OBSERVED + 1]; /* by grade */
    uint64_t forgotten; /* variables that became shared when there was no record for them */
    uint64_t stale;     /* words whose record was gone */
    uint64_t evicted;   /* records that were taken away from their variable */
    uint64_t dropped;   /* remembered accesses that went because there was no room */
    uint64_t unnoted;   /* acquires that could not be noted */
    uint64_t unjudged;  /* accesses that were not looked at as the thread's locks were not known */
    uint64_t lost_sets; /* locksets that did not fit */
    uint64_t lost_clocks;   /* clocks that did not fit */
    uint64_t shared_clocks; /* locks and synchronization objects that lost their own clocks */
    uint64_t refused;       /* threads without a slot */
    uint64_t unbalanced;    /* releases of locks that were not held */
    uint32_t slots;         /* thread slots in use or waiting */
    uint32_t locksets;
    uint32_t variables; /* records that exist */
    size_t clock_bytes;
};

struct engine;

void engine_options_default(struct engine_options *options);

/* NULL when there is no memory. */
struct engine *engine_new(const struct engine_options *options);

/* No thread may be using it. */
void engine_free(struct engine *engine);

/*
 * Threads. A NULL thread (one for which there was no slot) is accepted everywhere: its accesses are
 * not looked at, and what it synchronizes orders others at least as much as it really does.
 */

/* Told by the parent; NULL for threads that nobody started, or a thread without a slot. `name` is
 * for reports; not 0. */
struct thread *engine_thread_start(struct engine *engine, struct thread *parent, uint64_t name);

/* Tells this thread from others that have or had the same slot; for engine_thread_join. */
static inline uint64_t engine_thread_birth(const struct thread *thread)
{
    return thread ? thread_birth(thread) : 0;
}

void engine_thread_end(struct engine *engine, struct thread *thread);

/* `child` is the thread that began at `birth`; it may be long gone. Nothing happens, and false is
   returned, when its end has not been told. */
bool engine_thread_join(struct engine *engine, struct thread *thread, struct thread *child,
                        uint64_t birth);

/*
 * Locks and other synchronization. Locks are re-entrant: the engine counts, and only the first
 * acquire and the last release of a mode matter. Lock ids are at most LOCKSET_LOCK_MAX.
 */
void engine_lock_acquire(struct engine *engine, struct thread *thread, uint32_t lock,
                         enum thread_lock_mode mode);
void engine_lock_release(struct engine *engine, struct thread *thread, uint32_t lock,
                         enum thread_lock_mode mode);

/* Waiting on a monitor gives it up however often it was entered; the result is for the end. Nothing
   happens if the thread does not hold it. */
uint32_t engine_wait_begin(struct engine *engine, struct thread *thread, uint32_t lock);
void engine_wait_end(struct engine *engine, struct thread *thread, uint32_t lock, uint32_t times);

/* What happened before a release of `sync` happened before what follows a later acquire of it. */
void engine_sync_release(struct engine *engine, struct thread *thread, uint32_t sync);
void engine_sync_acquire(struct engine *engine, struct thread *thread, uint32_t sync);

/*
 * Accesses.
 */

/* True: telling the engine about this access changes nothing. The fast path; a caller in another
   language compares `word` with thread_expected itself. */
static inline bool engine_is_repeated(const struct thread *thread, uint64_t word, bool write)
{
    return word_covers(word, thread_expected(thread), write);
}

/* Looks at an access of the variable whose word is `word` and gives the word to store. When another
   thread has changed the word meanwhile, it must not be overwritten: exchange it if it still is
   what was read; if that fails, ask engine_lost whether to start over with the word that is there
   now. `facts`, unless NULL, gets the variable's state after the access. */
uint64_t engine_access(struct engine *engine, struct thread *thread,
                       const struct engine_access *access, uint64_t word,
                       struct engine_facts *facts);

/* The result of engine_access for `word` could not be stored. True: the access must be told again.
 */
bool engine_lost(struct engine *engine, uint64_t word, uint64_t result);

/* All of that for a word in memory. */
void engine_access_at(struct engine *engine, struct thread *thread,
                      const struct engine_access *access, _Atomic uint64_t *word,
                      struct engine_facts *facts);

/* The state of the variable of that field and key. */
void engine_facts_of(struct engine *engine, uint64_t word, uint32_t field, uint32_t key,
                     struct engine_facts *facts);

/* The sets in facts and reports. */
struct lockset_table *engine_locksets(struct engine *engine);

/* For other engines whose threads carry the clocks of this one. */
struct clock_pool *engine_clocks(struct engine *engine);

/* The locks that count for an access that the thread makes now. */
uint32_t engine_lockset(struct engine *engine, struct thread *thread, bool write);

/* Those that the thread holds in shared mode only, for reports. */
uint32_t engine_shared(struct engine *engine, struct thread *thread);

void engine_counts(struct engine *engine, struct engine_counts *counts);

#endif
