#include "report/report_json.h"

#include <inttypes.h>

#include "report/report_string.h"

/*
 * A small emitter. Containers have an item on each line, or all on one when they are flat. It does
 * not check that calls are paired: the functions below are, by their form.
 */

struct json {
    struct builder *to;
    unsigned depth;
    bool first; /* nothing in the innermost container yet */
    bool flat;  /* the innermost container stands on one line */
};

static void begin_item(struct json *json)
{
    if (!json->first)
        builder_add_byte(json->to, ',');
    if (json->flat) {
        if (!json->first)
            builder_add_byte(json->to, ' ');
    } else if (json->depth > 0) {
        builder_add_byte(json->to, '\n');
        builder_pad_to(json->to, json->to->length + 2 * (size_t)json->depth, ' ');
    }
    json->first = false;
}

static void begin_member(struct json *json, struct text name)
{
    begin_item(json);
    report_string_add_json(json->to, name);
    builder_add_string(json->to, ": ");
}

static void open_container(struct json *json, char bracket, bool flat)
{
    builder_add_byte(json->to, bracket);
    json->depth++;
    json->first = true;
    json->flat = flat;
}

/* Flat containers have no others in them, so what is around one that ends is not flat. */
static void close_container(struct json *json, char bracket)
{
    json->depth--;
    if (!json->flat && !json->first) {
        builder_add_byte(json->to, '\n');
        builder_pad_to(json->to, json->to->length + 2 * (size_t)json->depth, ' ');
    }
    builder_add_byte(json->to, bracket);
    json->first = false;
    json->flat = false;
}

static void add_string(struct json *json, const char *name, struct text value)
{
    begin_member(json, text_from(name));
    report_string_add_json(json->to, value);
}

static void add_known_string(struct json *json, const char *name, struct text value)
{
    if (value.length)
        add_string(json, name, value);
}

static void add_number(struct json *json, struct text name, uint64_t value)
{
    begin_member(json, name);
    builder_add_format(json->to, "%" PRIu64, value);
}

static void add_known_line(struct json *json, uint32_t line)
{
    if (line)
        add_number(json, TEXT("line"), line);
}

/*
 * What is written.
 */

static void write_texts(struct json *json, struct text name, const struct text *texts, size_t count)
{
    begin_member(json, name);
    open_container(json, '[', true);
    for (size_t i = 0; i < count; i++) {
        begin_item(json);
        report_string_add_json(json->to, texts[i]);
    }
    close_container(json, ']');
}

static void write_frame(struct json *json, const struct finding_frame *frame)
{
    begin_item(json);
    open_container(json, '{', true);
    add_known_string(json, "class", frame->class_name);
    add_known_string(json, "method", frame->method);
    add_known_string(json, "file", frame->file);
    add_known_line(json, frame->line);
    close_container(json, '}');
}

static void write_stack(struct json *json, const struct finding_stack *stack)
{
    begin_item(json);
    open_container(json, '{', false);
    add_known_string(json, "role", stack->role);
    add_known_string(json, "thread", stack->thread);
    write_texts(json, TEXT("locks"), stack->locks, stack->lock_count);
    if (stack->locks_unknown) {
        begin_member(json, TEXT("locks_unknown"));
        builder_add_string(json->to, "true");
    }
    begin_member(json, TEXT("frames"));
    open_container(json, '[', false);
    for (size_t i = 0; i < stack->frame_count; i++)
        write_frame(json, &stack->frames[i]);
    close_container(json, ']');
    if (stack->callers_unknown) {
        begin_member(json, TEXT("callers_unknown"));
        builder_add_string(json->to, "true");
    }
    if (stack->presumed) {
        begin_member(json, TEXT("presumed"));
        builder_add_string(json->to, "true");
    }
    close_container(json, '}');
}

static void write_finding(struct json *json, const struct finding *finding)
{
    char fingerprint[FINDING_FINGERPRINT_SIZE];
    finding_fingerprint_print(finding->fingerprint, fingerprint);
    begin_item(json);
    open_container(json, '{', false);
    add_string(json, "rule", text_from(finding_rule_info(finding->rule)->id));
    add_known_string(json, "grade", text_from(finding_grade_name(finding->grade)));
    add_known_string(json, "basis", text_from(finding_basis_name(finding->basis)));
    add_known_string(json, "class", finding->class_name);
    add_known_string(json, "member", finding->member);
    add_known_string(json, "signature", finding->signature);
    add_known_string(json, "file", finding->file);
    add_known_line(json, finding->line);
    add_known_string(json, "message", finding->message);
    add_known_string(json, "help", finding->help);
    add_string(json, "fingerprint", text_from(fingerprint));
    add_number(json, TEXT("count"), finding->count);
    if (finding->trace_count)
        write_texts(json, TEXT("traces"), finding->traces, finding->trace_count);
    write_texts(json, TEXT("locks"), finding->locks, finding->lock_count);
    begin_member(json, TEXT("stacks"));
    open_container(json, '[', false);
    for (size_t i = 0; i < finding->stack_count; i++)
        write_stack(json, &finding->stacks[i]);
    close_container(json, ']');
    close_container(json, '}');
}

static void write_findings(struct json *json, const struct finding_list *list)
{
    begin_member(json, TEXT("findings"));
    open_container(json, '[', false);
    for (size_t i = 0; i < list->items.count; i++)
        write_finding(json, list->items.items[i]);
    close_container(json, ']');
}

static void write_summary(struct json *json, const struct report *report)
{
    struct report_counts counts = report_count(report->findings);
    begin_member(json, TEXT("summary"));
    open_container(json, '{', true);
    add_number(json, TEXT("findings"), counts.all);
    for (unsigned kind = 0; kind < FINDING_KIND_COUNT; kind++)
        add_number(json, text_from(finding_kind_name((enum finding_kind)kind)),
                   counts.by_kind[kind]);
    for (unsigned grade = FINDING_GRADE_COUNT - 1; grade > FINDING_GRADE_NONE; grade--)
        add_number(json, text_from(finding_grade_name((enum finding_grade)grade)),
                   counts.by_grade[grade]);
    add_number(json, TEXT("not_shown"), report->not_shown);
    close_container(json, '}');
}

static void write_stats(struct json *json, const struct report *report)
{
    begin_member(json, TEXT("stats"));
    open_container(json, '{', false);
    for (size_t i = 0; i < report->stat_count; i++)
        add_number(json, report->stats[i].name, report->stats[i].value);
    close_container(json, '}');
}

bool report_json_write(const struct report *report, struct builder *to)
{
    struct json json = {.to = to, .first = true};
    finding_list_sort(report->findings);
    begin_item(&json);
    open_container(&json, '{', false);
    add_string(&json, "tool", TEXT("turnstile"));
    add_known_string(&json, "version", report->version);
    add_known_string(&json, "command", report->command);
    write_findings(&json, report->findings);
    write_summary(&json, report);
    if (report->stat_count)
        write_stats(&json, report);
    close_container(&json, '}');
    builder_add_byte(to, '\n');
    return !to->failed;
}
