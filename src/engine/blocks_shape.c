#include <string.h>

#include "base/memory.h"
#include "engine/blocks_internal.h"

bool blocks_steps_equal(const struct blocks_step *left, const struct blocks_step *right,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!blocks_step_equal(&left[i], &right[i]))
            return false;
    return true;
}

bool blocks_shape_is(const struct blocks_shape *shape, const struct blocks_candidate *candidate)
{
    if (shape->hash != candidate->hash || shape->block != candidate->block ||
        shape->cut != candidate->cut || shape->step_count != candidate->step_count ||
        shape->context_count != candidate->context_count)
        return false;
    for (uint32_t i = 0; i < shape->context_count; i++) {
        const struct blocks_outer *left = &shape->context[i];
        const struct blocks_outer *right = &candidate->context[i];
        if (left->lock != right->lock || left->shared != right->shared || left->held != right->held)
            return false;
    }
    return blocks_steps_equal(shape->steps, candidate->steps, shape->step_count);
}

/* Shell's sort: no memory, and short sequences. */
static void sort(uint64_t (*items)[2], uint32_t count)
{
    for (uint32_t gap = count / 2; gap > 0; gap /= 2) {
        for (uint32_t i = gap; i < count; i++) {
            uint64_t item[2] = {items[i][0], items[i][1]};
            uint32_t j = i;
            for (; j >= gap; j -= gap) {
                const uint64_t *other = items[j - gap];
                if (other[0] < item[0] || (other[0] == item[0] && other[1] <= item[1]))
                    break;
                items[j][0] = other[0];
                items[j][1] = other[1];
            }
            items[j][0] = item[0];
            items[j][1] = item[1];
        }
    }
}

/* How much of everything a shape has. */
struct sizes {
    uint32_t events;
    uint32_t variables;
    uint32_t locks; /* at most */
    size_t offsets[7];
    size_t bytes;
};

/* The accesses, by variable and then in their order, into the engine's scratch. */
static void collect_events(struct blocks *blocks, const struct blocks_candidate *candidate,
                           struct sizes *sizes)
{
    uint64_t(*order)[2] = (uint64_t(*)[2])(void *)blocks->order;
    sizes->events = 0;
    sizes->locks = candidate->context_count;
    for (uint32_t i = 0; i < candidate->step_count; i++) {
        const struct blocks_step *step = &candidate->steps[i];
        if (step->kind == BLOCKS_ACQUIRE)
            sizes->locks++;
        if (step->kind != BLOCKS_ACCESS)
            continue;
        order[sizes->events][0] = step->subject;
        order[sizes->events++][1] = i;
    }
    sort(order, sizes->events);
    sizes->variables = 0;
    for (uint32_t i = 0; i < sizes->events; i++)
        if (i == 0 || order[i][0] != order[i - 1][0])
            sizes->variables++;
}

static size_t place(struct sizes *sizes, size_t count, size_t size)
{
    size_t offset = sizes->bytes;
    sizes->bytes += (count * size + 15) & ~(size_t)15;
    return offset;
}

/* All counts are bounded by options that are bounded themselves. */
static struct blocks_shape *allocate(const struct blocks *blocks,
                                     const struct blocks_candidate *candidate, struct sizes *sizes)
{
    sizes->bytes = 0;
    (void)place(sizes, 1, sizeof(struct blocks_shape));
    sizes->offsets[0] = place(sizes, candidate->step_count, sizeof(struct blocks_step));
    sizes->offsets[1] = place(sizes, candidate->context_count, sizeof(struct blocks_outer));
    sizes->offsets[2] = place(sizes, sizes->variables, sizeof(struct blocks_variable));
    sizes->offsets[3] = place(sizes, sizes->events, sizeof(uint32_t));
    sizes->offsets[4] = place(sizes, sizes->events, sizeof(struct blocks_pair));
    sizes->offsets[5] = place(sizes, sizes->locks, sizeof(struct blocks_lock));
    sizes->offsets[6] =
        place(sizes, blocks->options.threads_per_shape, sizeof(struct blocks_occurrence));
    uint8_t *bytes = memory_allocate(sizes->bytes);
    if (!bytes)
        return NULL;
    memset(bytes, 0, sizes->bytes);
    struct blocks_shape *shape = (struct blocks_shape *)(void *)bytes;
    shape->bytes = sizes->bytes;
    shape->steps = (struct blocks_step *)(void *)(bytes + sizes->offsets[0]);
    shape->context = (struct blocks_outer *)(void *)(bytes + sizes->offsets[1]);
    shape->variables = (struct blocks_variable *)(void *)(bytes + sizes->offsets[2]);
    shape->events = (uint32_t *)(void *)(bytes + sizes->offsets[3]);
    shape->pairs = (struct blocks_pair *)(void *)(bytes + sizes->offsets[4]);
    shape->locks = (struct blocks_lock *)(void *)(bytes + sizes->offsets[5]);
    shape->occurrences = (struct blocks_occurrence *)(void *)(bytes + sizes->offsets[6]);
    return shape;
}

/* Steps that stand for more of their kind lie between the two, and some write the variable. */
static bool written_between(const struct blocks_shape *shape, uint64_t variable, uint32_t first,
                            uint32_t last)
{
    for (uint32_t i = first + 1; i < last && shape->repeats; i++) {
        if (shape->steps[i].kind != BLOCKS_REPEAT)
            continue;
        for (uint32_t k = 1; k <= shape->steps[i].subject && i + k < shape->step_count; k++) {
            const struct blocks_step *step = &shape->steps[i + k];
            if (step->kind == BLOCKS_ACCESS && step->subject == variable &&
                (step->flags & BLOCKS_WRITE))
                return true;
        }
    }
    return false;
}

static void add_pair(struct blocks_shape *shape, struct blocks_variable *variable, uint32_t first,
                     uint32_t last)
{
    if (written_between(shape, variable->variable, first, last))
        return;
    struct blocks_pair *pairs = &shape->pairs[variable->pair_start];
    if (variable->pair_count && pairs[variable->pair_count - 1].first == first) {
        pairs[variable->pair_count - 1].last = last;
        return;
    }
    pairs[variable->pair_count++] = (struct blocks_pair){first, last};
    shape->pair_count++;
}

/* The blocks of one variable, from its events. */
static void fill_variable(struct blocks_shape *shape, struct blocks_variable *variable)
{
    variable->first_read = variable->last_read = BLOCKS_NONE;
    variable->first_write = variable->final_write = BLOCKS_NONE;
    variable->pair_start = shape->pair_count;
    for (uint32_t i = 0; i < variable->event_count; i++) {
        uint32_t event = shape->events[variable->event_start + i];
        if (shape->steps[event].flags & BLOCKS_WRITE) {
            if (variable->first_write == BLOCKS_NONE)
                variable->first_write = event;
            variable->final_write = event;
            shape->writes = true;
        } else if (variable->final_write != BLOCKS_NONE) {
            add_pair(shape, variable, variable->final_write, event);
        } else {
            if (variable->first_read == BLOCKS_NONE)
                variable->first_read = event;
            variable->last_read = event;
        }
    }
}

static void fill_variables(struct blocks *blocks, struct blocks_shape *shape)
{
    uint64_t(*order)[2] = (uint64_t(*)[2])(void *)blocks->order;
    for (uint32_t i = 0; i < shape->event_count; i++)
        shape->events[i] = (uint32_t)order[i][1];
    for (uint32_t i = 0; i < shape->event_count; i++) {
        if (i == 0 || order[i][0] != order[i - 1][0]) {
            struct blocks_variable *added = &shape->variables[shape->variable_count++];
            added->variable = order[i][0];
            added->owner = shape;
            added->event_start = i;
        }
        shape->variables[shape->variable_count - 1].event_count++;
    }
    for (uint32_t i = 0; i < shape->variable_count; i++)
        fill_variable(shape, &shape->variables[i]);
}

static void fill_locks(struct blocks *blocks, struct blocks_shape *shape)
{
    uint64_t(*order)[2] = (uint64_t(*)[2])(void *)blocks->order;
    uint32_t count = 0;
    for (uint32_t i = 0; i < shape->context_count; i++) {
        order[count][0] = shape->context[i].lock;
        order[count++][1] = shape->context[i].shared;
    }
    for (uint32_t i = 0; i < shape->step_count; i++) {
        if (shape->steps[i].kind != BLOCKS_ACQUIRE)
            continue;
        order[count][0] = shape->steps[i].subject;
        order[count++][1] = (shape->steps[i].flags & BLOCKS_SHARED) != 0;
    }
    sort(order, count);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || order[i][0] != order[i - 1][0])
            shape->locks[shape->lock_count++].lock = (uint32_t)order[i][0];
        if (!order[i][1])
            shape->locks[shape->lock_count - 1].exclusive = true;
    }
}

/*
 * Which locks are held where.
 */

struct held {
    uint32_t count;
    struct {
        uint32_t lock;
        bool shared;
    } locks[BLOCKS_CONTEXT_MAX];
};

static void hold(struct held *held, uint32_t lock, bool shared)
{
    if (held->count < BLOCKS_CONTEXT_MAX) {
        held->locks[held->count].lock = lock;
        held->locks[held->count++].shared = shared;
    }
}

static void give_up(struct held *held, uint32_t lock, bool shared)
{
    for (uint32_t i = 0; i < held->count; i++) {
        if (held->locks[i].lock != lock || held->locks[i].shared != shared)
            continue;
        memmove(&held->locks[i], &held->locks[i + 1],
                (held->count - i - 1) * sizeof held->locks[0]);
        held->count--;
        return;
    }
}

static void collect_held(const struct blocks_shape *shape, uint32_t until, struct held *held)
{
    held->count = 0;
    for (uint32_t i = 0; i < shape->context_count; i++)
        if (shape->context[i].held)
            hold(held, shape->context[i].lock, shape->context[i].shared);
    for (uint32_t i = 0; i < until; i++) {
        const struct blocks_step *step = &shape->steps[i];
        bool shared = (step->flags & BLOCKS_SHARED) != 0;
        if (step->kind == BLOCKS_ACQUIRE)
            hold(held, (uint32_t)step->subject, shared);
        else if (step->kind == BLOCKS_RELEASE)
            give_up(held, (uint32_t)step->subject, shared);
    }
}

/* From step `first` to `last` without a break. */
static void collect_between(const struct blocks_shape *shape, uint32_t first, uint32_t last,
                            struct held *held)
{
    collect_held(shape, first, held);
    for (uint32_t i = first; i < last; i++)
        if (shape->steps[i].kind == BLOCKS_RELEASE)
            give_up(held, (uint32_t)shape->steps[i].subject,
                    (shape->steps[i].flags & BLOCKS_SHARED) != 0);
}

static void fill_guards(struct blocks_shape *shape)
{
    uint32_t first = BLOCKS_NONE;
    uint32_t last = 0;
    for (uint32_t i = 0; i < shape->step_count; i++) {
        if (shape->steps[i].kind != BLOCKS_ACCESS)
            continue;
        first = first == BLOCKS_NONE ? i : first;
        last = i;
    }
    if (first == BLOCKS_NONE)
        return;
    struct held held;
    collect_between(shape, first, last, &held);
    struct blocks_guards *guards = &shape->guards;
    for (; guards->count < held.count && guards->count < BLOCKS_GUARDS; guards->count++) {
        guards->locks[guards->count] = held.locks[guards->count].lock;
        guards->shared[guards->count] = held.locks[guards->count].shared;
    }
}

/* Whether it has the lock, too, and one of the two for itself. */
static bool is_common(const struct blocks_guards *guards, uint32_t lock, bool shared)
{
    for (uint32_t i = 0; i < guards->count; i++)
        if (guards->locks[i] == lock && !(guards->shared[i] && shared))
            return true;
    return false;
}

bool blocks_guards_exclude(const struct blocks_guards *left, const struct blocks_guards *right)
{
    for (uint32_t i = 0; i < left->count; i++)
        if (is_common(right, left->locks[i], left->shared[i]))
            return true;
    return false;
}

void blocks_guards_intersect(struct blocks_guards *guards, const struct blocks_guards *other)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < guards->count; i++) {
        if (!is_common(other, guards->locks[i], true))
            continue;
        guards->locks[kept] = guards->locks[i];
        guards->shared[kept++] = guards->shared[i];
    }
    guards->count = kept;
}

/*
 * All of it.
 */

struct blocks_shape *blocks_shape_new(struct blocks *blocks,
                                      const struct blocks_candidate *candidate)
{
    struct sizes sizes;
    collect_events(blocks, candidate, &sizes);
    struct blocks_shape *shape = allocate(blocks, candidate, &sizes);
    if (!shape)
        return NULL;
    shape->hash = candidate->hash;
    shape->block = candidate->block;
    shape->entered = candidate->entered;
    shape->cut = candidate->cut;
    shape->step_count = candidate->step_count;
    shape->context_count = candidate->context_count;
    shape->event_count = sizes.events;
    memcpy(shape->steps, candidate->steps, candidate->step_count * sizeof *shape->steps);
    if (candidate->context_count)
        memcpy(shape->context, candidate->context,
               candidate->context_count * sizeof *shape->context);
    shape->last_released = shape->first_learned = BLOCKS_NONE;
    for (uint32_t i = 0; i < shape->step_count; i++) {
        if (shape->steps[i].kind == BLOCKS_REPEAT)
            shape->repeats = true;
        if (shape->steps[i].kind != BLOCKS_ORDER)
            continue;
        if (shape->steps[i].flags & BLOCKS_RELEASED)
            shape->last_released = i;
        if ((shape->steps[i].flags & BLOCKS_LEARNED) && shape->first_learned == BLOCKS_NONE)
            shape->first_learned = i;
    }
    fill_variables(blocks, shape);
    fill_locks(blocks, shape);
    fill_guards(shape);
    return shape;
}

void blocks_shape_free(struct blocks *blocks, struct blocks_shape *shape)
{
    for (uint32_t i = 0; i < shape->occurrence_count; i++) {
        clock_drop(blocks->options.clocks, shape->occurrences[i].begin);
        clock_drop(blocks->options.clocks, shape->occurrences[i].end);
    }
    memory_release(shape);
}

static bool is_only_shared(const struct held *held, uint32_t lock)
{
    for (uint32_t i = 0; i < held->count; i++)
        if (held->locks[i].lock == lock && !held->locks[i].shared)
            return false;
    return true;
}

/* A lock that is held in both modes is shown once. */
static void show(const struct held *held, struct blocks_locks *locks)
{
    memset(locks, 0, sizeof *locks);
    for (uint32_t i = 0; i < held->count; i++) {
        uint32_t earlier = 0;
        while (held->locks[earlier].lock != held->locks[i].lock)
            earlier++;
        if (earlier < i)
            continue;
        if (locks->count < BLOCKS_LOCKS_MAX) {
            locks->locks[locks->count] = held->locks[i].lock;
            locks->shared[locks->count] = is_only_shared(held, held->locks[i].lock);
        }
        locks->count++;
    }
}

void blocks_shape_held(const struct blocks_shape *shape, uint32_t step, struct blocks_locks *locks)
{
    struct held held;
    collect_held(shape, step, &held);
    show(&held, locks);
}

void blocks_shape_between(const struct blocks_shape *shape, uint32_t step, uint32_t last,
                          struct blocks_locks *locks)
{
    struct held held;
    collect_between(shape, step, last, &held);
    show(&held, locks);
}
