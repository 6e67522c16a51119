#include <string.h>

#include "engine/cache.h"
#include "engine/transactions_internal.h"

static void fill_operation(const struct transactions *transactions, const struct record *record,
                           uint8_t kind, struct transactions_operation *operation)
{
    operation->thread = transactions->slots[stamp_slot(record->stamp)]->name;
    operation->kind = (enum transactions_kind)kind;
    operation->location = record->location;
    operation->stack = record->stack;
    operation->block = record->block;
}

static void fill_conflict(const struct transactions *transactions, const struct conflict *conflict,
                          struct transactions_conflict *filled)
{
    filled->object = conflict->key & TRANSACTIONS_OBJECT_MAX;
    fill_operation(transactions, &conflict->earlier, conflict->earlier_kind, &filled->earlier);
    fill_operation(transactions, &conflict->later, conflict->later_kind, &filled->later);
}

static void fill_blocks(const struct event *event, struct transactions_violation *violation)
{
    for (uint32_t index = event->level + 1; index-- > 0;) {
        /* When there are too many, the outermost is still the last. */
        if (violation->block_count == TRANSACTIONS_BLOCKS_MAX - 1)
            index = 0;
        const struct level *level = &event->thread->levels[index];
        violation->blocks[violation->block_count++] =
            (struct transactions_block){level->block, level->location, level->stack};
    }
}

/* In each transaction of others the path comes in before it goes out, so they need not be
   transactions for there to be a cycle. */
static bool is_increasing(const struct conflict *path, uint32_t count)
{
    for (uint32_t index = 0; index + 1 < count; index++)
        if (path[index].later.stamp > path[index + 1].earlier.stamp)
            return false;
    return true;
}

/* One report per block and pair of places. Without memory every one is new. */
static bool is_new(struct transactions *transactions, const struct event *event, uint32_t step)
{
    uint64_t commits = transactions_step_first_location(transactions, step);
    uint64_t places = commits << 32 | event->closing.later.location;
    uint64_t key = cache_mix(cache_mix(places) + event->thread->levels[event->level].block);
    if (key == INTMAP_NO_KEY)
        key = 0;
    if (intmap_get(&transactions->reported, key, NULL) ||
        transactions->reported.count >= transactions->options.reports)
        return false;
    intmap_put(&transactions->reported, key, 1);
    return true;
}

bool transactions_violation_fill(struct transactions *transactions, const struct event *event,
                                 struct transactions_violation *violation)
{
    const struct row *row = event->thread->levels[event->level].row;
    uint32_t step = row->steps[stamp_slot(event->closing.earlier.stamp)];
    if (!is_new(transactions, event, step))
        return false;
    memset(violation, 0, sizeof *violation);
    violation->thread = event->thread->name;
    fill_blocks(event, violation);
    struct conflict path[TRANSACTIONS_PATH_MAX];
    uint32_t count = transactions_step_path(transactions, step, path, &violation->whole);
    path[count] = event->closing;
    path[count++].later.stamp = event->conflict.later.stamp;
    violation->path_count = count;
    for (uint32_t index = 0; index < count; index++)
        fill_conflict(transactions, &path[index], &violation->path[index]);
    violation->alone = violation->whole && is_increasing(path, count);
    transactions->cut += !violation->whole;
    transactions->reports++;
    return true;
}
