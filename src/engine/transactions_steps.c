/*
 * How one transaction came to be after another. Ways share their beginnings and ends, so one more
 * conflict costs one step; a step lives as long as a row or another step refers to it. Nothing but
 * reports depends on steps.
 */
#include "engine/transactions_internal.h"

#define LENGTH_MAX (TRANSACTIONS_PATH_MAX - 1)

uint32_t transactions_step_keep(struct transactions *transactions, uint32_t step)
{
    if (step)
        step_at(transactions, step)->references++;
    return step;
}

/* Only as deep as a way is long: a step is at least one longer than each that it refers to. */
void transactions_step_drop(struct transactions *transactions, uint32_t step)
{
    while (step) {
        struct step *dropped = step_at(transactions, step);
        if (--dropped->references > 0)
            return;
        transactions_step_drop(transactions, dropped->behind);
        uint32_t before = dropped->before;
        transactions_pool_give(&transactions->steps, step);
        step = before;
    }
}

static uint32_t first_of(const struct transactions *transactions, uint32_t step)
{
    while (step_at(transactions, step)->before)
        step = step_at(transactions, step)->before;
    return step;
}

static const struct conflict *last_of(const struct transactions *transactions, uint32_t step)
{
    while (step_at(transactions, step)->behind)
        step = step_at(transactions, step)->behind;
    return &step_at(transactions, step)->conflict;
}

static struct step *take(struct transactions *transactions, uint32_t *number)
{
    *number = transactions_pool_take(&transactions->steps);
    if (!*number)
        return NULL;
    struct step *step = step_at(transactions, *number);
    step->references = 1;
    step->before = step->behind = 0;
    step->length = 1;
    step->cut = false;
    return step;
}

uint32_t transactions_step_new(struct transactions *transactions, uint32_t before,
                               const struct conflict *conflict)
{
    uint32_t number;
    struct step *step = take(transactions, &number);
    if (!step)
        return STEP_UNKNOWN;
    step->conflict = *conflict;
    if (before == STEP_HERE)
        return number;
    step->cut = before == STEP_UNKNOWN;
    if (before == STEP_UNKNOWN)
        return number;
    if (step_at(transactions, before)->length == LENGTH_MAX) {
        before = first_of(transactions, before);
        step->cut = true;
    }
    step->before = transactions_step_keep(transactions, before);
    step->length += step_at(transactions, before)->length;
    step->cut |= step_at(transactions, before)->cut;
    return number;
}

uint32_t transactions_step_join(struct transactions *transactions, uint32_t before, uint32_t behind)
{
    if (!before || !behind)
        return STEP_UNKNOWN;
    uint32_t length = step_at(transactions, before)->length + step_at(transactions, behind)->length;
    if (length > LENGTH_MAX) {
        const struct conflict conflict = *last_of(transactions, behind);
        uint32_t number =
            transactions_step_new(transactions, first_of(transactions, before), &conflict);
        if (number)
            step_at(transactions, number)->cut = true;
        return number;
    }
    uint32_t number;
    struct step *step = take(transactions, &number);
    if (!step)
        return STEP_UNKNOWN;
    step->before = transactions_step_keep(transactions, before);
    step->behind = transactions_step_keep(transactions, behind);
    step->length = length;
    step->cut = step_at(transactions, before)->cut || step_at(transactions, behind)->cut;
    return number;
}

uint32_t transactions_step_first_location(const struct transactions *transactions, uint32_t step)
{
    if (!step)
        return 0;
    return step_at(transactions, first_of(transactions, step))->conflict.earlier.location;
}

uint32_t transactions_step_path(const struct transactions *transactions, uint32_t number,
                                struct conflict *conflicts, bool *whole)
{
    if (!number) {
        *whole = false;
        return 0;
    }
    const struct step *step = step_at(transactions, number);
    uint32_t count = 0;
    *whole = !step->cut;
    if (step->before)
        count = transactions_step_path(transactions, step->before, conflicts, whole);
    if (step->behind)
        count += transactions_step_path(transactions, step->behind, conflicts + count, whole);
    else
        conflicts[count++] = step->conflict;
    *whole = !step->cut;
    return count;
}
