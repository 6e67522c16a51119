/*
 * lock_order_threads: threads with ordered clocks, as the lock order wants them, without an engine.
 */
#ifndef TURNSTILE_TEST_LOCK_ORDER_THREADS_H
#define TURNSTILE_TEST_LOCK_ORDER_THREADS_H

#include "engine/lock_order.h"

#define LOCK_THREADS_MAX 8u

struct lock_thread {
    struct lock_order_thread *thread;
    struct clock *known;
    uint64_t segment;
};

struct lock_threads {
    struct clock_pool clocks;
    struct lock_order *order;
    struct lock_thread threads[LOCK_THREADS_MAX];
};

static inline void lock_threads_init(struct lock_threads *threads,
                                     const struct lock_order_options *options)
{
    memset(threads, 0, sizeof *threads);
    assert_true(clock_pool_init(&threads->clocks));
    threads->order = lock_order_new(options, &threads->clocks);
    assert_non_null(threads->order);
}

static inline void lock_threads_release(struct lock_threads *threads)
{
    for (unsigned index = 0; index < LOCK_THREADS_MAX; index++) {
        lock_order_thread_free(threads->order, threads->threads[index].thread);
        clock_drop(&threads->clocks, threads->threads[index].known);
    }
    lock_order_free(threads->order);
    clock_pool_release(&threads->clocks);
}

/* Its name is 100 more than its number; its slot, one. */
static inline struct lock_thread *lock_threads_at(struct lock_threads *threads, unsigned number)
{
    struct lock_thread *thread = &threads->threads[number];
    if (!thread->segment) {
        thread->thread = lock_order_thread_new(threads->order, 100 + number);
        thread->segment = 1;
    }
    return thread;
}

/* What `from` has done comes before what `to` does. */
static inline void lock_threads_order(struct lock_threads *threads, unsigned from, unsigned to)
{
    struct lock_thread *earlier = lock_threads_at(threads, from);
    struct lock_thread *later = lock_threads_at(threads, to);
    clock_join(&threads->clocks, &later->known, earlier->known, from + 1, earlier->segment);
    earlier->segment++;
}

static inline struct clock_view lock_threads_view(struct lock_threads *threads, unsigned number)
{
    struct lock_thread *thread = lock_threads_at(threads, number);
    return (struct clock_view){thread->known, number + 1, thread->segment};
}

static inline void lock_threads_acquire(struct lock_threads *threads, unsigned number,
                                        const struct lock_order_acquire *acquire, bool may_wait)
{
    struct clock_view view = lock_threads_view(threads, number);
    lock_order_acquired(threads->order, lock_threads_at(threads, number)->thread, acquire, may_wait,
                        &view);
    threads->threads[number].segment++;
}

static inline void lock_threads_let_go(struct lock_threads *threads, unsigned number, uint32_t lock,
                                       enum lock_order_mode mode)
{
    lock_order_released(threads->order, lock_threads_at(threads, number)->thread, lock, mode);
    threads->threads[number].segment++;
}

#endif
