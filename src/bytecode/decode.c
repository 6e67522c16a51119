#include "bytecode/decode.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "bytecode/decode_internal.h"

/*
 * One pass over the bytes makes the instructions. Where a branch goes is known as an instruction
 * number only when all are made, so branches and switches are listed while they are read, and
 * resolved at the end.
 *
 * Most instructions are plain: behind the opcode stands nothing, a local, a number, a distance or a
 * constant of which `uses` says enough. A row of a table tells how to read and check them, so that
 * one loop does it without a decision: which instruction follows which cannot be foreseen by the
 * processor, and a wrong guess costs more than reading two. The others, and all that are wrong, are
 * looked at closer by decode_operands.c.
 */

/* From where an instruction starts so many bytes are read, whatever its opcode. */
enum { LONGEST = 3 };

/* What stands behind an opcode: the operands of opcodes.def as far as they are read alike. */
enum form {
    FORM_CLOSER, /* to be looked at closer, or no instruction at all: no use suits it */
    FORM_NONE,
    FORM_BYTE,
    FORM_SHORT,
    FORM_LOCAL,
    FORM_CONSTANT_NARROW, /* a constant by one byte */
    FORM_CONSTANT,
    FORM_BRANCH,

    /* by the names of enum operands */
    FORM_CONSTANT_WIDE = FORM_CONSTANT,
    FORM_CONSTANT_DOUBLE = FORM_CONSTANT,
    FORM_FIELD = FORM_CONSTANT,
    FORM_METHOD = FORM_CONSTANT,
    FORM_CLASS = FORM_CONSTANT,
    FORM_INCREMENT = FORM_CLOSER,
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

#define SIZE_OF(form)                                                                              \
    ((form) == FORM_CLOSER                                                           ? 0           \
     : (form) == FORM_NONE                                                           ? 1           \
     : (form) == FORM_BYTE || (form) == FORM_LOCAL || (form) == FORM_CONSTANT_NARROW ? 2           \
                                                                                     : 3)

/* The members of an instruction but for the target are put together in a number and stored at once:
   one by one they would take most of the time. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { OFFSET_SHIFT = 0, OPCODE_SHIFT = 16, OPERAND_SHIFT = 32, IMMEDIATE_SHIFT = 48 };
#else
enum { OFFSET_SHIFT = 48, OPCODE_SHIFT = 40, OPERAND_SHIFT = 16, IMMEDIATE_SHIFT = 0 };
#endif
static_assert(offsetof(struct instruction, opcode) == 2 &&
                  offsetof(struct instruction, operand) == 4 &&
                  offsetof(struct instruction, immediate) == 6 &&
                  offsetof(struct instruction, target) == 8,
              "the members of an instruction stand elsewhere than store() has it");

/* `value` is the operand or the immediate, shifted. */
static inline void store(struct instruction *instruction, uint32_t offset, uint8_t opcode,
                         uint64_t value, uint32_t target)
{
    const uint64_t members =
        (uint64_t)offset << OFFSET_SHIFT | (uint64_t)opcode << OPCODE_SHIFT | value;
    memcpy(instruction, &members, sizeof members);
    instruction->target = target;
}

/* What the constant must be good for; nothing that an instruction without one needs is missing in
   the constant 0. */
#define USE_OF(opcode, operands)                                                                   \
    (FORM_OF(opcode, operands) == FORM_CLOSER          ? 0                                         \
     : (opcode) == OP_INVOKESPECIAL                    ? SUITS_CALL_SPECIAL                        \
     : (opcode) == OP_NEW || (opcode) == OP_ANEWARRAY  ? SUITS_CLASS_NO_ARRAY                      \
     : OPERANDS_##operands == OPERANDS_FIELD           ? SUITS_FIELD                               \
     : OPERANDS_##operands == OPERANDS_METHOD          ? SUITS_CALL                                \
     : OPERANDS_##operands == OPERANDS_CLASS           ? SUITS_CLASS                               \
     : OPERANDS_##operands == OPERANDS_CONSTANT_DOUBLE ? SUITS_LOAD_DOUBLE                         \
     : FORM_##operands == FORM_CONSTANT || FORM_##operands == FORM_CONSTANT_NARROW ? SUITS_LOAD    \
                                                                                   : SUITS_NONE)

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

/* What the value behind an opcode must not pass. */
enum limit { LIMIT_NONE, LIMIT_LOCALS, LIMIT_CONSTANTS, LIMIT_COUNT };

#define LIMIT_OF(form, locals)                                                                     \
    ((form) == FORM_CONSTANT || (form) == FORM_CONSTANT_NARROW ? LIMIT_CONSTANTS                   \
     : (locals)                                                ? LIMIT_LOCALS                      \
                                                               : LIMIT_NONE)

/* The rows are apart from opcode_infos because they are read for every instruction of every class,
   and the sizes from the rows because everything waits for them. */
static const uint8_t sizes[256] = {
#define OPCODE(value, id, name, operands, pops, pushes, flow)                                      \
    [value] = SIZE_OF(FORM_OF(value, operands)),
#include "bytecode/opcodes.def"
#undef OPCODE
};

static const struct row {
    /* What of the byte behind the opcode, with its sign, and of the two bytes there is the value,
       which is 0 in a branch. */
    uint32_t byte_mask, short_mask;
    /* All bits set or none: whether the value is a constant, whether this is a branch */
    uint32_t constant_mask, branch_mask;
    uint32_t locals;     /* that it needs; without the number of an explicit local */
    uint8_t limit;       /* enum limit: of the sum of value and locals */
    uint8_t shift;       /* of the value in store(): operand or immediate */
    uint8_t use;         /* enum constant_use */
    uint8_t reserved[9]; /* a row takes 32 bytes, so that it can be found by a shift */
} rows[256] = {
#define MASK(condition) ((condition) ? UINT32_MAX : 0)
#define ROW(f, opcode, u)                                                                          \
    {                                                                                              \
        .byte_mask = (f) == FORM_BYTE                                   ? UINT16_MAX               \
                     : (f) == FORM_LOCAL || (f) == FORM_CONSTANT_NARROW ? UINT8_MAX                \
                                                                        : 0,                       \
        .short_mask = MASK((f) == FORM_SHORT || (f) == FORM_CONSTANT),                             \
        .constant_mask = MASK((f) == FORM_CONSTANT || (f) == FORM_CONSTANT_NARROW),                \
        .branch_mask = MASK((f) == FORM_BRANCH), .locals = (uint32_t)(LOCALS_OF(opcode)),          \
        .limit = LIMIT_OF(f, LOCALS_OF(opcode)),                                                   \
        .shift = (f) == FORM_BYTE || (f) == FORM_SHORT ? IMMEDIATE_SHIFT : OPERAND_SHIFT,          \
        .use = (u)                                                                                 \
    }
#define OPCODE(value, id, name, operands, pops, pushes, flow)                                      \
    [value] = ROW(FORM_OF(value, operands), value, USE_OF(value, operands)),
#include "bytecode/opcodes.def"
#undef OPCODE
};

unsigned decoder_locals_needed(uint8_t opcode)
{
    return rows[opcode].locals;
}

/* Reads instructions up to one that must be looked at closer, or starts at `end` or behind it;
   LONGEST bytes can be read from every start before `end` on. What changes stands in locals of its
   own: the compiler could not keep the decoder's members in registers. */
static inline void read_run(struct decoder *decoder, uint32_t end)
{
    const uint8_t *const bytes = decoder->bytes;
    const struct constant *const constants = decoder->class_file->constants;
    const uint32_t length = decoder->code->length;
    const uint32_t limits[LIMIT_COUNT] = {[LIMIT_NONE] = UINT32_MAX,
                                          [LIMIT_LOCALS] = decoder->code->max_locals,
                                          [LIMIT_CONSTANTS] =
                                              decoder->class_file->constant_count - 1u};
    uint16_t *const number_at = decoder->number_at;
    uint16_t *branch = decoder->branches + decoder->branch_count;
    struct instruction *instruction = decoder->bytecode->instructions + decoder->count;
    uint32_t offset = decoder->offset, count = decoder->count;
    while (offset < end) {
        const uint8_t opcode = bytes[offset];
        const uint32_t size = sizes[opcode];
        const struct row *const row = &rows[opcode];
        const uint32_t two = decoder_u2(bytes + offset + 1);
        const uint32_t value =
            ((uint32_t)(int8_t)(two >> 8) & row->byte_mask) | (two & row->short_mask);
        const uint32_t index = value & row->constant_mask;
        /* Where a branch goes, still as a byte offset. */
        const uint32_t target = (uint32_t)((int32_t)offset + (int16_t)two) & row->branch_mask;
        store(instruction, offset, opcode, (uint64_t)value << row->shift, target);
        if (value + row->locals > limits[row->limit] || !(constants[index].uses & row->use) ||
            target >= length)
            break;
        number_at[offset] = *branch = (uint16_t)count++;
        branch += row->branch_mask & 1;
        offset += size;
        instruction++;
    }
    decoder->branch_count = (uint32_t)(branch - decoder->branches);
    decoder->offset = offset;
    decoder->count = count;
}

/* Reads plain instructions, up to one that must be looked at closer or to the end of the code; the
   last are looked at closer if nothing may be read behind them. */
static void read_plain(struct decoder *decoder)
{
    const uint32_t length = decoder->code->length;
    const uint32_t end = decoder->code->margin >= LONGEST - 1 ? length
                         : length < LONGEST                   ? 0
                                                              : length - LONGEST + 1;
    if (!decoder->class_file->constant_count)
        return; /* read_run needs the constant 0 */
    read_run(decoder, end);
    if (decoder->offset <= length)
        return;
    /* The last one took what is behind the code for its own bytes: it must be looked at closer. */
    decoder->count--;
    decoder->offset = decoder->bytecode->instructions[decoder->count].offset;
    decoder->branch_count -= rows[decoder->bytes[decoder->offset]].branch_mask & 1;
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
    const uint32_t length = decoder->code->length;
    while (decoder->offset < length) {
        read_plain(decoder);
        if (decoder->offset < length &&
            !read_other(decoder, &decoder->bytecode->instructions[decoder->count]))
            return false;
    }
    decoder->bytecode->count = decoder->count;
    decoder->bytecode->branches = decoder->branches;
    decoder->bytecode->branch_count = decoder->branch_count;
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
                              .last_switch = DECODER_CHAIN_END};
    if (code->length == 0 || code->length > UINT16_MAX)
        return decoder_fail(&decoder, 0, "the code is %u bytes long", code->length);
    /* A branch takes three bytes. One more: an instruction may turn out not to be there. */
    const uint32_t most_branches = code->length / 3 + 1;
    decoder.number_at = arena_allocate(
        arena, (code->length + most_branches) * sizeof *decoder.number_at, alignof(uint16_t));
    const size_t room = (code->length + 1) * sizeof *bytecode->instructions;
    bytecode->instructions = arena_allocate(arena, room, alignof(struct instruction));
    if (!decoder.number_at || !bytecode->instructions)
        return decoder_fail_memory(&decoder);
    decoder.branches = decoder.number_at + code->length;
    memset(decoder.number_at, 0xFF, code->length * sizeof *decoder.number_at);
    bytecode->number_at = decoder.number_at;
    if (!read_instructions(&decoder))
        return false;
    bytecode->instructions[bytecode->count] =
        (struct instruction){.offset = (uint16_t)code->length};
    arena_shrink(arena, bytecode->instructions,
                 (bytecode->count + 1) * sizeof *bytecode->instructions, room);
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
