/*
 * transactions_internal: what the files of transactions share.
 *
 * Each thread has a slot, and a position that grows: with each block that it enters, and with each
 * operation that gets an edge which matters. Slot and position together are a stamp, which stands
 * for an operation; the transaction that is going on consists of the operations from `entered` of
 * its outermost block on.
 *
 * Everything is under the one lock, except that a thread alone looks at and changes its position,
 * its depth, its recent objects, and those of its levels that are not `published`. A level is
 * published with the first operation in it that is looked at.
 */
#ifndef TURNSTILE_ENGINE_TRANSACTIONS_INTERNAL_H
#define TURNSTILE_ENGINE_TRANSACTIONS_INTERNAL_H

#include <stdatomic.h>

#include "base/intmap.h"
#include "engine/spin.h"
#include "engine/transactions.h"

#define POSITION_BITS 48u
#define POSITION_NONE UINT64_MAX
#define RECENT_OBJECTS 128u
#define LEVELS_INLINE 4u
#define CHUNK_ITEMS 1024u

/* An operation that later ones may get an edge from. */
struct record {
    uint64_t stamp; /* 0: none */
    uint32_t location;
    uint32_t stack;
    uint32_t block;
};

/* A read, shared release or release of a synchronization object, in the list of its object. */
struct shared_record {
    struct record record;
    uint32_t next;
};

/* A variable, lock or synchronization object. */
struct object {
    _Atomic uint64_t key;   /* 0: not in use */
    _Atomic uint64_t touch; /* see touch_of; 0: nothing can be skipped */
    struct record last;     /* write, or exclusive release */
    uint32_t shared;        /* those since `last`, at most one per thread: the first one's number */
    uint32_t next;          /* in the bucket, or of those that are free: a number */
};

/* Items that keep their addresses, with numbers from 1 on; there are at most `limit`. */
struct pool {
    char **chunks;
    size_t item_size;
    uint32_t limit;
    size_t next_offset; /* of a uint32_t in an item that links those that are free */
    uint32_t count;     /* items that have been handed out once */
    uint32_t used;
    uint32_t free;  /* the first of those that were given back */
    uint32_t sweep; /* when this many are used, it is time to look which are not needed */
};

/* One edge, with all that a report needs. */
struct conflict {
    uint64_t key;
    struct record earlier;
    struct record later;
    uint8_t earlier_kind;
    uint8_t later_kind;
};

/* A way from a transaction to another: `before`, then the conflict, or what `behind` has. */
struct step {
    struct conflict conflict;
    uint32_t references;
    uint32_t before; /* 0: none */
    uint32_t behind; /* 0: none; also the next one of those that are free */
    uint32_t length; /* conflicts */
    bool cut;        /* some are left out */
};

/* What comes after one block that is going on: for each slot, from which position on. */
struct row {
    uint64_t *positions; /* by slot; POSITION_NONE: nothing */
    uint32_t *steps;     /* the way there; 0: not known */
    uint16_t *slots;     /* those that have something */
    uint32_t count;
    uint32_t capacity; /* slots */
    struct row *next_free;
};

/* A block that a thread is in. */
struct level {
    uint64_t entered; /* position */
    uint32_t block;
    uint32_t location;
    uint32_t stack;
    struct row *row; /* NULL: nothing comes after it */
};

struct transactions_thread {
    uint64_t position;
    uint64_t name;
    uint64_t birth;
    struct level *levels;
    uint32_t level_capacity;
    uint32_t depth;   /* blocks that the thread is in */
    uint32_t unnoted; /* further ones, for which there was no memory */
    uint32_t slot;
    bool live;
    uint32_t published;    /* levels that others may look at */
    uint32_t active_index; /* place among the active threads, if `published` */
    uint32_t reached;      /* outermost blocks that it comes after */
    uint64_t *known;       /* by slot: edges from this position and before have been added */
    uint32_t known_capacity;
    struct transactions_thread *next_dead;
    uint32_t recent[RECENT_OBJECTS];
    struct level levels_inline[LEVELS_INLINE];
};

struct transactions {
    struct transactions_options options;
    struct spin lock;
    _Atomic uint32_t active_count;
    struct transactions_thread **active; /* those that have published a level */
    struct transactions_thread **slots;  /* by slot; 0 is not used */
    uint32_t slot_count;                 /* slots 1 .. slot_count have been used */
    struct transactions_thread *first_dead;
    struct transactions_thread *last_dead;
    struct pool objects;
    struct pool shared;
    struct pool steps;
    uint32_t *buckets;
    uint32_t bucket_count;
    uint64_t *oldest; /* during a sweep, by slot: what is older does not matter */
    struct row *free_rows;
    size_t row_bytes;
    struct intmap reported;
    uint64_t sweep_after; /* operations: so that sweeping costs little per operation */
    uint64_t operations, cycles, reports, lost, cut, refused, sweeps;
};

/* An operation that is being looked at. */
struct event {
    struct transactions_thread *thread;
    struct conflict conflict; /* `later` is the operation */
    bool moved;               /* it has got a position of its own */
    /* The cycle that it closes, if there is one: the one with the innermost block. */
    bool closes;
    uint32_t level;
    struct conflict closing;
};

static inline uint64_t stamp_of(uint32_t slot, uint64_t position)
{
    return (uint64_t)slot << POSITION_BITS | position;
}

static inline uint32_t stamp_slot(uint64_t stamp)
{
    return (uint32_t)(stamp >> POSITION_BITS);
}

static inline uint64_t stamp_position(uint64_t stamp)
{
    return stamp & ((UINT64_C(1) << POSITION_BITS) - 1);
}

/*
 * Who touched an object last, and how. Alone: `last` is the operation with that stamp, or another
 * with the same, and nothing is in the list; then nothing that the same thread does with the same
 * stamp changes anything. Not alone: `last` was there already when the operation with that stamp
 * was told, which is in the list.
 */
static inline uint64_t touch_of(uint64_t stamp, bool alone)
{
    return stamp << 1 | alone;
}

static inline uint64_t thread_start_position(const struct transactions_thread *thread)
{
    return thread->levels[0].entered;
}

/* transactions_pool.c */
bool transactions_pool_init(struct pool *pool, size_t item_size, size_t next_offset,
                            uint32_t limit);
void transactions_pool_release(struct pool *pool);
/* The number of an item, or 0. What is in it is as it was left, except for `next`. */
uint32_t transactions_pool_take(struct pool *pool);
void transactions_pool_give(struct pool *pool, uint32_t number);

static inline void *transactions_pool_at(const struct pool *pool, uint32_t number)
{
    uint32_t index = number - 1;
    return pool->chunks[index / CHUNK_ITEMS] + index % CHUNK_ITEMS * pool->item_size;
}

static inline struct object *object_at(const struct transactions *transactions, uint32_t number)
{
    return transactions_pool_at(&transactions->objects, number);
}

static inline struct shared_record *shared_at(const struct transactions *transactions,
                                              uint32_t number)
{
    return transactions_pool_at(&transactions->shared, number);
}

static inline struct step *step_at(const struct transactions *transactions, uint32_t number)
{
    return transactions_pool_at(&transactions->steps, number);
}

/* transactions_objects.c */

/* Before an operation: looks for what does not matter any more, if that is worth while. */
void transactions_make_room(struct transactions *transactions);
/* The number of the object with that key, or 0. */
uint32_t transactions_object_find(const struct transactions *transactions, uint64_t key);
/* A new one; 0 when there is no room. */
uint32_t transactions_object_add(struct transactions *transactions, uint64_t key);
/* Remembers the operation as the one that makes all earlier ones superfluous. */
void transactions_object_set_last(struct transactions *transactions, struct object *object,
                                  const struct record *record);
/* Adds it to the list, or replaces the thread's earlier one. False when there is no room. */
bool transactions_object_add_shared(struct transactions *transactions, struct object *object,
                                    const struct record *record);
/* Takes the record that *link is the number of out of its list. */
void transactions_object_drop_shared(struct transactions *transactions, uint32_t *link);

/* transactions_graph.c */

/* The thread's levels from `depth` on are not there any more. */
void transactions_graph_leave(struct transactions *transactions, struct transactions_thread *thread,
                              uint32_t depth);
/* Adds the edge event->conflict into the event's thread. False when the earlier operation does not
   matter to anyone, and never will. */
bool transactions_graph_add(struct transactions *transactions, struct event *event);
/* Whether the operation with that stamp may matter. */
bool transactions_graph_matters(const struct transactions *transactions, uint64_t stamp);
/* Fills transactions->oldest. */
void transactions_graph_find_oldest(struct transactions *transactions);
void transactions_graph_release(struct transactions *transactions);

/* transactions_steps.c */
#define STEP_HERE UINT32_MAX /* the way begins here */
#define STEP_UNKNOWN 0u
/* The way `before`, then the conflict. STEP_UNKNOWN when there is no room. */
uint32_t transactions_step_new(struct transactions *transactions, uint32_t before,
                               const struct conflict *conflict);
/* The way `before`, then the way `behind`. */
uint32_t transactions_step_join(struct transactions *transactions, uint32_t before,
                                uint32_t behind);
uint32_t transactions_step_keep(struct transactions *transactions, uint32_t step);
void transactions_step_drop(struct transactions *transactions, uint32_t step);
/* The conflicts on the way; fewer than TRANSACTIONS_PATH_MAX. *whole: none is missing. */
uint32_t transactions_step_path(const struct transactions *transactions, uint32_t step,
                                struct conflict *conflicts, bool *whole);

/* Where the way begins; 0: not known. */
uint32_t transactions_step_first_location(const struct transactions *transactions, uint32_t step);

/* transactions_report.c */

/* False when the same has been reported before. */
bool transactions_violation_fill(struct transactions *transactions, const struct event *event,
                                 struct transactions_violation *violation);

#endif
