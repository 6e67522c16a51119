/*
 * The typed way of frame_plan.h: one walk over the method's frames, with every inserted branch
 * executed symbolically.
 */
#include <string.h>

#include "bytecode/stack_map_writer.h"
#include "rewrite/frame_plan.h"

/* Numbers of `new` instructions: those of the method as they are, inserted ones as this plus their
   offset in the new code. */
#define INSERTED (UINT32_C(1) << 20)

/* Locals that may be copied or written for one method. Code that people write needs a hundredth of
   it; a hostile file with 65,535 locals and as many branches would need gigabytes. */
#define COPIED_LOCALS_LIMIT (UINT64_C(1) << 27)
#define WRITTEN_LOCALS_LIMIT (UINT64_C(1) << 24)

/* A frame that waits for being written: something else may stand at the same offset. */
struct pending {
    struct frame frame;
    uint32_t offset;
    bool present;
    bool original; /* from the old table: the code was made for it, so it is never changed */
};

struct typed {
    const struct frame_request *request;
    const struct layout *layout;
    const struct plan *plan;
    const struct class_file *class_file;
    struct type_table *table;
    struct problem *problem;
    struct stack_map_writer writer;
    bool *framed;        /* by instruction: the old table has a frame there */
    struct frame base;   /* the frame at the place of insertion */
    struct frame work;   /* the frame that inserted code changes */
    struct frame *slots; /* one for each branch target of the image in hand */
    uint32_t slot_count;
    struct pending pending;
    frame_type *kept;      /* types of the kept locals */
    struct frame *detours; /* by number in the plan: the frame at its handler */
    uint32_t next_item;
    uint64_t copied, written; /* locals, against the limits */
    bool too_large;
};

static bool fail_memory(struct typed *typed)
{
    problem_set(typed->problem, PROBLEM_NO_OFFSET, "out of memory");
    return false;
}

/* ---- frames with room for everything ---- */

static bool new_frame(struct typed *typed, struct frame *frame)
{
    const struct frame_request *request = typed->request;
    *frame = (struct frame){.local_count = request->max_locals};
    frame->locals = ARENA_ARRAY(request->scratch, frame_type, request->max_locals);
    frame->stack = ARENA_ARRAY(request->scratch, frame_type, request->max_stack);
    return (frame->locals && frame->stack) || fail_memory(typed);
}

static void copy_types(frame_type *to, const frame_type *from, size_t count)
{
    if (count)
        memcpy(to, from, count * sizeof *to);
}

/* `from` may have fewer locals: the others are unused. */
static void assign(struct frame *to, const struct frame *from)
{
    copy_types(to->locals, from->locals, from->local_count);
    for (uint32_t i = from->local_count; i < to->local_count; i++)
        to->locals[i] = FRAME_TOP;
    copy_types(to->stack, from->stack, from->stack_count);
    to->stack_count = from->stack_count;
    to->reached = from->reached;
}

static void set_kept(struct typed *typed, struct frame *frame)
{
    for (uint32_t i = 0; i < typed->plan->kept_count; i++)
        frame->locals[typed->plan->kept[i].local] = typed->kept[i];
}

static bool join_types(struct typed *typed, frame_type *to, const frame_type *from, size_t count)
{
    bool changed = false;
    for (size_t i = 0; i < count; i++) {
        if (to[i] == from[i])
            continue;
        frame_type joined = type_table_join(typed->table, to[i], from[i]);
        changed |= joined != to[i];
        to[i] = joined;
    }
    return changed;
}

/* Adds another way to reach `to`. True if that told something new. The stack depths agree: images
   were checked for that. */
static bool join(struct typed *typed, struct frame *to, const struct frame *from)
{
    if (!to->reached) {
        assign(to, from);
        to->reached = true;
        return true;
    }
    bool changed = join_types(typed, to->locals, from->locals, to->local_count);
    return join_types(typed, to->stack, from->stack, to->stack_count) || changed;
}

/* ---- writing, in the order of offsets ---- */

static uint16_t class_index(void *context, struct text name)
{
    struct typed *typed = context;
    return class_editor_class(typed->request->editor, name);
}

static uint32_t new_offset(void *context, uint32_t number)
{
    struct typed *typed = context;
    return number & INSERTED ? number - INSERTED : layout_site(typed->layout, number);
}

static bool spend(struct typed *typed, uint64_t *spent, uint64_t limit)
{
    *spent += typed->request->max_locals;
    if (*spent <= limit)
        return true;
    typed->too_large = true;
    return false;
}

static bool flush(struct typed *typed)
{
    if (!typed->pending.present)
        return true;
    if (!spend(typed, &typed->written, WRITTEN_LOCALS_LIMIT))
        return false;
    typed->pending.present = false;
    return stack_map_writer_add(&typed->writer, typed->pending.offset, &typed->pending.frame);
}

static bool put(struct typed *typed, uint32_t offset, const struct frame *frame, bool original)
{
    struct pending *pending = &typed->pending;
    if (!frame->reached) {
        problem_set(typed->problem, PROBLEM_NO_OFFSET,
                    "an insertion into code that is never reached and has no frame");
        return false;
    }
    if (pending->present && pending->offset == offset) {
        if (pending->original)
            return true;
        if (!original) {
            join(typed, &pending->frame, frame);
            return true;
        }
    } else if (!flush(typed)) {
        return false;
    }
    assign(&pending->frame, frame);
    pending->offset = offset;
    pending->original = original;
    pending->present = true;
    return true;
}

/* ---- executing an image ---- */

struct run {
    const struct code_image *image;
    uint32_t offset;   /* of the image */
    uint32_t replaced; /* the instruction that it stands for, or INSTRUCTION_NONE */
    uint32_t copy;     /* the offset, in the image, of that instruction's copy */
    bool again;        /* a backward branch told something new */
};

/* The copy of a `new` in its replacement makes the same type as the original. */
static uint32_t number_in(const struct run *run, const struct instruction *instruction)
{
    if (run->replaced != INSTRUCTION_NONE && instruction->offset == run->copy)
        return run->replaced;
    return INSERTED + run->offset + instruction->offset;
}

static bool step(struct typed *typed, struct run *run, uint32_t number)
{
    const struct instruction *instruction = &run->image->instructions[number];
    unsigned flow = opcode_infos[instruction->opcode].flow;
    if (!frame_execute(&typed->work, typed->table, typed->class_file, instruction,
                       number_in(run, instruction), typed->request->max_stack, typed->problem))
        return false;
    if (flow == FLOW_BRANCH || flow == FLOW_GOTO) {
        struct frame *target = &typed->slots[run->image->targets[instruction->target]];
        if (join(typed, target, &typed->work) && instruction->target <= number)
            run->again = true;
    }
    if (flow != FLOW_NEXT && flow != FLOW_BRANCH)
        typed->work.reached = false;
    return true;
}

static void enter_target(struct typed *typed, const struct run *run, uint32_t number)
{
    if (!run->image->targets || run->image->targets[number] == CODE_IMAGE_NO_TARGET)
        return;
    struct frame *target = &typed->slots[run->image->targets[number]];
    if (typed->work.reached)
        join(typed, target, &typed->work);
    if (target->reached)
        assign(&typed->work, target);
}

/* From typed->base through the image, until backward branches tell nothing new; leaves the frame at
   the end in typed->work. */
static bool execute(struct typed *typed, struct run *run)
{
    const struct code_image *image = run->image;
    for (uint32_t i = 0; i < image->target_count; i++)
        typed->slots[i].reached = false;
    do {
        if (!spend(typed, &typed->copied, COPIED_LOCALS_LIMIT))
            return false;
        run->again = false;
        assign(&typed->work, &typed->base);
        for (uint32_t i = 0; i < image->count; i++) {
            enter_target(typed, run, i);
            if (typed->work.reached && !step(typed, run, i))
                return false;
        }
        enter_target(typed, run, image->count);
    } while (run->again);
    return true;
}

static bool put_targets(struct typed *typed, const struct run *run)
{
    const struct code_image *image = run->image;
    for (uint32_t i = 0; image->targets && i <= image->count; i++) {
        if (image->targets[i] == CODE_IMAGE_NO_TARGET)
            continue;
        uint32_t offset = i == image->count ? image->length : image->instructions[i].offset;
        if (!put(typed, run->offset + offset, &typed->slots[image->targets[i]], false))
            return false;
    }
    return true;
}

static bool has_frames(const struct code_image *image)
{
    return image->targets || !image->falls_through;
}

/* An image that leaves locals and stack as it found them in typed->base. What follows it is
   executed from the same frame, so one is due there if the image does not fall through. */
static bool insert(struct typed *typed, const struct code_image *image, uint32_t offset)
{
    struct run run = {.image = image, .offset = offset, .replaced = INSTRUCTION_NONE};
    if (!has_frames(image))
        return true;
    if (!execute(typed, &run) || !put_targets(typed, &run))
        return false;
    return image->falls_through || put(typed, offset + image->length, &typed->base, false);
}

/* ---- the walk ---- */

static uint32_t insert_items(struct typed *typed, uint32_t place, uint32_t offset, bool *good)
{
    const struct plan *plan = typed->plan;
    while (typed->next_item < plan->item_count && plan->items[typed->next_item].place == place) {
        const struct code_image *image = plan->items[typed->next_item++].image;
        *good = *good && insert(typed, image, offset);
        offset += image->length;
    }
    return offset;
}

static bool insert_images(struct typed *typed, const struct plan_images *images, uint32_t offset)
{
    for (uint32_t i = 0; i < images->count; i++) {
        if (!insert(typed, images->items[i], offset))
            return false;
        offset += images->items[i]->length;
    }
    return true;
}

static bool replace(struct typed *typed, uint32_t number, const struct code_image *image)
{
    const struct instruction *instruction = &typed->layout->bytecode->instructions[number];
    struct run run = {.image = image,
                      .offset = typed->layout->places[number].start,
                      .replaced = number,
                      .copy = code_image_find(image, instruction)};
    if (!image->targets)
        return true;
    return execute(typed, &run) && put_targets(typed, &run);
}

/* What comes behind an instruction: from the frame that it leaves. */
static bool visit_after(struct typed *typed, uint32_t number, const struct code_image *replacement)
{
    const struct layout *layout = typed->layout;
    const struct instruction *instruction = &layout->bytecode->instructions[number];
    uint32_t place = plan_place(number, PLAN_AFTER);
    bool widened =
        layout_is_widened(layout, number) && opcode_infos[instruction->opcode].flow == FLOW_BRANCH;
    bool dead_end = replacement && !replacement->falls_through;
    bool followed = typed->next_item < typed->plan->item_count &&
                    typed->plan->items[typed->next_item].place == place;
    if (!widened && !dead_end && !followed)
        return true;
    if (typed->base.reached &&
        !frame_execute(&typed->base, typed->table, typed->class_file, instruction, number,
                       typed->request->max_stack, typed->problem))
        return false;
    uint32_t offset = layout->places[number].start +
                      (replacement ? replacement->length
                                   : layout_size(layout, number, layout->places[number].start));
    if ((widened || dead_end) && !put(typed, offset, &typed->base, false))
        return false;
    bool good = true;
    insert_items(typed, place, offset, &good);
    return good;
}

/* The frame at a handler is that of the detours that lead to it. */
static bool note_detours(struct typed *typed, uint32_t number, const struct frame *frame)
{
    for (uint32_t i = 0; i < typed->plan->detour_count; i++) {
        if (typed->plan->detours[i].handler != number)
            continue;
        if (!new_frame(typed, &typed->detours[i]) ||
            !spend(typed, &typed->copied, COPIED_LOCALS_LIMIT))
            return false;
        assign(&typed->detours[i], frame);
        set_kept(typed, &typed->detours[i]);
    }
    return true;
}

static bool visit(void *context, uint32_t number, const struct frame *frame)
{
    struct typed *typed = context;
    const struct layout *layout = typed->layout;
    const struct plan *plan = typed->plan;
    bool returns = plan->returns.count && layout_is_return(&layout->bytecode->instructions[number]);
    bool planned =
        typed->next_item < plan->item_count && plan->items[typed->next_item].place >> 2 == number;
    if (!note_detours(typed, number, frame))
        return false;
    if (!typed->framed[number] && !planned && !returns && !layout_is_widened(layout, number))
        return true;
    if (!spend(typed, &typed->copied, COPIED_LOCALS_LIMIT))
        return false;
    assign(&typed->base, frame);
    set_kept(typed, &typed->base);
    if (typed->framed[number] && !put(typed, layout->places[number].label, &typed->base, true))
        return false;
    bool good = true;
    uint32_t offset =
        insert_items(typed, plan_place(number, PLAN_BEFORE), layout->places[number].label, &good);
    if (!good || (returns && !insert_images(typed, &plan->returns, offset)))
        return false;
    const struct code_image *replacement = NULL;
    if (typed->next_item < plan->item_count &&
        plan->items[typed->next_item].place == plan_place(number, PLAN_REPLACE))
        replacement = plan->items[typed->next_item++].image;
    if (replacement && !replace(typed, number, replacement))
        return false;
    return visit_after(typed, number, replacement);
}

/* ---- entry and exceptional exits ---- */

static bool check_kept(struct typed *typed, const struct frame *frame)
{
    for (uint32_t i = 0; i < typed->plan->kept_count; i++) {
        frame_type stored = frame->locals[typed->plan->kept[i].local];
        bool is_null =
            stored == FRAME_NULL && frame_type_tag(typed->kept[i]) == VERIFICATION_OBJECT;
        if (frame_type_tag(stored) != frame_type_tag(typed->kept[i]) && !is_null) {
            problem_set(typed->problem, PROBLEM_NO_OFFSET, "the entry does not set kept local %u",
                        typed->plan->kept[i].local);
            return false;
        }
    }
    return true;
}

/* Entry snippets follow each other: what one stores, the next finds. typed->base is the method's
   initial frame. */
static bool visit_entry(struct typed *typed)
{
    const struct plan_images *entry = &typed->plan->entry;
    uint32_t offset = 0;
    for (uint32_t i = 0; i < entry->count; i++) {
        struct run run = {.image = entry->items[i], .offset = offset, .replaced = INSTRUCTION_NONE};
        if (!execute(typed, &run) || !put_targets(typed, &run))
            return false;
        offset += run.image->length;
        if (typed->work.reached) {
            assign(&typed->base, &typed->work);
        } else {
            set_kept(typed, &typed->base);
            if (!put(typed, offset, &typed->base, false))
                return false;
        }
    }
    return check_kept(typed, &typed->base);
}

static bool visit_exit(struct typed *typed, enum exit_state state)
{
    struct frame *frame = &typed->base;
    for (uint32_t i = 0; i < frame->local_count; i++)
        frame->locals[i] = FRAME_TOP;
    set_kept(typed, frame);
    if (typed->request->this_kept)
        frame->locals[0] =
            state == EXIT_UNINITIALIZED
                ? FRAME_UNINITIALIZED_THIS
                : type_table_object(typed->table, class_this_name(typed->class_file));
    frame->stack[0] = type_table_object(typed->table, TEXT("java/lang/Throwable"));
    frame->stack_count = 1;
    frame->reached = true;
    if (typed->table->arena->failed)
        return fail_memory(typed);
    uint32_t offset = typed->request->exits->handlers[state];
    return put(typed, offset, frame, false) && insert_images(typed, &typed->plan->throws, offset);
}

static bool visit_detour(struct typed *typed, uint32_t number)
{
    const struct frame *frame = &typed->detours[number];
    const uint32_t offset = typed->request->exits->detours[number];
    if (!frame->locals) {
        problem_set(typed->problem, PROBLEM_NO_OFFSET, "a detour to a handler that is not reached");
        return false;
    }
    assign(&typed->base, frame);
    return put(typed, offset, frame, false) &&
           insert_images(typed, &typed->plan->detours[number].images, offset);
}

/* ---- all together ---- */

static bool mark_framed(struct typed *typed)
{
    const struct bytecode *bytecode = typed->layout->bytecode;
    const struct attribute *attribute =
        attributes_find(&bytecode->code->attributes, ATTRIBUTE_STACK_MAP_TABLE);
    typed->framed = arena_allocate_zeroed(typed->request->scratch, bytecode->count, alignof(bool));
    if (!typed->framed)
        return fail_memory(typed);
    uint32_t offset = 0;
    for (uint32_t i = 0; attribute && i < attribute->as.stack_map->count; i++) {
        offset += attribute->as.stack_map->frames[i].offset_delta + (i ? 1u : 0u);
        uint32_t number = bytecode_number_at(bytecode, offset);
        if (number < bytecode->count)
            typed->framed[number] = true;
    }
    return true;
}

static bool set_kept_types(struct typed *typed)
{
    const struct plan *plan = typed->plan;
    typed->kept = ARENA_ARRAY(typed->request->scratch, frame_type, plan->kept_count);
    if (!typed->kept)
        return fail_memory(typed);
    for (uint32_t i = 0; i < plan->kept_count; i++)
        typed->kept[i] = type_table_descriptor(typed->table, plan->kept[i].descriptor);
    return !typed->table->arena->failed || fail_memory(typed);
}

static void count_targets(uint32_t *most, const struct code_image *image)
{
    if (image->target_count > *most)
        *most = image->target_count;
}

static bool make_slots(struct typed *typed)
{
    const struct plan *plan = typed->plan;
    const struct plan_images *lists[] = {&plan->entry, &plan->returns, &plan->throws};
    for (uint32_t i = 0; i < plan->item_count; i++)
        count_targets(&typed->slot_count, plan->items[i].image);
    for (unsigned list = 0; list < 3; list++)
        for (uint32_t i = 0; i < lists[list]->count; i++)
            count_targets(&typed->slot_count, lists[list]->items[i]);
    for (uint32_t i = 0; i < plan->detour_count; i++)
        count_targets(&typed->slot_count, plan->detours[i].images.items[0]);
    if (plan->detour_count) {
        typed->detours = arena_allocate_zeroed(typed->request->scratch,
                                               plan->detour_count * sizeof *typed->detours,
                                               alignof(struct frame));
        if (!typed->detours)
            return fail_memory(typed);
    }
    typed->slots = ARENA_ARRAY(typed->request->scratch, struct frame, typed->slot_count);
    if (!typed->slots)
        return fail_memory(typed);
    for (uint32_t i = 0; i < typed->slot_count; i++)
        if (!new_frame(typed, &typed->slots[i]))
            return false;
    return new_frame(typed, &typed->work) && new_frame(typed, &typed->pending.frame);
}

static bool write_frames(struct typed *typed, const struct frames *frames)
{
    if (!visit_entry(typed) ||
        !frames_walk(frames, typed->request->scratch, visit, typed, typed->problem))
        return false;
    for (int state = 0; state < EXIT_STATE_COUNT; state++)
        if (typed->request->exits->used[state] && !visit_exit(typed, (enum exit_state)state))
            return false;
    for (uint32_t i = 0; i < typed->plan->detour_count; i++)
        if (!visit_detour(typed, i))
            return false;
    return flush(typed);
}

static bool prepare(struct typed *typed, const struct frame_request *request)
{
    const struct bytecode *bytecode = request->layout->bytecode;
    typed->class_file = bytecode->class_file;
    typed->layout = request->layout;
    typed->plan = request->layout->plan;
    typed->request = request;
    return mark_framed(typed) && set_kept_types(typed) && make_slots(typed) &&
           frame_initial(&typed->base, request->scratch, typed->table, bytecode->class_file,
                         bytecode->method, request->max_locals, request->max_stack, typed->problem);
}

static enum frame_plan_result explain(const struct typed *typed)
{
    if (typed->too_large) {
        problem_set(typed->problem, PROBLEM_NO_OFFSET,
                    "the frames of so many locals and branches would take too much memory");
        return FRAME_PLAN_TOO_LARGE;
    }
    switch (typed->writer.failure) {
    case STACK_MAP_TOO_LARGE:
        problem_set(typed->problem, PROBLEM_NO_OFFSET,
                    "the StackMapTable would pass a limit of 65,535 frames or bytes");
        return FRAME_PLAN_TOO_LARGE;
    case STACK_MAP_POOL_FULL:
        problem_set(typed->problem, PROBLEM_NO_OFFSET, "%s",
                    typed->request->editor->out_of_memory ? "out of memory"
                                                          : "the constant pool is full");
        break;
    case STACK_MAP_NOT_WRITABLE:
        problem_set(typed->problem, PROBLEM_NO_OFFSET,
                    "a frame holds what a StackMapTable cannot express");
        break;
    default:
        problem_set(typed->problem, PROBLEM_NO_OFFSET, "out of memory");
        break;
    }
    return FRAME_PLAN_FAILED;
}

enum frame_plan_result frame_plan_typed(const struct frame_request *request, struct stack_map **map,
                                        struct problem *problem)
{
    struct typed typed = {.problem = problem};
    const struct stack_map_names names = {&typed, class_index, new_offset};
    const struct frames *frames = method_types_frames(request->types, problem);
    *map = NULL;
    if (!frames)
        return FRAME_PLAN_FAILED;
    if (frames->source != FRAMES_FROM_STACK_MAP)
        return FRAME_PLAN_DROPPED;
    typed.table = request->types->table;
    if (!prepare(&typed, request))
        return FRAME_PLAN_FAILED;
    if (!stack_map_writer_init(&typed.writer, request->editor->class_file->arena, typed.table,
                               &typed.base, &names) ||
        !write_frames(&typed, frames)) {
        enum frame_plan_result result = problem->set ? FRAME_PLAN_FAILED : explain(&typed);
        stack_map_writer_release(&typed.writer);
        return result;
    }
    *map = stack_map_writer_finish(&typed.writer);
    if (!*map)
        return explain(&typed);
    if (!(*map)->count)
        *map = NULL;
    return FRAME_PLAN_DONE;
}
