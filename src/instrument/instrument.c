#include "instrument/instrument.h"

#include <string.h>

#include "classfile/names.h"
#include "instrument/atomic_blocks.h"
#include "instrument/batches.h"
#include "instrument/hand_over.h"
#include "instrument/instrument_internal.h"
#include "instrument/library.h"
#include "instrument/quiet.h"
#include "instrument/repeats.h"
#include "instrument/telling.h"
#include "instrument/unshared.h"
#include "rewrite/frame_plan.h"
#include "rewrite/method_types.h"

/* ---- what the planners share ---- */

struct snippet *instrument_snippet(struct instrument_method *method)
{
    snippet_clear(&method->owner->snippet);
    return &method->owner->snippet;
}

uint32_t instrument_line(const struct instrument_method *method, uint32_t instruction)
{
    if (!method->lines)
        return 0;
    const uint32_t offset = bytecode_offset(&method->edit->bytecode, instruction);
    uint32_t line = 0, best = 0;
    for (uint32_t i = 0; i < method->lines->count; i++) {
        const struct line_number *entry = &method->lines->items[i];
        if (entry->start <= offset && (!line || entry->start >= best)) {
            line = entry->line;
            best = entry->start;
        }
    }
    return line;
}

static uint32_t add_site(struct instrument_method *method, uint32_t instruction, uint32_t accessed,
                         bool unshared)
{
    struct instrument_class *owner = method->owner;
    struct site site = {.class_name = owner->name,
                        .method = method->name,
                        .file = owner->file,
                        .line = instrument_line(method, instruction),
                        .accessed = accessed,
                        .unshared = unshared};
    if (!vector_push(&owner->checks.sites, site))
        owner->failed = true;
    return owner->checks.sites.count ? (uint32_t)owner->checks.sites.count - 1 : 0;
}

uint32_t instrument_site(struct instrument_method *method, uint32_t instruction)
{
    return add_site(method, instruction, 0, false);
}

uint32_t instrument_access_site(struct instrument_method *method, uint32_t instruction,
                                const struct accessed *accessed, struct origin object)
{
    const uint32_t number = sites_accessed(method->owner->instrument->sites, accessed);
    if (!number)
        method->owner->failed = true;
    return add_site(method, instruction, number, unshared_is(method, instruction, object));
}

bool instrument_matches(struct instrument_class *owner, const struct pattern_list *list,
                        struct text class_name, struct text member)
{
    if (!list || !list->items.count)
        return false;
    struct builder name;
    builder_init(&name);
    names_add_dotted(&name, class_name);
    builder_add_byte(&name, '.');
    builder_add(&name, member);
    bool matches = pattern_list_matches(list, builder_text(&name));
    if (name.failed)
        owner->failed = true;
    builder_release(&name);
    return matches;
}

bool instrument_wants(struct instrument_class *owner, const struct accessed *accessed)
{
    const struct pattern_list *watch = owner->instrument->watch;
    return !watch || !watch->items.count ||
           (accessed->name.length &&
            instrument_matches(owner, watch, accessed->owner, accessed->name));
}

bool instrument_is_early(const struct instrument_method *method, uint32_t instruction)
{
    return method->states && method->states[instruction] != EXIT_INITIALIZED;
}

void instrument_push_class(struct instrument_class *owner, struct snippet *snippet)
{
    if (owner->class_constants) {
        snippet_push_class(snippet, owner->name);
        return;
    }
    /* Class.forName asks the caller's loader, which has the class. */
    const struct text dotted = names_dotted(&owner->arena, owner->name);
    if (!dotted.length) {
        owner->failed = true;
        return;
    }
    snippet_push_string(snippet, dotted);
    snippet_call(snippet, OP_INVOKESTATIC, TEXT("java/lang/Class"), TEXT("forName"),
                 TEXT("(Ljava/lang/String;)Ljava/lang/Class;"), false);
}

void instrument_call_hook(struct snippet *snippet, const char *name, const char *descriptor)
{
    snippet_call(snippet, OP_INVOKESTATIC, TEXT(INSTRUMENT_HOOK), text_from(name),
                 text_from(descriptor), false);
}

/* ---- one class ---- */

static bool begin_class(void *context, struct class_editor *editor)
{
    struct instrument_class *owner = context;
    const struct class_file *class_file = editor->class_file;
    owner->editor = editor;
    owner->name = class_this_name(class_file);
    const struct attribute *file = attributes_find(&class_file->attributes, ATTRIBUTE_SOURCE_FILE);
    owner->file = file ? class_utf8(class_file, file->as.index) : TEXT("");
    owner->interface = class_file->access & ACCESS_INTERFACE;
    /* Before version 52 all methods of an interface are public and abstract, but its initializer.
     */
    owner->no_checks = owner->interface && class_file->major < 52;
    owner->class_constants = class_file->major >= 49;
    for (uint32_t i = 0; i < class_file->method_count; i++) {
        uint16_t access = class_method_access(class_file, &class_file->methods[i]);
        owner->synchronized_methods |= (access & ACCESS_SYNCHRONIZED) && !(access & ACCESS_STATIC);
    }
    snippet_init(&owner->snippet, editor);
    if (owner->library ? !library_begin(owner) : !(quiet_begin(owner) && hand_over_begin(owner)))
        owner->failed = editor->out_of_memory = true;
    return true;
}

/* The exit_state of each instruction of a constructor. */
static bool find_states(struct instrument_method *method)
{
    struct method_editor *edit = method->edit;
    const struct bytecode *bytecode = &edit->bytecode;
    if (!method_types_is_constructor(bytecode))
        return true;
    uint32_t call = exits_simple_call(bytecode);
    if (call == INSTRUCTION_NONE) {
        struct method_types types;
        struct problem problem;
        problem_clear(&problem);
        method_types_init(&types, edit->arena, bytecode, edit->types);
        method->states = method_types_exit_states(&types, &problem);
        method_types_release(&types);
        return method->states;
    }
    uint8_t *states = ARENA_ARRAY(edit->arena, uint8_t, bytecode->count);
    if (!states)
        return false;
    memset(states, EXIT_INITIALIZED, bytecode->count);
    memset(states, EXIT_UNINITIALIZED, call);
    states[call] = EXIT_CONSTRUCTS;
    method->states = states;
    return true;
}

static bool plan_instruction(struct instrument_method *method, uint32_t instruction)
{
    enum opcode opcode = method->edit->bytecode.instructions[instruction].opcode;
    const bool checks = !method->owner->no_checks;
    if (opcode == OP_PUTFIELD || opcode == OP_PUTSTATIC)
        lock_fields_note_store(method, instruction);
    switch (opcode) {
    case OP_GETFIELD:
    case OP_PUTFIELD:
    case OP_GETSTATIC:
    case OP_PUTSTATIC:
        return !checks || fields_plan(method, instruction);
    case OP_MONITORENTER:
    case OP_MONITOREXIT:
        return atomic_blocks_before(method, instruction) && monitors_plan(method, instruction) &&
               atomic_blocks_after(method, instruction);
    case OP_INVOKEVIRTUAL:
    case OP_INVOKEINTERFACE:
    case OP_INVOKESPECIAL:
    case OP_INVOKESTATIC:
        return calls_plan(method, instruction) &&
               (!checks || collections_plan(method, instruction));
    default:
        if ((opcode >= OP_IALOAD && opcode <= OP_SALOAD) ||
            (opcode >= OP_IASTORE && opcode <= OP_SASTORE))
            return !checks || !method->owner->instrument->arrays ||
                   arrays_plan(method, instruction);
        return true;
    }
}

static bool plan_application(struct instrument_method *method, bool blocks)
{
    struct method_editor *edit = method->edit;
    const bool arrays = method->owner->instrument->arrays && !method->owner->no_checks;
    if (!find_states(method) ||
        !origins_compute(&method->origins, &edit->bytecode, method->is_static,
                         unshared_is_wanted(method), edit->arena) ||
        !unshared_begin(method) || (blocks && !atomic_blocks_begin(method)) ||
        !monitors_plan_method(method) || !atomic_blocks_end(method) ||
        (arrays && !arrays_begin(method)) ||
        (!method->owner->no_checks &&
         !((method->owner->instrument->recorded || repeats_begin(method)) &&
           batches_begin(method) && telling_begin(method))))
        return false;
    for (uint32_t i = 0; i < edit->bytecode.count; i++)
        if (!plan_instruction(method, i))
            return false;
    return !arrays || arrays_end(method);
}

static void begin_method(struct instrument_method *method, struct instrument_class *owner,
                         struct method_editor *edit)
{
    const struct class_file *class_file = owner->editor->class_file;
    struct text name = class_utf8(class_file, edit->method->name);
    const struct attribute *lines =
        attributes_find(&edit->bytecode.code->attributes, ATTRIBUTE_LINE_NUMBER_TABLE);
    *method = (struct instrument_method){
        .owner = owner,
        .edit = edit,
        .name = name,
        .descriptor = class_utf8(class_file, edit->method->descriptor),
        .lines = lines ? lines->as.line_numbers : NULL,
        .hand_over = hand_over_of(owner, edit->method),
        .is_static = class_method_access(class_file, edit->method) & ACCESS_STATIC,
        .is_constructor = text_is(name, "<init>"),
        .is_initializer = text_is(name, "<clinit>"),
        .telling = -1,
    };
    vector_clear(&owner->lock_notes);
    method->this_kept = frame_plan_this_kept(&edit->bytecode, &edit->plan);
}

/* The checks are worth more than the marks of blocks: where there is no room for both, all is
   planned anew without marks. (What was planned before counts in the statistics too.) */
static bool plan_without_blocks(struct instrument_method *method)
{
    struct method_editor *edit = method->edit;
    struct problem problem;
    problem_clear(&problem);
    if (!method_editor_init(edit, edit->editor, edit->method, edit->arena, edit->types, &problem))
        return false;
    begin_method(method, method->owner, edit);
    return plan_application(method, false);
}

static bool plan_method(void *context, struct method_editor *edit)
{
    struct instrument_class *owner = context;
    struct instrument *instrument = owner->instrument;
    struct instrument_method method;
    begin_method(&method, owner, edit);
    const size_t sites = owner->checks.sites.count;
    bool planned = owner->library ? library_plan(&method) : plan_application(&method, true);
    if (planned && atomic_blocks_too_large(&method)) {
        owner->checks.sites.count = sites;
        planned = plan_without_blocks(&method);
    }
    if (!planned)
        owner->checks.sites.count = sites;
    else if (!plan_is_empty(&edit->plan))
        atomic_fetch_add_explicit(&instrument->methods, 1, memory_order_relaxed);
    if (planned)
        atomic_fetch_add_explicit(&instrument->blocks, atomic_blocks_count(&method),
                                  memory_order_relaxed);
    return planned && !owner->failed;
}

static void place_method(void *context, const struct method_editor *edit)
{
    lock_fields_place(context, edit);
}

static void end_class(void *context, struct class_editor *editor)
{
    struct instrument_class *owner = context;
    if (!owner->failed && !class_editor_failed(editor)) {
        bool finished =
            owner->library ? library_finish(owner)
                           : fields_finish(owner) && monitors_finish(owner) && checks_finish(owner);
        if (!finished)
            owner->failed = true;
    }
    if (owner->failed)
        editor->out_of_memory = true; /* half of the changes would be worse than none */
    snippet_release(&owner->snippet);
}

static void tell_left(void *context, const struct class_file *class_file,
                      const struct member *method, enum class_left reason,
                      const struct problem *problem)
{
    struct instrument_class *owner = context;
    if (owner->instrument->left)
        owner->instrument->left(owner->instrument->context, class_file, method, reason, problem);
}

enum class_rewritten instrument_class(struct instrument *instrument,
                                      struct class_rewriter *rewriter,
                                      const struct library_class *library, const void *bytes,
                                      size_t size, struct problem *problem)
{
    struct instrument_class owner = {.instrument = instrument, .library = library};
    struct class_visitor visitor = {&owner,    begin_class, plan_method,
                                    end_class, tell_left,   place_method};
    checks_init(&owner.checks);
    arena_init(&owner.arena);
    enum class_rewritten result = class_rewriter_run(rewriter, bytes, size, &visitor, problem);
    if (result == CLASS_REWRITTEN)
        atomic_fetch_add_explicit(&instrument->classes, 1, memory_order_relaxed);
    if (result == CLASS_REWRITTEN || result == CLASS_UNCHANGED)
        lock_fields_finish(&owner);
    vector_release(&owner.lock_notes);
    vector_release(&owner.lock_places);
    arena_release(&owner.arena);
    checks_release(&owner.checks);
    return result;
}
