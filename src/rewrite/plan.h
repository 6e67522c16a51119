/*
 * plan: what is to be inserted into one method, and where; filled by method_editor, read by those
 * that carry it out (layout, emit, remap, frame_plan, exits).
 *
 * Everything hangs in the method's scratch arena.
 */
#ifndef TURNSTILE_REWRITE_PLAN_H
#define TURNSTILE_REWRITE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/problem.h"
#include "rewrite/code_image.h"

enum plan_kind { PLAN_BEFORE, PLAN_REPLACE, PLAN_AFTER };

/* One image at one place; places ascend with the code: see plan_place. */
struct plan_item {
    uint32_t place;
    const struct code_image *image;
};

static inline uint32_t plan_place(uint32_t instruction, enum plan_kind kind)
{
    return instruction << 2 | kind;
}

/* Images that are used one behind the other. */
struct plan_images {
    const struct code_image **items;
    uint32_t count, capacity;
    uint32_t length; /* bytes of all */
};

/* A local that an entry snippet sets for the whole method. */
struct plan_kept {
    struct text descriptor;
    uint16_t local;
};

struct plan {
    struct arena *arena;
    struct plan_item *items;
    uint32_t item_count, item_capacity;
    bool unsorted;                 /* some item was added with a place below the one before */
    const struct code_image *last; /* the image made last: the next plan often uses it again */
    struct plan_images entry, returns, throws;
    struct plan_kept *kept;
    uint32_t kept_count, kept_capacity;
    /* over all images */
    uint64_t length; /* bytes of all, each counted once per plan */
    uint32_t local_end;
    int32_t growth;       /* in the code */
    int32_t throw_growth; /* in the exceptional exits, above the exception */
    bool writes_this;     /* some image stores into local 0 */
    bool types_needed;    /* some image branches or does not fall through */
};

void plan_init(struct plan *plan, struct arena *arena);

/* The image of the snippet, the last one again if it is the same. NULL with the problem set. */
const struct code_image *plan_image(struct plan *plan, const struct snippet *snippet,
                                    struct problem *problem);

/* False if memory ran out. */
bool plan_add(struct plan *plan, uint32_t place, const struct code_image *image);
bool plan_add_image(struct plan *plan, struct plan_images *images, const struct code_image *image);
bool plan_add_kept(struct plan *plan, uint16_t local, struct text descriptor);

/* Sorts the items by place; those at one place stay in the order of planning. `instructions` is the
   number of instructions in the method. False if memory ran out. */
bool plan_sort(struct plan *plan, uint32_t instructions);

static inline bool plan_is_empty(const struct plan *plan)
{
    return !plan->item_count && !plan->entry.count && !plan->returns.count && !plan->throws.count;
}

#endif
