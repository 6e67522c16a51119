/*
 * Objects that never leave the method that makes them: a StringBuilder for a message, a list that
 * is filled and gone through. They need no checks; and checks would keep the JIT from putting them
 * on the stack, and from making one string of a chain of appends.
 *
 * An object stays when all that is done with it is to call methods of the table on it, or to give
 * it to methods that only read or write it there; and to keep it in one local.
 *
 * One pass over the method finds out about all of them. What is done with an object is noted with
 * the `new` that makes it; what becomes of a local that holds one, with the local.
 */
#include "classfile/descriptor.h"
#include "instrument/collections_internal.h"
#include "instrument/instrument_internal.h"
#include "rewrite/code_image.h"

enum { NO_LOCAL = -1, SEVERAL_LOCALS = -2 };

struct made {
    int32_t local;   /* that it is stored into */
    bool given_away; /* some use of it does not keep it here */
};

struct held {
    uint32_t loads;
    uint32_t uses; /* of what was loaded: fewer, if some went a way that is not followed */
    bool unclear;  /* what was loaded may be anything */
};

struct private_objects {
    struct made *made; /* by instruction; of those that are `new` */
    struct held *held; /* by local */
    bool unclear;      /* something is given away, and was not followed to what it is */
};

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

bool collections_call_keeps(const struct instrument_method *method, uint32_t instruction,
                            uint32_t depth)
{
    const struct instruction *call = &method->edit->bytecode.instructions[instruction];
    if (call->opcode == OP_INVOKEDYNAMIC)
        return false;
    const struct collection_target *target = collections_target(method->owner, call);
    uint32_t below = target->slots;
    if (target->has_receiver && depth == below)
        return text_is(target->callee.name, "<init>") || target->call.effect != COLLECTION_UNKNOWN;
    size_t position = 1;
    struct text parameter;
    for (unsigned i = 0;
         descriptor_next_parameter(target->callee.descriptor, &position, &parameter); i++) {
        below -= descriptor_slots(parameter);
        if (below == depth)
            return target->type &&
                   collections_argument(target->type, target->callee.name,
                                        target->callee.descriptor, i) != COLLECTION_UNKNOWN;
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
        return collections_call_keeps(method, instruction, depth);
    default:
        return is_store(&method->edit->bytecode.instructions[instruction]);
    }
}

/* ---- the pass ---- */

static void note_local(struct made *made, int32_t local)
{
    made->local = made->local == NO_LOCAL || made->local == local ? local : SEVERAL_LOCALS;
}

/* Whether it was followed to where it comes from. */
static bool is_base(const struct instrument_method *method, struct origin origin)
{
    return origin.kind != ORIGIN_RESULT ||
           collections_base(method, origin).instruction == origin.instruction;
}

static void note_operand(const struct instrument_method *method, uint32_t instruction,
                         uint32_t depth)
{
    struct private_objects *privates = method->privates;
    const struct instruction *code = &method->edit->bytecode.instructions[instruction];
    const struct origin operand = origins_operand(&method->origins, instruction, depth);
    if (operand.local) {
        struct held *held = &privates->held[operand.slot];
        held->uses++;
        held->unclear |= operand.kind == ORIGIN_UNKNOWN;
    }
    if (operand.kind == ORIGIN_NEW && is_store(code))
        note_local(&privates->made[operand.instruction], local_of(code));
    const struct origin base = collections_base(method, operand);
    if (base.kind == ORIGIN_NEW)
        privates->made[base.instruction].given_away |= !keeps(method, instruction, depth);
    else if (!is_base(method, base))
        privates->unclear |= !keeps(method, instruction, depth);
}

static void note_uses(const struct instrument_method *method)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    const uint32_t *first = method->origins.first;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        if (is_load(&bytecode->instructions[i]))
            method->privates->held[local_of(&bytecode->instructions[i])].loads++;
        for (uint32_t depth = 0; depth < first[i + 1] - first[i]; depth++)
            note_operand(method, i, depth);
    }
}

/* False if memory ran out. */
static bool find_objects(struct instrument_method *method)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    struct arena *arena = method->edit->arena;
    struct private_objects *privates = ARENA_NEW(arena, struct private_objects);
    if (!privates)
        return false;
    privates->made = ARENA_ARRAY(arena, struct made, bytecode->count);
    privates->held = arena_allocate_zeroed(
        arena, bytecode->code->max_locals * sizeof *privates->held, alignof(struct held));
    if (!privates->made || !privates->held)
        return false;
    for (uint32_t i = 0; i < bytecode->count; i++)
        privates->made[i] = (struct made){.local = NO_LOCAL};
    method->privates = privates;
    note_uses(method);
    return true;
}

static bool is_kept(const struct private_objects *privates, uint32_t instruction)
{
    const struct made *made = &privates->made[instruction];
    if (privates->unclear || made->given_away || made->local == SEVERAL_LOCALS)
        return false;
    if (made->local == NO_LOCAL)
        return true;
    const struct held *held = &privates->held[made->local];
    return !held->unclear && held->uses >= held->loads;
}

bool collections_is_private(struct instrument_method *method, struct origin origin)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    const struct origin base = collections_base(method, origin);
    if (base.kind != ORIGIN_NEW)
        return false;
    const struct instruction *made = &bytecode->instructions[base.instruction];
    if (made->opcode != OP_NEW)
        return false;
    /* The constructor of another class may give `this` away. */
    const struct collection_type *type =
        collections_type(class_name_at(bytecode->class_file, made->operand));
    if (!type || text_is(type->chain, "none"))
        return false;
    if (!method->privates && !find_objects(method)) {
        method->owner->failed = true;
        return false;
    }
    return is_kept(method->privates, base.instruction);
}
