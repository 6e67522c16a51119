/*
 * inline: what a caller must know that does the commonest accesses itself.
 *
 * A call into the engine costs more than most of what it does there, for a caller in another
 * language that is compiled at run time. Such a caller may do four things alone, on the same
 * memory:
 *
 * An access by the owner of a variable (or the first access of one), in a segment that has been
 * noted: store word_of_owner as engine_access.c does, and put the location into `sites`. If the
 * thread's locks fit into held_inline, the segment can be noted as thread_note_segment does. In
 * busy code: nothing, if word_busy_covers says so.
 *
 * An access of a guarded variable (variable.h) by a thread that holds the guard exclusively and has
 * been seen with that kind of access: nothing, but the word may be replaced by one with the
 * thread's `expected` and the same handle. So it is for a variable without a guard and a thread
 * that has been seen writing it; if the thread has been seen reading, a read changes nothing, but
 * the word may be replaced by one with slot 0. In busy code most accesses for which
 * engine_was_seen is true may be left out, too, so that it does not matter how often the thread
 * releases something, and with which locks it comes. The word may be replaced as above if the
 * thread comes with the guard or, like last time, without any lock. Some must be told, so that what
 * is remembered of the thread does not get old: when another thread breaks the rule and it does not
 * come back, a race with its last access is missed if the two had to do with each other since one
 * was told.
 *
 * A first acquire or the last release of a lock in exclusive mode, as engine.c does it when
 * sync_stamp_known or sync_stamp_replace says so, if the thread's locks fit into held_inline; and
 * further acquires and releases of a lock that it has in that mode, which only count. If the stamp
 * is not known, the thread may learn what it stands for from the version of the thread that set it,
 * and make a version of its own of the clock of its oldest one, if that has no other reference. If
 * it knows what the entry's `growth` says, it need not even look at that version: all that is new
 * is the segment. It notes the hand-over as thread_note_handover does.
 *
 * An acquire of a synchronization object of which sync_known is true: nothing.
 *
 * engine_is_seen and engine_was_seen say in C whether it is one of these: it is what tests compare
 * with.
 */
#ifndef TURNSTILE_ENGINE_INLINE_H
#define TURNSTILE_ENGINE_INLINE_H

#include "engine/engine.h"
#include "engine/sync_table.h"

/* Addresses that stay, sizes and offsets in bytes. */
struct engine_layout {
    const void *chunks; /* array of addresses of chunks of records */
    uint32_t chunk_records;
    uint32_t index_mask; /* of a handle */
    uint32_t record_size;
    uint32_t guard; /* in a record */
    uint32_t seen;
    const void *sites; /* the entries of the cache: check, value */
    uint64_t sites_mask;
    struct sync_layout locks;
    struct sync_layout syncs;
    const void *threads; /* array of addresses of struct thread, by slot */
    /* In a struct thread. */
    uint32_t noted;
    uint32_t segment;
    uint32_t birth;
    uint32_t birth_epoch;
    uint32_t full;
    uint32_t ordered;
    uint32_t growth;
    uint32_t held;
    uint32_t held_count;
    uint32_t held_inline;
    uint32_t segments;
    uint32_t handover_count;
    uint32_t handovers;
    uint32_t version_count;
    uint32_t versions;
    /* In a struct clock. */
    uint32_t clock_references;
    uint32_t clock_everything;
    uint32_t clock_count;
    uint32_t clock_epochs;
};

void engine_layout(struct engine *engine, struct engine_layout *layout);

/* Whether the access need not be told. `lock` is one that the thread holds exclusively, or 0. */
bool engine_is_seen(struct engine *engine, const struct thread *thread, uint64_t word,
                    uint32_t lock, bool write);

/* The same, whichever of the locks that the thread holds it is. */
bool engine_is_seen_holding(struct engine *engine, const struct thread *thread, uint64_t word,
                            bool write);

/* What is looked at to answer that is going to be asked for. */
void engine_prefetch(const struct engine *engine, uint64_t word);

/* The thread has made an access of the same or the stronger kind, in whatever epoch: with the
   guard, which it has now, too, or else with whatever locks, and nobody has written since (for
   writes: accessed it). *alike: with the guard, or like now without any lock. */
bool engine_was_seen(struct engine *engine, const struct thread *thread, uint64_t word,
                     uint32_t lock, bool write, bool *alike);

#endif
