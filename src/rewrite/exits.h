/*
 * exits: the handlers that catch whatever leaves a method by an exception, and the detours that
 * exceptions make on their way to a handler.
 *
 * They stand behind the body, and their entries at the end of the exception table, where they come
 * last. They cover the body except [return snippets, return instruction] pairs: there, the return
 * has been counted already.
 *
 * In a constructor `this` is of another type before and after the call of the other constructor
 * (super() or this()), so each part has a handler of its own. The call itself cannot be covered:
 * for the verifier of HotSpot `this` is initialized and the frame still marked as one where it is
 * not, and no frame of a handler fits that. An exception that comes out of the call leaves the
 * constructor unseen.
 *
 * Detours stand behind the exits. The ranges of their handler lead to them instead, except where
 * they take in the handler itself, and the handler has their own range. They throw on what they
 * caught, to the handler; so it is still reached by exceptions only.
 */
#ifndef TURNSTILE_REWRITE_EXITS_H
#define TURNSTILE_REWRITE_EXITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "rewrite/layout.h"

/* What `this` is at an instruction. */
enum exit_state {
    EXIT_INITIALIZED,   /* also in static methods */
    EXIT_UNINITIALIZED, /* in a constructor, before it has called another */
    EXIT_STATE_COUNT,
    EXIT_CONSTRUCTS = EXIT_STATE_COUNT /* of instructions only: that call itself */
};

struct exit_range {
    uint32_t start, end; /* code offsets */
    enum exit_state state;
};

struct exits {
    struct exit_range *ranges;
    uint32_t count;
    bool used[EXIT_STATE_COUNT];
    uint32_t handlers[EXIT_STATE_COUNT]; /* code offsets */
    uint32_t *detours;                   /* by number in the plan: code offsets */
    uint32_t code_end;                   /* of the method, with handlers and detours */
    uint16_t *numbers; /* by number in the old exception table: that in the new one, where a range
                          may have become two; NULL if all stay the same; see remap_handlers */
};

/* In a constructor whose first instructions go straight to the call of the other constructor and
   create no other object, with no handler around them: the number of that call. INSTRUCTION_NONE if
   it is not as simple as that: then only types can tell. */
uint32_t exits_simple_call(const struct bytecode *bytecode);

/* `states` has an exit_state for each instruction, or is NULL if all are EXIT_INITIALIZED.
   False if memory ran out. */
bool exits_compute(struct exits *exits, struct arena *arena, const struct layout *layout,
                   const uint8_t *states);

#endif
