#include "instrument/telling.h"

#include "instrument/batches.h"
#include "instrument/repeats.h"

static bool is_saved(const struct instrument_method *method, uint32_t instruction)
{
    const struct batched batched = batches_at(method, instruction);
    return batched.answer != BATCH_ALONE || batched.as != instruction;
}

bool telling_differs(const struct instrument_method *method, uint32_t instruction)
{
    return method->telling >= 0 && is_saved(method, instruction);
}

void telling_refresh(const struct instrument_method *method, struct snippet *snippet)
{
    if (method->telling < 0)
        return;
    instrument_call_hook(snippet, "telling", "()I");
    snippet_local(snippet, OP_ISTORE, (uint16_t)method->telling);
}

void telling_branch(const struct instrument_method *method, struct snippet *snippet, bool tells,
                    snippet_label to)
{
    snippet_local(snippet, OP_ILOAD, (uint16_t)method->telling);
    snippet_branch(snippet, tells ? OP_IFNE : OP_IFEQ, to);
}

void telling_clear(const struct instrument_method *method, struct snippet *snippet)
{
    if (method->telling < 0)
        return;
    const snippet_label silent = snippet_new_label(snippet);
    telling_branch(method, snippet, false, silent);
    snippet_add(snippet, OP_POP);
    snippet_push_int(snippet, 0);
    snippet_bind(snippet, silent);
}

bool telling_begin(struct instrument_method *method)
{
    uint32_t instruction = 0;
    const uint32_t count = method->edit->bytecode.count;
    if (!method->owner->instrument->sampled)
        return true;
    while (instruction < count && !is_saved(method, instruction))
        instruction++;
    if (instruction == count && !method->repeats)
        return true;
    method->telling = method_editor_new_kept_local(method->edit, TEXT("I"));
    struct snippet *snippet = instrument_snippet(method);
    telling_refresh(method, snippet);
    return method_editor_at_entry(method->edit, snippet);
}
