/*
 * race: the report of two accesses, and a filter for those that say the same again.
 *
 * A race record is a copy of what was known when it was made. Its lockset ids stay good as long as
 * the engine; locations, stacks, fields, keys and thread names are the caller's own numbers.
 */
#ifndef TURNSTILE_ENGINE_RACE_H
#define TURNSTILE_ENGINE_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/builder.h"
#include "base/intmap.h"
#include "engine/spin.h"

/* From weak to strong. */
enum race_grade {
    RACE_NONE,
    RACE_DISCIPLINE, /* no common lock, but ordered by start, join, a queue, ... */
    RACE_PREDICTED,  /* no common lock, and at most ordered by the hand-over of other locks */
    RACE_OBSERVED,   /* not ordered at all in this run */
};

struct race_side {
    uint64_t thread;   /* the name that the caller gave it; 0: not known any more */
    uint64_t segment;  /* of the slot */
    uint32_t slot;     /* 0: nothing is known of this access */
    uint32_t lockset;  /* the locks that count for it; LOCKSET_ALL: not known */
    uint32_t shared;   /* those that were held in shared mode only, whether they count or not;
                          LOCKSET_ALL: some, but not known any more which */
    uint32_t location; /* 0: not known */
    uint32_t stack;    /* 0: not known */
    bool write;
};

struct race {
    enum race_grade grade;
    uint32_t field;
    uint32_t key;
    bool locks_alone; /* nothing is known but which locks were held */
    uint32_t between; /* predicted: the lock that the later thread took before its access, by which
                         the earlier one was over for it; 0: not known */
    bool kept_apart; /* one side has a lock to itself that the other, a write, holds in shared mode,
                        so that it does not count; not looked at if locks_alone */
    struct race_side earlier;
    struct race_side later;
};

/* "observed", "predicted", "discipline", "none". */
const char *race_grade_name(enum race_grade grade);

/* What a report says of the race. `variable` and `between`, empty if not known, are names. */
void race_explain(struct builder *to, const struct race *race, struct text variable,
                  struct text between);

/* Tells the first report of a (field, pair of locations) from its repetitions. For any number of
   threads; bounded: after `limit` different ones, new ones count as repeated. */
struct race_filter {
    struct spin lock;
    struct intmap seen; /* from a 64-bit mix of the three to grade and count */
    size_t limit;
    uint64_t repeated;
};

void race_filter_init(struct race_filter *filter, size_t limit);
void race_filter_release(struct race_filter *filter);

/* True when this is new, or stronger than all that were reported for the same place. `count`,
   unless NULL, gets how many there were with this one. Without memory every report is new. */
bool race_filter_add(struct race_filter *filter, const struct race *race, uint64_t *count);

/* How many there were of this field and pair of locations. */
uint64_t race_filter_count(struct race_filter *filter, const struct race *race);

#endif
