#include "trace_events.h"

#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

void events_print(const struct event *events, unsigned count)
{
    static const char *const names[EVENT_KINDS] = {
        "read",           "write",      "acquire",  "acquire shared", "release",
        "release shared", "wait begin", "wait end", "sync release",   "sync acquire",
        "start",          "end",        "join",
    };
    for (unsigned i = 0; i < count; i++)
        print_error("  %2u: thread %u %s %u\n", i, events[i].thread, names[events[i].kind],
                    events[i].object);
}

void event_start_thread(struct engine *engine, struct event_thread *threads, unsigned number,
                        struct thread *parent)
{
    struct thread *thread = engine_thread_start(engine, parent, number + 1);
    assert_non_null(thread);
    threads[number] = (struct event_thread){.thread = thread, .birth = engine_thread_birth(thread)};
}

void event_tell(struct engine *engine, struct event_thread *threads, const struct event *event)
{
    struct event_thread *self = &threads[event->thread];
    switch (event->kind) {
    case EVENT_ACQUIRE:
        engine_lock_acquire(engine, self->thread, event->object, THREAD_EXCLUSIVE);
        break;
    case EVENT_ACQUIRE_SHARED:
        engine_lock_acquire(engine, self->thread, event->object, THREAD_SHARED);
        break;
    case EVENT_RELEASE:
        engine_lock_release(engine, self->thread, event->object, THREAD_EXCLUSIVE);
        break;
    case EVENT_RELEASE_SHARED:
        engine_lock_release(engine, self->thread, event->object, THREAD_SHARED);
        break;
    case EVENT_WAIT_BEGIN:
        self->wait_times = engine_wait_begin(engine, self->thread, event->object);
        break;
    case EVENT_WAIT_END:
        engine_wait_end(engine, self->thread, event->object, self->wait_times);
        break;
    case EVENT_SYNC_RELEASE:
        engine_sync_release(engine, self->thread, event->object);
        break;
    case EVENT_SYNC_ACQUIRE:
        engine_sync_acquire(engine, self->thread, event->object);
        break;
    case EVENT_START:
        event_start_thread(engine, threads, event->object, self->thread);
        break;
    case EVENT_END:
        engine_thread_end(engine, self->thread);
        break;
    case EVENT_JOIN:
        engine_thread_join(engine, self->thread, threads[event->object].thread,
                           threads[event->object].birth);
        break;
    default:
        break;
    }
}
