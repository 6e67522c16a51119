/*
 * frame_plan: the StackMapTable of a rewritten method.
 *
 * Two ways. If the insertions neither branch nor keep locals, the frames that were there are still
 * right: only their distances change, and the exceptional exits get frames at the end
 * (frame_plan_shift, cheap). Otherwise the types in the method are computed, each inserted piece
 * with branches is executed symbolically from the frame at its place, and the table is written anew
 * (frame_plan_typed).
 */
#ifndef TURNSTILE_REWRITE_FRAME_PLAN_H
#define TURNSTILE_REWRITE_FRAME_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "rewrite/exits.h"
#include "rewrite/layout.h"
#include "rewrite/method_types.h"

struct frame_request {
    struct class_editor *editor;
    struct arena *scratch;
    const struct layout *layout;
    const struct exits *exits;
    struct method_types *types;
    uint16_t max_locals, max_stack; /* of the new code */
    bool this_kept; /* local 0 is `this` wherever an exceptional exit may be entered from */
};

enum frame_plan_result {
    FRAME_PLAN_DONE,
    FRAME_PLAN_TOO_LARGE, /* see the problem */
    FRAME_PLAN_FAILED,    /* see the problem */
    FRAME_PLAN_DROPPED    /* the table that a method of version 50 had does not fit, so that the JVM
                             does not use it: it goes away */
};

/* Whether the JVM checks this method with a StackMapTable: not before version 50, and in version 50
   only if the method has one or needs none (a class with another method goes back to the older
   verifier as a whole, which uses no table). */
bool frame_plan_wanted(const struct bytecode *bytecode);

/* Whether local 0 is `this` in all of the method: never stored to, and in every frame. */
bool frame_plan_this_kept(const struct bytecode *bytecode, const struct plan *plan);

/* *map gets the table, in the class's arena; NULL if it has no entries. */
enum frame_plan_result frame_plan_shift(const struct frame_request *request, struct stack_map **map,
                                        struct problem *problem);
enum frame_plan_result frame_plan_typed(const struct frame_request *request, struct stack_map **map,
                                        struct problem *problem);

#endif
