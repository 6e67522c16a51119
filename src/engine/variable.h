/*
 * variable: the records of variables that more than one thread has accessed.
 *
 * A record is found by the handle in the variable's word. Records are never told that their
 * variable is gone. There is a bounded number of them, and a new one may take the place of one that
 * was not used for a while: the record's generation, which is part of the handle, then changes, and
 * a word with the old handle is known to be stale. As generations come round again, a record is
 * taken for the word's only if the field, the caller's key and the last access that the word tells
 * of fit too. A variable whose record is gone starts anew as one that nobody accessed.
 *
 * A record also has the state that the Atomizer gives the variable, with the locks held on every
 * access and on every write. They are kept beside the history and not derived from it: the history
 * also has accesses from before the variable was shared, which do not count for the Atomizer.
 *
 *     thread-local        only the first thread has accessed it (a word without a record)
 *     thread-local (2)    only the second thread has, since it did first
 *     read-shared         then another thread, but no writes since
 *     shared-modified     ... and a write. The two sets start with the locks of that write, and
 * from then on lose what is not held: the access-protecting set at each access, the
 *                         write-protecting set at each write.
 *
 * A variable is guarded by a lock if all remembered accesses hold it. Then a further access with
 * that lock races with none of them, and there is no need to remember it when the same thread has
 * made an access of the same or the stronger kind since it last released anything but a lock: to
 * those who do not take the guard both look the same, except that the older may be ordered before
 * by a hand-over of locks where the newer is not (a race is then `predicted` that could have been
 * `observed`), and that the locks that the two hold beside the guard may differ. So such an access
 * need not be told; see inline.h. `guard` and `seen` are for that.
 *
 * The same goes for a variable without a guard and a thread that was seen accessing it, holding no
 * lock, since it last released anything but a lock: for reads as long as nobody writes, for writes
 * as long as nobody else accesses it. One that held locks is noted, too, but this says only that it
 * was there: what it does with other locks may be another race.
 *
 * With `object_rule` (the states for whole objects, which have no thread-local (2)) the sets start
 * with the locks of the second thread's first access and are reduced while read-shared, too.
 */
#ifndef TURNSTILE_ENGINE_VARIABLE_H
#define TURNSTILE_ENGINE_VARIABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/history.h"
#include "engine/lockset.h"
#include "engine/spin.h"

#define VARIABLE_SEEN 8u
#define VARIABLE_SEEN_WRITE (UINT32_C(1) << 12)
#define VARIABLE_SEEN_LOCKS (UINT32_C(1) << 31)
#define VARIABLE_LIMIT_MAX (UINT32_C(1) << 22)

enum variable_state {
    VARIABLE_UNTOUCHED, /* or a free record */
    VARIABLE_THREAD_LOCAL,
    VARIABLE_THREAD_LOCAL_2,
    VARIABLE_READ_SHARED,
    VARIABLE_SHARED_MODIFIED,
};

/* All of it under its lock, but for `referenced`. */
struct variable {
    /* The lock, or 0, << 32 | handle + 1; 0: `seen` says nothing. Lock numbers are not 0 here. What
       others read without the lock is on one line of the cache. */
    _Alignas(64) _Atomic uint64_t guard;
    /* At slot % VARIABLE_SEEN: the slot, its epoch << 13, whether it wrote, and whether it held
       locks where no lock guards the variable. Read by any. */
    _Atomic uint32_t seen[VARIABLE_SEEN];
    struct spin lock;
    uint32_t generation;
    uint32_t field;
    uint32_t key;   /* of a free record: the next free one + 1 */
    uint64_t last;  /* low bits of the word that was given out last */
    uint16_t owner; /* slot, while thread-local (2) */
    uint8_t state;
    _Atomic uint8_t referenced; /* since the hand passed */
    uint32_t access_set;        /* shared-modified: locks held on every access */
    uint32_t write_set;         /* shared-modified: locks held on every write */
    struct history history;
};

static inline uint32_t variable_guard(const struct variable *variable)
{
    return (uint32_t)(atomic_load_explicit(&variable->guard, memory_order_relaxed) >> 32);
}

#define VARIABLE_CHUNK 1024u

struct variable_chunk {
    struct variable records[VARIABLE_CHUNK];
};

struct variable_pool {
    _Atomic(struct variable_chunk *) *chunks;
    uint32_t limit;
    uint32_t index_bits;
    struct history_pool histories;
    struct spin lock; /* for what follows */
    uint32_t count;   /* records 0 .. count-1 exist */
    uint32_t free;    /* index + 1 */
    uint32_t hand;
    _Atomic uint64_t evicted;
};

/* At most `limit` records with at most `capacity` remembered accesses each. */
bool variable_pool_init(struct variable_pool *pool, uint32_t limit, uint32_t capacity);
void variable_pool_release(struct variable_pool *pool);

/* A record with an empty history, locked by the caller, or NULL when there is no memory and none to
   evict. *handle is for the word. */
struct variable *variable_new(struct variable_pool *pool, uint32_t field, uint32_t key,
                              uint32_t *handle);

/* The record of a shared word, locked by the caller; NULL when it is not there any more. */
struct variable *variable_lock(struct variable_pool *pool, uint64_t word, uint32_t field,
                               uint32_t key);

/* Gives a record back that no word refers to. */
void variable_discard(struct variable_pool *pool, uint32_t handle);

/* The Atomizer's step for an access by `slot` with the locks that count for it, after the record
   got its first state. */
void variable_step(struct variable *variable, struct lockset_table *locksets, bool object_rule,
                   uint32_t slot, bool write, uint32_t lockset);

/* After an access with the guard was remembered. `seen` is thread_seen of the thread. */
void variable_note_seen(struct variable *variable, uint32_t seen, bool write);

/* After any other: finds out whether the variable is guarded now, and notes who has been seen. */
void variable_settle(struct variable *variable, struct lockset_table *locksets, uint32_t handle,
                     uint32_t seen, bool write, uint32_t lockset);

/* Starts the state shared-modified or, without a write, read-shared, with full sets. */
void variable_begin_shared(struct variable *variable, bool modified);

/* Reduces the sets by an access. */
void variable_restrict(struct variable *variable, struct lockset_table *locksets, bool write,
                       uint32_t lockset);

/* "thread-local", "thread-local (2)", ... */
const char *variable_state_name(enum variable_state state);

#endif
