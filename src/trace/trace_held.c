#include "trace/trace_held.h"

void trace_held_release(struct trace_held *held)
{
    for (size_t i = 0; i < held->threads.count; i++)
        vector_release(&held->threads.items[i].locks);
    vector_release(&held->threads);
}

struct trace_held_lock *trace_held_find(const struct trace_held *held, uint32_t thread,
                                        uint32_t lock)
{
    if (thread >= held->threads.count)
        return NULL;
    const struct trace_held_list *list = &held->threads.items[thread];
    /* What was taken last is given back first. */
    for (size_t i = list->locks.count; i-- > 0;)
        if (list->locks.items[i].lock == lock)
            return &list->locks.items[i];
    return NULL;
}

struct trace_held_lock *trace_held_get(struct trace_held *held, uint32_t thread, uint32_t lock)
{
    struct trace_held_lock *entry = trace_held_find(held, thread, lock);
    if (entry)
        return entry;
    while (held->threads.count <= thread) {
        const struct trace_held_list none = {VECTOR_EMPTY};
        if (!vector_push(&held->threads, none))
            return NULL;
    }
    struct trace_held_list *list = &held->threads.items[thread];
    const struct trace_held_lock added = {.lock = lock};
    return vector_push(&list->locks, added) ? &vector_last(&list->locks) : NULL;
}

void trace_held_drop(struct trace_held *held, uint32_t thread, struct trace_held_lock *entry)
{
    if (!entry->exclusive && !entry->shared && !entry->waiting) {
        struct trace_held_list *list = &held->threads.items[thread];
        *entry = vector_last(&list->locks);
        list->locks.count--;
    }
}
