#include "rewrite/stack_effect.h"

#include "classfile/descriptor.h"

static unsigned slots_of(const char *kinds)
{
    unsigned slots = 0;
    for (; *kinds; kinds++)
        slots += *kinds == 'J' || *kinds == 'D' ? 2 : 1;
    return slots;
}

static struct stack_effect field_effect(const struct class_file *class_file,
                                        const struct instruction *instruction)
{
    unsigned slots =
        descriptor_slots(class_member_reference(class_file, instruction->operand).descriptor);
    switch (instruction->opcode) {
    case OP_GETSTATIC:
        return (struct stack_effect){0, slots};
    case OP_PUTSTATIC:
        return (struct stack_effect){slots, 0};
    case OP_GETFIELD:
        return (struct stack_effect){1, slots};
    default:
        return (struct stack_effect){slots + 1, 0};
    }
}

static struct stack_effect call_effect(const struct class_file *class_file,
                                       const struct instruction *instruction)
{
    struct text descriptor = class_member_reference(class_file, instruction->operand).descriptor;
    bool no_receiver =
        instruction->opcode == OP_INVOKESTATIC || instruction->opcode == OP_INVOKEDYNAMIC;
    return (struct stack_effect){descriptor_parameter_slots(descriptor) + (no_receiver ? 0 : 1),
                                 descriptor_slots(descriptor_return(descriptor))};
}

struct stack_effect stack_effect_of(const struct class_file *class_file,
                                    const struct instruction *instruction)
{
    const struct opcode_info *info = &opcode_infos[instruction->opcode];
    switch (info->operands) {
    case OPERANDS_FIELD:
        return field_effect(class_file, instruction);
    case OPERANDS_METHOD:
    case OPERANDS_INTERFACE_METHOD:
    case OPERANDS_DYNAMIC:
        return call_effect(class_file, instruction);
    case OPERANDS_CONSTANT_NARROW:
    case OPERANDS_CONSTANT_WIDE:
        return (struct stack_effect){0, 1};
    case OPERANDS_CONSTANT_DOUBLE:
        return (struct stack_effect){0, 2};
    case OPERANDS_DIMENSIONS:
        return (struct stack_effect){(unsigned)instruction->immediate, 1};
    default:
        break;
    }
    switch (instruction->opcode) {
    case OP_POP:
        return (struct stack_effect){1, 0};
    case OP_POP2:
        return (struct stack_effect){2, 0};
    case OP_DUP:
        return (struct stack_effect){1, 2};
    case OP_DUP_X1:
        return (struct stack_effect){2, 3};
    case OP_DUP_X2:
        return (struct stack_effect){3, 4};
    case OP_DUP2:
        return (struct stack_effect){2, 4};
    case OP_DUP2_X1:
        return (struct stack_effect){3, 5};
    case OP_DUP2_X2:
        return (struct stack_effect){4, 6};
    case OP_SWAP:
        return (struct stack_effect){2, 2};
    default:
        return (struct stack_effect){slots_of(info->pops), slots_of(info->pushes)};
    }
}
