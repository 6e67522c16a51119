/*
 * opcode: the instruction set, from the one table opcodes.def.
 */
#ifndef TURNSTILE_BYTECODE_OPCODE_H
#define TURNSTILE_BYTECODE_OPCODE_H

#include <stdbool.h>
#include <stdint.h>

enum opcode {
#define OPCODE(value, id, name, operands, pops, pushes, flow) OP_##id = value,
#include "bytecode/opcodes.def"
#undef OPCODE
    OPCODE_COUNT = 202 /* those above 201 are reserved and never stand in a class file */
};

/* What follows the opcode byte. */
enum operands {
    OPERANDS_NONE,
    OPERANDS_BYTE,             /* bipush: signed byte */
    OPERANDS_SHORT,            /* sipush: signed short */
    OPERANDS_LOCAL,            /* a local variable: one byte, two when wide */
    OPERANDS_INCREMENT,        /* iinc: local and signed amount, one byte each, two when wide */
    OPERANDS_CONSTANT_NARROW,  /* ldc: one-byte index of a loadable constant of one slot */
    OPERANDS_CONSTANT_WIDE,    /* ldc_w: the same, two bytes */
    OPERANDS_CONSTANT_DOUBLE,  /* ldc2_w: a loadable constant of two slots */
    OPERANDS_FIELD,            /* index of a field */
    OPERANDS_METHOD,           /* index of a method (special and static: or interface method) */
    OPERANDS_INTERFACE_METHOD, /* index of an interface method, argument slots, zero */
    OPERANDS_DYNAMIC,          /* index of an invoke-dynamic constant, two zeros */
    OPERANDS_CLASS,            /* index of a class */
    OPERANDS_ARRAY_TYPE,       /* newarray: 4 to 11 */
    OPERANDS_DIMENSIONS,       /* multianewarray: class, number of dimensions */
    OPERANDS_BRANCH,           /* signed two-byte distance */
    OPERANDS_BRANCH_WIDE,      /* signed four-byte distance */
    OPERANDS_TABLE_SWITCH,
    OPERANDS_LOOKUP_SWITCH,
    OPERANDS_WIDE /* the wide prefix */
};

/* Where execution goes on. Any instruction may also throw. */
enum opcode_flow {
    FLOW_NEXT,
    FLOW_BRANCH, /* target or next */
    FLOW_GOTO,   /* target only */
    FLOW_SWITCH, /* one of the switch's targets */
    FLOW_CALL,   /* jsr: target; the subroutine's ret comes back to next */
    FLOW_RET,    /* to behind a jsr */
    FLOW_RETURN,
    FLOW_THROW
};

struct opcode_info {
    const char *name;
    /* What is taken from and put onto the operand stack, bottom first; "*" if that depends on the
       operands or on what is there (calls, field accesses, dup and its kin).
       I int, J long, F float, D double, A reference, R return address. */
    const char *pops;
    const char *pushes;
    uint8_t operands; /* enum operands */
    uint8_t flow;     /* enum opcode_flow */
};

/* Indexed by opcode; name is NULL for numbers that are no instruction. */
extern const struct opcode_info opcode_infos[256];

/* The opcode that branches when this conditional branch would not. */
enum opcode opcode_inverted(enum opcode branch);

#endif
