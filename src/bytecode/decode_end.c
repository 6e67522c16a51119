#include "bytecode/decode_internal.h"

/* ---- handlers ---- */

static bool place_of(struct decoder *decoder, uint32_t offset, uint32_t *number)
{
    *number = bytecode_number_at(decoder->bytecode, offset);
    return *number != INSTRUCTION_NONE;
}

bool decoder_read_handlers(struct decoder *decoder)
{
    struct bytecode *bytecode = decoder->bytecode;
    const struct code *code = decoder->code;
    if (!code->handler_count)
        return true;
    bytecode->handlers = ARENA_ARRAY(decoder->arena, struct handler, code->handler_count);
    if (!bytecode->handlers)
        return decoder_fail_memory(decoder);
    for (uint32_t i = 0; i < code->handler_count; i++) {
        const struct exception_handler *from = &code->handlers[i];
        struct handler *handler = &bytecode->handlers[i];
        if (from->start >= from->end || !place_of(decoder, from->start, &handler->start) ||
            !place_of(decoder, from->end, &handler->end))
            return decoder_fail(decoder, from->start,
                                "exception handler %u covers %u to %u, which are "
                                "not instructions in this order",
                                i, from->start, from->end);
        if (!place_of(decoder, from->handler, &handler->handler) ||
            handler->handler == bytecode->count)
            return decoder_fail(decoder, from->handler,
                                "exception handler %u starts inside an instruction "
                                "or behind the code",
                                i);
        if (from->catch_type != 0 &&
            (from->catch_type >= decoder->class_file->constant_count ||
             decoder->class_file->constants[from->catch_type].tag != CONSTANT_CLASS))
            return decoder_fail(decoder, from->handler,
                                "exception handler %u catches constant %u, which "
                                "is not a class",
                                i, from->catch_type);
        handler->catch_type = from->catch_type;
    }
    return true;
}

/* ---- the end of the code ---- */

/* A walk over instructions that may be executed. It takes it that every subroutine returns. */
struct walk {
    bool *seen;
    uint32_t *pending;
    uint32_t pending_count;
    uint32_t *before; /* for each instruction, how many of those before it were seen */
};

/* Handlers that cover only what other handlers lead to take another round. Behind the last one
   every handler counts as used, which keeps the walk linear for any table of handlers. */
enum { MOST_ROUNDS = 16 };

static void walk_visit(struct walk *walk, const struct bytecode *bytecode, uint32_t number)
{
    if (number < bytecode->count && !walk->seen[number]) {
        walk->seen[number] = true;
        walk->pending[walk->pending_count++] = number;
    }
}

static void walk_step(struct walk *walk, const struct bytecode *bytecode, uint32_t number)
{
    const struct instruction *instruction = &bytecode->instructions[number];
    const uint8_t flow = opcode_infos[instruction->opcode].flow;
    if (flow == FLOW_BRANCH || flow == FLOW_GOTO || flow == FLOW_CALL)
        walk_visit(walk, bytecode, instruction->target);
    if (flow == FLOW_NEXT || flow == FLOW_BRANCH || flow == FLOW_CALL)
        walk_visit(walk, bytecode, number + 1);
    if (flow == FLOW_SWITCH) {
        const struct switch_table *table = &bytecode->switches[instruction->target];
        walk_visit(walk, bytecode, table->default_target);
        for (uint32_t i = 0; i < table->count; i++)
            walk_visit(walk, bytecode, table->targets[i]);
    }
}

/* Visits the handlers of what was seen, or all. */
static void walk_visit_handlers(struct walk *walk, const struct bytecode *bytecode, bool all)
{
    walk->before[0] = 0;
    for (uint32_t i = 0; i < bytecode->count; i++)
        walk->before[i + 1] = walk->before[i] + walk->seen[i];
    for (uint32_t i = 0; i < bytecode->code->handler_count; i++) {
        const struct handler *handler = &bytecode->handlers[i];
        if (all || walk->before[handler->start] < walk->before[handler->end])
            walk_visit(walk, bytecode, handler->handler);
    }
}

static bool walk_from(struct decoder *decoder, struct walk *walk, uint32_t start)
{
    const struct bytecode *bytecode = decoder->bytecode;
    walk->seen =
        arena_allocate_zeroed(decoder->arena, bytecode->count * sizeof *walk->seen, alignof(bool));
    walk->pending = ARENA_ARRAY(decoder->arena, uint32_t, bytecode->count);
    walk->pending_count = 0;
    walk->before = ARENA_ARRAY(decoder->arena, uint32_t, bytecode->count + 1);
    if (!walk->seen || !walk->pending || !walk->before)
        return decoder_fail_memory(decoder);
    walk_visit(walk, bytecode, start);
    for (unsigned round = 1; walk->pending_count > 0; round++) {
        while (walk->pending_count > 0)
            walk_step(walk, bytecode, walk->pending[--walk->pending_count]);
        walk_visit_handlers(walk, bytecode, round >= MOST_ROUNDS);
    }
    return true;
}

/* Old files may end in dead code, or in a jsr that never comes back: the old verifier looks at what
   is executed only. */
static bool check_old_end(struct decoder *decoder)
{
    struct bytecode *bytecode = decoder->bytecode;
    const uint32_t last = bytecode->count - 1;
    const struct instruction *instruction = &bytecode->instructions[last];
    struct walk walk;
    if (!walk_from(decoder, &walk, 0))
        return false;
    if (!walk.seen[last])
        return true;
    if (opcode_infos[instruction->opcode].flow == FLOW_CALL) {
        if (!walk_from(decoder, &walk, instruction->target))
            return false;
        bool returns = false;
        for (uint32_t i = 0; i < bytecode->count; i++)
            returns |= walk.seen[i] && bytecode->instructions[i].opcode == OP_RET;
        if (!returns)
            return true;
    }
    return decoder_fail(decoder, instruction->offset, "execution runs past the end of the code");
}

bool decoder_check_end(struct decoder *decoder)
{
    const struct instruction *last = &decoder->bytecode->instructions[decoder->bytecode->count - 1];
    switch ((enum opcode_flow)opcode_infos[last->opcode].flow) {
    case FLOW_GOTO:
    case FLOW_SWITCH:
    case FLOW_RET:
    case FLOW_RETURN:
    case FLOW_THROW:
        return true;
    default:
        break;
    }
    if (decoder->class_file->major < MAJOR_NO_SUBROUTINES)
        return check_old_end(decoder);
    return decoder_fail(decoder, last->offset, "execution runs past the end of the code");
}
