#include "agent/nop.h"

#include <stdatomic.h>

static _Atomic uint64_t rewritten;

static bool begin_class(void *context, struct class_editor *editor)
{
    struct snippet *nop = context;
    snippet_init(nop, editor);
    snippet_add(nop, OP_NOP);
    return true;
}

static bool plan_method(void *context, struct method_editor *edit)
{
    struct snippet *nop = context;
    for (uint32_t i = 0; i < edit->bytecode.count; i++)
        method_editor_before(edit, i, nop);
    return method_editor_at_entry(edit, nop) && method_editor_at_return(edit, nop) &&
           method_editor_at_throw(edit, nop);
}

static void end_class(void *context, struct class_editor *editor)
{
    (void)editor;
    snippet_release(context);
}

enum class_rewritten nop_rewrite(struct class_rewriter *rewriter, const void *bytes, size_t size,
                                 void (*left)(void *context, const struct class_file *class_file,
                                              const struct member *method, enum class_left reason,
                                              const struct problem *problem),
                                 struct problem *problem)
{
    struct snippet nop;
    struct class_visitor visitor = {.context = &nop,
                                    .begin = begin_class,
                                    .method = plan_method,
                                    .end = end_class,
                                    .left = left};
    enum class_rewritten result = class_rewriter_run(rewriter, bytes, size, &visitor, problem);
    if (result == CLASS_REWRITTEN)
        atomic_fetch_add(&rewritten, 1);
    return result;
}

uint64_t nop_count(void)
{
    return atomic_load(&rewritten);
}
