#include "rewrite/class_rewriter.h"

#include <string.h>

#include "classfile/class_reader.h"
#include "classfile/class_writer.h"

const char *class_left_text(enum class_left reason)
{
    switch (reason) {
    case CLASS_LEFT_TOO_LARGE:
        return "a limit would be passed";
    case CLASS_LEFT_BAD_CODE:
        return "the code is bad";
    case CLASS_LEFT_BAD_PLAN:
        return "the insertion is not possible";
    case CLASS_LEFT_POOL_FULL:
        return "the constant pool is full";
    case CLASS_LEFT_NO_MEMORY:
        break;
    }
    return "out of memory";
}

void class_rewriter_init(struct class_rewriter *rewriter)
{
    memset(rewriter, 0, sizeof *rewriter);
    arena_init(&rewriter->arena);
    arena_init(&rewriter->scratch);
    writer_init(&rewriter->writer);
}

void class_rewriter_release(struct class_rewriter *rewriter)
{
    arena_release(&rewriter->arena);
    arena_release(&rewriter->scratch);
    writer_release(&rewriter->writer);
}

/* One class in hand. */
struct pass {
    struct class_rewriter *rewriter;
    const struct class_visitor *visitor;
    struct class_editor editor;
    struct type_table types;
    uint32_t changed_methods;
};

static void tell_left(const struct pass *pass, const struct member *method, enum class_left reason,
                      const struct problem *problem)
{
    if (pass->visitor->left)
        pass->visitor->left(pass->visitor->context, pass->editor.class_file, method, reason,
                            problem);
}

static bool no_memory(const struct pass *pass)
{
    return pass->editor.out_of_memory || pass->rewriter->arena.failed ||
           pass->rewriter->scratch.failed;
}

static void tell_placed(const struct pass *pass, const struct method_editor *edit)
{
    if (pass->visitor->placed)
        pass->visitor->placed(pass->visitor->context, edit);
}

static void rewrite_method(struct pass *pass, struct member *method)
{
    const struct class_visitor *visitor = pass->visitor;
    struct problem problem;
    struct method_editor edit;
    problem_clear(&problem);
    arena_clear(&pass->rewriter->scratch);
    if (!method_editor_init(&edit, &pass->editor, method, &pass->rewriter->scratch, &pass->types,
                            &problem)) {
        if (!no_memory(pass))
            tell_left(pass, method, CLASS_LEFT_BAD_CODE, &problem);
        return;
    }
    if (!visitor->method(visitor->context, &edit))
        return;
    switch (method_editor_apply(&edit, &problem)) {
    case REWRITE_DONE:
        pass->changed_methods++;
        tell_placed(pass, &edit);
        break;
    case REWRITE_UNCHANGED:
        tell_placed(pass, &edit);
        break;
    case REWRITE_TOO_LARGE:
        tell_left(pass, method, CLASS_LEFT_TOO_LARGE, &problem);
        break;
    case REWRITE_FAILED:
        /* What concerns the whole class is told once, at the end. */
        if (!no_memory(pass) && !class_editor_failed(&pass->editor))
            tell_left(pass, method, edit.problem.set ? CLASS_LEFT_BAD_PLAN : CLASS_LEFT_BAD_CODE,
                      &problem);
        break;
    }
}

static void rewrite_methods(struct pass *pass)
{
    struct class_file *class_file = pass->editor.class_file;
    if (!pass->visitor->method)
        return;
    for (uint32_t i = 0; i < class_file->method_count; i++) {
        if (!member_code(&class_file->methods[i]))
            continue;
        rewrite_method(pass, &class_file->methods[i]);
        if (no_memory(pass) || class_editor_failed(&pass->editor))
            return;
    }
}

/* How much of everything but constants a class has. */
struct extent {
    uint32_t fields, methods, attributes;
};

/* Without BootstrapMethods, which belongs to the constants that name its entries. */
static struct extent measure(const struct class_file *class_file)
{
    struct extent extent = {.fields = class_file->field_count,
                            .methods = class_file->method_count,
                            .attributes = class_file->attributes.count};
    if (attributes_find(&class_file->attributes, ATTRIBUTE_BOOTSTRAP_METHODS))
        extent.attributes--;
    for (uint32_t i = 0; i < class_file->field_count; i++)
        extent.attributes += class_file->fields[i].attributes.count;
    for (uint32_t i = 0; i < class_file->method_count; i++)
        extent.attributes += class_file->methods[i].attributes.count;
    return extent;
}

/* A snippet's constants stay in the pool when the methods that it was made for had to stay as they
   were: they alone are no reason to give the class other bytes. */
static bool is_changed(const struct pass *pass, const struct extent *before)
{
    if (pass->changed_methods)
        return true;
    const struct extent now = measure(pass->editor.class_file);
    return now.fields != before->fields || now.methods != before->methods ||
           now.attributes != before->attributes;
}

static enum class_rewritten finish(struct pass *pass, const struct extent *before)
{
    struct class_rewriter *rewriter = pass->rewriter;
    struct problem problem;
    problem_clear(&problem);
    if (!no_memory(pass) && !pass->editor.pool_full) {
        if (!is_changed(pass, before))
            return CLASS_UNCHANGED;
        class_write(&rewriter->writer, pass->editor.class_file);
        if (!rewriter->writer.failed)
            return CLASS_REWRITTEN;
    }
    tell_left(pass, NULL, pass->editor.pool_full ? CLASS_LEFT_POOL_FULL : CLASS_LEFT_NO_MEMORY,
              &problem);
    return CLASS_LEFT;
}

static enum class_rewritten rewrite_class(struct pass *pass)
{
    const struct class_visitor *visitor = pass->visitor;
    const struct extent before = measure(pass->editor.class_file);
    bool wanted = !visitor->begin || visitor->begin(visitor->context, &pass->editor);
    if (wanted && !no_memory(pass) && !class_editor_failed(&pass->editor))
        rewrite_methods(pass);
    if (visitor->end)
        visitor->end(visitor->context, &pass->editor);
    return wanted ? finish(pass, &before) : CLASS_UNCHANGED;
}

enum class_rewritten class_rewriter_run(struct class_rewriter *rewriter, const void *bytes,
                                        size_t size, const struct class_visitor *visitor,
                                        struct problem *problem)
{
    struct pass pass = {.rewriter = rewriter, .visitor = visitor};
    arena_clear(&rewriter->arena);
    arena_clear(&rewriter->scratch);
    writer_clear(&rewriter->writer);
    struct class_file *class_file = class_read(&rewriter->arena, bytes, size, problem);
    if (!class_file)
        return CLASS_UNREADABLE;
    enum class_rewritten result = CLASS_UNREADABLE;
    class_editor_init(&pass.editor, class_file);
    if (type_table_init(&pass.types, &rewriter->arena, rewriter->hierarchy))
        result = rewrite_class(&pass);
    else
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
    type_table_release(&pass.types);
    class_editor_release(&pass.editor);
    return result;
}
