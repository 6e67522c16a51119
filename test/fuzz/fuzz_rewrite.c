/*
 * Any bytes as a class to be rewritten. What comes out must be a class whose code can be decoded
 * again, and a method that could not be rewritten must be as it was.
 */
#include <stdlib.h>
#include <string.h>

#include "base/writer.h"
#include "classfile/class_reader.h"
#include "classfile/class_writer.h"
#include "rewrite/method_editor.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void fill_branchy(struct snippet *snippet)
{
    snippet_label end = snippet_new_label(snippet);
    snippet_add(snippet, OP_ICONST_0);
    snippet_branch(snippet, OP_IFEQ, end);
    snippet_call(snippet, OP_INVOKESTATIC, TEXT("java/lang/System"), TEXT("gc"), TEXT("()V"),
                 false);
    snippet_bind(snippet, end);
}

static void rewrite_method(struct class_editor *editor, struct member *method,
                           struct arena *scratch, const struct snippet *plain,
                           const struct snippet *branchy)
{
    struct problem problem;
    problem_clear(&problem);
    struct method_editor edit;
    if (!method_editor_init(&edit, editor, method, scratch, NULL, &problem))
        return;
    for (uint32_t i = 0; i < edit.bytecode.count; i++) {
        method_editor_before(&edit, i, i % 4 == 0 ? branchy : plain);
        uint8_t flow = opcode_infos[edit.bytecode.instructions[i].opcode].flow;
        if (flow == FLOW_NEXT || flow == FLOW_BRANCH)
            method_editor_after(&edit, i, plain);
    }
    method_editor_at_entry(&edit, branchy);
    method_editor_at_return(&edit, plain);
    method_editor_at_throw(&edit, branchy);
    const struct code before = *member_code(method);
    enum rewrite_result result = method_editor_apply(&edit, &problem);
    if (result != REWRITE_DONE && memcmp(member_code(method), &before, sizeof before) != 0)
        abort();
}

static void check_again(const struct writer *writer)
{
    struct arena arena;
    arena_init(&arena);
    struct problem problem;
    problem_clear(&problem);
    if (!class_read(&arena, writer->bytes, writer->size, &problem))
        abort();
    arena_release(&arena);
}

static void rewrite_class(struct class_file *class_file, struct arena *scratch)
{
    struct class_editor editor;
    class_editor_init(&editor, class_file);
    struct snippet plain, branchy;
    snippet_init(&plain, &editor);
    snippet_init(&branchy, &editor);
    snippet_add(&plain, OP_NOP);
    fill_branchy(&branchy);
    for (uint16_t i = 0; i < class_file->method_count; i++) {
        arena_clear(scratch);
        if (member_code(&class_file->methods[i]))
            rewrite_method(&editor, &class_file->methods[i], scratch, &plain, &branchy);
    }
    if (!class_editor_failed(&editor)) {
        struct writer writer;
        writer_init(&writer);
        class_write(&writer, class_file);
        if (!writer.failed)
            check_again(&writer);
        writer_release(&writer);
    }
    snippet_release(&plain);
    snippet_release(&branchy);
    class_editor_release(&editor);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena arena, scratch;
    arena_init(&arena);
    arena_init(&scratch);
    struct problem problem;
    problem_clear(&problem);
    struct class_file *class_file = class_read(&arena, bytes, size, &problem);
    if (class_file)
        rewrite_class(class_file, &scratch);
    arena_release(&scratch);
    arena_release(&arena);
    return 0;
}
