#include "instrument/repeats.h"

#include <string.h>

#include "classfile/descriptor.h"
#include "instrument/quiet.h"
#include "instrument/targets.h"

enum {
    LOOPS_MAX = 32,
    OPEN_MAX = 256, /* so many loops are looked at that cannot be used because of handlers */
    FLAGS_MAX = 12,
    NO_LOCAL = -1
};

/* From the first to the last instruction, in the order of the code. */
struct loop {
    uint32_t first, last;
};

/* A flag, and what it is for: a field of the object in a local (or of a class), and the kind of
   access. */
struct flag {
    int32_t object; /* local; NO_LOCAL for a static field */
    uint16_t constant;
    bool write;
    uint16_t local;
};

struct repeats {
    struct loop loops[LOOPS_MAX];
    uint32_t loop_count;
    uint32_t *stored; /* by local: a bit for each loop that stores to it */
    struct flag flags[FLAGS_MAX];
    uint32_t flag_count;
};

/* ---- loops ---- */

static bool is_inside(const struct loop *loop, uint32_t instruction)
{
    return instruction >= loop->first && instruction <= loop->last;
}

/* A handler in the loop must be for exceptions of the loop only: nothing is cleared on its way. */
static bool is_closed(const struct bytecode *bytecode, const struct loop *loop)
{
    for (uint32_t i = 0; i < bytecode->code->handler_count; i++) {
        const struct handler *handler = &bytecode->handlers[i];
        if (is_inside(loop, handler->handler) &&
            (handler->start < loop->first || handler->end > loop->last + 1))
            return false;
    }
    return true;
}

/* A write of an instance field of another class, whose check finds out whether it is volatile. */
static bool is_seen_when_checked(const struct instrument_class *owner,
                                 const struct instruction *instruction)
{
    if (instruction->opcode != OP_PUTFIELD || owner->interface)
        return false;
    const struct member_reference field =
        class_member_reference(owner->editor->class_file, instruction->operand);
    uint16_t access;
    return !fields_find_own(owner, &field, &access);
}

static bool is_quiet(struct instrument_method *method, uint32_t instruction)
{
    const struct instruction *code = &method->edit->bytecode.instructions[instruction];
    return quiet_releases_nothing(method->owner, code) || is_seen_when_checked(method->owner, code);
}

/* The first from this instruction on that is not yet known to be quiet. */
static uint32_t skip_quiet(uint32_t *next, uint32_t instruction)
{
    while (next[instruction] != instruction) {
        next[instruction] = next[next[instruction]];
        instruction = next[instruction];
    }
    return instruction;
}

/* Loops may have most of their code in common: what was quiet in one is not asked about again.
   `next`: by instruction, itself if it is not known to be quiet; else one behind it, all before
   which are. */
static bool is_quiet_loop(struct instrument_method *method, const struct loop *loop, uint32_t *next)
{
    for (uint32_t i = skip_quiet(next, loop->first); i <= loop->last; i = skip_quiet(next, i)) {
        if (!is_quiet(method, i))
            return false;
        next[i] = i + 1;
    }
    return true;
}

/* The end included. NULL if memory ran out. */
static uint32_t *know_nothing(const struct instrument_method *method)
{
    const uint32_t count = method->edit->bytecode.count;
    uint32_t *next = ARENA_ARRAY(method->edit->arena, uint32_t, (size_t)count + 1);
    for (uint32_t i = 0; next && i <= count; i++)
        next[i] = i;
    return next;
}

/* False if memory ran out. */
static bool find_loops(struct instrument_method *method, struct repeats *repeats)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    uint32_t *next = NULL;
    uint32_t open_count = 0;
    for (uint32_t i = 0;
         i < bytecode->branch_count && repeats->loop_count < LOOPS_MAX && open_count < OPEN_MAX;
         i++) {
        const uint32_t last = bytecode->branches[i];
        const struct loop loop = {bytecode->instructions[last].target, last};
        if (loop.first > last)
            continue;
        if (!next && !(next = know_nothing(method)))
            return false;
        if (!is_quiet_loop(method, &loop, next))
            continue;
        if (is_closed(bytecode, &loop))
            repeats->loops[repeats->loop_count++] = loop;
        else
            open_count++;
    }
    return true;
}

/* The local that the instruction changes, or NO_LOCAL; `slots` of it. */
static int32_t stored_local(const struct instruction *instruction, unsigned *slots)
{
    const unsigned opcode = instruction->opcode;
    *slots = 1;
    if (opcode == OP_IINC || (opcode >= OP_ISTORE && opcode <= OP_ASTORE)) {
        *slots += opcode == OP_LSTORE || opcode == OP_DSTORE;
        return instruction->operand;
    }
    if (opcode < OP_ISTORE_0 || opcode > OP_ASTORE_3)
        return NO_LOCAL;
    const unsigned kind = (opcode - OP_ISTORE_0) / 4;
    *slots += kind == 1 || kind == 3;
    return (int32_t)((opcode - OP_ISTORE_0) % 4);
}

static void find_stores(const struct bytecode *bytecode, struct repeats *repeats)
{
    _Static_assert(LOOPS_MAX <= 32, "a loop has no bit");
    for (uint32_t k = 0; k < repeats->loop_count; k++)
        for (uint32_t i = repeats->loops[k].first; i <= repeats->loops[k].last; i++) {
            unsigned slots;
            const int32_t stored = stored_local(&bytecode->instructions[i], &slots);
            for (unsigned j = 0; stored != NO_LOCAL && j < slots; j++)
                repeats->stored[(uint32_t)stored + j] |= UINT32_C(1) << k;
        }
}

/* ---- flags ---- */

/* What a flag would be for at this instruction; false if it is no such access. */
static bool describe(const struct instrument_method *method, uint32_t instruction,
                     struct flag *flag)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    const struct instruction *access = &bytecode->instructions[instruction];
    *flag = (struct flag){.object = NO_LOCAL, .constant = access->operand};
    switch (access->opcode) {
    case OP_PUTSTATIC:
        flag->write = true;
        return quiet_is_plain(method->owner, access->operand);
    case OP_GETSTATIC:
        return quiet_is_plain(method->owner, access->operand);
    case OP_PUTFIELD:
        flag->write = true;
        break;
    case OP_GETFIELD:
        break;
    default:
        return false;
    }
    uint16_t access_flags = 0;
    const struct member_reference field =
        class_member_reference(bytecode->class_file, access->operand);
    const bool own = fields_find_own(method->owner, &field, &access_flags);
    if (own ? access_flags & (ACCESS_VOLATILE | ACCESS_FINAL) : method->owner->interface)
        return false;
    if (instrument_is_early(method, instruction) || (flag->write && method->is_constructor))
        return false;
    const unsigned below = flag->write ? descriptor_slots(field.descriptor) : 0;
    const struct origin object = origins_operand(&method->origins, instruction, below);
    if (object.kind == ORIGIN_THIS && method->this_kept)
        flag->object = 0;
    else if (object.local)
        flag->object = object.slot;
    else
        return false;
    return true;
}

static bool has_loop(const struct repeats *repeats, uint32_t instruction, const struct flag *flag)
{
    const uint32_t stored = flag->object == NO_LOCAL ? 0 : repeats->stored[flag->object];
    for (uint32_t i = 0; i < repeats->loop_count; i++)
        if (is_inside(&repeats->loops[i], instruction) && !(stored >> i & 1))
            return true;
    return false;
}

static const struct flag *find_flag(const struct repeats *repeats, const struct flag *wanted)
{
    for (uint32_t i = 0; i < repeats->flag_count; i++) {
        const struct flag *flag = &repeats->flags[i];
        if (flag->object == wanted->object && flag->constant == wanted->constant &&
            flag->write == wanted->write)
            return flag;
    }
    return NULL;
}

static void find_flags(struct instrument_method *method, struct repeats *repeats)
{
    for (uint32_t i = 0; i < method->edit->bytecode.count; i++) {
        struct flag flag;
        if (repeats->flag_count == FLAGS_MAX)
            return;
        if (!describe(method, i, &flag) || !has_loop(repeats, i, &flag) ||
            find_flag(repeats, &flag))
            continue;
        flag.local = method_editor_new_kept_local(method->edit, TEXT("I"));
        repeats->flags[repeats->flag_count++] = flag;
    }
}

/* ---- clearing ---- */

static void clear_flags(const struct repeats *repeats, struct snippet *snippet)
{
    for (uint32_t i = 0; i < repeats->flag_count; i++) {
        snippet_push_int(snippet, 0);
        snippet_local(snippet, OP_ISTORE, repeats->flags[i].local);
    }
}

/* Whether the next instruction may be executed, or a branch taken, that leads from outside into the
   loop. */
static bool enters(const struct bytecode *bytecode, const struct loop *loop, uint32_t instruction)
{
    if (is_inside(loop, instruction))
        return false;
    const unsigned flow = opcode_infos[bytecode->instructions[instruction].opcode].flow;
    if (instruction + 1 == loop->first && flow != FLOW_GOTO && flow != FLOW_SWITCH &&
        flow != FLOW_RETURN && flow != FLOW_THROW)
        return true;
    const uint32_t count = targets_count(bytecode, instruction);
    for (uint32_t i = 0; i < count; i++)
        if (is_inside(loop, targets_at(bytecode, instruction, i)))
            return true;
    return false;
}

static bool plan_clearing(struct instrument_method *method, const struct repeats *repeats)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    struct snippet *snippet = instrument_snippet(method);
    clear_flags(repeats, snippet);
    if (!method_editor_at_entry(method->edit, snippet))
        return false;
    for (uint32_t i = 0; i < bytecode->count; i++) {
        bool clear = false;
        for (uint32_t k = 0; k < repeats->loop_count && !clear; k++)
            clear = enters(bytecode, &repeats->loops[k], i);
        if (clear && !method_editor_before(method->edit, i, snippet))
            return false;
    }
    return true;
}

bool repeats_begin(struct instrument_method *method)
{
    const struct bytecode *bytecode = &method->edit->bytecode;
    struct arena *arena = method->edit->arena;
    struct repeats repeats;
    repeats.loop_count = repeats.flag_count = 0;
    if (!find_loops(method, &repeats))
        return false;
    if (!repeats.loop_count)
        return true;
    repeats.stored = arena_allocate_zeroed(
        arena, bytecode->code->max_locals * sizeof *repeats.stored, alignof(uint32_t));
    if (!repeats.stored)
        return false;
    find_stores(bytecode, &repeats);
    find_flags(method, &repeats);
    if (!repeats.flag_count)
        return true;
    method->repeats = arena_copy(arena, &repeats, sizeof repeats, alignof(struct repeats));
    return method->repeats && plan_clearing(method, method->repeats);
}

int32_t repeats_flag(const struct instrument_method *method, uint32_t instruction)
{
    const struct repeats *repeats = method->repeats;
    struct flag wanted;
    if (!repeats || !describe(method, instruction, &wanted) ||
        !has_loop(repeats, instruction, &wanted))
        return -1;
    const struct flag *flag = find_flag(repeats, &wanted);
    return flag ? flag->local : -1;
}

bool repeats_may_end(const struct instrument_method *method, uint32_t instruction)
{
    const struct repeats *repeats = method->repeats;
    if (!repeats ||
        !is_seen_when_checked(method->owner, &method->edit->bytecode.instructions[instruction]))
        return false;
    for (uint32_t i = 0; i < repeats->loop_count; i++)
        if (is_inside(&repeats->loops[i], instruction))
            return true;
    return false;
}

void repeats_clear(const struct instrument_method *method, struct snippet *snippet)
{
    clear_flags(method->repeats, snippet);
}
