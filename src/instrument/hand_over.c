#include "instrument/hand_over.h"

enum {
    TAKES_MONITOR = 16,
    TAKES_LOCK = 32,
    OF_MONITORS = HAND_OVER_WAITS | HAND_OVER_NOTIFIES,
    OF_CONDITIONS = HAND_OVER_AWAITS | HAND_OVER_SIGNALS,
};

#define LOCKS "java/util/concurrent/locks/"

/* A call from one method of the class to another. */
struct call {
    uint32_t from, to;
};

struct calls {
    VECTOR(struct call) list;
};

/* ---- what a call does ---- */

bool hand_over_is_wait(const struct member_reference *callee)
{
    return text_is(callee->name, "wait") &&
           (text_is(callee->descriptor, "()V") || text_is(callee->descriptor, "(J)V") ||
            text_is(callee->descriptor, "(JI)V"));
}

static bool is_notify(const struct member_reference *callee)
{
    return text_is(callee->descriptor, "()V") &&
           (text_is(callee->name, "notify") || text_is(callee->name, "notifyAll"));
}

static bool is_condition(const struct member_reference *callee)
{
    return text_is(callee->owner, LOCKS "Condition") ||
           text_is(callee->owner, LOCKS "AbstractQueuedSynchronizer$ConditionObject");
}

static bool is_await(const struct member_reference *callee)
{
    return is_condition(callee) && text_starts_with(callee->name, TEXT("await"));
}

static bool is_signal(const struct member_reference *callee)
{
    return is_condition(callee) && text_starts_with(callee->name, TEXT("signal"));
}

static bool is_lock(const struct member_reference *callee)
{
    return text_is(callee->owner, LOCKS "Lock") || text_is(callee->owner, LOCKS "ReentrantLock") ||
           text_is(callee->owner, LOCKS "ReentrantReadWriteLock$WriteLock");
}

static bool is_locking(const struct member_reference *callee)
{
    return is_lock(callee) &&
           (text_is(callee->name, "lock") || text_is(callee->name, "lockInterruptibly") ||
            text_is(callee->name, "tryLock"));
}

static uint8_t bits_of_call(const struct member_reference *callee)
{
    if (hand_over_is_wait(callee))
        return HAND_OVER_WAITS;
    if (is_notify(callee))
        return HAND_OVER_NOTIFIES;
    if (is_await(callee))
        return HAND_OVER_AWAITS;
    if (is_signal(callee))
        return HAND_OVER_SIGNALS;
    return is_locking(callee) ? TAKES_LOCK : 0;
}

/* ---- what methods do ---- */

/* Most classes have none of it. */
static bool is_worth_a_look(const struct class_file *class_file)
{
    for (uint32_t i = 1; i < class_file->constant_count; i++) {
        const unsigned tag = class_file->constants[i].tag;
        if (tag != CONSTANT_METHOD && tag != CONSTANT_INTERFACE_METHOD)
            continue;
        const struct member_reference callee = class_member_reference(class_file, (uint16_t)i);
        if (bits_of_call(&callee) & (OF_MONITORS | OF_CONDITIONS))
            return true;
    }
    return false;
}

static bool add_own_call(struct calls *calls, const struct class_file *class_file, uint32_t from,
                         const struct member_reference *callee)
{
    for (uint32_t to = 0; to < class_file->method_count; to++) {
        const struct member *method = &class_file->methods[to];
        const struct call call = {from, to};
        if (text_equal(class_utf8(class_file, method->name), callee->name) &&
            text_equal(class_utf8(class_file, method->descriptor), callee->descriptor))
            return vector_push(&calls->list, call);
    }
    return true;
}

/* False if memory ran out. */
static bool look_at(struct instrument_class *owner, struct calls *calls, uint32_t number,
                    const struct bytecode *bytecode)
{
    const struct class_file *class_file = owner->editor->class_file;
    uint8_t *bits = &owner->hand_overs[number];
    for (uint32_t i = 0; i < bytecode->count; i++) {
        const struct instruction *code = &bytecode->instructions[i];
        switch (code->opcode) {
        case OP_MONITORENTER:
            *bits |= TAKES_MONITOR;
            break;
        case OP_INVOKEVIRTUAL:
        case OP_INVOKESPECIAL:
        case OP_INVOKESTATIC:
        case OP_INVOKEINTERFACE: {
            const struct member_reference callee =
                class_member_reference(class_file, code->operand);
            *bits |= bits_of_call(&callee);
            if (text_equal(callee.owner, owner->name) &&
                !add_own_call(calls, class_file, number, &callee))
                return false;
            break;
        }
        default:
            break;
        }
    }
    return true;
}

/* Code that cannot be read stays as it is. */
static bool look_at_all(struct instrument_class *owner, struct calls *calls)
{
    const struct class_file *class_file = owner->editor->class_file;
    struct arena arena;
    bool done = true;
    arena_init(&arena);
    for (uint32_t i = 0; done && i < class_file->method_count; i++) {
        const struct member *method = &class_file->methods[i];
        struct bytecode bytecode;
        struct problem problem;
        problem_clear(&problem);
        if (method->access & ACCESS_SYNCHRONIZED)
            owner->hand_overs[i] |= TAKES_MONITOR;
        if (member_code(method) && bytecode_decode(&bytecode, &arena, class_file, method, &problem))
            done = look_at(owner, calls, i, &bytecode);
        done = done && !arena.failed;
        arena_clear(&arena);
    }
    arena_release(&arena);
    return done;
}

/* What a method does for its callers. */
static uint8_t bits_for_callers(uint8_t bits)
{
    return (uint8_t)((bits & TAKES_MONITOR ? 0 : bits & OF_MONITORS) |
                     (bits & TAKES_LOCK ? 0 : bits & OF_CONDITIONS));
}

static void tell_callers(uint8_t *bits, const struct calls *calls)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < calls->list.count; i++) {
            const struct call *call = &calls->list.items[i];
            const uint8_t more = bits_for_callers(bits[call->to]);
            changed |= (bits[call->from] | more) != bits[call->from];
            bits[call->from] |= more;
        }
    }
}

bool hand_over_begin(struct instrument_class *owner)
{
    const struct class_file *class_file = owner->editor->class_file;
    if (!is_worth_a_look(class_file))
        return true;
    owner->hand_over_count = class_file->method_count;
    owner->hand_overs = arena_allocate_zeroed(&owner->arena, owner->hand_over_count, 1);
    struct calls calls = {0};
    const bool done = owner->hand_overs && look_at_all(owner, &calls);
    if (done)
        tell_callers(owner->hand_overs, &calls);
    vector_release(&calls.list);
    return done;
}

uint8_t hand_over_of(const struct instrument_class *owner, const struct member *method)
{
    if (!owner->hand_overs)
        return 0;
    const size_t number = (size_t)(method - owner->editor->class_file->methods);
    return number < owner->hand_over_count ? owner->hand_overs[number] : 0;
}

/* ---- code ---- */

#define HAND_OVER "handingOver", "(Ljava/lang/Object;I)V"

void hand_over_object(struct snippet *snippet)
{
    snippet_add(snippet, OP_DUP);
    snippet_push_int(snippet, 0);
    instrument_call_hook(snippet, HAND_OVER);
}

void hand_over_kept(struct snippet *snippet)
{
    snippet_add(snippet, OP_DUP2);
    instrument_call_hook(snippet, HAND_OVER);
}

static bool plan_notify(struct instrument_method *method, uint32_t instruction)
{
    struct snippet *snippet = instrument_snippet(method);
    hand_over_object(snippet);
    return method_editor_before(method->edit, instruction, snippet);
}

/* The lock that the call is about is not to be found from its conditions, nor they from it: the
   thread has few others. */
static bool plan_all(struct instrument_method *method, uint32_t instruction, bool takes)
{
    struct snippet *snippet = instrument_snippet(method);
    instrument_call_hook(snippet, takes ? "takenOverAll" : "handingOverAll", "()V");
    return (takes ? method_editor_after : method_editor_before)(method->edit, instruction, snippet);
}

bool hand_over_plan(struct instrument_method *method, uint32_t instruction,
                    const struct member_reference *callee)
{
    if (is_notify(callee))
        return instrument_is_early(method, instruction) || plan_notify(method, instruction);
    if (is_signal(callee))
        return plan_all(method, instruction, false);
    if (method->hand_over & HAND_OVER_SIGNALS &&
        (is_await(callee) || (is_lock(callee) && text_is(callee->name, "unlock"))))
        return plan_all(method, instruction, false);
    if (method->hand_over & HAND_OVER_AWAITS && is_locking(callee))
        return plan_all(method, instruction, true);
    return true;
}
