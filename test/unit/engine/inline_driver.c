#include "inline_driver.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

static void note_race(void *context, const struct race *race)
{
    struct driver *driver = context;
    driver->races[race->field] = true;
    driver->raced |= UINT64_C(1) << driver->event;
}

void driver_start_thread(struct driver *driver, unsigned number, struct thread *parent)
{
    for (unsigned i = 1; driver->spread && number && i < VARIABLE_SEEN; i++)
        engine_thread_end(driver->engine, engine_thread_start(driver->engine, NULL, 100));
    event_start_thread(driver->engine, driver->threads, number, parent);
}

void driver_start(struct driver *driver, bool leaves_out, bool spread)
{
    struct engine_options options;
    *driver = (struct driver){.leaves_out = leaves_out, .spread = spread};
    engine_options_default(&options);
    options.threads = options.dead_threads = 64;
    options.variables = 16;
    options.history = HISTORY_MAX;
    options.locksets = options.locks = options.syncs = options.sites = 64;
    options.report = note_race;
    options.context = driver;
    driver->engine = engine_new(&options);
    assert_non_null(driver->engine);
    driver_start_thread(driver, 0, NULL);
}

void driver_end(struct driver *driver)
{
    engine_free(driver->engine);
}

/* The owner's access: the word says when it was, and how long ago the last write. */
static bool own_alone(struct driver *driver, struct thread *thread, uint64_t *word, bool write)
{
    const uint64_t segment = thread_segment(thread);
    uint64_t distance = 0;
    if (word_is_shared(*word) || (*word && word_slot(*word) != thread->slot))
        return false;
    if (word_settled_covers(*word, thread_expected(thread), write)) {
        driver->left_out.settled++;
        return true;
    }
    if (driver->busy && word_busy_covers(*word, thread->slot, segment, write)) {
        driver->left_out.busy++;
        return true;
    }
    const uint64_t last = word_owned_segment(*word, segment);
    const uint32_t age = word_next_age(*word, last, segment);
    if (!write && *word && (word_is_written(*word) || word_distance(*word)))
        distance = segment - last + (word_is_written(*word) ? 0 : word_distance(*word));
    assert_true(distance < WORD_DISTANCE_MAX);
    thread_note_segment(thread);
    *word = word_of_owner(thread->slot, segment, write, (uint32_t)distance,
                          driver->busy && !age ? 1 : age);
    driver->left_out.owned++;
    return true;
}

static uint32_t exclusive_lock(const struct thread *thread, unsigned which)
{
    return which < thread->held_count && thread->held[which].exclusive ? thread->held[which].lock
                                                                       : 0;
}

/* What is known of an access of a shared variable: it need not be told. */
struct known {
    uint32_t lock;  /* the guard, or 0 */
    bool wrote;     /* a write need not be told either */
    bool says_more; /* the word may be replaced: the next one need not be told, in this segment */
};

static bool is_known_with(struct driver *driver, const struct thread *thread, uint64_t word,
                          bool write, struct known *known)
{
    if (engine_is_seen(driver->engine, thread, word, known->lock, write)) {
        known->wrote = engine_is_seen(driver->engine, thread, word, known->lock, true);
        known->says_more = true;
        return true;
    }
    known->wrote = write;
    return driver->busy &&
           engine_was_seen(driver->engine, thread, word, known->lock, write, &known->says_more);
}

static bool is_known(struct driver *driver, const struct thread *thread, uint64_t word, bool write,
                     struct known *known)
{
    known->lock = 0;
    bool found = is_known_with(driver, thread, word, write, known);
    for (unsigned i = 0; !found && i < LOCKS_MAX; i++) {
        known->lock = exclusive_lock(thread, i);
        found = known->lock && is_known_with(driver, thread, word, write, known);
    }
    return found;
}

bool driver_leave_out(struct driver *driver, struct thread *thread, uint64_t *word, bool write)
{
    struct known known;
    if (!is_known(driver, thread, *word, write, &known))
        return false;
    const bool replaces = known.says_more && !driver->keeps_words;
    const uint32_t handle = word_handle(*word);
    if (!known.lock && !known.wrote) {
        driver->left_out.reads++;
        if (replaces)
            *word = word_of_record(5, false, handle); /* slot 0, and something of the caller's */
        return true;
    }
    if (known.lock)
        driver->left_out.guarded++;
    else
        driver->left_out.alone++;
    if (replaces)
        *word = word_of_record(thread_expected(thread), known.wrote, handle);
    return true;
}

void driver_access(struct driver *driver, struct thread *thread, unsigned variable, bool write)
{
    uint64_t *word = &driver->words[variable];
    if (engine_is_repeated(thread, *word, write))
        return;
    if (driver->leaves_out &&
        (own_alone(driver, thread, word, write) || driver_leave_out(driver, thread, word, write)))
        return;
    driver->told |= UINT64_C(1) << driver->event;
    struct engine_access access = {.field = variable, .location = 1, .write = write};
    *word = engine_access(driver->engine, thread, &access, *word, NULL);
}
