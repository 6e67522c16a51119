/*
 * frames: the types of locals and operand stack before every instruction.
 *
 * Types are those of the JVM's verifier. A frame is known at the start of each block, from one of
 * two sources: the StackMapTable, or the data-flow rules (for files before Java 6, which have
 * none). Inside a block frames follow from the instructions; frames_walk does this in one linear
 * pass over the method and shows each frame to its caller.
 *
 * A class or array type is the number of its name in a type_table, so that types are compared as
 * integers.
 */
#ifndef TURNSTILE_BYTECODE_FRAMES_H
#define TURNSTILE_BYTECODE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/builder.h"
#include "base/intmap.h"
#include "base/problem.h"
#include "base/text.h"
#include "base/textmap.h"
#include "bytecode/decode.h"
#include "bytecode/flow.h"

/* ---- types ---- */

/* Low 4 bits: an enum verification_tag or TYPE_RETURN_ADDRESS; above them: for OBJECT the name's
   number in the type_table; for UNINITIALIZED the instruction number of the `new`; for a return
   address the instruction number where its subroutine starts. Compared with ==. */
typedef uint32_t frame_type;

enum { TYPE_RETURN_ADDRESS = 9 };

static inline frame_type frame_type_make(unsigned tag, uint32_t value)
{
    return value << 4 | tag;
}

static inline unsigned frame_type_tag(frame_type type)
{
    return type & 15;
}

static inline uint32_t frame_type_value(frame_type type)
{
    return type >> 4;
}

#define FRAME_TOP ((frame_type)VERIFICATION_TOP)
#define FRAME_INTEGER ((frame_type)VERIFICATION_INTEGER)
#define FRAME_FLOAT ((frame_type)VERIFICATION_FLOAT)
#define FRAME_LONG ((frame_type)VERIFICATION_LONG)
#define FRAME_DOUBLE ((frame_type)VERIFICATION_DOUBLE)
#define FRAME_NULL ((frame_type)VERIFICATION_NULL)
#define FRAME_UNINITIALIZED_THIS ((frame_type)VERIFICATION_UNINITIALIZED_THIS)

/* What the data-flow rules must know of classes. */
struct type_hierarchy {
    void *context;
    /* The internal name of the closest common superclass of two classes (no arrays), where an
       interface counts as java/lang/Object, as in the JVM's old verifier. Names live as long as the
       table. An unknown class gives java/lang/Object. */
    struct text (*common_superclass)(void *context, struct text a, struct text b);
};

/* Names of class and array types, numbered from 0. One table serves all methods of a class. */
struct type_table {
    struct arena *arena;
    struct textmap numbers;
    struct text *names; /* "java/lang/String", "[I", "[Ljava/lang/String;" */
    uint32_t count, capacity;
    struct intmap joins; /* of pairs that were joined before */
    const struct type_hierarchy
        *hierarchy; /* may be NULL: then every two classes join to java/lang/Object */
};

/* Number 0 is java/lang/Object. */
bool type_table_init(struct type_table *table, struct arena *arena,
                     const struct type_hierarchy *hierarchy);
void type_table_release(struct type_table *table);

/* The object type of that name (as in a class constant). On failure FRAME_TOP with arena->failed.
 */
frame_type type_table_object(struct type_table *table, struct text name);

/* The type of a field or parameter descriptor: integer for Z B C S I. */
frame_type type_table_descriptor(struct type_table *table, struct text descriptor);

/* The type of arrays of an object type. */
frame_type type_table_array(struct type_table *table, frame_type element);

static inline struct text type_table_name(const struct type_table *table, frame_type type)
{
    return table->names[frame_type_value(type)];
}

/* The type that both may be used as: equal types stay, others meet as the old verifier has it. */
frame_type type_table_join(struct type_table *table, frame_type a, frame_type b);

/* "int", "java/lang/String", "uninitialized 12": for the dumper and messages. */
void type_table_print(const struct type_table *table, const struct bytecode *bytecode,
                      frame_type type, struct builder *builder);

/* ---- frames ---- */

/* A long or double takes two places, the second of which is FRAME_TOP, in locals and on the stack.
 */
struct frame {
    frame_type *locals;   /* max_locals of them */
    frame_type *stack;    /* room for max_stack */
    uint16_t local_count; /* always max_locals (plus what a rewriter added) */
    uint16_t stack_count; /* places in use, bottom first */
    bool reached;         /* false: nothing is known (dead code without a frame) */
};

enum frames_source { FRAMES_FROM_STACK_MAP, FRAMES_FROM_DATA_FLOW };

struct frames {
    const struct bytecode *bytecode;
    const struct flow *flow;
    struct type_table *table;
    struct frame *at_block; /* by block number; not to be changed: blocks may share their arrays,
                               and `stack` has room for stack_count places only */
    enum frames_source source;
};

/* Where a method's frames come from if nothing else is said: the StackMapTable from version 50 on
   (version 50 files without one, or with jsr, fall back), else data flow. */
enum frames_source frames_default_source(const struct bytecode *bytecode);

/* Computes the frames at block starts. False with the problem set if the code is not well typed, as
   far as frames need it: stack underflow or overflow, an operand of the wrong kind, a StackMapTable
   that does not fit. Subtyping between classes is not checked. */
bool frames_compute(struct frames *frames, struct arena *arena, const struct flow *flow,
                    struct type_table *table, enum frames_source source, struct problem *problem);

/* Called before each instruction, in code order, with the frame before it; frame->reached is false
   in dead code. False stops the walk. The frame is the walk's own and changes with the next call.
 */
typedef bool (*frames_function)(void *context, uint32_t instruction, const struct frame *frame);

bool frames_walk(const struct frames *frames, struct arena *scratch, frames_function function,
                 void *context, struct problem *problem);

/* The frame at the entry of a method, as its descriptor says, in new arrays: local_count locals (at
   least as many as the parameters take) and room for stack_limit places. False if memory ran out or
   the parameters do not fit. */
bool frame_initial(struct frame *frame, struct arena *arena, struct type_table *table,
                   const struct class_file *class_file, const struct member *method,
                   uint16_t local_count, uint16_t stack_limit, struct problem *problem);

/* Changes the frame as this instruction does when it goes on to the next. `number` is the
   instruction's own number (for `new`). False with the problem set if it cannot be executed in this
   frame. The frame's stack must have room for stack_limit places. Also for instructions that a
   rewriter makes. */
bool frame_execute(struct frame *frame, struct type_table *table,
                   const struct class_file *class_file, const struct instruction *instruction,
                   uint32_t number, uint16_t stack_limit, struct problem *problem);

#endif
