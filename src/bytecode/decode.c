#include "bytecode/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "classfile/descriptor.h"

/*
 * One pass over the bytes makes the instructions. Where a branch goes is known as an instruction
 * number only when all are made, so branches and switches are chained while they are read, and
 * resolved at the end.
 *
 * Three instructions in four only have a local, a constant or nothing behind the opcode. They are
 * read without a decision for each kind, because decisions that the processor cannot foresee are
 * what decoding costs.
 */
struct decoder {
    struct bytecode *bytecode;
    const struct class_file *class_file;
    const struct code *code;
    const uint8_t *bytes;
    uint16_t *number_at;
    struct problem *problem;
    struct arena *arena;
    uint32_t loadable;                      /* constant tags that ldc takes, as bits */
    uint32_t plain_tags[OPERANDS_WIDE + 1]; /* see set_plain_tags */
    uint32_t offset;                        /* of the instruction that is being read */
    uint32_t count;                         /* instructions read so far */
    uint32_t last_branch;                   /* see `chain` */
    uint32_t last_switch;
};

enum {
    MAJOR_LDC_CLASS = 49,
    MAJOR_NO_SUBROUTINES = 51,
    MAJOR_ANY_PADDING = 51,
    MAJOR_INVOKE_DYNAMIC = 51,
    MAJOR_LDC_METHOD = 51,
    MAJOR_INTERFACE_CODE = 52,
    MAJOR_LDC_DYNAMIC = 55
};

/* Bytes of an instruction by its operands; 0: look closer. */
enum {
    LENGTH_NONE = 1,
    LENGTH_BYTE = 2,
    LENGTH_SHORT = 3,
    LENGTH_LOCAL = 2,
    LENGTH_INCREMENT = 3,
    LENGTH_CONSTANT_NARROW = 2,
    LENGTH_CONSTANT_WIDE = 3,
    LENGTH_CONSTANT_DOUBLE = 3,
    LENGTH_FIELD = 3,
    LENGTH_METHOD = 3,
    LENGTH_INTERFACE_METHOD = 5,
    LENGTH_DYNAMIC = 5,
    LENGTH_CLASS = 3,
    LENGTH_ARRAY_TYPE = 2,
    LENGTH_DIMENSIONS = 4,
    LENGTH_BRANCH = 3,
    LENGTH_BRANCH_WIDE = 5,
    LENGTH_TABLE_SWITCH = 0,
    LENGTH_LOOKUP_SWITCH = 0,
    LENGTH_WIDE = 0
};

/* Where the operand of a plain instruction stands in the two bytes behind its opcode. */
enum { TWO_BYTES = 0, ONE_BYTE = 8, NO_BYTES = 16 };
enum {
    SHIFT_NONE = NO_BYTES,
    SHIFT_LOCAL = ONE_BYTE,
    SHIFT_CONSTANT_NARROW = ONE_BYTE,
    SHIFT_CONSTANT_WIDE = TWO_BYTES,
    SHIFT_CONSTANT_DOUBLE = TWO_BYTES,
    SHIFT_FIELD = TWO_BYTES,
    SHIFT_CLASS = TWO_BYTES,
    /* the others are not plain: see plain_tags */
    SHIFT_BYTE = NO_BYTES,
    SHIFT_SHORT = NO_BYTES,
    SHIFT_INCREMENT = NO_BYTES,
    SHIFT_METHOD = NO_BYTES,
    SHIFT_INTERFACE_METHOD = NO_BYTES,
    SHIFT_DYNAMIC = NO_BYTES,
    SHIFT_ARRAY_TYPE = NO_BYTES,
    SHIFT_DIMENSIONS = NO_BYTES,
    SHIFT_BRANCH = NO_BYTES,
    SHIFT_BRANCH_WIDE = NO_BYTES,
    SHIFT_TABLE_SWITCH = NO_BYTES,
    SHIFT_LOOKUP_SWITCH = NO_BYTES,
    SHIFT_WIDE = NO_BYTES
};

/* Apart from opcode_infos because this is read for every instruction of every class. */
static const struct shape {
    uint8_t length;
    uint8_t operands;
    uint8_t shift;
} shapes[256] = {
#define OPCODE(value, id, name, operands, pops, pushes, flow)                                      \
    [value] = {LENGTH_##operands, OPERANDS_##operands, SHIFT_##operands},
#include "bytecode/opcodes.def"
#undef OPCODE
};

/* How many locals a plain instruction needs, without the number of an explicit one; more than any
   method has for the few that must be looked at closer. */
enum { LOOK_CLOSER = UINT16_MAX };
#define FOUR_LOCALS(name, slots)                                                                   \
    [OP_##name##_0] = (slots), [OP_##name##_1] = 1 + (slots), [OP_##name##_2] = 2 + (slots),       \
    [OP_##name##_3] = 3 + (slots)
static const uint16_t locals_needed[256] = {
    [OP_ILOAD] = 1,
    [OP_LLOAD] = 2,
    [OP_FLOAD] = 1,
    [OP_DLOAD] = 2,
    [OP_ALOAD] = 1,
    [OP_ISTORE] = 1,
    [OP_LSTORE] = 2,
    [OP_FSTORE] = 1,
    [OP_DSTORE] = 2,
    [OP_ASTORE] = 1,
    FOUR_LOCALS(ILOAD, 1),
    FOUR_LOCALS(LLOAD, 2),
    FOUR_LOCALS(FLOAD, 1),
    FOUR_LOCALS(DLOAD, 2),
    FOUR_LOCALS(ALOAD, 1),
    FOUR_LOCALS(ISTORE, 1),
    FOUR_LOCALS(LSTORE, 2),
    FOUR_LOCALS(FSTORE, 1),
    FOUR_LOCALS(DSTORE, 2),
    FOUR_LOCALS(ASTORE, 1),
    [OP_RET] = LOOK_CLOSER,
    [OP_NEW] = LOOK_CLOSER,
    [OP_ANEWARRAY] = LOOK_CLOSER,
};

#define BIT(tag) (UINT32_C(1) << (tag))

static uint16_t u2(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static uint32_t u4(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The reason, then the place as javap shows it: byte offset and method. */
__attribute__((format(printf, 3, 4))) static bool fail(struct decoder *decoder, uint32_t offset,
                                                       const char *format, ...)
{
    char reason[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    struct text name = class_utf8(decoder->class_file, decoder->bytecode->method->name);
    if (name.length > 60)
        name.length = 60;
    problem_set(decoder->problem, decoder->code->origin + offset, "%s (offset %u of method %.*s)",
                reason, offset, TEXT_ARGUMENTS(name));
    return false;
}

static bool fail_memory(struct decoder *decoder)
{
    problem_set(decoder->problem, PROBLEM_NO_OFFSET, "out of memory");
    return false;
}

static const char *name_of(const struct decoder *decoder)
{
    return opcode_infos[decoder->bytes[decoder->offset]].name;
}

/* ---- how long instructions are ---- */

static uint32_t switch_operands(uint32_t offset)
{
    return (offset + 4) & ~UINT32_C(3);
}

/* The length of a switch, 0 after a failure. */
static uint32_t switch_length(struct decoder *decoder, uint32_t offset)
{
    const uint32_t length = decoder->code->length;
    const bool table = decoder->bytes[offset] == OP_TABLESWITCH;
    const uint32_t operands = switch_operands(offset);
    const uint32_t fixed = table ? 12 : 8;
    if (operands > length || length - operands < fixed) {
        fail(decoder, offset, "the code ends inside a switch");
        return 0;
    }
    uint64_t count;
    if (table) {
        const int64_t low = (int32_t)u4(decoder->bytes + operands + 4);
        const int64_t high = (int32_t)u4(decoder->bytes + operands + 8);
        if (low > high) {
            fail(decoder, offset, "the tableswitch goes from %d to %d", (int)low, (int)high);
            return 0;
        }
        count = (uint64_t)(high - low) + 1;
    } else {
        count = u4(decoder->bytes + operands + 4);
    }
    const uint32_t item = table ? 4 : 8;
    if (count > (length - operands - fixed) / item) {
        fail(decoder, offset, "the switch has more cases than the code has room for");
        return 0;
    }
    return operands + fixed + (uint32_t)count * item - offset;
}

static uint32_t wide_length(struct decoder *decoder, uint32_t offset)
{
    if (offset + 1 >= decoder->code->length) {
        fail(decoder, offset, "the code ends behind wide");
        return 0;
    }
    switch (shapes[decoder->bytes[offset + 1]].operands) {
    case OPERANDS_LOCAL:
        return 4;
    case OPERANDS_INCREMENT:
        return 6;
    default:
        fail(decoder, offset, "opcode %u cannot be wide", decoder->bytes[offset + 1]);
        return 0;
    }
}

static uint32_t special_length(struct decoder *decoder, uint32_t offset)
{
    switch (decoder->bytes[offset]) {
    case OP_TABLESWITCH:
    case OP_LOOKUPSWITCH:
        return switch_length(decoder, offset);
    case OP_WIDE:
        return wide_length(decoder, offset);
    default:
        fail(decoder, offset, "opcode %u does not exist", decoder->bytes[offset]);
        return 0;
    }
}

/* ---- operands ---- */

/* Branches and switches are linked through their targets until all instructions are known: the
   number of the one before in the upper half, and for a branch its byte offset in the lower. */
#define CHAIN_END UINT32_C(0xFFFF)

static uint32_t chain(uint32_t *last, uint32_t number, uint32_t offset)
{
    const uint32_t link = *last << 16 | offset;
    *last = number;
    return link;
}

static bool fail_target(struct decoder *decoder, int64_t offset)
{
    return fail(decoder, decoder->offset, "%s goes to %lld, where no instruction starts",
                name_of(decoder), (long long)offset);
}

/* When all instructions are known. */
static bool resolve(struct decoder *decoder, int64_t offset, uint32_t *target)
{
    if (offset < 0 || offset >= decoder->code->length || decoder->number_at[offset] == UINT16_MAX)
        return fail_target(decoder, offset);
    *target = decoder->number_at[offset];
    return true;
}

static bool check_local(struct decoder *decoder, unsigned local, unsigned slots)
{
    if (local + slots <= decoder->code->max_locals)
        return true;
    return fail(decoder, decoder->offset, "local %u is not below max_locals, %u", local + slots - 1,
                decoder->code->max_locals);
}

/* Slots of the local that a load, store, iinc or ret with an explicit local touches. */
static unsigned local_slots(uint8_t opcode)
{
    return locals_needed[opcode] == 2 ? 2 : 1;
}

static bool check_constant(struct decoder *decoder, uint16_t index, uint32_t tags)
{
    const struct class_file *class_file = decoder->class_file;
    if (index < class_file->constant_count && (BIT(class_file->constants[index].tag) & tags))
        return true;
    if (index == 0 || index >= class_file->constant_count)
        return fail(decoder, decoder->offset, "%s uses constant %u, which does not exist",
                    name_of(decoder), index);
    return fail(decoder, decoder->offset, "%s cannot use constant %u, which is of kind %u",
                name_of(decoder), index, class_file->constants[index].tag);
}

static uint32_t loadable_tags(uint16_t major)
{
    uint32_t tags = BIT(CONSTANT_INTEGER) | BIT(CONSTANT_FLOAT) | BIT(CONSTANT_STRING);
    if (major >= MAJOR_LDC_CLASS)
        tags |= BIT(CONSTANT_CLASS);
    if (major >= MAJOR_LDC_METHOD)
        tags |= BIT(CONSTANT_METHOD_HANDLE) | BIT(CONSTANT_METHOD_TYPE);
    if (major >= MAJOR_LDC_DYNAMIC)
        tags |= BIT(CONSTANT_DYNAMIC);
    return tags;
}

/* A dynamic constant is as wide as its descriptor says. */
static bool check_loadable(struct decoder *decoder, uint16_t index, uint32_t tags, unsigned slots)
{
    if (!check_constant(decoder, index, tags))
        return false;
    const struct class_file *class_file = decoder->class_file;
    if (class_file->constants[index].tag != CONSTANT_DYNAMIC)
        return true;
    const struct text descriptor = class_member_reference(class_file, index).descriptor;
    if (descriptor_is_field(descriptor) && descriptor_slots(descriptor) == slots)
        return true;
    return fail(decoder, decoder->offset, "%s cannot load constant %u, which is not of %u slot%s",
                name_of(decoder), index, slots, slots == 1 ? "" : "s");
}

static struct text name_of_reference(const struct class_file *class_file, uint16_t index)
{
    const uint16_t name_and_type = class_file->constants[index].second;
    return class_utf8(class_file, class_file->constants[name_and_type].first);
}

/* <init> is called by invokespecial only, and <clinit> by nobody. */
static bool check_call(struct decoder *decoder, uint8_t opcode, uint16_t index, uint32_t tags)
{
    if (!check_constant(decoder, index, tags))
        return false;
    const struct text name = name_of_reference(decoder->class_file, index);
    if (name.length == 0 || name.bytes[0] != '<' ||
        (opcode == OP_INVOKESPECIAL && text_is(name, "<init>")))
        return true;
    return fail(decoder, decoder->offset, "%s must not call %.*s", name_of(decoder),
                name.length > 20 ? 20 : (int)name.length, name.bytes);
}

static uint32_t method_tags(const struct decoder *decoder, uint8_t opcode)
{
    if (opcode == OP_INVOKEVIRTUAL || decoder->class_file->major < MAJOR_INTERFACE_CODE)
        return BIT(CONSTANT_METHOD);
    return BIT(CONSTANT_METHOD) | BIT(CONSTANT_INTERFACE_METHOD);
}

static bool read_interface_call(struct decoder *decoder, struct instruction *instruction,
                                const uint8_t *operands)
{
    if (!check_call(decoder, OP_INVOKEINTERFACE, instruction->operand,
                    BIT(CONSTANT_INTERFACE_METHOD)))
        return false;
    const struct text descriptor =
        class_member_reference(decoder->class_file, instruction->operand).descriptor;
    const unsigned slots = descriptor_parameter_slots(descriptor) + 1;
    if (operands[2] != slots)
        return fail(decoder, decoder->offset, "invokeinterface says %u slots but passes %u",
                    operands[2], slots);
    if (operands[3] != 0)
        return fail(decoder, decoder->offset, "the last byte of invokeinterface is not 0");
    instruction->immediate = operands[2];
    return true;
}

static bool read_dynamic_call(struct decoder *decoder, struct instruction *instruction,
                              const uint8_t *operands)
{
    if (decoder->class_file->major < MAJOR_INVOKE_DYNAMIC)
        return fail(decoder, decoder->offset, "invokedynamic in a class of version %u",
                    decoder->class_file->major);
    if (operands[2] != 0 || operands[3] != 0)
        return fail(decoder, decoder->offset, "the last bytes of invokedynamic are not 0");
    return check_call(decoder, OP_INVOKEDYNAMIC, instruction->operand,
                      BIT(CONSTANT_INVOKE_DYNAMIC));
}

static unsigned dimensions_of(struct text class_name)
{
    unsigned count = 0;
    while (count < class_name.length && class_name.bytes[count] == '[')
        count++;
    return count;
}

static bool check_class(struct decoder *decoder, uint8_t opcode, uint16_t index)
{
    if (!check_constant(decoder, index, BIT(CONSTANT_CLASS)))
        return false;
    if (opcode != OP_NEW && opcode != OP_ANEWARRAY)
        return true;
    const unsigned dimensions = dimensions_of(class_name_at(decoder->class_file, index));
    if (opcode == OP_NEW && dimensions > 0)
        return fail(decoder, decoder->offset, "new of an array");
    if (opcode == OP_ANEWARRAY && dimensions >= 255)
        return fail(decoder, decoder->offset, "anewarray of more than 255 dimensions");
    return true;
}

static bool read_dimensions(struct decoder *decoder, struct instruction *instruction, uint8_t count)
{
    if (!check_constant(decoder, instruction->operand, BIT(CONSTANT_CLASS)))
        return false;
    const unsigned dimensions =
        dimensions_of(class_name_at(decoder->class_file, instruction->operand));
    if (count == 0 || count > dimensions)
        return fail(decoder, decoder->offset, "multianewarray of %u dimensions for a class of %u",
                    count, dimensions);
    instruction->immediate = count;
    return true;
}

/* Versions before 51 demand zeros; later ones take anything. */
static bool check_padding(struct decoder *decoder, uint32_t operands)
{
    if (decoder->class_file->major >= MAJOR_ANY_PADDING)
        return true;
    for (uint32_t at = decoder->offset + 1; at < operands; at++) {
        if (decoder->bytes[at] != 0)
            return fail(decoder, decoder->offset, "the padding of %s is not 0", name_of(decoder));
    }
    return true;
}

static bool read_cases(struct decoder *decoder, struct switch_table *table, const uint8_t *cases,
                       bool lookup)
{
    uint32_t *targets = ARENA_ARRAY(decoder->arena, uint32_t, table->count);
    int32_t *keys = lookup ? ARENA_ARRAY(decoder->arena, int32_t, table->count) : NULL;
    if (!targets || (lookup && !keys))
        return fail_memory(decoder);
    for (uint32_t i = 0; i < table->count; i++) {
        if (lookup) {
            keys[i] = (int32_t)u4(cases);
            if (i > 0 && keys[i] <= keys[i - 1])
                return fail(decoder, decoder->offset, "the keys of lookupswitch do not ascend");
            cases += 4;
        }
        if (!resolve(decoder, (int64_t)decoder->offset + (int32_t)u4(cases), &targets[i]))
            return false;
        cases += 4;
    }
    table->targets = targets;
    table->keys = keys;
    return true;
}

/* When all instructions are known. */
static bool read_switch(struct decoder *decoder, const struct instruction *instruction,
                        struct switch_table *table)
{
    const uint32_t start = switch_operands(decoder->offset);
    if (!check_padding(decoder, start))
        return false;
    const uint8_t *operands = decoder->bytes + start;
    if (!resolve(decoder, (int64_t)decoder->offset + (int32_t)u4(operands), &table->default_target))
        return false;
    const bool lookup = instruction->opcode == OP_LOOKUPSWITCH;
    table->low = lookup ? 0 : (int32_t)u4(operands + 4);
    table->count = lookup ? u4(operands + 4) : u4(operands + 8) - u4(operands + 4) + 1;
    return read_cases(decoder, table, operands + (lookup ? 8 : 12), lookup);
}

static void chain_switch(struct decoder *decoder, struct instruction *instruction)
{
    instruction->target = chain(&decoder->last_switch, decoder->count, 0);
    decoder->bytecode->switch_count++;
}

static bool read_branch(struct decoder *decoder, struct instruction *instruction, int32_t distance)
{
    if (opcode_infos[instruction->opcode].flow == FLOW_CALL &&
        decoder->class_file->major >= MAJOR_NO_SUBROUTINES)
        return fail(decoder, decoder->offset, "%s in a class of version %u", name_of(decoder),
                    decoder->class_file->major);
    const int64_t offset = (int64_t)decoder->offset + distance;
    if (offset < 0 || offset >= decoder->code->length)
        return fail_target(decoder, offset);
    instruction->target = chain(&decoder->last_branch, decoder->count, (uint32_t)offset);
    return true;
}

static bool check_ret(struct decoder *decoder)
{
    if (decoder->class_file->major >= MAJOR_NO_SUBROUTINES)
        return fail(decoder, decoder->offset, "ret in a class of version %u",
                    decoder->class_file->major);
    return true;
}

static bool read_wide(struct decoder *decoder, struct instruction *instruction)
{
    const uint8_t *bytes = decoder->bytes + decoder->offset;
    instruction->opcode = bytes[1];
    instruction->wide = true;
    instruction->operand = u2(bytes + 2);
    if (instruction->opcode == OP_IINC)
        instruction->immediate = (int16_t)u2(bytes + 4);
    if (instruction->opcode == OP_RET && !check_ret(decoder))
        return false;
    return check_local(decoder, instruction->operand, local_slots(instruction->opcode));
}

/* What follows the opcode byte at decoder->offset. The instruction's other members are zero. */
static bool read_operands(struct decoder *decoder, struct instruction *instruction)
{
    const uint8_t opcode = instruction->opcode;
    const uint8_t *operands = decoder->bytes + decoder->offset + 1;
    switch ((enum operands)shapes[opcode].operands) {
    case OPERANDS_NONE:
        return check_local(decoder, 0, locals_needed[opcode]);
    case OPERANDS_BYTE:
        instruction->immediate = (int8_t)operands[0];
        return true;
    case OPERANDS_SHORT:
        instruction->immediate = (int16_t)u2(operands);
        return true;
    case OPERANDS_LOCAL:
        instruction->operand = operands[0];
        if (opcode == OP_RET && !check_ret(decoder))
            return false;
        return check_local(decoder, operands[0], local_slots(opcode));
    case OPERANDS_INCREMENT:
        instruction->operand = operands[0];
        instruction->immediate = (int8_t)operands[1];
        return check_local(decoder, operands[0], 1);
    case OPERANDS_CONSTANT_NARROW:
        instruction->operand = operands[0];
        return check_loadable(decoder, operands[0], decoder->loadable, 1);
    case OPERANDS_CONSTANT_WIDE:
        instruction->operand = u2(operands);
        return check_loadable(decoder, instruction->operand, decoder->loadable, 1);
    case OPERANDS_CONSTANT_DOUBLE:
        instruction->operand = u2(operands);
        return check_loadable(decoder, instruction->operand,
                              BIT(CONSTANT_LONG) | BIT(CONSTANT_DOUBLE) |
                                  (decoder->loadable & BIT(CONSTANT_DYNAMIC)),
                              2);
    case OPERANDS_FIELD:
        instruction->operand = u2(operands);
        return check_constant(decoder, instruction->operand, BIT(CONSTANT_FIELD));
    case OPERANDS_METHOD:
        instruction->operand = u2(operands);
        return check_call(decoder, opcode, instruction->operand, method_tags(decoder, opcode));
    case OPERANDS_INTERFACE_METHOD:
        instruction->operand = u2(operands);
        return read_interface_call(decoder, instruction, operands);
    case OPERANDS_DYNAMIC:
        instruction->operand = u2(operands);
        return read_dynamic_call(decoder, instruction, operands);
    case OPERANDS_CLASS:
        instruction->operand = u2(operands);
        return check_class(decoder, opcode, instruction->operand);
    case OPERANDS_ARRAY_TYPE:
        instruction->operand = operands[0];
        if (operands[0] < 4 || operands[0] > 11)
            return fail(decoder, decoder->offset, "newarray of type %u", operands[0]);
        return true;
    case OPERANDS_DIMENSIONS:
        instruction->operand = u2(operands);
        return read_dimensions(decoder, instruction, operands[2]);
    case OPERANDS_BRANCH:
        return read_branch(decoder, instruction, (int16_t)u2(operands));
    case OPERANDS_BRANCH_WIDE:
        return read_branch(decoder, instruction, (int32_t)u4(operands));
    case OPERANDS_TABLE_SWITCH:
    case OPERANDS_LOOKUP_SWITCH:
        chain_switch(decoder, instruction);
        return true;
    case OPERANDS_WIDE:
        return read_wide(decoder, instruction);
    }
    return false;
}

/* ---- instructions ---- */

/* Plain are the instructions whose operand is a local, a constant whose tag says all, or absent.
   For those without a constant the tag of constant 0 is looked at. */
static void set_plain_tags(struct decoder *decoder)
{
    const uint32_t loadable = decoder->loadable & ~BIT(CONSTANT_DYNAMIC);
    decoder->plain_tags[OPERANDS_NONE] = BIT(CONSTANT_UNUSABLE);
    decoder->plain_tags[OPERANDS_LOCAL] = BIT(CONSTANT_UNUSABLE);
    decoder->plain_tags[OPERANDS_CONSTANT_NARROW] = loadable;
    decoder->plain_tags[OPERANDS_CONSTANT_WIDE] = loadable;
    decoder->plain_tags[OPERANDS_CONSTANT_DOUBLE] = BIT(CONSTANT_LONG) | BIT(CONSTANT_DOUBLE);
    decoder->plain_tags[OPERANDS_FIELD] = BIT(CONSTANT_FIELD);
    decoder->plain_tags[OPERANDS_CLASS] = BIT(CONSTANT_CLASS);
}

/* The length of the instruction at decoder->offset, 0 after a failure. */
static uint32_t length_of(struct decoder *decoder, struct shape shape)
{
    const uint32_t size = shape.length ? shape.length : special_length(decoder, decoder->offset);
    if (size <= decoder->code->length - decoder->offset)
        return size;
    fail(decoder, decoder->offset, "the code ends inside an instruction");
    return 0;
}

/* Whatever read_plain_run does not take. */
static bool read_other(struct decoder *decoder, struct instruction *instruction)
{
    const uint32_t offset = decoder->offset;
    const uint8_t opcode = decoder->bytes[offset];
    *instruction = (struct instruction){.offset = (uint16_t)offset, .opcode = opcode};
    decoder->number_at[offset] = (uint16_t)decoder->count;
    const uint32_t size = length_of(decoder, shapes[opcode]);
    if (size == 0 || !read_operands(decoder, instruction))
        return false;
    decoder->offset += size;
    decoder->count++;
    return true;
}

/* Reads plain instructions up to one that is not, or is wrong. Everything that it needs stands in
   locals of its own: the compiler could not keep the decoder's members in registers. */
static void read_plain_run(struct decoder *decoder)
{
    const uint8_t *const bytes = decoder->bytes;
    const struct constant *const constants = decoder->class_file->constants;
    const uint32_t constant_count = decoder->class_file->constant_count;
    const uint32_t max_locals = decoder->code->max_locals;
    const uint32_t *const plain_tags = decoder->plain_tags;
    uint16_t *const number_at = decoder->number_at;
    struct instruction *instruction = decoder->bytecode->instructions + decoder->count;
    uint32_t offset = decoder->offset;
    uint32_t count = decoder->count;
    while (offset + 3 <= decoder->code->length) {
        const uint8_t opcode = bytes[offset];
        const struct shape shape = shapes[opcode];
        const uint32_t operand = (uint32_t)u2(bytes + offset + 1) >> shape.shift;
        const bool local = shape.operands == OPERANDS_LOCAL;
        const uint32_t index = local || operand >= constant_count ? 0 : operand;
        const uint32_t needed = locals_needed[opcode] + (local ? operand : 0);
        const bool right = shape.length && plain_tags[shape.operands] >> constants[index].tag & 1;
        if (!right || needed > max_locals || needed >= LOOK_CLOSER)
            break;
        *instruction++ =
            (struct instruction){(uint16_t)offset, opcode, false, (uint16_t)operand, 0, 0};
        number_at[offset] = (uint16_t)count++;
        offset += shape.length;
    }
    decoder->offset = offset;
    decoder->count = count;
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

static bool resolve_branches(struct decoder *decoder)
{
    for (uint32_t number = decoder->last_branch; number != CHAIN_END;) {
        struct instruction *branch = &decoder->bytecode->instructions[number];
        number = branch->target >> 16;
        decoder->offset = branch->offset;
        if (!resolve(decoder, branch->target & UINT16_MAX, &branch->target))
            return false;
    }
    return true;
}

static bool resolve_switches(struct decoder *decoder)
{
    uint32_t table = decoder->bytecode->switch_count;
    for (uint32_t number = decoder->last_switch; number != CHAIN_END;) {
        struct instruction *instruction = &decoder->bytecode->instructions[number];
        number = instruction->target >> 16;
        decoder->offset = instruction->offset;
        instruction->target = --table;
        if (!read_switch(decoder, instruction, &decoder->bytecode->switches[table]))
            return false;
    }
    return true;
}

/* ---- handlers ---- */

static bool place_of(struct decoder *decoder, uint32_t offset, uint32_t *number)
{
    *number = bytecode_number_at(decoder->bytecode, offset);
    return *number != INSTRUCTION_NONE;
}

static bool read_handlers(struct decoder *decoder)
{
    struct bytecode *bytecode = decoder->bytecode;
    const struct code *code = decoder->code;
    for (uint32_t i = 0; i < code->handler_count; i++) {
        const struct exception_handler *from = &code->handlers[i];
        struct handler *handler = &bytecode->handlers[i];
        if (from->start >= from->end || !place_of(decoder, from->start, &handler->start) ||
            !place_of(decoder, from->end, &handler->end))
            return fail(decoder, from->start,
                        "exception handler %u covers %u to %u, which are "
                        "not instructions in this order",
                        i, from->start, from->end);
        if (!place_of(decoder, from->handler, &handler->handler) ||
            handler->handler == bytecode->count)
            return fail(decoder, from->handler,
                        "exception handler %u starts inside an instruction "
                        "or behind the code",
                        i);
        if (from->catch_type != 0 &&
            (from->catch_type >= decoder->class_file->constant_count ||
             decoder->class_file->constants[from->catch_type].tag != CONSTANT_CLASS))
            return fail(decoder, from->handler,
                        "exception handler %u catches constant %u, which "
                        "is not a class",
                        i, from->catch_type);
        handler->catch_type = from->catch_type;
    }
    return true;
}

/* ---- the end of the code ---- */

/* A walk over instructions that may be executed. It takes it that every subroutine returns and
   every handler is used, which keeps it linear for any table of handlers. */
struct walk {
    bool *seen;
    uint32_t *pending;
    uint32_t pending_count;
};

static void walk_visit(struct walk *walk, const struct bytecode *bytecode, uint32_t number)
{
    if (number < bytecode->count && !walk->seen[number]) {
        walk->seen[number] = true;
        walk->pending[walk->pending_count++] = number;
    }
}

static void walk_step(struct walk *walk, const struct bytecode *bytecode, uint32_t number)
{
    const struct instruction *instruction = &bytecode->instructions[number];
    const uint8_t flow = opcode_infos[instruction->opcode].flow;
    if (flow == FLOW_BRANCH || flow == FLOW_GOTO || flow == FLOW_CALL)
        walk_visit(walk, bytecode, instruction->target);
    if (flow == FLOW_NEXT || flow == FLOW_BRANCH || flow == FLOW_CALL)
        walk_visit(walk, bytecode, number + 1);
    if (flow == FLOW_SWITCH) {
        const struct switch_table *table = &bytecode->switches[instruction->target];
        walk_visit(walk, bytecode, table->default_target);
        for (uint32_t i = 0; i < table->count; i++)
            walk_visit(walk, bytecode, table->targets[i]);
    }
}

static bool walk_from(struct decoder *decoder, struct walk *walk, uint32_t start)
{
    const struct bytecode *bytecode = decoder->bytecode;
    walk->seen =
        arena_allocate_zeroed(decoder->arena, bytecode->count * sizeof *walk->seen, alignof(bool));
    walk->pending = ARENA_ARRAY(decoder->arena, uint32_t, bytecode->count);
    walk->pending_count = 0;
    if (!walk->seen || !walk->pending)
        return fail_memory(decoder);
    walk_visit(walk, bytecode, start);
    for (uint32_t i = 0; i < bytecode->code->handler_count; i++)
        walk_visit(walk, bytecode, bytecode->handlers[i].handler);
    while (walk->pending_count > 0)
        walk_step(walk, bytecode, walk->pending[--walk->pending_count]);
    return true;
}

/* Old files may end in dead code, or in a jsr that never comes back: the old verifier looks at what
   is executed only. */
static bool check_old_end(struct decoder *decoder)
{
    struct bytecode *bytecode = decoder->bytecode;
    const uint32_t last = bytecode->count - 1;
    const struct instruction *instruction = &bytecode->instructions[last];
    struct walk walk;
    if (!walk_from(decoder, &walk, 0))
        return false;
    if (!walk.seen[last])
        return true;
    if (opcode_infos[instruction->opcode].flow == FLOW_CALL) {
        if (!walk_from(decoder, &walk, instruction->target))
            return false;
        bool returns = false;
        for (uint32_t i = 0; i < bytecode->count; i++)
            returns |= walk.seen[i] && bytecode->instructions[i].opcode == OP_RET;
        if (!returns)
            return true;
    }
    return fail(decoder, instruction->offset, "execution runs past the end of the code");
}

static bool check_end(struct decoder *decoder)
{
    const struct instruction *last = &decoder->bytecode->instructions[decoder->bytecode->count - 1];
    switch ((enum opcode_flow)opcode_infos[last->opcode].flow) {
    case FLOW_GOTO:
    case FLOW_SWITCH:
    case FLOW_RET:
    case FLOW_RETURN:
    case FLOW_THROW:
        return true;
    default:
        break;
    }
    if (decoder->class_file->major < MAJOR_NO_SUBROUTINES)
        return check_old_end(decoder);
    return fail(decoder, last->offset, "execution runs past the end of the code");
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
                              .loadable = loadable_tags(class_file->major),
                              .last_branch = CHAIN_END,
                              .last_switch = CHAIN_END};
    if (code->length == 0 || code->length > UINT16_MAX)
        return fail(&decoder, 0, "the code is %u bytes long", code->length);
    set_plain_tags(&decoder);
    decoder.number_at = ARENA_ARRAY(arena, uint16_t, code->length);
    bytecode->instructions = ARENA_ARRAY(arena, struct instruction, code->length);
    if (!decoder.number_at || !bytecode->instructions)
        return fail_memory(&decoder);
    memset(decoder.number_at, 0xFF, code->length * sizeof *decoder.number_at);
    bytecode->number_at = decoder.number_at;
    if (!read_instructions(&decoder))
        return false;
    arena_shrink(arena, bytecode->instructions, bytecode->count * sizeof(struct instruction),
                 code->length * sizeof(struct instruction));
    bytecode->switches = ARENA_ARRAY(arena, struct switch_table, bytecode->switch_count);
    bytecode->handlers = ARENA_ARRAY(arena, struct handler, code->handler_count);
    if (!bytecode->switches || !bytecode->handlers)
        return fail_memory(&decoder);
    return resolve_branches(&decoder) && resolve_switches(&decoder) && read_handlers(&decoder) &&
           check_end(&decoder);
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
