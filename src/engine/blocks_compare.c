/*
 * Two transactions: which orders of three or four of their accesses are possible and not
 * serializable?
 *
 * Why these patterns and no others: an order of t and u is not view equivalent to "t, then u" if
 * and only if, for some variable, u writes before an initial read of t, or an initial read of u
 * comes before t's final write, or u's final write before t's, or one of them reads its own write
 * no more because the other wrote in between. The last is write-write-read, and is wrong for both
 * serial orders. Otherwise one of the first three must hold for each serial order. For the same
 * variable that gives the other patterns of three accesses; for two variables it gives four
 * accesses, and it is enough to look at the condition that is implied by the others:
 *
 *     t writes the variable:   u's first initial read, or else its final write, before t's final
 *     it only reads it:        u's final write before t's last initial read
 */
#include <string.h>

#include "engine/blocks_internal.h"

#define SHARED_MAX 128u /* variables of which pairs are looked at */
#define PER_PAIR_MAX 4u /* violations told for two transactions */
#define COMMON_MAX 64u  /* locks, as bits */

/* An access of one side. */
struct event {
    unsigned side;
    uint32_t step;
};

struct comparison {
    struct blocks *blocks;
    struct blocks_side *sides;
    const struct blocks_occurrence *const *occurrences;
    const struct blocks_relation *relation;
    struct blocks_pending *pending;
    uint32_t found;
    bool undecided;  /* there was no time for all of it */
    bool incomplete; /* there are more variables than are looked at in pairs */
    uint32_t shared_count;
    const struct blocks_variable *shared[SHARED_MAX][2];
};

/* False when there has been enough work. */
static bool spend(struct comparison *comparison, uint64_t cells)
{
    if (cells > comparison->blocks->cells_left) {
        comparison->undecided = true;
        return false;
    }
    comparison->blocks->cells_left -= cells;
    return true;
}

/*
 * Locks as bits, and the steps that matter.
 */

/* Numbers the locks that both use, not only shared. False when there are too many. */
static bool number_locks(struct blocks_side *sides)
{
    const struct blocks_shape *left = sides[0].shape;
    const struct blocks_shape *right = sides[1].shape;
    memset(sides[0].bits, 0, left->lock_count * sizeof *sides[0].bits);
    memset(sides[1].bits, 0, right->lock_count * sizeof *sides[1].bits);
    unsigned count = 0;
    for (uint32_t i = 0, j = 0; i < left->lock_count && j < right->lock_count;) {
        if (left->locks[i].lock < right->locks[j].lock) {
            i++;
        } else if (left->locks[i].lock > right->locks[j].lock) {
            j++;
        } else {
            if (left->locks[i].exclusive || right->locks[j].exclusive) {
                if (count == COMMON_MAX)
                    return false;
                sides[0].bits[i] = sides[1].bits[j] = UINT64_C(1) << count++;
            }
            i++;
            j++;
        }
    }
    return true;
}

static struct blocks_mask mask_of(const struct blocks_side *side, uint64_t lock, bool shared)
{
    uint32_t low = 0;
    uint32_t high = side->shape->lock_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (side->shape->locks[middle].lock < lock)
            low = middle + 1;
        else
            high = middle;
    }
    struct blocks_mask mask = {0, 0};
    if (low < side->shape->lock_count && side->shape->locks[low].lock == lock)
        *(shared ? &mask.shared : &mask.exclusive) = side->bits[low];
    return mask;
}

static struct blocks_mask join(struct blocks_mask left, struct blocks_mask right)
{
    return (struct blocks_mask){left.exclusive | right.exclusive, left.shared | right.shared};
}

static struct blocks_mask without(struct blocks_mask left, struct blocks_mask right)
{
    return (struct blocks_mask){left.exclusive & ~right.exclusive, left.shared & ~right.shared};
}

static struct blocks_mask common(struct blocks_mask left, struct blocks_mask right)
{
    return (struct blocks_mask){left.exclusive & right.exclusive, left.shared & right.shared};
}

static bool is_empty(struct blocks_mask mask)
{
    return !(mask.exclusive | mask.shared);
}

static struct blocks_mask step_mask(const struct blocks_side *side, const struct blocks_step *step)
{
    return mask_of(side, step->subject, (step->flags & BLOCKS_SHARED) != 0);
}

static void walk_on(struct blocks_side *side, struct blocks_mask passing, struct blocks_mask after)
{
    side->walk[side->walk_count++] = (struct blocks_lattice_step){passing, after};
}

/* What the repetitions that a step stands for acquire. */
static struct blocks_mask repeated_locks(const struct blocks_side *side, uint32_t repeat)
{
    struct blocks_mask mask = {0, 0};
    const struct blocks_shape *shape = side->shape;
    for (uint32_t k = 1; k <= shape->steps[repeat].subject && repeat + k < shape->step_count; k++)
        if (shape->steps[repeat + k].kind == BLOCKS_ACQUIRE)
            mask = join(mask, step_mask(side, &shape->steps[repeat + k]));
    return mask;
}

static void walk(struct blocks_side *side)
{
    const struct blocks_shape *shape = side->shape;
    const struct blocks_mask none = {0, 0};
    struct blocks_mask now = none;
    struct blocks_mask passing = none;
    side->walk_count = 0;
    for (uint32_t i = 0; i < shape->context_count; i++) {
        const struct blocks_outer *outer = &shape->context[i];
        struct blocks_mask mask = mask_of(side, outer->lock, outer->shared);
        passing = join(passing, mask);
        if (outer->held)
            now = join(now, mask);
    }
    if (!is_empty(passing))
        walk_on(side, passing, now);
    for (uint32_t i = 0; i < shape->step_count; i++) {
        const struct blocks_step *step = &shape->steps[i];
        side->positions[i] = side->walk_count;
        struct blocks_mask mask;
        if (step->kind == BLOCKS_ACQUIRE || step->kind == BLOCKS_RELEASE)
            mask = step_mask(side, step);
        else if (step->kind == BLOCKS_REPEAT)
            mask = repeated_locks(side, i);
        else
            continue;
        if (is_empty(mask))
            continue;
        if (step->kind == BLOCKS_ACQUIRE)
            now = join(now, mask);
        else if (step->kind == BLOCKS_RELEASE)
            now = without(now, mask);
        walk_on(side, step->kind == BLOCKS_REPEAT ? mask : none, now);
    }
    if (!is_empty(now))
        walk_on(side, none, none);
}

static struct blocks_mask held_at(const struct blocks_side *side, uint32_t step)
{
    struct blocks_mask none = {0, 0};
    uint32_t position = side->positions[step];
    return position ? side->walk[position - 1].after : none;
}

/* Held from one step to the other without a break. Counts as work. */
static struct blocks_mask held_between(struct comparison *comparison, unsigned which,
                                       uint32_t first, uint32_t last)
{
    const struct blocks_side *side = &comparison->sides[which];
    struct blocks_mask mask = held_at(side, first);
    spend(comparison, 1 + side->positions[last] - side->positions[first]);
    for (uint32_t i = side->positions[first]; i < side->positions[last]; i++)
        mask = common(mask, side->walk[i].after);
    return mask;
}

/*
 * Is an order possible?
 */

/* The steps of one side that must be told apart, in their order. */
struct points {
    uint32_t count;
    uint32_t steps[4];
};

static void add_point(struct points *points, uint32_t step)
{
    uint32_t at = points->count;
    while (at && points->steps[at - 1] > step)
        at--;
    if (at && points->steps[at - 1] == step)
        return;
    memmove(&points->steps[at + 1], &points->steps[at],
            (points->count - at) * sizeof points->steps[0]);
    points->steps[at] = step;
    points->count++;
}

static uint32_t index_of(const struct blocks_side *side, const struct points *points, uint32_t step)
{
    uint32_t before = 0;
    while (before < points->count && points->steps[before] < step)
        before++;
    return side->positions[step] + before;
}

/* The walk with the points in it. */
static uint32_t lay_out(struct blocks_side *side, const struct points *points)
{
    uint32_t count = 0;
    uint32_t point = 0;
    struct blocks_mask none = {0, 0};
    for (uint32_t i = 0; i <= side->walk_count; i++) {
        for (; point < points->count && side->positions[points->steps[point]] == i; point++)
            side->steps[count++] =
                (struct blocks_lattice_step){none, i ? side->walk[i - 1].after : none};
        if (i < side->walk_count)
            side->steps[count++] = side->walk[i];
    }
    return count;
}

static void add_order(struct blocks_lattice *lattice, unsigned side, uint32_t first, uint32_t then)
{
    lattice->orders[lattice->order_count++] = (struct blocks_lattice_order){side, first, then};
}

/* What is ordered but for locks: a part of `side` before something of the other. A part that is not
   known exactly is taken for all of it, and what is not known to be late for the begin. */
static void add_relation(const struct comparison *comparison, struct blocks_lattice *lattice,
                         const struct points points[2], unsigned side)
{
    const struct blocks_side *this = &comparison->sides[side];
    const struct blocks_side *other = &comparison->sides[1 - side];
    for (int learned = 0; learned < 2; learned++) {
        enum blocks_portion much = learned ? comparison->relation->before_learned[side]
                                           : comparison->relation->before_begin[side];
        if (much == BLOCKS_NOTHING)
            continue;
        uint32_t first = lattice->counts[side] - 1;
        if (much == BLOCKS_UP_TO_RELEASE && !this->shape->cut &&
            this->shape->last_released != BLOCKS_NONE)
            first = index_of(this, &points[side], this->shape->last_released);
        uint32_t then = 0;
        if (learned && other->shape->first_learned != BLOCKS_NONE)
            then = index_of(other, &points[1 - side], other->shape->first_learned);
        add_order(lattice, side, first, then);
    }
}

static bool is_possible(struct comparison *comparison, const struct event *events, unsigned count)
{
    struct points points[2] = {{0}, {0}};
    for (unsigned i = 0; i < count; i++)
        add_point(&points[events[i].side], events[i].step);
    struct blocks_lattice lattice = {.row = comparison->blocks->row};
    for (unsigned side = 0; side < 2; side++) {
        struct blocks_side *this = &comparison->sides[side];
        if (this->shape->last_released != BLOCKS_NONE)
            add_point(&points[side], this->shape->last_released);
        if (this->shape->first_learned != BLOCKS_NONE)
            add_point(&points[side], this->shape->first_learned);
        lattice.steps[side] = this->steps;
        lattice.counts[side] = lay_out(this, &points[side]);
    }
    add_relation(comparison, &lattice, points, 0);
    add_relation(comparison, &lattice, points, 1);
    for (unsigned i = 1; i < count; i++) {
        unsigned side = events[i - 1].side;
        if (events[i].side == side)
            continue;
        add_order(&lattice, side,
                  index_of(&comparison->sides[side], &points[side], events[i - 1].step),
                  index_of(&comparison->sides[1 - side], &points[1 - side], events[i].step));
    }
    return spend(comparison, blocks_lattice_cells(&lattice)) && blocks_lattice_feasible(&lattice);
}

/*
 * Telling.
 */

static const struct blocks_step *step_of(const struct comparison *comparison, struct event event)
{
    return &comparison->sides[event.side].shape->steps[event.step];
}

/* True when the same has been told before, or cannot be told any more. */
static bool is_told(struct comparison *comparison, enum blocks_pattern pattern,
                    const struct event *events, unsigned count)
{
    struct blocks *blocks = comparison->blocks;
    uint64_t hash = blocks_hash(comparison->sides[events[0].side].shape->block,
                                comparison->sides[1 - events[0].side].shape->block);
    hash = blocks_hash(hash, pattern);
    for (unsigned i = 0; i < count; i++) {
        const struct blocks_step *step = step_of(comparison, events[i]);
        hash = blocks_hash(hash, (uint64_t)step->field << 32 | step->place.location);
        hash = blocks_hash(hash, (uint64_t)(events[i].side == events[0].side) << 8 | step->flags);
    }
    if (hash == INTMAP_NO_KEY)
        hash = 0;
    if (intmap_get(&blocks->reported, hash, NULL)) {
        blocks->counts.repeats++;
        return true;
    }
    if (comparison->pending->count == BLOCKS_PENDING ||
        blocks->reported.count >= blocks->options.reports ||
        !intmap_put(&blocks->reported, hash, 1)) {
        blocks->counts.unreported++;
        return true;
    }
    return false;
}

static void describe(const struct comparison *comparison, unsigned side, const struct event *events,
                     unsigned count, struct blocks_transaction *transaction)
{
    const struct blocks_shape *shape = comparison->sides[side].shape;
    const struct blocks_occurrence *occurrence = comparison->occurrences[side];
    transaction->thread = occurrence->thread;
    transaction->number = occurrence->number;
    transaction->block = shape->block;
    transaction->entered = shape->entered;
    uint32_t first = BLOCKS_NONE;
    uint32_t last = 0;
    for (unsigned i = 0; i < count; i++) {
        if (events[i].side != side)
            continue;
        first = events[i].step < first ? events[i].step : first;
        last = events[i].step > last ? events[i].step : last;
    }
    blocks_shape_between(shape, first, last, &transaction->between);
}

static void tell(struct comparison *comparison, enum blocks_pattern pattern,
                 const struct event *events, unsigned count)
{
    comparison->found++;
    if (!comparison->pending || is_told(comparison, pattern, events, count))
        return;
    struct blocks_pending *pending = comparison->pending;
    struct blocks_violation *violation = &pending->violations[pending->count++];
    memset(violation, 0, sizeof *violation);
    violation->pattern = pattern;
    violation->event_count = count;
    for (unsigned i = 0; i < count; i++) {
        const struct blocks_step *step = step_of(comparison, events[i]);
        struct blocks_event *event = &violation->events[i];
        event->transaction = events[i].side == events[0].side ? 0 : 1;
        event->variable = step->subject;
        event->field = step->field;
        event->write = (step->flags & BLOCKS_WRITE) != 0;
        event->place = step->place;
        blocks_shape_held(comparison->sides[events[i].side].shape, events[i].step, &event->held);
    }
    for (unsigned i = 0; i < 2; i++)
        describe(comparison, i ? 1 - events[0].side : events[0].side, events, count,
                 &violation->transactions[i]);
    comparison->blocks->counts.violations++;
}

static bool is_enough(const struct comparison *comparison)
{
    return comparison->found >= (comparison->pending ? PER_PAIR_MAX : 1);
}

/*
 * One variable.
 */

/* Which accesses of the other transaction count in the middle. */
enum middle { ANY_WRITE, FINAL_WRITE, INITIAL_READ };

static bool fits(const struct blocks_shape *shape, const struct blocks_variable *variable,
                 uint32_t step, enum middle middle)
{
    bool write = (shape->steps[step].flags & BLOCKS_WRITE) != 0;
    switch (middle) {
    case ANY_WRITE:
        return write;
    case FINAL_WRITE: /* there may be a later one in what was cut off */
        return step == variable->final_write && !shape->cut;
    case INITIAL_READ:
        return !write && (variable->first_write == BLOCKS_NONE || step < variable->first_write);
    }
    return false;
}

static bool check_block(struct comparison *comparison, unsigned side, struct blocks_pair block,
                        const struct blocks_variable *other, enum middle middle,
                        enum blocks_pattern pattern)
{
    if (block.first == BLOCKS_NONE || block.last == BLOCKS_NONE || block.first == block.last)
        return false;
    const struct blocks_shape *shape = other->owner;
    struct blocks_mask between = held_between(comparison, side, block.first, block.last);
    for (uint32_t i = 0; i < other->event_count; i++) {
        uint32_t step = shape->events[other->event_start + i];
        if (!fits(shape, other, step, middle) ||
            blocks_mask_conflict(between, held_at(&comparison->sides[1 - side], step)))
            continue;
        struct event events[3] = {{side, block.first}, {1 - side, step}, {side, block.last}};
        if (is_possible(comparison, events, 3)) {
            tell(comparison, pattern, events, 3);
            return true;
        }
    }
    return false;
}

/* The blocks of `mine` against the events of `other`. */
static bool check_variable(struct comparison *comparison, unsigned side,
                           const struct blocks_variable *mine, const struct blocks_variable *other)
{
    bool found =
        check_block(comparison, side, (struct blocks_pair){mine->first_read, mine->last_read},
                    other, ANY_WRITE, BLOCKS_READ_WRITE_READ);
    found |=
        check_block(comparison, side, (struct blocks_pair){mine->first_write, mine->final_write},
                    other, INITIAL_READ, BLOCKS_WRITE_READ_WRITE);
    found |=
        check_block(comparison, side, (struct blocks_pair){mine->first_read, mine->final_write},
                    other, FINAL_WRITE, BLOCKS_READ_WRITE_WRITE);
    for (uint32_t i = 0; i < mine->pair_count; i++) {
        if (check_block(comparison, side, mine->owner->pairs[mine->pair_start + i], other,
                        ANY_WRITE, BLOCKS_WRITE_WRITE_READ))
            return true;
    }
    return found;
}

/*
 * Two variables.
 */

/* The weakest condition under which transaction `side` did not come first, as the variable shows:
   an access of the other one before one of its own. False when there is none. */
static bool later_side(const struct comparison *comparison, unsigned side,
                       const struct blocks_variable *const variables[2], struct event order[2])
{
    const struct blocks_variable *mine = variables[side];
    const struct blocks_variable *other = variables[1 - side];
    bool cut = comparison->sides[1 - side].shape->cut;
    order[0] = (struct event){1 - side, other->final_write};
    order[1] = (struct event){side, mine->last_read};
    if (mine->final_write != BLOCKS_NONE && other->first_read != BLOCKS_NONE) {
        order[0].step = other->first_read;
        order[1].step = mine->final_write;
    } else if (mine->final_write != BLOCKS_NONE && !cut) {
        order[1].step = mine->final_write;
    }
    return order[0].step != BLOCKS_NONE && order[1].step != BLOCKS_NONE;
}

/* One transaction's accesses both between those of the other. */
static bool check_inside(struct comparison *comparison, const struct event outer[2],
                         const struct event inner[2])
{
    struct blocks_mask between =
        held_between(comparison, outer[0].side, outer[0].step, outer[1].step);
    for (int i = 0; i < 2; i++)
        if (blocks_mask_conflict(between,
                                 held_at(&comparison->sides[inner[i].side], inner[i].step)))
            return false;
    struct event events[4] = {outer[0], inner[0], inner[1], outer[1]};
    if (!is_possible(comparison, events, 4))
        return false;
    tell(comparison, BLOCKS_TWO_VARIABLES, events, 4);
    return true;
}

/* Both transactions' first accesses before both second ones. */
static bool check_crossed(struct comparison *comparison, const struct event left[2],
                          const struct event right[2])
{
    if (blocks_mask_conflict(held_between(comparison, left[0].side, left[0].step, left[1].step),
                             held_between(comparison, right[0].side, right[0].step, right[1].step)))
        return false;
    for (unsigned order = 0; order < 4; order++) {
        const struct event *first = order & 1 ? right : left;
        const struct event *second = order & 1 ? left : right;
        const struct event *third = order & 2 ? right : left;
        const struct event *fourth = order & 2 ? left : right;
        struct event events[4] = {first[0], second[0], third[1], fourth[1]};
        if (is_possible(comparison, events, 4)) {
            tell(comparison, BLOCKS_TWO_VARIABLES, events, 4);
            return true;
        }
    }
    return false;
}

/* The variable `late` says that side 0 was not first, `early` that side 1 was not. */
static bool check_two(struct comparison *comparison, const struct blocks_variable *const late[2],
                      const struct blocks_variable *const early[2])
{
    struct event one[2]; /* side 1, then side 0 */
    struct event two[2]; /* side 0, then side 1 */
    if (!later_side(comparison, 0, late, one) || !later_side(comparison, 1, early, two))
        return false;
    bool left = two[0].step < one[1].step;  /* side 0: in that order? */
    bool right = one[0].step < two[1].step; /* side 1 */
    struct event zero_pair[2] = {left ? two[0] : one[1], left ? one[1] : two[0]};
    struct event one_pair[2] = {right ? one[0] : two[1], right ? two[1] : one[0]};
    if (left && right)
        return check_crossed(comparison, zero_pair, one_pair);
    if (right) /* 1 before 0's, and then 1 again */
        return check_inside(comparison, one_pair, zero_pair);
    if (left)
        return check_inside(comparison, zero_pair, one_pair);
    return false; /* each would have to come before the other */
}

static void check_pairs(struct comparison *comparison)
{
    for (uint32_t i = 0; i < comparison->shared_count; i++) {
        for (uint32_t j = 0; j < comparison->shared_count; j++) {
            if (i == j)
                continue;
            check_two(comparison, comparison->shared[i], comparison->shared[j]);
            if (is_enough(comparison) || comparison->undecided)
                return;
        }
    }
}

static void check_shared(struct comparison *comparison, const struct blocks_variable *left,
                         const struct blocks_variable *right)
{
    if (left->first_write == BLOCKS_NONE && right->first_write == BLOCKS_NONE)
        return;
    bool found = check_variable(comparison, 0, left, right);
    found |= check_variable(comparison, 1, right, left);
    if (found)
        return;
    if (comparison->shared_count == SHARED_MAX) {
        comparison->incomplete = true;
        return;
    }
    comparison->shared[comparison->shared_count][0] = left;
    comparison->shared[comparison->shared_count++][1] = right;
}

enum blocks_verdict blocks_compare(struct blocks *blocks,
                                   const struct blocks_shape *const shapes[2],
                                   const struct blocks_occurrence *const occurrences[2],
                                   const struct blocks_relation *relation,
                                   struct blocks_pending *pending)
{
    struct comparison comparison = {.blocks = blocks,
                                    .sides = blocks->sides,
                                    .occurrences = occurrences,
                                    .relation = relation,
                                    .pending = pending};
    for (unsigned side = 0; side < 2; side++)
        blocks->sides[side].shape = shapes[side];
    if (!number_locks(blocks->sides))
        return BLOCKS_UNDECIDED;
    walk(&blocks->sides[0]);
    walk(&blocks->sides[1]);
    const struct blocks_shape *left = shapes[0];
    const struct blocks_shape *right = shapes[1];
    for (uint32_t i = 0, j = 0; i < left->variable_count && j < right->variable_count;) {
        if (is_enough(&comparison) || comparison.undecided)
            break;
        if (left->variables[i].variable < right->variables[j].variable)
            i++;
        else if (left->variables[i].variable > right->variables[j].variable)
            j++;
        else
            check_shared(&comparison, &left->variables[i++], &right->variables[j++]);
    }
    if (!is_enough(&comparison) && !comparison.undecided)
        check_pairs(&comparison);
    if (comparison.found)
        return BLOCKS_FOUND;
    return comparison.undecided || comparison.incomplete ? BLOCKS_UNDECIDED : BLOCKS_CLEAN;
}
