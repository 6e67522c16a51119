#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/memory.h"

#define MOST_WORKERS 16

struct work {
    parallel_function function;
    void *context;
    size_t items;
    atomic_size_t next;
};

struct helper {
    struct work *work;
    unsigned worker;
    pthread_t thread;
};

unsigned parallel_workers(void)
{
    cpu_set_t usable;
    long count;
    if (sched_getaffinity(0, sizeof usable, &usable) == 0)
        count = CPU_COUNT(&usable);
    else
        count = sysconf(_SC_NPROCESSORS_ONLN);
    if (count < 1)
        return 1;
    return count > MOST_WORKERS ? MOST_WORKERS : (unsigned)count;
}

static void take_items(struct work *work, unsigned worker)
{
    /* The counter passes `items` by at most one for each worker, so it cannot wrap around. */
    for (;;) {
        size_t item = atomic_fetch_add_explicit(&work->next, 1, memory_order_relaxed);
        if (item >= work->items)
            return;
        work->function(work->context, item, worker);
    }
}

static void *run_helper(void *argument)
{
    struct helper *helper = argument;
    take_items(helper->work, helper->worker);
    return NULL;
}

void parallel_for(size_t items, unsigned workers, parallel_function function, void *context)
{
    struct work work = {.function = function, .context = context, .items = items};
    atomic_init(&work.next, 0);
    if (workers > items)
        workers = (unsigned)items;
    unsigned wanted = workers > 1 ? workers - 1 : 0;
    struct helper *helpers = wanted ? memory_allocate(wanted * sizeof *helpers) : NULL;
    unsigned started = 0;
    while (helpers && started < wanted) {
        struct helper *helper = &helpers[started];
        *helper = (struct helper){.work = &work, .worker = started + 1};
        if (pthread_create(&helper->thread, NULL, run_helper, helper) != 0)
            break;
        started++;
    }
    take_items(&work, 0);
    for (unsigned i = 0; i < started; i++)
        pthread_join(helpers[i].thread, NULL);
    memory_release(helpers);
}
