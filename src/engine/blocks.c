#include "engine/blocks.h"

#include <string.h>

#include "base/memory.h"
#include "engine/blocks_internal.h"

#define STEPS_MAX 65536u
#define SHAPES_MAX 0x1000000u
#define JUDGED_FINAL 1u
#define ATTEMPTS_MAX 16u /* at pairs that were kept apart by more than locks */

void blocks_options_default(struct blocks_options *options)
{
    memset(options, 0, sizeof *options);
    options->steps = 1024;
    options->shapes = 65536;
    options->bytes = (size_t)128 << 20;
    options->threads_per_shape = 8;
    options->shapes_per_variable = 32;
    options->pairs = 64;
    options->cells = 1u << 18;
    options->reports = 65536;
}

static uint32_t within(uint32_t value, uint32_t low, uint32_t high)
{
    return value < low ? low : value > high ? high : value;
}

static void *zeroed(size_t count, size_t size)
{
    void *block = memory_allocate(count * size);
    if (block)
        memset(block, 0, count * size);
    return block;
}

static bool prepare_side(struct blocks_side *side, uint32_t steps)
{
    size_t locks = (size_t)steps + BLOCKS_CONTEXT_MAX;
    side->bits = zeroed(locks, sizeof *side->bits);
    side->positions = zeroed(steps, sizeof *side->positions);
    side->walk = zeroed((size_t)steps + 2, sizeof *side->walk);
    side->steps = zeroed((size_t)steps + 8, sizeof *side->steps);
    return side->bits && side->positions && side->walk && side->steps;
}

static void release_side(struct blocks_side *side)
{
    memory_release(side->bits);
    memory_release(side->positions);
    memory_release(side->walk);
    memory_release(side->steps);
}

static bool prepare(struct blocks *blocks)
{
    const struct blocks_options *options = &blocks->options;
    size_t buckets = 16;
    while (buckets < options->shapes)
        buckets *= 2;
    blocks->bucket_mask = buckets - 1;
    blocks->shapes = zeroed(options->shapes, sizeof *blocks->shapes);
    blocks->shape_buckets = zeroed(buckets, sizeof *blocks->shape_buckets);
    blocks->variable_buckets = zeroed(buckets, sizeof *blocks->variable_buckets);
    blocks->row = zeroed((size_t)options->steps + 9, 1);
    blocks->order =
        zeroed(((size_t)options->steps + BLOCKS_CONTEXT_MAX) * 2, sizeof *blocks->order);
    intmap_init(&blocks->reported);
    bool sides = prepare_side(&blocks->sides[0], options->steps);
    sides &= prepare_side(&blocks->sides[1], options->steps);
    /* Without places the cache only forgets. */
    (void)cache_init(&blocks->judged, (size_t)options->shapes * 2);
    return blocks->shapes && blocks->shape_buckets && blocks->variable_buckets && blocks->row &&
           blocks->order && sides;
}

struct blocks *blocks_new(const struct blocks_options *options)
{
    struct blocks *blocks = zeroed(1, sizeof *blocks);
    if (!blocks)
        return NULL;
    blocks->options = *options;
    blocks->options.steps = within(options->steps, 4, STEPS_MAX);
    blocks->options.shapes = within(options->shapes, 2, SHAPES_MAX);
    blocks->options.threads_per_shape = within(options->threads_per_shape, 2, 64);
    blocks->options.shapes_per_variable = within(options->shapes_per_variable, 2, 4096);
    if (!prepare(blocks)) {
        blocks_free(blocks);
        return NULL;
    }
    return blocks;
}

void blocks_free(struct blocks *blocks)
{
    if (!blocks)
        return;
    if (blocks->shapes)
        for (uint32_t i = 0; i < blocks->options.shapes; i++)
            if (blocks->shapes[i])
                blocks_shape_free(blocks, blocks->shapes[i]);
    memory_release(blocks->shapes);
    memory_release(blocks->shape_buckets);
    memory_release(blocks->variable_buckets);
    memory_release(blocks->row);
    memory_release(blocks->order);
    release_side(&blocks->sides[0]);
    release_side(&blocks->sides[1]);
    cache_release(&blocks->judged);
    intmap_release(&blocks->reported);
    memory_release(blocks);
}

/*
 * The table of shapes, and the variables' lists of them.
 */

/* Where the newest of the variable is, or would be. */
static struct blocks_variable **find_newest(struct blocks *blocks, uint64_t variable)
{
    struct blocks_variable **link =
        &blocks->variable_buckets[cache_mix(variable) & blocks->bucket_mask];
    while (*link && (*link)->variable != variable)
        link = &(*link)->next;
    return link;
}

static void unlink_variable(struct blocks *blocks, struct blocks_variable *variable)
{
    if (!variable->linked)
        return;
    variable->linked = false;
    struct blocks_variable **link = find_newest(blocks, variable->variable);
    struct blocks_variable *newest = *link;
    struct blocks_variable *older = variable->older;
    if (newest->oldest == variable)
        newest->oldest = variable->newer;
    newest->count--;
    if (older)
        older->newer = variable->newer;
    if (variable != newest) {
        variable->newer->older = older;
    } else if (older) {
        older->next = newest->next;
        older->oldest = newest->oldest;
        older->count = newest->count;
        older->guards = newest->guards;
        *link = older;
    } else {
        *link = newest->next;
    }
}

/* The oldest has to go when there are too many. */
static void link_variable(struct blocks *blocks, struct blocks_variable *variable)
{
    struct blocks_variable **link = find_newest(blocks, variable->variable);
    struct blocks_variable *older = *link;
    variable->linked = true;
    variable->newer = NULL;
    variable->older = older;
    variable->next = older ? older->next : NULL;
    variable->oldest = older ? older->oldest : variable;
    variable->count = older ? older->count + 1 : 1;
    variable->guards = older ? older->guards : variable->owner->guards;
    blocks_guards_intersect(&variable->guards, &variable->owner->guards);
    if (older)
        older->newer = variable;
    *link = variable;
    if (variable->count > blocks->options.shapes_per_variable) {
        unlink_variable(blocks, variable->oldest);
        blocks->counts.unlinked++;
    }
}

static struct blocks_shape **shape_bucket(struct blocks *blocks, uint64_t hash)
{
    return &blocks->shape_buckets[hash & blocks->bucket_mask];
}

static void evict(struct blocks *blocks, uint32_t index)
{
    struct blocks_shape *shape = blocks->shapes[index];
    for (uint32_t i = 0; i < shape->variable_count; i++)
        unlink_variable(blocks, &shape->variables[i]);
    struct blocks_shape **link = shape_bucket(blocks, shape->hash);
    while (*link != shape)
        link = &(*link)->next;
    *link = shape->next;
    blocks->shapes[index] = NULL;
    blocks->shape_count--;
    blocks->bytes -= shape->bytes;
    blocks_shape_free(blocks, shape);
    blocks->counts.evicted++;
    if (blocks->counts.evicted % (blocks->options.shapes / 4 + 1) == 0)
        atomic_fetch_add_explicit(&blocks->generation, 1, memory_order_relaxed);
}

/* A free place; shapes that were not used since the hand last came by make room. */
static uint32_t make_room(struct blocks *blocks)
{
    for (;;) {
        uint32_t index = blocks->hand;
        blocks->hand = (index + 1) % blocks->options.shapes;
        struct blocks_shape *shape = blocks->shapes[index];
        bool full = blocks->bytes > blocks->options.bytes;
        if (!shape && !full)
            return index;
        if (!shape || (!full && blocks->shape_count < blocks->options.shapes))
            continue;
        if (shape->used) {
            shape->used = false;
            continue;
        }
        evict(blocks, index);
        if (blocks->bytes <= blocks->options.bytes)
            return index;
    }
}

static struct blocks_shape *find_shape(struct blocks *blocks,
                                       const struct blocks_candidate *candidate)
{
    struct blocks_shape *shape = *shape_bucket(blocks, candidate->hash);
    while (shape && !blocks_shape_is(shape, candidate))
        shape = shape->next;
    return shape;
}

static struct blocks_shape *add_shape(struct blocks *blocks,
                                      const struct blocks_candidate *candidate)
{
    uint32_t index = make_room(blocks);
    struct blocks_shape *shape = blocks_shape_new(blocks, candidate);
    if (!shape) {
        blocks->counts.lost++;
        return NULL;
    }
    shape->index = index;
    shape->birth = ++blocks->births;
    blocks->shapes[index] = shape;
    blocks->shape_count++;
    blocks->bytes += shape->bytes;
    struct blocks_shape **bucket = shape_bucket(blocks, shape->hash);
    shape->next = *bucket;
    *bucket = shape;
    for (uint32_t i = 0; i < shape->variable_count; i++)
        link_variable(blocks, &shape->variables[i]);
    return shape;
}

/*
 * Occurrences, the latest last.
 */

static void drop_occurrence(struct blocks *blocks, struct blocks_shape *shape, uint32_t index)
{
    struct blocks_occurrence *occurrence = &shape->occurrences[index];
    clock_drop(blocks->options.clocks, occurrence->begin);
    clock_drop(blocks->options.clocks, occurrence->end);
    shape->occurrence_count--;
    memmove(occurrence, occurrence + 1, (shape->occurrence_count - index) * sizeof *occurrence);
}

/* True when the thread is new to the shape. */
static bool note_occurrence(struct blocks *blocks, struct blocks_shape *shape,
                            const struct blocks_occurrence *occurrence)
{
    uint32_t index = 0;
    while (index < shape->occurrence_count && shape->occurrences[index].slot != occurrence->slot)
        index++;
    bool added = index == shape->occurrence_count;
    if (!added) {
        drop_occurrence(blocks, shape, index);
    } else if (index == blocks->options.threads_per_shape) {
        drop_occurrence(blocks, shape, 0);
        blocks->counts.forgotten++;
    }
    shape->occurrences[shape->occurrence_count++] = *occurrence;
    return added;
}

static enum blocks_portion how_much(const struct clock *clock, const struct blocks_occurrence *of)
{
    uint64_t known = clock_at(clock, of->slot);
    if (known >= of->last_segment)
        return BLOCKS_ALL;
    return known >= of->first_segment ? BLOCKS_UP_TO_RELEASE : BLOCKS_NOTHING;
}

/* False when one is before the other. *apart: they are not quite free of each other. */
static bool relate(const struct blocks_occurrence *const occurrences[2],
                   struct blocks_relation *relation, bool *apart)
{
    *apart = false;
    for (unsigned side = 0; side < 2; side++) {
        const struct blocks_occurrence *other = occurrences[1 - side];
        relation->before_begin[side] = how_much(other->begin, occurrences[side]);
        relation->before_learned[side] = how_much(other->end, occurrences[side]);
        if (relation->before_begin[side] == BLOCKS_ALL)
            return false;
        if (relation->before_learned[side] != BLOCKS_NOTHING)
            *apart = true; /* what is known at the begin is known at the end */
    }
    return true;
}

/*
 * Comparing.
 */

/* Who a new occurrence is compared with, in another shape. */
struct partner {
    const struct blocks_occurrence *occurrence; /* NULL: nobody */
    struct blocks_relation relation;
    bool apart;
    bool ordered; /* there was one that is before the new one */
};

static void find_partner(const struct blocks_occurrence *occurrence,
                         const struct blocks_shape *other, struct partner *partner)
{
    memset(partner, 0, sizeof *partner);
    for (uint32_t i = other->occurrence_count; i-- > 0;) {
        const struct blocks_occurrence *const two[2] = {occurrence, &other->occurrences[i]};
        if (two[1]->slot == occurrence->slot)
            continue;
        struct blocks_relation relation;
        bool apart;
        if (!relate(two, &relation, &apart)) {
            partner->ordered = true;
            continue;
        }
        if (partner->occurrence && apart)
            continue;
        partner->occurrence = two[1];
        partner->relation = relation;
        partner->apart = apart;
        if (!apart)
            return;
    }
}

/* How often the pair was tried, or JUDGED_FINAL. */
static uint64_t pair_key(const struct blocks_shape *left, const struct blocks_shape *right)
{
    bool swap = left->birth > right->birth;
    uint64_t key =
        blocks_hash(swap ? right->birth : left->birth, swap ? left->birth : right->birth);
    return key ? key : 1;
}

/* What is known of a pair then: all, something that may change with other occurrences, nothing. */
enum outcome { FINAL, OPEN, NO_TIME };

static enum outcome judge_pair(struct blocks *blocks, struct blocks_shape *shape,
                               struct blocks_shape *other, const struct partner *partner,
                               uint64_t tried, struct blocks_pending *pending)
{
    const struct blocks_shape *const shapes[2] = {shape, other};
    const struct blocks_occurrence *const occurrences[2] = {
        &shape->occurrences[shape->occurrence_count - 1], partner->occurrence};
    bool all_the_time = blocks->cells_left == blocks->options.cells;
    blocks->pairs_left--;
    enum blocks_verdict verdict =
        blocks_compare(blocks, shapes, occurrences, &partner->relation, pending);
    if (verdict == BLOCKS_UNDECIDED && !all_the_time)
        return NO_TIME;
    blocks->counts.compared++;
    enum outcome outcome = FINAL;
    if (verdict == BLOCKS_UNDECIDED) {
        blocks->counts.undecided++;
    } else if (verdict == BLOCKS_CLEAN && partner->apart && tried < ATTEMPTS_MAX) {
        /* Would it be worth another try with other occurrences? */
        static const struct blocks_relation free_of_each_other;
        if (blocks_compare(blocks, shapes, occurrences, &free_of_each_other, NULL) != BLOCKS_CLEAN)
            outcome = OPEN;
    }
    cache_put(&blocks->judged, pair_key(shape, other), outcome == FINAL ? JUDGED_FINAL : tried + 2);
    return outcome;
}

/* What a scan leaves open. */
struct scan {
    bool open;      /* a pair that may have to be compared later */
    bool postponed; /* one that could have been compared now */
};

static void consider(struct blocks *blocks, struct blocks_shape *shape, struct blocks_shape *other,
                     struct scan *scan, struct blocks_pending *pending)
{
    if (blocks_guards_exclude(&shape->guards, &other->guards) ||
        (!shape->writes && !other->writes) || (shape->event_count < 2 && other->event_count < 2))
        return;
    uint64_t tried = 0;
    if (cache_get(&blocks->judged, pair_key(shape, other), &tried)) {
        if (tried == JUDGED_FINAL)
            return;
    } else {
        tried = 0;
    }
    struct partner partner;
    find_partner(&shape->occurrences[shape->occurrence_count - 1], other, &partner);
    if (!partner.occurrence) {
        /* As long as the other one does not come again nothing changes. */
        if (partner.ordered)
            scan->open = other->unsettled = true;
        return;
    }
    enum outcome outcome = NO_TIME;
    if (blocks->pairs_left)
        outcome = judge_pair(blocks, shape, other, &partner, tried ? tried - 1 : 0, pending);
    if (outcome == OPEN)
        scan->open = other->unsettled = true;
    if (outcome == NO_TIME) {
        blocks->counts.postponed++;
        scan->open = scan->postponed = true;
    }
}

/* Considers all who use the variable. What they have in common is found out anew: whoever used it
   without the lock, as a constructor does, may have been forgotten. */
static void scan_variable(struct blocks *blocks, struct blocks_shape *shape,
                          struct blocks_variable *newest, struct scan *scan,
                          struct blocks_pending *pending)
{
    struct blocks_guards common = newest->owner->guards;
    for (struct blocks_variable *entry = newest; entry; entry = entry->older) {
        if (common.count)
            blocks_guards_intersect(&common, &entry->owner->guards);
        if (entry->owner->scan == blocks->scans)
            continue;
        entry->owner->scan = blocks->scans;
        consider(blocks, shape, entry->owner, scan, pending);
    }
    newest->guards = common;
}

static void scan_shape(struct blocks *blocks, struct blocks_shape *shape, struct scan *scan,
                       struct blocks_pending *pending)
{
    blocks->pairs_left = blocks->options.pairs;
    blocks->cells_left = blocks->options.cells;
    blocks->scans++;
    for (uint32_t i = 0; i < shape->variable_count; i++) {
        struct blocks_variable *newest = *find_newest(blocks, shape->variables[i].variable);
        if (newest && !blocks_guards_exclude(&shape->guards, &newest->guards))
            scan_variable(blocks, shape, newest, scan, pending);
    }
    if (scan->postponed)
        shape->unsettled = true;
    else if (!scan->open)
        shape->unsettled = false;
}

bool blocks_judge(struct blocks *blocks, const struct blocks_candidate *candidate,
                  const struct blocks_occurrence *occurrence, struct blocks_pending *pending)
{
    struct scan scan = {0};
    spin_lock(&blocks->lock);
    struct blocks_shape *shape = find_shape(blocks, candidate);
    if (!shape)
        shape = add_shape(blocks, candidate);
    if (shape) {
        shape->used = true;
        if (note_occurrence(blocks, shape, occurrence) || shape->unsettled)
            scan_shape(blocks, shape, &scan, pending);
    }
    spin_unlock(&blocks->lock);
    if (!shape) {
        clock_drop(blocks->options.clocks, occurrence->begin);
        clock_drop(blocks->options.clocks, occurrence->end);
    }
    return shape && !scan.postponed;
}

void blocks_counts(struct blocks *blocks, struct blocks_counts *counts)
{
    spin_lock(&blocks->lock);
    *counts = blocks->counts;
    counts->shapes = blocks->shape_count;
    counts->bytes = blocks->bytes;
    for (const struct blocks_tally *tally = blocks->tallies; tally; tally = tally->next)
        blocks_tally_add(counts, tally);
    spin_unlock(&blocks->lock);
}

void blocks_tally_add(struct blocks_counts *counts, const struct blocks_tally *tally)
{
    counts->transactions += atomic_load_explicit(&tally->transactions, memory_order_relaxed);
    counts->repeated += atomic_load_explicit(&tally->repeated, memory_order_relaxed);
    counts->cut += atomic_load_explicit(&tally->cut, memory_order_relaxed);
    counts->unjudged += atomic_load_explicit(&tally->unjudged, memory_order_relaxed);
    counts->unbalanced += atomic_load_explicit(&tally->unbalanced, memory_order_relaxed);
}
