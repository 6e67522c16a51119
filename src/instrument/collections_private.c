/*
 * Objects that never leave the method that makes them: a StringBuilder for a message, a list that
 * is filled and gone through. They need no checks; and checks would keep the JIT from putting them
 * on the stack, and from making one string of a chain of appends.
 *
 * An object stays when all that is done with it is to call methods of the table on it, or to give
 * it to methods that only read or write it there; and to keep it in one local.
 */
#include "classfile/descriptor.h"
#include "instrument/collections_internal.h"
#include "instrument/instrument_internal.h"
#include "rewrite/code_image.h"

/* Each question looks at the whole method. */
enum { INSTRUCTIONS_MAX = 3000 };

enum { NO_LOCAL = -1, SEVERAL_LOCALS = -2 };

static bool is_store(const struct instruction *instruction)
{
    return instruction->opcode == OP_ASTORE ||
           (instruction->opcode >= OP_ASTORE_0 && instruction->opcode <= OP_ASTORE_3);
}

static bool is_load(const struct instruction *instruction)
{
    return instruction->opcode == OP_ALOAD ||
           (instruction->opcode >= OP_ALOAD_0 && instruction->opcode <= OP_ALOAD_3);
}

static int32_t local_of(const struct instruction *instruction)
{
    bool stores = false;
    unsigned slots = 0;
    return code_image_local(instruction, &stores, &slots);
}

/* The local that the object is stored into. */
static int32_t find_local(const struct instrument_method *method, uint32_t made)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    int32_t local = NO_LOCAL;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        if (!is_store(&bytecode->instructions[i]))
            continue;
        struct origin stored = origins_operand(&method->origins, i, 0);
        if (stored.kind != ORIGIN_NEW || stored.instruction != made)
            continue;
        int32_t to = local_of(&bytecode->instructions[i]);
        local = local == NO_LOCAL || local == to ? to : SEVERAL_LOCALS;
    }
    return local;
}

/* Whether the call keeps the operand that is `depth` slots below the top to itself. */
static bool call_keeps(const struct instrument_method *method, uint32_t instruction, uint32_t depth)
{
    const struct instruction *call = &method->edit->bytecode.instructions[instruction];
    if (call->opcode == OP_INVOKEDYNAMIC)
        return false;
    struct collection_target target;
    collections_target(method->owner, call, &target);
    uint32_t below = descriptor_parameter_slots(target.callee.descriptor);
    if (target.has_receiver && depth == below)
        return text_is(target.callee.name, "<init>") || target.call.effect != COLLECTION_UNKNOWN;
    size_t position = 1;
    struct text parameter;
    for (unsigned i = 0; descriptor_next_parameter(target.callee.descriptor, &position, &parameter);
         i++) {
        below -= descriptor_slots(parameter);
        if (below == depth)
            return target.type &&
                   collections_argument(target.type, target.callee.name, target.callee.descriptor,
                                        i) != COLLECTION_UNKNOWN;
    }
    return false;
}

static bool keeps(const struct instrument_method *method, uint32_t instruction, uint32_t depth)
{
    switch (method->edit->bytecode.instructions[instruction].opcode) {
    case OP_INVOKEVIRTUAL:
    case OP_INVOKEINTERFACE:
    case OP_INVOKESPECIAL:
    case OP_INVOKESTATIC:
    case OP_INVOKEDYNAMIC:
        return call_keeps(method, instruction, depth);
    default:
        return is_store(&method->edit->bytecode.instructions[instruction]);
    }
}

/* Whether all uses of the object keep it here. */
static bool is_kept(const struct instrument_method *method, uint32_t made, int32_t local)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    uint32_t loads = 0, uses = 0;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const struct instruction *instruction = &bytecode->instructions[i];
        loads += is_load(instruction) && local_of(instruction) == local;
        const uint32_t count = method->origins.first[i + 1] - method->origins.first[i];
        for (uint32_t depth = 0; depth < count; depth++) {
            const struct origin operand = origins_operand(&method->origins, i, depth);
            bool from_local = operand.local && operand.slot == local;
            uses += from_local;
            if (from_local && operand.kind == ORIGIN_UNKNOWN)
                return false; /* it may be the object */
            struct origin base = collections_base(method, operand);
            if (base.kind == ORIGIN_NEW && base.instruction == made && !keeps(method, i, depth))
                return false;
        }
    }
    /* What was loaded and not seen again has gone a way that is not followed. */
    return uses >= loads;
}

bool collections_is_private(const struct instrument_method *method, struct origin origin)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    const struct origin base = collections_base(method, origin);
    if (base.kind != ORIGIN_NEW || bytecode->count > INSTRUCTIONS_MAX)
        return false;
    const struct instruction *made = &bytecode->instructions[base.instruction];
    if (made->opcode != OP_NEW)
        return false;
    /* The constructor of another class may give `this` away. */
    const struct collection_type *type =
        collections_type(class_name_at(bytecode->class_file, made->operand));
    if (!type || text_is(type->chain, "none"))
        return false;
    int32_t local = find_local(method, base.instruction);
    return local != SEVERAL_LOCALS && is_kept(method, base.instruction, local);
}
