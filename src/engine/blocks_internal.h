/*
 * What the parts of the block engine share. A thread's transaction is a sequence of steps
 * (blocks_thread.c); when it ends it becomes a shape, stored once (blocks_shape.c), which is
 * compared with others (blocks.c: with which; blocks_compare.c: how).
 */
#ifndef TURNSTILE_ENGINE_BLOCKS_INTERNAL_H
#define TURNSTILE_ENGINE_BLOCKS_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intmap.h"
#include "base/vector.h"
#include "engine/blocks.h"
#include "engine/blocks_lattice.h"
#include "engine/cache.h"
#include "engine/spin.h"

#define BLOCKS_NONE UINT32_MAX
#define BLOCKS_CONTEXT_MAX 64u /* locks that a thread has or had since it last had none */
#define BLOCKS_RECENT 1024u    /* transactions that a thread recognizes */
#define BLOCKS_PENDING 8u      /* violations of one end */
#define BLOCKS_PERIOD_MAX 16u  /* units in a loop's body */
#define BLOCKS_GUARDS 4u       /* locks of a transaction that are looked at first */

enum blocks_step_kind {
    BLOCKS_ACCESS,
    BLOCKS_ACQUIRE,
    BLOCKS_RELEASE,
    BLOCKS_ORDER,  /* a release or an acquire of something else */
    BLOCKS_REPEAT, /* more of the `subject` steps that follow */
    BLOCKS_DEAD,   /* taken out again */
};

enum blocks_step_flag {
    BLOCKS_WRITE = 1,    /* of an access */
    BLOCKS_SHARED = 2,   /* of a lock's acquire and release */
    BLOCKS_RELEASED = 4, /* of an order: others may know what came before */
    BLOCKS_LEARNED = 8,  /* of an order: what comes after knows more of others */
};

struct blocks_step {
    uint64_t subject; /* variable, lock */
    uint32_t field;
    struct blocks_place place;
    uint8_t kind;
    uint8_t flags;
};

/* A lock that the thread has when the transaction begins, or had since it last had none. */
struct blocks_outer {
    uint32_t lock;
    bool shared;
    bool held;
};

/* What a thread tells about a transaction that has ended. */
struct blocks_candidate {
    uint64_t hash;
    uint32_t block;
    struct blocks_place entered;
    bool cut;
    const struct blocks_step *steps;
    uint32_t step_count;
    const struct blocks_outer *context;
    uint32_t context_count;
};

/* The last time that a thread made a transaction. The clocks are references. */
struct blocks_occurrence {
    uint64_t thread;
    uint64_t number;
    uint32_t slot;
    uint64_t first_segment;
    uint64_t last_segment;
    struct clock *begin;
    struct clock *end;
};

/* Two accesses of one variable by one transaction: a write and the last read of what it wrote. The
   other blocks follow from struct blocks_variable. */
struct blocks_pair {
    uint32_t first;
    uint32_t last;
};

/* Locks that are held from a transaction's first access to its last, without a break: the outermost
   of them. */
struct blocks_guards {
    uint32_t count;
    uint32_t locks[BLOCKS_GUARDS];
    bool shared[BLOCKS_GUARDS];
};

/* What a transaction does to a variable. Numbers of steps, or BLOCKS_NONE. */
struct blocks_variable {
    uint64_t variable;
    struct blocks_shape *owner;
    bool linked;
    struct blocks_variable *newer, *older; /* of other transactions that use the variable */
    /* Of the newest: */
    struct blocks_variable *next; /* in the bucket, of another variable */
    struct blocks_variable *oldest;
    uint32_t count;
    struct blocks_guards guards; /* that all of these have, or fewer */
    uint32_t first_read;         /* initial reads */
    uint32_t last_read;
    uint32_t first_write;
    uint32_t final_write;
    uint32_t event_start; /* in the shape's events */
    uint32_t event_count;
    uint32_t pair_start; /* in the shape's pairs */
    uint32_t pair_count;
};

struct blocks_lock {
    uint32_t lock;
    bool exclusive; /* at least once */
};

/* One block of memory, with everything it points to but the clocks. */
struct blocks_shape {
    uint64_t scan; /* the scan that saw it last */
    struct blocks_guards guards;
    struct blocks_shape *next; /* in the table's bucket */
    size_t bytes;
    uint64_t hash;
    uint64_t birth;
    uint32_t index;
    uint32_t block;
    struct blocks_place entered;
    bool cut;
    bool writes;            /* anything */
    bool repeats;           /* has a step that stands for others */
    bool used;              /* since the hand went by */
    bool unsettled;         /* its next occurrence must be compared again */
    uint32_t last_released; /* steps, or BLOCKS_NONE */
    uint32_t first_learned;
    uint32_t step_count;
    uint32_t event_count;
    uint32_t context_count;
    uint32_t variable_count;
    uint32_t pair_count;
    uint32_t lock_count;
    uint32_t occurrence_count;
    struct blocks_step *steps;
    struct blocks_outer *context;
    struct blocks_variable *variables; /* ascending */
    uint32_t *events;
    struct blocks_pair *pairs;
    struct blocks_lock *locks; /* ascending */
    struct blocks_occurrence *occurrences;
};

/* Violations that are to be told when the lock is free again. */
struct blocks_pending {
    uint32_t count;
    struct blocks_violation violations[BLOCKS_PENDING];
};

/* Room for one side of a comparison. */
struct blocks_side {
    const struct blocks_shape *shape;
    uint64_t *bits;                   /* per lock of the shape: its bit, or 0 */
    uint32_t *positions;              /* per step: how many of `walk` come before it */
    struct blocks_lattice_step *walk; /* steps that matter to the other side */
    uint32_t walk_count;
    uint32_t context_steps;            /* of those: before the transaction begins */
    struct blocks_lattice_step *steps; /* `walk` with the events in question */
};

/* What a thread counts itself; read by any. The list is under the lock. */
struct blocks_tally {
    struct blocks_tally *next;
    struct blocks_tally **link;
    _Atomic uint64_t transactions;
    _Atomic uint64_t repeated;
    _Atomic uint64_t cut;
    _Atomic uint64_t unjudged;
    _Atomic uint64_t unbalanced;
};

struct blocks {
    struct blocks_options options;
    /* From here on under the lock. */
    struct spin lock;
    struct blocks_shape **shapes; /* by index; NULL: free */
    uint32_t shape_count;
    uint32_t hand;
    size_t bytes;
    struct blocks_shape **shape_buckets;
    struct blocks_variable **variable_buckets; /* the newest of each variable */
    uint64_t bucket_mask;
    uint64_t births;
    uint64_t scans;
    struct cache judged; /* pairs of shapes */
    struct intmap reported;
    struct blocks_side sides[2];
    uint8_t *row;
    uint64_t *order; /* for sorting, two per step */
    uint32_t pairs_left;
    uint64_t cells_left;
    struct blocks_counts counts; /* and what threads counted that have ended */
    struct blocks_tally *tallies;
    /* Any thread. */
    _Atomic uint64_t generation; /* changes when many shapes have been forgotten */
};

static inline uint64_t blocks_hash(uint64_t hash, uint64_t value)
{
    return cache_mix(hash * 0x2545F4914F6CDD1Du + value + 1);
}

static inline uint64_t blocks_step_hash(uint64_t hash, const struct blocks_step *step)
{
    hash = blocks_hash(hash, step->subject);
    hash = blocks_hash(hash, (uint64_t)step->field << 32 | step->place.location);
    return blocks_hash(hash, (uint64_t)step->kind << 8 | step->flags);
}

/* Stacks do not count. */
static inline bool blocks_step_equal(const struct blocks_step *left,
                                     const struct blocks_step *right)
{
    return left->subject == right->subject && left->field == right->field &&
           left->place.location == right->place.location && left->kind == right->kind &&
           left->flags == right->flags;
}

bool blocks_steps_equal(const struct blocks_step *left, const struct blocks_step *right,
                        size_t count);

/* Whether the accesses of one all come before those of the other. */
bool blocks_guards_exclude(const struct blocks_guards *left, const struct blocks_guards *right);

/* Leaves those that the other has, too, and for itself. */
void blocks_guards_intersect(struct blocks_guards *guards, const struct blocks_guards *other);

void blocks_tally_add(struct blocks_counts *counts, const struct blocks_tally *tally);

/* Shapes. The lock is held. */
bool blocks_shape_is(const struct blocks_shape *shape, const struct blocks_candidate *candidate);
struct blocks_shape *blocks_shape_new(struct blocks *blocks,
                                      const struct blocks_candidate *candidate);
void blocks_shape_free(struct blocks *blocks, struct blocks_shape *shape);

/* The locks of the transaction just before step `step`, and those held from then on until `last`
   without a break. */
void blocks_shape_held(const struct blocks_shape *shape, uint32_t step, struct blocks_locks *locks);
void blocks_shape_between(const struct blocks_shape *shape, uint32_t step, uint32_t last,
                          struct blocks_locks *locks);

/* Judges a transaction that has ended. True when its thread need not tell it again before it
   releases or learns something. `occurrence` gives its references away. */
bool blocks_judge(struct blocks *blocks, const struct blocks_candidate *candidate,
                  const struct blocks_occurrence *occurrence, struct blocks_pending *pending);

enum blocks_portion { BLOCKS_NOTHING, BLOCKS_UP_TO_RELEASE, BLOCKS_ALL };

/* How two occurrences are ordered but for locks: how much of a side is before the other begins, and
   how much before the other first learns something. */
struct blocks_relation {
    enum blocks_portion before_begin[2];
    enum blocks_portion before_learned[2];
};

enum blocks_verdict { BLOCKS_CLEAN, BLOCKS_FOUND, BLOCKS_UNDECIDED };

/* Compares two transactions and tells what is found, unless `pending` is NULL. The lock is held. */
enum blocks_verdict blocks_compare(struct blocks *blocks,
                                   const struct blocks_shape *const shapes[2],
                                   const struct blocks_occurrence *const occurrences[2],
                                   const struct blocks_relation *relation,
                                   struct blocks_pending *pending);

#endif
