#include "rewrite/frame_plan.h"

#include "classfile/descriptor.h"

enum { MAJOR_STACK_MAPS = 50, MAJOR_STACK_MAPS_ONLY = 51 };

static const struct stack_map *old_map(const struct bytecode *bytecode)
{
    const struct attribute *attribute =
        attributes_find(&bytecode->code->attributes, ATTRIBUTE_STACK_MAP_TABLE);
    return attribute ? attribute->as.stack_map : NULL;
}

bool frame_plan_wanted(const struct bytecode *bytecode)
{
    uint16_t major = bytecode->class_file->major;
    if (major != MAJOR_STACK_MAPS)
        return major >= MAJOR_STACK_MAPS_ONLY;
    bool has_map = old_map(bytecode) != NULL;
    if (!has_map && bytecode->code->handler_count)
        return false;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        unsigned flow = opcode_infos[bytecode->instructions[i].opcode].flow;
        if (flow == FLOW_CALL || flow == FLOW_RET)
            return false;
        if (!has_map && (flow == FLOW_BRANCH || flow == FLOW_GOTO || flow == FLOW_SWITCH))
            return false;
        /* Code behind the end of a method's way needs a frame even if nothing goes there. */
        if (!has_map && flow != FLOW_NEXT && i + 1 < bytecode->count)
            return false;
    }
    return true;
}

/* ---- `this` ---- */

static bool is_stored(const struct bytecode *bytecode, uint16_t wanted)
{
    for (uint32_t i = 0; i < bytecode->count; i++) {
        bool stores;
        unsigned slots;
        const struct instruction *instruction = &bytecode->instructions[i];
        if (instruction->opcode < OP_ISTORE || instruction->opcode > OP_IINC)
            continue;
        if (code_image_local(instruction, &stores, &slots) == wanted && stores)
            return true;
    }
    return false;
}

static bool is_this(const struct class_file *class_file, const struct verification_type *type)
{
    if (type->tag == VERIFICATION_UNINITIALIZED_THIS)
        return true;
    return type->tag == VERIFICATION_OBJECT &&
           text_equal(class_name_at(class_file, type->value), class_this_name(class_file));
}

/* Some compilers leave `this` out of frames behind its last use. */
static bool in_all_frames(const struct class_file *class_file, const struct stack_map *map,
                          uint32_t local_count)
{
    for (uint32_t i = 0; i < map->count; i++) {
        const struct stack_map_frame *frame = &map->frames[i];
        if (frame->type == FRAME_FULL) {
            local_count = frame->local_count;
            if (local_count && !is_this(class_file, &frame->locals[0]))
                return false;
        } else if (frame->type >= FRAME_CHOP_FIRST && frame->type < FRAME_SAME_EXTENDED) {
            uint32_t chopped = (uint32_t)(FRAME_SAME_EXTENDED - frame->type);
            local_count -= chopped < local_count ? chopped : local_count;
        } else if (frame->type > FRAME_SAME_EXTENDED) {
            local_count += frame->local_count;
        }
        if (!local_count)
            return false;
    }
    return true;
}

/* Entries in a frame, where a long or double is one. */
static uint32_t parameter_entries(const struct bytecode *bytecode)
{
    struct text descriptor = class_utf8(bytecode->class_file, bytecode->method->descriptor);
    struct text parameter;
    size_t position = 1;
    uint32_t count = 1;
    while (descriptor_next_parameter(descriptor, &position, &parameter))
        count++;
    return count;
}

bool frame_plan_this_kept(const struct bytecode *bytecode, const struct plan *plan)
{
    const uint16_t access = class_method_access(bytecode->class_file, bytecode->method);
    if ((access & ACCESS_STATIC) || plan->writes_this || is_stored(bytecode, 0))
        return false;
    const struct stack_map *map = old_map(bytecode);
    return !map || in_all_frames(bytecode->class_file, map, parameter_entries(bytecode));
}

/* ---- moving frames ---- */

/* The same frame at another distance. */
static void set_distance(struct stack_map_frame *frame, uint16_t delta)
{
    uint8_t type = frame->type;
    frame->offset_delta = delta;
    if (type <= FRAME_SAME_LAST || type == FRAME_SAME_EXTENDED)
        frame->type = delta <= FRAME_SAME_LAST ? (uint8_t)delta : FRAME_SAME_EXTENDED;
    else if (type <= FRAME_SAME_ONE_STACK_LAST || type == FRAME_SAME_ONE_STACK_EXTENDED)
        frame->type = delta <= FRAME_SAME_LAST ? (uint8_t)(FRAME_SAME_ONE_STACK + delta)
                                               : FRAME_SAME_ONE_STACK_EXTENDED;
}

/* A copy of the types if there are uninitialized ones among them, whose `new` has moved. NULL with
   the problem set. */
static struct verification_type *move_types(const struct frame_request *request,
                                            struct verification_type *types, uint16_t count,
                                            struct problem *problem)
{
    const struct bytecode *bytecode = request->layout->bytecode;
    struct verification_type *moved = NULL;
    for (uint16_t i = 0; i < count; i++) {
        if (types[i].tag != VERIFICATION_UNINITIALIZED)
            continue;
        uint32_t number = bytecode_number_at(bytecode, types[i].value);
        if (number >= bytecode->count) {
            problem_set(problem, PROBLEM_NO_OFFSET,
                        "a StackMapTable frame names offset %u, where no instruction starts",
                        types[i].value);
            return NULL;
        }
        if (!moved)
            moved = arena_copy(bytecode->class_file->arena, types, count * sizeof *types,
                               alignof(struct verification_type));
        if (!moved) {
            problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
            return NULL;
        }
        moved[i].value = (uint16_t)layout_site(request->layout, number);
    }
    return moved ? moved : types;
}

static bool move_frame(const struct frame_request *request, struct stack_map_frame *frame,
                       uint32_t old_offset, uint32_t *next_free, struct problem *problem)
{
    const struct bytecode *bytecode = request->layout->bytecode;
    uint32_t number = bytecode_number_at(bytecode, old_offset);
    if (number >= bytecode->count) {
        problem_set(problem, PROBLEM_NO_OFFSET,
                    "a StackMapTable frame stands at offset %u, where no instruction starts",
                    old_offset);
        return false;
    }
    uint32_t offset = request->layout->places[number].label;
    set_distance(frame, (uint16_t)(offset - *next_free));
    *next_free = offset + 1;
    if (frame->local_count)
        frame->locals = move_types(request, frame->locals, frame->local_count, problem);
    if (frame->stack_count)
        frame->stack = move_types(request, frame->stack, frame->stack_count, problem);
    return !problem->set;
}

/* A full frame with `this`, if it is kept, and the exception. */
static bool exit_frame(const struct frame_request *request, struct stack_map_frame *frame,
                       enum exit_state state, uint32_t *next_free, struct problem *problem)
{
    struct class_file *class_file = request->editor->class_file;
    struct verification_type *types = ARENA_ARRAY(class_file->arena, struct verification_type, 2);
    uint16_t throwable = class_editor_class(request->editor, TEXT("java/lang/Throwable"));
    if (!types || !throwable) {
        problem_set(problem, PROBLEM_NO_OFFSET, "%s",
                    request->editor->pool_full ? "the constant pool is full" : "out of memory");
        return false;
    }
    types[0] = (struct verification_type){VERIFICATION_OBJECT, throwable};
    types[1] = state == EXIT_UNINITIALIZED
                   ? (struct verification_type){VERIFICATION_UNINITIALIZED_THIS, 0}
                   : (struct verification_type){VERIFICATION_OBJECT, class_file->this_class};
    uint32_t offset = request->exits->handlers[state];
    *frame = (struct stack_map_frame){.type = FRAME_FULL,
                                      .offset_delta = (uint16_t)(offset - *next_free),
                                      .local_count = request->this_kept,
                                      .stack_count = 1,
                                      .locals = types + 1,
                                      .stack = types};
    *next_free = offset + 1;
    return true;
}

enum frame_plan_result frame_plan_shift(const struct frame_request *request, struct stack_map **map,
                                        struct problem *problem)
{
    const struct bytecode *bytecode = request->layout->bytecode;
    struct arena *arena = bytecode->class_file->arena;
    const struct stack_map *old = old_map(bytecode);
    uint32_t old_count = old ? old->count : 0;
    uint32_t count = old_count;
    for (int state = 0; state < EXIT_STATE_COUNT; state++)
        count += request->exits->used[state];
    *map = NULL;
    if (count > UINT16_MAX) {
        problem_set(problem, PROBLEM_NO_OFFSET, "the StackMapTable would pass 65,535 frames");
        return FRAME_PLAN_TOO_LARGE;
    }
    if (!count)
        return FRAME_PLAN_DONE;
    struct stack_map *shifted = ARENA_NEW(arena, struct stack_map);
    struct stack_map_frame *frames = ARENA_ARRAY(arena, struct stack_map_frame, count);
    if (!shifted || !frames) {
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
        return FRAME_PLAN_FAILED;
    }
    /* A frame stands offset_delta bytes behind the byte after the frame before it. */
    uint32_t next_free = 0, old_offset = 0;
    for (uint32_t i = 0; i < old_count; i++) {
        frames[i] = old->frames[i];
        old_offset += frames[i].offset_delta + (i ? 1u : 0u);
        if (!move_frame(request, &frames[i], old_offset, &next_free, problem))
            return FRAME_PLAN_FAILED;
    }
    struct stack_map_frame *next = frames + old_count;
    for (int state = 0; state < EXIT_STATE_COUNT; state++)
        if (request->exits->used[state] &&
            !exit_frame(request, next++, (enum exit_state)state, &next_free, problem))
            return FRAME_PLAN_FAILED;
    *shifted = (struct stack_map){.frames = frames, .count = (uint16_t)count};
    *map = shifted;
    return FRAME_PLAN_DONE;
}
