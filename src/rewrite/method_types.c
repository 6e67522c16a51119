#include "rewrite/method_types.h"

#include <string.h>

#include "classfile/descriptor.h"
#include "rewrite/exits.h"
#include "rewrite/frame_plan.h"

void method_types_init(struct method_types *types, struct arena *arena,
                       const struct bytecode *bytecode, struct type_table *table)
{
    /* The rest counts when it is computed. */
    types->bytecode = bytecode;
    types->arena = arena;
    types->table = table;
    types->computed = false;
    types->owns_table = false;
}

void method_types_release(struct method_types *types)
{
    if (types->owns_table)
        type_table_release(&types->own_table);
}

static struct type_table *make_table(struct method_types *types, struct problem *problem)
{
    if (types->table)
        return types->table;
    types->owns_table = true;
    if (!type_table_init(&types->own_table, types->arena, NULL)) {
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
        return NULL;
    }
    types->table = &types->own_table;
    return types->table;
}

const struct frames *method_types_frames(struct method_types *types, struct problem *problem)
{
    if (types->computed)
        return &types->frames;
    struct type_table *table = make_table(types, problem);
    if (!table)
        return NULL;
    if (!flow_build(&types->flow, types->arena, types->bytecode)) {
        flow_explain(types->arena, problem);
        return NULL;
    }
    /* A method of version 50 that needs no table has none, and the JVM still checks it by the rules
       of tables: it must get one when a branch is inserted. */
    enum frames_source source = frame_plan_wanted(types->bytecode)
                                    ? FRAMES_FROM_STACK_MAP
                                    : frames_default_source(types->bytecode);
    if (!frames_compute(&types->frames, types->arena, &types->flow, table, source, problem))
        return NULL;
    types->computed = true;
    return &types->frames;
}

bool method_types_is_constructor(const struct bytecode *bytecode)
{
    const struct class_file *class_file = bytecode->class_file;
    return text_equal(class_utf8(class_file, bytecode->method->name), TEXT("<init>")) &&
           !text_equal(class_this_name(class_file), TEXT("java/lang/Object"));
}

/* ---- the states of a constructor ---- */

struct state_walk {
    const struct bytecode *bytecode;
    uint8_t *states;
};

static bool holds_uninitialized_this(const struct frame *frame)
{
    for (uint32_t i = 0; i < frame->local_count; i++)
        if (frame->locals[i] == FRAME_UNINITIALIZED_THIS)
            return true;
    for (uint32_t i = 0; i < frame->stack_count; i++)
        if (frame->stack[i] == FRAME_UNINITIALIZED_THIS)
            return true;
    return false;
}

/* Whether the instruction is <init> called on `this`, which lies below the arguments. */
static bool constructs_this(const struct bytecode *bytecode, const struct instruction *instruction,
                            const struct frame *frame)
{
    if (instruction->opcode != OP_INVOKESPECIAL)
        return false;
    struct member_reference called =
        class_member_reference(bytecode->class_file, instruction->operand);
    unsigned below = descriptor_parameter_slots(called.descriptor) + 1;
    return text_equal(called.name, TEXT("<init>")) && frame->stack_count >= below &&
           frame->stack[frame->stack_count - below] == FRAME_UNINITIALIZED_THIS;
}

static bool note_state(void *context, uint32_t number, const struct frame *frame)
{
    struct state_walk *walk = context;
    uint8_t state = EXIT_INITIALIZED;
    if (!frame->reached) {
        /* Never executed: whatever makes the ranges longest. */
        if (number && walk->states[number - 1] == EXIT_UNINITIALIZED)
            state = EXIT_UNINITIALIZED;
    } else if (constructs_this(walk->bytecode, &walk->bytecode->instructions[number], frame)) {
        state = EXIT_CONSTRUCTS;
    } else if (holds_uninitialized_this(frame)) {
        state = EXIT_UNINITIALIZED;
    }
    walk->states[number] = state;
    return true;
}

uint8_t *method_types_exit_states(struct method_types *types, struct problem *problem)
{
    const struct bytecode *bytecode = types->bytecode;
    struct state_walk walk = {.bytecode = bytecode};
    walk.states = ARENA_ARRAY(types->arena, uint8_t, bytecode->count);
    if (!walk.states) {
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
        return NULL;
    }
    uint32_t call = exits_simple_call(bytecode);
    if (call != INSTRUCTION_NONE) {
        memset(walk.states, EXIT_INITIALIZED, bytecode->count);
        memset(walk.states, EXIT_UNINITIALIZED, call);
        walk.states[call] = EXIT_CONSTRUCTS;
        return walk.states;
    }
    const struct frames *frames = method_types_frames(types, problem);
    if (!frames || !frames_walk(frames, types->arena, note_state, &walk, problem))
        return NULL;
    return walk.states;
}
