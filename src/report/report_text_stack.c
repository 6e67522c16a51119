#include "report/report.h"
#include "report/report_string.h"
#include "report/report_text.h"
#include "report/report_text_internal.h"

void printer_begin(const struct printer *printer, enum style style)
{
    static const char *const codes[] = {
        [STYLE_ERROR] = "\x1b[1;31m", [STYLE_WARNING] = "\x1b[1;33m", [STYLE_MILD] = "\x1b[36m",
        [STYLE_STRONG] = "\x1b[1m",   [STYLE_FAINT] = "\x1b[2m",
    };
    if (printer->color)
        builder_add_string(printer->to, codes[style]);
}

void printer_end(const struct printer *printer)
{
    if (printer->color)
        builder_add_string(printer->to, "\x1b[0m");
}

void printer_indent(const struct printer *printer, unsigned indent)
{
    builder_pad_to(printer->to, printer->to->length + indent, ' ');
}

void printer_text(const struct printer *printer, struct text text)
{
    report_string_add_plain(printer->to, text);
}

void printer_texts(const struct printer *printer, const struct text *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            builder_add_string(printer->to, ", ");
        printer_text(printer, texts[i]);
    }
}

void printer_place(const struct printer *printer, struct text file, uint32_t line)
{
    if (!file.length) {
        builder_add_string(printer->to, "Unknown Source");
        return;
    }
    printer_text(printer, file);
    if (line)
        builder_add_format(printer->to, ":%u", (unsigned)line);
}

static void print_class_and_method(const struct printer *printer, const struct finding_frame *frame)
{
    printer_text(printer, frame->class_name);
    if (frame->class_name.length && frame->method.length)
        builder_add_byte(printer->to, '.');
    printer_text(printer, frame->method);
}

void printer_stack_top(const struct printer *printer, const struct finding_stack *stack)
{
    if (!stack->frame_count)
        builder_add_string(printer->to, "an unknown place");
    else if (stack->frames[0].file.length)
        printer_place(printer, stack->frames[0].file, stack->frames[0].line);
    else
        print_class_and_method(printer, &stack->frames[0]);
}

/* As Throwable.printStackTrace writes it. */
static void print_frame(const struct printer *printer, const struct finding_frame *frame)
{
    builder_add_string(printer->to, "at ");
    print_class_and_method(printer, frame);
    builder_add_byte(printer->to, '(');
    printer_place(printer, frame->file, frame->line);
    builder_add_byte(printer->to, ')');
}

/* Code that is not the user's, as far as names tell; it is shown faintly. */
static bool is_of_the_jdk(const struct finding_frame *frame)
{
    static const struct text prefixes[] = {
        {"java.", 5}, {"javax.", 6}, {"jdk.", 4}, {"sun.", 4}, {"com.sun.", 8},
    };
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (text_starts_with(frame->class_name, prefixes[i]))
            return true;
    return false;
}

static void print_frames(const struct printer *printer, unsigned indent,
                         const struct finding_stack *stack)
{
    size_t shown =
        stack->frame_count < REPORT_TEXT_FRAMES ? stack->frame_count : REPORT_TEXT_FRAMES;
    for (size_t i = 0; i < shown; i++) {
        bool faint = is_of_the_jdk(&stack->frames[i]);
        printer_indent(printer, indent);
        if (faint)
            printer_begin(printer, STYLE_FAINT);
        print_frame(printer, &stack->frames[i]);
        if (faint)
            printer_end(printer);
        builder_add_byte(printer->to, '\n');
    }
    if (!stack->frame_count) {
        printer_indent(printer, indent);
        builder_add_string(printer->to, "(its stack is not known)\n");
    } else if (shown < stack->frame_count) {
        printer_indent(printer, indent);
        builder_add_format(printer->to, "... %zu more\n", stack->frame_count - shown);
    } else if (stack->callers_unknown && !stack->presumed) {
        printer_indent(printer, indent);
        builder_add_string(printer->to, "(what called it is not known)\n");
    }
    if (stack->presumed) {
        printer_indent(printer, indent);
        builder_add_string(printer->to, "(most likely: its place was not noted)\n");
    }
}

static void print_thread(const struct printer *printer, struct text name)
{
    builder_add_string(printer->to, "thread ");
    report_string_add_quoted(printer->to, name);
}

static void print_holding(const struct printer *printer, const struct finding_stack *stack,
                          bool looked_at)
{
    if (stack->lock_count) {
        builder_add_string(printer->to, ", holding ");
        printer_texts(printer, stack->locks, stack->lock_count);
    } else if (stack->locks_unknown) {
        builder_add_string(printer->to, ", holding locks that are not known");
    } else if (looked_at) {
        builder_add_string(printer->to, ", ");
        printer_begin(printer, STYLE_WARNING);
        builder_add_string(printer->to, "holding no lock");
        printer_end(printer);
    }
}

/* `write by thread "monday", holding no lock`, but `commits at, thread "monday", holding ...`. */
static void print_role(const struct printer *printer, unsigned indent,
                       const struct finding_stack *stack)
{
    struct text role = stack->role.length ? stack->role : TEXT("access");
    bool by = text_is(role, "read") || text_is(role, "write") || text_is(role, "access");
    printer_indent(printer, indent);
    printer_begin(printer, STYLE_STRONG);
    printer_text(printer, role);
    printer_end(printer);
    if (stack->thread.length) {
        builder_add_string(printer->to, by ? " by " : ", ");
        print_thread(printer, stack->thread);
    }
    /* Of a place that is neither an access nor a thread's, no lock may mean that none was looked
     * at. */
    print_holding(printer, stack, by || stack->thread.length > 0);
    builder_add_byte(printer->to, '\n');
}

/* A pool starts its threads deep in the library; what the reader looks for is who used the pool. */
static const struct finding_frame *starting_frame(const struct finding_stack *stack)
{
    for (size_t i = 0; i < stack->frame_count; i++)
        if (!is_of_the_jdk(&stack->frames[i]))
            return &stack->frames[i];
    return stack->frame_count ? &stack->frames[0] : NULL;
}

static void print_start(const struct printer *printer, unsigned indent, struct text name,
                        const struct finding_stack *stack)
{
    const struct finding_frame *frame = starting_frame(stack);
    printer_indent(printer, indent);
    printer_begin(printer, STYLE_FAINT);
    print_thread(printer, name);
    builder_add_string(printer->to, " started");
    if (stack->thread.length && !text_equal(stack->thread, name)) {
        builder_add_string(printer->to, " by ");
        print_thread(printer, stack->thread);
    }
    if (frame) {
        builder_add_byte(printer->to, ' ');
        print_frame(printer, frame);
    }
    printer_end(printer);
    builder_add_byte(printer->to, '\n');
}

/* Threads may have the same name: the n-th access by "worker" goes with the n-th start of one. */
static const struct finding_stack *start_of(const struct finding *finding, size_t access)
{
    struct text name = finding->stacks[access].thread;
    struct text other;
    size_t skip = 0;
    for (size_t i = 0; i < access; i++)
        skip += !finding_started_thread(finding->stacks[i].role, &other) &&
                text_equal(finding->stacks[i].thread, name);
    for (size_t i = 0; i < finding->stack_count; i++) {
        if (!finding_started_thread(finding->stacks[i].role, &other) || !text_equal(other, name))
            continue;
        if (skip == 0)
            return &finding->stacks[i];
        skip--;
    }
    return NULL;
}

/* Whether start_of finds this start for some access. */
static bool has_access(const struct finding *finding, size_t start)
{
    struct text name;
    for (size_t i = 0; i < finding->stack_count; i++)
        if (!finding_started_thread(finding->stacks[i].role, &name) &&
            start_of(finding, i) == &finding->stacks[start])
            return true;
    return false;
}

void printer_stacks(const struct printer *printer, unsigned indent, const struct finding *finding)
{
    struct text name;
    for (size_t i = 0; i < finding->stack_count; i++) {
        const struct finding_stack *stack = &finding->stacks[i];
        if (finding_started_thread(stack->role, &name)) {
            if (has_access(finding, i))
                continue;
            builder_add_byte(printer->to, '\n');
            print_start(printer, indent, name, stack);
            continue;
        }
        builder_add_byte(printer->to, '\n');
        print_role(printer, indent, stack);
        print_frames(printer, indent + 2, stack);
        const struct finding_stack *start = start_of(finding, i);
        if (start)
            print_start(printer, indent + 2, stack->thread, start);
    }
}
