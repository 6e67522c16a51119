#include "bytecode/frames.h"

#include <stdio.h>
#include <string.h>

#include "bytecode/frames_internal.h"
#include "classfile/descriptor.h"

enum { MAJOR_STACK_MAPS = 50, MAJOR_STACK_MAPS_ONLY = 51 };

/* ---- shared by the two ways ---- */

bool frames_fail(struct frames_maker *maker, uint32_t instruction, const char *format, ...)
{
    char reason[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    const uint32_t offset = bytecode_offset(maker->bytecode, instruction);
    struct text name = class_utf8(maker->bytecode->class_file, maker->bytecode->method->name);
    name = text_slice(name, 0, 40);
    problem_set(maker->problem, maker->code->origin + offset, "%s (offset %u of method %.*s)",
                reason, offset, TEXT_ARGUMENTS(name));
    return false;
}

bool frames_fail_memory(struct frames_maker *maker)
{
    problem_set(maker->problem, PROBLEM_NO_OFFSET, "out of memory");
    return false;
}

bool frames_count_work(struct frames_maker *maker, uint32_t places)
{
    maker->work += places;
    return maker->work <= FRAMES_WORK_LIMIT ||
           frames_fail(maker, 0, "the types of this method take too long to find out");
}

frame_type *frames_new_places(struct frames_maker *maker, uint32_t count)
{
    maker->places += count;
    if (maker->places > FRAMES_PLACE_LIMIT) {
        frames_fail(maker, 0, "too many blocks and local variables to know all their types");
        return NULL;
    }
    frame_type *places = ARENA_ARRAY(maker->arena, frame_type, count);
    if (!places)
        frames_fail_memory(maker);
    return places;
}

bool frames_new_frame(struct frames_maker *maker, struct frame *frame)
{
    const uint16_t locals = maker->code->max_locals;
    *frame = (struct frame){.local_count = locals};
    frame->locals = frames_new_places(maker, locals);
    if (!frame->locals)
        return false;
    frame->stack = frames_new_places(maker, maker->code->max_stack);
    if (!frame->stack)
        return false;
    for (unsigned i = 0; i < locals; i++)
        frame->locals[i] = FRAME_TOP;
    return true;
}

static void copy_places(frame_type *to, const frame_type *from, size_t count)
{
    if (count > 0)
        memcpy(to, from, count * sizeof *to);
}

void frames_assign(struct frame *to, const struct frame *from)
{
    copy_places(to->locals, from->locals, from->local_count);
    copy_places(to->stack, from->stack, from->stack_count);
    to->stack_count = from->stack_count;
    to->reached = from->reached;
}

bool frames_execute(struct frames_maker *maker, uint32_t instruction)
{
    struct problem problem;
    problem_clear(&problem);
    if (frame_execute(&maker->current, maker->table, maker->bytecode->class_file,
                      &maker->bytecode->instructions[instruction], instruction,
                      maker->code->max_stack, &problem))
        return true;
    return frames_fail(maker, instruction, "%s", problem.reason);
}

bool frames_goes_on(const struct bytecode *bytecode, uint32_t instruction)
{
    const uint8_t flow = opcode_infos[bytecode->instructions[instruction].opcode].flow;
    return flow == FLOW_NEXT || flow == FLOW_BRANCH;
}

/* ---- the frame at the entry ---- */

static bool is_constructor(const struct class_file *class_file, const struct member *method)
{
    return text_equal(class_utf8(class_file, method->name), TEXT("<init>")) &&
           !text_equal(class_this_name(class_file), TEXT("java/lang/Object"));
}

static bool set_parameters(struct frame *frame, struct type_table *table,
                           const struct class_file *class_file, const struct member *method)
{
    const struct text descriptor = class_utf8(class_file, method->descriptor);
    unsigned local = 0;
    if (!(class_method_access(class_file, method) & ACCESS_STATIC)) {
        frame->locals[local++] = is_constructor(class_file, method)
                                     ? FRAME_UNINITIALIZED_THIS
                                     : type_table_object(table, class_this_name(class_file));
    }
    size_t position = 1;
    struct text parameter;
    while (descriptor_next_parameter(descriptor, &position, &parameter)) {
        frame->locals[local] = type_table_descriptor(table, parameter);
        if (frame->locals[local] == FRAME_TOP)
            return false;
        local += descriptor_slots(parameter);
    }
    return !table->arena->failed;
}

bool frame_initial(struct frame *frame, struct arena *arena, struct type_table *table,
                   const struct class_file *class_file, const struct member *method,
                   uint16_t local_count, uint16_t stack_limit, struct problem *problem)
{
    const unsigned needed = descriptor_parameter_slots(class_utf8(class_file, method->descriptor)) +
                            (class_method_access(class_file, method) & ACCESS_STATIC ? 0 : 1);
    *frame = (struct frame){.local_count = local_count, .reached = true};
    if (needed > local_count) {
        problem_set(problem, PROBLEM_NO_OFFSET,
                    "the parameters take %u locals but max_locals is %u", needed, local_count);
        return false;
    }
    frame->locals = ARENA_ARRAY(arena, frame_type, local_count);
    frame->stack = ARENA_ARRAY(arena, frame_type, stack_limit);
    if (frame->locals && frame->stack) {
        for (unsigned i = 0; i < local_count; i++)
            frame->locals[i] = FRAME_TOP;
        if (set_parameters(frame, table, class_file, method))
            return true;
    }
    problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
    return false;
}

/* ---- computing and showing ---- */

static bool has_subroutines(const struct bytecode *bytecode)
{
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const uint8_t flow = opcode_infos[bytecode->instructions[i].opcode].flow;
        if (flow == FLOW_CALL || flow == FLOW_RET)
            return true;
    }
    return false;
}

enum frames_source frames_default_source(const struct bytecode *bytecode)
{
    const uint16_t major = bytecode->class_file->major;
    if (major >= MAJOR_STACK_MAPS_ONLY)
        return FRAMES_FROM_STACK_MAP;
    if (major < MAJOR_STACK_MAPS || has_subroutines(bytecode) ||
        !attributes_find(&bytecode->code->attributes, ATTRIBUTE_STACK_MAP_TABLE))
        return FRAMES_FROM_DATA_FLOW;
    return FRAMES_FROM_STACK_MAP;
}

static bool compute(struct frames *frames, struct arena *arena, enum frames_source source,
                    struct problem *problem)
{
    const struct bytecode *bytecode = frames->bytecode;
    struct frames_maker maker = {.frames = frames,
                                 .bytecode = bytecode,
                                 .flow = frames->flow,
                                 .code = bytecode->code,
                                 .table = frames->table,
                                 .arena = arena,
                                 .problem = problem};
    frames->source = source;
    frames->at_block = ARENA_ARRAY(arena, struct frame, frames->flow->count);
    if (!frames->at_block)
        return frames_fail_memory(&maker);
    memset(frames->at_block, 0, frames->flow->count * sizeof *frames->at_block);
    if (!frame_initial(&maker.current, arena, frames->table, bytecode->class_file, bytecode->method,
                       maker.code->max_locals, maker.code->max_stack, problem)) {
        if (problem->offset == PROBLEM_NO_OFFSET)
            problem->offset = maker.code->origin;
        return false;
    }
    return source == FRAMES_FROM_STACK_MAP ? frames_from_stack_map(&maker)
                                           : frames_from_data_flow(&maker);
}

bool frames_compute(struct frames *frames, struct arena *arena, const struct flow *flow,
                    struct type_table *table, enum frames_source source, struct problem *problem)
{
    *frames = (struct frames){.bytecode = flow->bytecode, .flow = flow, .table = table};
    if (source != FRAMES_FROM_STACK_MAP || flow->bytecode->class_file->major != MAJOR_STACK_MAPS)
        return compute(frames, arena, source, problem);
    /* For this version the JVM goes back to the data-flow rules when the StackMapTable does not
     * fit. */
    struct problem first;
    problem_clear(&first);
    if (compute(frames, arena, FRAMES_FROM_STACK_MAP, &first))
        return true;
    if (!arena->failed)
        return compute(frames, arena, FRAMES_FROM_DATA_FLOW, problem);
    problem_set(problem, first.offset, "%s", first.reason);
    return false;
}

bool frames_walk(const struct frames *frames, struct arena *scratch, frames_function function,
                 void *context, struct problem *problem)
{
    const struct bytecode *bytecode = frames->bytecode;
    struct frames_maker maker = {.bytecode = bytecode,
                                 .flow = frames->flow,
                                 .code = bytecode->code,
                                 .table = frames->table,
                                 .arena = scratch,
                                 .problem = problem};
    if (!frames_new_frame(&maker, &maker.current))
        return false;
    for (uint32_t number = 0; number < frames->flow->count; number++) {
        const struct block *block = &frames->flow->blocks[number];
        const struct frame *start = &frames->at_block[number];
        maker.current.reached = start->reached;
        maker.current.stack_count = 0;
        if (start->reached)
            frames_assign(&maker.current, start);
        for (uint32_t i = block->first; i < block->end; i++) {
            if (!function(context, i, &maker.current))
                return false;
            if (start->reached && i + 1 < block->end && !frames_execute(&maker, i))
                return false;
        }
    }
    return true;
}
