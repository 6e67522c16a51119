/*
 * decode: code bytes -> checked instructions.
 *
 * Everything that refers to a place in the code refers to it by instruction number, not by byte
 * offset. The number `count` stands for the end of the code.
 *
 * What a decoded method promises: the opcodes exist (and are allowed by the class's version: no
 * jsr or ret from 51 on); every branch, switch, handler range and handler starts at an instruction;
 * every constant is of a kind that the instruction takes; locals are below max_locals; execution
 * cannot run past the last instruction (before version 51 the last may be one that goes on to the
 * next if it is dead, or a jsr that never comes back). Stack depths and types are not checked: see
 * frames.h.
 */
#ifndef TURNSTILE_BYTECODE_DECODE_H
#define TURNSTILE_BYTECODE_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/problem.h"
#include "bytecode/opcode.h"
#include "classfile/class_file.h"

#define INSTRUCTION_NONE UINT32_MAX

struct instruction {
    uint16_t offset;
    uint8_t opcode;    /* enum opcode; never OP_WIDE */
    bool wide;         /* it had the wide prefix */
    uint16_t operand;  /* local, constant index, newarray's type, or 0 */
    int16_t immediate; /* bipush, sipush, iinc amount; multianewarray dimensions; invokeinterface
                          slots */
    uint32_t target;   /* branches: instruction number; switches: number in `switches` */
};

struct switch_table {
    uint32_t instruction; /* its number */
    uint32_t default_target;
    uint32_t count;
    int32_t low;             /* tableswitch: key of the first target */
    const int32_t *keys;     /* lookupswitch: ascending; NULL in a tableswitch */
    const uint32_t *targets; /* instruction numbers */
};

struct handler {
    uint32_t start, end; /* instruction numbers, end excluded */
    uint32_t handler;
    uint16_t catch_type; /* class constant, or 0 for any */
};

struct bytecode {
    const struct class_file *class_file;
    const struct member *method;
    const struct code *code;
    struct instruction *instructions; /* with one more behind the last: only its offset counts,
                                         which is code->length */
    uint32_t count;
    const uint16_t *branches; /* numbers of those with a target, ascending; switches are none */
    uint32_t branch_count;
    struct switch_table *switches; /* NULL if there are none; so are the handlers */
    uint32_t switch_count;
    struct handler *handlers; /* code->handler_count of them, in the same order */
    const uint16_t
        *number_at; /* by byte offset, `code->length` entries: instruction number, or UINT16_MAX */
};

/* False with the problem set (its offset counts in the class file) if the code breaks a promise or
   memory ran out. The method must have code. All of the result hangs in the arena. */
bool bytecode_decode(struct bytecode *bytecode, struct arena *arena,
                     const struct class_file *class_file, const struct member *method,
                     struct problem *problem);

/* The number of the instruction that starts at the byte offset; `count` for code->length;
   INSTRUCTION_NONE if none does. */
uint32_t bytecode_number_at(const struct bytecode *bytecode, uint32_t offset);

/* Byte offset of an instruction number; code->length for `count`. */
static inline uint32_t bytecode_offset(const struct bytecode *bytecode, uint32_t number)
{
    return number < bytecode->count ? bytecode->instructions[number].offset
                                    : bytecode->code->length;
}

#endif
