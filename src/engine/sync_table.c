#include "engine/sync_table.h"

#include <string.h>

#include "base/memory.h"

#define CHUNK_SETS 64u
#define SETS_MAX (UINT32_C(1) << 24)
#define MOVES_AT_ONCE 8u

struct sync_chunk {
    struct sync_set sets[CHUNK_SETS];
};

static size_t chunk_count(const struct sync_table *table)
{
    return table->set_mask / CHUNK_SETS + 1;
}

bool sync_table_init(struct sync_table *table, struct clock_pool *clocks,
                     const struct thread_table *threads, uint32_t limit, size_t clock_bytes)
{
    memset(table, 0, sizeof *table);
    table->clocks = clocks;
    table->threads = threads;
    table->clock_bytes = clock_bytes;
    uint32_t sets = 1;
    while (sets < SETS_MAX && sets * SYNC_WAYS < limit)
        sets *= 2;
    table->set_mask = sets - 1;
    table->chunks = memory_allocate(chunk_count(table) * sizeof *table->chunks);
    if (!table->chunks)
        return false;
    for (size_t i = 0; i < chunk_count(table); i++)
        atomic_init(&table->chunks[i], NULL);
    return true;
}

void sync_table_release(struct sync_table *table)
{
    for (size_t i = 0; table->chunks && i < chunk_count(table); i++) {
        struct sync_chunk *chunk = atomic_load(&table->chunks[i]);
        for (size_t k = 0; chunk && k < CHUNK_SETS * SYNC_WAYS; k++) {
            struct sync_entry *entry = &chunk->sets[k / SYNC_WAYS].entries[k % SYNC_WAYS];
            clock_drop(table->clocks, entry->clocks[0].base);
            clock_drop(table->clocks, entry->clocks[1].base);
        }
        memory_release(chunk);
    }
    memory_release(table->chunks);
    if (table->clocks) {
        clock_drop(table->clocks, table->residue[0]);
        clock_drop(table->clocks, table->residue[1]);
    }
    memset(table, 0, sizeof *table);
}

/* The set of the id; NULL when nothing with this id can be there, or, with `make`, when there is no
   memory for it. Ids are dense, so neighbours share a chunk. */
static struct sync_set *set_of(struct sync_table *table, uint32_t id, bool make)
{
    uint32_t index = id & table->set_mask;
    _Atomic(struct sync_chunk *) *place = &table->chunks[index / CHUNK_SETS];
    struct sync_chunk *chunk = atomic_load(place);
    if (!chunk && make) {
        struct sync_chunk *fresh = memory_allocate(sizeof *fresh);
        if (!fresh)
            return NULL;
        memset(fresh, 0, sizeof *fresh);
        if (atomic_compare_exchange_strong(place, &chunk, fresh))
            chunk = fresh;
        else
            memory_release(fresh);
    }
    return chunk ? &chunk->sets[index % CHUNK_SETS] : NULL;
}

static void add_to_residue(struct sync_table *table, enum sync_clock_kind kind,
                           const struct clock *base, uint32_t slot, uint64_t segment)
{
    spin_lock(&table->residue_lock);
    clock_join(table->clocks, &table->residue[kind], base, slot, segment);
    spin_unlock(&table->residue_lock);
    atomic_store(&table->has_residue, true);
}

/* Under the lock of the entry's set. */
static void move_to_residue(struct sync_table *table, struct sync_entry *entry)
{
    for (unsigned kind = 0; kind < 2; kind++) {
        struct sync_clock *clock = &entry->clocks[kind];
        if (clock->segment)
            add_to_residue(table, (enum sync_clock_kind)kind, clock->base, clock->slot,
                           clock->segment);
        clock_drop(table->clocks, clock->base);
    }
    memset(entry, 0, sizeof *entry);
    atomic_fetch_add_explicit(&table->moved, 1, memory_order_relaxed);
}

static struct sync_entry *find_entry(struct sync_set *set, uint32_t id)
{
    for (unsigned way = 0; way < SYNC_WAYS; way++) {
        struct sync_entry *entry = &set->entries[way];
        if (entry->used && entry->id == id) {
            entry->referenced = true;
            return entry;
        }
    }
    return NULL;
}

/* A place in the set: the first entry that nobody used since it was looked at last. */
static struct sync_entry *choose_entry(struct sync_set *set)
{
    for (unsigned way = 0; way < SYNC_WAYS; way++)
        if (!set->entries[way].used)
            return &set->entries[way];
    for (unsigned way = 0; way < SYNC_WAYS; way++) {
        if (!set->entries[way].referenced)
            return &set->entries[way];
        set->entries[way].referenced = false;
    }
    return &set->entries[0];
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

static struct sync_entry *make_entry(struct sync_table *table, struct sync_set *set, uint32_t id)
{
    struct sync_entry *entry = choose_entry(set);
    if (entry->used)
        move_to_residue(table, entry);
    entry->used = entry->referenced = true;
    entry->id = id;
    if (atomic_load(&table->has_residue))
        inherit_residue(table, entry);
    return entry;
}

/* Clocks use too much memory: some entries give theirs up. */
static void relieve(struct sync_table *table)
{
    if (atomic_load_explicit(&table->clocks->bytes, memory_order_relaxed) <= table->clock_bytes)
        return;
    for (unsigned i = 0; i < MOVES_AT_ONCE; i++) {
        uint32_t index = atomic_fetch_add_explicit(&table->hand, 1, memory_order_relaxed);
        struct sync_set *set = set_of(table, index, false);
        if (!set || !spin_try(&set->lock))
            continue;
        for (unsigned way = 0; way < SYNC_WAYS; way++)
            if (set->entries[way].used)
                move_to_residue(table, &set->entries[way]);
        spin_unlock(&set->lock);
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

void sync_publish(struct sync_table *table, uint32_t id, const struct sync_part *parts,
                  unsigned count)
{
    relieve(table);
    struct sync_set *set = set_of(table, id, true);
    if (!set) {
        for (unsigned i = 0; i < count; i++)
            add_to_residue(table, parts[i].kind, parts[i].view.base, parts[i].view.slot,
                           parts[i].view.segment);
        atomic_fetch_add_explicit(&table->moved, 1, memory_order_relaxed);
        /* Another thread may have had more luck, and have an entry that does not know of this. */
        set = set_of(table, id, false);
        if (!set)
            return;
    }
    spin_lock(&set->lock);
    struct sync_entry *entry = find_entry(set, id);
    if (!entry)
        entry = make_entry(table, set, id);
    for (unsigned i = 0; i < count; i++)
        publish_part(table, &entry->clocks[parts[i].kind], &parts[i].view);
    spin_unlock(&set->lock);
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

/* What there is to learn from the object, with references; false when the object is not there. */
static bool look_up(struct sync_table *table, uint32_t id, const struct sync_part *parts,
                    unsigned count, struct sync_clock *found)
{
    struct sync_set *set = set_of(table, id, false);
    if (!set)
        return false;
    spin_lock(&set->lock);
    struct sync_entry *entry = find_entry(set, id);
    for (unsigned i = 0; i < count; i++) {
        found[i].segment = 0;
        if (entry && !is_covered(table, &entry->clocks[parts[i].kind], &parts[i].view)) {
            found[i] = entry->clocks[parts[i].kind];
            clock_keep(found[i].base);
        }
    }
    spin_unlock(&set->lock);
    return entry;
}

void sync_collect(struct sync_table *table, uint32_t id, const struct sync_part *parts,
                  unsigned count)
{
    struct sync_clock found[2];
    bool there = look_up(table, id, parts, count, found);
    for (unsigned i = 0; i < count; i++) {
        if (!there) {
            collect_residue(table, &parts[i]);
        } else if (found[i].segment) {
            clock_join(table->clocks, parts[i].clock, found[i].base, found[i].slot,
                       found[i].segment);
            clock_drop(table->clocks, found[i].base);
        }
    }
}
