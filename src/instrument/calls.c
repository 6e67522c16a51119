/*
 * Calls that are seen where they are made: Object.wait and Object.clone, which have no bodies that
 * could be changed, and VarHandle, whose methods are made up by the JVM for each use.
 */
#include "classfile/descriptor.h"
#include "instrument/hand_over.h"

enum { ARGUMENTS_MAX = 255 };

/* The arguments of a call, moved from the stack into locals and back. */
struct arguments {
    struct text types[ARGUMENTS_MAX];
    uint16_t locals[ARGUMENTS_MAX];
    unsigned count;
};

static void find_arguments(struct instrument_method *method, struct text descriptor,
                           struct arguments *arguments)
{
    size_t position = 1;
    struct text type;
    arguments->count = 0;
    while (arguments->count < ARGUMENTS_MAX &&
           descriptor_next_parameter(descriptor, &position, &type)) {
        unsigned number = arguments->count++;
        arguments->types[number] = type;
        arguments->locals[number] = method_editor_new_local(method->edit, descriptor_slots(type));
    }
}

static void save_arguments(struct snippet *snippet, const struct arguments *arguments)
{
    for (unsigned i = arguments->count; i-- > 0;)
        snippet_local(snippet, snippet_store_of(arguments->types[i]), arguments->locals[i]);
}

static void restore_arguments(struct snippet *snippet, const struct arguments *arguments)
{
    for (unsigned i = 0; i < arguments->count; i++)
        snippet_local(snippet, snippet_load_of(arguments->types[i]), arguments->locals[i]);
}

static bool plan_wait(struct instrument_method *method, uint32_t instruction,
                      const struct member_reference *callee)
{
    struct snippet *snippet = instrument_snippet(method);
    struct arguments arguments;
    find_arguments(method, callee->descriptor, &arguments);
    save_arguments(snippet, &arguments);
    if (method->hand_over & HAND_OVER_NOTIFIES)
        hand_over_object(snippet);
    snippet_add(snippet, OP_DUP);
    instrument_call_hook(snippet, "waiting", "(Ljava/lang/Object;)V");
    restore_arguments(snippet, &arguments);
    return method_editor_before(method->edit, instruction, snippet);
}

/* What a method of VarHandle does to order: see TurnstileLibrary.varHandle. */
enum effect { EFFECT_NONE, EFFECT_READ, EFFECT_WRITE, EFFECT_UPDATE };

static enum effect effect_of(struct text name)
{
    static const struct {
        const char *name;
        enum effect effect;
    } plain[] = {
        {"get", EFFECT_NONE},
        {"getOpaque", EFFECT_NONE},
        {"set", EFFECT_NONE},
        {"setOpaque", EFFECT_NONE},
        {"getVolatile", EFFECT_READ},
        {"getAcquire", EFFECT_READ},
        {"setVolatile", EFFECT_WRITE},
        {"setRelease", EFFECT_WRITE},
        {"weakCompareAndSetPlain", EFFECT_NONE},
    };
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (text_is(name, plain[i].name))
            return plain[i].effect;
    if (text_starts_with(name, TEXT("getAnd")) || text_starts_with(name, TEXT("compareAnd")) ||
        text_starts_with(name, TEXT("weakCompareAnd")))
        return EFFECT_UPDATE;
    return EFFECT_NONE; /* varType, coordinateTypes, ... */
}

static bool plan_var_handle(struct instrument_method *method, uint32_t instruction,
                            const struct member_reference *callee)
{
    const enum effect effect = effect_of(callee->name);
    if (effect == EFFECT_NONE)
        return true;
    struct snippet *snippet = instrument_snippet(method);
    struct arguments arguments;
    find_arguments(method, callee->descriptor, &arguments);
    save_arguments(snippet, &arguments);
    snippet_add(snippet, OP_DUP);
    /* The object, if the variable is a field of one or an array's element. */
    if (arguments.count && snippet_load_of(arguments.types[0]) == OP_ALOAD)
        snippet_local(snippet, OP_ALOAD, arguments.locals[0]);
    else
        snippet_add(snippet, OP_ACONST_NULL);
    snippet_push_int(snippet, (int32_t)effect);
    snippet_call(snippet, OP_INVOKESTATIC, TEXT("java/lang/TurnstileLibrary"), TEXT("varHandle"),
                 TEXT("(Ljava/lang/invoke/VarHandle;Ljava/lang/Object;I)V"), false);
    restore_arguments(snippet, &arguments);
    return method_editor_before(method->edit, instruction, snippet);
}

static bool declares(const struct class_file *class_file, const struct member_reference *callee)
{
    for (uint32_t i = 0; i < class_file->method_count; i++)
        if (text_equal(class_utf8(class_file, class_file->methods[i].name), callee->name) &&
            text_equal(class_utf8(class_file, class_file->methods[i].descriptor),
                       callee->descriptor))
            return true;
    return false;
}

/* super.clone(), or a clone() that the class does not declare itself: Object's, most likely. */
static bool is_copy(const struct instrument_method *method, enum opcode opcode,
                    const struct member_reference *callee)
{
    if (!text_is(callee->name, "clone") || !text_is(callee->descriptor, "()Ljava/lang/Object;"))
        return false;
    return opcode == OP_INVOKESPECIAL || text_is(callee->owner, "java/lang/Object") ||
           (text_equal(callee->owner, method->owner->name) &&
            !declares(method->owner->editor->class_file, callee));
}

/* The copy's shadows say that it is the original. */
static bool plan_copy(struct instrument_method *method, uint32_t instruction)
{
    struct snippet *snippet = instrument_snippet(method);
    snippet_add(snippet, OP_DUP);
    instrument_call_hook(snippet, "copied", "(Ljava/lang/Object;)V");
    return method_editor_after(method->edit, instruction, snippet);
}

bool calls_plan(struct instrument_method *method, uint32_t instruction)
{
    const struct instruction *call = &method->edit->bytecode.instructions[instruction];
    if (call->opcode == OP_INVOKESTATIC)
        return true;
    const struct member_reference callee =
        class_member_reference(method->owner->editor->class_file, call->operand);
    lock_fields_note_call(method, instruction, &callee);
    if (hand_over_is_wait(&callee))
        return instrument_is_early(method, instruction) || plan_wait(method, instruction, &callee);
    if (is_copy(method, call->opcode, &callee))
        return plan_copy(method, instruction);
    if (text_is(callee.owner, "java/lang/invoke/VarHandle"))
        return plan_var_handle(method, instruction, &callee);
    return hand_over_plan(method, instruction, &callee);
}
