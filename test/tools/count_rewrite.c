/*
 * count_rewrite: rewrites classes so that they count what they do, through
 * test/java/rewrite/Counter.
 *
 *     count_rewrite [--instructions] OUT PATH...
 *
 * Each method calls Counter.entry, exit or thrown with its name when it is entered, returns, or is
 * left by an exception; with --instructions, Counter.instructions is incremented before every
 * instruction. Prints what had to stay as it was. Exit status 0, or 2 if something went wrong.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/builder.h"
#include "base/diagnostics.h"
#include "classfile/input.h"
#include "rewrite/class_rewriter.h"
#include "tools.h"

struct tool {
    const char *directory;
    bool instructions;
    bool failed;
    struct class_rewriter rewriter;
    struct diagnostics diagnostics;
    struct builder name;
    struct snippet snippet;
    unsigned long changed, left;
};

static struct snippet *call(struct tool *tool, struct class_editor *editor, struct text function)
{
    snippet_clear(&tool->snippet);
    tool->snippet.editor = editor;
    snippet_push_string(&tool->snippet, builder_text(&tool->name));
    snippet_call(&tool->snippet, OP_INVOKESTATIC, TEXT("Counter"), function,
                 TEXT("(Ljava/lang/String;)V"), false);
    return &tool->snippet;
}

static struct snippet *increment(struct tool *tool, struct class_editor *editor)
{
    snippet_clear(&tool->snippet);
    tool->snippet.editor = editor;
    snippet_field(&tool->snippet, OP_GETSTATIC, TEXT("Counter"), TEXT("instructions"), TEXT("J"));
    snippet_push_long(&tool->snippet, 1);
    snippet_add(&tool->snippet, OP_LADD);
    snippet_field(&tool->snippet, OP_PUTSTATIC, TEXT("Counter"), TEXT("instructions"), TEXT("J"));
    return &tool->snippet;
}

static bool visit_method(void *context, struct method_editor *edit)
{
    struct tool *tool = context;
    const struct class_file *class_file = edit->editor->class_file;
    builder_clear(&tool->name);
    builder_add(&tool->name, class_this_name(class_file));
    builder_add_byte(&tool->name, '.');
    builder_add(&tool->name, class_utf8(class_file, edit->method->name));
    builder_add(&tool->name, class_utf8(class_file, edit->method->descriptor));
    method_editor_at_entry(edit, call(tool, edit->editor, TEXT("entry")));
    method_editor_at_return(edit, call(tool, edit->editor, TEXT("exit")));
    method_editor_at_throw(edit, call(tool, edit->editor, TEXT("thrown")));
    if (tool->instructions) {
        const struct snippet *snippet = increment(tool, edit->editor);
        for (uint32_t i = 0; i < edit->bytecode.count; i++)
            method_editor_before(edit, i, snippet);
    }
    tool->changed++;
    return true;
}

static void tell_left(void *context, const struct class_file *class_file,
                      const struct member *method, enum class_left reason,
                      const struct problem *problem)
{
    struct tool *tool = context;
    struct text class_name = class_this_name(class_file);
    struct text name = method ? class_utf8(class_file, method->name) : TEXT("(all)");
    tool->left++;
    printf("left as it was: %.*s.%.*s: %s%s%s\n", TEXT_ARGUMENTS(class_name), TEXT_ARGUMENTS(name),
           class_left_text(reason), problem->set ? ": " : "", problem->set ? problem->reason : "");
}

static void write_class(struct tool *tool, struct text entry, const void *bytes, size_t size)
{
    struct builder path;
    builder_init(&path);
    builder_add_format(&path, "%s/%.*s", tool->directory, TEXT_ARGUMENTS(entry));
    FILE *file = fopen(builder_string(&path), "wb");
    bool good = file && fwrite(bytes, 1, size, file) == size;
    if ((file && fclose(file) != 0) || !good) {
        fprintf(stderr, "count_rewrite: %s cannot be written\n", builder_string(&path));
        tool->failed = true;
    }
    builder_release(&path);
}

static void take_class(void *context, const struct input_class *input)
{
    struct tool *tool = context;
    struct problem problem;
    problem_clear(&problem);
    const struct class_visitor visitor = {
        .context = tool, .method = visit_method, .left = tell_left};
    switch (class_rewriter_run(&tool->rewriter, input->bytes, input->size, &visitor, &problem)) {
    case CLASS_REWRITTEN:
        write_class(tool, input->entry, tool->rewriter.writer.bytes, tool->rewriter.writer.size);
        return;
    case CLASS_UNREADABLE:
        diagnostics_problem(&tool->diagnostics, DIAGNOSTICS_ERROR, input->path, &problem);
        break;
    default:
        break;
    }
    write_class(tool, input->entry, input->bytes, input->size);
}

int tool_count_rewrite(int argument_count, char **arguments)
{
    struct tool tool = {0};
    const struct input_options options = {.workers = 1};
    int next = 1;
    if (next < argument_count && strcmp(arguments[next], "--instructions") == 0) {
        tool.instructions = true;
        next++;
    }
    if (argument_count - next < 2) {
        fprintf(stderr, "usage: count_rewrite [--instructions] OUT PATH...\n");
        return 2;
    }
    tool.directory = arguments[next++];
    mkdir(tool.directory, 0777);
    class_rewriter_init(&tool.rewriter);
    diagnostics_init(&tool.diagnostics, stderr, DIAGNOSTICS_COLOR_AUTO);
    builder_init(&tool.name);
    snippet_init(&tool.snippet, NULL);
    for (; next < argument_count; next++)
        input_walk(arguments[next], &options, &tool.diagnostics, take_class, &tool);
    printf("%lu methods rewritten, %lu left as they were\n", tool.changed - tool.left, tool.left);
    bool failed = tool.failed || tool.diagnostics.errors;
    snippet_release(&tool.snippet);
    builder_release(&tool.name);
    diagnostics_release(&tool.diagnostics);
    class_rewriter_release(&tool.rewriter);
    return failed ? 2 : 0;
}
