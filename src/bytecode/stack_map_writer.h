/*
 * stack_map_writer: frames -> the entries of a StackMapTable, each in its shortest form.
 *
 *     stack_map_writer_init(&writer, arena, table, &initial, &names)
 *     stack_map_writer_add(&writer, 12, &frame)      in increasing order of offsets
 *     struct stack_map *map = stack_map_writer_finish(&writer)
 *
 * Each entry is encoded against the one before, the first against the method's initial frame
 * (frame_initial in frames.h, not the frame of block 0, which may be the head of a loop). The
 * second place of a long or double and unused locals at the end are left out, as the format has it.
 */
#ifndef TURNSTILE_BYTECODE_STACK_MAP_WRITER_H
#define TURNSTILE_BYTECODE_STACK_MAP_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vector.h"
#include "bytecode/frames.h"
#include "classfile/class_file.h"

/* How types are named in the class that the table is written for. */
struct stack_map_names {
    void *context;
    /* The index of a class constant of that name ("java/lang/String", "[I"); 0 if there is no room.
     */
    uint16_t (*class_index)(void *context, struct text name);
    /* The byte offset, in the new code, of the `new` with this instruction number. */
    uint32_t (*new_offset)(void *context, uint32_t instruction);
};

enum stack_map_failure {
    STACK_MAP_FINE,
    STACK_MAP_NO_MEMORY,
    STACK_MAP_POOL_FULL, /* class_index gave 0 */
    STACK_MAP_TOO_LARGE, /* more frames, or places in one, than the format can count; an offset past
                            65,535 */
    STACK_MAP_NOT_WRITABLE /* a frame that was not reached, or holds a return address */
};

struct stack_map_writer {
    struct arena *arena; /* the entries hang here */
    const struct type_table *table;
    const struct stack_map_names *names;
    VECTOR(struct stack_map_frame) frames;
    struct verification_type *locals; /* of the frame before, as the format counts them */
    uint16_t local_count;
    uint32_t last_offset;           /* of the frame before; meaningless while there is none */
    enum stack_map_failure failure; /* sticks */
};

/* False, with the failure set, if the initial frame cannot be expressed or memory ran out. The
   writer must be finished (or released) in either case. */
bool stack_map_writer_init(struct stack_map_writer *writer, struct arena *arena,
                           const struct type_table *table, const struct frame *initial,
                           const struct stack_map_names *names);

/* One frame more. An offset equal to the last one is ignored: whoever added it first has the same
   frame. False, with the failure set, if it (or something before it) failed. */
bool stack_map_writer_add(struct stack_map_writer *writer, uint32_t offset,
                          const struct frame *frame);

/* The table, in the arena (empty if no frame was added: then the attribute should be left out), or
   NULL after a failure. Releases the writer. */
struct stack_map *stack_map_writer_finish(struct stack_map_writer *writer);

void stack_map_writer_release(struct stack_map_writer *writer);

#endif
