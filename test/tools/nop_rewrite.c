/*
 * nop_rewrite: rewrites every class of some jars with insertions that do nothing.
 *
 *     nop_rewrite [--out DIR] [--what LIST] [--release N] [--workers N] [--quiet] PATH...
 *
 * LIST, separated by commas: before, after, replace (every instruction that has a next one), entry,
 * return, throw; all (before,entry,return,throw; the default); branchy (all six with snippets that
 * branch and use scratch and kept locals, so that new frames are needed everywhere); none (just
 * read and write).
 *
 * Writes the classes to DIR, prints counts and whatever had to stay as it was. Exit status 0, or 2
 * if something could not be read or written.
 */
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/builder.h"
#include "base/diagnostics.h"
#include "base/parallel.h"
#include "classfile/input.h"
#include "rewrite/class_rewriter.h"
#include "tools.h"

enum what {
    WHAT_BEFORE = 1,
    WHAT_AFTER = 2,
    WHAT_REPLACE = 4,
    WHAT_ENTRY = 8,
    WHAT_RETURN = 16,
    WHAT_THROW = 32,
    WHAT_BRANCHY = 64
};

struct counts {
    unsigned long classes, rewritten_classes, left_classes;
    unsigned long methods, instructions, left_methods;
    unsigned long bytes_in, bytes_out;
};

struct tool;

struct worker {
    struct tool *tool;
    struct class_rewriter rewriter;
    struct builder path;
    struct counts counts;
    struct snippet nop;
    struct snippet work;
    struct text input_path;
};

struct tool {
    const char *directory;
    unsigned what;
    bool quiet;
    struct worker *workers;
    struct diagnostics diagnostics;
    pthread_mutex_t mutex;
    unsigned failures;
};

/* ---- snippets that do nothing, with branches ---- */

/* if (kept != 0) nop; */
static void add_forward(struct snippet *snippet, uint16_t kept)
{
    snippet_label end = snippet_new_label(snippet);
    snippet_local(snippet, OP_ILOAD, kept);
    snippet_branch(snippet, OP_IFEQ, end);
    snippet_add(snippet, OP_NOP);
    snippet_bind(snippet, end);
}

/* for (scratch = 1; --scratch != 0;) */
static void add_loop(struct snippet *snippet, uint16_t scratch)
{
    snippet_label start = snippet_new_label(snippet);
    snippet_add(snippet, OP_ICONST_1);
    snippet_local(snippet, OP_ISTORE, scratch);
    snippet_bind(snippet, start);
    snippet_increment(snippet, scratch, -1);
    snippet_local(snippet, OP_ILOAD, scratch);
    snippet_branch(snippet, OP_IFNE, start);
}

static struct snippet *fresh(struct worker *worker)
{
    snippet_clear(&worker->work);
    return &worker->work;
}

static void plan_branchy_places(struct worker *worker, struct method_editor *edit, uint32_t i,
                                uint16_t kept, uint16_t scratch)
{
    const struct instruction *instruction = &edit->bytecode.instructions[i];
    unsigned flow = opcode_infos[instruction->opcode].flow;
    struct snippet *snippet = fresh(worker);
    if (i % 2)
        add_forward(snippet, kept);
    else
        add_loop(snippet, scratch);
    method_editor_before(edit, i, snippet);
    if (flow == FLOW_NEXT && i % 4 == 1) {
        snippet = fresh(worker);
        add_forward(snippet, kept);
        snippet_copy(snippet, instruction);
        method_editor_replace(edit, i, snippet);
    }
    if ((flow == FLOW_NEXT || flow == FLOW_BRANCH) && i % 3 == 0) {
        snippet = fresh(worker);
        add_forward(snippet, kept);
        method_editor_after(edit, i, snippet);
    }
}

static void plan_branchy(struct worker *worker, struct method_editor *edit)
{
    uint16_t kept = method_editor_new_kept_local(edit, TEXT("I"));
    uint16_t kept_text = method_editor_new_kept_local(edit, TEXT("Ljava/lang/String;"));
    uint16_t scratch = method_editor_new_local(edit, 1);
    struct snippet *snippet = fresh(worker);
    snippet_push_int(snippet, 7);
    snippet_local(snippet, OP_ISTORE, kept);
    snippet_push_string(snippet, TEXT("kept"));
    snippet_local(snippet, OP_ASTORE, kept_text);
    add_forward(snippet, kept);
    method_editor_at_entry(edit, snippet);
    for (uint32_t i = 0; i < edit->bytecode.count; i++)
        plan_branchy_places(worker, edit, i, kept, scratch);
    snippet = fresh(worker);
    snippet_label end = snippet_new_label(snippet);
    snippet_local(snippet, OP_ALOAD, kept_text);
    snippet_branch(snippet, OP_IFNULL, end);
    snippet_add(snippet, OP_NOP);
    snippet_bind(snippet, end);
    method_editor_at_return(edit, snippet);
    method_editor_at_throw(edit, snippet);
}

static void plan_nops(struct worker *worker, struct method_editor *edit)
{
    unsigned what = worker->tool->what;
    for (uint32_t i = 0; i < edit->bytecode.count; i++) {
        const struct instruction *instruction = &edit->bytecode.instructions[i];
        unsigned flow = opcode_infos[instruction->opcode].flow;
        if (what & WHAT_BEFORE)
            method_editor_before(edit, i, &worker->nop);
        if ((what & WHAT_REPLACE) && flow == FLOW_NEXT) {
            struct snippet *snippet = fresh(worker);
            snippet_add(snippet, OP_NOP);
            snippet_copy(snippet, instruction);
            method_editor_replace(edit, i, snippet);
        }
        if ((what & WHAT_AFTER) && (flow == FLOW_NEXT || flow == FLOW_BRANCH))
            method_editor_after(edit, i, &worker->nop);
    }
    if (what & WHAT_ENTRY)
        method_editor_at_entry(edit, &worker->nop);
    if (what & WHAT_RETURN)
        method_editor_at_return(edit, &worker->nop);
    if (what & WHAT_THROW)
        method_editor_at_throw(edit, &worker->nop);
}

/* ---- the visitor ---- */

static bool begin_class(void *context, struct class_editor *editor)
{
    struct worker *worker = context;
    worker->nop.editor = editor;
    worker->work.editor = editor;
    return true;
}

static bool visit_method(void *context, struct method_editor *edit)
{
    struct worker *worker = context;
    worker->counts.methods++;
    worker->counts.instructions += edit->bytecode.count;
    if (worker->tool->what & WHAT_BRANCHY)
        plan_branchy(worker, edit);
    else
        plan_nops(worker, edit);
    return true;
}

static void tell_left(void *context, const struct class_file *class_file,
                      const struct member *method, enum class_left reason,
                      const struct problem *problem)
{
    struct worker *worker = context;
    struct text class_name = class_this_name(class_file);
    struct text name = method ? class_utf8(class_file, method->name) : TEXT("(all)");
    struct text descriptor = method ? class_utf8(class_file, method->descriptor) : TEXT("");
    worker->counts.left_methods += method != NULL;
    if (worker->tool->quiet)
        return;
    pthread_mutex_lock(&worker->tool->mutex);
    printf("left as it was: %.*s.%.*s%.*s: %s%s%s\n", TEXT_ARGUMENTS(class_name),
           TEXT_ARGUMENTS(name), TEXT_ARGUMENTS(descriptor), class_left_text(reason),
           problem->set ? ": " : "", problem->set ? problem->reason : "");
    pthread_mutex_unlock(&worker->tool->mutex);
}

/* ---- files ---- */

static void fail_file(struct worker *worker, const char *path)
{
    pthread_mutex_lock(&worker->tool->mutex);
    worker->tool->failures++;
    fprintf(stderr, "nop_rewrite: %s: %s\n", path, strerror(errno));
    pthread_mutex_unlock(&worker->tool->mutex);
}

static void make_parents(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
}

static void write_class(struct worker *worker, struct text entry, const void *bytes, size_t size)
{
    worker->counts.bytes_out += size;
    if (!worker->tool->directory)
        return;
    builder_clear(&worker->path);
    builder_add_string(&worker->path, worker->tool->directory);
    builder_add_byte(&worker->path, '/');
    builder_add(&worker->path, entry);
    if (worker->path.failed)
        return;
    FILE *file = fopen(worker->path.bytes, "wb");
    if (!file) {
        make_parents(worker->path.bytes);
        file = fopen(worker->path.bytes, "wb");
    }
    bool good = file && fwrite(bytes, 1, size, file) == size;
    if ((file && fclose(file) != 0) || !good)
        fail_file(worker, worker->path.bytes);
}

static void take_class(void *context, const struct input_class *input)
{
    struct tool *tool = context;
    struct worker *worker = &tool->workers[input->worker];
    struct problem problem;
    problem_clear(&problem);
    if (text_ends_with(input->entry, TEXT("module-info.class")))
        return;
    const struct class_visitor visitor = {
        .context = worker, .begin = begin_class, .method = visit_method, .left = tell_left};
    worker->counts.classes++;
    worker->counts.bytes_in += input->size;
    switch (class_rewriter_run(&worker->rewriter, input->bytes, input->size, &visitor, &problem)) {
    case CLASS_REWRITTEN:
        worker->counts.rewritten_classes++;
        write_class(worker, input->entry, worker->rewriter.writer.bytes,
                    worker->rewriter.writer.size);
        return;
    case CLASS_UNREADABLE:
        diagnostics_problem(&tool->diagnostics, DIAGNOSTICS_ERROR, input->path, &problem);
        break;
    case CLASS_LEFT:
        worker->counts.left_classes++;
        break;
    case CLASS_UNCHANGED:
        break;
    }
    write_class(worker, input->entry, input->bytes, input->size);
}

/* ---- the command ---- */

static bool parse_what(const char *list, unsigned *what)
{
    static const struct {
        const char *name;
        unsigned what;
    } names[] = {{"before", WHAT_BEFORE},
                 {"after", WHAT_AFTER},
                 {"replace", WHAT_REPLACE},
                 {"entry", WHAT_ENTRY},
                 {"return", WHAT_RETURN},
                 {"throw", WHAT_THROW},
                 {"all", WHAT_BEFORE | WHAT_ENTRY | WHAT_RETURN | WHAT_THROW},
                 {"branchy", WHAT_BRANCHY},
                 {"none", 0}};
    *what = 0;
    while (*list) {
        size_t length = strcspn(list, ",");
        bool found = false;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (text_equal(text_of(list, length), text_from(names[i].name))) {
                *what |= names[i].what;
                found = true;
            }
        if (!found)
            return false;
        list += length + (list[length] == ',');
    }
    return true;
}

static void print_counts(const struct tool *tool, unsigned workers)
{
    struct counts sum = {0};
    for (unsigned i = 0; i < workers; i++) {
        const struct counts *counts = &tool->workers[i].counts;
        sum.classes += counts->classes;
        sum.rewritten_classes += counts->rewritten_classes;
        sum.left_classes += counts->left_classes;
        sum.methods += counts->methods;
        sum.instructions += counts->instructions;
        sum.left_methods += counts->left_methods;
        sum.bytes_in += counts->bytes_in;
        sum.bytes_out += counts->bytes_out;
    }
    printf("%lu classes, %lu rewritten, %lu left as they were; %lu methods with %lu instructions, "
           "%lu left as they were; %lu bytes became %lu\n",
           sum.classes, sum.rewritten_classes, sum.left_classes, sum.methods, sum.instructions,
           sum.left_methods, sum.bytes_in, sum.bytes_out);
}

static int usage(void)
{
    fprintf(stderr, "usage: nop_rewrite [--out DIR] [--what LIST] [--release N] [--workers N] "
                    "[--quiet] PATH...\n");
    return 2;
}

static void run(struct tool *tool, const struct input_options *options, char **paths)
{
    for (unsigned i = 0; i < options->workers; i++) {
        struct worker *worker = &tool->workers[i];
        worker->tool = tool;
        class_rewriter_init(&worker->rewriter);
        builder_init(&worker->path);
        snippet_init(&worker->nop, NULL);
        snippet_init(&worker->work, NULL);
        snippet_add(&worker->nop, OP_NOP);
    }
    for (; *paths; paths++)
        input_walk(*paths, options, &tool->diagnostics, take_class, tool);
    print_counts(tool, options->workers);
    for (unsigned i = 0; i < options->workers; i++) {
        struct worker *worker = &tool->workers[i];
        class_rewriter_release(&worker->rewriter);
        builder_release(&worker->path);
        snippet_release(&worker->nop);
        snippet_release(&worker->work);
    }
}

int tool_nop_rewrite(int argument_count, char **arguments)
{
    static const struct option long_options[] = {
        {"out", required_argument, NULL, 'o'},     {"what", required_argument, NULL, 'w'},
        {"release", required_argument, NULL, 'r'}, {"workers", required_argument, NULL, 'j'},
        {"quiet", no_argument, NULL, 'q'},         {NULL, 0, NULL, 0}};
    struct tool tool = {.what = WHAT_BEFORE | WHAT_ENTRY | WHAT_RETURN | WHAT_THROW};
    struct input_options options = {.workers = parallel_workers(), .release = 17};
    int option;
    while ((option = getopt_long(argument_count, arguments, "", long_options, NULL)) != -1) {
        switch (option) {
        case 'o':
            tool.directory = optarg;
            break;
        case 'w':
            if (!parse_what(optarg, &tool.what))
                return usage();
            break;
        case 'r':
            options.release = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'j':
            options.workers = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'q':
            tool.quiet = true;
            break;
        default:
            return usage();
        }
    }
    if (optind == argument_count || options.workers == 0 || options.workers > 64)
        return usage();
    tool.workers = calloc(options.workers, sizeof *tool.workers);
    if (!tool.workers)
        return 2;
    diagnostics_init(&tool.diagnostics, stderr, DIAGNOSTICS_COLOR_AUTO);
    pthread_mutex_init(&tool.mutex, NULL);
    run(&tool, &options, arguments + optind);
    bool failed = tool.failures || tool.diagnostics.errors;
    pthread_mutex_destroy(&tool.mutex);
    diagnostics_release(&tool.diagnostics);
    free(tool.workers);
    return failed ? 2 : 0;
}
