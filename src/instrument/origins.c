#include "instrument/origins.h"

#include <string.h>

#include "classfile/descriptor.h"
#include "instrument/targets.h"
#include "rewrite/stack_effect.h"

/* What is on the way to be an origin. The locals that these name are looked up when all stores of
   the method are known; `constant` is the local's number. */
enum {
    VALUE_COPY = ORIGIN_NULL + 1, /* what the local holds */
    VALUE_ELEMENT,                /* an element of the array that it holds */
    FACT_NONE,                    /* of a local, in `facts`: no reference was stored yet */
};

/* What is known of a place in the code when it is reached. */
enum {
    PLACE_TARGET = 1, /* some branch leads here */
    PLACE_UNKNOWN = 2 /* a branch comes back to here, or it is a handler or subroutine: nothing */
};

/* Deepest part of the stack that is followed over branches; it is there when an expression holds
   `?:` or a switch. */
enum { MEETING_DEPTH = 16 };

/* A place that branches ahead have reached with something on the stack. */
struct meeting {
    uint32_t count;
    struct origin stack[MEETING_DEPTH]; /* the top first */
};

/* The rounds that are made to follow a local to the one it is a copy of, and so on. */
enum { COPY_LIMIT = 16 };

/* Most locals that are followed from place to place. */
enum { KNOWN_LOCALS = 64 };

struct tracer {
    struct origins *origins;
    const struct bytecode *bytecode;
    struct arena *arena;
    uint8_t *places;           /* by instruction */
    struct meeting **meetings; /* by instruction; NULL until there is one */
    struct origin *stack;      /* the known top part, bottom first */
    uint32_t depth, stack_limit;
    struct target_sources sources; /* handlers included */
    struct origin *locals;         /* of the known ones: what they hold here */
    uint32_t *stored_at; /* by local: where that was stored; INSTRUCTION_NONE: not known */
    uint32_t
        *stored_next; /* by instruction that stores a local: the next one that stores the same */
    uint16_t known[KNOWN_LOCALS];
    uint32_t known_count;
    bool subroutines;
    struct origin *facts; /* by local: what all stores agree on */
    uint32_t
        *lost;    /* by local: the first place where what it holds was lost; NULL without arrays */
    bool objects; /* what becomes of objects and of `this` is asked for */
    uint32_t local_count;
    uint32_t kept, kept_limit; /* in origins->operands */
};

static struct origin unknown_from(uint32_t instruction)
{
    return (struct origin){.kind = ORIGIN_UNKNOWN, .instruction = instruction};
}

/* Where it was loaded from does not matter. */
static bool same_value(const struct origin *a, const struct origin *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case ORIGIN_THIS:
    case ORIGIN_NULL:
        return true;
    case ORIGIN_NEW:
    case ORIGIN_RESULT:
        return a->instruction == b->instruction;
    case ORIGIN_FIELD:
    case ORIGIN_STATIC:
    case ORIGIN_ELEMENT:
    case VALUE_COPY:
    case VALUE_ELEMENT:
        return a->constant == b->constant;
    default:
        return false;
    }
}

static void lower(uint32_t *first, uint32_t instruction)
{
    if (instruction < *first)
        *first = instruction;
}

/* From this instruction on nothing more is known of where the value goes. */
static void lose(struct tracer *tracer, const struct origin *value, uint32_t instruction)
{
    if (!tracer->lost)
        return;
    if (value->kind == ORIGIN_NEW)
        lower(&tracer->origins->escapes[value->instruction], instruction);
    else if (value->kind == ORIGIN_THIS)
        lower(&tracer->origins->this_lost, instruction);
    else if (value->kind == VALUE_COPY)
        lower(&tracer->lost[value->constant], instruction);
}

/* All of the stack but the `kept` slots on its top. */
static void lose_below(struct tracer *tracer, uint32_t kept, uint32_t instruction)
{
    for (uint32_t i = kept; i < tracer->depth; i++)
        lose(tracer, &tracer->stack[tracer->depth - 1 - i], instruction);
}

/* ---- the stack ---- */

static void push(struct tracer *tracer, struct origin value)
{
    /* Only code that the verifier refuses grows so deep; then nothing is known of its stack. */
    if (tracer->depth == tracer->stack_limit)
        tracer->depth = 0;
    tracer->stack[tracer->depth++] = value;
}

static struct origin pop(struct tracer *tracer)
{
    return tracer->depth ? tracer->stack[--tracer->depth] : unknown_from(INSTRUCTION_NONE);
}

static void drop(struct tracer *tracer, unsigned slots)
{
    tracer->depth -= slots < tracer->depth ? slots : tracer->depth;
}

static void push_all(struct tracer *tracer, struct origin value, unsigned slots)
{
    for (unsigned i = 0; i < slots; i++)
        push(tracer, value);
}

/* dup and its kin: a copy of the `count` top slots goes below the `under` slots that follow. */
static void duplicate(struct tracer *tracer, unsigned count, unsigned under)
{
    struct origin taken[4];
    unsigned all = count + under;
    for (unsigned i = 0; i < all; i++)
        taken[i] = pop(tracer);
    for (unsigned i = count; i-- > 0;)
        push(tracer, taken[i]);
    for (unsigned i = all; i-- > 0;)
        push(tracer, taken[i]);
}

/* ---- locals ---- */

static struct origin load(const struct tracer *tracer, uint16_t slot, uint32_t instruction)
{
    struct origin value = {.kind = VALUE_COPY, .constant = slot, .instruction = instruction};
    if (slot < tracer->local_count && tracer->stored_at[slot] != INSTRUCTION_NONE)
        value = tracer->locals[slot];
    value.local = true;
    value.slot = slot;
    value.loaded = instruction;
    return value;
}

static void know(struct tracer *tracer, uint16_t slot, struct origin value, uint32_t instruction)
{
    if (tracer->stored_at[slot] == INSTRUCTION_NONE) {
        if (tracer->known_count == KNOWN_LOCALS)
            return;
        tracer->known[tracer->known_count++] = slot;
    }
    tracer->stored_at[slot] = instruction;
    tracer->locals[slot] = value;
}

/* Whether the local still holds what it was known to hold, at an instruction that is branched to:
   if all branches come from behind the store, and none comes back from behind another store. Code
   that jumps into the middle of loops could prove that wrong; nobody writes it. */
static bool is_kept_at(const struct tracer *tracer, uint16_t slot, uint32_t instruction)
{
    const uint32_t store = tracer->stored_at[slot];
    return tracer->sources.lowest[instruction] > store &&
           (!targets_is_loop(&tracer->sources, instruction) ||
            tracer->stored_next[store] > tracer->sources.highest[instruction]);
}

static void forget_locals(struct tracer *tracer, uint32_t instruction, bool all)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < tracer->known_count; i++) {
        const uint16_t slot = tracer->known[i];
        if (!all && is_kept_at(tracer, slot, instruction))
            tracer->known[count++] = slot;
        else
            tracer->stored_at[slot] = INSTRUCTION_NONE;
    }
    tracer->known_count = count;
}

static void store(struct tracer *tracer, uint16_t slot, struct origin value, uint32_t instruction)
{
    if (slot >= tracer->local_count)
        return;
    know(tracer, slot, value, instruction);
    struct origin *fact = &tracer->facts[slot];
    if (value.kind == ORIGIN_NULL)
        return;
    if (fact->kind == FACT_NONE)
        *fact = value;
    else if (!same_value(fact, &value))
        *fact = unknown_from(INSTRUCTION_NONE);
}

static struct origin element_of(struct origin array, uint32_t instruction)
{
    struct origin value = {.constant = array.constant, .instruction = instruction};
    switch (array.kind) {
    case ORIGIN_FIELD:
    case ORIGIN_STATIC:
    case ORIGIN_ELEMENT:
        value.kind = ORIGIN_ELEMENT;
        return value;
    case VALUE_COPY:
    case VALUE_ELEMENT:
        value.kind = VALUE_ELEMENT;
        return value;
    default:
        return unknown_from(instruction);
    }
}

/* What the local holds wherever it is loaded. */
static struct origin fact_of(const struct tracer *tracer, uint16_t slot)
{
    bool element = false;
    for (int i = 0; i < COPY_LIMIT && slot < tracer->local_count; i++) {
        struct origin fact = tracer->facts[slot];
        if (fact.kind == VALUE_COPY || fact.kind == VALUE_ELEMENT) {
            element |= fact.kind == VALUE_ELEMENT;
            slot = fact.constant;
            continue;
        }
        return element ? element_of(fact, fact.instruction) : fact;
    }
    return unknown_from(INSTRUCTION_NONE);
}

/* All stores are known now. */
static void settle(const struct tracer *tracer, struct origin *value)
{
    const struct origin before = *value;
    switch (before.kind) {
    case VALUE_COPY:
        *value = fact_of(tracer, before.constant);
        break;
    case VALUE_ELEMENT:
        *value = element_of(fact_of(tracer, before.constant), before.instruction);
        break;
    default:
        return;
    }
    if (value->kind > ORIGIN_NULL)
        value->kind = ORIGIN_UNKNOWN;
    if (value->kind == ORIGIN_UNKNOWN) {
        value->constant = 0;
        value->instruction = before.instruction;
    }
    value->local = before.local;
    value->slot = before.slot;
    value->loaded = before.loaded;
}

/* ---- instructions ---- */

bool origins_keeps(enum opcode opcode)
{
    switch (opcode) {
    case OP_GETFIELD:
    case OP_PUTFIELD:
    case OP_PUTSTATIC:
    case OP_INVOKEVIRTUAL:
    case OP_INVOKESPECIAL:
    case OP_INVOKESTATIC:
    case OP_INVOKEINTERFACE:
    case OP_INVOKEDYNAMIC:
    case OP_ARRAYLENGTH:
    case OP_MONITORENTER:
    case OP_MONITOREXIT:
    case OP_ARETURN:
    case OP_ATHROW:
    case OP_ASTORE:
        return true;
    default:
        return (opcode >= OP_IALOAD && opcode <= OP_SALOAD) ||
               (opcode >= OP_IASTORE && opcode <= OP_SASTORE) ||
               (opcode >= OP_ASTORE_0 && opcode <= OP_ASTORE_3);
    }
}

int32_t origins_stored_local(const struct instruction *instruction)
{
    if (instruction->opcode == OP_ASTORE)
        return instruction->operand;
    if (instruction->opcode >= OP_ASTORE_0 && instruction->opcode <= OP_ASTORE_3)
        return instruction->opcode - OP_ASTORE_0;
    return -1;
}

static bool grow_operands(struct tracer *tracer, uint32_t more)
{
    if (more <= tracer->kept_limit - tracer->kept)
        return true;
    uint32_t limit = 2 * tracer->kept_limit + more;
    struct origin *operands = ARENA_ARRAY(tracer->arena, struct origin, limit);
    if (!operands)
        return false;
    memcpy(operands, tracer->origins->operands, tracer->kept * sizeof *operands);
    tracer->origins->operands = operands;
    tracer->kept_limit = limit;
    return true;
}

static bool keep(struct tracer *tracer, unsigned slots)
{
    uint32_t count = slots < tracer->depth ? slots : tracer->depth;
    if (!grow_operands(tracer, count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        tracer->origins->operands[tracer->kept++] = tracer->stack[tracer->depth - 1 - i];
    return true;
}

static struct origin made(enum origin_kind kind, uint16_t constant, uint32_t instruction)
{
    return (struct origin){.kind = (uint8_t)kind, .constant = constant, .instruction = instruction};
}

static void execute(struct tracer *tracer, uint32_t number, struct stack_effect effect)
{
    const struct instruction *instruction = &tracer->bytecode->instructions[number];
    struct origin value;
    switch (instruction->opcode) {
    case OP_ALOAD:
        push(tracer, load(tracer, instruction->operand, number));
        return;
    case OP_ALOAD_0:
    case OP_ALOAD_1:
    case OP_ALOAD_2:
    case OP_ALOAD_3:
        push(tracer, load(tracer, (uint16_t)(instruction->opcode - OP_ALOAD_0), number));
        return;
    case OP_ASTORE:
    case OP_ASTORE_0:
    case OP_ASTORE_1:
    case OP_ASTORE_2:
    case OP_ASTORE_3:
        store(tracer, (uint16_t)origins_stored_local(instruction), pop(tracer), number);
        return;
    case OP_DUP:
        duplicate(tracer, 1, 0);
        return;
    case OP_DUP_X1:
        duplicate(tracer, 1, 1);
        return;
    case OP_DUP_X2:
        duplicate(tracer, 1, 2);
        return;
    case OP_DUP2:
        duplicate(tracer, 2, 0);
        return;
    case OP_DUP2_X1:
        duplicate(tracer, 2, 1);
        return;
    case OP_DUP2_X2:
        duplicate(tracer, 2, 2);
        return;
    case OP_SWAP: {
        struct origin top = pop(tracer);
        struct origin below = pop(tracer);
        push(tracer, top);
        push(tracer, below);
        return;
    }
    case OP_CHECKCAST:
        return;
    case OP_ACONST_NULL:
        value = (struct origin){.kind = ORIGIN_NULL, .instruction = number};
        break;
    case OP_AALOAD:
        pop(tracer);
        push(tracer, element_of(pop(tracer), number));
        return;
    case OP_GETFIELD:
        value = made(ORIGIN_FIELD, instruction->operand, number);
        break;
    case OP_GETSTATIC:
        value = made(ORIGIN_STATIC, instruction->operand, number);
        break;
    case OP_NEW:
    case OP_NEWARRAY:
    case OP_ANEWARRAY:
    case OP_MULTIANEWARRAY:
        value = made(ORIGIN_NEW, 0, number);
        break;
    case OP_INVOKEVIRTUAL:
    case OP_INVOKESPECIAL:
    case OP_INVOKESTATIC:
    case OP_INVOKEINTERFACE:
    case OP_INVOKEDYNAMIC:
        value = made(ORIGIN_RESULT, 0, number);
        break;
    default:
        value = unknown_from(number);
        break;
    }
    drop(tracer, effect.pops);
    push_all(tracer, value, effect.pushes);
}

/* ---- branches ---- */

static void mark_target(struct tracer *tracer, uint32_t target, bool unknown)
{
    if (target < tracer->bytecode->count)
        tracer->places[target] |= unknown ? PLACE_TARGET | PLACE_UNKNOWN : PLACE_TARGET;
}

static void mark_targets(struct tracer *tracer)
{
    const struct bytecode *bytecode = tracer->bytecode;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const bool call = opcode_infos[bytecode->instructions[i].opcode].flow == FLOW_CALL;
        tracer->subroutines |= call;
        const uint32_t count = targets_count(bytecode, i);
        for (uint32_t j = 0; j < count; j++) {
            uint32_t target = targets_at(bytecode, i, j);
            mark_target(tracer, target, call || target <= i);
        }
    }
    for (uint32_t i = 0; i < bytecode->code->handler_count; i++)
        mark_target(tracer, bytecode->handlers[i].handler, true);
}

/* Only what is the same on all ways stays known. */
static void meet(struct tracer *tracer, struct meeting *meeting, uint32_t instruction)
{
    for (uint32_t i = tracer->depth; i < meeting->count; i++)
        lose(tracer, &meeting->stack[i], instruction);
    if (meeting->count > tracer->depth)
        meeting->count = tracer->depth;
    lose_below(tracer, meeting->count, instruction);
    for (uint32_t i = 0; i < meeting->count; i++) {
        struct origin *kept = &meeting->stack[i];
        const struct origin *other = &tracer->stack[tracer->depth - 1 - i];
        bool same_place = kept->local == other->local && kept->slot == other->slot;
        if (kept->loaded != other->loaded)
            kept->loaded = INSTRUCTION_NONE;
        if (same_value(kept, other) && same_place)
            continue;
        lose(tracer, kept, instruction);
        lose(tracer, other, instruction);
        if (!same_value(kept, other))
            *kept = unknown_from(INSTRUCTION_NONE);
        kept->local = kept->local && same_place;
    }
}

/* A branch: the stack as it is goes to the target. */
static bool branch_to(struct tracer *tracer, uint32_t from, uint32_t target)
{
    uint32_t count = tracer->bytecode->count;
    if (target <= from || target >= count || tracer->places[target] & PLACE_UNKNOWN) {
        lose_below(tracer, 0, from);
        return true;
    }
    if (tracer->meetings && tracer->meetings[target]) {
        meet(tracer, tracer->meetings[target], from);
        return true;
    }
    /* Nothing on the stack is what is assumed where there is no meeting: it ends the knowledge of
       the ways that come later, too. */
    if (!tracer->depth) {
        tracer->places[target] |= PLACE_UNKNOWN;
        return true;
    }
    if (!tracer->meetings) {
        tracer->meetings = arena_allocate_zeroed(tracer->arena, count * sizeof *tracer->meetings,
                                                 alignof(struct meeting *));
        if (!tracer->meetings)
            return false;
    }
    struct meeting *meeting = ARENA_NEW(tracer->arena, struct meeting);
    if (!meeting)
        return false;
    meeting->count = tracer->depth < MEETING_DEPTH ? tracer->depth : MEETING_DEPTH;
    lose_below(tracer, meeting->count, from);
    for (uint32_t i = 0; i < meeting->count; i++)
        meeting->stack[i] = tracer->stack[tracer->depth - 1 - i];
    tracer->meetings[target] = meeting;
    return true;
}

static bool branch(struct tracer *tracer, uint32_t number)
{
    const uint32_t count = targets_count(tracer->bytecode, number);
    for (uint32_t i = 0; i < count; i++)
        if (!branch_to(tracer, number, targets_at(tracer->bytecode, number, i)))
            return false;
    return true;
}

/* `falls`: the instruction before goes on to this one. */
static void arrive(struct tracer *tracer, uint32_t number, bool falls)
{
    uint8_t place = tracer->places[number];
    if (falls && !place)
        return;
    forget_locals(tracer, number, tracer->subroutines || (!falls && !place));
    struct meeting *meeting =
        tracer->meetings && !(place & PLACE_UNKNOWN) ? tracer->meetings[number] : NULL;
    if (falls && meeting)
        meet(tracer, meeting, number);
    else if (falls)
        lose_below(tracer, 0, number);
    tracer->depth = 0;
    for (uint32_t i = meeting ? meeting->count : 0; i-- > 0;)
        push(tracer, meeting->stack[i]);
}

static bool trace(struct tracer *tracer)
{
    const struct bytecode *bytecode = tracer->bytecode;
    bool falls = false;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const struct instruction *instruction = &bytecode->instructions[i];
        arrive(tracer, i, falls);
        tracer->origins->first[i] = tracer->kept;
        struct stack_effect effect = stack_effect_of(bytecode->class_file, instruction);
        if (origins_keeps(instruction->opcode) && !keep(tracer, effect.pops))
            return false;
        execute(tracer, i, effect);
        enum opcode_flow flow = opcode_infos[instruction->opcode].flow;
        falls = flow == FLOW_NEXT || flow == FLOW_BRANCH;
        if (flow != FLOW_NEXT && !branch(tracer, i))
            return false;
    }
    tracer->origins->first[bytecode->count] = tracer->kept;
    return true;
}

/* ---- where arrays that are made here become known to others, or objects are lost ---- */

static bool makes_array(enum opcode opcode)
{
    return opcode == OP_NEWARRAY || opcode == OP_ANEWARRAY || opcode == OP_MULTIANEWARRAY;
}

static bool start_escapes(struct tracer *tracer)
{
    const struct bytecode *bytecode = tracer->bytecode;
    uint32_t i = 0;
    while (i < bytecode->count && !makes_array(bytecode->instructions[i].opcode))
        i++;
    if (i == bytecode->count && !tracer->objects)
        return true;
    uint32_t *escapes = ARENA_ARRAY(tracer->arena, uint32_t, bytecode->count);
    tracer->lost = ARENA_ARRAY(tracer->arena, uint32_t, tracer->local_count);
    tracer->origins->escapes = escapes;
    if (!escapes || !tracer->lost)
        return false;
    memset(escapes, 0xFF, bytecode->count * sizeof *escapes);
    memset(tracer->lost, 0xFF, tracer->local_count * sizeof *tracer->lost);
    return true;
}

static bool is_array_copy(const struct bytecode *bytecode, const struct instruction *instruction)
{
    struct member_reference method =
        class_member_reference(bytecode->class_file, instruction->operand);
    return text_is(method.owner, "java/lang/System") && text_is(method.name, "arraycopy");
}

/* Whether the operand at this depth becomes known to others. Stores to locals do not count here. */
static bool gives_away(const struct bytecode *bytecode, const struct instruction *instruction,
                       unsigned depth)
{
    switch (instruction->opcode) {
    case OP_AASTORE:
    case OP_PUTFIELD:
        return depth == 0;
    case OP_PUTSTATIC:
    case OP_ARETURN:
    case OP_ATHROW:
    case OP_INVOKEVIRTUAL:
    case OP_INVOKESPECIAL:
    case OP_INVOKEINTERFACE:
    case OP_INVOKEDYNAMIC:
        return true;
    case OP_INVOKESTATIC:
        return !is_array_copy(bytecode, instruction);
    default:
        return false;
    }
}

/* Looks at what an instruction does with arrays that were made here. */
static void note_use(const struct tracer *tracer, uint32_t number)
{
    const struct bytecode *bytecode = tracer->bytecode;
    const struct origins *origins = tracer->origins;
    const struct instruction *instruction = &bytecode->instructions[number];
    const uint32_t first = origins->first[number], end = origins->first[number + 1];
    for (uint32_t i = first; i < end; i++) {
        const struct origin *operand = &origins->operands[i];
        if (operand->kind != ORIGIN_NEW || operand->instruction >= number ||
            !makes_array(bytecode->instructions[operand->instruction].opcode))
            continue;
        const int32_t local = origins_stored_local(instruction);
        bool known = gives_away(bytecode, instruction, i - first);
        if (local >= 0) {
            struct origin fact = fact_of(tracer, (uint16_t)local);
            known = fact.kind != ORIGIN_NEW || fact.instruction != operand->instruction;
        }
        if (known)
            lower(&origins->escapes[operand->instruction], number);
    }
}

static void find_escapes(const struct tracer *tracer)
{
    for (uint32_t i = 0; i < tracer->bytecode->count; i++)
        note_use(tracer, i);
    for (uint32_t i = 0; i < tracer->local_count; i++) {
        struct origin fact = fact_of(tracer, (uint16_t)i);
        /* What was lost before it was made was one that was made before: that is too much to
           follow. */
        if (fact.kind == ORIGIN_NEW && tracer->lost[i] != INSTRUCTION_NONE)
            lower(&tracer->origins->escapes[fact.instruction],
                  tracer->lost[i] > fact.instruction ? tracer->lost[i] : fact.instruction);
        else if (fact.kind == ORIGIN_THIS)
            lower(&tracer->origins->this_lost, tracer->lost[i]);
    }
}

/* stored_at serves as the table of the stores that were seen, from the end on. */
static void find_next_stores(struct tracer *tracer)
{
    const struct bytecode *bytecode = tracer->bytecode;
    memset(tracer->stored_at, 0xFF, tracer->local_count * sizeof *tracer->stored_at);
    for (uint32_t i = bytecode->count; i-- > 0;) {
        const int32_t local = origins_stored_local(&bytecode->instructions[i]);
        if (local < 0 || (uint32_t)local >= tracer->local_count)
            continue;
        tracer->stored_next[i] = tracer->stored_at[local];
        tracer->stored_at[local] = i;
    }
    memset(tracer->stored_at, 0xFF, tracer->local_count * sizeof *tracer->stored_at);
}

static bool tracer_init(struct tracer *tracer, bool is_static)
{
    const struct bytecode *bytecode = tracer->bytecode;
    struct arena *arena = tracer->arena;
    tracer->stack_limit = (uint32_t)bytecode->code->max_stack + 8;
    tracer->local_count = bytecode->code->max_locals;
    tracer->kept_limit = bytecode->count + 8;
    tracer->stack = ARENA_ARRAY(arena, struct origin, tracer->stack_limit);
    tracer->places = arena_allocate_zeroed(arena, bytecode->count, 1);
    tracer->locals = ARENA_ARRAY(arena, struct origin, tracer->local_count);
    tracer->facts = ARENA_ARRAY(arena, struct origin, tracer->local_count);
    tracer->stored_at = ARENA_ARRAY(arena, uint32_t, tracer->local_count);
    tracer->stored_next = ARENA_ARRAY(arena, uint32_t, bytecode->count);
    tracer->origins->operands = ARENA_ARRAY(arena, struct origin, tracer->kept_limit);
    tracer->origins->first = ARENA_ARRAY(arena, uint32_t, (size_t)bytecode->count + 1);
    if (!tracer->stack || !tracer->places || !tracer->locals || !tracer->facts ||
        !tracer->stored_at || !tracer->stored_next || !tracer->origins->operands ||
        !tracer->origins->first)
        return false;
    struct text descriptor = class_utf8(bytecode->class_file, bytecode->method->descriptor);
    uint32_t parameters = descriptor_parameter_slots(descriptor) + (is_static ? 0 : 1);
    for (uint32_t i = 0; i < tracer->local_count; i++)
        tracer->facts[i] = (struct origin){.kind = i < parameters ? ORIGIN_UNKNOWN : FACT_NONE,
                                           .instruction = INSTRUCTION_NONE};
    if (!is_static && tracer->local_count)
        tracer->facts[0].kind = ORIGIN_THIS;
    return true;
}

bool origins_compute(struct origins *origins, const struct bytecode *bytecode, bool is_static,
                     bool objects, struct arena *arena)
{
    struct tracer tracer = {
        .origins = origins, .bytecode = bytecode, .arena = arena, .objects = objects};
    *origins = (struct origins){.bytecode = bytecode, .this_lost = INSTRUCTION_NONE};
    if (!tracer_init(&tracer, is_static))
        return false;
    if (!targets_find_sources(&tracer.sources, bytecode, arena))
        return false;
    targets_add_handlers(&tracer.sources, bytecode);
    mark_targets(&tracer);
    find_next_stores(&tracer);
    if (!start_escapes(&tracer) || !trace(&tracer))
        return false;
    for (uint32_t i = 0; i < tracer.kept; i++)
        settle(&tracer, &origins->operands[i]);
    if (tracer.lost)
        find_escapes(&tracer);
    return true;
}

uint32_t origins_escape(const struct origins *origins, uint32_t maker)
{
    return origins->escapes && maker < origins->bytecode->count ? origins->escapes[maker]
                                                                : INSTRUCTION_NONE;
}

struct origin origins_operand(const struct origins *origins, uint32_t instruction, unsigned depth)
{
    if (instruction >= origins->bytecode->count)
        return unknown_from(INSTRUCTION_NONE);
    uint32_t first = origins->first[instruction];
    if (depth >= origins->first[instruction + 1] - first)
        return unknown_from(INSTRUCTION_NONE);
    return origins->operands[first + depth];
}
