/*
 * history: the accesses of one variable that later ones are compared with.
 *
 * A history keeps an access until a later one makes it superfluous: b takes the place of a when a
 * is ordered before b without the help of locks, b has no lock that a had not, and b is a write or
 * a was a read. No race is lost that way (the proof is in history.c), so the number of accesses
 * kept is that of threads and locking habits, not that of accesses. It is bounded all the same;
 * when there is no room the oldest goes.
 *
 * A history belongs to a variable record and is touched under that record's lock. Histories longer
 * than HISTORY_INLINE borrow a block from the pool.
 */
#ifndef TURNSTILE_ENGINE_HISTORY_H
#define TURNSTILE_ENGINE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/clock.h"
#include "engine/lockset.h"
#include "engine/race.h"
#include "engine/spin.h"

#define HISTORY_INLINE 3u
#define HISTORY_MAX 32u

/* How races are looked for; see engine.h. */
enum history_mode { HISTORY_HYBRID, HISTORY_ORDER, HISTORY_LOCKSET };

struct remembered {
    uint64_t segment;
    uint32_t slot : 30;
    uint32_t write : 1;
    uint32_t shares : 1; /* the thread held locks in shared mode, too; for reports */
    uint32_t lockset;    /* for a read all locks held, for a write those held exclusively */
    uint32_t location;
    uint32_t stack;
};

struct history_block;

struct history {
    uint32_t count;
    struct history_block *more; /* entries from HISTORY_INLINE on, or NULL */
    struct remembered first[HISTORY_INLINE];
};

/* Blocks for long histories. */
struct history_pool {
    struct spin lock;
    uint32_t capacity; /* entries per history */
    uint32_t block_limit;
    uint32_t block_count;
    struct history_block *free;
    struct history_block *all;
    _Atomic uint64_t dropped; /* accesses that went because there was no room */
};

struct history_rules {
    enum history_mode mode;
    bool discipline;
    struct lockset_table *locksets;
};

/* An access that happens now, and what its thread knows. */
struct history_now {
    struct remembered access;
    /* All that is remembered holds a lock that this access holds, too: then it is in no race that
       is predicted, and takes the place of all that its thread did of the same or the weaker kind.
       To those who do not take that lock all of these look the same, but for the other locks that
       they hold: a race is lost with who holds one that the last access held and an earlier one did
       not. */
    bool guarded;
    struct clock_view full;
    struct clock_view ordered;
};

struct history_finding {
    enum race_grade grade;
    struct remembered earlier;
};

void history_pool_init(struct history_pool *pool, uint32_t capacity, uint32_t block_limit);
void history_pool_release(struct history_pool *pool);

void history_clear(struct history_pool *pool, struct history *history);

const struct remembered *history_at(const struct history *history, uint32_t index);

/* How the earlier access and the one that happens now race. Not for HISTORY_LOCKSET. */
enum race_grade history_grade(const struct history_rules *rules, const struct remembered *earlier,
                              const struct history_now *now);

/* The races of the access with what is remembered; at most HISTORY_MAX. */
uint32_t history_judge(const struct history_rules *rules, const struct history *history,
                       const struct history_now *now, struct history_finding *findings);

/* Remembers the access, and forgets what it makes superfluous. */
void history_remember(struct history_pool *pool, const struct history_rules *rules,
                      struct history *history, const struct history_now *now);

/* Remembers an access of the past, as it is. */
void history_append(struct history_pool *pool, struct history *history,
                    const struct remembered *access);

/* For HISTORY_LOCKSET: the latest remembered access of another thread that conflicts with this one,
   best one without a common lock. NULL when there is none. */
const struct remembered *history_opponent(const struct history_rules *rules,
                                          const struct history *history,
                                          const struct remembered *access);

#endif
