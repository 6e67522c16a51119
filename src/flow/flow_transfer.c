/*
 * What instructions do to the state.
 */
#include <string.h>

#include "classfile/descriptor.h"
#include "flow/flow_internal.h"
#include "program/resolve.h"

static unsigned letter_slots(char letter)
{
    return letter == 'J' || letter == 'D' ? 2 : 1;
}

/* What the instruction itself makes. */
static void push_made(struct flow_run *run, unsigned slots)
{
    flow_push_wide(run, flow_made(run->instruction), slots);
}

/* ---- fields ---- */

static const struct field_use *field_use(struct flow_run *run, uint16_t constant)
{
    void **slot = &run->uses[run->instruction];
    if (*slot)
        return *slot;
    const struct class_file *class_file = run->flow->bytecode.class_file;
    struct field_use *use = ARENA_NEW(run->scratch, struct field_use);
    if (!use) {
        flow_fail_memory(run);
        return NULL;
    }
    use->field = resolve_field_constant(run->program, class_file, constant).id;
    use->slots = (uint8_t)descriptor_slots(class_member_reference(class_file, constant).descriptor);
    if (use->field != PROGRAM_NONE) {
        const struct program_member *field = &run->program->fields[use->field];
        use->is_final = lock_types_is_final(run->context->types, use->field);
        use->is_volatile = (field->access & ACCESS_VOLATILE) != 0;
        use->is_own_static = run->is_static_initializer && field->class_id == run->class_id;
    }
    *slot = use;
    return use;
}

static void record_access(struct flow_run *run, enum event_kind kind, const struct field_use *use,
                          uint16_t constant, bool is_static, term object, term value)
{
    struct flow_event *event = flow_event_add(run, kind);
    if (!event)
        return;
    event->id = use->field;
    event->constant = constant;
    event->object = object;
    event->value = value;
    event->flags |= use->is_volatile ? EVENT_VOLATILE : 0;
    if (is_static)
        event->flags |= EVENT_STATIC | (use->is_own_static ? EVENT_UNDER_CONSTRUCTION : 0);
    else
        event->flags |= flow_object_flags(run, object);
    if (kind == EVENT_WRITE && flow_is_fresh(run, value))
        event->flags |= EVENT_VALUE_FRESH;
}

static void run_get(struct flow_run *run, const struct instruction *instruction)
{
    bool is_static = instruction->opcode == OP_GETSTATIC;
    const struct field_use *use = field_use(run, instruction->operand);
    if (!use)
        return;
    term object = is_static ? (term)TERM_NONE : flow_pop(run);
    term value = TERM_NONE;
    if (use->is_final)
        value = is_static ? flow_static_term(run, use->field)
                          : flow_field_term(run, object, use->field);
    if (value == TERM_NONE)
        value = flow_made(run->instruction);
    record_access(run, EVENT_READ, use, instruction->operand, is_static, object, value);
    if (!is_static)
        flow_parts_read(run, object, use->field, value);
    flow_push_wide(run, value, use->slots);
}

static void run_put(struct flow_run *run, const struct instruction *instruction)
{
    bool is_static = instruction->opcode == OP_PUTSTATIC;
    const struct field_use *use = field_use(run, instruction->operand);
    if (!use)
        return;
    term value = flow_pop_wide(run, use->slots);
    term object = is_static ? (term)TERM_NONE : flow_pop(run);
    record_access(run, EVENT_WRITE, use, instruction->operand, is_static, object, value);
    const bool fresh = flow_is_fresh(run, value);
    flow_escape(run, value);
    if (!is_static)
        flow_parts_write(run, object, use->field, value, fresh);
}

/* ---- arrays and objects ---- */

static void record_element(struct flow_run *run, enum event_kind kind, term array, term value)
{
    struct flow_event *event = flow_event_add(run, kind);
    if (!event)
        return;
    event->object = array;
    event->value = value;
    event->flags |= flow_object_flags(run, array);
    if (kind == EVENT_ARRAY_WRITE && flow_is_fresh(run, value))
        event->flags |= EVENT_VALUE_FRESH;
}

static void run_array_load(struct flow_run *run, uint8_t opcode)
{
    flow_pop(run);
    term array = flow_pop(run);
    record_element(run, EVENT_ARRAY_READ, array, flow_made(run->instruction));
    push_made(run, letter_slots(opcode_infos[opcode].pushes[0]));
}

static void run_array_store(struct flow_run *run, uint8_t opcode)
{
    term value = flow_pop_wide(run, letter_slots(opcode_infos[opcode].pops[2]));
    flow_pop(run);
    term array = flow_pop(run);
    record_element(run, EVENT_ARRAY_WRITE, array, value);
    flow_escape(run, value);
}

static uint32_t named_class(const struct flow_run *run, uint16_t constant)
{
    struct text name = class_name_at(run->flow->bytecode.class_file, constant);
    if (!name.length || name.bytes[0] == '[')
        return PROGRAM_NONE;
    return program_find_class(run->program, name);
}

static void run_new(struct flow_run *run, const struct instruction *instruction)
{
    int sizes = instruction->opcode == OP_NEW              ? 0
                : instruction->opcode == OP_MULTIANEWARRAY ? instruction->immediate
                                                           : 1;
    while (sizes-- > 0)
        flow_pop(run);
    term made = flow_made(run->instruction);
    struct flow_event *event = flow_event_add(run, EVENT_NEW);
    if (event) {
        event->value = made;
        event->constant = instruction->operand;
        if (instruction->opcode == OP_NEW)
            event->id = named_class(run, instruction->operand);
    }
    flow_add_fresh(run, made);
    flow_push(run, made);
}

static void run_cast(struct flow_run *run, const struct instruction *instruction)
{
    term object = flow_pop(run);
    struct flow_event *event = flow_event_add(run, EVENT_CAST);
    if (event) {
        event->id = named_class(run, instruction->operand);
        event->constant = instruction->operand;
        event->object = object;
        event->flags |= flow_object_flags(run, object);
    }
    flow_push(run, object);
}

/* The object's monitor, told apart from the object where that is in use as a library lock: the two
   have nothing to do with each other. */
static term monitor_of(struct flow_run *run, term object, bool enter)
{
    term monitor = object == TERM_NONE ? object : flow_make(run, TERM_MONITOR, object, 0);
    bool taken = false, by_call = false;
    for (uint32_t i = 0; i < run->now.lock_count; i++) {
        taken |= run->now.locks[i].lock == monitor;
        by_call |= run->now.locks[i].lock == object && flow_is_by_call(run, &run->now.locks[i]);
    }
    return (enter ? by_call : taken) ? monitor : object;
}

static void run_monitor(struct flow_run *run, bool enter)
{
    term object = flow_pop(run);
    term monitor = monitor_of(run, object, enter);
    struct flow_event *event = flow_event_add(run, enter ? EVENT_ACQUIRE : EVENT_RELEASE);
    if (event) {
        event->object = object;
        event->id = LOCK_EXCLUSIVE;
        event->other = FLOW_BY_MONITOR;
        event->flags |= flow_object_flags(run, object);
    }
    if (enter)
        flow_locks_acquire(run, monitor, LOCK_EXCLUSIVE, run->instruction);
    else
        flow_locks_release(run, monitor, LOCK_EXCLUSIVE, false);
}

/* ---- constants, locals, stack ---- */

static void run_constant(struct flow_run *run, const struct instruction *instruction)
{
    const struct constant *constant =
        &run->flow->bytecode.class_file->constants[instruction->operand];
    uint32_t class_id =
        constant->tag == CONSTANT_CLASS ? named_class(run, instruction->operand) : PROGRAM_NONE;
    if (class_id != PROGRAM_NONE)
        flow_push(run, flow_make(run, TERM_CLASS, class_id, 0));
    else
        push_made(run, instruction->opcode == OP_LDC2_W ? 2 : 1);
}

static void run_load(struct flow_run *run, const struct instruction *instruction)
{
    uint8_t opcode = instruction->opcode;
    uint32_t local =
        opcode >= OP_ILOAD_0 ? (opcode - OP_ILOAD_0) % 4u : (uint32_t)instruction->operand;
    term value = flow_load(run, local);
    flow_push_wide(run, value != TERM_NONE ? value : flow_made(run->instruction),
                   letter_slots(opcode_infos[opcode].pushes[0]));
}

static void run_store(struct flow_run *run, const struct instruction *instruction)
{
    unsigned slots;
    uint32_t local = (uint32_t)flow_assigned_local(instruction, &slots);
    term value = flow_pop_wide(run, slots);
    flow_store(run, local, value);
    if (slots == 2)
        flow_store(run, local + 1, TERM_NONE);
}

/* Repeats the upper `count` places below `skip` others: all of dup and its kin. */
static void duplicate(struct flow_run *run, unsigned count, unsigned skip)
{
    term upper[2] = {0}, below[2] = {0};
    for (unsigned i = 0; i < count; i++)
        upper[i] = flow_pop(run);
    for (unsigned i = 0; i < skip; i++)
        below[i] = flow_pop(run);
    for (unsigned i = count; i-- > 0;)
        flow_push(run, upper[i]);
    for (unsigned i = skip; i-- > 0;)
        flow_push(run, below[i]);
    for (unsigned i = count; i-- > 0;)
        flow_push(run, upper[i]);
}

static void run_stack(struct flow_run *run, uint8_t opcode)
{
    static const struct {
        uint8_t count, skip;
    } shapes[] = {{1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}; /* dup to dup2_x2 */
    if (opcode == OP_POP || opcode == OP_POP2) {
        flow_pop_wide(run, opcode == OP_POP2 ? 2 : 1);
    } else if (opcode == OP_SWAP) {
        term upper = flow_pop(run), lower = flow_pop(run);
        flow_push(run, upper);
        flow_push(run, lower);
    } else {
        duplicate(run, shapes[opcode - OP_DUP].count, shapes[opcode - OP_DUP].skip);
    }
}

static bool is_constant(const struct flow_run *run, term value, uint8_t opcode)
{
    struct term_content content = term_content(&run->terms, value);
    return content.kind == TERM_OPAQUE &&
           run->flow->bytecode.instructions[content.a].opcode == opcode;
}

/* A stamp that is compared with 0 says the same as the stamp. */
static void run_compare(struct flow_run *run)
{
    term right = flow_pop_wide(run, 2), left = flow_pop_wide(run, 2);
    if (term_kind(&run->terms, left) == TERM_RESULT && is_constant(run, right, OP_LCONST_0))
        flow_push(run, left);
    else if (term_kind(&run->terms, right) == TERM_RESULT && is_constant(run, left, OP_LCONST_0))
        flow_push(run, right);
    else
        push_made(run, 1);
}

static void run_plain(struct flow_run *run, uint8_t opcode)
{
    const struct opcode_info *info = &opcode_infos[opcode];
    for (const char *letter = info->pops; *letter; letter++)
        flow_pop_wide(run, letter_slots(*letter));
    for (const char *letter = info->pushes; *letter; letter++)
        push_made(run, letter_slots(*letter));
}

/* ---- ends ---- */

static void run_return(struct flow_run *run, uint8_t opcode)
{
    const char *pops = opcode_infos[opcode].pops;
    term value = *pops ? flow_pop_wide(run, letter_slots(*pops)) : (term)TERM_NONE;
    struct flow_event *event = flow_event_add(run, EVENT_RETURN);
    if (!event)
        return;
    event->value = value;
    event->flags |= flow_is_fresh(run, value) ? EVENT_VALUE_FRESH : 0;
    if (run->returned == TERM_NONE)
        run->returned = value;
    run->returns_differ |= value == TERM_NONE || value != run->returned;
}

static void run_throw(struct flow_run *run)
{
    term value = flow_pop(run);
    struct flow_event *event = flow_event_add(run, EVENT_THROW);
    if (event) {
        event->value = value;
        event->flags |= flow_is_fresh(run, value) ? EVENT_VALUE_FRESH : 0;
    }
    flow_escape(run, value);
}

static void run_instruction(struct flow_run *run, const struct instruction *instruction)
{
    uint8_t opcode = instruction->opcode;
    if (opcode >= OP_ILOAD && opcode <= OP_ALOAD_3)
        run_load(run, instruction);
    else if (opcode >= OP_IALOAD && opcode <= OP_SALOAD)
        run_array_load(run, opcode);
    else if (opcode >= OP_ISTORE && opcode <= OP_ASTORE_3)
        run_store(run, instruction);
    else if (opcode >= OP_IASTORE && opcode <= OP_SASTORE)
        run_array_store(run, opcode);
    else if (opcode >= OP_POP && opcode <= OP_SWAP)
        run_stack(run, opcode);
    else if (opcode >= OP_INVOKEVIRTUAL && opcode <= OP_INVOKEDYNAMIC)
        flow_run_call(run, instruction);
    else if (opcode == OP_GETFIELD || opcode == OP_GETSTATIC)
        run_get(run, instruction);
    else if (opcode == OP_PUTFIELD || opcode == OP_PUTSTATIC)
        run_put(run, instruction);
    else if (opcode >= OP_LDC && opcode <= OP_LDC2_W)
        run_constant(run, instruction);
    else if (opcode >= OP_IRETURN && opcode <= OP_RETURN)
        run_return(run, opcode);
    else if ((opcode >= OP_NEW && opcode <= OP_ANEWARRAY) || opcode == OP_MULTIANEWARRAY)
        run_new(run, instruction);
    else if (opcode == OP_MONITORENTER || opcode == OP_MONITOREXIT)
        run_monitor(run, opcode == OP_MONITORENTER);
    else if (opcode == OP_CHECKCAST)
        run_cast(run, instruction);
    else if (opcode == OP_IINC)
        flow_store(run, instruction->operand, flow_made(run->instruction));
    else if (opcode == OP_LCMP)
        run_compare(run);
    else if (opcode == OP_ATHROW)
        run_throw(run);
    else
        run_plain(run, opcode);
}

/* ---- blocks ---- */

/* Assertions count as switched on. */
static bool is_assertion_flag(const struct flow_run *run, term value)
{
    struct term_content content = term_content(&run->terms, value);
    const struct bytecode *bytecode = &run->flow->bytecode;
    if (content.kind == TERM_STATIC)
        return text_is(program_field_name(run->program, content.a), "$assertionsDisabled");
    if (content.kind != TERM_OPAQUE || bytecode->instructions[content.a].opcode != OP_GETSTATIC)
        return false;
    uint16_t constant = bytecode->instructions[content.a].operand;
    return text_is(class_member_reference(bytecode->class_file, constant).name,
                   "$assertionsDisabled");
}

/* On this way the number is not 0: what that says of a lock. */
static void learn_from_result(struct flow_run *run, term result)
{
    struct term_content content = term_content(&run->terms, result);
    uint8_t mode = content.b == RESULT_ACQUIRED_SHARED ? LOCK_SHARED : LOCK_EXCLUSIVE;
    if (content.b == RESULT_HELD) {
        flow_locks_assert(run, content.a, mode, run->instruction);
        return;
    }
    /* It may have been learned before, from the same result: then it is not taken twice. */
    for (uint32_t i = 0; i < run->now.lock_count; i++)
        if (run->now.locks[i].lock == content.a && run->now.locks[i].mode == mode)
            return;
    flow_locks_acquire(run, content.a, mode, run->instruction);
}

/* What the last instruction of a block compares. */
struct comparison {
    term value;
    bool branches_if_zero; /* results are never below 0 */
};

/* `tryLock() == true` is compared with a constant. False: nothing is known of the branch. */
static bool find_comparison(const struct flow_run *run, const struct instruction *branch,
                            struct comparison *found)
{
    const term *top = run->now.places + run->local_count + run->now.stack_count;
    uint8_t opcode = branch->opcode;
    if (opcode == OP_IFEQ || opcode == OP_IFNE || opcode == OP_IFGT || opcode == OP_IFLE) {
        *found = (struct comparison){run->now.stack_count ? top[-1] : (term)TERM_NONE,
                                     opcode == OP_IFEQ || opcode == OP_IFLE};
        return true;
    }
    if ((opcode != OP_IF_ICMPEQ && opcode != OP_IF_ICMPNE) || run->now.stack_count < 2 ||
        term_kind(&run->terms, top[-2]) != TERM_RESULT)
        return false;
    bool with_one = is_constant(run, top[-1], OP_ICONST_1);
    *found = (struct comparison){top[-2], (opcode == OP_IF_ICMPEQ) != with_one};
    return with_one || is_constant(run, top[-1], OP_ICONST_0);
}

static void leave_by_branch(struct flow_run *run, const struct instruction *branch,
                            const struct comparison *comparison)
{
    uint32_t target = run->blocks.block_of[branch->target];
    uint32_t next = run->blocks.block_of[run->instruction + 1];
    uint32_t zero = comparison->branches_if_zero ? target : next;
    uint32_t other = comparison->branches_if_zero ? next : target;
    flow_state_join(run, zero);
    if (zero == other || is_assertion_flag(run, comparison->value))
        return;
    if (term_kind(&run->terms, comparison->value) == TERM_RESULT)
        learn_from_result(run, comparison->value);
    if (!run->failed)
        flow_state_join(run, other);
}

static bool throws_now(struct flow_run *run, const struct instruction *instruction)
{
    if (!flow_can_throw(run, instruction))
        return false;
    if (instruction->opcode < OP_INVOKEVIRTUAL || instruction->opcode > OP_INVOKEDYNAMIC)
        return true;
    const struct call_use *use = flow_call_use(run, run->instruction);
    return use && !use->releases;
}

static void run_protected(struct flow_run *run, const struct block *block,
                          const struct instruction *instruction)
{
    if (!throws_now(run, instruction)) {
        run_instruction(run, instruction);
        return;
    }
    if (run->handlers_behind)
        flow_state_join_handlers(run, block);
    if (run->failed)
        return;
    run->escaped = false;
    run_instruction(run, instruction);
    if (run->escaped)
        flow_state_escape_in_handlers(run, block);
}

void flow_run_block(struct flow_run *run, uint32_t number)
{
    const struct block *block = &run->blocks.blocks[number];
    const struct instruction *instructions = run->flow->bytecode.instructions;
    bool is_protected = run->throws[number] && !run->recording;
    struct comparison comparison = {0};
    bool compares = false;
    flow_state_load(run, number);
    run->work += block->end - block->first;
    for (uint32_t i = block->first; i < block->end && !run->failed; i++) {
        run->instruction = i;
        if (i + 1 == block->end)
            compares = find_comparison(run, &instructions[i], &comparison);
        if (is_protected)
            run_protected(run, block, &instructions[i]);
        else
            run_instruction(run, &instructions[i]);
    }
    if (run->recording || run->failed)
        return;
    const struct instruction *last = &instructions[block->end - 1];
    if (compares) {
        leave_by_branch(run, last, &comparison);
        return;
    }
    for (uint32_t i = 0; i < block->successor_count && !run->failed; i++)
        flow_state_join(run, block->successors[i]);
}
