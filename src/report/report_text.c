#include "report/report_text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/order.h"
#include "report/report_fold.h"
#include "report/report_text_internal.h"

/* Findings about one member, the strongest first. */
struct group {
    const struct report_fold *folds;
    size_t count;
};

/* What all findings of a group agree in is said once. */
struct agreement {
    bool label;
    bool message;
    bool help;
    bool file;
    bool pairs; /* all are races of two accesses */
};

/* What findings under one heading agree in. */
static int compare_subjects(const struct finding *a, const struct finding *b)
{
    int order = text_compare(a->class_name, b->class_name);
    if (!order)
        order = text_compare(a->member, b->member);
    if (!order)
        order = text_compare(a->signature, b->signature);
    if (!order)
        order = order_of(a->rule, b->rule);
    return order;
}

/* Without a name of what it is about, nothing tells that two findings belong together. */
static bool have_one_subject(const struct finding *a, const struct finding *b)
{
    return a->member.length > 0 && compare_subjects(a, b) == 0;
}

static int compare_strength(const struct finding *a, const struct finding *b)
{
    return order_of(b->grade, a->grade);
}

static int compare_folds(const void *left, const void *right)
{
    const struct report_fold *a = left;
    const struct report_fold *b = right;
    int order = compare_subjects(a->finding, b->finding);
    if (!order)
        order = compare_strength(a->finding, b->finding);
    return order ? order : order_of(a->position, b->position);
}

/* A group stands where its first finding, the strongest, would stand. */
static int compare_groups(const void *left, const void *right)
{
    const struct group *a = left;
    const struct group *b = right;
    int order = compare_strength(a->folds[0].finding, b->folds[0].finding);
    return order ? order : order_of(a->folds[0].position, b->folds[0].position);
}

/* How sure a finding is, or where its lock type is from; "" if neither applies. */
static const char *label_of(const struct finding *finding)
{
    return finding->grade != FINDING_GRADE_NONE ? finding_grade_name(finding->grade)
                                                : finding_basis_name(finding->basis);
}

static struct text message_of(const struct finding *finding)
{
    return finding->message.length ? finding->message
                                   : text_from(finding_rule_info(finding->rule)->title);
}

static size_t count_accesses(const struct finding *finding)
{
    size_t count = 0;
    struct text name;
    for (size_t i = 0; i < finding->stack_count; i++)
        count += !finding_started_thread(finding->stacks[i].role, &name);
    return count;
}

static struct agreement agreement_of(const struct group *group)
{
    const struct finding *first = group->folds[0].finding;
    struct agreement same = {true, true, true, first->file.length > 0, true};
    for (size_t i = 0; i < group->count; i++) {
        const struct finding *finding = group->folds[i].finding;
        same.label = same.label && finding->grade == first->grade && finding->basis == first->basis;
        same.message = same.message && text_equal(message_of(finding), message_of(first));
        same.help = same.help && text_equal(finding->help, first->help);
        same.file = same.file && text_equal(finding->file, first->file);
        same.pairs = same.pairs && finding->rule == FINDING_RACE && count_accesses(finding) == 2;
    }
    return same;
}

/*
 * Headings.
 */

static enum style style_of(const struct finding *finding)
{
    switch (finding->grade) {
    case FINDING_GRADE_PREDICTED:
        return STYLE_WARNING;
    case FINDING_GRADE_DISCIPLINE:
        return STYLE_MILD;
    default:
        return finding_rule_info(finding->rule)->kind == FINDING_KIND_WARNINGS ? STYLE_WARNING
                                                                               : STYLE_ERROR;
    }
}

/* "1 observed, 2 predicted"; nothing for what has no grade. */
static void print_grade_counts(const struct printer *printer,
                               const size_t counts[FINDING_GRADE_COUNT])
{
    const char *between = "";
    for (unsigned grade = FINDING_GRADE_COUNT - 1; grade > FINDING_GRADE_NONE; grade--) {
        if (!counts[grade])
            continue;
        builder_add_format(printer->to, "%s%zu %s", between, counts[grade],
                           finding_grade_name((enum finding_grade)grade));
        between = ", ";
    }
}

/* " (observed)", " (1 observed, 2 predicted)", " (declared)" or nothing. */
static void print_certainty(const struct printer *printer, const struct group *group,
                            bool one_label)
{
    const struct finding *finding = group->folds[0].finding;
    if (!one_label && finding->grade != FINDING_GRADE_NONE) {
        size_t counts[FINDING_GRADE_COUNT] = {0};
        for (size_t i = 0; i < group->count; i++)
            counts[group->folds[i].finding->grade]++;
        builder_add_string(printer->to, " (");
        print_grade_counts(printer, counts);
        builder_add_byte(printer->to, ')');
        return;
    }
    const char *label = label_of(finding);
    if (one_label && label[0])
        builder_add_format(printer->to, " (%s)", label);
}

static void print_subject(const struct printer *printer, const struct finding *finding)
{
    if (!finding->class_name.length && !finding->member.length) {
        printer_text(printer, text_from(finding_rule_info(finding->rule)->title));
        return;
    }
    printer_text(printer, finding->class_name);
    if (finding->class_name.length && finding->member.length)
        builder_add_byte(printer->to, '.');
    printer_text(printer, finding->member);
}

/* "race (observed): Account.balance at Account.java:11", or
   "race (observed): Account.balance, 2 pairs of lines in Account.java". */
static void print_heading(const struct printer *printer, const struct group *group,
                          const struct agreement *same)
{
    const struct finding *finding = group->folds[0].finding;
    printer_begin(printer, style_of(finding));
    builder_add_string(printer->to, finding_rule_info(finding->rule)->id);
    print_certainty(printer, group, same->label);
    builder_add_byte(printer->to, ':');
    printer_end(printer);
    builder_add_byte(printer->to, ' ');
    printer_begin(printer, STYLE_STRONG);
    print_subject(printer, finding);
    printer_end(printer);
    if (group->count > 1) {
        builder_add_format(printer->to, ", %zu %s", group->count,
                           same->pairs ? "pairs of lines" : "findings");
        if (same->file) {
            builder_add_string(printer->to, " in ");
            printer_text(printer, finding->file);
        }
    } else if (finding->file.length) {
        builder_add_string(printer->to, finding->line ? " at " : " in ");
        printer_place(printer, finding->file, finding->line);
    }
    builder_add_byte(printer->to, '\n');
}

/*
 * Bodies.
 */

static void print_message(const struct printer *printer, unsigned indent,
                          const struct finding *finding)
{
    printer_indent(printer, indent);
    printer_text(printer, message_of(finding));
    builder_add_byte(printer->to, '\n');
}

static void print_help(const struct printer *printer, unsigned indent,
                       const struct finding *finding)
{
    if (!finding->help.length)
        return;
    printer_indent(printer, indent);
    printer_begin(printer, STYLE_MILD);
    builder_add_string(printer->to, "help:");
    printer_end(printer);
    builder_add_byte(printer->to, ' ');
    printer_text(printer, finding->help);
    builder_add_byte(printer->to, '\n');
}

static void print_finding_locks(const struct printer *printer, unsigned indent,
                                const struct finding *finding)
{
    if (!finding->lock_count)
        return;
    printer_indent(printer, indent);
    builder_add_string(printer->to, finding->lock_count == 1 ? "lock: " : "locks: ");
    printer_texts(printer, finding->locks, finding->lock_count);
    builder_add_byte(printer->to, '\n');
}

static void print_traces(const struct printer *printer, unsigned indent,
                         const struct finding *finding)
{
    if (!finding->trace_count)
        return;
    printer_indent(printer, indent);
    builder_add_string(printer->to, finding->trace_count == 1 ? "trace: " : "traces: ");
    printer_texts(printer, finding->traces, finding->trace_count);
    builder_add_byte(printer->to, '\n');
}

static bool have_same_traces(const struct finding *a, const struct finding *b)
{
    if (a->trace_count != b->trace_count)
        return false;
    for (size_t i = 0; i < a->trace_count; i++)
        if (!text_equal(a->traces[i], b->traces[i]))
            return false;
    return true;
}

/* "Account.java:11 and Account.java:15": where the accesses are, as the group's heading has no
   line. */
static void print_places(const struct printer *printer, const struct finding *finding)
{
    size_t accesses = count_accesses(finding);
    size_t printed = 0;
    struct text name;
    for (size_t i = 0; i < finding->stack_count; i++) {
        const struct finding_stack *stack = &finding->stacks[i];
        if (finding_started_thread(stack->role, &name))
            continue;
        if (printed)
            builder_add_string(printer->to, printed + 1 == accesses ? " and " : ", ");
        printer_stack_top(printer, stack);
        printed++;
    }
    if (!printed)
        printer_place(printer, finding->file, finding->line);
}

/* The blocks that are broken at the same places. */
static void print_others(const struct printer *printer, unsigned indent,
                         const struct report_fold *fold)
{
    if (!fold->other_count)
        return;
    builder_add_byte(printer->to, '\n');
    printer_indent(printer, indent);
    builder_add_format(printer->to, "at the same places %zu more %s broken:\n", fold->other_count,
                       fold->other_count == 1 ? "block is" : "blocks are");
    for (size_t i = 0; i < fold->other_count; i++) {
        const struct finding *other = fold->others[i];
        printer_indent(printer, indent + 2);
        print_subject(printer, other);
        if (other->grade != fold->finding->grade)
            builder_add_format(printer->to, " (%s)", finding_grade_name(other->grade));
        if (other->trace_count && !have_same_traces(other, fold->finding)) {
            builder_add_string(printer->to, " in ");
            printer_texts(printer, other->traces, other->trace_count);
        }
        builder_add_byte(printer->to, '\n');
    }
}

static void print_single(const struct printer *printer, const struct report_fold *fold)
{
    const struct finding *finding = fold->finding;
    print_message(printer, 2, finding);
    print_traces(printer, 2, finding);
    print_finding_locks(printer, 2, finding);
    printer_stacks(printer, 2, finding);
    print_others(printer, 2, fold);
    if (finding->stack_count)
        builder_add_byte(printer->to, '\n');
    print_help(printer, 2, finding);
    if (finding->count > 1) {
        printer_indent(printer, 2);
        builder_add_format(printer->to, "seen %zu times\n", finding->count);
    }
}

static void print_numbered(const struct printer *printer, const struct report_fold *fold,
                           size_t number, const struct agreement *same)
{
    const struct finding *finding = fold->finding;
    builder_add_byte(printer->to, '\n');
    printer_indent(printer, 2);
    printer_begin(printer, STYLE_STRONG);
    builder_add_format(printer->to, "%zu. ", number);
    if (!same->label && label_of(finding)[0])
        builder_add_format(printer->to, "%s: ", label_of(finding));
    print_places(printer, finding);
    printer_end(printer);
    if (finding->count > 1)
        builder_add_format(printer->to, ", seen %zu times", finding->count);
    builder_add_byte(printer->to, '\n');
    if (!same->message)
        print_message(printer, 4, finding);
    print_traces(printer, 4, finding);
    print_finding_locks(printer, 4, finding);
    printer_stacks(printer, 4, finding);
    print_others(printer, 4, fold);
    if (!same->help) {
        builder_add_byte(printer->to, '\n');
        print_help(printer, 4, finding);
    }
}

static void print_group(const struct printer *printer, const struct group *group)
{
    struct agreement same = agreement_of(group);
    print_heading(printer, group, &same);
    if (group->count == 1) {
        print_single(printer, &group->folds[0]);
    } else {
        if (same.message)
            print_message(printer, 2, group->folds[0].finding);
        for (size_t i = 0; i < group->count; i++)
            print_numbered(printer, &group->folds[i], i + 1, &same);
        if (same.help) {
            builder_add_byte(printer->to, '\n');
            print_help(printer, 2, group->folds[0].finding);
        }
    }
    builder_add_byte(printer->to, '\n');
}

/*
 * All of them.
 */

/* For when there is no memory to sort in: each on its own. */
static void print_ungrouped(const struct printer *printer, const struct finding_list *list)
{
    for (size_t i = 0; i < list->items.count; i++) {
        const struct report_fold alone = {.finding = list->items.items[i], .position = i};
        print_group(printer, &(struct group){.folds = &alone, .count = 1});
    }
}

/* Fills the groups, which point into `folds`; how many there are. */
static size_t make_groups(struct report_fold *folds, size_t count, struct group *groups)
{
    size_t group_count = 0;
    qsort(folds, count, sizeof *folds, compare_folds);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || !have_one_subject(folds[i - 1].finding, folds[i].finding))
            groups[group_count++] = (struct group){.folds = &folds[i]};
        groups[group_count - 1].count++;
    }
    qsort(groups, group_count, sizeof *groups, compare_groups);
    return group_count;
}

static void print_findings(const struct printer *printer, const struct finding_list *list)
{
    struct arena arena;
    arena_init(&arena);
    size_t count;
    struct report_fold *folds = report_fold_all(&arena, list, &count);
    struct group *groups = folds ? ARENA_ARRAY(&arena, struct group, count) : NULL;
    if (groups) {
        const size_t group_count = make_groups(folds, count, groups);
        for (size_t i = 0; i < group_count; i++)
            print_group(printer, &groups[i]);
    } else {
        print_ungrouped(printer, list);
    }
    arena_release(&arena);
}

static size_t digits_of(uint64_t value)
{
    size_t digits = 1;
    for (; value >= 10; value /= 10)
        digits++;
    return digits;
}

static void print_stat_name(const struct printer *printer, struct text name)
{
    ptrdiff_t underscore;
    while ((underscore = text_find(name, '_')) >= 0) {
        printer_text(printer, text_slice(name, 0, (size_t)underscore));
        builder_add_byte(printer->to, ' ');
        name = text_slice(name, (size_t)underscore + 1, name.length);
    }
    printer_text(printer, name);
}

static void print_stats(const struct printer *printer, const struct report *report)
{
    size_t name_width = 0;
    size_t value_width = 0;
    for (size_t i = 0; i < report->stat_count; i++) {
        size_t digits = digits_of(report->stats[i].value);
        if (report->stats[i].name.length > name_width)
            name_width = report->stats[i].name.length;
        if (digits > value_width)
            value_width = digits;
    }
    if (!report->stat_count)
        return;
    builder_add_string(printer->to, "statistics:\n");
    for (size_t i = 0; i < report->stat_count; i++) {
        const struct report_stat *stat = &report->stats[i];
        size_t start = printer->to->length;
        size_t value_start = start + 2 + name_width + 2 + value_width - digits_of(stat->value);
        printer_indent(printer, 2);
        print_stat_name(printer, stat->name);
        builder_pad_to(printer->to, value_start, ' ');
        builder_add_format(printer->to, "%" PRIu64 "\n", stat->value);
    }
    builder_add_byte(printer->to, '\n');
}

static void print_summary(const struct printer *printer, const struct report *report)
{
    static const struct {
        const char *one;
        const char *many;
    } names[FINDING_KIND_COUNT] = {
        [FINDING_KIND_RACES] = {"race", "races"},
        [FINDING_KIND_ATOMICITY] = {"atomicity violation", "atomicity violations"},
        [FINDING_KIND_DEADLOCKS] = {"deadlock", "deadlocks"},
        [FINDING_KIND_WARNINGS] = {"warning", "warnings"},
    };
    struct report_counts counts = report_count(report->findings);
    printer_begin(printer, STYLE_STRONG);
    builder_add_string(printer->to, counts.all ? "turnstile: " : "turnstile: nothing found");
    const char *between = "";
    for (unsigned kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        size_t count = counts.by_kind[kind];
        if (!count)
            continue;
        builder_add_format(printer->to, "%s%zu %s", between, count,
                           count == 1 ? names[kind].one : names[kind].many);
        if (counts.by_kind_and_grade[kind][FINDING_GRADE_NONE] < count) {
            builder_add_string(printer->to, " (");
            print_grade_counts(printer, counts.by_kind_and_grade[kind]);
            builder_add_byte(printer->to, ')');
        }
        between = ", ";
    }
    if (report->not_shown)
        builder_add_format(printer->to, "; there are more: --max-reports is %zu", report->most);
    printer_end(printer);
    builder_add_byte(printer->to, '\n');
}

bool report_text_write_summary(const struct report *report, bool color, struct builder *to)
{
    print_summary(&(struct printer){.to = to, .color = color}, report);
    return !to->failed;
}

bool report_text_write(const struct report *report, bool color, struct builder *to)
{
    struct printer printer = {.to = to, .color = color};
    finding_list_sort(report->findings);
    print_findings(&printer, report->findings);
    print_stats(&printer, report);
    print_summary(&printer, report);
    return !to->failed;
}
