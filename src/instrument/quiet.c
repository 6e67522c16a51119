#include "instrument/quiet.h"

#include "classfile/descriptor.h"
#include "instrument/targets.h"

enum { CALLS_DEEP = 3, INSTRUCTIONS_MAX = 200 };

/* What is asked of all instructions of a called method. */
enum question { RELEASES_NOTHING, IS_SURE, QUESTION_COUNT };

enum answer { NOT_ASKED, NO, YES };

/* A method of the class itself, as a constant names it, and what was found out about it: to look
   again at each call into what it calls, and what that calls, could take for ever. */
struct quiet_call {
    bool sought;
    uint32_t method; /* one more than its number; 0: it is not known which is called */
    uint8_t answers[QUESTION_COUNT][CALLS_DEEP]; /* by how many calls may be followed in it */
};

struct quiet_calls {
    struct quiet_call *items; /* by constant */
    uint32_t count;
    struct code *codes; /* by method that has one: as it was read, whatever has become of it */
};

bool quiet_is_plain(const struct instrument_class *owner, uint16_t constant)
{
    const struct member_reference field =
        class_member_reference(owner->editor->class_file, constant);
    uint16_t access = 0;
    return fields_find_own(owner, &field, &access) && !(access & ACCESS_VOLATILE);
}

/* ---- calls ---- */

bool quiet_begin(struct instrument_class *owner)
{
    const struct class_file *class_file = owner->editor->class_file;
    struct quiet_calls *calls = ARENA_NEW(&owner->arena, struct quiet_calls);
    if (!calls)
        return false;
    calls->count = class_file->constant_count;
    calls->items = arena_allocate_zeroed(&owner->arena, calls->count * sizeof *calls->items,
                                         alignof(struct quiet_call));
    calls->codes = ARENA_ARRAY(&owner->arena, struct code, class_file->method_count);
    if (!calls->items || !calls->codes)
        return false;
    for (uint32_t i = 0; i < class_file->method_count; i++) {
        const struct code *code = member_code(&class_file->methods[i]);
        if (code)
            calls->codes[i] = *code;
    }
    owner->calls = calls;
    return true;
}

/* `depth`: how many calls may be followed. */
static bool is_quiet(struct instrument_class *owner, const struct instruction *instruction,
                     unsigned depth);
static bool is_sure_inside(struct instrument_class *owner, const struct instruction *instruction,
                           unsigned depth);

/* One more than the number of the method of the class itself that is called; 0 if there is none, or
   if another can be called instead. */
static uint32_t find_method(const struct class_file *class_file,
                            const struct member_reference *called)
{
    for (uint32_t i = 0; i < class_file->method_count; i++) {
        const struct member *method = &class_file->methods[i];
        if (text_equal(class_utf8(class_file, method->name), called->name) &&
            text_equal(class_utf8(class_file, method->descriptor), called->descriptor))
            return method->access & (ACCESS_STATIC | ACCESS_PRIVATE | ACCESS_FINAL) ? i + 1 : 0;
    }
    return 0;
}

/* A sure method does not go back either. */
static bool holds_at(struct instrument_class *owner, const struct bytecode *bytecode,
                     uint32_t instruction, enum question question, unsigned depth)
{
    const struct instruction *code = &bytecode->instructions[instruction];
    if (question == RELEASES_NOTHING)
        return is_quiet(owner, code, depth);
    if (!is_sure_inside(owner, code, depth))
        return false;
    const uint32_t targets = targets_count(bytecode, instruction);
    for (uint32_t i = 0; i < targets; i++)
        if (targets_at(bytecode, instruction, i) <= instruction)
            return false;
    return true;
}

/* What is asked is about the code as it was read: what is put into it does neither. */
static bool holds_in(struct instrument_class *owner, uint32_t number, enum question question,
                     unsigned depth)
{
    const struct member *method = &owner->editor->class_file->methods[number];
    if ((method->access & (ACCESS_SYNCHRONIZED | ACCESS_NATIVE | ACCESS_ABSTRACT)) ||
        !member_code(method))
        return false;
    struct attribute code = {.kind = ATTRIBUTE_CODE, .as.code = &owner->calls->codes[number]};
    struct member original = *method;
    original.attributes = (struct attributes){.items = &code, .count = 1};
    struct arena arena;
    struct bytecode bytecode;
    struct problem problem;
    problem_clear(&problem);
    arena_init(&arena);
    bool holds =
        bytecode_decode(&bytecode, &arena, owner->editor->class_file, &original, &problem) &&
        bytecode.count <= INSTRUCTIONS_MAX;
    for (uint32_t i = 0; holds && i < bytecode.count; i++)
        holds = holds_at(owner, &bytecode, i, question, depth);
    arena_release(&arena);
    return holds;
}

/* What is known of the call; NULL if nothing can be known. */
static struct quiet_call *find_call(struct instrument_class *owner, uint16_t constant)
{
    const struct class_file *class_file = owner->editor->class_file;
    const struct member_reference called = class_member_reference(class_file, constant);
    /* Bad code may name a constant that was added since. */
    if (constant >= owner->calls->count || !text_equal(called.owner, owner->name))
        return NULL;
    struct quiet_call *call = &owner->calls->items[constant];
    if (!call->sought) {
        call->method = find_method(class_file, &called);
        call->sought = true;
    }
    return call;
}

/* Whether it is so for all of the method that the constant names. */
static bool holds_in_called(struct instrument_class *owner, uint16_t constant,
                            enum question question, unsigned depth)
{
    struct quiet_call *call = depth ? find_call(owner, constant) : NULL;
    if (!call || !call->method)
        return false;
    uint8_t *answer = &call->answers[question][depth - 1];
    if (*answer == NOT_ASKED)
        *answer = holds_in(owner, call->method - 1, question, depth - 1) ? YES : NO;
    return *answer == YES;
}

/* ---- releasing ---- */

/* StringBuilder's methods call none of the program's, unless they are given something to ask for
   its text; that of a StringBuffer is asked for under its lock. */
static bool is_quiet_builder(const struct member_reference *called)
{
    size_t position = 1;
    struct text parameter;
    if (!text_is(called->owner, "java/lang/StringBuilder") || text_is(called->name, "<init>"))
        return false;
    while (descriptor_next_parameter(called->descriptor, &position, &parameter))
        if (parameter.length != 1 && !text_is(parameter, "Ljava/lang/String;") &&
            !text_is(parameter, "[C"))
            return false;
    return true;
}

static bool is_quiet_call(struct instrument_class *owner, const struct instruction *call,
                          unsigned depth)
{
    if (call->opcode == OP_INVOKEDYNAMIC || call->opcode == OP_INVOKEINTERFACE)
        return false;
    const struct member_reference called =
        class_member_reference(owner->editor->class_file, call->operand);
    return (call->opcode == OP_INVOKESTATIC && text_is(called.owner, "java/lang/Math")) ||
           is_quiet_builder(&called) ||
           holds_in_called(owner, call->operand, RELEASES_NOTHING, depth);
}

static bool is_quiet(struct instrument_class *owner, const struct instruction *instruction,
                     unsigned depth)
{
    switch (instruction->opcode) {
    case OP_MONITORENTER:
    case OP_MONITOREXIT:
    case OP_JSR:
    case OP_JSR_W:
    case OP_RET:
        return false;
    case OP_PUTFIELD:
    case OP_PUTSTATIC:
        return quiet_is_plain(owner, instruction->operand);
    case OP_INVOKEVIRTUAL:
    case OP_INVOKESPECIAL:
    case OP_INVOKESTATIC:
    case OP_INVOKEINTERFACE:
    case OP_INVOKEDYNAMIC:
        return is_quiet_call(owner, instruction, depth);
    default:
        return true;
    }
}

bool quiet_releases_nothing(struct instrument_class *owner, const struct instruction *instruction)
{
    return is_quiet(owner, instruction, CALLS_DEEP);
}

/* ---- going on ---- */

static bool is_sure(struct instrument_class *owner, const struct instruction *instruction,
                    unsigned depth);

/* All of Math goes on to the next, but what divides or tells of overflow. */
static bool is_sure_in_math(struct text name)
{
    static const char *const sure[] = {"abs",  "max",   "min",   "sqrt",  "cbrt",     "sin",
                                       "cos",  "tan",   "asin",  "acos",  "atan",     "atan2",
                                       "exp",  "log",   "log10", "pow",   "floor",    "ceil",
                                       "rint", "round", "hypot", "fma",   "signum",   "copySign",
                                       "sinh", "cosh",  "tanh",  "expm1", "toRadians"};
    for (size_t i = 0; i < sizeof sure / sizeof *sure; i++)
        if (text_is(name, sure[i]))
            return true;
    return false;
}

/* A parameter may be null: in a called method no field of an object is accessed surely. */
static bool is_sure_inside(struct instrument_class *owner, const struct instruction *instruction,
                           unsigned depth)
{
    const unsigned flow = opcode_infos[instruction->opcode].flow;
    return flow == FLOW_BRANCH || flow == FLOW_GOTO || flow == FLOW_SWITCH || flow == FLOW_RETURN ||
           (instruction->opcode != OP_GETFIELD && instruction->opcode != OP_PUTFIELD &&
            is_sure(owner, instruction, depth));
}

static bool is_sure_call(struct instrument_class *owner, const struct instruction *call,
                         unsigned depth)
{
    const struct member_reference called =
        class_member_reference(owner->editor->class_file, call->operand);
    if (text_is(called.owner, "java/lang/Math"))
        return is_sure_in_math(called.name);
    return holds_in_called(owner, call->operand, IS_SURE, depth);
}

static bool is_number(const struct instrument_class *owner, uint16_t constant)
{
    switch (owner->editor->class_file->constants[constant].tag) {
    case CONSTANT_INTEGER:
    case CONSTANT_FLOAT:
    case CONSTANT_LONG:
    case CONSTANT_DOUBLE:
        return true;
    default:
        return false;
    }
}

static bool is_sure(struct instrument_class *owner, const struct instruction *instruction,
                    unsigned depth)
{
    const unsigned opcode = instruction->opcode;
    switch (opcode) {
    case OP_IDIV:
    case OP_LDIV:
    case OP_IREM:
    case OP_LREM:
        return false;
    case OP_LDC:
    case OP_LDC_W:
    case OP_LDC2_W:
        return is_number(owner, instruction->operand);
    case OP_GETFIELD:
    case OP_PUTFIELD:
    case OP_GETSTATIC:
    case OP_PUTSTATIC:
        return quiet_is_plain(owner, instruction->operand);
    case OP_INVOKESTATIC:
        return is_sure_call(owner, instruction, depth);
    default:
        /* Up to the loads of elements; from the stores to locals up to those of elements; from pop
           to the comparisons. */
        return opcode <= OP_ALOAD_3 || (opcode >= OP_ISTORE && opcode <= OP_ASTORE_3) ||
               (opcode >= OP_POP && opcode <= OP_DCMPG);
    }
}

bool quiet_is_sure(struct instrument_class *owner, const struct instruction *instruction)
{
    return is_sure(owner, instruction, CALLS_DEEP);
}
