/*
 * blocks: predicts atomicity violations from the locks around the accesses of transactions (Wang
 * and Stoller's block-based algorithm). It knows no JVM.
 *
 * A transaction is one execution of a block that should be atomic: from the begin of a thread's
 * outermost block to its end. An access outside blocks is a transaction of its own. A wait splits a
 * transaction in two. Whenever a transaction ends it is compared with those of other threads that
 * it could have run together with: is there an order of both that respects the locks, in which
 * everything comes to its end, and that is not view equivalent to running one after the other? That
 * is so if and only if one of these can happen (first and last access by one transaction, the
 * middle one by the other; an initial read is one before the transaction's first write of the
 * variable, a final write is its last):
 *
 *     read-write-read     two initial reads with any write between them
 *     write-read-write    a write and the final write, with an initial read between them
 *     read-write-write    an initial read and the final write, with the final write between them
 *     write-write-read    a write and a read of what it wrote, with any write between them
 *     two variables       one variable's accesses say that the first transaction came first, the
 *                         other variable's that it came second; initial reads and final writes only
 *
 * A transaction's pairs of accesses that can be the outer ones are its blocks. Two transactions
 * with a common lock that each holds for all of its accesses need not be looked at, nor those of a
 * variable if all hold it. Else the locks held without a break from one access to the other are
 * compared with those held at the middle one, which excludes most; then blocks_lattice.h decides
 * whether the order can be completed. So for two transactions the answer is exact, for any number
 * of variables, for locks that are nested or not, re-entrant or shared: orders that end in a
 * deadlock do not count. It is about two transactions at a time: orders for which a third one is
 * needed are not found.
 *
 * What is left out, always such that violations may be missed and none is invented:
 *   - of a loop's passes with the same accesses under the same locks, the first two and the last
 *     are kept; those between count as one step of the thread;
 *   - the locks that a thread has when a transaction begins, and those that it had meanwhile since
 *     it last had none, are taken in one step;
 *   - a transaction with too many steps is cut; the first part is judged, without what would have
 *     to be known of the rest;
 *   - what is ordered by anything but locks stays in the order that was seen. If two transactions
 *     are ordered in parts, what came before the last release is all before what came after the
 *     first acquire;
 *   - limits: blocks_counts says what was forgotten.
 *
 * Transactions with the same block, accesses, places and locks are stored once; each remembers its
 * last occurrence in some threads. (If the last one is ordered before another transaction, so are
 * the earlier ones.) A thread that repeats what it did lately, with nothing but locks in between,
 * pays for recognizing that only.
 *
 * The calls for one thread come one after the other, in its order; those for different threads may
 * come at once. A transaction's end must have been told before the thread releases anything but
 * locks to others, and releases and acquires of locks are told in the thread's order; it does not
 * matter how those of different threads come. Everything is predicted: what the run itself did is
 * not looked at.
 */
#ifndef TURNSTILE_ENGINE_BLOCKS_H
#define TURNSTILE_ENGINE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/clock.h"

#define BLOCKS_LOCKS_MAX 8u

enum blocks_pattern {
    BLOCKS_READ_WRITE_READ,
    BLOCKS_WRITE_READ_WRITE,
    BLOCKS_READ_WRITE_WRITE,
    BLOCKS_WRITE_WRITE_READ,
    BLOCKS_TWO_VARIABLES,
};

/* Locks, the first BLOCKS_LOCKS_MAX of `count`, and whether they are held in shared mode only. */
struct blocks_locks {
    uint32_t count;
    uint32_t locks[BLOCKS_LOCKS_MAX];
    bool shared[BLOCKS_LOCKS_MAX];
};

struct blocks_place {
    uint32_t location;
    uint32_t stack;
};

/* One access of a violation. */
struct blocks_event {
    unsigned transaction; /* 0 or 1: index in `transactions` */
    uint64_t variable;
    uint32_t field;
    bool write;
    struct blocks_place place;
    struct blocks_locks held;
};

struct blocks_transaction {
    uint64_t thread; /* name */
    uint64_t number; /* of the thread's transactions */
    uint32_t block;  /* 0: an access outside blocks */
    struct blocks_place entered;
    struct blocks_locks between; /* held without a break from its first to its last event here */
};

/* Owns all it shows. Transaction 0 is the one that is not atomic; with two variables neither is. */
struct blocks_violation {
    enum blocks_pattern pattern;
    unsigned event_count;          /* 3 or 4 */
    struct blocks_event events[4]; /* in the order that is possible */
    struct blocks_transaction transactions[2];
};

/* Called on the thread whose transaction ended later, with no lock of the engine held. */
typedef void (*blocks_report)(void *context, const struct blocks_violation *violation);

struct blocks_options {
    uint32_t steps;               /* kept of one transaction */
    uint32_t shapes;              /* different transactions */
    size_t bytes;                 /* for those */
    uint32_t threads_per_shape;   /* of which the last occurrence is known */
    uint32_t shapes_per_variable; /* that a variable's accesses are compared with */
    uint32_t pairs;               /* of transactions, compared at one end */
    uint32_t cells;               /* of lattices, visited at one end */
    uint32_t reports;             /* different violations */
    struct clock_pool *clocks;    /* of the clocks in views; NULL if there are none */
    blocks_report report;         /* may be NULL */
    void *context;
};

struct blocks_counts {
    uint64_t transactions; /* that ended with at least one access */
    uint64_t repeated;     /* of those: known from lately */
    uint64_t compared;     /* pairs */
    uint64_t violations;   /* reported */
    uint64_t repeats;      /* found again, not reported again */
    uint64_t cut;          /* transactions with too many steps */
    uint64_t unjudged;     /* transactions whose locks were not known */
    uint64_t evicted;      /* shapes that were forgotten */
    uint64_t lost;         /* shapes that were not stored for want of memory */
    uint64_t unlinked;     /* shapes that a variable forgot */
    uint64_t forgotten;    /* last occurrences that made room for another thread's */
    uint64_t postponed;    /* pairs left for the next occurrence, if there is one */
    uint64_t undecided;    /* pairs that were given up */
    uint64_t unreported;   /* violations beyond the limits */
    uint64_t unbalanced;   /* releases of locks that were not held */
    uint32_t shapes;       /* stored now */
    size_t bytes;          /* in those */
};

struct blocks;
struct blocks_thread;

void blocks_options_default(struct blocks_options *options);

/* NULL when there is no memory. */
struct blocks *blocks_new(const struct blocks_options *options);

/* No thread may be using it; all threads have ended. */
void blocks_free(struct blocks *blocks);

/* A NULL thread (no memory) is accepted everywhere, and not looked at. `now` is the thread's clock
   without lock edges. */
struct blocks_thread *blocks_thread_start(struct blocks *blocks, uint64_t name,
                                          const struct clock_view *now);
void blocks_thread_end(struct blocks *blocks, struct blocks_thread *thread);

/* The thread has released something that is not a lock (a start counts) and is in a new segment, or
   has learned something new from others. */
void blocks_order(struct blocks *blocks, struct blocks_thread *thread,
                  const struct clock_view *now);

void blocks_begin(struct blocks *blocks, struct blocks_thread *thread, uint32_t block,
                  struct blocks_place place);
void blocks_end(struct blocks *blocks, struct blocks_thread *thread);

/* `variable` tells variables apart as long as the engine lives: two with the same number are taken
   for one. `field` is for reports: a violation is reported once for the same fields and places. */
void blocks_access(struct blocks *blocks, struct blocks_thread *thread, uint64_t variable,
                   uint32_t field, bool write, struct blocks_place place);

/* Re-entrant: the first acquire and the last release count. */
void blocks_acquire(struct blocks *blocks, struct blocks_thread *thread, uint32_t lock,
                    bool shared);
void blocks_release(struct blocks *blocks, struct blocks_thread *thread, uint32_t lock,
                    bool shared);

/* Gives up the lock however often it was acquired, and splits the transaction. The result is for
   the end of the wait; 0 if the thread does not hold the lock. */
uint32_t blocks_wait_begin(struct blocks *blocks, struct blocks_thread *thread, uint32_t lock);
void blocks_wait_end(struct blocks *blocks, struct blocks_thread *thread, uint32_t lock,
                     uint32_t times);

void blocks_counts(struct blocks *blocks, struct blocks_counts *counts);

#endif
