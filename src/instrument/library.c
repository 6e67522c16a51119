#include "instrument/library.h"

#include <string.h>

#include "classfile/descriptor.h"
#include "instrument/instrument_internal.h"
#include "instrument/library_internal.h"

#define THREAD TEXT("java/lang/Thread")
#define CONDITION TEXT("java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject")
#define WORD TEXT("$turnstile$word")
#define TAKES_OBJECT "(Ljava/lang/Object;)V"

enum { ARGUMENTS_MAX = 8 };

/* One method in hand. */
struct work {
    struct instrument_method *method;
    const struct class_file *class_file;
    const struct library_class *class;
    /* Where arguments are that the code overwrites; 0: it does not. */
    uint16_t saved[ARGUMENTS_MAX];
    uint16_t kept;
    bool has_kept;
};

struct argument {
    uint16_t slot;
    struct text type;
};

/* ---- snippets ---- */

/* Nothing of what follows up to snippet_bind happens unless the hooks are there. */
static snippet_label begin_guard(struct snippet *snippet)
{
    snippet_label skip = snippet_new_label(snippet);
    snippet_field(snippet, OP_GETSTATIC, THREAD, TEXT("$turnstile$on"), TEXT("Z"));
    snippet_branch(snippet, OP_IFEQ, skip);
    return skip;
}

static struct text next_word(struct text *rest, char separator)
{
    ptrdiff_t found = text_find(*rest, separator);
    size_t end = found < 0 ? rest->length : (size_t)found;
    struct text word = text_slice(*rest, 0, end);
    *rest = text_slice(*rest, end + 1, rest->length);
    return word;
}

/* ---- arguments ---- */

static unsigned count_parameters(struct text descriptor)
{
    size_t position = 1;
    struct text type;
    unsigned count = 0;
    while (descriptor_next_parameter(descriptor, &position, &type))
        count++;
    return count;
}

static bool find_argument(const struct work *work, unsigned number, struct argument *argument)
{
    size_t position = 1;
    unsigned slot = work->method->is_static ? 0 : 1;
    for (unsigned i = 0;
         descriptor_next_parameter(work->method->descriptor, &position, &argument->type); i++) {
        if (i == number) {
            argument->slot = (uint16_t)slot;
            return true;
        }
        slot += descriptor_slots(argument->type);
    }
    return false;
}

/* The number of the argument that the operand is, or -1. */
static int argument_number(const struct work *work, struct text operand)
{
    if (text_is(operand, "last"))
        return (int)count_parameters(work->method->descriptor) - 1;
    if (operand.length != 4 || !text_starts_with(operand, TEXT("arg")))
        return -1;
    int number = operand.bytes[3] - '0';
    return number >= 0 && number < ARGUMENTS_MAX ? number : -1;
}

static bool is_overwritten(const struct bytecode *bytecode, const struct argument *argument)
{
    for (uint32_t i = 0; i < bytecode->count; i++) {
        bool stores = false;
        unsigned slots = 0;
        int32_t local = code_image_local(&bytecode->instructions[i], &stores, &slots);
        if (stores && local >= 0 &&
            (unsigned)local < argument->slot + descriptor_slots(argument->type) &&
            (unsigned)local + slots > argument->slot)
            return true;
    }
    return false;
}

static bool save_argument(struct work *work, unsigned number)
{
    struct method_editor *edit = work->method->edit;
    struct argument argument;
    if (!find_argument(work, number, &argument))
        return false;
    if (work->saved[number] || !is_overwritten(&edit->bytecode, &argument))
        return true;
    struct snippet *snippet = instrument_snippet(work->method);
    work->saved[number] = method_editor_new_kept_local(edit, argument.type);
    snippet_local(snippet, snippet_load_of(argument.type), argument.slot);
    snippet_local(snippet, snippet_store_of(argument.type), work->saved[number]);
    return method_editor_at_entry(edit, snippet);
}

/* Sees to it that the arguments that the row needs are still there at its place. */
static bool save_arguments(struct work *work, const struct library_row *row)
{
    struct text rest = text_from(row->operands);
    while (row->place != PLACE_ENTRY && rest.length) {
        int number = argument_number(work, next_word(&rest, ' '));
        if (number >= 0 && !save_argument(work, (unsigned)number))
            return false;
    }
    return true;
}

static bool push_argument(const struct work *work, struct snippet *snippet, unsigned number)
{
    struct argument argument;
    if (number >= ARGUMENTS_MAX || !find_argument(work, number, &argument))
        return false;
    snippet_local(snippet, snippet_load_of(argument.type),
                  work->saved[number] ? work->saved[number] : argument.slot);
    return true;
}

/* ---- operands ---- */

/* The descriptor of a field that the class has or will have; empty if there is none. */
static struct text own_field(const struct work *work, struct text name)
{
    for (uint32_t i = 0; i < work->class_file->field_count; i++) {
        const struct member *field = &work->class_file->fields[i];
        if (text_equal(class_utf8(work->class_file, field->name), name))
            return class_utf8(work->class_file, field->descriptor);
    }
    for (size_t i = 0; i < work->class->field_count; i++)
        if (text_is(name, work->class->fields[i].name))
            return text_from(work->class->fields[i].descriptor);
    return TEXT("");
}

/* "field" of this class, or "Owner.field:descriptor". */
static bool push_field(const struct work *work, struct snippet *snippet, struct text step)
{
    struct text owner = work->method->owner->name, name = step, descriptor;
    ptrdiff_t colon = text_find(step, ':');
    if (colon < 0) {
        descriptor = own_field(work, name);
    } else {
        name = text_slice(step, 0, (size_t)colon);
        descriptor = text_slice(step, (size_t)colon + 1, step.length);
        ptrdiff_t dot = text_find_last(name, '.');
        if (dot < 0)
            return false;
        owner = text_slice(name, 0, (size_t)dot);
        name = text_slice(name, (size_t)dot + 1, name.length);
    }
    if (!descriptor.length)
        return false;
    snippet_field(snippet, OP_GETFIELD, owner, name, descriptor);
    return true;
}

static bool push_path(const struct work *work, struct snippet *snippet, struct text path)
{
    if (!text_is(next_word(&path, '>'), "this"))
        return false;
    snippet_local(snippet, OP_ALOAD, 0);
    while (path.length)
        if (!push_field(work, snippet, next_word(&path, '>')))
            return false;
    return true;
}

/* A copy of what is on the stack: of a value of so many slots on top. */
static bool push_stack(struct snippet *snippet, struct text operand, unsigned slots)
{
    if (text_is(operand, "top")) {
        snippet_add(snippet, slots == 2 ? OP_DUP2 : OP_DUP);
        return slots;
    }
    if (!text_is(operand, "under") && !text_is(operand, "both"))
        return false;
    snippet_add(snippet, OP_DUP2);
    if (operand.bytes[0] == 'u')
        snippet_add(snippet, OP_POP);
    return true;
}

static bool push_operand(const struct work *work, struct snippet *snippet, struct text operand,
                         unsigned slots)
{
    int number = argument_number(work, operand);
    if (number >= 0)
        return push_argument(work, snippet, (unsigned)number);
    if (operand.length == 1) {
        snippet_push_int(snippet, operand.bytes[0] - '0');
        return true;
    }
    if (text_is(operand, "thread")) {
        snippet_call(snippet, OP_INVOKESTATIC, THREAD, TEXT("currentThread"),
                     TEXT("()Ljava/lang/Thread;"), false);
        return true;
    }
    if (text_is(operand, "kept")) {
        snippet_local(snippet, OP_ALOAD, work->kept);
        return work->has_kept;
    }
    return push_stack(snippet, operand, slots) || push_path(work, snippet, operand);
}

static bool push_operands(const struct work *work, struct snippet *snippet, const char *operands,
                          unsigned slots)
{
    struct text rest = text_from(operands);
    while (rest.length)
        if (!push_operand(work, snippet, next_word(&rest, ' '), slots))
            return false;
    return true;
}

/* ---- one row ---- */

static void add_condition(struct snippet *snippet, enum library_place place, snippet_label skip)
{
    switch (place) {
    case PLACE_RETURN_TRUE:
        snippet_add(snippet, OP_DUP);
        snippet_branch(snippet, OP_IFEQ, skip);
        break;
    case PLACE_RETURN_FALSE:
        snippet_add(snippet, OP_DUP);
        snippet_branch(snippet, OP_IFNE, skip);
        break;
    case PLACE_RETURN_NONZERO:
        snippet_add(snippet, OP_DUP2);
        snippet_add(snippet, OP_LCONST_0);
        snippet_add(snippet, OP_LCMP);
        snippet_branch(snippet, OP_IFEQ, skip);
        break;
    default:
        break;
    }
}

/* The row's hook; a value of so many slots is on top of the stack. NULL if it cannot be. */
static struct snippet *make_hook(struct work *work, const struct library_row *row, unsigned slots)
{
    const struct library_call *call = &library_calls[row->action];
    struct snippet *snippet = instrument_snippet(work->method);
    snippet_label skip = begin_guard(snippet);
    add_condition(snippet, row->place, skip);
    if (row->place == PLACE_STORE)
        snippet_add(snippet, OP_DUP);
    if (!push_operands(work, snippet, row->operands, slots))
        return NULL;
    snippet_call(snippet, OP_INVOKESTATIC, text_from(call->class_name), text_from(call->method),
                 text_from(call->descriptor), false);
    if (row->place == PLACE_STORE)
        snippet_field(snippet, OP_PUTFIELD, text_from(row->owner), text_from(row->what),
                      descriptor_return(text_from(call->descriptor)));
    snippet_bind(snippet, skip);
    return snippet;
}

static bool plan_whole(struct work *work, const struct library_row *row)
{
    struct method_editor *edit = work->method->edit;
    unsigned slots = descriptor_slots(descriptor_return(work->method->descriptor));
    struct snippet *snippet = make_hook(work, row, slots);
    if (!snippet)
        return false;
    switch (row->place) {
    case PLACE_ENTRY:
        return method_editor_at_entry(edit, snippet);
    case PLACE_THROW:
        return method_editor_at_throw(edit, snippet);
    default:
        return method_editor_at_return(edit, snippet);
    }
}

static bool is_call(unsigned opcode)
{
    return opcode == OP_INVOKEVIRTUAL || opcode == OP_INVOKESPECIAL || opcode == OP_INVOKESTATIC ||
           opcode == OP_INVOKEINTERFACE;
}

/* Whether the instruction is what the row is about; then with the member that it names. */
static bool is_inner(const struct work *work, const struct library_row *row, uint32_t number,
                     struct member_reference *member)
{
    const struct instruction *instruction = &work->method->edit->bytecode.instructions[number];
    bool calls = row->place == PLACE_BEFORE_CALL || row->place == PLACE_AFTER_CALL;
    if (calls ? !is_call(instruction->opcode) : instruction->opcode != OP_GETFIELD)
        return false;
    *member = class_member_reference(work->class_file, instruction->operand);
    return library_is_what(row->what, member);
}

static bool plan_at(struct work *work, const struct library_row *row, uint32_t number,
                    const struct member_reference *member)
{
    struct method_editor *edit = work->method->edit;
    bool before = row->place == PLACE_BEFORE_CALL || row->place == PLACE_BEFORE_GET;
    unsigned slots = 1;
    if (row->place == PLACE_AFTER_CALL)
        slots = descriptor_slots(descriptor_return(member->descriptor));
    struct snippet *snippet = make_hook(work, row, slots);
    if (!snippet)
        return false;
    return before ? method_editor_before(edit, number, snippet)
                  : method_editor_after(edit, number, snippet);
}

static bool plan_inner(struct work *work, const struct library_row *row)
{
    struct member_reference member;
    for (uint32_t i = 0; i < work->method->edit->bytecode.count; i++) {
        if (!is_inner(work, row, i, &member))
            continue;
        if (!plan_at(work, row, i, &member))
            return false;
        if (row->place == PLACE_AFTER_FIRST_GET)
            break;
    }
    return true;
}

static bool plan_keep(struct work *work, const struct library_row *row)
{
    struct method_editor *edit = work->method->edit;
    struct member_reference member;
    struct text type = own_field(work, text_from(row->what));
    if (!type.length)
        return false;
    work->kept = method_editor_new_kept_local(edit, type);
    work->has_kept = true;
    struct snippet *snippet = instrument_snippet(work->method);
    snippet_add(snippet, OP_ACONST_NULL);
    snippet_local(snippet, OP_ASTORE, work->kept);
    if (!method_editor_at_entry(edit, snippet))
        return false;
    for (uint32_t i = 0; i < edit->bytecode.count; i++) {
        if (!is_inner(work, row, i, &member))
            continue;
        snippet = instrument_snippet(work->method);
        snippet_add(snippet, OP_DUP);
        snippet_local(snippet, OP_ASTORE, work->kept);
        return method_editor_after(edit, i, snippet);
    }
    return false;
}

static bool plan_row(struct work *work, const struct library_row *row)
{
    switch (row->place) {
    case PLACE_BEFORE_CALL:
    case PLACE_AFTER_CALL:
    case PLACE_BEFORE_GET:
    case PLACE_AFTER_FIRST_GET:
        return save_arguments(work, row) && plan_inner(work, row);
    case PLACE_KEEP:
        return plan_keep(work, row);
    default:
        return save_arguments(work, row) && plan_whole(work, row);
    }
}

/* ---- classes that keep their locks and atomics to themselves ---- */

static bool plan_twin(struct work *work, uint32_t number, const struct member_reference *callee)
{
    struct instrument_class *owner = work->method->owner;
    char *name =
        arena_allocate(&owner->arena, sizeof INSTRUMENT_PREFIX - 1 + callee->name.length, 1);
    if (!name)
        return false;
    memcpy(name, INSTRUMENT_PREFIX, sizeof INSTRUMENT_PREFIX - 1);
    memcpy(name + sizeof INSTRUMENT_PREFIX - 1, callee->name.bytes, callee->name.length);
    struct snippet *snippet = instrument_snippet(work->method);
    snippet_call(snippet, OP_INVOKEVIRTUAL, callee->owner,
                 text_of(name, sizeof INSTRUMENT_PREFIX - 1 + callee->name.length),
                 callee->descriptor, false);
    return method_editor_replace(work->method->edit, number, snippet);
}

static bool plan_quiet_condition(struct work *work, uint32_t number)
{
    struct snippet *snippet = instrument_snippet(work->method);
    snippet_add(snippet, OP_DUP);
    snippet_type(snippet, OP_CHECKCAST, CONDITION);
    snippet_push_int(snippet, 1);
    snippet_field(snippet, OP_PUTFIELD, CONDITION, TEXT("$turnstile$quiet"), TEXT("Z"));
    return method_editor_after(work->method->edit, number, snippet);
}

static bool plan_quiet(struct work *work)
{
    const struct bytecode *bytecode = &work->method->edit->bytecode;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        if (bytecode->instructions[i].opcode != OP_INVOKEVIRTUAL)
            continue;
        const struct member_reference callee =
            class_member_reference(work->class_file, bytecode->instructions[i].operand);
        const struct library_class *class = library_find(callee.owner);
        if (!class || !(class->flags & LIBRARY_TWINS))
            continue;
        bool planned = true;
        if (library_has_twin(class, callee.name, callee.descriptor))
            planned = plan_twin(work, i, &callee);
        else if (text_is(callee.name, "newCondition"))
            planned = plan_quiet_condition(work, i);
        if (!planned)
            return false;
    }
    return true;
}

/* ---- classes that lock themselves ---- */

/* On the stack: the monitor's object, which stays. It is as if this were not there when the hooks
   are not. */
static void tell_of_top(struct snippet *snippet, const char *hook)
{
    snippet_label skip = begin_guard(snippet);
    snippet_add(snippet, OP_DUP);
    instrument_call_hook(snippet, hook, TAKES_OBJECT);
    snippet_bind(snippet, skip);
}

/* The same for the object in a local. */
static void tell_of_local(struct snippet *snippet, int32_t local, const char *hook)
{
    snippet_label skip = begin_guard(snippet);
    snippet_local(snippet, OP_ALOAD, (uint16_t)local);
    instrument_call_hook(snippet, hook, TAKES_OBJECT);
    snippet_bind(snippet, skip);
}

static bool plan_enter(struct work *work, uint32_t number)
{
    struct method_editor *edit = work->method->edit;
    const int32_t local = monitors_local(work->method, number);
    struct snippet *snippet = instrument_snippet(work->method);
    if (local < 0) {
        snippet_add(snippet, OP_DUP);
        tell_of_top(snippet, "touch");
        snippet_copy(snippet, &edit->bytecode.instructions[number]);
        tell_of_top(snippet, "acquired");
        snippet_add(snippet, OP_POP);
        return method_editor_replace(edit, number, snippet);
    }
    tell_of_top(snippet, "touch");
    monitors_pair(snippet, local);
    if (!method_editor_before(edit, number, snippet))
        return false;
    snippet = instrument_snippet(work->method);
    tell_of_local(snippet, local, "acquired");
    return method_editor_after(edit, number, snippet);
}

static bool plan_leave(struct work *work, uint32_t number)
{
    struct method_editor *edit = work->method->edit;
    const uint32_t handler = monitors_handler(work->method, number);
    struct snippet *snippet = instrument_snippet(work->method);
    if (handler == INSTRUCTION_NONE) {
        tell_of_top(snippet, "released");
        return method_editor_before(edit, number, snippet);
    }
    tell_of_local(snippet, monitors_local(work->method, number), "released");
    return method_editor_at_handler(edit, handler, snippet);
}

static bool plan_monitors(struct work *work)
{
    struct method_editor *edit = work->method->edit;
    bool planned = true;
    for (uint32_t i = 0; planned && i < edit->bytecode.count; i++) {
        const struct instruction *monitor = &edit->bytecode.instructions[i];
        if (monitor->opcode == OP_MONITORENTER) {
            planned = plan_enter(work, i);
        } else if (monitor->opcode == OP_MONITOREXIT) {
            planned = plan_leave(work, i);
        }
    }
    return planned;
}

static struct snippet *make_self_hook(struct work *work, const char *hook)
{
    struct snippet *snippet = instrument_snippet(work->method);
    snippet_label skip = begin_guard(snippet);
    if (work->method->is_static)
        instrument_push_class(work->method->owner, snippet);
    else
        snippet_local(snippet, OP_ALOAD, 0);
    instrument_call_hook(snippet, hook, TAKES_OBJECT);
    snippet_bind(snippet, skip);
    return snippet;
}

/* A synchronized method; and constructors give the object its identity before it is locked. */
static bool plan_synchronized(struct work *work)
{
    struct method_editor *edit = work->method->edit;
    if (!work->method->is_static && !work->method->this_kept)
        return true;
    if (edit->method->access & ACCESS_SYNCHRONIZED)
        return method_editor_at_entry(edit, make_self_hook(work, "acquired")) &&
               method_editor_at_return(edit, make_self_hook(work, "released")) &&
               method_editor_at_throw(edit, make_self_hook(work, "released"));
    return !work->method->is_constructor || !work->method->owner->synchronized_methods ||
           method_editor_at_return(edit, make_self_hook(work, "touch"));
}

/* ---- objects that are variables ---- */

/* A copy is a new variable: it must not have the word of the original. */
static bool plan_clone(struct work *work)
{
    const struct bytecode *bytecode = &work->method->edit->bytecode;
    struct text name = work->method->owner->name;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        if (bytecode->instructions[i].opcode != OP_INVOKESPECIAL)
            continue;
        const struct member_reference callee =
            class_member_reference(work->class_file, bytecode->instructions[i].operand);
        if (!text_is(callee.name, "clone") || !text_is(callee.descriptor, "()Ljava/lang/Object;"))
            continue;
        struct snippet *snippet = instrument_snippet(work->method);
        snippet_add(snippet, OP_DUP);
        snippet_type(snippet, OP_CHECKCAST, name);
        snippet_push_long(snippet, 0);
        snippet_field(snippet, OP_PUTFIELD, name, WORD, TEXT("J"));
        if (!method_editor_after(work->method->edit, i, snippet))
            return false;
    }
    return true;
}

/* ---- methods and classes ---- */

static bool plan_method(struct work *work)
{
    const struct library_class *class = work->class;
    for (size_t i = 0; i < class->row_count; i++)
        if (library_row_fits(&class->rows[i], work->class_file, work->method->edit->method) &&
            !plan_row(work, &class->rows[i]))
            return false;
    if ((class->flags & LIBRARY_QUIET) && !plan_quiet(work))
        return false;
    if (class->word && !plan_clone(work))
        return false;
    return !(class->flags & LIBRARY_MONITORS) || (plan_monitors(work) && plan_synchronized(work));
}

bool library_plan(struct instrument_method *method)
{
    struct instrument_class *owner = method->owner;
    struct work work = {
        .method = method, .class_file = owner->editor->class_file, .class = owner->library};
    if (plan_method(&work))
        return true;
    /* A method that is not as the table has it stays alone as it was. Without memory the class must
       stay as a whole: a lock that tells only some of what is done to it is worse than one that
       tells nothing. */
    if (owner->snippet.failed || owner->arena.failed)
        owner->failed = true;
    return false;
}

static bool add_twin(struct instrument_class *owner, uint32_t number)
{
    struct class_file *class_file = owner->editor->class_file;
    struct arena *arena = class_file->arena;
    const struct member method = class_file->methods[number];
    struct text original = class_utf8(class_file, method.name);
    const size_t length = sizeof INSTRUMENT_PREFIX - 1 + original.length;
    char *name = arena_allocate(arena, length, 1);
    struct attribute *attributes =
        arena_copy(arena, method.attributes.items, method.attributes.count * sizeof *attributes,
                   alignof(struct attribute));
    if (!name || !attributes)
        return false;
    memcpy(name, INSTRUMENT_PREFIX, sizeof INSTRUMENT_PREFIX - 1);
    memcpy(name + sizeof INSTRUMENT_PREFIX - 1, original.bytes, original.length);
    /* The code is rewritten in its place: the twin needs one of its own. */
    for (uint32_t i = 0; i < method.attributes.count; i++)
        if (attributes[i].kind == ATTRIBUTE_CODE)
            attributes[i].as.code =
                arena_copy(arena, attributes[i].as.code, sizeof(struct code), alignof(struct code));
    struct member *twin = class_editor_add_method(
        owner->editor, (uint16_t)(method.access | ACCESS_FINAL | ACCESS_SYNTHETIC),
        text_of(name, length), class_utf8(class_file, method.descriptor));
    if (!twin || arena->failed)
        return false;
    twin->attributes.items = attributes;
    twin->attributes.count = method.attributes.count;
    return true;
}

bool library_begin(struct instrument_class *owner)
{
    const struct library_class *class = owner->library;
    struct class_file *class_file = owner->editor->class_file;
    const uint32_t count = class_file->method_count;
    for (uint32_t i = 0; i < count; i++) {
        const struct member *method = &class_file->methods[i];
        if (!member_code(method) || (method->access & (ACCESS_STATIC | ACCESS_BRIDGE)) ||
            !library_has_twin(class, class_utf8(class_file, method->name),
                              class_utf8(class_file, method->descriptor)))
            continue;
        if (!add_twin(owner, i))
            return false;
    }
    return true;
}

bool library_finish(struct instrument_class *owner)
{
    const struct library_class *class = owner->library;
    for (size_t i = 0; i < class->field_count; i++) {
        const struct library_field *field = &class->fields[i];
        if (!class_editor_add_field(owner->editor, (uint16_t)(field->access | ACCESS_SYNTHETIC),
                                    text_from(field->name), text_from(field->descriptor)))
            return false;
    }
    return !class->word || class_editor_add_field(
                               owner->editor, ACCESS_PUBLIC | ACCESS_TRANSIENT | ACCESS_SYNTHETIC,
                               TEXT("$turnstile$word"), TEXT("J"));
}
