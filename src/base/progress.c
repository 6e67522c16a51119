#include "base/progress.h"

#include <stdio.h>

#include "base/moment.h"

#define MILLISECONDS_BETWEEN 100u

void progress_init(struct progress *progress, struct diagnostics *diagnostics, const char *verb,
                   const char *noun, size_t total)
{
    progress->diagnostics = diagnostics;
    progress->verb = verb;
    progress->noun = noun;
    progress->shown = diagnostics->terminal && !diagnostics->quiet;
    progress->milliseconds = moment_milliseconds;
    atomic_init(&progress->total, total);
    atomic_init(&progress->done, 0);
    atomic_init(&progress->next_time, moment_milliseconds() + MILLISECONDS_BETWEEN);
}

void progress_set_total(struct progress *progress, size_t total)
{
    atomic_store_explicit(&progress->total, total, memory_order_relaxed);
}

static void draw(struct progress *progress, size_t done, struct text where)
{
    char line[512];
    size_t total = atomic_load_explicit(&progress->total, memory_order_relaxed);
    int length;
    if (where.length > 256)
        where.length = 256;
    if (total)
        length = snprintf(line, sizeof line, "%s %zu/%zu %s  %.*s", progress->verb, done, total,
                          progress->noun, TEXT_ARGUMENTS(where));
    else
        length = snprintf(line, sizeof line, "%s %zu %s  %.*s", progress->verb, done,
                          progress->noun, TEXT_ARGUMENTS(where));
    if (length > 0)
        diagnostics_status(progress->diagnostics, text_from(line));
}

void progress_step(struct progress *progress, struct text where)
{
    size_t done = atomic_fetch_add_explicit(&progress->done, 1, memory_order_relaxed) + 1;
    if (!progress->shown)
        return;
    uint64_t now = progress->milliseconds();
    uint64_t next_time = atomic_load_explicit(&progress->next_time, memory_order_relaxed);
    /* Of several threads that find the time come, the one that moves it on draws. */
    if (now >= next_time && atomic_compare_exchange_strong(&progress->next_time, &next_time,
                                                           now + MILLISECONDS_BETWEEN))
        draw(progress, done, where);
}

void progress_finish(struct progress *progress)
{
    if (progress->shown)
        diagnostics_status(progress->diagnostics, TEXT(""));
}
