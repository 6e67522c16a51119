#include "report/report_source.h"

#include <unistd.h>

#include "base/file.h"
#include "report/report_text_internal.h"

enum { LINE_WIDTH = 5 };

struct source_printer {
    struct printer printer;
    const struct report_sources *sources;
    struct arena arena;
    bool helped[FINDING_RULE_COUNT];
    /* The file that was read last: findings of one file stand together. */
    struct text open_path;
    struct file_map file;
};

/* ---- source lines ---- */

/* The class whose code it is: "p.q.Outer$Inner". */
static struct text code_class(const struct finding *finding)
{
    return finding->stack_count && finding->stacks[0].frame_count
               ? finding->stacks[0].frames[0].class_name
               : finding->class_name;
}

/* "p/q/Name.java" of class p.q.Outer and file Name.java */
static struct text package_path(struct source_printer *source, const struct finding *finding)
{
    const struct text class = code_class(finding);
    const size_t package = (size_t)(text_find_last(class, '.') + 1);
    char *path = arena_allocate(&source->arena, package + finding->file.length + 1, 1);
    if (!path)
        return TEXT("");
    for (size_t i = 0; i < package; i++)
        path[i] = class.bytes[i] == '.' ? '/' : class.bytes[i];
    if (finding->file.length)
        memcpy(path + package, finding->file.bytes, finding->file.length);
    path[package + finding->file.length] = 0;
    return text_of(path, package + finding->file.length);
}

static struct text try_path(struct source_printer *source, const char *folder, struct text name)
{
    const size_t length = strlen(folder);
    char *path = arena_allocate(&source->arena, length + name.length + 2, 1);
    if (!path || !name.length)
        return TEXT("");
    const size_t slash = length && folder[length - 1] != '/';
    memcpy(path, folder, length);
    path[length] = '/';
    memcpy(path + length + slash, name.bytes, name.length);
    path[length + slash + name.length] = 0;
    return access(path, R_OK) == 0 ? text_of(path, length + slash + name.length) : TEXT("");
}

static struct text find_source(struct source_printer *source, const struct finding *finding)
{
    const struct text with_package = package_path(source, finding);
    for (size_t i = 0; finding->file.length && i < source->sources->count; i++) {
        struct text path = try_path(source, source->sources->folders[i], with_package);
        if (!path.length)
            path = try_path(source, source->sources->folders[i], finding->file);
        if (path.length)
            return path;
    }
    return TEXT("");
}

static struct text line_of(struct source_printer *source, struct text path, uint32_t line)
{
    struct problem problem = {0};
    if (!text_equal(path, source->open_path)) {
        file_map_close(&source->file);
        source->open_path = path;
        if (!file_map_open(&source->file, path.bytes, &problem))
            source->file = (struct file_map){0};
    }
    size_t start = 0;
    for (uint32_t number = 1; start < source->file.size; number++) {
        size_t end = start;
        while (end < source->file.size && source->file.bytes[end] != '\n')
            end++;
        if (number == line) {
            const struct text text = text_of(source->file.bytes + start, end - start);
            return text_ends_with(text, TEXT("\r")) ? text_slice(text, 0, text.length - 1) : text;
        }
        start = end + 1;
    }
    return TEXT("");
}

static bool is_name_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || byte == '$' || (unsigned char)byte > 127;
}

/* The member's name as a word of its own; the line's length if it is not there. */
static size_t find_word(struct text line, struct text word)
{
    for (size_t i = 0; word.length && i + word.length <= line.length; i++)
        if (text_equal(text_slice(line, i, i + word.length), word) &&
            (i == 0 || !is_name_byte(line.bytes[i - 1])) &&
            (i + word.length == line.length || !is_name_byte(line.bytes[i + word.length])))
            return i;
    return line.length;
}

static struct text word_of(const struct finding *finding)
{
    const struct text class = finding->class_name;
    if (!text_is(finding->member, "<init>"))
        return finding->member;
    size_t start = (size_t)(text_find_last(class, '.') + 1);
    const ptrdiff_t inner = text_find_last(class, '$');
    if (inner >= (ptrdiff_t)start)
        start = (size_t)inner + 1;
    return text_slice(class, start, class.length);
}

static void print_source(struct source_printer *source, const struct finding *finding,
                         struct text path)
{
    struct builder *to = source->printer.to;
    const struct text line = path.length ? line_of(source, path, finding->line) : TEXT("");
    const size_t column = find_word(line, word_of(finding));
    if (!line.length)
        return;
    builder_add_format(to, "%*u | ", LINE_WIDTH, finding->line);
    printer_text(&source->printer, line);
    builder_add_byte(to, '\n');
    if (column == line.length)
        return;
    builder_add_format(to, "%*s | ", LINE_WIDTH, "");
    for (size_t i = 0; i < column; i++)
        builder_add_byte(to, line.bytes[i] == '\t' ? '\t' : ' ');
    printer_begin(&source->printer, STYLE_WARNING);
    builder_add_byte(to, '^');
    printer_end(&source->printer);
    builder_add_byte(to, '\n');
}

/* ---- findings ---- */

/* "holding this.mu (taken at line 10)": where locks were taken stands in stacks of their own. */
static void print_locks(const struct source_printer *source, const struct finding *finding)
{
    const struct finding_stack *stack = &finding->stacks[0];
    struct builder *to = source->printer.to;
    /* These have nothing to do with what is held. */
    if (text_is(stack->role, "overrides") || text_is(stack->role, "entered"))
        return;
    if (!stack->lock_count)
        builder_add_string(to, ", holding no lock");
    for (size_t i = 0; i < stack->lock_count; i++) {
        builder_add_string(to, i ? ", " : ", holding ");
        printer_text(&source->printer, stack->locks[i]);
        for (size_t k = 1; k < finding->stack_count; k++) {
            const struct finding_stack *taken = &finding->stacks[k];
            const struct text prefix = TEXT("acquires ");
            if (taken->frame_count && text_starts_with(taken->role, prefix) &&
                text_equal(text_slice(taken->role, prefix.length, taken->role.length),
                           stack->locks[i]))
                builder_add_format(to, " (taken at line %u)", taken->frames[0].line);
        }
    }
}

/* "commits at" and "violated at", with the calls that lead there. */
static void print_parts(const struct source_printer *source, const struct finding *finding)
{
    for (size_t i = 1; i < finding->stack_count; i++) {
        const struct finding_stack *stack = &finding->stacks[i];
        if (text_starts_with(stack->role, TEXT("acquires ")))
            continue;
        builder_add_string(source->printer.to, "  ");
        printer_text(&source->printer, stack->role);
        builder_add_byte(source->printer.to, '\n');
        for (size_t k = 0; k < stack->frame_count; k++) {
            const struct finding_frame *frame = &stack->frames[k];
            builder_add_string(source->printer.to, "    at ");
            printer_text(&source->printer, frame->class_name);
            builder_add_byte(source->printer.to, '.');
            printer_text(&source->printer, frame->method);
            builder_add_byte(source->printer.to, '(');
            printer_place(&source->printer, frame->file, frame->line);
            builder_add_string(source->printer.to, ")\n");
        }
    }
}

static void print_context(const struct source_printer *source, const struct finding *finding)
{
    if (!finding->stack_count || !finding->stacks[0].frame_count)
        return;
    const struct finding_frame *frame = &finding->stacks[0].frames[0];
    builder_add_string(source->printer.to, "  in ");
    printer_text(&source->printer, frame->class_name);
    builder_add_byte(source->printer.to, '.');
    printer_text(&source->printer, frame->method);
    print_locks(source, finding);
    builder_add_byte(source->printer.to, '\n');
    print_parts(source, finding);
}

static void print_place(const struct source_printer *source, const struct finding *finding,
                        struct text path)
{
    if (path.length || finding->file.length)
        printer_place(&source->printer, path.length ? path : finding->file, finding->line);
    else
        printer_text(&source->printer, finding->class_name);
}

static void print_finding(struct source_printer *source, const struct finding *finding)
{
    const struct finding_rule_info *info = finding_rule_info(finding->rule);
    const char *basis = finding_basis_name(finding->basis);
    struct builder *to = source->printer.to;
    const struct text path = find_source(source, finding);
    printer_begin(&source->printer, STYLE_STRONG);
    print_place(source, finding, path);
    printer_end(&source->printer);
    builder_add_string(to, ": ");
    printer_begin(&source->printer, STYLE_WARNING);
    builder_add_string(to, info->id);
    printer_end(&source->printer);
    if (basis[0])
        builder_add_format(to, " (%s)", basis);
    builder_add_string(to, ": ");
    printer_text(&source->printer, finding->message);
    builder_add_byte(to, '\n');
    print_source(source, finding, path);
    print_context(source, finding);
    if (!source->helped[finding->rule]) {
        source->helped[finding->rule] = true;
        builder_add_format(to, "  help: %s\n", info->help);
    }
    builder_add_byte(to, '\n');
}

static void print_stats(const struct report *report, struct builder *to)
{
    for (size_t i = 0; i < report->stat_count; i++) {
        const struct report_stat *stat = &report->stats[i];
        for (size_t k = 0; k < stat->name.length; k++)
            builder_add_byte(to, stat->name.bytes[k] == '_' ? ' ' : stat->name.bytes[k]);
        builder_add_format(to, ": %llu\n", (unsigned long long)stat->value);
    }
}

static void print_summary(const struct report *report, struct builder *to)
{
    const struct finding_counts counts = finding_list_count(report->findings);
    const char *between = " (";
    builder_add_format(to, "turnstile: %zu warning%s", counts.all, counts.all == 1 ? "" : "s");
    for (unsigned rule = 0; rule < FINDING_RULE_COUNT; rule++) {
        if (!counts.by_rule[rule])
            continue;
        builder_add_format(to, "%s%zu %s", between, counts.by_rule[rule],
                           finding_rule_info((enum finding_rule)rule)->id);
        between = ", ";
    }
    builder_add_string(to, counts.all ? ")\n" : "\n");
}

bool report_source_write(const struct report *report, const struct report_sources *sources,
                         bool color, struct builder *to)
{
    struct source_printer source = {.printer = {to, color}, .sources = sources};
    arena_init(&source.arena);
    finding_list_sort(report->findings);
    for (size_t i = 0; i < report->findings->items.count; i++)
        print_finding(&source, report->findings->items.items[i]);
    print_stats(report, to);
    print_summary(report, to);
    const bool whole = !source.arena.failed && !to->failed;
    file_map_close(&source.file);
    arena_release(&source.arena);
    return whole;
}
