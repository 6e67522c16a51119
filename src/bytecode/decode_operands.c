#include "bytecode/decode_internal.h"

#include <stdarg.h>
#include <stdio.h>

#include "classfile/descriptor.h"

enum {
    MAJOR_LDC_CLASS = 49,
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

static const struct shape {
    uint8_t length;
    uint8_t operands;
} shapes[256] = {
#define OPCODE(value, id, name, operands, pops, pushes, flow)                                      \
    [value] = {LENGTH_##operands, OPERANDS_##operands},
#include "bytecode/opcodes.def"
#undef OPCODE
};

/* The reason, then the place as javap shows it: byte offset and method. */
bool decoder_fail(struct decoder *decoder, uint32_t offset, const char *format, ...)
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

bool decoder_fail_memory(struct decoder *decoder)
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
        decoder_fail(decoder, offset, "the code ends inside a switch");
        return 0;
    }
    uint64_t count;
    if (table) {
        const int64_t low = (int32_t)decoder_u4(decoder->bytes + operands + 4);
        const int64_t high = (int32_t)decoder_u4(decoder->bytes + operands + 8);
        if (low > high) {
            decoder_fail(decoder, offset, "the tableswitch goes from %d to %d", (int)low,
                         (int)high);
            return 0;
        }
        count = (uint64_t)(high - low) + 1;
    } else {
        count = decoder_u4(decoder->bytes + operands + 4);
    }
    const uint32_t item = table ? 4 : 8;
    if (count > (length - operands - fixed) / item) {
        decoder_fail(decoder, offset, "the switch has more cases than the code has room for");
        return 0;
    }
    return operands + fixed + (uint32_t)count * item - offset;
}

static uint32_t wide_length(struct decoder *decoder, uint32_t offset)
{
    if (offset + 1 >= decoder->code->length) {
        decoder_fail(decoder, offset, "the code ends behind wide");
        return 0;
    }
    switch (shapes[decoder->bytes[offset + 1]].operands) {
    case OPERANDS_LOCAL:
        return 4;
    case OPERANDS_INCREMENT:
        return 6;
    default:
        decoder_fail(decoder, offset, "opcode %u cannot be wide", decoder->bytes[offset + 1]);
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
        decoder_fail(decoder, offset, "opcode %u does not exist", decoder->bytes[offset]);
        return 0;
    }
}

/* ---- operands ---- */

static bool fail_target(struct decoder *decoder, int64_t offset)
{
    return decoder_fail(decoder, decoder->offset, "%s goes to %lld, where no instruction starts",
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
    return decoder_fail(decoder, decoder->offset, "local %u is not below max_locals, %u",
                        local + slots - 1, decoder->code->max_locals);
}

/* Slots of the local that a load, store, iinc or ret with an explicit local touches. */
static unsigned local_slots(uint8_t opcode)
{
    return decoder_locals_needed(opcode) == 2 ? 2 : 1;
}

static bool check_constant(struct decoder *decoder, uint16_t index, uint32_t tags)
{
    const struct class_file *class_file = decoder->class_file;
    if (index < class_file->constant_count && (TAG_BIT(class_file->constants[index].tag) & tags))
        return true;
    if (index == 0 || index >= class_file->constant_count)
        return decoder_fail(decoder, decoder->offset, "%s uses constant %u, which does not exist",
                            name_of(decoder), index);
    return decoder_fail(decoder, decoder->offset, "%s cannot use constant %u, which is of kind %u",
                        name_of(decoder), index, class_file->constants[index].tag);
}

uint32_t decoder_loadable_tags(uint16_t major)
{
    uint32_t tags = TAG_BIT(CONSTANT_INTEGER) | TAG_BIT(CONSTANT_FLOAT) | TAG_BIT(CONSTANT_STRING);
    if (major >= MAJOR_LDC_CLASS)
        tags |= TAG_BIT(CONSTANT_CLASS);
    if (major >= MAJOR_LDC_METHOD)
        tags |= TAG_BIT(CONSTANT_METHOD_HANDLE) | TAG_BIT(CONSTANT_METHOD_TYPE);
    if (major >= MAJOR_LDC_DYNAMIC)
        tags |= TAG_BIT(CONSTANT_DYNAMIC);
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
    return decoder_fail(decoder, decoder->offset,
                        "%s cannot load constant %u, which is not of %u slot%s", name_of(decoder),
                        index, slots, slots == 1 ? "" : "s");
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
    return decoder_fail(decoder, decoder->offset, "%s must not call %.*s", name_of(decoder),
                        name.length > 20 ? 20 : (int)name.length, name.bytes);
}

static uint32_t method_tags(const struct decoder *decoder, uint8_t opcode)
{
    if (opcode == OP_INVOKEVIRTUAL || decoder->class_file->major < MAJOR_INTERFACE_CODE)
        return TAG_BIT(CONSTANT_METHOD);
    return TAG_BIT(CONSTANT_METHOD) | TAG_BIT(CONSTANT_INTERFACE_METHOD);
}

static bool read_interface_call(struct decoder *decoder, struct instruction *instruction,
                                const uint8_t *operands)
{
    if (!check_call(decoder, OP_INVOKEINTERFACE, instruction->operand,
                    TAG_BIT(CONSTANT_INTERFACE_METHOD)))
        return false;
    const struct class_file *class_file = decoder->class_file;
    if (operands[2] == 0 || operands[2] != class_file->constants[instruction->operand].slots) {
        const struct text descriptor =
            class_member_reference(class_file, instruction->operand).descriptor;
        const unsigned slots = descriptor_parameter_slots(descriptor) + 1;
        if (operands[2] != slots)
            return decoder_fail(decoder, decoder->offset,
                                "invokeinterface says %u slots but passes %u", operands[2], slots);
    }
    if (operands[3] != 0)
        return decoder_fail(decoder, decoder->offset, "the last byte of invokeinterface is not 0");
    instruction->immediate = operands[2];
    return true;
}

static bool read_dynamic_call(struct decoder *decoder, struct instruction *instruction,
                              const uint8_t *operands)
{
    if (decoder->class_file->major < MAJOR_INVOKE_DYNAMIC)
        return decoder_fail(decoder, decoder->offset, "invokedynamic in a class of version %u",
                            decoder->class_file->major);
    if (operands[2] != 0 || operands[3] != 0)
        return decoder_fail(decoder, decoder->offset, "the last bytes of invokedynamic are not 0");
    return check_call(decoder, OP_INVOKEDYNAMIC, instruction->operand,
                      TAG_BIT(CONSTANT_INVOKE_DYNAMIC));
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
    if (!check_constant(decoder, index, TAG_BIT(CONSTANT_CLASS)))
        return false;
    if (opcode != OP_NEW && opcode != OP_ANEWARRAY)
        return true;
    const unsigned dimensions = dimensions_of(class_name_at(decoder->class_file, index));
    if (opcode == OP_NEW && dimensions > 0)
        return decoder_fail(decoder, decoder->offset, "new of an array");
    if (opcode == OP_ANEWARRAY && dimensions >= 255)
        return decoder_fail(decoder, decoder->offset, "anewarray of more than 255 dimensions");
    return true;
}

static bool read_dimensions(struct decoder *decoder, struct instruction *instruction, uint8_t count)
{
    if (!check_constant(decoder, instruction->operand, TAG_BIT(CONSTANT_CLASS)))
        return false;
    const unsigned dimensions =
        dimensions_of(class_name_at(decoder->class_file, instruction->operand));
    if (count == 0 || count > dimensions)
        return decoder_fail(decoder, decoder->offset,
                            "multianewarray of %u dimensions for a class of %u", count, dimensions);
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
            return decoder_fail(decoder, decoder->offset, "the padding of %s is not 0",
                                name_of(decoder));
    }
    return true;
}

static bool read_cases(struct decoder *decoder, struct switch_table *table, const uint8_t *cases,
                       bool lookup)
{
    uint32_t *targets = ARENA_ARRAY(decoder->arena, uint32_t, table->count);
    int32_t *keys = lookup ? ARENA_ARRAY(decoder->arena, int32_t, table->count) : NULL;
    if (!targets || (lookup && !keys))
        return decoder_fail_memory(decoder);
    for (uint32_t i = 0; i < table->count; i++) {
        if (lookup) {
            keys[i] = (int32_t)decoder_u4(cases);
            if (i > 0 && keys[i] <= keys[i - 1])
                return decoder_fail(decoder, decoder->offset,
                                    "the keys of lookupswitch do not ascend");
            cases += 4;
        }
        if (!resolve(decoder, (int64_t)decoder->offset + (int32_t)decoder_u4(cases), &targets[i]))
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
    if (!resolve(decoder, (int64_t)decoder->offset + (int32_t)decoder_u4(operands),
                 &table->default_target))
        return false;
    const bool lookup = instruction->opcode == OP_LOOKUPSWITCH;
    table->low = lookup ? 0 : (int32_t)decoder_u4(operands + 4);
    table->count =
        lookup ? decoder_u4(operands + 4) : decoder_u4(operands + 8) - decoder_u4(operands + 4) + 1;
    return read_cases(decoder, table, operands + (lookup ? 8 : 12), lookup);
}

static bool read_branch(struct decoder *decoder, struct instruction *instruction, int32_t distance)
{
    if (opcode_infos[instruction->opcode].flow == FLOW_CALL &&
        decoder->class_file->major >= MAJOR_NO_SUBROUTINES)
        return decoder_fail(decoder, decoder->offset, "%s in a class of version %u",
                            name_of(decoder), decoder->class_file->major);
    const int64_t offset = (int64_t)decoder->offset + distance;
    if (offset < 0 || offset >= decoder->code->length)
        return fail_target(decoder, offset);
    instruction->target = (uint32_t)offset;
    decoder->branches[decoder->branch_count++] = (uint16_t)decoder->count;
    return true;
}

static bool check_ret(struct decoder *decoder)
{
    if (decoder->class_file->major >= MAJOR_NO_SUBROUTINES)
        return decoder_fail(decoder, decoder->offset, "ret in a class of version %u",
                            decoder->class_file->major);
    return true;
}

static bool read_wide(struct decoder *decoder, struct instruction *instruction)
{
    const uint8_t *bytes = decoder->bytes + decoder->offset;
    instruction->opcode = bytes[1];
    instruction->wide = true;
    instruction->operand = decoder_u2(bytes + 2);
    if (instruction->opcode == OP_IINC)
        instruction->immediate = (int16_t)decoder_u2(bytes + 4);
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
        return check_local(decoder, 0, decoder_locals_needed(opcode));
    case OPERANDS_BYTE:
        instruction->immediate = (int8_t)operands[0];
        return true;
    case OPERANDS_SHORT:
        instruction->immediate = (int16_t)decoder_u2(operands);
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
        instruction->operand = decoder_u2(operands);
        return check_loadable(decoder, instruction->operand, decoder->loadable, 1);
    case OPERANDS_CONSTANT_DOUBLE:
        instruction->operand = decoder_u2(operands);
        return check_loadable(decoder, instruction->operand,
                              TAG_BIT(CONSTANT_LONG) | TAG_BIT(CONSTANT_DOUBLE) |
                                  (decoder->loadable & TAG_BIT(CONSTANT_DYNAMIC)),
                              2);
    case OPERANDS_FIELD:
        instruction->operand = decoder_u2(operands);
        return check_constant(decoder, instruction->operand, TAG_BIT(CONSTANT_FIELD));
    case OPERANDS_METHOD:
        instruction->operand = decoder_u2(operands);
        return check_call(decoder, opcode, instruction->operand, method_tags(decoder, opcode));
    case OPERANDS_INTERFACE_METHOD:
        instruction->operand = decoder_u2(operands);
        return read_interface_call(decoder, instruction, operands);
    case OPERANDS_DYNAMIC:
        instruction->operand = decoder_u2(operands);
        return read_dynamic_call(decoder, instruction, operands);
    case OPERANDS_CLASS:
        instruction->operand = decoder_u2(operands);
        return check_class(decoder, opcode, instruction->operand);
    case OPERANDS_ARRAY_TYPE:
        instruction->operand = operands[0];
        if (operands[0] < 4 || operands[0] > 11)
            return decoder_fail(decoder, decoder->offset, "newarray of type %u", operands[0]);
        return true;
    case OPERANDS_DIMENSIONS:
        instruction->operand = decoder_u2(operands);
        return read_dimensions(decoder, instruction, operands[2]);
    case OPERANDS_BRANCH:
        return read_branch(decoder, instruction, (int16_t)decoder_u2(operands));
    case OPERANDS_BRANCH_WIDE:
        return read_branch(decoder, instruction, (int32_t)decoder_u4(operands));
    case OPERANDS_TABLE_SWITCH:
    case OPERANDS_LOOKUP_SWITCH:
        decoder_chain_switch(decoder, instruction);
        decoder->bytecode->switch_count++;
        return true;
    case OPERANDS_WIDE:
        return read_wide(decoder, instruction);
    }
    return false;
}

/* The length of the instruction at decoder->offset, 0 after a failure. */
static uint32_t length_of(struct decoder *decoder, struct shape shape)
{
    const uint32_t size = shape.length ? shape.length : special_length(decoder, decoder->offset);
    if (size <= decoder->code->length - decoder->offset)
        return size;
    decoder_fail(decoder, decoder->offset, "the code ends inside an instruction");
    return 0;
}

uint32_t decoder_read_any(struct decoder *decoder, struct instruction *instruction)
{
    const uint32_t size = length_of(decoder, shapes[instruction->opcode]);
    return size && read_operands(decoder, instruction) ? size : 0;
}

bool decoder_resolve_branches(struct decoder *decoder)
{
    for (uint32_t i = 0; i < decoder->branch_count; i++) {
        struct instruction *branch = &decoder->bytecode->instructions[decoder->branches[i]];
        decoder->offset = branch->offset;
        if (!resolve(decoder, branch->target, &branch->target))
            return false;
    }
    return true;
}

bool decoder_resolve_switches(struct decoder *decoder)
{
    uint32_t table = decoder->bytecode->switch_count;
    if (!table)
        return true;
    decoder->bytecode->switches = ARENA_ARRAY(decoder->arena, struct switch_table, table);
    if (!decoder->bytecode->switches)
        return decoder_fail_memory(decoder);
    for (uint32_t number = decoder->last_switch; number != DECODER_CHAIN_END;) {
        struct instruction *instruction = &decoder->bytecode->instructions[number];
        decoder->bytecode->switches[--table].instruction = number;
        number = instruction->target;
        decoder->offset = instruction->offset;
        instruction->target = table;
        if (!read_switch(decoder, instruction, &decoder->bytecode->switches[table]))
            return false;
    }
    return true;
}
