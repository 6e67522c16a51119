/*
 * The search for cycles. It works on a list of the dependencies that can be on one, with the
 * moments copied, so that events can go on.
 *
 * A cycle is found from its thread with the smallest slot: chains of dependencies begin with each
 * in turn, and go on with those of larger slots that hold what the last one wants. Each beginning
 * has its share of the work, so that one tangle does not hide all else.
 */
#include <string.h>

#include "base/memory.h"
#include "engine/cache.h"
#include "engine/lock_order_internal.h"

#define SHARE_MIN 10000u

struct candidate {
    const struct dependency *dependency;
    uint32_t moment_count;
    struct moment moments[LOCK_ORDER_MOMENTS];
};

/* One lock that a candidate holds, in the list of all who hold it. */
struct holding {
    uint32_t candidate;
    uint32_t held;
    uint32_t next; /* index + 1 */
};

/* A dependency in the chain, at one of its moments. */
struct link {
    const struct candidate *candidate;
    const struct moment *moment;
    uint32_t held; /* which of its locks the one before it wants */
};

struct search {
    struct lock_order *order;
    lock_order_report report;
    void *context;
    struct candidate *candidates;
    uint32_t count;
    struct holding *holdings;
    uint32_t holding_count;
    struct intmap holders; /* from lock to index + 1 of the first holding */
    struct link chain[LOCK_ORDER_LENGTH_MAX];
    uint32_t length;
    uint64_t work; /* what is left for this beginning */
    uint32_t reported;
    bool unfinished;
};

static bool are_ordered(const struct link *left, const struct link *right)
{
    return clock_at(right->moment->known, left->candidate->dependency->slot) >=
               left->moment->segment ||
           clock_at(left->moment->known, right->candidate->dependency->slot) >=
               right->moment->segment;
}

static bool have_gate(const struct dependency *left, const struct dependency *right)
{
    for (uint32_t first = 0; first < left->held_count; first++)
        for (uint32_t second = 0; second < right->held_count; second++)
            if (lock_order_excludes(&left->held[first], &right->held[second]))
                return true;
    return false;
}

/* Another thread than all in the chain, behind no common gate. */
static bool fits(const struct search *search, const struct dependency *dependency)
{
    if (dependency->slot <= search->chain[0].candidate->dependency->slot)
        return false;
    for (uint32_t index = 0; index < search->length; index++) {
        const struct dependency *other = search->chain[index].candidate->dependency;
        if (other->slot == dependency->slot || have_gate(other, dependency))
            return false;
    }
    return true;
}

static bool can_be_together(const struct search *search, const struct link *link)
{
    for (uint32_t index = 0; index < search->length; index++)
        if (are_ordered(&search->chain[index], link))
            return false;
    return true;
}

/* What tells a place in the source from others; without a location, the lock. */
static uint64_t place_of(const struct lock_order_acquire *acquire)
{
    return acquire->location ? acquire->location : UINT64_C(1) << 32 | acquire->lock;
}

/* Does not depend on where the cycle begins. */
static uint64_t key_of(const struct lock_order_cycle *cycle)
{
    uint64_t key = cycle->count;
    for (uint32_t index = 0; index < cycle->count; index++)
        key += cache_mix(cache_mix(place_of(&cycle->waits[index].holds)) +
                         place_of(&cycle->waits[index].wants));
    return key == INTMAP_NO_KEY ? 0 : key;
}

/* Reports it unless there was one of the same places. */
static void report_new(void *context, const struct lock_order_cycle *cycle)
{
    struct search *search = context;
    struct lock_order *order = search->order;
    uint64_t key = key_of(cycle);
    if (intmap_get(&order->reported, key, NULL))
        return;
    if (order->reported.count >= order->options.reports) {
        search->unfinished = true;
        return;
    }
    if (!intmap_put(&order->reported, key, 1))
        search->unfinished = true;
    search->reported++;
    if (search->report)
        search->report(search->context, cycle);
}

/* The first dependency holds what the last one wants with its lock number `held`. */
static void report_cycle(struct search *search, uint32_t held)
{
    struct lock_order_cycle cycle = {.count = search->length};
    search->chain[0].held = held;
    for (uint32_t index = 0; index < search->length; index++) {
        const struct link *link = &search->chain[index];
        const struct dependency *dependency = link->candidate->dependency;
        cycle.waits[index] = (struct lock_order_wait){.thread = dependency->thread,
                                                      .holds = dependency->held[link->held],
                                                      .wants = dependency->wants};
    }
    report_new(search, &cycle);
}

/* The chain is a cycle; then it is not made longer, as the next one would hold a lock that the
   first one holds. */
static bool close_chain(struct search *search)
{
    const struct dependency *first = search->chain[0].candidate->dependency;
    const struct dependency *last = search->chain[search->length - 1].candidate->dependency;
    for (uint32_t held = 0; held < first->held_count; held++) {
        if (lock_order_excludes(&last->wants, &first->held[held])) {
            report_cycle(search, held);
            return true;
        }
    }
    return false;
}

static void extend_chain(struct search *search);

static void try_holding(struct search *search, const struct holding *holding)
{
    const struct candidate *candidate = &search->candidates[holding->candidate];
    const struct dependency *dependency = candidate->dependency;
    const struct dependency *last = search->chain[search->length - 1].candidate->dependency;
    if (!lock_order_excludes(&last->wants, &dependency->held[holding->held]) ||
        !fits(search, dependency))
        return;
    for (uint32_t index = 0; index < candidate->moment_count; index++) {
        struct link link = {candidate, &candidate->moments[index], holding->held};
        if (!can_be_together(search, &link))
            continue;
        search->chain[search->length++] = link;
        bool closed = close_chain(search);
        if (!closed)
            extend_chain(search);
        search->length--;
        if (closed)
            return;
    }
}

static void extend_chain(struct search *search)
{
    if (search->length >= search->order->options.length) {
        search->unfinished = true;
        return;
    }
    const struct dependency *last = search->chain[search->length - 1].candidate->dependency;
    uint64_t number = 0;
    intmap_get(&search->holders, last->wants.lock, &number);
    while (number) {
        if (!search->work) {
            search->unfinished = true;
            return;
        }
        search->work--;
        const struct holding *holding = &search->holdings[number - 1];
        try_holding(search, holding);
        number = holding->next;
    }
}

static void search_all(struct search *search)
{
    uint64_t total = search->order->options.work;
    uint64_t share = search->count ? total / search->count : 0;
    if (share < SHARE_MIN)
        share = SHARE_MIN;
    for (uint32_t index = 0; index < search->count; index++) {
        const struct candidate *candidate = &search->candidates[index];
        for (uint32_t moment = 0; moment < candidate->moment_count; moment++) {
            search->chain[0] = (struct link){candidate, &candidate->moments[moment], 0};
            search->length = 1;
            uint64_t given = share < total ? share : total;
            search->work = given;
            extend_chain(search);
            total -= given - search->work;
        }
    }
}

/*
 * What is searched.
 */

/* All dependencies that there are now. They stay while `searching` is set, and all but their
   moments stays as it is. NULL when there is no memory. */
static struct dependency **list_all(struct lock_order *order, uint32_t *count)
{
    spin_lock(&order->lock);
    order->searching = true;
    uint32_t room = order->count;
    spin_unlock(&order->lock);
    struct dependency **list = memory_allocate(room * sizeof *list);
    *count = 0;
    if (!list)
        return NULL;
    spin_lock(&order->lock);
    for (uint32_t bucket = 0; bucket < order->bucket_count; bucket++)
        for (struct dependency *dependency = order->buckets[bucket]; dependency && *count < room;
             dependency = dependency->next)
            list[(*count)++] = dependency;
    spin_unlock(&order->lock);
    return list;
}

/* Those that can be on a cycle. */
static uint32_t keep_core(struct dependency **list, uint32_t count)
{
    bool *core = memory_allocate(count * sizeof *core);
    uint32_t kept = count;
    if (core && lock_order_find_core(list, count, core)) {
        kept = 0;
        for (uint32_t index = 0; index < count; index++)
            if (core[index])
                list[kept++] = list[index];
    }
    memory_release(core);
    return kept;
}

static void copy_moments(struct search *search)
{
    spin_lock(&search->order->lock);
    for (uint32_t index = 0; index < search->count; index++) {
        struct candidate *candidate = &search->candidates[index];
        candidate->moment_count = candidate->dependency->moment_count;
        for (uint32_t moment = 0; moment < candidate->moment_count; moment++) {
            candidate->moments[moment] = candidate->dependency->moments[moment];
            clock_keep(candidate->moments[moment].known);
        }
    }
    spin_unlock(&search->order->lock);
}

static bool take_candidates(struct search *search)
{
    uint32_t count;
    struct dependency **list = list_all(search->order, &count);
    if (!list)
        return false;
    count = keep_core(list, count);
    search->candidates = memory_allocate(count * sizeof *search->candidates);
    for (uint32_t index = 0; search->candidates && index < count; index++)
        search->candidates[search->count++].dependency = list[index];
    memory_release(list);
    if (search->candidates)
        copy_moments(search);
    return search->candidates;
}

static bool add_holding(struct search *search, uint32_t candidate, uint32_t held)
{
    uint32_t lock = search->candidates[candidate].dependency->held[held].lock;
    bool added;
    uint64_t *first = intmap_find_or_add(&search->holders, lock, 0, &added);
    if (!first)
        return false;
    struct holding *holding = &search->holdings[search->holding_count++];
    *holding = (struct holding){candidate, held, (uint32_t)*first};
    *first = search->holding_count;
    return true;
}

static bool index_holdings(struct search *search)
{
    size_t total = 0;
    for (uint32_t index = 0; index < search->count; index++)
        total += search->candidates[index].dependency->held_count;
    search->holdings = memory_allocate(total * sizeof *search->holdings);
    if (!search->holdings)
        return false;
    for (uint32_t index = 0; index < search->count; index++)
        for (uint32_t held = 0; held < search->candidates[index].dependency->held_count; held++)
            if (!add_holding(search, index, held))
                return false;
    return true;
}

static void release(struct search *search)
{
    for (uint32_t index = 0; index < search->count; index++)
        for (uint32_t moment = 0; moment < search->candidates[index].moment_count; moment++)
            clock_drop(search->order->clocks, search->candidates[index].moments[moment].known);
    memory_release(search->candidates);
    memory_release(search->holdings);
    intmap_release(&search->holders);
}

uint32_t lock_order_find(struct lock_order *order, lock_order_report report, void *context)
{
    struct search search = {.order = order, .report = report, .context = context};
    intmap_init(&search.holders);
    if (!lock_order_find_stuck(order, report_new, &search))
        search.unfinished = true;
    bool complete = take_candidates(&search) && index_holdings(&search);
    if (complete)
        search_all(&search);
    release(&search);
    spin_lock(&order->lock);
    order->searching = false;
    order->cycles += search.reported;
    order->unfinished += !complete || search.unfinished;
    spin_unlock(&order->lock);
    return search.reported;
}
