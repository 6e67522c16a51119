/*
 * report_fold: one mistake that is found in several blocks.
 *
 * What breaks a block breaks all blocks around it, at the same places: the method that should be
 * atomic, the one that calls it, and so on. One report tells it, with the names of the others.
 */
#ifndef TURNSTILE_REPORT_REPORT_FOLD_H
#define TURNSTILE_REPORT_REPORT_FOLD_H

#include <stddef.h>

#include "base/arena.h"
#include "base/finding.h"

struct report_fold {
    const struct finding *finding; /* the strongest; of several such, the innermost block */
    size_t position;               /* in the list */
    const struct finding **others;
    size_t other_count;
};

/* Each finding of the list is in one of them, alone or with others. In the arena; NULL without
   memory, or if there are no findings. */
struct report_fold *report_fold_all(struct arena *arena, const struct finding_list *list,
                                    size_t *count);

#endif
