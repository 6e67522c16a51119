#include "program/constructor_flow.h"

#include <string.h>

#include "bytecode/decode.h"
#include "bytecode/flow.h"
#include "classfile/descriptor.h"
#include "program/resolve.h"

/* A larger method is given up: a hostile one could take gigabytes or hours. Work is bytes of states
   looked at; the largest constructors that compilers make need less than a hundredth. */
#define MOST_STATE_BYTES ((size_t)64 << 20)
enum { MOST_PASSES = 100, MOST_WORK = 1 << 27 };

/* What is known of a place. */
enum place { PLACE_OTHER, PLACE_THIS, PLACE_MAYBE_THIS };

struct state {
    uint8_t *places; /* locals, then stack */
    uint64_t *maybe; /* fields assigned on some path */
    uint64_t *surely;
    uint32_t stack_count;
    bool reached;
    bool revealed;
};

struct run {
    struct constructor_flow *flow;
    struct bytecode bytecode;
    struct flow blocks;
    const struct program_class *class;
    uint32_t local_count, stack_limit;
    uint32_t words;   /* of a set of fields */
    struct state *at; /* by block */
    struct state now;
    uint64_t work; /* so far, see MOST_WORK */
    bool changed;  /* some block's state */
    bool bad;
};

/* ---- states ---- */

static bool make_state(struct run *run, struct state *state)
{
    size_t places = (size_t)run->local_count + run->stack_limit;
    *state = (struct state){0};
    state->places = ARENA_ARRAY(run->flow->scratch, uint8_t, places);
    state->maybe = ARENA_ARRAY(run->flow->scratch, uint64_t, run->words);
    state->surely = ARENA_ARRAY(run->flow->scratch, uint64_t, run->words);
    if (!state->places || !state->maybe || !state->surely)
        return false;
    memset(state->places, 0, places);
    memset(state->maybe, 0, run->words * sizeof *state->maybe);
    memset(state->surely, 0, run->words * sizeof *state->surely);
    return true;
}

/* Goes bad when that is more than anybody waits for. */
static void count_work(struct run *run, size_t amount)
{
    run->work += amount;
    run->bad |= run->work > MOST_WORK;
}

static size_t state_size(const struct run *run, const struct state *state)
{
    return (size_t)run->local_count + state->stack_count + 2 * run->words * sizeof *state->maybe;
}

static void copy_state(struct run *run, struct state *to, const struct state *from)
{
    count_work(run, state_size(run, from));
    memcpy(to->places, from->places, (size_t)run->local_count + from->stack_count);
    memcpy(to->maybe, from->maybe, run->words * sizeof *to->maybe);
    memcpy(to->surely, from->surely, run->words * sizeof *to->surely);
    to->stack_count = from->stack_count;
    to->reached = from->reached;
    to->revealed = from->revealed;
}

/* `to` becomes what holds on either way; notes a change. */
static void join_state(struct run *run, struct state *to, const struct state *from)
{
    if (!to->reached) {
        copy_state(run, to, from);
        run->changed = true;
        return;
    }
    count_work(run, state_size(run, from));
    if (to->stack_count != from->stack_count) {
        run->bad = true;
        return;
    }
    for (size_t i = 0; i < (size_t)run->local_count + to->stack_count; i++)
        if (to->places[i] != from->places[i] && to->places[i] != PLACE_MAYBE_THIS) {
            to->places[i] = PLACE_MAYBE_THIS;
            run->changed = true;
        }
    for (uint32_t i = 0; i < run->words; i++) {
        uint64_t maybe = to->maybe[i] | from->maybe[i];
        uint64_t surely = to->surely[i] & from->surely[i];
        run->changed |= maybe != to->maybe[i] || surely != to->surely[i];
        to->maybe[i] = maybe;
        to->surely[i] = surely;
    }
    run->changed |= from->revealed && !to->revealed;
    to->revealed |= from->revealed;
}

/* What holds now also holds at the start of the handlers, with one exception on the stack. */
static void join_handlers(struct run *run, const struct block *block)
{
    if (!block->handler_count)
        return;
    if (run->stack_limit == 0) {
        run->bad = true;
        return;
    }
    uint32_t stack_count = run->now.stack_count;
    uint8_t bottom = run->now.places[run->local_count];
    run->now.stack_count = 1;
    run->now.places[run->local_count] = PLACE_OTHER;
    for (uint32_t i = 0; i < block->handler_count && !run->bad; i++)
        join_state(run, &run->at[block->handlers[i]], &run->now);
    run->now.stack_count = stack_count;
    run->now.places[run->local_count] = bottom;
}

/* ---- the stack ---- */

static void push(struct run *run, uint8_t place)
{
    if (run->now.stack_count >= run->stack_limit)
        run->bad = true;
    else
        run->now.places[run->local_count + run->now.stack_count++] = place;
}

static void push_other(struct run *run, unsigned slots)
{
    while (slots-- > 0)
        push(run, PLACE_OTHER);
}

static uint8_t pop(struct run *run)
{
    if (run->now.stack_count == 0) {
        run->bad = true;
        return PLACE_OTHER;
    }
    return run->now.places[run->local_count + --run->now.stack_count];
}

static void reveal(struct run *run, uint8_t place)
{
    if (place != PLACE_OTHER) {
        run->now.revealed = true;
        run->flow->revealed = true;
    }
}

static void pop_revealed(struct run *run, unsigned slots)
{
    while (slots-- > 0)
        reveal(run, pop(run));
}

static void store(struct run *run, uint32_t local, uint8_t place)
{
    if (local < run->local_count)
        run->now.places[local] = place;
    else
        run->bad = true;
}

static uint8_t load(struct run *run, uint32_t local)
{
    if (local < run->local_count)
        return run->now.places[local];
    run->bad = true;
    return PLACE_OTHER;
}

/* Repeats the upper `count` places below `skip` others: all of dup and its kin. */
static void duplicate(struct run *run, unsigned count, unsigned skip)
{
    uint8_t upper[2] = {0}, below[2] = {0};
    for (unsigned i = 0; i < count; i++)
        upper[i] = pop(run);
    for (unsigned i = 0; i < skip; i++)
        below[i] = pop(run);
    for (unsigned i = count; i-- > 0;)
        push(run, upper[i]);
    for (unsigned i = skip; i-- > 0;)
        push(run, below[i]);
    for (unsigned i = count; i-- > 0;)
        push(run, upper[i]);
}

/* ---- fields ---- */

static void accuse(struct run *run, uint32_t field, enum field_fact fact)
{
    uint8_t *verdicts = run->flow->verdicts;
    if (verdicts && (verdicts[field] == FIELD_UNKNOWN || verdicts[field] > fact))
        verdicts[field] = (uint8_t)fact;
}

/* The place in the class of the field that a constant names, if it is the class's own. */
static uint32_t own_field(const struct run *run, uint16_t constant)
{
    if (!run->flow->verdicts)
        return PROGRAM_NONE;
    struct resolution field =
        resolve_field_constant(run->flow->program, run->bytecode.class_file, constant);
    if (field.status != RESOLVE_FOUND || field.id < run->class->first_field ||
        field.id - run->class->first_field >= run->class->field_count)
        return PROGRAM_NONE;
    return field.id - run->class->first_field;
}

static bool has_bit(const uint64_t *set, uint32_t field)
{
    return set[field / 64] >> field % 64 & 1;
}

static void assign(struct run *run, uint32_t field)
{
    if (has_bit(run->now.maybe, field))
        accuse(run, field, FIELD_ASSIGNED_TWICE);
    if (run->now.revealed)
        accuse(run, field, FIELD_VISIBLE_BEFORE);
    run->now.maybe[field / 64] |= UINT64_C(1) << field % 64;
    run->now.surely[field / 64] |= UINT64_C(1) << field % 64;
}

static void run_field(struct run *run, const struct instruction *instruction)
{
    uint8_t opcode = instruction->opcode;
    bool is_static = opcode == OP_GETSTATIC || opcode == OP_PUTSTATIC;
    bool is_put = opcode == OP_PUTFIELD || opcode == OP_PUTSTATIC;
    uint32_t field = own_field(run, instruction->operand);
    unsigned slots = descriptor_slots(
        class_member_reference(run->bytecode.class_file, instruction->operand).descriptor);
    if (is_put)
        pop_revealed(run, slots);
    uint8_t object = is_static ? PLACE_OTHER : pop(run);
    if (!is_put)
        push_other(run, slots);
    if (field == PROGRAM_NONE || is_static != run->flow->is_static)
        return;
    if (is_put) {
        if (!is_static && object != PLACE_THIS)
            accuse(run, field, FIELD_ASSIGNED_ELSEWHERE);
        else
            assign(run, field);
    } else if ((is_static || object != PLACE_OTHER) && !has_bit(run->now.surely, field)) {
        accuse(run, field, FIELD_READ_BEFORE);
    }
}

/* ---- calls ---- */

/* this(...) or super(...): the object is handed to another constructor of its own. */
static void run_delegation(struct run *run, uint16_t constant)
{
    struct constructor_flow *flow = run->flow;
    const struct class_file *class_file = run->bytecode.class_file;
    if (flow->reveals(flow->context, class_file, constant)) {
        run->now.revealed = true;
        flow->revealed = true;
    }
    if (!text_equal(class_name_at(class_file, class_file->constants[constant].first),
                    run->class->name))
        return;
    count_work(run, run->class->field_count);
    for (uint32_t i = 0; flow->verdicts && i < run->class->field_count; i++)
        if (has_bit(run->now.maybe, i))
            accuse(run, i, FIELD_ASSIGNED_TWICE);
    memset(run->now.maybe, 0xFF, run->words * sizeof *run->now.maybe);
    memset(run->now.surely, 0xFF, run->words * sizeof *run->now.surely);
}

static void run_call(struct run *run, const struct instruction *instruction)
{
    struct member_reference reference =
        class_member_reference(run->bytecode.class_file, instruction->operand);
    uint8_t opcode = instruction->opcode;
    count_work(run, reference.descriptor.length);
    pop_revealed(run, descriptor_parameter_slots(reference.descriptor));
    if (opcode != OP_INVOKESTATIC && opcode != OP_INVOKEDYNAMIC) {
        uint8_t object = pop(run);
        if (opcode == OP_INVOKESPECIAL && object == PLACE_THIS && text_is(reference.name, "<init>"))
            run_delegation(run, instruction->operand);
        else
            reveal(run, object);
    }
    push_other(run, descriptor_slots(descriptor_return(reference.descriptor)));
}

/* ---- instructions ---- */

static unsigned letters_slots(const char *letters)
{
    unsigned slots = 0;
    for (; *letters; letters++)
        slots += *letters == 'J' || *letters == 'D' ? 2 : 1;
    return slots;
}

/* The local that a load or store instruction names, also in its short forms. */
static uint32_t named_local(const struct instruction *instruction, uint8_t first_short)
{
    return instruction->opcode >= first_short ? (instruction->opcode - first_short) % 4u
                                              : instruction->operand;
}

/* Stores of numbers: whatever was in the local is gone. */
static void run_number_store(struct run *run, const struct instruction *instruction)
{
    uint32_t local = named_local(instruction, OP_ISTORE_0);
    unsigned slots = letters_slots(opcode_infos[instruction->opcode].pops);
    for (unsigned i = 0; i < slots; i++) {
        pop(run);
        store(run, local + i, PLACE_OTHER);
    }
}

static void run_plain(struct run *run, const struct instruction *instruction)
{
    const struct opcode_info *info = &opcode_infos[instruction->opcode];
    for (unsigned slots = letters_slots(info->pops); slots > 0; slots--)
        pop(run);
    push_other(run, letters_slots(info->pushes));
}

static void run_stack(struct run *run, uint8_t opcode)
{
    switch (opcode) {
    case OP_POP2:
        pop(run);
        pop(run);
        break;
    case OP_POP:
        pop(run);
        break;
    case OP_DUP:
        duplicate(run, 1, 0);
        break;
    case OP_DUP_X1:
        duplicate(run, 1, 1);
        break;
    case OP_DUP_X2:
        duplicate(run, 1, 2);
        break;
    case OP_DUP2:
        duplicate(run, 2, 0);
        break;
    case OP_DUP2_X1:
        duplicate(run, 2, 1);
        break;
    case OP_DUP2_X2:
        duplicate(run, 2, 2);
        break;
    default: { /* swap */
        uint8_t upper = pop(run), lower = pop(run);
        push(run, upper);
        push(run, lower);
    }
    }
}

static void run_return(struct run *run)
{
    count_work(run, run->class->field_count);
    for (uint32_t i = 0; run->flow->verdicts && i < run->class->field_count; i++)
        if (!has_bit(run->now.surely, i))
            accuse(run, i, FIELD_NOT_ALWAYS_ASSIGNED);
}

static void run_instruction(struct run *run, const struct instruction *instruction)
{
    uint8_t opcode = instruction->opcode;
    if (opcode == OP_ALOAD || (opcode >= OP_ALOAD_0 && opcode <= OP_ALOAD_3)) {
        push(run, load(run, named_local(instruction, OP_ALOAD_0)));
    } else if (opcode == OP_ASTORE || (opcode >= OP_ASTORE_0 && opcode <= OP_ASTORE_3)) {
        store(run, named_local(instruction, OP_ASTORE_0), pop(run));
    } else if ((opcode >= OP_ISTORE && opcode <= OP_DSTORE) ||
               (opcode >= OP_ISTORE_0 && opcode <= OP_DSTORE_3)) {
        run_number_store(run, instruction);
    } else if (opcode >= OP_POP && opcode <= OP_SWAP) {
        run_stack(run, opcode);
    } else if (opcode >= OP_GETSTATIC && opcode <= OP_PUTFIELD) {
        run_field(run, instruction);
    } else if (opcode >= OP_INVOKEVIRTUAL && opcode <= OP_INVOKEDYNAMIC) {
        run_call(run, instruction);
    } else if (opcode >= OP_LDC && opcode <= OP_LDC2_W) {
        push_other(run, opcode == OP_LDC2_W ? 2 : 1);
    } else if (opcode == OP_CHECKCAST) {
        push(run, pop(run));
    } else if (opcode == OP_MULTIANEWARRAY) {
        for (int i = 0; i < instruction->immediate; i++)
            pop(run);
        push(run, PLACE_OTHER);
    } else if (opcode == OP_AASTORE) {
        pop_revealed(run, 1);
        pop(run);
        pop(run);
    } else if (opcode == OP_ATHROW || opcode == OP_ARETURN) {
        pop_revealed(run, 1);
    } else {
        run_plain(run, instruction);
        if (opcode == OP_RETURN)
            run_return(run);
    }
}

/* Whether a handler must hear of the state behind this instruction. */
static bool changes_state(uint8_t opcode)
{
    return (opcode >= OP_ISTORE && opcode <= OP_ASTORE_3) || opcode == OP_AASTORE ||
           (opcode >= OP_GETSTATIC && opcode <= OP_INVOKEDYNAMIC) || opcode == OP_NEW ||
           opcode == OP_ATHROW;
}

static void run_block(struct run *run, const struct block *block)
{
    join_handlers(run, block);
    for (uint32_t i = block->first; i < block->end && !run->bad; i++) {
        const struct instruction *instruction = &run->bytecode.instructions[i];
        if (run->flow->is_static && run->flow->runs_readers(run->flow->context, i))
            run->now.revealed = true;
        run_instruction(run, instruction);
        if (changes_state(instruction->opcode))
            join_handlers(run, block);
    }
    for (uint32_t i = 0; i < block->successor_count && !run->bad; i++)
        join_state(run, &run->at[block->successors[i]], &run->now);
}

/* ---- the whole ---- */

static bool prepare(struct run *run)
{
    struct constructor_flow *flow = run->flow;
    const struct member *member = program_method_member(flow->program, flow->method);
    struct problem problem;
    problem_clear(&problem);
    if (!member_code(member) ||
        !bytecode_decode(&run->bytecode, flow->scratch, run->class->class_file, member, &problem) ||
        !flow_build(&run->blocks, flow->scratch, &run->bytecode))
        return false;
    run->local_count = run->bytecode.code->max_locals;
    run->stack_limit = run->bytecode.code->max_stack;
    run->words = flow->verdicts ? (run->class->field_count + 63u) / 64 : 0;
    size_t bytes = (size_t)run->local_count + run->stack_limit + 16u * run->words + 128;
    if (bytes * ((size_t)run->blocks.count + 1) > MOST_STATE_BYTES)
        return false;
    run->at = ARENA_ARRAY(flow->scratch, struct state, run->blocks.count);
    if (!run->at || !make_state(run, &run->now))
        return false;
    for (uint32_t i = 0; i < run->blocks.count; i++)
        if (!make_state(run, &run->at[i]))
            return false;
    return true;
}

bool constructor_flow_run(struct constructor_flow *flow)
{
    struct run run = {.flow = flow, .class = program_class_of_method(flow->program, flow->method)};
    flow->revealed = false;
    if (!prepare(&run))
        return false;
    struct state *entry = &run.at[0];
    entry->reached = true;
    if (!flow->is_static) {
        if (run.local_count == 0)
            return false;
        entry->places[0] = PLACE_THIS;
    }
    run.changed = true;
    for (int pass = 0; run.changed && !run.bad; pass++) {
        if (pass == MOST_PASSES)
            return false;
        run.changed = false;
        for (uint32_t i = 0; i < run.blocks.count && !run.bad; i++)
            if (run.at[i].reached) {
                copy_state(&run, &run.now, &run.at[i]);
                run_block(&run, &run.blocks.blocks[i]);
            }
    }
    return !run.bad;
}
