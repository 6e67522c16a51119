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
        .full = offsetof(struct thread, full),
        .ordered = offsetof(struct thread, ordered),
        .growth = offsetof(struct thread, growth),
        .held = offsetof(struct thread, held),
        .held_count = offsetof(struct thread, held_count),
        .held_inline = offsetof(struct thread, held_inline),
        .segments = offsetof(struct thread, segments),
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

bool engine_is_seen(struct engine *engine, const struct thread *thread, uint64_t word,
                    uint32_t lock, bool write)
{
    if (!word_is_shared(word))
        return false;
    const uint32_t handle = word_handle(word);
    const uint32_t index = handle & ((UINT32_C(1) << engine->variables.index_bits) - 1);
    const struct variable_chunk *chunk = atomic_load_explicit(
        &engine->variables.chunks[index / VARIABLE_CHUNK], memory_order_acquire);
    const struct variable *variable = &chunk->records[index % VARIABLE_CHUNK];
    const uint64_t guard = atomic_load_explicit(&variable->guard, memory_order_acquire);
    if ((uint32_t)guard != handle + 1 || (guard >> 32 && guard >> 32 != lock))
        return false;
    const uint32_t want = thread_seen(thread);
    uint32_t seen =
        atomic_load_explicit(&variable->seen[want % VARIABLE_SEEN], memory_order_relaxed);
    return seen == (want | VARIABLE_SEEN_WRITE) || (!write && seen == want);
}
