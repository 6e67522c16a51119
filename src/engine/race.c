#include "engine/race.h"

#include <string.h>

#include "engine/cache.h"
#include "engine/lockset.h"

#define GRADE_BITS 2u

const char *race_grade_name(enum race_grade grade)
{
    switch (grade) {
    case RACE_DISCIPLINE:
        return "discipline";
    case RACE_PREDICTED:
        return "predicted";
    case RACE_OBSERVED:
        return "observed";
    case RACE_NONE:
        break;
    }
    return "none";
}

static void explain_order(struct builder *to, const struct race *race, struct text between)
{
    if (race->locks_alone) {
        builder_add_string(
            to, "no lock is held at every access; what else orders them was not looked at.");
        return;
    }
    if (race->grade == RACE_OBSERVED) {
        builder_add_string(
            to, "nothing orders the two accesses, so either may come first, or both at once.");
        return;
    }
    if (race->kept_apart) {
        builder_add_string(to, "the lock that is held at both accesses is held in shared mode (a "
                               "read lock) at a write. That keeps these two apart, but not that "
                               "write and others who hold the lock in shared mode.");
        return;
    }
    builder_add_string(to, "no lock is held at both accesses");
    if (race->grade != RACE_PREDICTED) {
        builder_add_string(to, "; something other than a lock ordered them.");
        return;
    }
    if (between.length)
        builder_add_format(to,
                           ". In this run %.*s came between them: the second thread took it before "
                           "its access, when the first access was over.",
                           TEXT_ARGUMENTS(between));
    else
        builder_add_string(to, ". In this run a lock that was handed over came between them.");
    builder_add_string(to, " In another run nothing may, unless the second thread goes on only if "
                           "it finds that the first has done something under that lock.");
}

static bool is_shared_write(const struct race_side *side)
{
    return side->write && side->shared != LOCKSET_EMPTY;
}

void race_explain(struct builder *to, const struct race *race, struct text variable,
                  struct text between)
{
    builder_add_format(to, "Two threads access %.*s, at least one writes, and ",
                       TEXT_ARGUMENTS(variable));
    explain_order(to, race, between);
    if (!race->kept_apart && (is_shared_write(&race->earlier) || is_shared_write(&race->later)))
        builder_add_string(to, " A lock that is held in shared mode (a read lock) does not protect "
                               "a write: others can hold it at the same time.");
}

void race_filter_init(struct race_filter *filter, size_t limit)
{
    memset(filter, 0, sizeof *filter);
    intmap_init(&filter->seen);
    filter->limit = limit;
}

void race_filter_release(struct race_filter *filter)
{
    intmap_release(&filter->seen);
}

/* The order of the two locations does not matter. */
static uint64_t key_of(const struct race *race)
{
    uint64_t low = race->earlier.location, high = race->later.location;
    if (low > high) {
        low = race->later.location;
        high = race->earlier.location;
    }
    uint64_t key = cache_mix(cache_mix(high << 32 | low) + race->field);
    return key == INTMAP_NO_KEY ? 0 : key;
}

bool race_filter_add(struct race_filter *filter, const struct race *race, uint64_t *count)
{
    uint64_t key = key_of(race), known = 0;
    spin_lock(&filter->lock);
    bool there = intmap_get(&filter->seen, key, &known);
    bool fits = there || filter->seen.count < filter->limit;
    enum race_grade strongest = (enum race_grade)(known & ((1u << GRADE_BITS) - 1));
    uint64_t number = (known >> GRADE_BITS) + 1;
    bool news = fits && race->grade > strongest;
    if (news)
        strongest = race->grade;
    if (fits)
        intmap_put(&filter->seen, key, number << GRADE_BITS | strongest);
    if (!news)
        filter->repeated++;
    spin_unlock(&filter->lock);
    if (count)
        *count = number;
    return news;
}

uint64_t race_filter_count(struct race_filter *filter, const struct race *race)
{
    uint64_t known = 0;
    spin_lock(&filter->lock);
    if (!intmap_get(&filter->seen, key_of(race), &known))
        known = 0;
    spin_unlock(&filter->lock);
    return known >> GRADE_BITS;
}
