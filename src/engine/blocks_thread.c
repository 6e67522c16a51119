/*
 * What a thread does, as steps of its transaction.
 *
 * Between two steps that change locks or order (a segment), not every access matters: whatever the
 * other transaction can do between two of them it can do anywhere in the segment. Of each variable
 * the first and last initial read, the first and last write, and one read after a write, with that
 * write, are kept.
 * Those that are last may have to be in their real places, as accesses of other variables come
 * before and after them; so the step that was last so far is taken out.
 *
 * For loops whose passes use locks, steps are cut into units, each of which ends with a release.
 * When the last units have come four times in a row, the fourth pass is dropped, and one step
 * before the third stands for it; from then on the next pass is dropped at once.
 */
#include <string.h>

#include "base/memory.h"
#include "engine/blocks_internal.h"

#define HELD_MAX BLOCKS_CONTEXT_MAX
#define TRACKS_FIRST 64u

struct held_lock {
    uint32_t lock;
    bool shared;
    uint32_t times;
};

/* What the transaction did to a variable so far; the lower part for the current segment only. */
struct track {
    uint64_t variable;
    uint64_t transaction; /* number of the transaction; others are free places */
    bool written;
    uint32_t segment;
    uint8_t reads; /* initial ones, 2: two or more */
    uint8_t writes;
    bool read_own;
    bool last_is_read; /* the last write is the one that was read */
    uint32_t last_read;
    uint32_t last_write;
};

struct unit {
    uint32_t start;
    uint32_t repeats; /* units that follow and that this one stands for; 0: an ordinary unit */
    uint64_t hash;
};

struct blocks_thread {
    struct blocks_tally tally;
    uint64_t name;
    uint32_t slot;
    uint64_t segment;
    struct clock *clock; /* a reference */
    uint64_t moment;     /* counts changes of those */
    uint64_t number;     /* of the current or last transaction */
    uint32_t depth;
    uint32_t block;
    struct blocks_place entered;
    /* Locks. */
    uint32_t held_count;
    uint32_t untracked; /* acquires for which there was no room */
    struct held_lock held[HELD_MAX];
    bool context_lost;
    uint32_t context_count;
    struct blocks_outer context[BLOCKS_CONTEXT_MAX]; /* since the thread last had no lock; sorted */
    /* The transaction. */
    bool active;
    bool cut;
    bool unknown;
    struct clock *begin;
    uint64_t first_segment;
    uint32_t begin_count;
    struct blocks_outer begin_context[BLOCKS_CONTEXT_MAX];
    VECTOR(struct blocks_step) steps;
    VECTOR(struct unit) units;
    uint32_t unit_start;
    uint32_t segment_start;
    uint32_t segment_number;
    uint32_t dead;
    uint32_t accesses;
    struct track *tracks;
    uint32_t track_slots;
    uint32_t track_count;
    uint64_t recent[BLOCKS_RECENT];
};

static struct clock *keep(const struct clock *clock)
{
    return clock_keep((struct clock *)clock); /* counting references is no change */
}

struct blocks_thread *blocks_thread_start(struct blocks *blocks, uint64_t name,
                                          const struct clock_view *now)
{
    struct blocks_thread *thread = memory_allocate(sizeof *thread);
    if (!thread)
        return NULL;
    memset(thread, 0, sizeof *thread);
    thread->name = name;
    thread->slot = now->slot;
    thread->segment = now->segment;
    thread->clock = keep(now->base);
    struct blocks_tally *tally = &thread->tally;
    spin_lock(&blocks->lock);
    tally->next = blocks->tallies;
    tally->link = &blocks->tallies;
    if (tally->next)
        tally->next->link = &tally->next;
    blocks->tallies = tally;
    spin_unlock(&blocks->lock);
    return thread;
}

/* Only the thread itself writes. */
static void count_one(_Atomic uint64_t *counter)
{
    uint64_t value = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, value + 1, memory_order_relaxed);
}

/*
 * Judging what has ended.
 */

static void tell(struct blocks *blocks, const struct blocks_pending *pending)
{
    for (uint32_t i = 0; i < pending->count && blocks->options.report; i++)
        blocks->options.report(blocks->options.context, &pending->violations[i]);
}

static uint64_t candidate_hash(const struct blocks_candidate *candidate)
{
    uint64_t hash = blocks_hash(candidate->block, candidate->cut);
    for (uint32_t i = 0; i < candidate->context_count; i++) {
        const struct blocks_outer *outer = &candidate->context[i];
        hash = blocks_hash(hash, (uint64_t)outer->lock << 2 | (uint64_t)outer->shared << 1 |
                                     (uint64_t)outer->held);
    }
    for (uint32_t i = 0; i < candidate->step_count; i++)
        hash = blocks_step_hash(hash, &candidate->steps[i]);
    return hash;
}

static void judge(struct blocks *blocks, struct blocks_thread *thread,
                  struct blocks_candidate *candidate, const struct clock *begin,
                  uint64_t first_segment)
{
    count_one(&thread->tally.transactions);
    candidate->hash = candidate_hash(candidate);
    uint64_t generation = atomic_load_explicit(&blocks->generation, memory_order_relaxed);
    uint64_t key = blocks_hash(blocks_hash(candidate->hash, thread->moment), generation);
    uint64_t *recent = &thread->recent[key % BLOCKS_RECENT];
    /* A transaction that was ordered in itself is not the same as one in the last moment. */
    bool whole = begin == thread->clock && first_segment == thread->segment;
    if (whole && *recent == key) {
        count_one(&thread->tally.repeated);
        return;
    }
    struct blocks_occurrence occurrence = {.thread = thread->name,
                                           .number = thread->number,
                                           .slot = thread->slot,
                                           .first_segment = first_segment,
                                           .last_segment = thread->segment,
                                           .begin = keep(begin),
                                           .end = keep(thread->clock)};
    struct blocks_pending pending;
    pending.count = 0;
    if (blocks_judge(blocks, candidate, &occurrence, &pending) && whole)
        *recent = key;
    tell(blocks, &pending);
}

/*
 * Steps of the transaction.
 */

/* The place of the variable in the table, or a free one. */
static struct track *track_place(const struct blocks_thread *thread, uint64_t variable)
{
    uint32_t mask = thread->track_slots - 1;
    uint32_t slot = (uint32_t)cache_mix(variable) & mask;
    while (thread->tracks[slot].transaction == thread->number &&
           thread->tracks[slot].variable != variable)
        slot = (slot + 1) & mask;
    return &thread->tracks[slot];
}

static bool grow_tracks(struct blocks_thread *thread)
{
    uint32_t old_slots = thread->track_slots;
    struct track *old = thread->tracks;
    uint32_t slots = old_slots ? old_slots * 2 : TRACKS_FIRST;
    struct track *tracks = memory_allocate(slots * sizeof *tracks);
    if (!tracks)
        return false;
    memset(tracks, 0, slots * sizeof *tracks);
    thread->tracks = tracks;
    thread->track_slots = slots;
    for (uint32_t i = 0; i < old_slots; i++)
        if (old[i].transaction == thread->number)
            *track_place(thread, old[i].variable) = old[i];
    memory_release(old);
    return true;
}

/* NULL when there is no memory. */
static struct track *track_of(struct blocks_thread *thread, uint64_t variable)
{
    if (thread->track_count * 2 >= thread->track_slots && !grow_tracks(thread))
        return NULL;
    struct track *track = track_place(thread, variable);
    if (track->transaction != thread->number) {
        memset(track, 0, sizeof *track);
        track->variable = variable;
        track->transaction = thread->number;
        thread->track_count++;
    }
    if (track->segment != thread->segment_number) {
        track->segment = thread->segment_number;
        track->reads = track->writes = 0;
        track->read_own = track->last_is_read = false;
    }
    return track;
}

/* Closes the gaps; they are all in the current segment. */
static void compact(struct blocks_thread *thread)
{
    if (!thread->dead)
        return;
    uint32_t kept = thread->segment_start;
    for (uint32_t i = thread->segment_start; i < thread->steps.count; i++) {
        struct blocks_step *step = &thread->steps.items[i];
        if (step->kind == BLOCKS_DEAD)
            continue;
        if (step->kind == BLOCKS_ACCESS) {
            struct track *track = track_place(thread, step->subject);
            *(step->flags & BLOCKS_WRITE ? &track->last_write : &track->last_read) = kept;
        }
        thread->steps.items[kept++] = *step;
    }
    thread->steps.count = kept;
    thread->dead = 0;
}

static void cut(struct blocks_thread *thread)
{
    if (!thread->cut)
        count_one(&thread->tally.cut);
    thread->cut = true;
}

/* False when the transaction has been cut here or before. */
static bool add_step(struct blocks *blocks, struct blocks_thread *thread, struct blocks_step step)
{
    if (thread->cut)
        return false;
    if (thread->dead > 64 || thread->steps.count >= blocks->options.steps)
        compact(thread);
    if (thread->steps.count >= blocks->options.steps || !vector_push(&thread->steps, step)) {
        cut(thread);
        return false;
    }
    return true;
}

static void take_out(struct blocks_thread *thread, uint32_t step)
{
    thread->steps.items[step].kind = BLOCKS_DEAD;
    thread->dead++;
}

static void add_access(struct blocks *blocks, struct blocks_thread *thread,
                       const struct blocks_step *step)
{
    if (thread->cut)
        return;
    struct track *track = track_of(thread, step->subject);
    if (!track) {
        cut(thread);
        return;
    }
    bool write = (step->flags & BLOCKS_WRITE) != 0;
    if (!write && track->written) {
        if (track->read_own)
            return;
        if (add_step(blocks, thread, *step)) {
            track->read_own = true;
            track->last_is_read = track->writes > 0;
        }
        return;
    }
    uint8_t *count = write ? &track->writes : &track->reads;
    uint32_t *last = write ? &track->last_write : &track->last_read;
    /* The new step must be there before the old one goes. */
    if (!add_step(blocks, thread, *step))
        return;
    if (*count < 2)
        (*count)++;
    else if (!write || !track->last_is_read)
        take_out(thread, *last);
    *last = (uint32_t)thread->steps.count - 1;
    if (write) {
        track->written = true;
        track->last_is_read = false;
    }
    thread->accesses++;
}

static void start_segment(struct blocks_thread *thread)
{
    thread->segment_start = (uint32_t)thread->steps.count;
    thread->segment_number++;
}

/*
 * Loops.
 */

static uint32_t unit_step(const struct blocks_thread *thread, size_t unit)
{
    return unit < thread->units.count ? thread->units.items[unit].start
                                      : (uint32_t)thread->steps.count;
}

/* The `period` units before `end` are the same as those before them. */
static bool comes_twice(const struct blocks_thread *thread, size_t end, size_t period)
{
    if (end < 2 * period)
        return false;
    const struct unit *units = thread->units.items;
    for (size_t i = end - period; i < end; i++)
        if (units[i].hash != units[i - period].hash)
            return false;
    uint32_t first = unit_step(thread, end - 2 * period);
    uint32_t second = unit_step(thread, end - period);
    uint32_t third = unit_step(thread, end);
    return second - first == third - second &&
           blocks_steps_equal(&thread->steps.items[first], &thread->steps.items[second],
                              second - first);
}

static void drop_units(struct blocks_thread *thread, size_t count)
{
    thread->steps.count = unit_step(thread, thread->units.count - count);
    thread->units.count -= count;
}

/* The last four times `period` units are the same: drops the last, and puts a step that stands for
   it before the third. */
static void fold(struct blocks_thread *thread, size_t period)
{
    drop_units(thread, period);
    size_t third = thread->units.count - period;
    uint32_t start = unit_step(thread, third);
    uint32_t count = (uint32_t)thread->steps.count - start;
    struct blocks_step repeat = {.kind = BLOCKS_REPEAT, .subject = count};
    struct unit unit = {
        .start = start, .repeats = (uint32_t)period, .hash = blocks_step_hash(0, &repeat)};
    /* There is room for both: something longer has just been dropped. */
    memmove(&thread->steps.items[start + 1], &thread->steps.items[start], count * sizeof repeat);
    thread->steps.items[start] = repeat;
    thread->steps.count++;
    memmove(&thread->units.items[third + 1], &thread->units.items[third], period * sizeof unit);
    thread->units.items[third] = unit;
    thread->units.count++;
    for (size_t i = third + 1; i < thread->units.count; i++)
        thread->units.items[i].start++;
}

/* Something that ends a unit has been added. */
static void end_unit(struct blocks_thread *thread)
{
    uint64_t hash = 0;
    for (uint32_t i = thread->unit_start; i < thread->steps.count; i++)
        hash = blocks_step_hash(hash, &thread->steps.items[i]);
    struct unit unit = {.start = thread->unit_start, .hash = hash};
    if (!vector_push(&thread->units, unit)) {
        cut(thread);
        return;
    }
    size_t count = thread->units.count;
    for (size_t period = 1; period <= BLOCKS_PERIOD_MAX && count >= 2 * period; period++) {
        if (thread->units.items[count - 1].hash != thread->units.items[count - 1 - period].hash ||
            !comes_twice(thread, count, period))
            continue;
        if (count > 2 * period && thread->units.items[count - 1 - 2 * period].repeats == period) {
            drop_units(thread, period);
            break;
        }
        if (comes_twice(thread, count - period, period) &&
            comes_twice(thread, count - 2 * period, period)) {
            fold(thread, period);
            break;
        }
    }
    thread->unit_start = (uint32_t)thread->steps.count;
}

/* A step that starts a new segment. */
static void add_boundary(struct blocks *blocks, struct blocks_thread *thread,
                         struct blocks_step step)
{
    if (!thread->active || thread->cut)
        return;
    compact(thread);
    if (!add_step(blocks, thread, step))
        return;
    if (step.kind != BLOCKS_ACQUIRE)
        end_unit(thread);
    start_segment(thread);
}

/*
 * Transactions.
 */

static void start(struct blocks_thread *thread)
{
    thread->active = true;
    thread->number++;
    thread->cut = false;
    thread->unknown = thread->untracked || thread->context_lost;
    thread->begin = keep(thread->clock);
    thread->first_segment = thread->segment;
    thread->begin_count = thread->context_count;
    memcpy(thread->begin_context, thread->context,
           thread->context_count * sizeof thread->context[0]);
    vector_clear(&thread->steps);
    vector_clear(&thread->units);
    thread->unit_start = 0;
    thread->dead = 0;
    thread->accesses = 0;
    thread->track_count = 0;
    thread->segment_number = 0;
    start_segment(thread);
}

static void finish(struct blocks *blocks, struct blocks_thread *thread)
{
    if (!thread->active)
        return;
    thread->active = false;
    compact(thread);
    if (thread->accesses && thread->unknown) {
        count_one(&thread->tally.unjudged);
    } else if (thread->accesses) {
        struct blocks_candidate candidate = {.block = thread->block,
                                             .entered = thread->entered,
                                             .cut = thread->cut,
                                             .steps = thread->steps.items,
                                             .step_count = (uint32_t)thread->steps.count,
                                             .context = thread->begin_context,
                                             .context_count = thread->begin_count};
        judge(blocks, thread, &candidate, thread->begin, thread->first_segment);
    }
    clock_drop(blocks->options.clocks, thread->begin);
    thread->begin = NULL;
}

void blocks_begin(struct blocks *blocks, struct blocks_thread *thread, uint32_t block,
                  struct blocks_place place)
{
    (void)blocks;
    if (!thread || thread->depth++ > 0)
        return;
    thread->block = block;
    thread->entered = place;
    start(thread);
}

void blocks_end(struct blocks *blocks, struct blocks_thread *thread)
{
    if (!thread || thread->depth == 0 || --thread->depth > 0)
        return;
    finish(blocks, thread);
}

static void judge_alone(struct blocks *blocks, struct blocks_thread *thread,
                        const struct blocks_step *step)
{
    thread->number++;
    if (thread->untracked || thread->context_lost) {
        count_one(&thread->tally.unjudged);
        return;
    }
    struct blocks_candidate candidate = {.entered = step->place,
                                         .steps = step,
                                         .step_count = 1,
                                         .context = thread->context,
                                         .context_count = thread->context_count};
    judge(blocks, thread, &candidate, thread->clock, thread->segment);
}

void blocks_access(struct blocks *blocks, struct blocks_thread *thread, uint64_t variable,
                   uint32_t field, bool write, struct blocks_place place)
{
    if (!thread)
        return;
    struct blocks_step step = {.subject = variable,
                               .field = field,
                               .place = place,
                               .kind = BLOCKS_ACCESS,
                               .flags = write ? BLOCKS_WRITE : 0};
    if (thread->active)
        add_access(blocks, thread, &step);
    else
        judge_alone(blocks, thread, &step);
}

void blocks_order(struct blocks *blocks, struct blocks_thread *thread, const struct clock_view *now)
{
    if (!thread || (now->base == thread->clock && now->segment == thread->segment))
        return;
    unsigned released = now->segment != thread->segment ? BLOCKS_RELEASED : 0;
    unsigned learned = now->base != thread->clock ? BLOCKS_LEARNED : 0;
    struct blocks_step step = {.kind = BLOCKS_ORDER, .flags = (uint8_t)(released | learned)};
    struct clock *old = thread->clock;
    thread->clock = keep(now->base);
    clock_drop(blocks->options.clocks, old);
    thread->segment = now->segment;
    thread->moment++;
    add_boundary(blocks, thread, step);
}

void blocks_thread_end(struct blocks *blocks, struct blocks_thread *thread)
{
    if (!thread)
        return;
    finish(blocks, thread);
    spin_lock(&blocks->lock);
    blocks_tally_add(&blocks->counts, &thread->tally);
    *thread->tally.link = thread->tally.next;
    if (thread->tally.next)
        thread->tally.next->link = thread->tally.link;
    spin_unlock(&blocks->lock);
    clock_drop(blocks->options.clocks, thread->clock);
    vector_release(&thread->steps);
    vector_release(&thread->units);
    memory_release(thread->tracks);
    memory_release(thread);
}

/*
 * Locks.
 */

static uint32_t find_held(const struct blocks_thread *thread, uint32_t lock, bool shared)
{
    uint32_t i = thread->held_count;
    while (i-- > 0)
        if (thread->held[i].lock == lock && thread->held[i].shared == shared)
            return i;
    return BLOCKS_NONE;
}

/* Among the locks of the time since the thread had none. */
static void note_context(struct blocks_thread *thread, uint32_t lock, bool shared, bool held)
{
    uint64_t key = (uint64_t)lock << 1 | shared;
    uint32_t at = 0;
    while (at < thread->context_count &&
           ((uint64_t)thread->context[at].lock << 1 | thread->context[at].shared) < key)
        at++;
    struct blocks_outer *outer = &thread->context[at];
    if (at < thread->context_count && outer->lock == lock && outer->shared == shared) {
        outer->held = held;
        return;
    }
    if (thread->context_count == BLOCKS_CONTEXT_MAX) {
        thread->context_lost = true;
        return;
    }
    memmove(outer + 1, outer, (thread->context_count++ - at) * sizeof *outer);
    *outer = (struct blocks_outer){lock, shared, held};
}

static void take(struct blocks *blocks, struct blocks_thread *thread, uint32_t lock, bool shared,
                 uint32_t times)
{
    if (thread->held_count == HELD_MAX) {
        thread->untracked++;
        thread->unknown = true;
        return;
    }
    thread->held[thread->held_count++] = (struct held_lock){lock, shared, times};
    note_context(thread, lock, shared, true);
    add_boundary(blocks, thread,
                 (struct blocks_step){
                     .kind = BLOCKS_ACQUIRE, .subject = lock, .flags = shared ? BLOCKS_SHARED : 0});
}

static void give_up(struct blocks *blocks, struct blocks_thread *thread, uint32_t index)
{
    struct held_lock held = thread->held[index];
    memmove(&thread->held[index], &thread->held[index + 1],
            (thread->held_count - index - 1) * sizeof held);
    thread->held_count--;
    if (thread->held_count) {
        note_context(thread, held.lock, held.shared, false);
    } else {
        thread->context_count = 0;
        thread->context_lost = false;
    }
    add_boundary(blocks, thread,
                 (struct blocks_step){.kind = BLOCKS_RELEASE,
                                      .subject = held.lock,
                                      .flags = held.shared ? BLOCKS_SHARED : 0});
}

void blocks_acquire(struct blocks *blocks, struct blocks_thread *thread, uint32_t lock, bool shared)
{
    if (!thread)
        return;
    uint32_t index = find_held(thread, lock, shared);
    if (index != BLOCKS_NONE)
        thread->held[index].times++;
    else
        take(blocks, thread, lock, shared, 1);
}

void blocks_release(struct blocks *blocks, struct blocks_thread *thread, uint32_t lock, bool shared)
{
    if (!thread)
        return;
    uint32_t index = find_held(thread, lock, shared);
    if (index == BLOCKS_NONE) {
        if (thread->untracked)
            thread->untracked--;
        else
            count_one(&thread->tally.unbalanced);
        return;
    }
    if (--thread->held[index].times == 0)
        give_up(blocks, thread, index);
}

uint32_t blocks_wait_begin(struct blocks *blocks, struct blocks_thread *thread, uint32_t lock)
{
    uint32_t index = thread ? find_held(thread, lock, false) : BLOCKS_NONE;
    if (index == BLOCKS_NONE)
        return 0;
    finish(blocks, thread);
    uint32_t times = thread->held[index].times;
    give_up(blocks, thread, index);
    return times;
}

void blocks_wait_end(struct blocks *blocks, struct blocks_thread *thread, uint32_t lock,
                     uint32_t times)
{
    if (!thread || times == 0)
        return;
    take(blocks, thread, lock, false, times);
    if (thread->depth)
        start(thread);
}
