/*
 * decode_internal: what the parts of the decoder share.
 *
 * decode.c makes instructions, decode_operands.c reads and checks what follows an opcode,
 * decode_end.c looks at handlers and at the end of the code.
 */
#ifndef TURNSTILE_BYTECODE_DECODE_INTERNAL_H
#define TURNSTILE_BYTECODE_DECODE_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "bytecode/decode.h"

enum { MAJOR_NO_SUBROUTINES = 51 };

struct decoder {
    struct bytecode *bytecode;
    const struct class_file *class_file;
    const struct code *code;
    const uint8_t *bytes;
    uint16_t *number_at;
    uint16_t *branches; /* instruction numbers */
    struct problem *problem;
    struct arena *arena;
    uint32_t loadable; /* constant tags that ldc takes, as bits */
    uint32_t offset;   /* of the instruction that is being read */
    uint32_t count;    /* instructions read so far */
    uint32_t branch_count;
    uint32_t last_switch; /* see decoder_chain_switch */
};

#define TAG_BIT(tag) (UINT32_C(1) << (tag))

static inline uint16_t decoder_u2(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static inline uint32_t decoder_u4(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Until all instructions are known the target of a branch is a byte offset, and that of a switch
   the number of the switch before it. */
#define DECODER_CHAIN_END UINT32_MAX

static inline void decoder_chain_switch(struct decoder *decoder, struct instruction *instruction)
{
    instruction->target = decoder->last_switch;
    decoder->last_switch = decoder->count;
}

/* The reason, then the place as javap shows it: byte offset and method. Returns false. */
bool decoder_fail(struct decoder *decoder, uint32_t offset, const char *format, ...)
    __attribute__((cold, format(printf, 3, 4)));
__attribute__((cold)) bool decoder_fail_memory(struct decoder *decoder);

/* The locals that an instruction without operands, or a load or store without the number of its
   local, needs. */
unsigned decoder_locals_needed(uint8_t opcode);

/* Constant tags that ldc takes in a class of this version, as bits. */
uint32_t decoder_loadable_tags(uint16_t major);

/* Reads and checks the instruction at decoder->offset, of which only offset and opcode are set; its
   length, or 0 after a failure. */
uint32_t decoder_read_any(struct decoder *decoder, struct instruction *instruction);

/* When all instructions are known: the targets of branches and switches. */
bool decoder_resolve_branches(struct decoder *decoder);
bool decoder_resolve_switches(struct decoder *decoder);

bool decoder_read_handlers(struct decoder *decoder);

/* Execution must not run past the last instruction. */
bool decoder_check_end(struct decoder *decoder);

#endif
