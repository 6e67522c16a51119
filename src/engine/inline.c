#include "engine/inline.h"

#include <stddef.h>

#include "engine/engine_internal.h"

void engine_layout(struct engine *engine, struct engine_layout *layout)
{
    *layout = (struct engine_layout){
        .chunks = engine->variables.chunks,
        .chunk_records = VARIABLE_CHUNK,
        .index_mask = (UINT32_C(1) << engine->variables.index_bits) - 1,
        .record_size = sizeof(struct variable),
        .guard = offsetof(struct variable, guard),
        .seen = offsetof(struct variable, seen),
        .sites = engine->sites.entries,
        .sites_mask = engine->sites.mask,
        .threads = engine->threads.slots,
        .noted = offsetof(struct thread, noted),
        .segment = offsetof(struct thread, segment),
        .birth = offsetof(struct thread, birth),
        .birth_epoch = offsetof(struct thread, birth_epoch),
        .full = offsetof(struct thread, full),
        .ordered = offsetof(struct thread, ordered),
        .growth = offsetof(struct thread, growth),
        .held = offsetof(struct thread, held),
        .held_count = offsetof(struct thread, held_count),
        .held_inline = offsetof(struct thread, held_inline),
        .segments = offsetof(struct thread, segments),
        .handover_count = offsetof(struct thread, handover_count),
        .handovers = offsetof(struct thread, handovers),
        .version_count = offsetof(struct thread, version_count),
        .versions = offsetof(struct thread, versions),
        .clock_references = offsetof(struct clock, references),
        .clock_everything = offsetof(struct clock, everything),
        .clock_count = offsetof(struct clock, count),
        .clock_epochs = offsetof(struct clock, epochs),
    };
    sync_layout(&engine->locks, &layout->locks);
    sync_layout(&engine->syncs, &layout->syncs);
}

static const struct variable *record_of(const struct engine *engine, uint64_t word)
{
    const uint32_t index = word_handle(word) & ((UINT32_C(1) << engine->variables.index_bits) - 1);
    const struct variable_chunk *chunk = atomic_load_explicit(
        &engine->variables.chunks[index / VARIABLE_CHUNK], memory_order_acquire);
    return &chunk->records[index % VARIABLE_CHUNK];
}

/* The lock that guards the variable, or 0 if none does; false if the record does not say. */
static bool find_guard(const struct variable *variable, uint64_t word, uint32_t *lock)
{
    const uint64_t guard = atomic_load_explicit(&variable->guard, memory_order_acquire);
    *lock = (uint32_t)(guard >> 32);
    return (uint32_t)guard == word_handle(word) + 1;
}

static uint32_t seen_of(const struct variable *variable, const struct thread *thread)
{
    return atomic_load_explicit(&variable->seen[thread->slot % VARIABLE_SEEN],
                                memory_order_relaxed);
}

/* What the record says of the thread; 0 if the access needs another lock. */
static uint32_t find_seen(const struct engine *engine, const struct thread *thread, uint64_t word,
                          uint32_t lock)
{
    uint32_t guard;
    if (!word_is_shared(word))
        return 0;
    const struct variable *variable = record_of(engine, word);
    if (!find_guard(variable, word, &guard) || (guard && guard != lock))
        return 0;
    return seen_of(variable, thread);
}

static bool is_enough(const struct thread *thread, uint32_t seen, bool write)
{
    const uint32_t want = thread_seen(thread);
    return seen == (want | VARIABLE_SEEN_WRITE) || (!write && seen == want);
}

bool engine_is_seen(struct engine *engine, const struct thread *thread, uint64_t word,
                    uint32_t lock, bool write)
{
    return is_enough(thread, find_seen(engine, thread, word, lock), write);
}

bool engine_is_seen_holding(struct engine *engine, const struct thread *thread, uint64_t word,
                            bool write)
{
    uint32_t guard;
    if (!word_is_shared(word))
        return false;
    const struct variable *variable = record_of(engine, word);
    if (!find_guard(variable, word, &guard) || !is_enough(thread, seen_of(variable, thread), write))
        return false;
    const struct thread_held *held = guard ? thread_find_held(thread, guard) : NULL;
    return !guard || (held && held->exclusive);
}

void engine_prefetch(const struct engine *engine, uint64_t word)
{
    if (word_is_shared(word))
        __builtin_prefetch(record_of(engine, word));
}

bool engine_was_seen(struct engine *engine, const struct thread *thread, uint64_t word,
                     uint32_t lock, bool write, bool *alike)
{
    const uint32_t seen = find_seen(engine, thread, word, lock);
    *alike = lock || (!thread->held_count && !(seen & VARIABLE_SEEN_LOCKS));
    return (seen & (VARIABLE_SEEN_WRITE - 1)) == thread->slot && thread_was(thread, seen) &&
           (!write || (seen & VARIABLE_SEEN_WRITE));
}
