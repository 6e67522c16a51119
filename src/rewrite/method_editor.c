#include "rewrite/method_editor.h"

#include <string.h>

#include "classfile/descriptor.h"
#include "rewrite/emit.h"
#include "rewrite/exits.h"
#include "rewrite/frame_plan.h"
#include "rewrite/layout.h"
#include "rewrite/method_types.h"
#include "rewrite/remap.h"
#include "rewrite/stack_effect.h"

bool method_editor_init(struct method_editor *edit, struct class_editor *editor,
                        struct member *method, struct arena *scratch, struct type_table *types,
                        struct problem *problem)
{
    edit->editor = editor;
    edit->method = method;
    edit->arena = scratch;
    edit->types = types;
    edit->too_many_locals = false;
    edit->places = NULL;
    problem_clear(&edit->problem);
    plan_init(&edit->plan, scratch);
    const struct code *code = member_code(method);
    if (!code) {
        problem_set(problem, PROBLEM_NO_OFFSET, "the method has no code");
        return false;
    }
    edit->max_locals = code->max_locals;
    if (!bytecode_decode(&edit->bytecode, scratch, editor->class_file, method, problem))
        return false;
    edit->plan.instructions = edit->bytecode.count;
    return true;
}

/* ---- planning ---- */

static bool refuse(struct method_editor *edit, const char *reason)
{
    problem_set(&edit->problem, PROBLEM_NO_OFFSET, "%s", reason);
    return false;
}

uint16_t method_editor_new_local(struct method_editor *edit, unsigned slots)
{
    uint16_t local = edit->max_locals;
    if (slots > (unsigned)(UINT16_MAX - local)) {
        edit->too_many_locals = true;
        return 0;
    }
    edit->max_locals = (uint16_t)(local + slots);
    return local;
}

uint16_t method_editor_new_kept_local(struct method_editor *edit, struct text descriptor)
{
    if (!descriptor_is_field(descriptor)) {
        refuse(edit, "the type of a kept local is not a field descriptor");
        return 0;
    }
    uint16_t local = method_editor_new_local(edit, descriptor_slots(descriptor));
    if (!edit->too_many_locals && !plan_add_kept(&edit->plan, local, descriptor))
        refuse(edit, "out of memory");
    return local;
}

static const struct code_image *refuse_change(struct method_editor *edit, int32_t change,
                                              int32_t due)
{
    problem_set(&edit->problem, PROBLEM_NO_OFFSET,
                "a snippet changes the stack depth by %d where %d is due", (int)change, (int)due);
    return NULL;
}

/* The image of a snippet that must change the stack depth by so much. */
static inline const struct code_image *image_for(struct method_editor *edit,
                                                 const struct snippet *snippet, int32_t change)
{
    const struct code_image *image = plan_image(&edit->plan, snippet, &edit->problem);
    if (image && image->falls_through && image->change != change)
        return refuse_change(edit, image->change, change);
    return image;
}

static bool insert(struct method_editor *edit, uint32_t place, const struct code_image *image)
{
    if (!image->length)
        return true;
    return plan_add(&edit->plan, place, image) || refuse(edit, "out of memory");
}

bool method_editor_before_slowly(struct method_editor *edit, uint32_t instruction,
                                 const struct snippet *snippet)
{
    if (instruction >= edit->bytecode.count)
        return refuse(edit, "an insertion before an instruction that does not exist");
    const struct code_image *image = image_for(edit, snippet, 0);
    if (!image || !insert(edit, plan_place(instruction, PLAN_BEFORE), image))
        return false;
    if (image->length)
        edit->plan.repeat = (struct plan_repeat){snippet->version, image, image->length};
    return true;
}

bool method_editor_after(struct method_editor *edit, uint32_t instruction,
                         const struct snippet *snippet)
{
    if (instruction >= edit->bytecode.count)
        return refuse(edit, "an insertion after an instruction that does not exist");
    unsigned flow = opcode_infos[edit->bytecode.instructions[instruction].opcode].flow;
    if (flow != FLOW_NEXT && flow != FLOW_BRANCH)
        return refuse(edit, "an insertion after an instruction that never goes on to the next");
    const struct code_image *image = image_for(edit, snippet, 0);
    return image && insert(edit, plan_place(instruction, PLAN_AFTER), image);
}

static const struct code_image *nop_image(struct method_editor *edit)
{
    struct snippet nop;
    snippet_init(&nop, edit->editor);
    snippet_add(&nop, OP_NOP);
    const struct code_image *image = plan_image(&edit->plan, &nop, &edit->problem);
    snippet_release(&nop);
    return image;
}

bool method_editor_replace(struct method_editor *edit, uint32_t number,
                           const struct snippet *snippet)
{
    if (number >= edit->bytecode.count)
        return refuse(edit, "a replacement of an instruction that does not exist");
    const struct instruction *instruction = &edit->bytecode.instructions[number];
    if (opcode_infos[instruction->opcode].flow != FLOW_NEXT)
        return refuse(edit, "a replacement of a branch, switch, return or throw");
    struct stack_effect effect = stack_effect_of(edit->editor->class_file, instruction);
    const struct code_image *image =
        image_for(edit, snippet, (int32_t)effect.pushes - (int32_t)effect.pops);
    if (image && !image->length)
        image = nop_image(edit);
    edit->plan.replaces = true;
    return image && insert(edit, plan_place(number, PLAN_REPLACE), image);
}

static bool append(struct method_editor *edit, struct plan_images *images,
                   const struct snippet *snippet)
{
    const struct code_image *image = image_for(edit, snippet, 0);
    if (!image)
        return false;
    /* An empty exceptional exit is one all the same: it shows in the exception table. */
    if (!image->length && images != &edit->plan.throws)
        return true;
    return plan_add_image(&edit->plan, images, image) || refuse(edit, "out of memory");
}

bool method_editor_at_entry(struct method_editor *edit, const struct snippet *snippet)
{
    return append(edit, &edit->plan.entry, snippet);
}

bool method_editor_at_return(struct method_editor *edit, const struct snippet *snippet)
{
    return append(edit, &edit->plan.returns, snippet);
}

bool method_editor_at_throw(struct method_editor *edit, const struct snippet *snippet)
{
    return append(edit, &edit->plan.throws, snippet);
}

bool method_editor_at_handler(struct method_editor *edit, uint32_t instruction,
                              const struct snippet *snippet)
{
    const struct bytecode *bytecode = &edit->bytecode;
    bool found = false;
    for (uint32_t i = 0; i < bytecode->code->handler_count; i++) {
        if (bytecode->handlers[i].handler != instruction)
            continue;
        if (bytecode->handlers[i].catch_type)
            return refuse(edit, "a detour to a handler that does not catch everything");
        found = true;
    }
    for (uint32_t i = 0; i < edit->plan.detour_count; i++)
        if (edit->plan.detours[i].handler == instruction)
            return refuse(edit, "a second detour to a handler");
    if (!found)
        return refuse(edit, "a detour to an instruction that begins no handler");
    const struct code_image *image = image_for(edit, snippet, 0);
    return image &&
           (plan_add_detour(&edit->plan, instruction, image) || refuse(edit, "out of memory"));
}

/* ---- carrying out ---- */

/* What apply makes: the new code with all its tables, put into the method when nothing can fail any
   more. */
struct application {
    struct method_editor *edit;
    struct problem *problem;
    struct layout layout;
    struct exits exits;
    struct method_types types;
    struct stack_map *map;
    struct code code;
    bool this_kept;
};

static enum rewrite_result fail_memory(struct application *application)
{
    problem_set(application->problem, PROBLEM_NO_OFFSET, "out of memory");
    return REWRITE_FAILED;
}

static enum rewrite_result pass_limit(struct application *application, const char *reason)
{
    problem_set(application->problem, PROBLEM_NO_OFFSET, "%s", reason);
    return REWRITE_TOO_LARGE;
}

static const char code_too_long[] = "the code would pass 65,535 bytes";

static bool has_double_replacement(const struct plan *plan)
{
    for (uint32_t i = 1; plan->replaces && i < plan->item_count; i++)
        if ((plan->items[i].place & 3) == PLAN_REPLACE &&
            plan->items[i].place == plan->items[i - 1].place)
            return true;
    return false;
}

static enum rewrite_result set_limits(struct application *application)
{
    struct method_editor *edit = application->edit;
    const struct plan *plan = &edit->plan;
    const struct code *old = edit->bytecode.code;
    int64_t stack = (int64_t)old->max_stack + plan->growth;
    if ((plan->throws.count || plan->detour_count) && stack < 1 + (int64_t)plan->throw_growth)
        stack = 1 + (int64_t)plan->throw_growth;
    uint32_t locals = edit->max_locals > plan->local_end ? edit->max_locals : plan->local_end;
    if (stack > UINT16_MAX)
        return pass_limit(application, "the operand stack would pass 65,535 places");
    if (locals > UINT16_MAX || edit->too_many_locals)
        return pass_limit(application, "the local variables would pass 65,535 places");
    application->code.max_stack = (uint16_t)stack;
    application->code.max_locals = (uint16_t)locals;
    return REWRITE_DONE;
}

static enum rewrite_result place_exits(struct application *application)
{
    struct method_editor *edit = application->edit;
    const struct bytecode *bytecode = &edit->bytecode;
    const uint8_t *states = NULL;
    if (edit->plan.throws.count) {
        application->this_kept = frame_plan_this_kept(bytecode, &edit->plan);
        if (method_types_is_constructor(bytecode)) {
            states = method_types_exit_states(&application->types, application->problem);
            if (!states)
                return REWRITE_FAILED;
        }
    }
    if (!exits_compute(&application->exits, edit->arena, &application->layout, states))
        return fail_memory(application);
    if (application->exits.code_end > LAYOUT_LARGEST_CODE)
        return pass_limit(application, code_too_long);
    /* The verifier wants to see the uninitialized `this` in the frame of that handler. */
    if (application->exits.used[EXIT_UNINITIALIZED] && !application->this_kept &&
        frame_plan_wanted(bytecode)) {
        problem_set(application->problem, PROBLEM_NO_OFFSET,
                    "a constructor overwrites `this`: no exceptional exit can be given");
        return REWRITE_FAILED;
    }
    return REWRITE_DONE;
}

static enum rewrite_result make_frames(struct application *application)
{
    struct method_editor *edit = application->edit;
    if (!frame_plan_wanted(&edit->bytecode))
        return REWRITE_DONE;
    struct frame_request request = {.editor = edit->editor,
                                    .scratch = edit->arena,
                                    .layout = &application->layout,
                                    .exits = &application->exits,
                                    .types = &application->types,
                                    .max_locals = application->code.max_locals,
                                    .max_stack = application->code.max_stack,
                                    .this_kept = application->this_kept};
    bool typed = edit->plan.types_needed || edit->plan.kept_count || edit->plan.detour_count ||
                 application->layout.conditions_widened;
    switch (typed ? frame_plan_typed(&request, &application->map, application->problem)
                  : frame_plan_shift(&request, &application->map, application->problem)) {
    case FRAME_PLAN_DONE:
    case FRAME_PLAN_DROPPED:
        return REWRITE_DONE;
    case FRAME_PLAN_TOO_LARGE:
        return REWRITE_TOO_LARGE;
    default:
        return REWRITE_FAILED;
    }
}

static enum rewrite_result make_code(struct application *application)
{
    struct method_editor *edit = application->edit;
    struct code *code = &application->code;
    bool too_large;
    if (!remap_handlers(&application->layout, &application->exits, code, &too_large))
        return too_large ? pass_limit(application, "the exception table would pass 65,535 entries")
                         : fail_memory(application);
    code->length = application->exits.code_end;
    code->bytes = application->layout.code;
    code->margin = EMIT_MARGIN;
    emit_finish(&application->layout, &application->exits);
    if (!remap_attributes(&application->layout, &application->exits, application->map,
                          &code->attributes))
        return fail_memory(application);
    if (application->map && !attributes_find(&code->attributes, ATTRIBUTE_STACK_MAP_TABLE)) {
        struct attribute *added =
            class_editor_add_attribute(edit->editor, &code->attributes, ATTRIBUTE_STACK_MAP_TABLE);
        if (!added && edit->editor->pool_full) {
            problem_set(application->problem, PROBLEM_NO_OFFSET, "the constant pool is full");
            return REWRITE_FAILED;
        }
        if (!added)
            return fail_memory(application);
        added->as.stack_map = application->map;
    }
    return REWRITE_DONE;
}

static enum rewrite_result carry_out(struct application *application)
{
    struct method_editor *edit = application->edit;
    if (!plan_sort(&edit->plan))
        return fail_memory(application);
    if (has_double_replacement(&edit->plan)) {
        problem_set(application->problem, PROBLEM_NO_OFFSET, "an instruction is replaced twice");
        return REWRITE_FAILED;
    }
    enum rewrite_result result = set_limits(application);
    if (result != REWRITE_DONE)
        return result;
    if (!layout_compute(&application->layout, edit->arena, &edit->bytecode, &edit->plan))
        return fail_memory(application);
    if (application->layout.body_end > LAYOUT_LARGEST_CODE)
        return pass_limit(application, code_too_long);
    result = place_exits(application);
    if (result == REWRITE_DONE)
        result = make_frames(application);
    if (result == REWRITE_DONE)
        result = make_code(application);
    return result;
}

enum rewrite_result method_editor_apply(struct method_editor *edit, struct problem *problem)
{
    if (edit->problem.set) {
        problem_set(problem, PROBLEM_NO_OFFSET, "%s", edit->problem.reason);
        return REWRITE_FAILED;
    }
    if (plan_is_empty(&edit->plan))
        return REWRITE_UNCHANGED;
    /* The others are filled in by those that compute them. */
    struct application application;
    struct code *code = member_code(edit->method);
    application.edit = edit;
    application.problem = problem;
    application.map = NULL;
    application.code = *code;
    application.this_kept = false;
    method_types_init(&application.types, edit->arena, &edit->bytecode, edit->types);
    enum rewrite_result result = carry_out(&application);
    method_types_release(&application.types);
    if (result == REWRITE_DONE) {
        *code = application.code;
        edit->places = application.layout.places;
    }
    return result;
}

uint32_t method_editor_start(const struct method_editor *edit, uint32_t instruction)
{
    return edit->places ? edit->places[instruction].start
                        : bytecode_offset(&edit->bytecode, instruction);
}

uint32_t method_editor_end(const struct method_editor *edit, uint32_t instruction)
{
    return edit->places ? edit->places[instruction + 1].label
                        : bytecode_offset(&edit->bytecode, instruction + 1);
}
