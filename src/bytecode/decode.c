#include "bytecode/decode.h"

#include <string.h>

#include "bytecode/decode_internal.h"

/*
 * One pass over the bytes makes the instructions. Where a branch goes is known as an instruction
 * number only when all are made, so branches and switches are chained while they are read, and
 * resolved at the end.
 *
 * Most instructions are plain: behind the opcode stands nothing, a local, a number, or a constant
 * of which the tag says enough. They are read without a decision for each kind, because decisions
 * that the processor cannot foresee are what decoding costs. The others, and all that are wrong,
 * are looked at closer by decode_operands.c.
 */

/* What the two bytes behind an opcode are for a plain instruction: masks for what they may mean. */
struct plain {
    uint8_t length;
    uint8_t shift; /* 8: only the first of them counts */
    uint16_t operand, immediate, constant, local;
    uint32_t
        tags; /* that the constant may have; for those without one, of constant 0; 0: not plain */
};

#define NO_CONSTANT TAG_BIT(CONSTANT_UNUSABLE)
#define PLAIN_NONE                                                                                 \
    {                                                                                              \
        1, 0, 0, 0, 0, 0, NO_CONSTANT                                                              \
    }
#define PLAIN_BYTE                                                                                 \
    {                                                                                              \
        2, 8, 0, 0xFFFF, 0, 0, NO_CONSTANT                                                         \
    }
#define PLAIN_SHORT                                                                                \
    {                                                                                              \
        3, 0, 0, 0xFFFF, 0, 0, NO_CONSTANT                                                         \
    }
#define PLAIN_LOCAL                                                                                \
    {                                                                                              \
        2, 8, 0xFFFF, 0, 0, 0xFFFF, NO_CONSTANT                                                    \
    }
#define PLAIN_CONSTANT(length, shift, tags)                                                        \
    {                                                                                              \
        length, shift, 0xFFFF, 0, 0xFFFF, 0, tags                                                  \
    }
#define LOADABLE (TAG_BIT(CONSTANT_INTEGER) | TAG_BIT(CONSTANT_FLOAT) | TAG_BIT(CONSTANT_STRING))
#define PLAIN_CONSTANT_NARROW PLAIN_CONSTANT(2, 8, LOADABLE)
#define PLAIN_CONSTANT_WIDE PLAIN_CONSTANT(3, 0, LOADABLE)
#define PLAIN_CONSTANT_DOUBLE                                                                      \
    PLAIN_CONSTANT(3, 0, TAG_BIT(CONSTANT_LONG) | TAG_BIT(CONSTANT_DOUBLE))
#define PLAIN_FIELD PLAIN_CONSTANT(3, 0, TAG_BIT(CONSTANT_FIELD))
#define PLAIN_METHOD PLAIN_CONSTANT(3, 0, TAG_BIT(CONSTANT_METHOD))
#define PLAIN_CLASS PLAIN_CONSTANT(3, 0, TAG_BIT(CONSTANT_CLASS))
#define NOT_PLAIN                                                                                  \
    {                                                                                              \
        0, 0, 0, 0, 0, 0, 0                                                                        \
    }
#define PLAIN_INCREMENT NOT_PLAIN
#define PLAIN_INTERFACE_METHOD NOT_PLAIN
#define PLAIN_DYNAMIC NOT_PLAIN
#define PLAIN_ARRAY_TYPE NOT_PLAIN
#define PLAIN_DIMENSIONS NOT_PLAIN
#define PLAIN_BRANCH NOT_PLAIN
#define PLAIN_BRANCH_WIDE NOT_PLAIN
#define PLAIN_TABLE_SWITCH NOT_PLAIN
#define PLAIN_LOOKUP_SWITCH NOT_PLAIN
#define PLAIN_WIDE NOT_PLAIN

/* Apart from opcode_infos because this is read for every instruction of every class. */
static const struct plain plains[256] = {
#define OPCODE(value, id, name, operands, pops, pushes, flow) [value] = PLAIN_##operands,
#include "bytecode/opcodes.def"
#undef OPCODE
};

/* What single opcodes ask for besides. */
struct need {
    uint32_t locals; /* without the number of an explicit local */
    uint8_t trait;   /* that the constant must not have: enum constant_trait */
};

enum { LOOK_CLOSER = UINT16_MAX + 1 }; /* more locals than any method has */

/* clang-format off */
#define FOUR_LOCALS(name, slots)                                             \
    [OP_##name##_0] = {(slots), 0}, [OP_##name##_1] = {1 + (slots), 0},      \
    [OP_##name##_2] = {2 + (slots), 0}, [OP_##name##_3] = {3 + (slots), 0}

static const struct need needs[256] = {
    [OP_ILOAD] = {1, 0}, [OP_ISTORE] = {1, 0}, FOUR_LOCALS(ILOAD, 1), FOUR_LOCALS(ISTORE, 1),
    [OP_LLOAD] = {2, 0}, [OP_LSTORE] = {2, 0}, FOUR_LOCALS(LLOAD, 2), FOUR_LOCALS(LSTORE, 2),
    [OP_FLOAD] = {1, 0}, [OP_FSTORE] = {1, 0}, FOUR_LOCALS(FLOAD, 1), FOUR_LOCALS(FSTORE, 1),
    [OP_DLOAD] = {2, 0}, [OP_DSTORE] = {2, 0}, FOUR_LOCALS(DLOAD, 2), FOUR_LOCALS(DSTORE, 2),
    [OP_ALOAD] = {1, 0}, [OP_ASTORE] = {1, 0}, FOUR_LOCALS(ALOAD, 1), FOUR_LOCALS(ASTORE, 1),
    [OP_RET] = {LOOK_CLOSER, 0}, /* not in every version */
    [OP_INVOKEVIRTUAL] = {0, TRAIT_ODD},
    [OP_INVOKESPECIAL] = {0, TRAIT_FORBIDDEN},
    [OP_INVOKESTATIC] = {0, TRAIT_ODD},
    [OP_NEW] = {0, TRAIT_ODD},
    [OP_ANEWARRAY] = {0, TRAIT_ODD},
};
/* clang-format on */

unsigned decoder_locals_needed(uint8_t opcode)
{
    return needs[opcode].locals;
}

/* Reads plain instructions up to one that is not, or is wrong. Everything that it needs stands in
   locals of its own: the compiler could not keep the decoder's members in registers. */
static void read_plain_run(struct decoder *decoder)
{
    const uint8_t *const bytes = decoder->bytes;
    const struct constant *const constants = decoder->class_file->constants;
    const uint32_t constant_count = decoder->class_file->constant_count;
    const uint32_t max_locals = decoder->code->max_locals;
    const uint32_t length = decoder->code->length;
    uint16_t *const number_at = decoder->number_at;
    struct instruction *instruction = decoder->bytecode->instructions + decoder->count;
    uint32_t offset = decoder->offset;
    uint32_t count = decoder->count;
    while (offset + 3 <= length) {
        const uint8_t opcode = bytes[offset];
        const struct plain *plain = &plains[opcode];
        const struct need need = needs[opcode];
        const uint16_t raw = decoder_u2(bytes + offset + 1);
        const uint32_t value = (uint32_t)raw >> plain->shift;
        const int32_t number = (int16_t)raw >> plain->shift;
        uint32_t index = value & plain->constant;
        index = index < constant_count ? index : 0;
        const struct constant *constant = &constants[index];
        const bool fits = need.locals + (value & plain->local) <= max_locals;
        if (!(plain->tags >> constant->tag & 1) || (need.trait & constant->trait) || !fits)
            break;
        *instruction++ = (struct instruction){.offset = (uint16_t)offset,
                                              .opcode = opcode,
                                              .operand = (uint16_t)(value & plain->operand),
                                              .immediate = (int16_t)(number & plain->immediate)};
        number_at[offset] = (uint16_t)count++;
        offset += plain->length;
    }
    decoder->offset = offset;
    decoder->count = count;
}

static bool read_other(struct decoder *decoder, struct instruction *instruction)
{
    const uint32_t offset = decoder->offset;
    *instruction =
        (struct instruction){.offset = (uint16_t)offset, .opcode = decoder->bytes[offset]};
    decoder->number_at[offset] = (uint16_t)decoder->count;
    const uint32_t size = decoder_read_any(decoder, instruction);
    decoder->offset += size;
    decoder->count++;
    return size != 0;
}

static bool read_instructions(struct decoder *decoder)
{
    while (decoder->offset < decoder->code->length) {
        read_plain_run(decoder);
        if (decoder->offset < decoder->code->length &&
            !read_other(decoder, &decoder->bytecode->instructions[decoder->count]))
            return false;
    }
    decoder->bytecode->count = decoder->count;
    return true;
}

bool bytecode_decode(struct bytecode *bytecode, struct arena *arena,
                     const struct class_file *class_file, const struct member *method,
                     struct problem *problem)
{
    const struct code *code = member_code(method);
    *bytecode = (struct bytecode){.class_file = class_file, .method = method, .code = code};
    struct decoder decoder = {.bytecode = bytecode,
                              .class_file = class_file,
                              .code = code,
                              .bytes = code->bytes,
                              .problem = problem,
                              .arena = arena,
                              .loadable = decoder_loadable_tags(class_file->major),
                              .last_branch = DECODER_CHAIN_END,
                              .last_switch = DECODER_CHAIN_END};
    if (code->length == 0 || code->length > UINT16_MAX)
        return decoder_fail(&decoder, 0, "the code is %u bytes long", code->length);
    decoder.number_at = ARENA_ARRAY(arena, uint16_t, code->length);
    bytecode->instructions = ARENA_ARRAY(arena, struct instruction, code->length);
    if (!decoder.number_at || !bytecode->instructions)
        return decoder_fail_memory(&decoder);
    memset(decoder.number_at, 0xFF, code->length * sizeof *decoder.number_at);
    bytecode->number_at = decoder.number_at;
    if (!read_instructions(&decoder))
        return false;
    arena_shrink(arena, bytecode->instructions, bytecode->count * sizeof(struct instruction),
                 code->length * sizeof(struct instruction));
    bytecode->switches = ARENA_ARRAY(arena, struct switch_table, bytecode->switch_count);
    bytecode->handlers = ARENA_ARRAY(arena, struct handler, code->handler_count);
    if (!bytecode->switches || !bytecode->handlers)
        return decoder_fail_memory(&decoder);
    return decoder_resolve_branches(&decoder) && decoder_resolve_switches(&decoder) &&
           decoder_read_handlers(&decoder) && decoder_check_end(&decoder);
}

uint32_t bytecode_number_at(const struct bytecode *bytecode, uint32_t offset)
{
    if (offset >= bytecode->code->length)
        return offset == bytecode->code->length ? bytecode->count : INSTRUCTION_NONE;
    const uint16_t number = bytecode->number_at[offset];
    return number == UINT16_MAX ? INSTRUCTION_NONE : number;
}

uint32_t bytecode_offset(const struct bytecode *bytecode, uint32_t number)
{
    return number < bytecode->count ? bytecode->instructions[number].offset
                                    : bytecode->code->length;
}
