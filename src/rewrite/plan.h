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
    uint32_t length; /* of the image */
    const struct code_image *image;
};

/* Behind all places of a method. */
#define PLAN_NOWHERE UINT32_MAX

static inline uint32_t plan_place(uint32_t instruction, enum plan_kind kind)
{
    return instruction << 2 | kind;
}

/* Images that are used one behind the other. */
struct plan_images {
    const struct code_image **items; /* `few` as long as that is enough */
    uint32_t count, capacity;
    uint32_t length; /* bytes of all */
    const struct code_image *few[2];
};

/* What exceptions go through on their way to a handler. */
struct plan_detour {
    uint32_t handler; /* the instruction that it begins with */
    struct plan_images images;
};

/* A local that an entry snippet sets for the whole method. */
struct plan_kept {
    struct text descriptor;
    uint16_t local;
};

/* An image that has passed all checks at one place, to be planned at others of the same kind as
   long as the snippet stays the same. The version is that of no snippet as long as there is none.
 */
struct plan_repeat {
    uint64_t version;
    const struct code_image *image;
    uint32_t length;
};

struct plan {
    struct arena *arena;
    struct plan_item *items; /* sorted: with one more behind the last, which is at PLAN_NOWHERE */
    uint32_t item_count, item_capacity;
    uint32_t last_place;            /* of the item that was added last */
    bool unsorted;                  /* some item was added with a place below the one before */
    uint32_t instructions;          /* in the method; set when it is decoded */
    const struct code_image *last;  /* the image made last: the next plan often uses it again */
    const struct code_image *noted; /* the image of the last item: see `over all images` */
    struct plan_repeat repeat;      /* of the last item before an instruction */
    struct plan_images entry, returns, throws;
    struct plan_detour *detours;
    uint32_t detour_count, detour_capacity;
    struct plan_kept *kept;
    uint32_t kept_count, kept_capacity;
    /* over all images */
    uint64_t length;  /* bytes of those that are not items: entry, returns and throws */
    uint32_t longest; /* bytes of the longest */
    uint32_t local_end;
    int32_t growth;       /* in the code */
    int32_t throw_growth; /* in exceptional exits and detours, above the exception */
    bool writes_this;     /* some image stores into local 0 */
    bool replaces;        /* some item is a replacement */
    bool types_needed;    /* some image branches or does not fall through */
};

void plan_init(struct plan *plan, struct arena *arena);

/* The image of the snippet, the last one again if it is the same. NULL with the problem set. */
const struct code_image *plan_other_image(struct plan *plan, const struct snippet *snippet,
                                          struct problem *problem);

/* The same, with a short way for the snippet that was used last. */
static inline const struct code_image *plan_image(struct plan *plan, const struct snippet *snippet,
                                                  struct problem *problem)
{
    if (plan->last && code_image_is_current(plan->last, snippet))
        return plan->last;
    return plan_other_image(plan, snippet, problem);
}

/* The short way for the snippet that was last planned before an instruction, here before another
   and further on in the code: false says only that it must go the long way. */
static inline bool plan_again(struct plan *plan, const struct snippet *snippet, uint32_t place)
{
    const struct plan_repeat *repeat = &plan->repeat;
    const uint32_t count = plan->item_count;
    if (repeat->version != snippet->version || count == plan->item_capacity ||
        place < plan->last_place)
        return false;
    plan->items[count] = (struct plan_item){place, repeat->length, repeat->image};
    plan->item_count = count + 1;
    plan->last_place = place;
    return true;
}

/* False if memory ran out. */
bool plan_add(struct plan *plan, uint32_t place, const struct code_image *image);
bool plan_add_image(struct plan *plan, struct plan_images *images, const struct code_image *image);
bool plan_add_detour(struct plan *plan, uint32_t handler, const struct code_image *image);
bool plan_add_kept(struct plan *plan, uint16_t local, struct text descriptor);

/* When all is planned: sorts the items by place; those at one place stay in the order of planning.
   False if memory ran out. */
bool plan_sort(struct plan *plan);

static inline bool plan_is_empty(const struct plan *plan)
{
    return !plan->item_count && !plan->entry.count && !plan->returns.count && !plan->throws.count &&
           !plan->detour_count;
}

#endif
