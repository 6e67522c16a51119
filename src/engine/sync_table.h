/*
 * sync_table: the clocks that locks and other synchronization objects carry from thread to thread.
 *
 * An entry has two clocks. For a synchronization object (a volatile, a queue, a latch, the end of a
 * barrier ...): the full and the ordered clock of those that released it. For a lock: the full
 * clock of its exclusive releases, and that of its shared releases, which only an exclusive acquire
 * sees (a reader is not ordered after another reader).
 *
 * A release adds to what is there. Usually the releasing thread has acquired before and knows it
 * already; then the entry just refers to the thread's clock object, and says up to which segment of
 * which slot. A later thread whose clock has that segment of that slot knows all of it, in one
 * comparison. Otherwise the clock is `merged`, and comparing it takes all slots.
 *
 * The commonest form of a lock's clock takes one word: its last release was by a thread that knew
 * all earlier ones, nobody has it in shared mode, and the thread that released it last can still be
 * asked what it knew then (thread_clock_in). Such an entry has a stamp, and empty clocks. A stamp
 * may be read and, by who holds the lock, exchanged for another without the lock of the set
 * (sync_stamp_...): no two are the same, since a release ends a segment, and an entry that is taken
 * for another object loses its stamp before its id. Other objects keep their clocks beside the
 * stamp, which says that both are those of this one release.
 *
 * The table is bounded. An entry that has to go (its set is full, clocks use too much memory) is
 * added to the `residue`. Whoever acquires an object that is not in the table acquires the residue,
 * and an object that comes back begins with it: this can add order that was not there, and hide a
 * race, but loses none and so invents no race.
 */
#ifndef TURNSTILE_ENGINE_SYNC_TABLE_H
#define TURNSTILE_ENGINE_SYNC_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/clock.h"
#include "engine/spin.h"
#include "engine/thread.h"

#define SYNC_WAYS 4u

enum sync_clock_kind {
    SYNC_FULL = 0,
    SYNC_ORDERED = 1, /* of a synchronization object */
    SYNC_READERS = 1, /* of a lock */
};

/* What one or more releases carry: `base`, and `segment` at `slot`. */
struct sync_clock {
    struct clock *base;
    uint64_t segment; /* 0: nothing was released */
    uint32_t slot;
    bool merged;
};

/* What most acquires and releases need of an entry. The marks stand by themselves, close together:
   a program with many locks finds them in the processor's caches. */
struct sync_mark {
    _Atomic uint32_t id;
    _Atomic uint64_t stamp; /* slot and segment; 0: only the clocks say what there is to know */
    struct thread_growth growth; /* of the clock that the stamp stands for */
};

/* The rest of it. */
struct sync_entry {
    bool used;
    bool referenced; /* since the hand passed */
    struct sync_clock clocks[2];
};

struct sync_chunk;

struct sync_table {
    struct clock_pool *clocks;
    struct thread_table *threads;
    bool stamps;             /* of locks */
    struct sync_mark *marks; /* SYNC_WAYS for each set */
    _Atomic(struct sync_chunk *) *chunks;
    uint32_t set_mask;
    size_t clock_bytes; /* above this, clocks are moved to the residue */
    _Atomic uint32_t hand;
    struct spin residue_lock;
    struct clock *residue[2];
    _Atomic bool has_residue;
    _Atomic uint64_t moved; /* entries that went to the residue */
};

/* At most `limit` entries, rounded up to a power of two. `stamps`: the objects are locks. */
bool sync_table_init(struct sync_table *table, struct clock_pool *clocks,
                     struct thread_table *threads, uint32_t limit, size_t clock_bytes, bool stamps);
void sync_table_release(struct sync_table *table);

/* One of a thread's clocks and the clock of the object that it goes to or learns from. */
struct sync_part {
    enum sync_clock_kind kind;
    struct clock_view view; /* slot 0 with segment 1 stands for no thread */
    struct clock **clock;   /* the base of the view; not for a release */
};

/* The first acquire of a lock by the thread, in exclusive mode: true if its clock has a stamp, and
   there is nothing in it that the thread does not know. */
bool sync_stamp_known(struct sync_table *table, const struct thread *thread, uint32_t id);

/* The same for another object. */
bool sync_known(struct sync_table *table, const struct thread *thread, uint32_t id);

/* The last release of a lock: true if the stamp is now that of the thread. Otherwise nothing
 * happened.
 */
bool sync_stamp_replace(struct sync_table *table, const struct thread *thread, uint32_t id);

/* Where stamps are, for who looks for them as sync_stamp_known and sync_stamp_replace do: marks are
   found by their id in the ways of set `id & set_mask`. Sizes and offsets in bytes. */
struct sync_layout {
    const void *marks; /* of the first set; SYNC_WAYS for each */
    uint32_t set_mask;
    uint32_t mark_size;
    uint32_t id; /* in a mark */
    uint32_t stamp;
    uint32_t growth;
};

void sync_layout(const struct sync_table *table, struct sync_layout *layout);

/* The thread with these clocks releases the object. */
void sync_publish(struct sync_table *table, uint32_t id, const struct sync_part *parts,
                  unsigned count);

/* Adds what the object carries to the clocks; at most 2. The stamp of the last release that
   something was learned from, 0 if there was none, or nobody knows whose it was. */
uint64_t sync_collect(struct sync_table *table, uint32_t id, const struct sync_part *parts,
                      unsigned count);

#endif
