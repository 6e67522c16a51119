/*
 * What the engines report is kept as it is, once for each set of places, until the end: a cycle of
 * transactions says something about what reduction finds in the second pass.
 */
#include "engine/cache.h"
#include "trace/analysis_internal.h"

/* A key of places; never INTMAP_NO_KEY. */
static uint64_t key_of(uint32_t block, uint32_t first, uint32_t second)
{
    return cache_mix(cache_mix((uint64_t)block << 32 | first) + second) >> 1;
}

/* Where the note of that key is, or SIZE_MAX if there is no room or memory for a new one. */
static size_t place_of(struct analysis *analysis, struct intmap *map, uint64_t key, size_t count,
                       bool *added)
{
    *added = false;
    if (count >= ANALYSIS_REPORTS_MAX && !intmap_get(map, key, NULL)) {
        analysis->forgotten++;
        return SIZE_MAX;
    }
    const uint64_t *place = intmap_find_or_add(map, key, count, added);
    if (!place)
        analysis->no_memory = true;
    return place ? (size_t)*place : SIZE_MAX;
}

/* One that is noted again is stronger than before. */
void analysis_note_race(void *context, const struct race *race)
{
    struct analysis *analysis = context;
    bool added;
    if (!race_filter_add(&analysis->race_filter, race, NULL))
        return;
    const bool ordered = race->earlier.location < race->later.location;
    const uint32_t first = ordered ? race->earlier.location : race->later.location;
    const uint32_t second = ordered ? race->later.location : race->earlier.location;
    const size_t place =
        place_of(analysis, &analysis->race_index, key_of(race->field, first, second),
                 analysis->races.count, &added);
    if (added && !vector_push(&analysis->races, *race))
        analysis->no_memory = true;
    else if (!added && place < analysis->races.count)
        analysis->races.items[place] = *race;
}

static void note_block(struct analysis *analysis, struct intmap *blocks, uint32_t block)
{
    if (block && !intmap_put(blocks, block, 1))
        analysis->no_memory = true;
}

void analysis_note_violation(void *context, const struct reduction_violation *violation)
{
    struct analysis *analysis = context;
    const struct analysis_violation noted = {*violation, 1};
    bool added;
    const size_t place = place_of(
        analysis, &analysis->violation_index,
        key_of(violation->block, violation->commits.location, violation->violated.location),
        analysis->violations.count, &added);
    if (added)
        note_block(analysis, &analysis->predicted_blocks, violation->block);
    if (added && !vector_push(&analysis->violations, noted))
        analysis->no_memory = true;
    else if (!added && place < analysis->violations.count)
        analysis->violations.items[place].count++;
}

/* The first and the last place of the transaction that is not atomic. */
static uint64_t key_of_pattern(const struct blocks_violation *violation)
{
    uint32_t first = 0, last = 0;
    bool found = false;
    for (unsigned i = 0; i < violation->event_count; i++) {
        if (violation->events[i].transaction != 0)
            continue;
        last = violation->events[i].place.location;
        if (!found)
            first = last;
        found = true;
    }
    return key_of(violation->transactions[0].block, first, last);
}

void analysis_note_blocks(void *context, const struct blocks_violation *violation)
{
    struct analysis *analysis = context;
    bool added;
    place_of(analysis, &analysis->block_index, key_of_pattern(violation),
             analysis->block_violations.count, &added);
    if (added)
        note_block(analysis, &analysis->predicted_blocks, violation->transactions[0].block);
    if (added && !vector_push(&analysis->block_violations, *violation))
        analysis->no_memory = true;
}

/* Calls for each block that is to blame; if the cycle needs others than the violated ones, those as
   well. */
static void each_block(const struct transactions_violation *cycle,
                       void (*call)(void *context, uint32_t block), void *context)
{
    for (uint32_t i = 0; i < cycle->block_count; i++)
        call(context, cycle->blocks[i].block);
    for (uint32_t i = 0; !cycle->alone && i < cycle->path_count; i++) {
        call(context, cycle->path[i].earlier.block);
        call(context, cycle->path[i].later.block);
    }
}

static void note_observed(void *context, uint32_t block)
{
    struct analysis *analysis = context;
    note_block(analysis, &analysis->observed_blocks, block);
}

/* Whether a block of those that are called is there. */
struct search {
    const struct intmap *blocks;
    bool found;
};

static void search_block(void *context, uint32_t block)
{
    struct search *search = context;
    search->found |= intmap_get(search->blocks, block, NULL);
}

bool analysis_is_predicted(const struct analysis *analysis,
                           const struct transactions_violation *cycle)
{
    struct search search = {.blocks = &analysis->predicted_blocks};
    each_block(cycle, search_block, &search);
    return search.found;
}

void analysis_note_cycle(void *context, const struct transactions_violation *violation)
{
    struct analysis *analysis = context;
    const uint32_t last = violation->path_count ? violation->path_count - 1 : 0;
    bool added;
    each_block(violation, note_observed, analysis);
    place_of(analysis, &analysis->cycle_index,
             key_of(violation->block_count ? violation->blocks[0].block : 0,
                    violation->path[0].earlier.location, violation->path[last].later.location),
             analysis->cycles.count, &added);
    if (added && !vector_push(&analysis->cycles, *violation))
        analysis->no_memory = true;
}

void analysis_note_deadlock(void *context, const struct lock_order_cycle *cycle)
{
    struct analysis *analysis = context;
    if (!vector_push(&analysis->deadlocks, *cycle))
        analysis->no_memory = true;
}

void analysis_notes_release(struct analysis *analysis)
{
    race_filter_release(&analysis->race_filter);
    intmap_release(&analysis->race_index);
    intmap_release(&analysis->violation_index);
    intmap_release(&analysis->block_index);
    intmap_release(&analysis->cycle_index);
    intmap_release(&analysis->observed_blocks);
    intmap_release(&analysis->predicted_blocks);
    vector_release(&analysis->races);
    vector_release(&analysis->violations);
    vector_release(&analysis->block_violations);
    vector_release(&analysis->cycles);
    vector_release(&analysis->deadlocks);
}
