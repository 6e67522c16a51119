#include "engine/sync_table.h"

#include <stddef.h>
#include <string.h>

#include "base/memory.h"

#define CHUNK_SETS 64u
#define SETS_MAX (UINT32_C(1) << 24)
#define MOVES_AT_ONCE 8u

struct sync_chunk {
    struct sync_entry entries[CHUNK_SETS][SYNC_WAYS];
    struct spin locks[CHUNK_SETS];
};

/* One of them. */
struct set {
    struct sync_mark *marks;
    struct sync_entry *entries; /* NULL: there is nothing in the set */
    struct spin *lock;
};

struct way {
    struct sync_mark *mark; /* NULL: there is none */
    struct sync_entry *entry;
};

static size_t marks_size(const struct sync_table *table)
{
    return ((size_t)table->set_mask + 1) * SYNC_WAYS * sizeof *table->marks;
}

static size_t chunk_count(const struct sync_table *table)
{
    return table->set_mask / CHUNK_SETS + 1;
}

bool sync_table_init(struct sync_table *table, struct clock_pool *clocks,
                     struct thread_table *threads, uint32_t limit, size_t clock_bytes, bool stamps)
{
    memset(table, 0, sizeof *table);
    table->clocks = clocks;
    table->threads = threads;
    table->stamps = stamps;
    table->clock_bytes = clock_bytes;
    uint32_t sets = 1;
    while (sets < SETS_MAX && sets * SYNC_WAYS < limit)
        sets *= 2;
    table->set_mask = sets - 1;
    table->marks = memory_map(marks_size(table));
    table->chunks = memory_allocate(chunk_count(table) * sizeof *table->chunks);
    for (size_t i = 0; table->chunks && i < chunk_count(table); i++)
        atomic_init(&table->chunks[i], NULL);
    return table->marks && table->chunks;
}

void sync_table_release(struct sync_table *table)
{
    for (size_t i = 0; table->chunks && i < chunk_count(table); i++) {
        struct sync_chunk *chunk = atomic_load(&table->chunks[i]);
        for (size_t k = 0; chunk && k < CHUNK_SETS * SYNC_WAYS; k++) {
            struct sync_entry *entry = &chunk->entries[k / SYNC_WAYS][k % SYNC_WAYS];
            clock_drop(table->clocks, entry->clocks[0].base);
            clock_drop(table->clocks, entry->clocks[1].base);
        }
        memory_release(chunk);
    }
    memory_release(table->chunks);
    memory_unmap(table->marks, marks_size(table));
    if (table->clocks) {
        clock_drop(table->clocks, table->residue[0]);
        clock_drop(table->clocks, table->residue[1]);
    }
    memset(table, 0, sizeof *table);
}

static struct sync_mark *marks_of(const struct sync_table *table, uint32_t index)
{
    return table->marks + (size_t)index * SYNC_WAYS;
}

/* The set of the id; none when nothing with this id can be there, or, with `make`, when there is no
   memory for it. Ids are dense, so neighbours share a chunk. */
static struct set set_of(struct sync_table *table, uint32_t id, bool make)
{
    uint32_t index = id & table->set_mask;
    _Atomic(struct sync_chunk *) *place = &table->chunks[index / CHUNK_SETS];
    struct sync_chunk *chunk = atomic_load(place);
    if (!chunk && make) {
        struct sync_chunk *fresh = memory_allocate(sizeof *fresh);
        if (!fresh)
            return (struct set){0};
        memset(fresh, 0, sizeof *fresh);
        if (atomic_compare_exchange_strong(place, &chunk, fresh))
            chunk = fresh;
        else
            memory_release(fresh);
    }
    if (!chunk)
        return (struct set){0};
    return (struct set){marks_of(table, index), chunk->entries[index % CHUNK_SETS],
                        &chunk->locks[index % CHUNK_SETS]};
}

static struct way way_at(const struct set *set, unsigned way)
{
    return (struct way){&set->marks[way], &set->entries[way]};
}

static void add_to_residue(struct sync_table *table, enum sync_clock_kind kind,
                           const struct clock *base, uint32_t slot, uint64_t segment)
{
    spin_lock(&table->residue_lock);
    clock_join(table->clocks, &table->residue[kind], base, slot, segment);
    spin_unlock(&table->residue_lock);
    atomic_store(&table->has_residue, true);
}

/* The same in the long form. */
static struct sync_clock clock_of_stamp(struct sync_table *table, uint64_t stamp)
{
    return (struct sync_clock){
        .base =
            thread_clock_in(table->threads, thread_stamp_slot(stamp), thread_stamp_segment(stamp)),
        .segment = thread_stamp_segment(stamp),
        .slot = thread_stamp_slot(stamp),
    };
}

/* From here on nobody changes the entry without the lock of its set, which the caller has. */
static void unstamp(struct sync_table *table, struct way way)
{
    uint64_t stamp = atomic_exchange_explicit(&way.mark->stamp, 0, memory_order_acq_rel);
    if (stamp && table->stamps)
        way.entry->clocks[SYNC_FULL] = clock_of_stamp(table, stamp);
}

/* Under the lock of the entry's set, which has no stamp. */
static void restamp(struct sync_table *table, struct way way)
{
    struct sync_clock *clock = &way.entry->clocks[SYNC_FULL];
    const struct sync_clock *other = &way.entry->clocks[1];
    uint64_t stamp = thread_stamp_of(clock->slot, clock->segment);
    if (clock->merged || !clock->slot)
        return;
    if (table->stamps) {
        if (other->segment)
            return; /* there are readers */
        clock_drop(table->clocks, clock->base);
        *clock = (struct sync_clock){0};
    } else if (other->merged || thread_stamp_of(other->slot, other->segment) != stamp) {
        return;
    }
    way.mark->growth = THREAD_GROWTH_UNKNOWN;
    atomic_store_explicit(&way.mark->stamp, stamp, memory_order_release);
}

/* Under the lock of the entry's set. */
static void move_to_residue(struct sync_table *table, struct way way)
{
    struct sync_entry *entry = way.entry;
    unstamp(table, way);
    for (unsigned kind = 0; kind < 2; kind++) {
        struct sync_clock *clock = &entry->clocks[kind];
        if (clock->segment)
            add_to_residue(table, (enum sync_clock_kind)kind, clock->base, clock->slot,
                           clock->segment);
        clock_drop(table->clocks, clock->base);
        *clock = (struct sync_clock){0};
    }
    entry->used = entry->referenced = false;
    atomic_store_explicit(&way.mark->id, 0, memory_order_release);
    atomic_fetch_add_explicit(&table->moved, 1, memory_order_relaxed);
}

static struct way find_entry(const struct set *set, uint32_t id)
{
    for (unsigned i = 0; i < SYNC_WAYS; i++) {
        const struct way way = way_at(set, i);
        if (way.entry->used && atomic_load_explicit(&way.mark->id, memory_order_relaxed) == id) {
            way.entry->referenced = true;
            return way;
        }
    }
    return (struct way){0};
}

/* A place in the set: the first entry that nobody used since it was looked at last. */
static struct way choose_entry(const struct set *set)
{
    for (unsigned way = 0; way < SYNC_WAYS; way++)
        if (!set->entries[way].used)
            return way_at(set, way);
    for (unsigned way = 0; way < SYNC_WAYS; way++) {
        if (!set->entries[way].referenced)
            return way_at(set, way);
        set->entries[way].referenced = false;
    }
    return way_at(set, 0);
}

/* The object may have been released before, and be part of the residue: it begins with that. There
   is no thread in slot 0; its segment 1 just says that there is something. */
static void inherit_residue(struct sync_table *table, struct sync_entry *entry)
{
    spin_lock(&table->residue_lock);
    for (unsigned kind = 0; kind < 2; kind++)
        if (table->residue[kind])
            entry->clocks[kind] = (struct sync_clock){
                .base = clock_keep(table->residue[kind]), .segment = 1, .merged = true};
    spin_unlock(&table->residue_lock);
}

static struct way make_entry(struct sync_table *table, const struct set *set, uint32_t id)
{
    const struct way way = choose_entry(set);
    if (way.entry->used)
        move_to_residue(table, way);
    way.entry->used = way.entry->referenced = true;
    atomic_store_explicit(&way.mark->id, id, memory_order_release);
    if (atomic_load(&table->has_residue))
        inherit_residue(table, way.entry);
    return way;
}

/* Clocks use too much memory: some entries give theirs up. */
static void relieve(struct sync_table *table)
{
    if (atomic_load_explicit(&table->clocks->bytes, memory_order_relaxed) <= table->clock_bytes)
        return;
    for (unsigned i = 0; i < MOVES_AT_ONCE; i++) {
        uint32_t index = atomic_fetch_add_explicit(&table->hand, 1, memory_order_relaxed);
        const struct set set = set_of(table, index, false);
        if (!set.entries || !spin_try(set.lock))
            continue;
        for (unsigned way = 0; way < SYNC_WAYS; way++)
            if (set.entries[way].used)
                move_to_residue(table, way_at(&set, way));
        spin_unlock(set.lock);
    }
}

static bool is_covered(const struct sync_table *table, const struct sync_clock *clock,
                       const struct clock_view *view)
{
    if (!clock->segment)
        return true;
    if (clock_view_at(view, clock->slot) < clock->segment)
        return false;
    /* Who knows a segment of a thread knows all that this thread knew then; but not what an earlier
       thread in its slot knew. */
    if (!clock->merged && clock->segment >= thread_birth(thread_at(table->threads, clock->slot)))
        return true;
    return clock_covered(clock->base, view);
}

/* Under the lock of the entry's set. */
static void publish_part(struct sync_table *table, struct sync_clock *clock,
                         const struct clock_view *view)
{
    if (is_covered(table, clock, view)) {
        if (clock->base != view->base) {
            clock_drop(table->clocks, clock->base);
            clock->base = clock_keep((struct clock *)view->base);
        }
        clock->merged = !view->slot;
    } else {
        /* The slot that the entry stood for becomes one of many. */
        clock_join(table->clocks, &clock->base, view->base, clock->slot, clock->segment);
        clock->merged = true;
    }
    clock->slot = view->slot;
    clock->segment = view->segment;
}

/* An exclusive release of a lock by who knows what those that had it in shared mode did: whoever
   acquires it next learns that from the release. */
static void drop_known_readers(struct sync_table *table, struct sync_entry *entry,
                               const struct clock_view *view)
{
    struct sync_clock *readers = &entry->clocks[SYNC_READERS];
    if (!table->stamps || !readers->segment || !is_covered(table, readers, view))
        return;
    clock_drop(table->clocks, readers->base);
    *readers = (struct sync_clock){0};
}

void sync_publish(struct sync_table *table, uint32_t id, const struct sync_part *parts,
                  unsigned count)
{
    relieve(table);
    struct set set = set_of(table, id, true);
    if (!set.entries) {
        for (unsigned i = 0; i < count; i++)
            add_to_residue(table, parts[i].kind, parts[i].view.base, parts[i].view.slot,
                           parts[i].view.segment);
        atomic_fetch_add_explicit(&table->moved, 1, memory_order_relaxed);
        /* Another thread may have had more luck, and have an entry that does not know of this. */
        set = set_of(table, id, false);
        if (!set.entries)
            return;
    }
    spin_lock(set.lock);
    struct way way = find_entry(&set, id);
    if (!way.mark)
        way = make_entry(table, &set, id);
    unstamp(table, way);
    for (unsigned i = 0; i < count; i++)
        publish_part(table, &way.entry->clocks[parts[i].kind], &parts[i].view);
    if (parts[0].kind == SYNC_FULL)
        drop_known_readers(table, way.entry, &parts[0].view);
    restamp(table, way);
    spin_unlock(set.lock);
}

static void collect_residue(struct sync_table *table, const struct sync_part *part)
{
    if (!atomic_load_explicit(&table->has_residue, memory_order_acquire))
        return;
    spin_lock(&table->residue_lock);
    struct clock *residue = clock_keep(table->residue[part->kind]);
    spin_unlock(&table->residue_lock);
    clock_join(table->clocks, part->clock, residue, 0, 0);
    clock_drop(table->clocks, residue);
}

static bool knows_stamp(const struct sync_table *table, const struct clock_view *view,
                        uint64_t stamp)
{
    const uint32_t slot = thread_stamp_slot(stamp);
    return clock_view_at(view, slot) >= thread_stamp_segment(stamp) &&
           thread_stamp_segment(stamp) >= thread_birth(thread_at(table->threads, slot));
}

/* The mark of the object and its stamp, without the lock of the set; NULL if there is none. */
static struct sync_mark *find_stamp(struct sync_table *table, uint32_t id, uint64_t *stamp)
{
    struct sync_mark *marks = marks_of(table, id & table->set_mask);
    for (unsigned way = 0; way < SYNC_WAYS; way++) {
        struct sync_mark *mark = &marks[way];
        if (atomic_load_explicit(&mark->id, memory_order_acquire) != id)
            continue;
        *stamp = atomic_load_explicit(&mark->stamp, memory_order_acquire);
        /* It may have been taken for another object, and have that one's. */
        if (*stamp && atomic_load_explicit(&mark->id, memory_order_relaxed) == id)
            return mark;
    }
    return NULL;
}

bool sync_stamp_known(struct sync_table *table, const struct thread *thread, uint32_t id)
{
    uint64_t stamp;
    const struct clock_view view = thread_full(thread);
    return find_stamp(table, id, &stamp) && knows_stamp(table, &view, stamp);
}

bool sync_known(struct sync_table *table, const struct thread *thread, uint32_t id)
{
    uint64_t stamp;
    const struct clock_view full = thread_full(thread), ordered = thread_ordered(thread);
    return find_stamp(table, id, &stamp) && knows_stamp(table, &full, stamp) &&
           knows_stamp(table, &ordered, stamp);
}

bool sync_stamp_replace(struct sync_table *table, const struct thread *thread, uint32_t id)
{
    uint64_t stamp;
    const struct clock_view view = thread_full(thread);
    struct sync_mark *mark = find_stamp(table, id, &stamp);
    if (!mark || !knows_stamp(table, &view, stamp))
        return false;
    mark->growth = THREAD_GROWTH_UNKNOWN;
    return atomic_compare_exchange_strong_explicit(
        &mark->stamp, &stamp, thread_stamp_of(thread->slot, thread_segment(thread)),
        memory_order_acq_rel, memory_order_relaxed);
}

void sync_layout(const struct sync_table *table, struct sync_layout *layout)
{
    *layout = (struct sync_layout){
        .marks = table->marks,
        .set_mask = table->set_mask,
        .mark_size = sizeof(struct sync_mark),
        .id = offsetof(struct sync_mark, id),
        .stamp = offsetof(struct sync_mark, stamp),
        .growth = offsetof(struct sync_mark, growth),
    };
}

/* A clock that there is to learn, with a reference. */
static struct sync_clock unknown_clock(struct sync_table *table, struct way way,
                                       const struct sync_part *part)
{
    const struct sync_clock nothing = {0};
    const uint64_t stamp = atomic_load_explicit(&way.mark->stamp, memory_order_acquire);
    if (stamp && table->stamps) {
        if (part->kind != SYNC_FULL || knows_stamp(table, &part->view, stamp))
            return nothing;
        return clock_of_stamp(table, stamp);
    }
    const struct sync_clock *clock = &way.entry->clocks[part->kind];
    if (is_covered(table, clock, &part->view))
        return nothing;
    clock_keep(clock->base);
    return *clock;
}

/* What there is to learn from the object, with references; false when the object is not there. */
static bool look_up(struct sync_table *table, uint32_t id, const struct sync_part *parts,
                    unsigned count, struct sync_clock *found)
{
    const struct set set = set_of(table, id, false);
    if (!set.entries)
        return false;
    spin_lock(set.lock);
    const struct way way = find_entry(&set, id);
    for (unsigned i = 0; way.mark && i < count; i++)
        found[i] = unknown_clock(table, way, &parts[i]);
    spin_unlock(set.lock);
    return way.mark;
}

uint64_t sync_collect(struct sync_table *table, uint32_t id, const struct sync_part *parts,
                      unsigned count)
{
    uint64_t last = 0;
    struct sync_clock found[2];
    bool there = look_up(table, id, parts, count, found);
    for (unsigned i = 0; i < count; i++) {
        if (!there) {
            collect_residue(table, &parts[i]);
        } else if (found[i].segment) {
            clock_join(table->clocks, parts[i].clock, found[i].base, found[i].slot,
                       found[i].segment);
            clock_drop(table->clocks, found[i].base);
            if (found[i].slot)
                last = thread_stamp_of(found[i].slot, found[i].segment);
        }
    }
    return last;
}
