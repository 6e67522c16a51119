#include "report/report_fold.h"

#include <stdlib.h>

#include "base/order.h"

struct entry {
    const struct finding *finding;
    const struct finding_stack *entered; /* NULL if it is not about the execution of a block */
    size_t depth;                        /* how far inside of the block it commits */
    size_t position;
};

static const struct finding_stack *stack_of(const struct finding *finding, const char *role)
{
    for (size_t i = 0; i < finding->stack_count; i++)
        if (text_is(finding->stacks[i].role, role))
            return &finding->stacks[i];
    return NULL;
}

static struct entry entry_of(const struct finding *finding, size_t position)
{
    struct entry entry = {.finding = finding, .position = position};
    if (finding->rule != FINDING_ATOMICITY)
        return entry;
    const struct finding_stack *commits = stack_of(finding, "commits at");
    entry.entered = stack_of(finding, "entered");
    if (entry.entered && commits && commits->frame_count > entry.entered->frame_count)
        entry.depth = commits->frame_count - entry.entered->frame_count;
    return entry;
}

/* The next stack, from that one on, that says where the block is broken: neither where it begins
   nor what others do. */
static const struct finding_stack *next_place(const struct entry *entry, size_t *next)
{
    const struct finding *finding = entry->finding;
    struct text name;
    while (*next < finding->stack_count) {
        const struct finding_stack *stack = &finding->stacks[(*next)++];
        if (stack != entry->entered && !text_starts_with(stack->role, TEXT("meanwhile")) &&
            !finding_started_thread(stack->role, &name))
            return stack;
    }
    return NULL;
}

static int compare_tops(const struct finding_stack *a, const struct finding_stack *b)
{
    int order = order_of(a->frame_count > 0, b->frame_count > 0);
    if (order || !a->frame_count)
        return order;
    order = text_compare(a->frames[0].class_name, b->frames[0].class_name);
    if (!order)
        order = text_compare(a->frames[0].method, b->frames[0].method);
    return order ? order : order_of(a->frames[0].line, b->frames[0].line);
}

/* 0: blocks that are broken at the same places. All other findings differ. */
static int compare_places(const struct entry *a, const struct entry *b)
{
    int order = order_of(!a->entered, !b->entered);
    if (order || !a->entered)
        return order ? order : order_of(a->position, b->position);
    size_t next_a = 0, next_b = 0;
    const struct finding_stack *place_a, *place_b;
    do {
        place_a = next_place(a, &next_a);
        place_b = next_place(b, &next_b);
        order = order_of(place_a != NULL, place_b != NULL);
        if (!order && place_a)
            order = text_compare(place_a->role, place_b->role);
        if (!order && place_a)
            order = compare_tops(place_a, place_b);
    } while (!order && place_a);
    return order;
}

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;
    int order = compare_places(a, b);
    if (!order)
        order = order_of(b->finding->grade, a->finding->grade);
    if (!order)
        order = order_of(a->depth, b->depth);
    return order ? order : order_of(a->position, b->position);
}

struct report_fold *report_fold_all(struct arena *arena, const struct finding_list *list,
                                    size_t *count)
{
    const size_t all = list->items.count;
    *count = 0;
    if (!all)
        return NULL;
    struct entry *entries = ARENA_ARRAY(arena, struct entry, all);
    const struct finding **findings = ARENA_ARRAY(arena, const struct finding *, all);
    struct report_fold *folds = ARENA_ARRAY(arena, struct report_fold, all);
    if (arena->failed)
        return NULL;
    for (size_t i = 0; i < all; i++)
        entries[i] = entry_of(list->items.items[i], i);
    qsort(entries, all, sizeof *entries, compare_entries);
    for (size_t i = 0; i < all; i++) {
        findings[i] = entries[i].finding;
        if (i && compare_places(&entries[i - 1], &entries[i]) == 0)
            folds[*count - 1].other_count++;
        else
            folds[(*count)++] = (struct report_fold){.finding = entries[i].finding,
                                                     .position = entries[i].position,
                                                     .others = &findings[i + 1]};
    }
    return folds;
}
