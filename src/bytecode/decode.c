#include "bytecode/decode.h"

#include <string.h>

#include "bytecode/decode_internal.h"

/*
 * One pass over the bytes makes the instructions. Where a branch goes is known as an instruction
 * number only when all are made, so branches and switches are chained while they are read, and
 * resolved at the end.
 *
 * Most instructions are plain: behind the opcode stands nothing, a local, a number, a distance or a
 * constant of which the tag says enough. They are read here, in one loop with a short way for each
 * form. The others, and all that are wrong, are looked at closer by decode_operands.c.
 */

/* What stands behind an opcode: the operands of opcodes.def as far as they are read alike. */
enum form {
    FORM_CLOSER, /* to be looked at closer, or no instruction at all */
    FORM_NONE,
    FORM_BYTE,
    FORM_SHORT,
    FORM_LOCAL,
    FORM_INCREMENT,
    FORM_CONSTANT_NARROW, /* a constant by one byte */
    FORM_CONSTANT,
    FORM_BRANCH,

    /* by the names of enum operands */
    FORM_CONSTANT_WIDE = FORM_CONSTANT,
    FORM_CONSTANT_DOUBLE = FORM_CONSTANT,
    FORM_FIELD = FORM_CONSTANT,
    FORM_METHOD = FORM_CONSTANT,
    FORM_CLASS = FORM_CONSTANT,
    FORM_INTERFACE_METHOD = FORM_CLOSER,
    FORM_DYNAMIC = FORM_CLOSER,
    FORM_ARRAY_TYPE = FORM_CLOSER,
    FORM_DIMENSIONS = FORM_CLOSER,
    FORM_BRANCH_WIDE = FORM_CLOSER,
    FORM_TABLE_SWITCH = FORM_CLOSER,
    FORM_LOOKUP_SWITCH = FORM_CLOSER,
    FORM_WIDE = FORM_CLOSER
};

/* jsr and ret are not in every version. */
#define FORM_OF(opcode, operands)                                                                  \
    ((opcode) == OP_JSR || (opcode) == OP_RET ? FORM_CLOSER : FORM_##operands)

/* The tags that a plain constant may have. */
#define TAGS_OF(operands)                                                                          \
    (OPERANDS_##operands == OPERANDS_FIELD    ? TAG_BIT(CONSTANT_FIELD)                            \
     : OPERANDS_##operands == OPERANDS_METHOD ? TAG_BIT(CONSTANT_METHOD)                           \
     : OPERANDS_##operands == OPERANDS_CLASS  ? TAG_BIT(CONSTANT_CLASS)                            \
     : OPERANDS_##operands == OPERANDS_CONSTANT_DOUBLE                                             \
         ? TAG_BIT(CONSTANT_LONG) | TAG_BIT(CONSTANT_DOUBLE)                                       \
         : TAG_BIT(CONSTANT_INTEGER) | TAG_BIT(CONSTANT_FLOAT) | TAG_BIT(CONSTANT_STRING))

/* The trait that the constant must not have. */
#define TRAIT_OF(opcode)                                                                           \
    ((opcode) == OP_INVOKESPECIAL ? TRAIT_FORBIDDEN                                                \
     : (opcode) == OP_INVOKEVIRTUAL || (opcode) == OP_INVOKESTATIC || (opcode) == OP_NEW ||        \
             (opcode) == OP_ANEWARRAY                                                              \
         ? TRAIT_ODD                                                                               \
         : 0)

/* Loads, and stores, come in the order int, long, float, double, reference: first those with an
   explicit local, one for each, then those of the locals 0 to 3, four for each. */
#define LOCALS_OF_EXPLICIT(opcode, first) (1 + ((opcode) - (first)) % 2)
#define LOCALS_OF_IMPLICIT(opcode, first)                                                          \
    (1 + ((opcode) - (first)) / 4 % 2 + ((opcode) - (first)) % 4)
#define LOCALS_OF(opcode)                                                                          \
    ((opcode) < OP_ILOAD       ? 0                                                                 \
     : (opcode) <= OP_ALOAD    ? LOCALS_OF_EXPLICIT(opcode, OP_ILOAD)                              \
     : (opcode) <= OP_ALOAD_3  ? LOCALS_OF_IMPLICIT(opcode, OP_ILOAD_0)                            \
     : (opcode) < OP_ISTORE    ? 0                                                                 \
     : (opcode) <= OP_ASTORE   ? LOCALS_OF_EXPLICIT(opcode, OP_ISTORE)                             \
     : (opcode) <= OP_ASTORE_3 ? LOCALS_OF_IMPLICIT(opcode, OP_ISTORE_0)                           \
     : (opcode) == OP_IINC     ? 1                                                                 \
                               : 0)

/* Apart from opcode_infos because this is read for every instruction of every class. */
static const struct plain {
    uint8_t form;
    uint8_t locals; /* that it needs; without the number of an explicit local */
    uint8_t trait;
    uint32_t tags;
} plains[256] = {
#define OPCODE(value, id, name, operands, pops, pushes, flow)                                      \
    [value] = {FORM_OF(value, operands), (uint8_t)LOCALS_OF(value), TRAIT_OF(value),               \
               TAGS_OF(operands)},
#include "bytecode/opcodes.def"
#undef OPCODE
};

unsigned decoder_locals_needed(uint8_t opcode)
{
    return plains[opcode].locals;
}

/* Whether an instruction may use that constant, as far as tag and trait say. */
static inline bool suits(const struct class_file *class_file, const struct plain *plain,
                         uint32_t index)
{
    if (index >= class_file->constant_count)
        return false;
    const struct constant *constant = &class_file->constants[index];
    return (plain->tags >> constant->tag & 1) && !(plain->trait & constant->trait);
}

/* Reads what follows the opcode of a plain instruction with operands, three bytes at most; its
   length, or 0 if it is not plain or is wrong. */
static inline uint32_t read_plain(const struct decoder *decoder, const struct plain *plain,
                                  const uint8_t *operands, struct instruction *instruction)
{
    const uint32_t max_locals = decoder->code->max_locals;
    switch ((enum form)plain->form) {
    case FORM_BYTE:
        instruction->immediate = (int8_t)operands[0];
        return 2;
    case FORM_SHORT:
        instruction->immediate = (int16_t)decoder_u2(operands);
        return 3;
    case FORM_LOCAL:
        instruction->operand = operands[0];
        return (uint32_t)operands[0] + plain->locals <= max_locals ? 2 : 0;
    case FORM_INCREMENT:
        instruction->operand = operands[0];
        instruction->immediate = (int8_t)operands[1];
        return operands[0] < max_locals ? 3 : 0;
    case FORM_CONSTANT_NARROW:
        instruction->operand = operands[0];
        return suits(decoder->class_file, plain, operands[0]) ? 2 : 0;
    case FORM_CONSTANT:
        instruction->operand = decoder_u2(operands);
        return suits(decoder->class_file, plain, instruction->operand) ? 3 : 0;
    case FORM_BRANCH:
        /* Where it goes, still as a byte offset: see read_plain_run. */
        instruction->target = (uint32_t)(instruction->offset + (int16_t)decoder_u2(operands));
        return instruction->target < decoder->code->length ? 3 : 0;
    default:
        return 0;
    }
}

/* Reads plain instructions up to one that is not, or is wrong. What changes stands in locals of its
   own: the compiler could not keep the decoder's members in registers. */
static void read_plain_run(struct decoder *decoder)
{
    const uint8_t *const bytes = decoder->bytes;
    const uint32_t max_locals = decoder->code->max_locals, length = decoder->code->length;
    uint16_t *const number_at = decoder->number_at;
    struct instruction *instruction = decoder->bytecode->instructions + decoder->count;
    uint32_t offset = decoder->offset, count = decoder->count, last_branch = decoder->last_branch;
    while (offset < length) {
        const uint8_t opcode = bytes[offset];
        const struct plain *const plain = &plains[opcode];
        uint32_t size = 1;
        *instruction = (struct instruction){.offset = (uint16_t)offset, .opcode = opcode};
        if (plain->form == FORM_NONE) { /* more than half of them */
            if (plain->locals > max_locals)
                break;
        } else {
            if (length - offset < 3)
                break;
            size = read_plain(decoder, plain, bytes + offset + 1, instruction);
            if (size == 0)
                break;
            if (plain->form == FORM_BRANCH)
                instruction->target = decoder_chain(&last_branch, count, instruction->target);
        }
        number_at[offset] = (uint16_t)count++;
        offset += size;
        instruction++;
    }
    decoder->offset = offset;
    decoder->count = count;
    decoder->last_branch = last_branch;
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
    decoder.number_at =
        arena_allocate(arena, code->length * sizeof *decoder.number_at, alignof(uint16_t));
    bytecode->instructions = arena_allocate(arena, code->length * sizeof *bytecode->instructions,
                                            alignof(struct instruction));
    if (!decoder.number_at || !bytecode->instructions)
        return decoder_fail_memory(&decoder);
    memset(decoder.number_at, 0xFF, code->length * sizeof *decoder.number_at);
    bytecode->number_at = decoder.number_at;
    if (!read_instructions(&decoder))
        return false;
    arena_shrink(arena, bytecode->instructions, bytecode->count * sizeof(struct instruction),
                 code->length * sizeof(struct instruction));
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
