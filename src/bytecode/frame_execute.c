#include <string.h>

#include "bytecode/frames.h"
#include "classfile/descriptor.h"

/* One instruction at work. Its functions return false after they have set the problem. */
struct execution {
    struct frame *frame;
    struct type_table *table;
    const struct class_file *class_file;
    const struct instruction *instruction;
    struct problem *problem;
    uint32_t number;
    uint16_t stack_limit;
};

static const char *name_of(const struct execution *execution)
{
    return opcode_infos[execution->instruction->opcode].name;
}

static bool fail(struct execution *execution, const char *reason)
{
    problem_set(execution->problem, PROBLEM_NO_OFFSET, "%s: %s", name_of(execution), reason);
    return false;
}

static bool is_reference(frame_type type)
{
    const unsigned tag = frame_type_tag(type);
    return tag >= VERIFICATION_NULL && tag <= VERIFICATION_UNINITIALIZED;
}

static bool is_wide(frame_type type)
{
    return type == FRAME_LONG || type == FRAME_DOUBLE;
}

/* ---- the operand stack ---- */

static bool push(struct execution *execution, frame_type type)
{
    struct frame *frame = execution->frame;
    const unsigned places = is_wide(type) ? 2 : 1;
    if (frame->stack_count + places > execution->stack_limit)
        return fail(execution, "the operand stack overflows");
    frame->stack[frame->stack_count++] = type;
    if (places == 2)
        frame->stack[frame->stack_count++] = FRAME_TOP;
    return true;
}

/* An object type that could not be made is FRAME_TOP. */
static bool push_made(struct execution *execution, frame_type type)
{
    if (type == FRAME_TOP)
        return fail(execution, "out of memory");
    return push(execution, type);
}

/* The places of the top `count`, bottom first; they stay on the stack. NULL if there are not so
 * many. */
static frame_type *top_places(struct execution *execution, unsigned count)
{
    struct frame *frame = execution->frame;
    if (count > frame->stack_count) {
        fail(execution, "the operand stack underflows");
        return NULL;
    }
    return frame->stack + frame->stack_count - count;
}

static bool is_kind(frame_type type, char kind)
{
    switch (kind) {
    case 'Z':
    case 'B':
    case 'C':
    case 'S':
    case 'I':
        return type == FRAME_INTEGER;
    case 'J':
        return type == FRAME_LONG;
    case 'F':
        return type == FRAME_FLOAT;
    case 'D':
        return type == FRAME_DOUBLE;
    case 'R':
        return frame_type_tag(type) == TYPE_RETURN_ADDRESS;
    default: /* A, L, [ */
        return is_reference(type);
    }
}

static bool fail_kind(struct execution *execution, char kind)
{
    const char *reason;
    switch (kind) {
    case 'J':
        reason = "an operand is not a long";
        break;
    case 'F':
        reason = "an operand is not a float";
        break;
    case 'D':
        reason = "an operand is not a double";
        break;
    case 'A':
    case 'L':
    case '[':
        reason = "an operand is not a reference";
        break;
    case 'R':
        reason = "an operand is not a return address";
        break;
    default:
        reason = "an operand is not an int";
        break;
    }
    return fail(execution, reason);
}

static unsigned places_of_kind(char kind)
{
    return kind == 'J' || kind == 'D' ? 2 : 1;
}

static bool pop(struct execution *execution, char kind)
{
    const unsigned places = places_of_kind(kind);
    frame_type *value = top_places(execution, places);
    if (!value)
        return false;
    if (!is_kind(*value, kind))
        return fail_kind(execution, kind);
    execution->frame->stack_count = (uint16_t)(execution->frame->stack_count - places);
    return true;
}

/* Pops a reference to an initialised object, or null. */
static bool pop_object(struct execution *execution, frame_type *object)
{
    frame_type *value = top_places(execution, 1);
    if (!value)
        return false;
    if (frame_type_tag(*value) != VERIFICATION_OBJECT && *value != FRAME_NULL)
        return fail(execution, "an operand is not an initialised object");
    *object = *value;
    execution->frame->stack_count--;
    return true;
}

static frame_type type_of_kind(char kind)
{
    switch (kind) {
    case 'J':
        return FRAME_LONG;
    case 'F':
        return FRAME_FLOAT;
    case 'D':
        return FRAME_DOUBLE;
    default:
        return FRAME_INTEGER;
    }
}

/* What the opcode table says. */
static bool execute_simply(struct execution *execution)
{
    const struct opcode_info *info = &opcode_infos[execution->instruction->opcode];
    for (size_t i = strlen(info->pops); i > 0; i--) {
        if (!pop(execution, info->pops[i - 1]))
            return false;
    }
    for (const char *kind = info->pushes; *kind; kind++) {
        if (!push(execution, type_of_kind(*kind)))
            return false;
    }
    return true;
}

/* pop, swap, dup and their kin copy places. All that can go wrong, besides the room, is to cut a
   long or double in two: the lowest place of each group they handle must not be the second half of
   one. */
static bool is_cut(const frame_type *group)
{
    return *group == FRAME_TOP;
}

static bool remove_group(struct execution *execution, unsigned size)
{
    frame_type *group = top_places(execution, size);
    if (!group)
        return false;
    if (is_cut(group))
        return fail(execution, "half of a long or double, or nothing that can be used");
    execution->frame->stack_count = (uint16_t)(execution->frame->stack_count - size);
    return true;
}

/* Puts a copy of the top `size` places below the `below` places under them. */
static bool duplicate(struct execution *execution, unsigned size, unsigned below)
{
    struct frame *frame = execution->frame;
    frame_type *base = top_places(execution, size + below);
    if (!base)
        return false;
    if (is_cut(base + below) || (below > 0 && is_cut(base)))
        return fail(execution, "half of a long or double, or nothing that can be used");
    if (frame->stack_count + size > execution->stack_limit)
        return fail(execution, "the operand stack overflows");
    memmove(base + size, base, (size + below) * sizeof *base);
    memcpy(base, base + size + below, size * sizeof *base);
    frame->stack_count = (uint16_t)(frame->stack_count + size);
    return true;
}

static bool swap(struct execution *execution)
{
    frame_type *base = top_places(execution, 2);
    if (!base)
        return false;
    if (is_cut(base) || is_cut(base + 1))
        return fail(execution, "half of a long or double, or nothing that can be used");
    const frame_type lower = base[0];
    base[0] = base[1];
    base[1] = lower;
    return true;
}

/* ---- locals ---- */

static const char local_kinds[] = "IJFDA";

static bool check_local(struct execution *execution, unsigned local, unsigned places)
{
    if (local + places <= execution->frame->local_count)
        return true;
    return fail(execution, "no such local variable");
}

static bool load(struct execution *execution, char kind, unsigned local)
{
    if (!check_local(execution, local, places_of_kind(kind)))
        return false;
    const frame_type type = execution->frame->locals[local];
    if (!is_kind(type, kind))
        return fail(execution, "the local variable holds something else");
    return push(execution, type);
}

/* A store into one half of a long or double makes an end of its other half: the second half is no
   value anyway, the first one must not stay behind. */
static void set_local(struct frame *frame, unsigned local, frame_type type)
{
    if (local > 0 && is_wide(frame->locals[local - 1]))
        frame->locals[local - 1] = FRAME_TOP;
    frame->locals[local] = type;
    if (is_wide(type))
        frame->locals[local + 1] = FRAME_TOP;
}

static bool store(struct execution *execution, char kind, unsigned local)
{
    const unsigned places = places_of_kind(kind);
    if (!check_local(execution, local, places))
        return false;
    frame_type *value = top_places(execution, places);
    if (!value)
        return false;
    const bool address = kind == 'A' && frame_type_tag(*value) == TYPE_RETURN_ADDRESS;
    if (!address && !is_kind(*value, kind))
        return fail_kind(execution, kind);
    execution->frame->stack_count = (uint16_t)(execution->frame->stack_count - places);
    set_local(execution->frame, local, *value);
    return true;
}

static bool check_local_kind(struct execution *execution, char kind)
{
    const unsigned local = execution->instruction->operand;
    if (!check_local(execution, local, 1))
        return false;
    if (!is_kind(execution->frame->locals[local], kind))
        return fail(execution, "the local variable holds something else");
    return true;
}

/* ---- fields, calls, constants ---- */

static bool execute_field(struct execution *execution, bool put, bool of_object)
{
    const struct member_reference field =
        class_member_reference(execution->class_file, execution->instruction->operand);
    if (put && !pop(execution, field.descriptor.bytes[0]))
        return false;
    if (of_object) {
        /* A constructor may write fields of its class before it calls super(). */
        frame_type *object = top_places(execution, 1);
        if (put && object && *object == FRAME_UNINITIALIZED_THIS)
            execution->frame->stack_count--;
        else if (!object || !pop_object(execution, &(frame_type){0}))
            return false;
    }
    return put || push_made(execution, type_table_descriptor(execution->table, field.descriptor));
}

static bool pop_arguments(struct execution *execution, struct text descriptor)
{
    const unsigned places = descriptor_parameter_slots(descriptor);
    const frame_type *argument = top_places(execution, places);
    if (!argument)
        return false;
    size_t position = 1;
    struct text parameter;
    while (descriptor_next_parameter(descriptor, &position, &parameter)) {
        if (!is_kind(*argument, parameter.bytes[0]))
            return fail_kind(execution, parameter.bytes[0]);
        argument += places_of_kind(parameter.bytes[0]);
    }
    execution->frame->stack_count = (uint16_t)(execution->frame->stack_count - places);
    return true;
}

static void replace_all(struct frame *frame, frame_type old, frame_type new)
{
    for (unsigned i = 0; i < frame->local_count; i++) {
        if (frame->locals[i] == old)
            frame->locals[i] = new;
    }
    for (unsigned i = 0; i < frame->stack_count; i++) {
        if (frame->stack[i] == old)
            frame->stack[i] = new;
    }
}

/* After <init> every copy of the object is initialised. */
static bool execute_initialiser(struct execution *execution, struct text owner)
{
    const frame_type *object = top_places(execution, 1);
    if (!object)
        return false;
    const frame_type old = *object;
    struct text class = owner;
    if (old == FRAME_UNINITIALIZED_THIS)
        class = class_this_name(execution->class_file);
    else if (frame_type_tag(old) != VERIFICATION_UNINITIALIZED)
        return fail(execution, "<init> of an object that is not fresh");
    const frame_type new = type_table_object(execution->table, class);
    if (new == FRAME_TOP)
        return fail(execution, "out of memory");
    execution->frame->stack_count--;
    replace_all(execution->frame, old, new);
    return true;
}

static bool execute_call(struct execution *execution)
{
    const uint8_t opcode = execution->instruction->opcode;
    const struct member_reference method =
        class_member_reference(execution->class_file, execution->instruction->operand);
    if (!pop_arguments(execution, method.descriptor))
        return false;
    if (opcode == OP_INVOKESPECIAL && text_equal(method.name, TEXT("<init>")))
        return execute_initialiser(execution, method.owner);
    const bool has_object = opcode != OP_INVOKESTATIC && opcode != OP_INVOKEDYNAMIC;
    if (has_object && !pop_object(execution, &(frame_type){0}))
        return false;
    const struct text result = descriptor_return(method.descriptor);
    if (result.bytes[0] == 'V')
        return true;
    return push_made(execution, type_table_descriptor(execution->table, result));
}

static bool execute_constant(struct execution *execution)
{
    const uint16_t index = execution->instruction->operand;
    struct type_table *table = execution->table;
    switch (execution->class_file->constants[index].tag) {
    case CONSTANT_INTEGER:
        return push(execution, FRAME_INTEGER);
    case CONSTANT_FLOAT:
        return push(execution, FRAME_FLOAT);
    case CONSTANT_LONG:
        return push(execution, FRAME_LONG);
    case CONSTANT_DOUBLE:
        return push(execution, FRAME_DOUBLE);
    case CONSTANT_STRING:
        return push_made(execution, type_table_object(table, TEXT("java/lang/String")));
    case CONSTANT_CLASS:
        return push_made(execution, type_table_object(table, TEXT("java/lang/Class")));
    case CONSTANT_METHOD_TYPE:
        return push_made(execution, type_table_object(table, TEXT("java/lang/invoke/MethodType")));
    case CONSTANT_METHOD_HANDLE:
        return push_made(execution,
                         type_table_object(table, TEXT("java/lang/invoke/MethodHandle")));
    case CONSTANT_DYNAMIC:
        return push_made(
            execution, type_table_descriptor(
                           table, class_member_reference(execution->class_file, index).descriptor));
    default:
        return fail(execution, "a constant that cannot be loaded");
    }
}

/* ---- objects and arrays ---- */

/* In a loop the object of the last round may still lie around: it is no longer told from the new
   one, so it cannot be used (JVMS 4.10.1.9, new). */
static bool execute_new(struct execution *execution)
{
    struct frame *frame = execution->frame;
    const frame_type fresh = frame_type_make(VERIFICATION_UNINITIALIZED, execution->number);
    for (unsigned i = 0; i < frame->stack_count; i++) {
        if (frame->stack[i] == fresh)
            return fail(execution,
                        "an uninitialized object of the same instruction is on the stack");
    }
    for (unsigned i = 0; i < frame->local_count; i++) {
        if (frame->locals[i] == fresh)
            frame->locals[i] = FRAME_TOP;
    }
    return push(execution, fresh);
}

static bool execute_newarray(struct execution *execution)
{
    static const char names[8][2] = {{'[', 'Z'}, {'[', 'C'}, {'[', 'F'}, {'[', 'D'},
                                     {'[', 'B'}, {'[', 'S'}, {'[', 'I'}, {'[', 'J'}};
    const unsigned type = execution->instruction->operand;
    if (type < 4 || type > 11)
        return fail(execution, "no such element type");
    if (!pop(execution, 'I'))
        return false;
    return push_made(execution, type_table_object(execution->table, text_of(names[type - 4], 2)));
}

static bool execute_anewarray(struct execution *execution)
{
    if (!pop(execution, 'I'))
        return false;
    const frame_type element = type_table_object(
        execution->table, class_name_at(execution->class_file, execution->instruction->operand));
    if (element == FRAME_TOP)
        return fail(execution, "out of memory");
    return push_made(execution, type_table_array(execution->table, element));
}

static bool execute_multianewarray(struct execution *execution)
{
    for (int i = 0; i < execution->instruction->immediate; i++) {
        if (!pop(execution, 'I'))
            return false;
    }
    return push_made(execution, type_table_object(execution->table,
                                                  class_name_at(execution->class_file,
                                                                execution->instruction->operand)));
}

static bool execute_aaload(struct execution *execution)
{
    frame_type array = FRAME_TOP;
    if (!pop(execution, 'I') || !pop_object(execution, &array))
        return false;
    if (array == FRAME_NULL)
        return push(execution, FRAME_NULL);
    const struct text name = type_table_name(execution->table, array);
    if (name.length < 2 || name.bytes[0] != '[' || (name.bytes[1] != 'L' && name.bytes[1] != '['))
        return fail(execution, "not an array of references");
    return push_made(execution,
                     type_table_descriptor(execution->table, text_slice(name, 1, name.length)));
}

static bool execute_checkcast(struct execution *execution)
{
    frame_type object;
    if (!pop_object(execution, &object))
        return false;
    return push_made(execution, type_table_object(execution->table,
                                                  class_name_at(execution->class_file,
                                                                execution->instruction->operand)));
}

/* ---- all together ---- */

/* Loads and stores, with the local in the operand or in the opcode; they come by type, I J F D A.
 */
static bool execute_local(struct execution *execution)
{
    const uint8_t opcode = execution->instruction->opcode;
    const unsigned operand = execution->instruction->operand;
    if (opcode >= OP_ILOAD && opcode <= OP_ALOAD)
        return load(execution, local_kinds[opcode - OP_ILOAD], operand);
    if (opcode >= OP_ILOAD_0 && opcode <= OP_ALOAD_3)
        return load(execution, local_kinds[(opcode - OP_ILOAD_0) / 4], (opcode - OP_ILOAD_0) % 4u);
    if (opcode >= OP_ISTORE && opcode <= OP_ASTORE)
        return store(execution, local_kinds[opcode - OP_ISTORE], operand);
    return store(execution, local_kinds[(opcode - OP_ISTORE_0) / 4], (opcode - OP_ISTORE_0) % 4u);
}

static bool execute_on_stack(struct execution *execution)
{
    switch (execution->instruction->opcode) {
    case OP_POP:
        return remove_group(execution, 1);
    case OP_POP2:
        return remove_group(execution, 2);
    case OP_DUP:
        return duplicate(execution, 1, 0);
    case OP_DUP_X1:
        return duplicate(execution, 1, 1);
    case OP_DUP_X2:
        return duplicate(execution, 1, 2);
    case OP_DUP2:
        return duplicate(execution, 2, 0);
    case OP_DUP2_X1:
        return duplicate(execution, 2, 1);
    case OP_DUP2_X2:
        return duplicate(execution, 2, 2);
    default:
        return swap(execution);
    }
}

static bool execute_other(struct execution *execution)
{
    const struct instruction *instruction = execution->instruction;
    switch (instruction->opcode) {
    case OP_ACONST_NULL:
        return push(execution, FRAME_NULL);
    case OP_LDC:
    case OP_LDC_W:
    case OP_LDC2_W:
        return execute_constant(execution);
    case OP_AALOAD:
        return execute_aaload(execution);
    case OP_IINC:
        return check_local_kind(execution, 'I');
    case OP_JSR:
    case OP_JSR_W:
        return push(execution, frame_type_make(TYPE_RETURN_ADDRESS, instruction->target));
    case OP_RET:
        return check_local_kind(execution, 'R');
    case OP_GETSTATIC:
        return execute_field(execution, false, false);
    case OP_PUTSTATIC:
        return execute_field(execution, true, false);
    case OP_GETFIELD:
        return execute_field(execution, false, true);
    case OP_PUTFIELD:
        return execute_field(execution, true, true);
    case OP_INVOKEVIRTUAL:
    case OP_INVOKESPECIAL:
    case OP_INVOKESTATIC:
    case OP_INVOKEINTERFACE:
    case OP_INVOKEDYNAMIC:
        return execute_call(execution);
    case OP_NEW:
        return execute_new(execution);
    case OP_NEWARRAY:
        return execute_newarray(execution);
    case OP_ANEWARRAY:
        return execute_anewarray(execution);
    case OP_CHECKCAST:
        return execute_checkcast(execution);
    case OP_MULTIANEWARRAY:
        return execute_multianewarray(execution);
    default:
        return execute_simply(execution);
    }
}

bool frame_execute(struct frame *frame, struct type_table *table,
                   const struct class_file *class_file, const struct instruction *instruction,
                   uint32_t number, uint16_t stack_limit, struct problem *problem)
{
    struct execution execution = {.frame = frame,
                                  .table = table,
                                  .class_file = class_file,
                                  .instruction = instruction,
                                  .problem = problem,
                                  .number = number,
                                  .stack_limit = stack_limit};
    const uint8_t opcode = instruction->opcode;
    if (opcode >= OPCODE_COUNT || opcode == OP_WIDE) {
        problem_set(problem, PROBLEM_NO_OFFSET, "opcode %u cannot be executed", opcode);
        return false;
    }
    if ((opcode >= OP_ILOAD && opcode <= OP_ALOAD_3) ||
        (opcode >= OP_ISTORE && opcode <= OP_ASTORE_3))
        return execute_local(&execution);
    if (opcode >= OP_POP && opcode <= OP_SWAP)
        return execute_on_stack(&execution);
    return execute_other(&execution);
}
