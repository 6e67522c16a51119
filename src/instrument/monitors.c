/*
 * Monitors: synchronized blocks and methods; class initializers.
 *
 * An acquire is told after it happened and a release before. The object's identity is asked for
 * before the monitor is entered: a JVM that gives an object its identity while its monitor is held
 * has to make the monitor a slow one. It stays at hand, as a number, until the monitor is left. For
 * synchronized methods that is too late, so the constructors of a class that has some do it, and
 * keep the number in the object.
 */
#include "instrument/atomic_blocks.h"
#include "instrument/hand_over.h"
#include "instrument/targets.h"
#include "rewrite/code_image.h"

#define MONITORS_NUMBER INSTRUMENT_PREFIX "lock"

#define ENTER_OR_LEAVE "(Ljava/lang/Object;I)V"

/* javac, and others, keep the object of a synchronized block in a local, from which the block's end
   loads it: `dup; astore N; monitorenter ... aload N; monitorexit`. */
int32_t monitors_local(const struct instrument_method *method, uint32_t instruction)
{
    const struct instruction *code = method->edit->bytecode.instructions;
    bool stores = false;
    unsigned slots = 0;
    if (instruction == 0)
        return -1;
    int32_t local = code_image_local(&code[instruction - 1], &stores, &slots);
    const bool enters = code[instruction].opcode == OP_MONITORENTER;
    if (local < 0 || stores != enters || slots != 1 ||
        (enters && (instruction < 2 || code[instruction - 2].opcode != OP_DUP)))
        return -1;
    return local;
}

void monitors_pair(struct snippet *snippet, int32_t local)
{
    snippet_add(snippet, OP_DUP);
    snippet_local(snippet, OP_ASTORE, (uint16_t)local);
}

/* Kept locals with the object and the number of the lock whose object is in `local` (-1: of a block
   that keeps it nowhere). Made when they are first asked for; NULL if there are too many. */
static const struct instrument_lock *find_lock(struct instrument_method *method, int32_t local)
{
    for (uint32_t i = 0; i < method->lock_count; i++)
        if (method->locks[i].local == local)
            return &method->locks[i];
    if (method->lock_count == INSTRUMENT_LOCKS)
        return NULL;
    struct instrument_lock *lock = &method->locks[method->lock_count];
    lock->local = local;
    lock->object = method_editor_new_kept_local(method->edit, TEXT("Ljava/lang/Object;"));
    lock->number = method_editor_new_kept_local(method->edit, TEXT("I"));
    struct snippet *snippet = instrument_snippet(method);
    snippet_add(snippet, OP_ACONST_NULL);
    snippet_local(snippet, OP_ASTORE, lock->object);
    snippet_push_int(snippet, 0);
    snippet_local(snippet, OP_ISTORE, lock->number);
    if (!method_editor_at_entry(method->edit, snippet))
        return NULL;
    method->lock_count++;
    return lock;
}

/* The lock of a block that ends with an `aload local; monitorexit`; NULL if it is not known where
   that block begins. */
static const struct instrument_lock *lock_left(const struct instrument_method *method,
                                               int32_t local)
{
    const struct instrument_lock *found = NULL;
    for (uint32_t i = 0; i < method->lock_count; i++) {
        if (method->locks[i].local < 0)
            return NULL;
        if (method->locks[i].local == local)
            found = &method->locks[i];
    }
    return found;
}

/* When a trace is recorded the hook is told where it is, because to find that out each time would
   be slow. In a class of the JDK the place would be the wrong one: not the program's. */
bool monitors_are_placed(const struct instrument_class *owner)
{
    return owner->instrument->recorded && !owner->no_checks && !owner->library;
}

/* What is told: that a monitor is entered or left, and perhaps with it that a block begins or ends.
 */
struct told {
    bool enters;
    bool block;
    uint32_t block_site;
};

static struct told told_at(const struct instrument_method *method, uint32_t instruction)
{
    const enum opcode opcode = method->edit->bytecode.instructions[instruction].opcode;
    struct told told = {.enters = opcode == OP_MONITORENTER};
    told.block = atomic_blocks_joins(method, instruction, &told.block_site);
    return told;
}

static struct told told_of_method(const struct instrument_method *method, bool enters)
{
    struct told told = {.enters = enters};
    told.block = atomic_blocks_joins_method(method, &told.block_site);
    return told;
}

static enum check_kind check_of(const struct told *told)
{
    if (told->block)
        return told->enters ? CHECK_MONITOR_BEGIN : CHECK_MONITOR_END;
    return told->enters ? CHECK_MONITOR_ENTER : CHECK_MONITOR_LEAVE;
}

/* On the stack: the object and its number. What comes before the site. */
static void push_block(struct snippet *snippet, const struct told *told)
{
    if (told->block)
        snippet_push_int(snippet, (int32_t)told->block_site);
}

/* Calls the hook; on the stack: the object and its number. The place is that of the instruction. */
static bool call_hook(struct instrument_method *method, struct snippet *snippet,
                      const struct told *told, uint32_t instruction)
{
    const bool enters = told->enters;
    const bool takes_over = enters && method->hand_over & HAND_OVER_WAITS;
    if (!enters && method->hand_over & HAND_OVER_NOTIFIES)
        hand_over_kept(snippet);
    if (takes_over)
        snippet_add(snippet, OP_DUP2);
    if (monitors_are_placed(method->owner)) {
        push_block(snippet, told);
        if (!checks_call(method->owner, snippet, check_of(told), 0, 0,
                         instrument_site(method, instruction)))
            return false;
    } else {
        instrument_call_hook(snippet, enters ? "entered" : "leaving", ENTER_OR_LEAVE);
    }
    if (takes_over)
        instrument_call_hook(snippet, "takenOver", ENTER_OR_LEAVE);
    return true;
}

/* Nothing but exceptions leads to the instruction. */
static bool is_only_handler(const struct bytecode *bytecode, uint32_t instruction)
{
    if (!instruction)
        return false;
    const unsigned flow = opcode_infos[bytecode->instructions[instruction - 1].opcode].flow;
    if (flow == FLOW_NEXT || flow == FLOW_BRANCH || flow == FLOW_CALL)
        return false;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const uint32_t count = targets_count(bytecode, i);
        for (uint32_t k = 0; k < count; k++)
            if (targets_at(bytecode, i, k) == instruction)
                return false;
    }
    return true;
}

uint32_t monitors_handler(const struct instrument_method *method, uint32_t instruction)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    /* astore exception; aload object; monitorexit */
    const uint32_t first = instruction - 2;
    bool own = false;
    if (instruction < 2 || origins_stored_local(&bytecode->instructions[first]) < 0 ||
        monitors_local(method, instruction) < 0)
        return INSTRUCTION_NONE;
    for (uint32_t i = 0; i < bytecode->code->handler_count; i++) {
        const struct handler *handler = &bytecode->handlers[i];
        if (handler->handler != first)
            continue;
        if (handler->catch_type)
            return INSTRUCTION_NONE;
        own |= handler->start <= first && handler->end > instruction;
    }
    return own && is_only_handler(bytecode, first) ? first : INSTRUCTION_NONE;
}

/* On the stack: the object, if it is not the lock's kept one that is to be told. No monitor is told
   twice to be left, should the hook throw: the number is negative then. */
static bool tell_once(struct instrument_method *method, struct snippet *snippet,
                      const struct instrument_lock *lock, bool kept, uint32_t instruction)
{
    snippet_label told_before = snippet_new_label(snippet);
    snippet_local(snippet, OP_ILOAD, lock->number);
    snippet_branch(snippet, OP_IFLT, told_before);
    if (kept)
        snippet_local(snippet, OP_ALOAD, lock->object);
    else
        snippet_add(snippet, OP_DUP);
    snippet_local(snippet, OP_ILOAD, lock->number);
    snippet_push_int(snippet, -1);
    snippet_local(snippet, OP_ISTORE, lock->number);
    const struct told told = told_at(method, instruction);
    if (!call_hook(method, snippet, &told, instruction))
        return false;
    snippet_bind(snippet, told_before);
    return true;
}

static bool plan_leave(struct instrument_method *method, uint32_t instruction)
{
    const int32_t local = monitors_local(method, instruction);
    const struct instrument_lock *lock = local < 0 ? NULL : lock_left(method, local);
    struct snippet *snippet = instrument_snippet(method);
    if (!lock) {
        const struct told told = told_at(method, instruction);
        snippet_add(snippet, OP_DUP);
        snippet_push_int(snippet, 0);
        return call_hook(method, snippet, &told, instruction) &&
               method_editor_before(method->edit, instruction, snippet);
    }
    const uint32_t handler = monitors_handler(method, instruction);
    const bool kept = handler != INSTRUCTION_NONE;
    return tell_once(method, snippet, lock, kept, instruction) &&
           (kept ? method_editor_at_handler(method->edit, handler, snippet)
                 : method_editor_before(method->edit, instruction, snippet));
}

/* On the stack: the lock of a block, which becomes its number. */
static void find_number(struct instrument_method *method, struct snippet *snippet)
{
    (void)method;
    instrument_call_hook(snippet, "number", "(Ljava/lang/Object;)I");
}

/* The final field that the lock is kept in, `this` object's or a static one: the instruction that
   gets it from there. INSTRUCTION_NONE if it comes from elsewhere. */
static uint32_t find_getter(const struct instrument_method *method, uint32_t instruction)
{
    if (method->owner->library)
        return INSTRUCTION_NONE;
    const struct origin lock = origins_operand(&method->origins, instruction, 0);
    const struct bytecode *bytecode = &method->edit->bytecode;
    if ((lock.kind != ORIGIN_FIELD && lock.kind != ORIGIN_STATIC) ||
        !fields_is_lasting(method->owner, lock.constant))
        return INSTRUCTION_NONE;
    const bool of_this = method->this_kept &&
                         bytecode->instructions[lock.instruction].opcode == OP_GETFIELD &&
                         origins_operand(&method->origins, lock.instruction, 0).kind == ORIGIN_THIS;
    return lock.kind == ORIGIN_STATIC || of_this ? lock.instruction : INSTRUCTION_NONE;
}

static bool plan_enter(struct instrument_method *method, uint32_t instruction)
{
    const struct instrument_lock *lock = find_lock(method, monitors_local(method, instruction));
    if (!lock)
        return false;
    lock_fields_note_monitor(method, instruction);
    struct snippet *snippet = instrument_snippet(method);
    const uint32_t getter = lock->local < 0 ? INSTRUCTION_NONE : find_getter(method, instruction);
    snippet_add(snippet, OP_DUP);
    snippet_add(snippet, OP_DUP);
    snippet_local(snippet, OP_ASTORE, lock->object);
    /* A monitor that threads have fought for gives its identity slowly. */
    if (getter == INSTRUCTION_NONE)
        find_number(method, snippet);
    else
        fields_push_beside(method, snippet, getter, 0, CHECK_BESIDE_NUMBER, find_number);
    snippet_local(snippet, OP_ISTORE, lock->number);
    if (getter != INSTRUCTION_NONE)
        monitors_pair(snippet, lock->local);
    if (!method_editor_before(method->edit, instruction, snippet))
        return false;
    snippet = instrument_snippet(method);
    snippet_local(snippet, OP_ALOAD, lock->object);
    snippet_local(snippet, OP_ILOAD, lock->number);
    const struct told told = told_at(method, instruction);
    return call_hook(method, snippet, &told, instruction) &&
           method_editor_after(method->edit, instruction, snippet);
}

bool monitors_plan(struct instrument_method *method, uint32_t instruction)
{
    atomic_fetch_add_explicit(&method->owner->instrument->monitors, 1, memory_order_relaxed);
    return method->edit->bytecode.instructions[instruction].opcode == OP_MONITORENTER
               ? plan_enter(method, instruction)
               : plan_leave(method, instruction);
}

/* Pushes the object of a synchronized method, and its number as far as it is known. */
static void push_monitor(struct instrument_method *method, struct snippet *snippet, uint16_t local)
{
    if (method->is_static) {
        instrument_push_class(method->owner, snippet);
        snippet_push_int(snippet, 0);
        return;
    }
    snippet_local(snippet, OP_ALOAD, local);
    if (local == 0) {
        snippet_local(snippet, OP_ALOAD, 0);
        snippet_field(snippet, OP_GETFIELD, method->owner->name, TEXT(MONITORS_NUMBER), TEXT("I"));
    } else {
        snippet_push_int(snippet, 0);
    }
}

/* Before each return: which one it is. The local, kept. */
static bool note_returns(struct instrument_method *method, uint16_t *local)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    struct snippet *snippet = instrument_snippet(method);
    *local = method_editor_new_kept_local(method->edit, TEXT("I"));
    snippet_push_int(snippet, 0);
    snippet_local(snippet, OP_ISTORE, *local);
    if (!method_editor_at_entry(method->edit, snippet))
        return false;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        if (opcode_infos[bytecode->instructions[i].opcode].flow != FLOW_RETURN)
            continue;
        snippet = instrument_snippet(method);
        snippet_push_int(snippet, (int32_t)instrument_site(method, i));
        snippet_local(snippet, OP_ISTORE, *local);
        if (!method_editor_before(method->edit, i, snippet))
            return false;
    }
    return true;
}

static bool plan_synchronized_end(struct instrument_method *method, uint16_t local)
{
    const struct told told = told_of_method(method, false);
    const bool placed = monitors_are_placed(method->owner);
    uint16_t site = 0;
    if (placed && !note_returns(method, &site))
        return false;
    struct snippet *snippet = instrument_snippet(method);
    push_monitor(method, snippet, local);
    if (method->hand_over & HAND_OVER_NOTIFIES)
        hand_over_kept(snippet);
    if (placed) {
        push_block(snippet, &told);
        snippet_local(snippet, OP_ILOAD, site);
        if (!checks_call_at(method->owner, snippet, check_of(&told), 0, 0))
            return false;
    } else {
        instrument_call_hook(snippet, "leaving", ENTER_OR_LEAVE);
    }
    if (!method_editor_at_return(method->edit, snippet))
        return false;
    snippet = instrument_snippet(method);
    push_monitor(method, snippet, local);
    return call_hook(method, snippet, &told, method->edit->bytecode.count - 1) &&
           method_editor_at_throw(method->edit, snippet);
}

static bool plan_synchronized(struct instrument_method *method)
{
    struct method_editor *edit = method->edit;
    struct snippet *snippet = instrument_snippet(method);
    uint16_t local = 0;
    atomic_fetch_add_explicit(&method->owner->instrument->monitors, 1, memory_order_relaxed);
    if (!method->is_static && !method->this_kept) {
        /* The code gives local 0 another value: keep the object elsewhere. */
        local = method_editor_new_kept_local(edit, TEXT("Ljava/lang/Object;"));
        snippet_local(snippet, OP_ALOAD, 0);
        snippet_local(snippet, OP_ASTORE, local);
    }
    push_monitor(method, snippet, local);
    const struct told told = told_of_method(method, true);
    if (!call_hook(method, snippet, &told, 0) || !method_editor_at_entry(edit, snippet))
        return false;
    return plan_synchronized_end(method, local);
}

static bool plan_initializer(struct instrument_method *method)
{
    struct method_editor *edit = method->edit;
    struct snippet *snippet = instrument_snippet(method);
    instrument_call_hook(snippet, "initializing", "()V");
    if (!method_editor_at_entry(edit, snippet))
        return false;
    snippet = instrument_snippet(method);
    instrument_call_hook(snippet, "initialized", "()V");
    return method_editor_at_return(edit, snippet) && method_editor_at_throw(edit, snippet);
}

bool monitors_plan_method(struct instrument_method *method)
{
    if (method->is_initializer)
        return plan_initializer(method);
    if (method->edit->method->access & ACCESS_SYNCHRONIZED)
        return plan_synchronized(method);
    if (!method->is_constructor || !method->owner->synchronized_methods || !method->this_kept)
        return true;
    struct snippet *snippet = instrument_snippet(method);
    snippet_local(snippet, OP_ALOAD, 0);
    snippet_add(snippet, OP_DUP);
    instrument_call_hook(snippet, "number", "(Ljava/lang/Object;)I");
    snippet_field(snippet, OP_PUTFIELD, method->owner->name, TEXT(MONITORS_NUMBER), TEXT("I"));
    return method_editor_at_return(method->edit, snippet);
}

bool monitors_finish(struct instrument_class *owner)
{
    return !owner->synchronized_methods ||
           class_editor_add_field(owner->editor,
                                  ACCESS_PRIVATE | ACCESS_TRANSIENT | ACCESS_SYNTHETIC,
                                  TEXT(MONITORS_NUMBER), TEXT("I"));
}
