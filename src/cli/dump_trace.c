#include "cli/dump_trace.h"

#include <string.h>

#include "report/report_string.h"
#include "trace/std.h"
#include "trace/trace_format.h"
#include "trace/trace_source.h"

/* The first line that is not empty has the form of an event. */
static bool looks_like_std(struct text bytes)
{
    while (bytes.length && (bytes.bytes[0] == '\n' || bytes.bytes[0] == '\r'))
        bytes = text_slice(bytes, 1, bytes.length);
    const ptrdiff_t end = text_find(bytes, '\n');
    if (end >= 0)
        bytes = text_slice(bytes, 0, (size_t)end);
    return text_find(bytes, '|') > 0 && text_find(bytes, '\0') < 0;
}

bool dump_trace_is(const struct trace_input *input)
{
    static const char gzip[] = {'\x1f', '\x8b'};
    char bytes[4096];
    const size_t size = trace_input_head(input, bytes, sizeof bytes);
    if (size >= TRACE_FORMAT_MAGIC_SIZE &&
        memcmp(bytes, TRACE_FORMAT_MAGIC, TRACE_FORMAT_MAGIC_SIZE) == 0)
        return true;
    return (size >= sizeof gzip && memcmp(bytes, gzip, sizeof gzip) == 0) ||
           looks_like_std(text_of(bytes, size));
}

static void add_dotted(struct builder *line, struct text class_name, struct text member)
{
    report_string_add_plain(line, class_name);
    if (class_name.length && member.length)
        builder_add_byte(line, '.');
    report_string_add_plain(line, member);
}

static void add_target(struct builder *line, const struct trace_names *names,
                       const struct trace_event *event)
{
    struct trace_field field;
    struct trace_block block;
    switch (event->kind) {
    case TRACE_READ:
    case TRACE_WRITE:
        field = trace_names_field(names, trace_names_field_of(names, event->target));
        add_dotted(line, field.class_name, field.member);
        break;
    case TRACE_SYNC_RELEASE:
    case TRACE_SYNC_ACQUIRE:
        report_string_add_plain(line, trace_names_sync(names, event->target));
        break;
    case TRACE_FORK:
    case TRACE_JOIN:
        report_string_add_plain(line, trace_names_thread(names, event->target));
        break;
    case TRACE_BEGIN:
    case TRACE_END:
        block = trace_names_block(names, event->target);
        add_dotted(line, block.class_name, block.method);
        break;
    default:
        report_string_add_plain(line, trace_names_lock(names, event->target));
        break;
    }
    /* In STD files names are different already. */
    if (!names->plain && event->target)
        builder_add_format(line, "#%u", event->target);
}

static void add_location(struct builder *line, const struct trace_names *names, uint32_t location)
{
    const struct trace_location at = trace_names_location(names, location);
    if (!location)
        return;
    builder_add_string(line, "  at ");
    if (names->plain) {
        report_string_add_plain(line, at.file);
        return;
    }
    add_dotted(line, at.class_name, at.method);
    builder_add_byte(line, '(');
    report_string_add_plain(line, at.file.length ? at.file : TEXT("Unknown Source"));
    if (at.line)
        builder_add_format(line, ":%u", at.line);
    builder_add_byte(line, ')');
}

/* "12  main  write Account.balance#7  at Account.deposit(Account.java:12)" */
static bool print_event(FILE *output, struct builder *line, const struct trace_names *names,
                        const struct trace_event *event, uint64_t number)
{
    const struct text thread = trace_names_thread(names, event->thread);
    builder_clear(line);
    builder_add_format(line, "%llu  ", (unsigned long long)number);
    if (thread.length)
        report_string_add_plain(line, thread);
    else
        builder_add_format(line, "#%u", event->thread);
    builder_add_format(line, "  %s ", trace_kind_name(event->kind));
    add_target(line, names, event);
    add_location(line, names, event->location);
    builder_add_byte(line, '\n');
    return !line->failed && fwrite(line->bytes, 1, line->length, output) == line->length;
}

static enum trace_status print_all(struct trace_source *source, FILE *output)
{
    struct builder line;
    struct trace_event event;
    enum trace_status status;
    builder_init(&line);
    while ((status = trace_next(source, &event)) == TRACE_EVENT &&
           print_event(output, &line, source->names, &event, trace_delivered(source)))
        ;
    builder_release(&line);
    return status;
}

static enum trace_status write_std(struct trace_source *source, bool numbers, FILE *output,
                                   const char *name, struct diagnostics *diagnostics)
{
    struct std_writer writer;
    struct trace_event event;
    struct problem problem;
    enum trace_status status;
    problem_clear(&problem);
    std_writer_init(&writer, output, source->names);
    writer.numbers = numbers;
    while ((status = trace_next(source, &event)) == TRACE_EVENT &&
           std_writer_event(&writer, &event))
        ;
    /* That the output cannot be written is told when it is closed. */
    if (!std_writer_finish(&writer, &problem) && !ferror(output))
        diagnostics_problem(diagnostics, DIAGNOSTICS_ERROR, text_from(name), &problem);
    return status;
}

static void tell_damage(const struct trace_source *source, const char *name,
                        struct diagnostics *diagnostics)
{
    struct builder text;
    builder_init(&text);
    trace_explain(source, &text);
    diagnostics_error(diagnostics, "%s: %s", name, builder_string(&text));
    builder_release(&text);
}

uint64_t dump_trace(struct trace_input *input, enum dump_trace_form form, FILE *output,
                    struct diagnostics *diagnostics)
{
    struct trace_source source;
    uint64_t events = 0;
    const char *name = trace_input_name(input);
    if (trace_input_open(input, &source)) {
        const enum trace_status status =
            form == DUMP_TRACE_TEXT
                ? print_all(&source, output)
                : write_std(&source, form == DUMP_TRACE_STD_NUMBERS, output, name, diagnostics);
        if (status == TRACE_FAILED)
            tell_damage(&source, name, diagnostics);
        events = trace_delivered(&source);
        trace_close(&source);
    } else {
        diagnostics_problem(diagnostics, DIAGNOSTICS_ERROR, text_from(name), &source.problem);
    }
    return events;
}
