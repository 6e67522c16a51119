/*
 * frames_internal: what the two ways to compute frames share. Only for src/bytecode/frames*.c.
 */
#ifndef TURNSTILE_BYTECODE_FRAMES_INTERNAL_H
#define TURNSTILE_BYTECODE_FRAMES_INTERNAL_H

#include "bytecode/frames.h"

/* Frames are dense: places of all blocks together. No compiler comes near this; a hostile file
 * could ask for gigabytes. */
enum { FRAMES_PLACE_LIMIT = 1 << 24 };

/* Places looked at in one method. The largest methods that compilers make need less than a
 * hundredth. */
enum { FRAMES_WORK_LIMIT = 1 << 27 };

/* One method in work. */
struct frames_maker {
    struct frames *frames;
    const struct bytecode *bytecode;
    const struct flow *flow;
    const struct code *code;
    struct type_table *table;
    struct arena *arena;
    struct problem *problem;
    struct frame current; /* the frame that instructions change, with arrays of its own */
    uint64_t places;      /* allocated so far, see FRAMES_PLACE_LIMIT */
    uint64_t work;        /* places looked at so far, see FRAMES_WORK_LIMIT */
};

bool frames_from_stack_map(struct frames_maker *maker);
bool frames_from_data_flow(struct frames_maker *maker);

/* Sets a problem at an instruction (`count`: the end of the code). Returns false. */
bool frames_fail(struct frames_maker *maker, uint32_t instruction, const char *format, ...)
    __attribute__((cold, format(printf, 3, 4)));
bool frames_fail_memory(struct frames_maker *maker);

/* False after setting the problem if that is more than anybody waits for. */
bool frames_count_work(struct frames_maker *maker, uint32_t places);

/* An array of places, counted against the limit; NULL after setting the problem. */
frame_type *frames_new_places(struct frames_maker *maker, uint32_t count);

/* A frame with arrays of its own, holding nothing. */
bool frames_new_frame(struct frames_maker *maker, struct frame *frame);

/* Copies what the frame holds; `to` has arrays of its own of the same size. */
void frames_assign(struct frame *to, const struct frame *from);

/* frame_execute on the current frame; a problem gets the place of the instruction. */
bool frames_execute(struct frames_maker *maker, uint32_t instruction);

/* Whether the instruction can go on to the one behind it (a jsr does not). */
bool frames_goes_on(const struct bytecode *bytecode, uint32_t instruction);

#endif
