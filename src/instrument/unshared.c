#include "instrument/unshared.h"

#include "classfile/descriptor.h"
#include "instrument/collections_internal.h"
#include "instrument/targets.h"
#include "instrument/ways.h"

struct unshared {
    uint32_t this_end; /* before this instruction nobody can know `this` */
    uint32_t *escapes; /* by instruction that is `new`: which gives its object away; NULL without */
    struct ways ways;  /* with `escapes` */
};

static bool is_this(const struct instrument_method *method, uint32_t instruction, unsigned depth)
{
    return origins_operand(&method->origins, instruction, depth).kind == ORIGIN_THIS;
}

static const struct instruction *at(const struct instrument_method *method, uint32_t number)
{
    return &method->edit->bytecode.instructions[number];
}

static struct member_reference reference_at(const struct instrument_method *method, uint32_t number)
{
    return class_member_reference(method->edit->bytecode.class_file, at(method, number)->operand);
}

static bool is_call(const struct instruction *instruction)
{
    return instruction->opcode >= OP_INVOKEVIRTUAL && instruction->opcode <= OP_INVOKEDYNAMIC;
}

static void lower(uint32_t *end, uint32_t instruction)
{
    if (instruction < *end)
        *end = instruction;
}

/* ---- this ---- */

/* Whether the class itself declares the method that is called. */
static bool is_own(const struct instrument_method *method, const struct member_reference *callee)
{
    const struct class_file *class_file = method->owner->editor->class_file;
    if (!text_equal(callee->owner, method->owner->name))
        return false;
    for (uint16_t i = 0; i < class_file->method_count; i++) {
        const struct member *own = &class_file->methods[i];
        if (text_equal(class_utf8(class_file, own->name), callee->name) &&
            text_equal(class_utf8(class_file, own->descriptor), callee->descriptor))
            return true;
    }
    return false;
}

/* Whether a call passes `this`, or is one on it of a method of another class. */
static bool call_gives_this_away(const struct instrument_method *method, uint32_t number)
{
    const uint8_t opcode = at(method, number)->opcode;
    const struct member_reference callee = reference_at(method, number);
    const unsigned slots = descriptor_parameter_slots(callee.descriptor);
    for (unsigned depth = 0; depth < slots; depth++)
        if (is_this(method, number, depth))
            return true;
    return opcode != OP_INVOKESTATIC && opcode != OP_INVOKEDYNAMIC &&
           is_this(method, number, slots) && !text_is(callee.name, "<init>") &&
           !is_own(method, &callee);
}

static bool gives_this_away(const struct instrument_method *method, uint32_t number)
{
    switch (at(method, number)->opcode) {
    case OP_PUTFIELD:
    case OP_PUTSTATIC:
    case OP_AASTORE:
    case OP_ATHROW:
        return is_this(method, number, 0);
    default:
        /* Another local may hold something else as well. */
        if (origins_stored_local(at(method, number)) >= 0)
            return is_this(method, number, 0);
        return is_call(at(method, number)) && call_gives_this_away(method, number);
    }
}

/* What stands before the instruction that gives `this` away may come behind it all the same, where
   that or a later one goes back. */
static void lower_to_targets(const struct bytecode *bytecode, uint32_t escape, uint32_t *end)
{
    for (uint32_t i = escape; i < bytecode->count; i++) {
        const uint32_t count = targets_count(bytecode, i);
        for (uint32_t j = 0; j < count; j++)
            lower(end, targets_at(bytecode, i, j));
    }
    for (uint32_t i = 0; i < bytecode->code->handler_count; i++)
        if (bytecode->handlers[i].end > escape)
            lower(end, bytecode->handlers[i].handler);
}

static void find_this_end(const struct instrument_method *method, struct unshared *unshared)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    uint32_t escape = 0;
    while (escape < bytecode->count && escape < method->origins.this_lost &&
           !gives_this_away(method, escape))
        escape++;
    unshared->this_end = escape;
    lower_to_targets(bytecode, escape, &unshared->this_end);
}

/* ---- objects that are made here ---- */

/* Whether the call only makes the object that is this operand, or uses it as the table says. */
static bool call_keeps(const struct instrument_method *method, uint32_t number, unsigned depth)
{
    const struct instruction *instruction = at(method, number);
    if (instruction->opcode == OP_INVOKEDYNAMIC)
        return false;
    const struct collection_target *target = collections_target(method->owner, instruction);
    if (target->has_receiver && depth == target->slots && !target->type)
        return text_is(target->callee.name, "<init>");
    return collections_call_keeps(method, number, depth);
}

/* Whether the instruction stores the only thing that the local ever holds. */
static bool is_only_store(const struct instrument_method *method, const struct unshared *unshared,
                          uint32_t number)
{
    const int32_t local = origins_stored_local(at(method, number));
    const unsigned parameters =
        descriptor_parameter_slots(method->descriptor) + (method->is_static ? 0 : 1);
    return local >= 0 && (unsigned)local >= parameters && unshared->ways.stores[local] == number;
}

/* Whether the instruction only uses the object, or keeps it in a local that holds nothing else. */
static bool keeps(const struct instrument_method *method, const struct unshared *unshared,
                  uint32_t number, unsigned depth)
{
    const struct instruction *instruction = at(method, number);
    switch (instruction->opcode) {
    case OP_PUTFIELD:
        return depth != 0;
    case OP_GETFIELD:
    case OP_MONITORENTER:
    case OP_MONITOREXIT:
        return true;
    default:
        return is_call(instruction) ? call_keeps(method, number, depth)
                                    : is_only_store(method, unshared, number);
    }
}

static void find_escapes(struct instrument_method *method, struct unshared *unshared)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    const uint32_t *first = method->origins.first;
    for (uint32_t i = 0; i < bytecode->count; i++)
        for (uint32_t depth = 0; depth < first[i + 1] - first[i]; depth++) {
            const struct origin base =
                collections_base(method, origins_operand(&method->origins, i, depth));
            if (base.kind == ORIGIN_NEW && base.instruction < i &&
                !keeps(method, unshared, i, depth))
                lower(&unshared->escapes[base.instruction], i);
        }
}

static bool find_made(struct instrument_method *method, struct unshared *unshared)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    uint32_t made = 0;
    while (made < bytecode->count && bytecode->instructions[made].opcode != OP_NEW)
        made++;
    if (made == bytecode->count)
        return true;
    unshared->escapes = ARENA_ARRAY(method->edit->arena, uint32_t, bytecode->count);
    if (!unshared->escapes || !ways_compute(&unshared->ways, &method->origins, method->edit->arena))
        return false;
    for (uint32_t i = 0; i < bytecode->count; i++)
        unshared->escapes[i] = origins_escape(&method->origins, i);
    find_escapes(method, unshared);
    return true;
}

/* ---- what is asked ---- */

bool unshared_is_wanted(const struct instrument_method *method)
{
    const struct instrument *instrument = method->owner->instrument;
    return instrument->recorded || instrument->sampled;
}

bool unshared_begin(struct instrument_method *method)
{
    if (!unshared_is_wanted(method))
        return true;
    struct unshared *unshared = ARENA_NEW(method->edit->arena, struct unshared);
    if (!unshared)
        return false;
    method->unshared = unshared;
    if (method->is_constructor)
        find_this_end(method, unshared);
    return find_made(method, unshared);
}

bool unshared_is(struct instrument_method *method, uint32_t number, struct origin object)
{
    struct unshared *unshared = method->unshared;
    if (!unshared)
        return false;
    const struct origin base = collections_base(method, object);
    switch (base.kind) {
    case ORIGIN_THIS:
        return number < unshared->this_end;
    case ORIGIN_NEW:
        return unshared->escapes && at(method, base.instruction)->opcode == OP_NEW &&
               ways_is_private_until(&unshared->ways, number, base,
                                     unshared->escapes[base.instruction]);
    default:
        return false;
    }
}
