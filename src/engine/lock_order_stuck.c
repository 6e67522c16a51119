#include <string.h>

#include "base/memory.h"
#include "engine/lock_order_internal.h"

enum { STUCK_MAX = 1024 };

static void copy_held(struct lock_order_stuck *stuck, const struct lock_order_thread *thread)
{
    for (size_t index = 0; index < thread->held.count && index < LOCK_ORDER_HELD_MAX; index++)
        stuck->held[stuck->held_count++] = thread->held.items[index].acquire;
}

void lock_order_wanted(struct lock_order *order, struct lock_order_thread *thread,
                       const struct lock_order_acquire *acquire, const struct clock_view *ordered)
{
    if (!thread || !thread->held.count || thread->unnoted)
        return; /* nobody can wait for it, or it is not known who */
    lock_order_go_on(order, thread);
    lock_order_note(order, thread, acquire, ordered);
    struct lock_order_stuck stuck = {.thread = thread->name, .wants = *acquire};
    copy_held(&stuck, thread);
    spin_lock(&order->lock);
    if (order->stuck.count < STUCK_MAX && vector_push(&order->stuck, stuck))
        thread->stuck = (uint32_t)order->stuck.count;
    else
        order->lost++;
    spin_unlock(&order->lock);
}

void lock_order_go_on(struct lock_order *order, struct lock_order_thread *thread)
{
    if (!thread->stuck)
        return;
    spin_lock(&order->lock);
    order->stuck.items[thread->stuck - 1].held_count = 0;
    spin_unlock(&order->lock);
    thread->stuck = 0;
}

/* Which of its locks the one that wants `wants` waits for; NULL: for none. */
static const struct lock_order_acquire *blocking(const struct lock_order_stuck *holder,
                                                 const struct lock_order_acquire *wants)
{
    for (uint32_t index = 0; index < holder->held_count; index++)
        if (lock_order_excludes(&holder->held[index], wants))
            return &holder->held[index];
    return NULL;
}

/* Another thread that is stuck and has what this one wants; their number if there is none. */
static size_t holder_of(const struct lock_order *order, size_t waiting)
{
    const struct lock_order_stuck *all = order->stuck.items;
    size_t holder = 0;
    while (holder < order->stuck.count && (holder == waiting || !all[waiting].held_count ||
                                           all[holder].thread == all[waiting].thread ||
                                           !blocking(&all[holder], &all[waiting].wants)))
        holder++;
    return holder;
}

/* The cycle that `first` is on. False if it is too long to be told. */
static bool follow(const struct lock_order *order, size_t first, struct lock_order_cycle *cycle)
{
    const struct lock_order_stuck *all = order->stuck.items;
    *cycle = (struct lock_order_cycle){.happened = true};
    size_t waiting = first;
    do {
        const size_t holder = holder_of(order, waiting);
        if (cycle->count == LOCK_ORDER_LENGTH_MAX)
            return false;
        struct lock_order_wait *wait = &cycle->waits[cycle->count++];
        wait->thread = all[waiting].thread;
        wait->wants = all[waiting].wants;
        waiting = holder;
    } while (waiting != first);
    for (uint32_t index = 0; index < cycle->count; index++) {
        struct lock_order_wait *next = &cycle->waits[(index + 1) % cycle->count];
        const size_t holder = holder_of(order, waiting);
        next->holds = *blocking(&all[holder], &all[waiting].wants);
        waiting = holder;
    }
    return true;
}

bool lock_order_find_stuck(struct lock_order *order,
                           void (*give)(void *context, const struct lock_order_cycle *cycle),
                           void *context)
{
    const size_t count = order->stuck.count;
    size_t *round = count ? memory_allocate(count * sizeof *round) : NULL;
    if (!count || !round)
        return !count;
    memset(round, 0, count * sizeof *round); /* in which a thread was met; 0: in none */
    bool whole = true;
    for (size_t start = 0; start < count; start++) {
        size_t at = start;
        while (at < count && !round[at]) {
            round[at] = start + 1;
            at = holder_of(order, at);
        }
        struct lock_order_cycle cycle;
        if (at == count || round[at] != start + 1)
            continue;
        if (follow(order, at, &cycle))
            give(context, &cycle);
        else
            whole = false;
    }
    memory_release(round);
    return whole;
}
