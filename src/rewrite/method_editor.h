/*
 * method_editor: insertions into the code of one method, planned first, then carried out at once.
 *
 *     method_editor_init(&edit, &editor, method, &scratch, types, &problem)
 *     method_editor_before(&edit, 7, &snippet);          any number of plans, in any order
 *     method_editor_apply(&edit, &problem)               the method gets new code, or stays as it
 *                                                        was
 *
 * Where things go. Around instruction i stand, in this order: the snippets placed after i-1, then
 * the label of i, then the snippets before i, then i (or its replacement), then the snippets after
 * i. Whoever jumps to i, and every table that names i's start (handlers, ranges, line numbers,
 * local variables), means the label; an allocation site (uninitialized types, type annotations)
 * means i itself. Several snippets at one place run in the order in which they were planned. One
 * exception: the range of a handler that starts behind a monitorenter takes in the snippets after
 * that, and the range of a handler that leaves a monitor, where it ends behind a monitorexit, does
 * not.
 *
 * What is kept right: branch distances (goto, jsr and conditional branches are widened where
 * needed), switch padding, handler ranges, LineNumberTable, LocalVariable(Type)Table, type
 * annotations, StackMapTable (with frames at branch targets inside snippets), max_stack,
 * max_locals. In files before version 50 no frames are written. Attributes of the code that are not
 * decoded are kept unless they are known to hold code offsets: see remap.h.
 *
 * A plan that cannot be (a snippet that has failed or leaves another stack depth than its place
 * asks for, a place where it may not stand) returns false; apply then fails and says why.
 */
#ifndef TURNSTILE_REWRITE_METHOD_EDITOR_H
#define TURNSTILE_REWRITE_METHOD_EDITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/problem.h"
#include "bytecode/decode.h"
#include "bytecode/frames.h"
#include "rewrite/class_editor.h"
#include "rewrite/layout.h"
#include "rewrite/plan.h"
#include "rewrite/snippet.h"

struct method_editor {
    struct class_editor *editor;
    struct member *method;
    struct bytecode bytecode;
    struct arena *arena; /* scratch: the caller clears it between methods; not the class's arena */
    struct type_table *types; /* of the class; may be NULL: then one is made when it is needed */
    struct plan plan;
    uint16_t max_locals;               /* grows by method_editor_new_local */
    bool too_many_locals;              /* it would have to grow past 65,535 */
    struct problem problem;            /* the first plan that could not be */
    const struct layout_place *places; /* of apply; NULL while the code is as it was */
};

/* Decodes the method's code (it must have some). False with the problem set if that fails. */
bool method_editor_init(struct method_editor *edit, struct class_editor *editor,
                        struct member *method, struct arena *scratch, struct type_table *types,
                        struct problem *problem);

/* The number of a fresh local of 1 or 2 slots. It is scratch: valid from where a snippet stores it
   to the end of that snippet. */
uint16_t method_editor_new_local(struct method_editor *edit, unsigned slots);

/* A fresh local with a descriptor that an entry snippet stores, and that every later snippet of the
   method, also those at exceptional exits, may load. */
uint16_t method_editor_new_kept_local(struct method_editor *edit, struct text descriptor);

/* What method_editor_before does, for all cases; to be called through that. */
bool method_editor_before_slowly(struct method_editor *edit, uint32_t instruction,
                                 const struct snippet *snippet);

/* Plans. The snippet's content is copied. */
static inline bool method_editor_before(struct method_editor *edit, uint32_t instruction,
                                        const struct snippet *snippet)
{
    return (instruction < edit->bytecode.count &&
            plan_again(&edit->plan, snippet, plan_place(instruction, PLAN_BEFORE))) ||
           method_editor_before_slowly(edit, instruction, snippet);
}
/* On the way to the next instruction only: false for an instruction that never goes on to the next,
   and for jsr, whose way to the next leads through ret. */
bool method_editor_after(struct method_editor *edit, uint32_t instruction,
                         const struct snippet *snippet);
/* Instead of an instruction that is no branch, switch or return; once per instruction. The snippet
   must change the stack depth as the instruction does. An empty snippet leaves a nop. */
bool method_editor_replace(struct method_editor *edit, uint32_t instruction,
                           const struct snippet *snippet);
/* Once, before everything else: not again when a loop jumps back to the first instruction. */
bool method_editor_at_entry(struct method_editor *edit, const struct snippet *snippet);
/* Before every return instruction, behind the snippets that are planned before it; the returned
   value is on the stack. */
bool method_editor_at_return(struct method_editor *edit, const struct snippet *snippet);
/* When an exception leaves the method: the exception is on the stack and is thrown on. Locals:
   `this` where the method never overwrites it, and kept locals; in a constructor, where the same
   snippet also stands for exceptions before super(), kept locals only. Covers the whole body except
   the entry and return snippets, the return instructions and, in a constructor, the call of super()
   or this() itself: the verifier allows no handler there (see exits.h). */
bool method_editor_at_throw(struct method_editor *edit, const struct snippet *snippet);

/* When an exception goes to the handler that begins with the instruction, except from the handler's
   own code: the exception is on the stack and goes on. Locals: those that the handler may use, and
   kept ones. All ranges of the handler must catch everything. Once for a handler. */
bool method_editor_at_handler(struct method_editor *edit, uint32_t instruction,
                              const struct snippet *snippet);

enum rewrite_result {
    REWRITE_DONE,
    REWRITE_UNCHANGED, /* nothing was planned */
    REWRITE_TOO_LARGE, /* the code would pass 65,535 bytes (or a table, the stack or the locals
                          their limit): the method is as it was; see the problem */
    REWRITE_FAILED     /* bad code, bad plan, full pool or no memory: the method is as it was; see
                          the problem */
};

/* Once. Constants may have been added to the class even if the method stays as it was. */
enum rewrite_result method_editor_apply(struct method_editor *edit, struct problem *problem);

/* After apply: the code offset of an instruction, and where it ends with the snippets after it. */
uint32_t method_editor_start(const struct method_editor *edit, uint32_t instruction);
uint32_t method_editor_end(const struct method_editor *edit, uint32_t instruction);

#endif
