#include "instrument/unshared.h"

#include "classfile/descriptor.h"
#include "instrument/targets.h"

static bool is_this(const struct instrument_method *method, uint32_t instruction, unsigned depth)
{
    return origins_operand(&method->origins, instruction, depth).kind == ORIGIN_THIS;
}

/* Whether the class itself declares the method that is called. */
static bool is_own(const struct instrument_method *method, const struct member_reference *callee)
{
    const struct class_file *class_file = method->owner->editor->class_file;
    if (!text_equal(callee->owner, method->owner->name))
        return false;
    for (uint16_t i = 0; i < class_file->method_count; i++) {
        const struct member *own = &class_file->methods[i];
        if (text_equal(class_utf8(class_file, own->name), callee->name) &&
            text_equal(class_utf8(class_file, own->descriptor), callee->descriptor))
            return true;
    }
    return false;
}

/* Whether a call passes `this`, or is one on it of a method of another class. */
static bool call_gives_away(const struct instrument_method *method, uint32_t number)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    const struct instruction *instruction = &bytecode->instructions[number];
    const struct member_reference callee =
        class_member_reference(bytecode->class_file, instruction->operand);
    const unsigned slots = descriptor_parameter_slots(callee.descriptor);
    for (unsigned depth = 0; depth < slots; depth++)
        if (is_this(method, number, depth))
            return true;
    return instruction->opcode != OP_INVOKESTATIC && instruction->opcode != OP_INVOKEDYNAMIC &&
           is_this(method, number, slots) && !text_is(callee.name, "<init>") &&
           !is_own(method, &callee);
}

static bool gives_away(const struct instrument_method *method, uint32_t number)
{
    switch (method->edit->bytecode.instructions[number].opcode) {
    case OP_PUTFIELD:
    case OP_PUTSTATIC:
    case OP_AASTORE:
    case OP_ATHROW:
        return is_this(method, number, 0);
    case OP_INVOKEVIRTUAL:
    case OP_INVOKESPECIAL:
    case OP_INVOKESTATIC:
    case OP_INVOKEINTERFACE:
    case OP_INVOKEDYNAMIC:
        return call_gives_away(method, number);
    default:
        return false;
    }
}

static void lower(uint32_t *end, uint32_t instruction)
{
    if (instruction < *end)
        *end = instruction;
}

/* What stands before the instruction that gives `this` away may come behind it all the same, where
   that or a later one goes back. */
static void lower_to_targets(struct instrument_method *method, uint32_t escape)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    for (uint32_t i = escape; i < bytecode->count; i++) {
        const uint32_t count = targets_count(bytecode, i);
        for (uint32_t j = 0; j < count; j++)
            lower(&method->unshared_end, targets_at(bytecode, i, j));
    }
    for (uint32_t i = 0; i < bytecode->code->handler_count; i++)
        if (bytecode->handlers[i].end > escape)
            lower(&method->unshared_end, bytecode->handlers[i].handler);
}

void unshared_begin(struct instrument_method *method)
{
    const uint32_t count = method->edit->bytecode.count;
    if (!method->is_constructor)
        return;
    method->unshared_end = count;
    for (uint32_t i = 0; i < count; i++) {
        if (!gives_away(method, i))
            continue;
        method->unshared_end = i;
        lower_to_targets(method, i);
        return;
    }
}

bool unshared_is(const struct instrument_method *method, uint32_t number)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    if (number >= method->unshared_end)
        return false;
    const struct instruction *instruction = &bytecode->instructions[number];
    if (instruction->opcode == OP_GETFIELD)
        return is_this(method, number, 0);
    if (instruction->opcode != OP_PUTFIELD)
        return false;
    const struct member_reference field =
        class_member_reference(bytecode->class_file, instruction->operand);
    return is_this(method, number, descriptor_slots(field.descriptor));
}
