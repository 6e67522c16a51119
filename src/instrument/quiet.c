#include "instrument/quiet.h"

#include "classfile/descriptor.h"
#include "instrument/targets.h"

enum { CALLS_DEEP = 3, INSTRUCTIONS_MAX = 200 };

/* What is asked of an instruction; `depth`: how many calls may be followed. */
typedef bool question(struct instrument_class *owner, const struct instruction *instruction,
                      unsigned depth);

bool quiet_is_plain(const struct instrument_class *owner, uint16_t constant)
{
    const struct member_reference field =
        class_member_reference(owner->editor->class_file, constant);
    uint16_t access = 0;
    return fields_find_own(owner, &field, &access) && !(access & ACCESS_VOLATILE);
}

/* ---- calls ---- */

static const struct member *find_method(const struct class_file *class_file,
                                        const struct member_reference *called)
{
    for (uint32_t i = 0; i < class_file->method_count; i++) {
        const struct member *method = &class_file->methods[i];
        if (text_equal(class_utf8(class_file, method->name), called->name) &&
            text_equal(class_utf8(class_file, method->descriptor), called->descriptor))
            return method;
    }
    return NULL;
}

/* The method of the class itself that is called, if no other can be called instead. */
static const struct member *called_method(const struct instrument_class *owner,
                                          const struct member_reference *called)
{
    if (!text_equal(called->owner, owner->name))
        return NULL;
    const struct member *method = find_method(owner->editor->class_file, called);
    return method && (method->access & (ACCESS_STATIC | ACCESS_PRIVATE | ACCESS_FINAL)) ? method
                                                                                        : NULL;
}

/* Of all instructions of the method, none of which goes back if `ahead`. */
static bool holds_in(struct instrument_class *owner, const struct member *method, question *asked,
                     unsigned depth, bool ahead)
{
    if ((method->access & (ACCESS_SYNCHRONIZED | ACCESS_NATIVE | ACCESS_ABSTRACT)) ||
        !attributes_find(&method->attributes, ATTRIBUTE_CODE))
        return false;
    struct arena arena;
    struct bytecode bytecode;
    struct problem problem;
    problem_clear(&problem);
    arena_init(&arena);
    bool holds = bytecode_decode(&bytecode, &arena, owner->editor->class_file, method, &problem) &&
                 bytecode.count <= INSTRUCTIONS_MAX;
    for (uint32_t i = 0; holds && i < bytecode.count; i++) {
        holds = asked(owner, &bytecode.instructions[i], depth);
        const uint32_t targets = ahead && holds ? targets_count(&bytecode, i) : 0;
        for (uint32_t k = 0; k < targets; k++)
            holds = holds && targets_at(&bytecode, i, k) > i;
    }
    arena_release(&arena);
    return holds;
}

/* ---- releasing ---- */

static bool is_quiet(struct instrument_class *owner, const struct instruction *instruction,
                     unsigned depth);

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
    if ((call->opcode == OP_INVOKESTATIC && text_is(called.owner, "java/lang/Math")) ||
        is_quiet_builder(&called))
        return true;
    const struct member *method = depth ? called_method(owner, &called) : NULL;
    return method && holds_in(owner, method, is_quiet, depth - 1, false);
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
    const struct member *method = depth ? called_method(owner, &called) : NULL;
    return method && holds_in(owner, method, is_sure_inside, depth - 1, true);
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
