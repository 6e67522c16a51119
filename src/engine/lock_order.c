#include "engine/lock_order.h"

#include <string.h>

#include "base/memory.h"
#include "engine/lock_order_internal.h"

void lock_order_options_default(struct lock_order_options *options)
{
    *options = (struct lock_order_options){
        .dependencies = 1u << 16,
        .length = LOCK_ORDER_LENGTH_MAX,
        .work = 50000000,
        .reports = 1000,
    };
}

struct lock_order *lock_order_new(const struct lock_order_options *options,
                                  struct clock_pool *clocks)
{
    struct lock_order *order = memory_allocate(sizeof *order);
    if (!order)
        return NULL;
    memset(order, 0, sizeof *order);
    order->options = *options;
    if (order->options.length > LOCK_ORDER_LENGTH_MAX)
        order->options.length = LOCK_ORDER_LENGTH_MAX;
    order->clocks = clocks;
    intmap_init(&order->reported);
    return order;
}

void lock_order_free(struct lock_order *order)
{
    if (!order)
        return;
    for (uint32_t bucket = 0; bucket < order->bucket_count; bucket++) {
        for (struct dependency *dependency = order->buckets[bucket], *next; dependency;
             dependency = next) {
            next = dependency->next;
            for (uint32_t index = 0; index < dependency->moment_count; index++)
                clock_drop(order->clocks, dependency->moments[index].known);
            memory_release(dependency);
        }
    }
    memory_release(order->buckets);
    intmap_release(&order->reported);
    vector_release(&order->stuck);
    memory_release(order);
}

struct lock_order_thread *lock_order_thread_new(struct lock_order *order, uint64_t name)
{
    (void)order;
    struct lock_order_thread *thread = memory_allocate(sizeof *thread);
    if (!thread)
        return NULL;
    memset(thread, 0, sizeof *thread);
    thread->name = name;
    return thread;
}

void lock_order_thread_free(struct lock_order *order, struct lock_order_thread *thread)
{
    (void)order;
    if (!thread)
        return;
    vector_release(&thread->held);
    memory_release(thread);
}

/* The latest are the likeliest to be asked for. */
static struct held *find_held(struct lock_order_thread *thread, uint32_t lock,
                              enum lock_order_mode mode)
{
    for (size_t index = thread->held.count; index-- > 0;) {
        struct held *held = &thread->held.items[index];
        if (held->acquire.lock == lock && held->acquire.mode == mode)
            return held;
    }
    return NULL;
}

static void acquire_times(struct lock_order *order, struct lock_order_thread *thread,
                          const struct lock_order_acquire *acquire, bool may_wait, uint32_t times,
                          const struct clock_view *ordered)
{
    struct held *again = find_held(thread, acquire->lock, acquire->mode);
    if (thread->stuck)
        lock_order_go_on(order, thread);
    if (again) {
        again->times += times;
        return;
    }
    bool has_it = acquire->mode == LOCK_ORDER_SHARED &&
                  find_held(thread, acquire->lock, LOCK_ORDER_EXCLUSIVE);
    if (may_wait && !has_it && thread->held.count && !thread->unnoted)
        lock_order_note(order, thread, acquire, ordered);
    struct held held = {.acquire = *acquire, .times = times};
    if (!vector_push(&thread->held, held))
        thread->unnoted += times;
}

void lock_order_acquired(struct lock_order *order, struct lock_order_thread *thread,
                         const struct lock_order_acquire *acquire, bool may_wait,
                         const struct clock_view *ordered)
{
    if (thread)
        acquire_times(order, thread, acquire, may_wait, 1, ordered);
}

static void take_out(struct lock_order_thread *thread, const struct held *held)
{
    size_t index = (size_t)(held - thread->held.items);
    memmove(&thread->held.items[index], &thread->held.items[index + 1],
            (thread->held.count - index - 1) * sizeof *thread->held.items);
    thread->held.count--;
}

void lock_order_released(struct lock_order *order, struct lock_order_thread *thread, uint32_t lock,
                         enum lock_order_mode mode)
{
    if (!thread)
        return;
    if (thread->stuck)
        lock_order_go_on(order, thread);
    struct held *held = find_held(thread, lock, mode);
    if (held) {
        if (--held->times == 0)
            take_out(thread, held);
    } else if (thread->unnoted) {
        thread->unnoted--;
    } else {
        atomic_fetch_add_explicit(&order->unbalanced, 1, memory_order_relaxed);
    }
}

uint32_t lock_order_wait_begin(struct lock_order *order, struct lock_order_thread *thread,
                               uint32_t lock)
{
    (void)order;
    struct held *held = thread ? find_held(thread, lock, LOCK_ORDER_EXCLUSIVE) : NULL;
    if (!held)
        return 0;
    uint32_t times = held->times;
    take_out(thread, held);
    return times;
}

void lock_order_wait_end(struct lock_order *order, struct lock_order_thread *thread,
                         const struct lock_order_acquire *acquire, uint32_t times,
                         const struct clock_view *ordered)
{
    if (thread && times)
        acquire_times(order, thread, acquire, true, times, ordered);
}

void lock_order_counts(struct lock_order *order, struct lock_order_counts *counts)
{
    spin_lock(&order->lock);
    *counts = (struct lock_order_counts){
        .dependencies = order->count,
        .evicted = order->evicted,
        .lost = order->lost,
        .unbalanced = atomic_load_explicit(&order->unbalanced, memory_order_relaxed),
        .cycles = order->cycles,
        .unfinished = order->unfinished,
    };
    spin_unlock(&order->lock);
}

void lock_order_explain(struct builder *to, bool happened, const struct lock_order_words *waits,
                        size_t count)
{
    builder_add_string(to, happened
                               ? "These threads wait for each other, and none of them can go on: "
                               : "Each of these threads can come to wait for the next for ever: ");
    for (size_t index = 0; index < count; index++)
        builder_add_format(to, "%sthread \"%.*s\" holds %.*s and %s %.*s", index ? "; " : "",
                           TEXT_ARGUMENTS(waits[index].thread), TEXT_ARGUMENTS(waits[index].holds),
                           happened ? "waits for" : "wants", TEXT_ARGUMENTS(waits[index].wants));
    builder_add_byte(to, '.');
}
