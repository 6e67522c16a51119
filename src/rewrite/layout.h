/*
 * layout: where everything of a method stands after its plan is carried out.
 *
 *     entry snippets
 *     for each instruction i:  label i, snippets before i, [return snippets], i or its replacement,
 *                              snippets after i
 *     label `count`: the end of the body
 *     the exceptional exits
 *
 * The layout comes about by writing the code: see emit.h.
 *
 * A branch whose distance no longer fits into two bytes is widened: goto and jsr become goto_w and
 * jsr_w, a conditional branch becomes its opposite around a goto_w. Widening makes the code longer,
 * so this goes on until every branch fits; it starts with none widened, so none is without need.
 */
#ifndef TURNSTILE_REWRITE_LAYOUT_H
#define TURNSTILE_REWRITE_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "bytecode/decode.h"
#include "rewrite/plan.h"

enum {
    LAYOUT_LARGEST_CODE = 65535,
    LAYOUT_WIDENED_CONDITION = 8, /* bytes of a widened conditional branch */
    LAYOUT_WIDENED_GOTO = 5
};

/* Code offsets of one instruction. */
struct layout_place {
    uint32_t label;
    uint32_t start; /* of the instruction itself or of its replacement */
};

struct layout {
    const struct bytecode *bytecode;
    const struct plan *plan;
    struct layout_place *places; /* by instruction number; for `count` only the label */
    bool *widened;               /* by instruction number; NULL if there is none */
    bool conditions_widened;
    uint32_t body_end; /* = places[count].label */
    uint8_t *code;     /* the body, and behind it room for the exceptional exits */
    uint32_t room;     /* for the body */
};

/* The plan is sorted. False if memory ran out. A body_end above LAYOUT_LARGEST_CODE says that the
   plan does not fit; then nothing else is filled in. The code goes into the class's arena, all else
   into the one that is given. */
bool layout_compute(struct layout *layout, struct arena *arena, const struct bytecode *bytecode,
                    const struct plan *plan);

/* The bytes that instruction i takes at that offset (without insertions; it is not replaced). */
uint32_t layout_size(const struct layout *layout, uint32_t instruction, uint32_t offset);

/* The offset of instruction i itself; of its copy in a replacement. */
uint32_t layout_site(const struct layout *layout, uint32_t instruction);

static inline bool layout_is_widened(const struct layout *layout, uint32_t instruction)
{
    return layout->widened && layout->widened[instruction];
}

static inline bool layout_is_return(const struct instruction *instruction)
{
    return instruction->opcode >= OP_IRETURN && instruction->opcode <= OP_RETURN;
}

/* What replaces instruction i, or NULL. */
const struct code_image *layout_replacement(const struct layout *layout, uint32_t instruction);

#endif
