#include "bytecode/opcode.h"

const struct opcode_info opcode_infos[256] = {
#define OPCODE(value, id, name, operands, pops, pushes, flow)                                      \
    [value] = {name, pops, pushes, OPERANDS_##operands, FLOW_##flow},
#include "bytecode/opcodes.def"
#undef OPCODE
};

enum opcode opcode_inverted(enum opcode branch)
{
    if (branch == OP_IFNULL)
        return OP_IFNONNULL;
    if (branch == OP_IFNONNULL)
        return OP_IFNULL;
    /* The others stand in pairs that start at odd numbers: ifeq 153 and ifne 154, and so on. */
    return (enum opcode)((((unsigned)branch + 1) ^ 1) - 1);
}
